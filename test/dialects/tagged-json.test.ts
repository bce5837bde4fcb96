/** Calls as JSON objects between markers. */

import { describe, expect, test } from 'vitest'
import { apertus } from '../../src/dialects/apertus.ts'
import { cohereAction } from '../../src/dialects/cohere-action.ts'
import { functools } from '../../src/dialects/functools.ts'
import { gigachat3 } from '../../src/dialects/gigachat3.ts'
import { granite20bFc } from '../../src/dialects/granite-20b-fc.ts'
import { granite3 } from '../../src/dialects/granite3.ts'
import { hermes, jsonMix } from '../../src/dialects/hermes.ts'
import { inkling } from '../../src/dialects/inkling.ts'
import { internlm2 } from '../../src/dialects/internlm2.ts'
import { longcat } from '../../src/dialects/longcat.ts'
import { mistralArray } from '../../src/dialects/mistral.ts'
import { nemotronV2 } from '../../src/dialects/nemotron-v2.ts'
import { toolCallsArray } from '../../src/dialects/tool-calls-array.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import { createParser } from '../../src/engine/parser.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

const BOOK = '{"name": "book", "arguments": {"hotel": "Ritz", "nights": 3}}'
const RING = '{"name": "ring", "arguments": {"who": "Ann"}}'

