/** One bracket too many, or a closer that the format does not have, behind a call. */

import { describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/find.ts'
import { outline } from '../engine/wire/outline.ts'
import { TOOLS } from './tools.ts'

const RING = '{"name": "ring", "arguments": {"who": "Ann"}}'
const GUESSED = ['repaired ring {"who":"Ann"}', 'note stray-markup']
const CERTAIN = ['call ring {"who":"Ann"}', 'note stray-markup']

describe('a bracket too many', () => {
  test.each([
    ['hermes', `<tool_call>\n${RING}}\n</tool_call>`],
    ['longcat', `<longcat_tool_call>${RING}}</longcat_tool_call>`],
    ['dots', `<dots_function_call>\n${RING}}\n</dots_function_call>`],
    ['gigachat3', `<|function_call|>${RING}}`],
    ['granite-20b-fc', `<function_call> ${RING}}`],
    ['internlm2', '<|action_start|><|plugin|>{"name": "ring", "parameters": {"who": "Ann"}}}<|action_end|>'],
    ['inkling', '<|content_invoke_tool_json|>{"name":"ring","args":{"who":"Ann"}}}<|end_message|>'],
    ['mistral-array', `[TOOL_CALLS] [${RING}}]`],
    ['mistral-v11', '[TOOL_CALLS]ring[ARGS]{"who": "Ann"}}'],
    ['functools', `functools[${RING}}]`],
    ['granite3', `<|tool_call|>[${RING}}]`],
    ['nemotron-v2', `<TOOLCALL>[${RING}}]</TOOLCALL>`],
    ['tool-calls-array', `<tool_calls>[${RING}}]</tool_calls>`],
    ['tool-calls-array', `<tool_calls>${RING}}</tool_calls>`],
    ['apertus', '<|tools_prefix|>[{"ring": {"who": "Ann"}}}]<|tools_suffix|>'],
    ['cohere-action', '<|START_ACTION|>[{"tool_name": "ring", "parameters": {"who": "Ann"}}}]<|END_ACTION|>'],
    [
      'deepseek-v3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ring\n```json\n{"who": "Ann"}}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'deepseek-v31',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ring<｜tool▁sep｜>{"who": "Ann"}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    ['functionary-v31', '<function=ring>{"who": "Ann"}}</function>'],
    ['harmony', '<|channel|>commentary to=functions.ring<|message|>{"who": "Ann"}}<|call|>'],
    ['lfm2', '<|tool_call_start|>[ring(who="Ann"))]<|tool_call_end|>'],
    ['pythonic', '[ring(who="Ann"))]'],
    ['olmo3', '<function_calls>\nring(who="Ann"))\n</function_calls>'],
    ['gemma4', '<|tool_call>call:ring{who:<|"|>Ann<|"|>}}<tool_call|>'],
    ['functiongemma', '<start_function_call>call:ring{who:<escape>Ann<escape>}}<end_function_call>'],
  ])('is no text in %s, and its call is a guess', (name, text) => {
    expect(outline(text, { dialect: findDialect(name), tools: TOOLS })).toEqual(
      expect.arrayContaining(GUESSED),
    )
    expect(outline(text, { dialect: findDialect(name), tools: TOOLS }).filter(isText)).toEqual([])
  })
})

describe('a bracket too many behind a list', () => {
  test.each([
    ['mistral-array', `[TOOL_CALLS] [${RING}]]`],
    ['mistral-array', `[TOOL_CALLS] [${RING}][/TOOL_CALLS]`],
    ['mistral-v11', '[TOOL_CALLS]ring[ARGS]{"who": "Ann"}[/TOOL_CALLS]'],
    ['functools', `functools[${RING}]]`],
    ['granite3', `<|tool_call|>[${RING}]]`],
    ['nemotron-v2', `<TOOLCALL>[${RING}]]</TOOLCALL>`],
    ['tool-calls-array', `<tool_calls>[${RING}]]</tool_calls>`],
    ['apertus', '<|tools_prefix|>[{"ring": {"who": "Ann"}}]]<|tools_suffix|>'],
    ['cohere-action', '<|START_ACTION|>[{"tool_name": "ring", "parameters": {"who": "Ann"}}]]<|END_ACTION|>'],
    ['lfm2', '<|tool_call_start|>[ring(who="Ann")]]<|tool_call_end|>'],
    ['pythonic', '[ring(who="Ann")]]'],
  ])('is no text in %s, and its call is certain', (name, text) => {
    expect(outline(text, { dialect: findDialect(name), tools: TOOLS })).toEqual(CERTAIN)
  })
})

function isText(line: string): boolean {
  return line.startsWith('text ')
}
