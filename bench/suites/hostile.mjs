import { functionCalls, hermes, qwen3Coder } from '../../dist/dialects/index.js'
import { measure } from '../measure.mjs'
import { newSink, parseJob } from '../parsers.mjs'
import { scanAndSay } from '../references.mjs'
import { cut } from '../workloads.mjs'

const SHORT = 2 ** 14

const fill = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const ADVERSARIES = [
  ['`<` again and again', hermes, (n) => fill('<', n)],
  ['openers that are never finished', hermes, (n) => fill('<tool_cal', n)],
  ['a tag that never ends', functionCalls, (n) => `<function_calls><invoke ${fill('a="b" ', n)}`],
  [
    'a call that never closes',
    hermes,
    (n) => `<tool_call>{"name": "f", "arguments": {"a": "${fill('lorem ipsum ', n)}`,
  ],
  [
    'a parameter full of half closers',
    qwen3Coder,
    (n) => `<tool_call><function=f><parameter=a>${fill('\n</param', n)}`,
  ],
  [
    '10,000 nested arrays and more',
    hermes,
    (n) => `<tool_call>{"name": "f", "arguments": {"a": ${fill('[', n)}`,
  ],
  ['whitespace', hermes, (n) => `<tool_call>${fill(' \n', n)}`],
  [
    'a number that never ends',
    hermes,
    (n) => `<tool_call>{"name": "f", "arguments": {"a": ${fill('1234567890', n)}`,
  ],
]

export const suite = {
  title: 'Hostile input',
  about: 'How much the ratio to S grows when the text is sixteen times as long. Linear is 1.',
  rows: ADVERSARIES.map(([work, dialect, make]) => ({
    work,
    target: '≤ 1.5',
    run() {
      const ratio = (length) => {
        const chunks = cut(make(length), 4)
        const sink = newSink()
        const times = measure({ S: () => scanAndSay(chunks, sink), Sluice: parseJob(chunks, { dialect }) }, 5)
        return times.Sluice / times.S
      }
      const growth = ratio(16 * SHORT) / ratio(SHORT)
      return { shown: growth.toFixed(2), met: growth <= 1.5 }
    },
  })),
}
