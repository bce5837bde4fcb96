import { describe, expect, test } from 'vitest'
import { deepseekV31, hermes, kimiK2, mistralV11 } from '../../../src/dialects/index.ts'
import { createParser } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/dialect.ts'
import { merged } from '../../laws/observe.ts'

const RM = '{"path": "b"}'
const HERMES_RM = `<tool_call>{"name": "rm", "arguments": ${RM}}</tool_call>`
const KIMI_RM = `<|tool_call_begin|>functions.rm:1<|tool_call_argument_begin|>${RM}<|tool_call_end|>`
const KIMI_LS = '<|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>'
const DEEPSEEK_RM = `<｜tool▁call▁begin｜>rm<｜tool▁sep｜>${RM}<｜tool▁call▁end｜>`

/** The events, with deltas that follow each other as one. */
function eventsIn(dialect: Dialect, chunks: readonly string[]) {
  const parser = createParser({ dialect, emit: { json: false, source: true } })
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
  return merged(events)
}

describe('a comment that is not closed takes no later call with it', () => {
  test.each<[string, Dialect, string, string, string]>([
    [
      'in a block',
      hermes,
      '<tool_call>{"name": "ls", "arguments": {"path": "a" /* why? }}</tool_call>',
      ' so ',
      HERMES_RM,
    ],
    [
      'in a line',
      hermes,
      '<tool_call>{"name": "ls", "arguments": {"path": "a"} // why? }</tool_call>',
      ' so ',
      HERMES_RM,
    ],
    ['up to the next opener', hermes, '<tool_call>{"name": "ls", # why? ', '', HERMES_RM],
    [
      'in arguments alone',
      mistralV11,
      '[TOOL_CALLS]ls[ARGS]{"path": /* why? }',
      '',
      `[TOOL_CALLS]rm[ARGS]${RM}`,
    ],
    [
      'in a section',
      kimiK2,
      `<|tool_calls_section_begin|>${KIMI_LS}{"path": 1 /* *</|tool}<|tool_call_end|>`,
      '',
      KIMI_RM,
    ],
    [
      'in another section',
      deepseekV31,
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ls<｜tool▁sep｜>{/*}<｜tool▁call▁end｜>',
      '',
      DEEPSEEK_RM,
    ],
  ])('%s', (_, dialect, failed, between, next) => {
    const text = failed + between + next
    const whole = eventsIn(dialect, [text])
    expect(whole.filter(({ type }) => type === 'tool-call')).toMatchObject([
      { toolName: 'ls', status: 'invalid', error: { code: 'comment' }, raw: failed },
      { toolName: 'rm', status: 'repaired', input: { path: 'b' }, repairs: [{ code: 'place-uncertain' }] },
    ])
    for (let at = 1; at < text.length; at++)
      expect(eventsIn(dialect, [text.slice(0, at), text.slice(at)])).toEqual(whole)
    expect(eventsIn(dialect, [...text])).toEqual(whole)
  })

  test('and one that is closed is no part of the call', () => {
    const text = '<tool_call>{"name": "ls", /* <tool */ "arguments": {"path": "a" // <b>\n}}</tool_call>'
    for (let at = 1; at < text.length; at++)
      expect(
        eventsIn(hermes, [text.slice(0, at), text.slice(at)]).filter(({ type }) => type === 'tool-call'),
      ).toMatchObject([{ toolName: 'ls', status: 'repaired', input: { path: 'a' } }])
  })
})