describe('hermes', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      `<think>\nTwo jobs.\n</think>\n\nOn it.\n<tool_call>\n${BOOK}\n</tool_call>\n<tool_call>\n${RING}\n</tool_call>`,
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
    ],
    [
      'a call that the next one leaves open',
      `<tool_call>${BOOK}<tool_call>${RING}</tool_call>`,
      [...BOTH_CALLS, 'note missing-closer'],
    ],
    [
      'a closer inside a string',
      '<tool_call>{"name": "ring", "arguments": {"who": "</tool_call>"}}</tool_call>',
      ['call ring {"who":"</tool_call>"}'],
    ],
    [
      'a call that ends a thought',
      `<think>I will ring.\n<tool_call>${RING}</tool_call>`,
      ['thought I will ring.\n', 'call ring {"who":"Ann"}'],
    ],
    [
      'a thought that only mentions the marker',
      '<think>Use <tool_call> now?</think>No.',
      ['thought Use <tool_call> now?', 'text No.', 'note not-a-call'],
    ],
    ['JSON without markers', RING, [`text ${RING}`]],
    [
      'JSON in a fence, as a guess',
      `\`\`\`json\n${RING}\n\`\`\``,
      ['repaired ring {"who":"Ann"}', 'note missing-opener'],
    ],
    [
      'the name on the line before the arguments, as a guess',
      '<tool_call>\nring\n{"who": "Ann"}\n</tool_call>',
      ['repaired ring {"who":"Ann"}', 'note missing-opener'],
    ],
    [
      'a word behind the opener that is no name',
      'Write <tool_call> before it, {so} they say.',
      ['text Write <tool_call> before it, {so} they say.', 'note not-a-call'],
    ],
    ['a call without arguments', '<tool_call>{"name": "now"}</tool_call>', ['call now {}']],
    ['arguments that are null', '<tool_call>{"name": "now", "arguments": null}</tool_call>', ['call now {}']],
    [
      'arguments before the name',
      '<tool_call>{"arguments": {"who": "Ann"}, "name": "ring"}</tool_call>',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'a call and half a closer behind its closer',
      `<tool_call>${RING}</tool_call>\n</tool_`,
      ['call ring {"who":"Ann"}', 'note stray-markup'],
    ],
    ['an opener and half a closer', '<tool_call>\n</tool_', ['note empty-call']],
    [
      'arguments before the name, cut off in between',
      'On it.<tool_call>{"arguments": {"who": "Ann"}, "na',
      ['text On it.', 'truncated  {}', 'note missing-name', 'note truncated-call'],
    ],
    [
      'arguments before the name, cut off inside them',
      '<tool_call>{"arguments": {"who": "An',
      ['truncated  {}', 'note missing-name', 'note truncated-call'],
    ],
    [
      'arguments before the name of the only tool, cut off',
      '<tool_call>{"arguments": {"who": "An',
      ['truncated ring {}', 'note missing-name', 'note truncated-call'],
      { tools: [{ name: 'ring' }] },
    ],
    [
      'arguments before the name that are not JSON',
      `<tool_call>{"arguments": {"who": 'Ann's'}, "name": "ring"}</tool_call>So.`,
      ['invalid  {}', 'text So.', 'note json-repaired', 'note missing-name', 'note malformed-call'],
    ],
    [
      'the syntax of python',
      "<tool_call>{'name': 'ring', 'arguments': {'who': None}}</tool_call>",
      ['repaired ring {"who":null}', 'note json-repaired'],
    ],
    [
      '`parameters` for `arguments`',
      '<tool_call>{"name": "ring", "parameters": {"who": "Ann"}}</tool_call>',
      ['call ring {"who":"Ann"}', 'note alternative-key'],
    ],
    [
      'arguments in a string',
      '<tool_call>{"name": "ring", "arguments": "{\\"who\\": \\"Ann\\"}"}</tool_call>',
      ['repaired ring {"who":"Ann"}', 'note arguments-as-string'],
    ],
    [
      'arguments in a string that holds none',
      '<tool_call>{"name": "ring", "arguments": "Ann"}</tool_call>.',
      ['invalid ring {}', 'text .', 'note arguments-as-string', 'note json-repaired', 'note malformed-call'],
    ],
    [
      'a name that is empty',
      '<tool_call>{"name": ""}</tool_call>',
      ['text <tool_call>{"name": ""}</tool_call>', 'note not-a-call'],
    ],
    [
      'a name that is no text',
      '<tool_call>{"name": 5}</tool_call>',
      ['text <tool_call>{"name": 5}</tool_call>', 'note not-a-call'],
    ],
    ['a name written with escapes', '<tool_call>{"n\\u0061me": "n\\u006fw"}</tool_call>', ['call now {}']],
    [
      'a key that is there twice',
      '<tool_call>{"name": "ring", "arguments": {"who": "Ann", "who": "Bob"}}</tool_call>.',
      ['invalid ring {"who":"Bob"}', 'text .', 'note duplicate-key'],
    ],
    [
      'a key that is there twice in another spelling',
      '<tool_call>{"name": "ring", "arguments": {"a": 1, "\\u0061": 2}}</tool_call>.',
      ['invalid ring {"a":2}', 'text .', 'note duplicate-key'],
    ],
    [
      'a thought that was closed twice',
      '<think>Hm.</think></think>Hi.',
      ['thought Hm.', 'text Hi.', 'note stray-closer'],
    ],
    [
      'only the line breaks that belong to the thought',
      '<think>\n\nHm.\n\n</think>\n\n\nHi.',
      ['thought \nHm.\n', 'text \nHi.'],
    ],
    [
      'a thought that the prompt opened',
      'Hm.\n</think>\n\nHi.',
      ['thought Hm.', 'text Hi.'],
      { start: 'reasoning' },
    ],
    [
      'a result, inside which nothing is a call',
      `<tool_response><tool_call>${RING}</tool_call></tool_response>Good.`,
      [`result result-1 <tool_call>${RING}</tool_call>`, 'text Good.'],
    ],
    ['tokens of the template that came through', 'Hi.<|im_end|>', ['text Hi.']],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: hermes, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('takes other tags', () => {
    const mine = jsonMix({ name: 'mine', open: '[CALL]', close: '[/CALL]' })
    expect(outline(`Hi [CALL]${RING}[/CALL]!`, { dialect: mine })).toEqual([
      'text Hi ',
      'call ring {"who":"Ann"}',
      'text !',
    ])
  })

  test('lets nothing run that was cut off', () => {
    const whole = `<tool_call>${RING}`
    for (let length = 0; length < whole.length; length++)
      for (const call of parse(whole.slice(0, length), { dialect: hermes }).toolCalls)
        expect(isExecutable(call)).toBe(false)
  })
})

describe('longcat', () => {
  test('is hermes with other tags', () => {
    const response = `<think>Two jobs.</think>On it.<longcat_tool_call>${BOOK}</longcat_tool_call><longcat_tool_call>${RING}</longcat_tool_call>`
    expect(outline(response, { dialect: longcat, tools: TOOLS })).toEqual([
      'thought Two jobs.',
      'text On it.',
      ...BOTH_CALLS,
    ])
  })
})

