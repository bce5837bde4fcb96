/** Calls whose markers are ordinary text: a word, a code block, a bracket; and calls that mean no call. */

import { describe, expect, test } from 'vitest'
import { commandRPlus } from '../../src/dialects/command-r-plus.ts'
import { granite20bFc } from '../../src/dialects/granite-20b-fc.ts'
import { xlam } from '../../src/dialects/xlam.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

const block = (json: string): string => `\`\`\`json\n${json}\n\`\`\``

const mayRun = (response: string, dialect: Dialect): boolean[] =>
  parse(response, { dialect, tools: TOOLS }).toolCalls.map((call) => isExecutable(call))

describe('command-r-plus', () => {
  const action = (name: string, parameters = '{}'): string =>
    `{\n        "tool_name": "${name}",\n        "parameters": ${parameters}\n    }`
  const actions = (...all: string[]): string => `Action:\n${block(`[\n    ${all.join(',\n    ')}\n]`)}`

  test.each<Row>([
    [
      'a text and two calls',
      `On it.\n${actions(action('book', '{"hotel": "Ritz", "nights": 3}'), action('ring', '{"who": "Ann"}'))}`,
      ['text On it.\n', ...BOTH_CALLS],
    ],
    ['a space behind the word', `Action: ${block(`[${action('now')}]`)}`, ['call now {}']],
    ['nothing behind the word', `Action:${block(`[${action('now')}]`)}`, ['call now {}']],
    ['an answer in place of a call', actions(action('directly_answer')), []],
    ['an answer in its other spelling', `${actions(action('directly-answer'))}Hi.`, ['text Hi.']],
    ['an answer without tools', actions(action('directly_answer')), [], { tools: [] }],
    ['the word in prose', 'Action: none. Action:\n- go', ['text Action: none. Action:\n- go']],
    [
      'another block behind the word',
      `Action:\n${block('[{"name": "now"}]')}`,
      [`text Action:\n${block('[{"name": "now"}]')}`, 'note not-a-call'],
    ],
    ['a block without the word', block(`[${action('now')}]`), [`text ${block(`[${action('now')}]`)}`]],
    [
      'a block whose end is missing',
      `Action:\n\`\`\`json\n[${action('now')}]`,
      ['call now {}', 'note missing-closer'],
    ],
    [
      'a block that is cut off',
      `Action:\n\`\`\`json\n[{"tool_name": "ring", "parameters": {"who": "An`,
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    ['the end of the turn', `${actions(action('now'))}<|END_OF_TURN_TOKEN|>`, ['call now {}']],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: commandRPlus, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('runs a call behind an answer', () => {
    const response = `${actions(action('directly_answer'))}\n${actions(action('now'))}`
    expect(mayRun(response, commandRPlus)).toEqual([true])
  })
})

describe('granite-20b-fc', () => {
  const none = '<function_call> {"name": "no_function", "arguments": {}}'

  test.each<Row>([
    ['no call', none, []],
    ['no call without spaces', '<function_call>{"name":"no_function","arguments":{}}', []],
    ['no call, and the text behind it', `${none} I need the city.`, ['text  I need the city.']],
    ['no call and then one', `${none}<function_call> {"name": "now", "arguments": {}}`, ['call now {}']],
    [
      'no call that has arguments as text',
      '<function_call> {"name": "no_function", "arguments": {"a": 1}}',
      ['text <function_call> {"name": "no_function", "arguments": {"a": 1}}', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: granite20bFc, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('finishes a response without a call as one', () => {
    expect(parse(none, { dialect: granite20bFc, tools: TOOLS }).finish.reason).toBe('stop')
  })
})

describe('xlam', () => {
  const calls =
    '[{"name": "book", "arguments": {"hotel": "Ritz", "nights": 3}}, {"name": "ring", "arguments": {"who": "Ann"}}]'

  test.each<Row>([
    ['a list', calls, BOTH_CALLS],
    ['a list behind a thought', `<think>Two jobs.</think>${calls}`, ['thought Two jobs.', ...BOTH_CALLS]],
    ['a list between line breaks', `\n\n${calls}\n`, BOTH_CALLS],
    ['a marker at the start', `[TOOL_CALLS] ${calls}`, BOTH_CALLS],
    ['a list in a block', block(calls), BOTH_CALLS],
    ['a list between tags', `On it.<tool_call>${calls}</tool_call>`, ['text On it.', ...BOTH_CALLS]],
    ['a list behind a marker', `On it.[TOOL_CALLS] ${calls}`, ['text On it.', ...BOTH_CALLS]],
    ['a list of tools that are not there as text', '[{"name": "rm"}]', ['text [{"name": "rm"}]']],
    ['another list', '[1, 2]', ['text [1, 2]']],
    ['another block', block('{"name": "Ann"}'), [`text ${block('{"name": "Ann"}')}`]],
    ['a list behind a sentence as text', `I would write ${calls}`, [`text I would write ${calls}`]],
    [
      'a block behind a sentence as text',
      `I would write\n${block(calls)}`,
      [`text I would write\n${block(calls)}`],
    ],
    [
      'a list that is cut off',
      calls.slice(0, -6),
      [
        'repaired book {"hotel":"Ritz","nights":3}',
        'truncated ring {"who":"A"}',
        'note truncated-call',
        'note text-behind-call',
      ],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: xlam, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('runs a list that nothing marks only if nothing follows it', () => {
    expect(mayRun(calls, xlam)).toEqual([true, true])
    expect(mayRun(`${block(calls)}\n`, xlam)).toEqual([true, true])
    expect(mayRun(`${calls} is what I would write.`, xlam)).toEqual([false, false])
    expect(mayRun(`${block(calls)}\nThat is what I would write.`, xlam)).toEqual([false, false])
    expect(mayRun(`<tool_call>${calls}</tool_call> Done.`, xlam)).toEqual([true, true])
  })
})
