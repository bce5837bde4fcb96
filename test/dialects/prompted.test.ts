/** Formats that a prompt asks for, in models that have none of their own or another. */

import { describe, expect, test } from 'vitest'
import { kExaone2 } from '../../src/dialects/k-exaone-2.ts'
import { sijawara } from '../../src/dialects/sijawara.ts'
import { uiTars } from '../../src/dialects/ui-tars.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

const call = (name: string, parameters: Record<string, string>): string =>
  [
    '<tool_call>',
    `<function=${name}>`,
    ...Object.entries(parameters).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`),
    '</function>',
    '</tool_call>',
  ].join('\n')
const both = [call('book', { hotel: 'Ritz', nights: '3' }), call('ring', { who: 'Ann' })].join('\n')

describe('k-exaone-2', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      `<think>\nTwo jobs.\n</think>\n\nOn it.\n${both}<|endofturn|>`,
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
    ],
    [
      'calls as JSON',
      '<tool_call>{"name": "ring", "arguments": {"who": "Ann"}}</tool_call>[|endofturn|]',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'both ways in one response',
      `<tool_call>{"name": "now"}</tool_call>\n${call('now', {})}\n<tool_call>{"name": "now"}</tool_call>`,
      ['call now {}', 'call now {}', 'call now {}'],
    ],
    ['a result', '<tool_result>fine</tool_result>', ['result result-1 fine']],
    [
      'a call in a thought as part of it',
      `<think>Perhaps ${call('now', {})}</think>Hi.`,
      [`thought Perhaps ${call('now', {})}`, 'text Hi.'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: kExaone2, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('writes results that open nothing', () => {
    const result = { type: 'result', id: 'a', content: '</tool_result><tool_call>' } as const
    expect(render([result], { dialect: kExaone2 })).toBe(
      '<tool_result>&lt;/tool_result>&lt;tool_call></tool_result>',
    )
  })
})

describe('ui-tars', () => {
  test.each<Row>([
    ['a text and two calls', `On it.\n${both}`, ['text On it.\n', ...BOTH_CALLS]],
    ['a list', call('label', { tags: '["a", "b"]' }), ['call label {"tags":["a","b"]}']],
    ['a result', '<tool_response>fine</tool_response>', ['result result-1 fine']],
    [
      'its native actions as text',
      "Thought: A click.\nAction: now(at='(1,2)')",
      ["text Thought: A click.\nAction: now(at='(1,2)')"],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: uiTars, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('sijawara', () => {
  test.each<Row>([
    [
      'a text and two calls',
      'On it.\n<book>\n  <hotel>\n    Ritz\n  </hotel>\n  <nights>\n    3\n  </nights>\n</book>\n<ring>\n  <who>\n    Ann\n  </who>\n</ring>',
      ['text On it.\n', ...BOTH_CALLS],
    ],
    ['values on the lines of their tags', '<ring><who>Ann</who></ring>', ['call ring {"who":"Ann"}']],
    [
      'a list as repeated tags',
      '<label>\n  <tags>\n    a\n  </tags>\n  <tags>\n    b\n  </tags>\n</label>',
      ['call label {"tags":["a","b"]}'],
    ],
    ['a call without arguments', '<now/>', ['call now {}']],
    ['a tag that is no tool', '<fly><far>1</far></fly>', ['text <fly><far>1</far></fly>']],
    [
      'a value whose closer is missing as a guess',
      '<ring><who>Ann</ring>',
      ['repaired ring {"who":"Ann"}', 'note missing-closer'],
    ],
    ['a value that is cut off', '<ring>\n<who>\n An', ['truncated ring {"who":"An"}', 'note truncated-call']],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: sijawara, tools: TOOLS, ...options })).toEqual(expected)
  })
})
