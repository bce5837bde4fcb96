import { functionCalls, gemma4, hermes, morphXml, pythonic, qwen3Coder } from '../../dist/dialects/index.js'
import { measure } from '../measure.mjs'
import { DECODED, DELTAS, newSink, oneCall, parseJob, smallCalls, TOOLS, VALUE, warmUp } from '../parsers.mjs'
import { scanAndSay } from '../references.mjs'
import { ratioRow } from '../report.mjs'
import { cut } from '../workloads.mjs'

const MB = 2 ** 20
const SIZES = [4, 16, 64]
const EMITS = { deltas: DELTAS, 'with value': VALUE, decoded: DECODED }

function callRow(work, dialect, size, emit, { make = oneCall, length = MB, target } = {}) {
  return ratioRow(`${work}, ${size} characters`, {
    of: 'Sluice',
    to: 'S',
    target,
    measure,
    jobs() {
      warmUp()
      const chunks = cut(make(dialect, length), size)
      const sink = newSink()
      return { S: () => scanAndSay(chunks, sink), Sluice: parseJob(chunks, { dialect, tools: TOOLS, emit }) }
    },
  })
}

/** Three sizes of chunks, and three ways to get the arguments. `targets`: at 4 and 16 characters, and at 64. */
const argumentRows = (dialect, targets) =>
  SIZES.flatMap((size) =>
    Object.entries(EMITS).map(([name, emit], index) =>
      callRow(`1 MB argument, ${dialect.name}, ${name}`, dialect, size, emit, {
        target: targets[size === 64 ? 1 : 0][index],
      }),
    ),
  )

export const suite = {
  title: 'Calls',
  about:
    '*Deltas* are JSON text as it arrives, of which nothing is kept. *Decoded* is the same as the text of each argument. ' +
    '*With value* keeps the input, which is there when the call ends. The argument is source code.',
  rows: [
    ...argumentRows(hermes, [
      [2.2, 3, 3],
      [1.5, 2.5, 2],
    ]),
    ...argumentRows(qwen3Coder, [
      [2.5, 3, 2.5],
      [1.5, 2.5, 1.3],
    ]),
    ...[functionCalls, morphXml, gemma4, pythonic].map((dialect) =>
      callRow(`256 KB argument, ${dialect.name}, decoded`, dialect, 16, DECODED, { length: MB / 4 }),
    ),
    ...[hermes, qwen3Coder].map((dialect) =>
      callRow(`300 small calls, ${dialect.name}, with value`, dialect, 16, VALUE, {
        make: smallCalls,
        length: 18_000,
      }),
    ),
  ],
}
