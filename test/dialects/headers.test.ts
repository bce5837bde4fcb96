/** Calls whose name stands before their arguments: in a header, or in the message's own framing. */

import { describe, expect, test } from 'vitest'
import { deepseekV3 } from '../../src/dialects/deepseek-v3.ts'
import { deepseekV31 } from '../../src/dialects/deepseek-v31.ts'
import { functionaryV31 } from '../../src/dialects/functionary-v31.ts'
import { harmony } from '../../src/dialects/harmony.ts'
import { kimiK2 } from '../../src/dialects/kimi-k2.ts'
import { mistralV11 } from '../../src/dialects/mistral.ts'
import { sentinel } from '../../src/dialects/sentinel.ts'
import { solarOpen } from '../../src/dialects/solar-open.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

describe('deepseek-v3', () => {
  const call = (name: string, json: string): string =>
    `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜>`
  const section = (calls: string): string => `<｜tool▁calls▁begin｜>${calls}<｜tool▁calls▁end｜>`

  test.each<Row>([
    [
      'a thought, a text and two calls',
      `<think>\nTwo jobs.\n</think>\n\nOn it.${section(`${call('book', '{"hotel": "Ritz", "nights": 3}')}\n${call('ring', '{"who": "Ann"}')}`)}`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    ['a fence inside a string', section(call('ring', '{"who": "```"}')), ['call ring {"who":"```"}']],
    ['JSON on several lines', section(call('ring', '{\n  "who": "Ann"\n}')), ['call ring {"who":"Ann"}']],
    [
      'a section without its opener',
      `${call('now', '{}')}<｜tool▁calls▁end｜>`,
      ['call now {}', 'note call-without-wrapper'],
    ],
    [
      'what it hallucinates behind its calls, as text',
      `${section(call('now', '{}'))}<｜tool▁outputs▁begin｜>x`,
      ['call now {}', 'text x'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: deepseekV3, tools: TOOLS })).toEqual(expected)
  })
})

describe('deepseek-v31', () => {
  const call = (name: string, json: string): string =>
    `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`
  const section = (calls: string): string => `<｜tool▁calls▁begin｜>${calls}<｜tool▁calls▁end｜>`

  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.</think>On it.${section(call('book', '{"hotel": "Ritz", "nights": 3}') + call('ring', '{"who": "Ann"}'))}`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'text between two calls',
      section(`${call('now', '{}')} and ${call('ring', '{"who": "Ann"}')}`),
      ['call now {}', 'text  and ', 'repaired ring {"who":"Ann"}', 'note unexpected-text'],
    ],
    [
      'whitespace between two calls',
      section(`\n${call('now', '{}')}\n${call('now', '{}')}\n`),
      ['call now {}', 'call now {}'],
    ],
    ['a section without calls', section(''), ['note empty-call']],
    [
      'a call inside a thought as part of it',
      `<think>Hm.${section(call('now', '{}'))}</think>Hi.`,
      [`thought Hm.${section(call('now', '{}'))}`, 'text Hi.'],
    ],
    [
      'arguments that are missing',
      `${section(call('now', ''))}.`,
      ['repaired now {}', 'text .', 'note empty-arguments'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: deepseekV31, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('kimi-k2', () => {
  const call = (id: string, json: string): string =>
    `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${json}<|tool_call_end|>`
  const section = (calls: string): string => `<|tool_calls_section_begin|>${calls}<|tool_calls_section_end|>`

  test.each<Row>([
    [
      'a thought, a text and two calls with their ids',
      `<think>Two jobs.</think>On it.${section(call('functions.book:4', '{"hotel": "Ritz", "nights": 3}') + call('functions.ring:5', '{"who": "Ann"}'))}`,
      [
        'thought Two jobs.',
        'text On it.',
        `${BOTH_CALLS[0]} #functions.book:4`,
        `${BOTH_CALLS[1]} #functions.ring:5`,
      ],
    ],
    [
      'names with dots and dashes',
      section(call('functions.my.tool-2:12', '{}')),
      ['invalid my.tool-2 {} #functions.my.tool-2:12', 'note unknown-tool'],
    ],
    ['an id without the prefix', section(call('now:1', '{}')), ['call now {} #now:1']],
    [
      'a header that is nothing but a counter',
      section(call('3', '{}')),
      ['invalid  {} #3', 'note missing-name'],
    ],
    [
      'a header without a name',
      section(call('functions.:3', '{}')),
      ['invalid  {} #functions.:3', 'note missing-name'],
    ],
    [
      'text behind the section',
      `${section(call('functions.now:0', '{}'))}Done.`,
      ['call now {} #functions.now:0', 'text Done.'],
    ],
    [
      'whitespace around everything',
      '<|tool_calls_section_begin|>\n<|tool_call_begin|> functions.now:0 <|tool_call_argument_begin|> {} <|tool_call_end|>\n<|tool_calls_section_end|>',
      ['call now {} #functions.now:0'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: kimiK2, tools: TOOLS })).toEqual(expected)
  })
})