describe('tool-calls-array', () => {
  test.each<Row>([
    [
      'a thought, an answer and two calls',
      `<think>\nTwo jobs.\n</think>\n<answer>\nOn it.<tool_calls>[${BOOK}, ${RING}]</tool_calls>\n</answer>`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS, 'text \n'],
    ],
    ['calls without brackets and commas', `<tool_calls>\n${BOOK}\n${RING}\n</tool_calls>`, BOTH_CALLS],
    [
      'calls that a thought only mentions',
      `<think>Perhaps <tool_calls>[${RING}]</tool_calls>?</think>No.`,
      [`thought Perhaps <tool_calls>[${RING}]</tool_calls>?`, 'text No.'],
    ],
    [
      'arguments of any depth',
      '<tool_calls>[{"name": "label", "arguments": {"at": {"x": [{"y": [[]]}]}}}]</tool_calls>',
      ['call label {"at":{"x":[{"y":[[]]}]}}'],
    ],
    [
      'text behind the calls',
      `<tool_calls>[${RING}]</tool_calls> And?`,
      ['call ring {"who":"Ann"}', 'text  And?'],
    ],
    [
      'the label that some answers begin with',
      `助手：<tool_calls>[${RING}]</tool_calls>`,
      ['text 助手：', 'call ring {"who":"Ann"}'],
    ],
    [
      'an id that comes last',
      '<tool_calls>[{"name": "now", "arguments": {}, "id": "x1"}]</tool_calls>',
      ['call now {} #x1'],
    ],
    ['no calls at all', '<tool_calls>[]</tool_calls>', ['note empty-call']],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: toolCallsArray, tools: TOOLS })).toEqual(expected)
  })
})

describe('nemotron-v2', () => {
  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.\n</think>\nOn it.\n<TOOLCALL>[${BOOK}, ${RING}]</TOOLCALL>`,
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    ['markers in capitals alone', `<toolcall>[${RING}]</toolcall>`, [`text <toolcall>[${RING}]</toolcall>`]],
    [
      'arguments in a string',
      '<TOOLCALL>[{"name": "ring", "arguments": "{\\"who\\": \\"Ann\\"}"}]</TOOLCALL>',
      ['repaired ring {"who":"Ann"}', 'note arguments-as-string'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: nemotronV2, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('mistral-array', () => {
  test.each<Row>([
    [
      'a text and two calls with ids that come last',
      'On it.[TOOL_CALLS] [{"name": "book", "arguments": {"hotel": "Ritz", "nights": 3}, "id": "q7Rt2Ws9x"}, {"name": "ring", "arguments": {"who": "Ann"}, "id": "m4Nb6Vc8z"}]',
      ['text On it.', `${BOTH_CALLS[0]} #q7Rt2Ws9x`, `${BOTH_CALLS[1]} #m4Nb6Vc8z`],
    ],
    [
      'what follows the calls',
      `[TOOL_CALLS][${RING}]\n\nDone</s>`,
      ['call ring {"who":"Ann"}', 'text \n\nDone'],
    ],
    ['an array without the marker', `[${RING}]`, [`text [${RING}]`]],
    [
      'brackets in prose',
      'an [array], [TOOL_CALLS], [TOOL_',
      ['text an [array], [TOOL_CALLS], [TOOL_', 'note not-a-call'],
    ],
    ['no calls at all', '[TOOL_CALLS][] x', ['text  x', 'note empty-call']],
    ['the marker twice', `[TOOL_CALLS][${BOOK}][TOOL_CALLS][${RING}]`, BOTH_CALLS],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: mistralArray, tools: TOOLS })).toEqual(expected)
  })

  test('announces a call before its id is known, and keeps the id for the verdict', () => {
    const [call] = parse('[TOOL_CALLS][{"name": "now", "arguments": {}, "id": "q7Rt2Ws9x"}]', {
      dialect: mistralArray,
    }).toolCalls
    expect(call).toMatchObject({ id: 'call-1', wireId: 'q7Rt2Ws9x' })
  })
})

test('what follows arguments inside a string is noted once, however it comes', () => {
  const text = '<tool_call>{"name": "ring", "arguments": "{} and more of it"}</tool_call>'
  for (const size of [1, 4, text.length]) {
    const parser = createParser({ dialect: hermes })
    const events = []
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)))
    expect([...events, ...parser.end()]).toContainEqual(
      expect.objectContaining({
        type: 'tool-call',
        repairs: [
          { code: 'arguments-as-string', class: 'lossless', offset: 11 },
          { code: 'trailing-content', class: 'guess', offset: 11 },
        ],
      }),
    )
  }
})

