/** Calls that nothing marks, behind text and in fences. */

import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../src/calls/verdict.ts'
import { genericJson } from '../../src/dialects/generic-json.ts'
import { jsonTools } from '../../src/dialects/json-tools.ts'
import { llama3Json } from '../../src/dialects/llama3-json.ts'
import { pythonic } from '../../src/dialects/pythonic.ts'
import { parse } from '../../src/message.ts'
import type { ParserOptions } from '../../src/parser.ts'
import { outline } from './outline.ts'

const tools = [{ name: 'ls' }, { name: 'rm' }]
const JSON_CALL = '{"name": "ls", "parameters": {"path": "a"}}'
const PYTHON_CALL = '[ls(path="a")]'
const CALL = 'call ls {"path":"a"}'
const GUESS = 'repaired ls {"path":"a"}'
const FENCE = '```'

describe.each([
  ['llama3-json', llama3Json, JSON_CALL],
  ['pythonic', pythonic, PYTHON_CALL],
] as const)('in %s a call that nothing marks', (_, dialect, call) => {
  test.each<[string, string, string[], ParserOptions?]>([
    ['stands at the start of a line', `Let me look.\n${call}`, ['text Let me look.\n', CALL]],
    ['stands behind an indent', `Let me look.\n  ${call}`, ['text Let me look.\n  ', CALL]],
    ['is text behind a deep indent', `So:\n     ${call}`, [`text So:\n     ${call}`]],
    ['is text inside a line', `Try ${call}`, [`text Try ${call}`]],
    ['is text without tools', `Let me look.\n${call}`, [`text Let me look.\n${call}`], { tools: [] }],
    [
      'is text if its tool is not known',
      `Let me look.\n${call.replace('ls', 'cd')}`,
      [`text Let me look.\n${call.replace('ls', 'cd')}`],
    ],
    [
      'is a guess if text follows',
      `Let me look.\n${call} Or not.`,
      ['text Let me look.\n', GUESS, 'text  Or not.', 'note text-behind-call'],
    ],
    ['stands before another', `So.\n${call}\n${call}`, ['text So.\n', CALL, 'text \n', CALL]],
    ['stands in a fence', `${FENCE}json\n${call}\n${FENCE}`, [CALL]],
    ['stands in a fence behind text', `So:\n${FENCE}json\n${call}\n${FENCE}\n`, ['text So:\n', CALL]],
    ['stands in a fence without a language', `So:\n${FENCE}\n${call}\n${FENCE}`, ['text So:\n', CALL]],
    [
      'is a guess in a fence with text behind it',
      `So:\n${FENCE}json\n${call}\n${FENCE}\nThat lists a folder.`,
      ['text So:\n', GUESS, 'text \nThat lists a folder.', 'note text-behind-call'],
    ],
    [
      'is text in a fence where code is protected',
      `${FENCE}json\n${call}\n${FENCE}`,
      [`text ${FENCE}json\n${call}\n${FENCE}`],
      { protectCode: true },
    ],
  ])('%s', (_, text, expected, options) => {
    expect(outline(text, { dialect, tools, ...options })).toEqual(expected)
  })

  test('is not run if it was cut off', () => {
    const { toolCalls } = parse(`Let me look.\n${call.slice(0, -3)}`, { dialect, tools })
    expect(toolCalls.filter((one) => isExecutable(one))).toEqual([])
  })
})

describe('other text at the start of a line', () => {
  test.each([
    ['a list', pythonic, 'So:\n[1, 2] and\n[ls] and\n[ls](http://x)'],
    ['an object', llama3Json, 'So:\n{"a": 1, "b": {"name": "ls"}}\n{x}'],
    ['an object around what looks like a call', genericJson, `So:\n{"calls": [\n${JSON_CALL}\n]}`],
    ['the same in a fence', genericJson, `So:\n${FENCE}json\n{"calls": [\n${JSON_CALL}\n]}\n${FENCE}`],
  ])('stays text: %s', (_, dialect, text) => {
    expect(outline(text, { dialect, tools })).toEqual([`text ${text}`])
  })
})

test('a call that another dialect finds anywhere is found inside a line', () => {
  const text = 'Try {"name": "ls", "parameters": {"path": "a"}}'
  expect(outline(text, { dialect: [llama3Json, jsonTools], tools })).toEqual(['text Try ', CALL])
})