describe('mistral-v11', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      '[THINK]Two jobs.[/THINK]On it.[TOOL_CALLS]book[ARGS]{"hotel": "Ritz", "nights": 3}[TOOL_CALLS]ring[ARGS]{"who": "Ann"}',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'an id between name and arguments',
      '[TOOL_CALLS]now[CALL_ID]q7Rt2Ws9x[ARGS]{}',
      ['call now {} #q7Rt2Ws9x'],
    ],
    [
      'a call without a name, behind one that has it as text',
      'ring[TOOL_CALLS][ARGS]{"who": "Ann"}',
      ['text ring', 'invalid  {"who":"Ann"}', 'note missing-name'],
    ],
    [
      'a call without a name, of the only tool, as a guess',
      '[TOOL_CALLS]{"who": "Ann"}',
      ['repaired ring {"who":"Ann"}', 'note missing-name'],
      { tools: [{ name: 'ring' }] },
    ],
    [
      'one object without an array',
      '[TOOL_CALLS] {"name": "ring", "arguments": {"who": "Ann"}}',
      ['call ring {"who":"Ann"}'],
    ],
    ['arguments without their marker', '[TOOL_CALLS]ring{"who": "Ann"}', ['call ring {"who":"Ann"}']],
    [
      'an array behind the same marker',
      '[TOOL_CALLS] [{"name": "ring", "arguments": {"who": "Ann"}}]',
      ['call ring {"who":"Ann"}'],
    ],
    ['brackets in prose', 'an [array] and [TOOL and [T', ['text an [array] and [TOOL and [T']],
    ['text behind a call', '[TOOL_CALLS]now[ARGS]{} Done.', ['call now {}', 'text  Done.']],
    ['whitespace between its parts', '[TOOL_CALLS] now [ARGS] {}', ['call now {}']],
    ['markers that the server dropped', 'ring{"who": "Ann"}', ['text ring{"who": "Ann"}']],
    ['a call without its arguments', '[TOOL_CALLS]now[ARGS]', ['truncated now {}', 'note truncated-call']],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: mistralV11, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('holds back a bracket only as long as it can be a marker', () => {
    expect(outline('[', { dialect: mistralV11 })).toEqual(['text ['])
    expect(outline('[a', { dialect: mistralV11 })).toEqual(['text [a'])
  })
})

describe('functionary-v31', () => {
  test.each<Row>([
    [
      'two calls',
      '<function=book>{"hotel": "Ritz", "nights": 3}</function><function=ring>{"who": "Ann"}</function>',
      BOTH_CALLS,
    ],
    ['a header of C++', '#include <functional>', ['text #include <functional>']],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: functionaryV31, tools: TOOLS })).toEqual(expected)
  })
})