describe('functools', () => {
  test.each<Row>([
    ['a text and two calls', `On it. functools[${BOOK}, ${RING}]`, ['text On it. ', ...BOTH_CALLS]],
    [
      'the module of that name',
      'import functools\nfunctools.reduce(f) functools [1] functools[1]',
      ['text import functools\nfunctools.reduce(f) functools [1] functools[1]', 'note not-a-call'],
    ],
    [
      'arguments that hold brackets',
      'functools[{"name": "label", "arguments": {"tags": ["a", "]"]}}] done',
      ['call label {"tags":["a","]"]}', 'text  done'],
    ],
    [
      'what follows a comma and is no call, with the space before it',
      'functools[{"name": "ring"}, {}',
      ['call ring {}', 'text  {}'],
    ],
    [
      'the same, with the space before the comma',
      'functools[{"name": "ring"} ,{}',
      ['call ring {}', 'text {}'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: functools, tools: TOOLS })).toEqual(expected)
  })
})

describe('granite3', () => {
  test.each<Row>([
    ['two calls', `<|tool_call|>[${BOOK}, ${RING}]`, BOTH_CALLS],
    ['the marker as text', `<tool_call>[${RING}]`, ['call ring {"who":"Ann"}']],
    [
      'arguments before the name',
      '<|tool_call|>[{"arguments": {"who": "Ann"}, "name": "ring"}]',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'a thought between sentences',
      "Here's my thought process:\nHm.\nHere is my response:\nHi.",
      ['thought Hm.', 'text Hi.'],
    ],
    ['sentences that only begin like that', 'Here is a thing. Here', ['text Here is a thing. Here']],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: granite3, tools: TOOLS })).toEqual(expected)
  })
})

describe('granite-20b-fc', () => {
  test.each<Row>([
    ['two calls without closers', `<function_call> ${BOOK} <function_call> ${RING}`, BOTH_CALLS],
    [
      'a call in the middle of text',
      `Well. <function_call> ${RING} Done.`,
      ['text Well. ', 'call ring {"who":"Ann"}', 'text  Done.'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: granite20bFc, tools: TOOLS })).toEqual(expected)
  })
})

describe('cohere-action', () => {
  test.each<Row>([
    [
      'a thought from the prompt and two calls with ids that come first',
      'Two jobs.<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "book", "parameters": {"hotel": "Ritz", "nights": 3}},\n    {"tool_call_id": "1", "tool_name": "ring", "parameters": {"who": "Ann"}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>',
      ['thought Two jobs.', `${BOTH_CALLS[0]} #0`, `${BOTH_CALLS[1]} #1`],
      { start: 'reasoning' },
    ],
    ['an answer between its markers', '<|START_RESPONSE|>Hi.<|END_RESPONSE|>', ['text Hi.']],
    ['an answer whose end is missing', '<|START_TEXT|>Hi.<|END_OF_TURN_TOKEN|>', ['text Hi.']],
    [
      'an action inside a thought as part of it',
      'Hm.<|START_ACTION|>[{"tool_name": "now"}]<|END_ACTION|><|END_THINKING|>Hi.',
      ['thought Hm.<|START_ACTION|>[{"tool_name": "now"}]<|END_ACTION|>', 'text Hi.'],
      { start: 'reasoning' },
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: cohereAction, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('internlm2', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<think>Two jobs.</think>On it.<|action_start|><|plugin|>\n{"name": "book", "parameters": {"hotel": "Ritz", "nights": 3}}<|action_end|><|action_start|> <|plugin|>\n{"name": "ring", "parameters": {"who": "Ann"}}<|action_end|>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'a closer inside a string',
      '<|action_start|><|plugin|>{"name": "ring", "parameters": {"who": "<|action_end|>"}}<|action_end|>.',
      ['call ring {"who":"<|action_end|>"}', 'text .'],
    ],
    [
      'code for the interpreter, which is no call',
      '<|action_start|><|interpreter|>print(1)<|action_end|>',
      ['text <|action_start|><|interpreter|>print(1)<|action_end|>', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: internlm2, tools: TOOLS })).toEqual(expected)
  })
})

describe('apertus', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls whose keys are their names',
      '<|inner_prefix|>Two jobs.<|inner_suffix|>On it.<|tools_prefix|>[{"book": {"hotel": "Ritz", "nights": 3}}, {"ring": {"who": "Ann"}}]<|tools_suffix|>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'calls whose suffix is missing',
      '<|tools_prefix|>[{"ring": {"who": "Ann"}}]',
      ['call ring {"who":"Ann"}', 'note missing-closer'],
    ],
    [
      'calls inside a thought as part of it',
      '<|inner_prefix|>Hm.<|tools_prefix|>[{"now": {}}]<|tools_suffix|><|inner_suffix|>Hi.',
      ['thought Hm.<|tools_prefix|>[{"now": {}}]<|tools_suffix|>', 'text Hi.'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: apertus, tools: TOOLS })).toEqual(expected)
  })
})

describe('gigachat3', () => {
  test.each<Row>([
    [
      'a text and a call as a message of its own',
      `On it.<|message_sep|>\n\nfunction call<|role_sep|>\n${BOOK}`,
      ['text On it.', BOTH_CALLS[0]!],
    ],
    ['a call behind a token', `On it.<|function_call|>${RING}</s>`, ['text On it.', BOTH_CALLS[1]!]],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: gigachat3, tools: TOOLS })).toEqual(expected)
  })
})

describe('inkling', () => {
  const message = (kind: string, body: string, header = ''): string =>
    `<|message_model|>${header}<|content_${kind}|>${body}<|end_message|>`
  const call = (name: string, args: string): string =>
    message('invoke_tool_json', `{"name":"${name}","args":${args}}`, name)
  const ring = call('ring', '{"who":"Ann"}')

  test.each<Row>([
    [
      'a thought, a text and two calls',
      `<|content_thinking|>Two jobs.<|end_message|>${message('text', 'On it.')}${call('book', '{"hotel":"Ritz","nights":3}')}${ring}<|content_model_end_sampling|>`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    ['a text after a call', ring + message('text', 'Done.'), ['call ring {"who":"Ann"}', 'text Done.']],
    ['a thought after a call', ring + message('thinking', 'Hm.'), ['call ring {"who":"Ann"}', 'thought Hm.']],
    [
      'a call without a message around it',
      '<|content_invoke_tool_json|>{"name":"now","args":{}}',
      ['call now {}', 'note missing-closer'],
    ],
    [
      'a message whose beginning is in the prompt',
      'ring<|content_invoke_tool_json|>{"name":"ring","args":{"who":"Ann"}}<|end_message|>',
      ['call ring {"who":"Ann"}'],
      { start: { prefill: '<|message_model|>' } },
    ],
    ['a complaint', message('tool_error', 'No such tool.'), ['text No such tool.']],
    [
      'a call that ends a thought',
      `<|content_thinking|>Hm.${ring}`,
      ['thought Hm.', 'call ring {"who":"Ann"}'],
    ],
    [
      'a thought that the answer ends',
      `${message('thinking', 'Hm.').slice(0, -15)}${message('text', 'Hi.')}`,
      ['thought Hm.', 'text Hi.'],
    ],
    [
      'a call that is no JSON, as text',
      message('invoke_tool_json', 'ring Ann', 'ring'),
      ['text <|content_invoke_tool_json|>ring Ann', 'note not-a-call'],
    ],
    [
      'a call whose body is text, by the name in its header',
      message('invoke_tool_text', 'Ann', 'ring'),
      ['call ring {"text":"Ann"}'],
    ],
    [
      'the same at the start, because the prompt ends before the header',
      'ring<|content_invoke_tool_text|>Ann<|end_message|>',
      ['call ring {"text":"Ann"}'],
    ],
    [
      'the same of a tool that is not there, though there is only one',
      message('invoke_tool_text', 'print(1)', 'python'),
      ['invalid python {"text":"print(1)"}', 'note unknown-tool'],
      { tools: [{ name: 'ring' }] },
    ],
    [
      'a call whose body is text, and which has no name',
      message('invoke_tool_text', 'print(1)'),
      ['invalid  {"text":"print(1)"}', 'note missing-name'],
    ],
    [
      'a call behind a header that names no tool',
      `${message('text', 'On it.', 'greeting')}${ring}`,
      ['text On it.', 'call ring {"who":"Ann"}'],
    ],
    [
      'a header at the start, because the prompt ends before it',
      'ring<|content_invoke_tool_json|>{"name":"ring","args":{"who":"Ann"}}<|end_message|>',
      ['call ring {"who":"Ann"}'],
    ],
    ['text at the start that is no header', 'One moment.', ['text One moment.']],
    [
      'a call whose body is text, of the only tool, as a guess',
      message('invoke_tool_text', 'print(1)'),
      ['repaired ring {"text":"print(1)"}', 'note missing-name'],
      { tools: [{ name: 'ring' }] },
    ],
    [
      'a message without a kind, as text',
      '<|message_model|>Hi there.<|message_model|>',
      ['text <|message_model|>Hi there.<|message_model|>', 'note not-a-call', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: inkling, tools: TOOLS, ...options })).toEqual(expected)
  })
})