describe('harmony', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<|channel|>analysis<|message|>Two jobs.<|end|><|start|>assistant<|channel|>commentary<|message|>On it.<|end|><|start|>assistant<|channel|>commentary to=functions.book <|constrain|>json<|message|>{"hotel": "Ritz", "nights": 3}<|call|><|start|>assistant<|channel|>commentary to=functions.ring <|constrain|>json<|message|>{"who": "Ann"}<|call|>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    ['an answer', '<|channel|>final<|message|>Hi.<|return|>', ['text Hi.']],
    [
      'two thoughts and an answer',
      '<|channel|>analysis<|message|>A.<|end|><|start|>assistant<|channel|>analysis<|message|>B.<|end|><|start|>assistant<|channel|>final<|message|>C.<|return|>',
      ['thought A.', 'thought B.', 'text C.'],
    ],
    [
      'no space before the constraint',
      '<|channel|>commentary to=functions.now<|constrain|>json<|message|>{}<|call|>',
      ['call now {}'],
    ],
    [
      'another constraint',
      '<|channel|>commentary to=functions.now <|constrain|>text<|message|>{}<|call|>',
      ['call now {}'],
    ],
    ['no constraint', '<|channel|>commentary to=functions.now<|message|>{}<|call|>', ['call now {}']],
    ['a recipient without the prefix', '<|channel|>commentary to=now<|message|>{}<|call|>', ['call now {}']],
    [
      'a recipient before the channel',
      '<|start|>assistant to=functions.now<|channel|>commentary <|constrain|>json<|message|>{}<|call|>',
      ['call now {}'],
    ],
    [
      'a recipient at the start, because the prompt ends with the role',
      ' to=functions.ring<|channel|>analysis<|message|>{"who": "Ann"}<|call|>',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'a recipient at the start, and text behind the call',
      'to=functions.now<|channel|>commentary json<|message|>{}<|call|> So.',
      ['repaired now {}', 'text  So.', 'note text-behind-call'],
    ],
    ['prose that begins like a recipient', 'to=now is no call.', ['text to=now is no call.']],
    [
      'a type without its token',
      '<|channel|>commentary to=functions.now json<|message|>{}<|call|>',
      ['call now {}'],
    ],
    [
      'another type without its token, behind the channel',
      '<|start|>assistant to=functions.now<|channel|>commentary code<|message|>{}<|call|>',
      ['call now {}'],
    ],
    [
      'a type on an answer',
      '<|channel|>final <|constrain|>json<|message|>{"a": 1}<|return|>',
      ['text {"a": 1}'],
    ],
    [
      'a type on a thought',
      '<|channel|>analysis code<|message|>Hm.<|end|><|start|>assistant<|channel|>final json<|message|>Hi.',
      ['thought Hm.', 'text Hi.'],
    ],
    [
      'the name of a channel behind a call',
      '<|channel|>commentary to=functions.now<|message|>{}<|call|>commentary<|channel|>commentary to=functions.now<|message|>{}<|call|>',
      ['call now {}', 'call now {}', 'note stray-markup'],
    ],
    [
      'a header without a message before another',
      '<|channel|>commentary<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>analysis<|channel|>final<|message|>Hi.',
      ['thought Hm.', 'text Hi.', 'note stray-markup', 'note stray-markup'],
    ],
    [
      'a header without a message before a call',
      '<|start|>assistant<|channel|>commentary<|channel|>commentary to=functions.now<|message|>{}<|call|>',
      ['call now {}', 'note stray-markup'],
    ],
    [
      'a role that is there twice',
      '<|start|>assistant<|start|>assistant<|channel|>final<|message|>Hi.',
      ['text Hi.', 'note stray-markup'],
    ],
    [
      'tokens that the server strips',
      'analysisThe user greets me.assistantfinalHi.',
      ['thought The user greets me.', 'text Hi.', 'note stripped-tokens'],
    ],
    [
      'stripped tokens with spaces in their place',
      'analysis I greet back. assistantfinal Hi.',
      ['thought I greet back. ', 'text  Hi.', 'note stripped-tokens'],
    ],
    [
      'a preamble without its tokens, as text',
      'commentaryI look.assistantfinalHi.',
      ['text commentaryI look.assistantfinalHi.'],
    ],
    ['an answer without its tokens', 'assistantfinalHi.', ['text Hi.', 'note stripped-tokens']],
    [
      'a call without its tokens, which is a guess',
      'analysisI ring.assistantcommentary to=functions.ring json{"who": "Ann"}',
      ['thought I ring.', 'repaired ring {"who":"Ann"}', 'note stripped-tokens', 'note stripped-tokens'],
    ],
    [
      'a call without its tokens at the start',
      'commentary to=functions.now json{}',
      ['repaired now {}', 'note stripped-tokens'],
    ],
    [
      'prose that begins with the name of a channel',
      'analysis of it: assistantfinal',
      ['text analysis of it: assistantfinal'],
    ],
    ['a message without a channel', 'Hi <|start|>assistant<|message|>there.<|end|>', ['text Hi there.']],
    [
      "a tool of the server's own",
      '<|channel|>analysis to=browser.search<|message|>{"q": "x"}<|call|>',
      ['invalid browser.search {"q":"x"}', 'note unknown-tool'],
    ],
    [
      'a body that is no JSON',
      '<|channel|>analysis to=python<|message|>print(1)<|call|>.',
      ['invalid python {}', 'text .', 'note unknown-tool', 'note malformed-call'],
    ],
    [
      'a call that the next message leaves open',
      '<|channel|>commentary to=functions.now<|message|>{}<|start|>assistant<|channel|>final<|message|>Hi.',
      ['call now {}', 'text Hi.', 'note missing-closer'],
    ],
    [
      'a call that ends like a message',
      '<|channel|>commentary to=functions.now<|message|>{}<|end|>',
      ['call now {}'],
    ],
    [
      'a call that a thought only mentions',
      '<|channel|>analysis<|message|>Say <|channel|>commentary to=functions.now<|message|>{}<|call|>?<|end|>',
      ['thought Say <|channel|>commentary to=functions.now<|message|>{}<|call|>?'],
    ],
    [
      'an answer that is addressed to the model itself',
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=assistant<|channel|>final<|message|>Hi.<|return|>',
      ['thought Hm.', 'text Hi.', 'note stray-markup'],
    ],
    [
      'a call of a tool whose name begins like the model itself',
      '<|start|>assistant<|channel|>commentary to=assistants<|message|>{}<|call|>',
      ['invalid assistants {}', 'note unknown-tool'],
    ],
    [
      'a thought that the prompt opened',
      'Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.<|return|>',
      ['thought Hm.', 'text Hi.'],
      { start: 'reasoning' },
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: harmony, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('sentinel', () => {
  test.each<Row>([
    [
      'a text, a call with a body and one without',
      'On it.\n[[SEG_START {"type": "save", "file": "a.txt"}]]one\ntwo[[SEG_END]]\n[[SEG_START {"type": "tool", "tool_name": "ring", "arguments": {"who": "Ann"}}]][[SEG_END]].',
      ['text On it.\n', 'call save {"file":"a.txt","body":"one\\ntwo"}', 'call ring {"who":"Ann"}', 'text .'],
    ],
    [
      'an unknown tool',
      '[[SEG_START {"type": "fly"}]]x[[SEG_END]]',
      ['text [[SEG_START {"type": "fly"}]]x[[SEG_END]]', 'note not-a-call'],
    ],
    [
      'an argument that is there twice',
      '[[SEG_START {"type": "ring", "who": "A", "arguments": {"who": "B"}}]][[SEG_END]].',
      ['invalid ring {"who":"A"}', 'text .', 'note duplicate-key'],
    ],
    [
      'a body that the header has, too',
      '[[SEG_START {"type": "save", "body": "A"}]]B[[SEG_END]].',
      ['invalid save {"body":"A"}', 'text .', 'note duplicate-key'],
    ],
    [
      'a header that is no JSON',
      '[[SEG_START {"type": ]]x[[SEG_END]]',
      ['text [[SEG_START {"type": ]]x[[SEG_END]]', 'note not-a-call'],
    ],
    [
      'a body that the end cuts off',
      '[[SEG_START {"type": "save", "file": "a"}]]one',
      ['truncated save {"file":"a","body":"one"}', 'note truncated-call'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: sentinel, tools: TOOLS })).toEqual(expected)
  })
})

describe('solar-open', () => {
  const call = (id: string, name: string, json: string): string =>
    `<|tool_call:begin|>${id}<|tool_call:name|>${name}<|tool_call:args|>${json}<|tool_call:end|>`
  const section = (calls: string): string => `<|tool_calls|>${calls}<|calls|>`
  const both = `${call('a1b2c3d4e5', 'book', '{"hotel": "Ritz", "nights": 3}')}${call('f6g7h8i9j0', 'ring', '{"who": "Ann"}')}`

  test.each<Row>([
    [
      'a thought, a text and two calls',
      `<|think|>Two jobs.<|end|><|begin|>assistant<|content|>On it.<|end|><|begin|>assistant${section(both)}`,
      [
        'thought Two jobs.',
        'text On it.',
        'call book {"hotel":"Ritz","nights":3} #a1b2c3d4e5',
        'call ring {"who":"Ann"} #f6g7h8i9j0',
      ],
    ],
    ['text alone', '<|content|>On it.<|end|>', ['text On it.']],
    [
      'a call without an id',
      section('<|tool_call:name|>now<|tool_call:args|>{}<|tool_call:end|>'),
      ['call now {}'],
    ],
    ['a section without calls', `<|content|>On it.<|end|>${section('')}`, ['text On it.', 'note empty-call']],
    [
      'a call in a thought that is not closed',
      `<|think|>One job.${section(call('a', 'ring', '{"who": "Ann"}'))}`,
      ['thought One job.', 'call ring {"who":"Ann"} #a'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: solarOpen, tools: TOOLS, start: 'text' })).toEqual(expected)
  })
})
