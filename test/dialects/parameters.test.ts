/** Calls with a tag for each parameter. */

import { describe, expect, test } from 'vitest'
import { deepseekDsml } from '../../src/dialects/deepseek-dsml.ts'
import { dots } from '../../src/dialects/dots.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { glm } from '../../src/dialects/glm.ts'
import { hyV3 } from '../../src/dialects/hy-v3.ts'
import { kimiK3 } from '../../src/dialects/kimi-k3.ts'
import { minicpm5 } from '../../src/dialects/minicpm5.ts'
import { minimaxM2 } from '../../src/dialects/minimax-m2.ts'
import { museGlimmer } from '../../src/dialects/muse-glimmer.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { seedOss } from '../../src/dialects/seed-oss.ts'
import { step3 } from '../../src/dialects/step3.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import { createParser, type ParserOptions } from '../../src/engine/parser.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

const runs = (dialect: Dialect, response: string): boolean[] =>
  parse(response, { dialect, tools: TOOLS }).toolCalls.map((call) => isExecutable(call))

describe('qwen3-coder', () => {
  const ring = '<function=ring>\n<parameter=who>\nAnn\n</parameter>\n</function>'
  const book =
    '<function=book>\n<parameter=hotel>\nRitz\n</parameter>\n<parameter=nights>\n3\n</parameter>\n</function>'
  const who = (value: string): string =>
    `<tool_call><function=ring><parameter=who>${value}</parameter></function></tool_call>`

  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.\n</think>\n\nOn it.\n<tool_call>\n${book}\n</tool_call>\n<tool_call>\n${ring}\n</tool_call>`,
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'two calls in one wrapper',
      `<tool_call>\n${book}\n${ring}\n</tool_call>`,
      [...BOTH_CALLS, 'note missing-closer', 'note call-without-wrapper'],
    ],
    [
      'a call whose wrapper has no opener',
      `${ring}\n</tool_call>Done.`,
      ['call ring {"who":"Ann"}', 'text Done.', 'note call-without-wrapper'],
    ],
    ['a header of C++', '#include <functional>', ['text #include <functional>']],
    [
      'a parameter that the next one leaves open',
      '<tool_call>\n<function=book>\n<parameter=hotel>\nRitz\n<parameter=nights>\n3\n</parameter>\n</function>\n</tool_call>',
      ['repaired book {"hotel":"Ritz","nights":3}', 'note missing-closer'],
    ],
    [
      'a function that its wrapper leaves open',
      '<tool_call>\n<function=ring>\n<parameter=who>\nAnn\n</parameter>\n</tool_call>',
      ['repaired ring {"who":"Ann"}', 'note missing-closer'],
    ],
    ['markup in a value', who('\n<div>a</div> < b </p\n'), ['call ring {"who":"<div>a</div> < b </p"}']],
    ['one line break at either end of a value', who('\n\n  a\n\n'), ['call ring {"who":"\\n  a\\n"}']],
    ['a value on one line', who('Ann'), ['call ring {"who":"Ann"}']],
    ['a value that is empty', who(''), ['call ring {"who":""}']],
    ['a call without parameters', '<tool_call><function=now></function></tool_call>', ['call now {}']],
    [
      'a parameter that is there twice',
      '<tool_call><function=ring><parameter=who>A</parameter><parameter=who>B</parameter></function></tool_call>',
      ['invalid ring {"who":"A"}', 'note duplicate-key'],
    ],
    [
      'a thought that is closed twice',
      '<think>A.</think></think>B.',
      ['thought A.', 'text B.', 'note stray-closer'],
    ],
    [
      'a thought that is opened although the prompt did',
      '<think>\nA.\n</think>\n\nB.',
      ['thought A.', 'text B.', 'note repeated-opener'],
      { start: 'reasoning' },
    ],
    [
      'a value that the end cuts off',
      '<tool_call><function=ring><parameter=who>\nAn',
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    [
      'values without a schema as they are written',
      '<tool_call><function=fly><parameter=far>\n5\n</parameter></function></tool_call>',
      ['call fly {"far":"5"}'],
      { tools: [] },
    ],
    [
      'values by their schema',
      '<tool_call><function=label><parameter=tags>\n["a", "b"]\n</parameter><parameter=at>\n{"x": 1.5}\n</parameter></function></tool_call>',
      ['call label {"tags":["a","b"],"at":{"x":1.5}}'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: qwen3Coder, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('lets no call run of which it had to guess where a value ends', () => {
    expect(runs(qwen3Coder, '<tool_call><function=ring><parameter=who>Ann</function></tool_call>')).toEqual([
      false,
    ])
  })

  test('streams a value that is text, and waits for one that is not', () => {
    const parser = createParser({ dialect: qwen3Coder, tools: TOOLS })
    const grown = (chunk: string): string =>
      parser
        .push(chunk)
        .map((event) => (event.type === 'tool-input-delta' ? event.delta : ''))
        .join('')
    expect(grown('<tool_call><function=book><parameter=hotel>\nRi')).toBe('{"hotel":"Ri')
    expect(grown('tz\n</para')).toBe('tz')
    expect(grown('meter><parameter=nights>\n1')).toBe('"')
    expect(grown('4\n</parameter>')).toBe(',"nights":14')
    expect(grown('</function>')).toBe('}')
  })
})

test('qwen3-coder reads a list of one parameter per item, as a guess', () => {
  const response =
    '<tool_call>\n<function=label>\n<parameter=tags>\na\n</parameter>\n<parameter=tags>\nb\n</parameter>\n</function>\n</tool_call>'
  expect(outline(response, { dialect: qwen3Coder, tools: TOOLS })).toEqual([
    'repaired label {"tags":["a","b"]}',
    'note arguments-repaired',
  ])
  expect(runs(qwen3Coder, response)).toEqual([false])
})

describe('seed-oss', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<seed:think>Two jobs.</seed:think>On it.<seed:tool_call>\n<function=book>\n<parameter=hotel>Ritz</parameter>\n<parameter=nights>3</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=ring>\n<parameter=who>Ann</parameter>\n</function>\n</seed:tool_call>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'notes on its budget, inside a thought',
      '<seed:think>A<seed:cot_budget_reflect>10 left</seed:cot_budget_reflect>B</seed:think>C',
      ['thought A<seed:cot_budget_reflect>10 left</seed:cot_budget_reflect>B', 'text C'],
    ],
    [
      'an empty section, which is nothing, behind a call, too',
      '<seed:tool_call></seed:tool_call><seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call>\n<seed:tool_call></seed:tool_call> So.',
      ['call now {}', 'text  So.', 'note empty-call', 'note empty-call'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: seedOss, tools: TOOLS })).toEqual(expected)
  })
})

describe('function-calls', () => {
  const who = (value: string): string =>
    `<function_calls>\n<invoke name="ring">\n<parameter name="who">${value}</parameter>\n</invoke>\n</function_calls>`

  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<thinking>Two jobs.</thinking>On it.\n<function_calls>\n<invoke name="book">\n<parameter name="hotel">Ritz</parameter>\n<parameter name="nights">3</parameter>\n</invoke>\n<invoke name="ring">\n<parameter name="who">Ann</parameter>\n</invoke>\n</function_calls>',
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
    ],
    [
      'tags with the prefix of a namespace',
      who('Ann').replaceAll(/<(\/?)/g, '<$1antml:'),
      ['call ring {"who":"Ann"}'],
    ],
    [
      'a result and an error',
      '<function_results>\n<result tool_use_id="a1">\nfine\n</result>\n<error tool_use_id="b2">\nnot fine\n</error>\n</function_results>Good.',
      ['result a1 fine', 'error b2 not fine', 'text Good.'],
    ],
    [
      'openers inside a value',
      who('<function_calls><invoke name="now">'),
      ['repaired ring {"who":"<function_calls><invoke name=\\"now\\">"}'],
    ],
    [
      'calls inside a thought, which are none',
      `<thinking>${who('Ann')}</thinking>Hi.`,
      [`thought ${who('Ann')}`, 'text Hi.'],
    ],
    [
      'calls inside a result, which are none',
      `<function_results><result tool_use_id="a">${who('Ann')}</result></function_results>`,
      [`result a ${who('Ann')}`],
    ],
    [
      'text behind calls whose section is not closed',
      '<function_calls><invoke name="now"></invoke> So.',
      ['call now {}', 'text  So.', 'note unexpected-text'],
    ],
    [
      'values without a schema as JSON where they are',
      '<function_calls><invoke name="fly"><parameter name="a">[1, 2]</parameter><parameter name="b">x</parameter></invoke></function_calls>',
      ['call fly {"a":[1,2],"b":"x"}'],
      { tools: [] },
    ],
    [
      'what stands where no text may',
      '<function_calls><invoke name="ring">so<parameter name="who">Ann</parameter></invoke></function_calls>.',
      ['invalid ring {}', 'text .', 'note malformed-call'],
    ],
    ['a closer without a thought', 'A</thinking>B', ['text A</thinking>B']],
    ['a section without a call', 'A<function_calls>\n</function_calls>B', ['text AB']],
    ['a section without a result', 'A<function_results></function_results>B', ['text AB']],
    ['a section that is none', 'A<function_calls> B', ['text A<function_calls> B', 'note not-a-call']],
    [
      'a section that goes on behind what looked like results',
      '<function_calls><invoke name="now"></invoke>So <function_results>Ann.<invoke name="ring"><parameter name="who">Ann</parameter></invoke></function_calls>',
      [
        'call now {}',
        'text So <function_results>Ann.',
        'repaired ring {"who":"Ann"}',
        'note unexpected-text',
      ],
    ],
    [
      'a thought whose tags have white space before the bracket',
      '<thinking >Hm.</thinking\n>So.',
      ['thought Hm.', 'text So.'],
    ],
    [
      'white space in all tags',
      '<function_calls >\n<invoke  name = "ring" >\n<parameter\nname="who" >Ann</parameter >\n</invoke\n>\n</function_calls >.',
      ['call ring {"who":"Ann"}', 'text .'],
    ],
    ['white space in a section without calls', '<function_calls >\n</function_calls >.', ['text .']],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: functionCalls, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('minimax-m2', () => {
  const who = (value: string): string =>
    `<minimax:tool_call>\n<invoke name="ring">\n<parameter name="who">${value}</parameter>\n</invoke>\n</minimax:tool_call>`

  test.each<Row>([
    [
      'white space in all tags',
      '<minimax:tool_call >\n<invoke name="ring" ><parameter name="who">Ann</parameter ></invoke >\n</minimax:tool_call\n>',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'a thought from the prompt, a text and two calls',
      'Two jobs.</think>\n\nOn it.\n<minimax:tool_call>\n<invoke name="book">\n<parameter name="hotel">Ritz</parameter>\n<parameter name="nights">3</parameter>\n</invoke>\n<invoke name="ring">\n<parameter name="who">Ann</parameter>\n</invoke>\n</minimax:tool_call>',
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    ['entities as they are written', who('a &amp; b'), ['call ring {"who":"a &amp; b"}']],
    ['all whitespace of a value', who('\n a \n'), ['call ring {"who":"\\n a \\n"}']],
    [
      'attributes in other quotes, or in none',
      `<minimax:tool_call><invoke name='ring'><parameter name=who>Ann</parameter></invoke></minimax:tool_call>`,
      ['call ring {"who":"Ann"}'],
    ],
    [
      'a parameter that the next one leaves open',
      '<minimax:tool_call><invoke name="book"><parameter name="hotel">Ritz<parameter name="nights">3</parameter></invoke></minimax:tool_call>',
      ['repaired book {"hotel":"Ritz","nights":3}', 'note missing-closer'],
    ],
    [
      'a call that closes itself',
      '<minimax:tool_call><invoke name="now"/></minimax:tool_call>',
      ['call now {}'],
    ],
    [
      'an invocation without a name',
      '<minimax:tool_call><invoke nom="now"></invoke></minimax:tool_call>',
      ['text <minimax:tool_call><invoke nom="now"></invoke></minimax:tool_call>', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: minimaxM2, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('dots', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<think>Two jobs.</think>On it.<dots_function_call>\n<invoke name="book">\n<parameter name="hotel">Ritz</parameter>\n<parameter name="nights">3</parameter>\n</invoke>\n<invoke name="ring">\n<parameter name="who">Ann</parameter>\n</invoke>\n</dots_function_call>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'JSON in the same wrapper',
      '<dots_function_call>{"name": "ring", "arguments": {"who": "Ann"}}</dots_function_call>',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'an unknown tool',
      '<dots_function_call><invoke name="fly"></invoke></dots_function_call>',
      ['invalid fly {}', 'note unknown-tool'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: dots, tools: TOOLS })).toEqual(expected)
  })
})

describe('deepseek-dsml', () => {
  const D = '｜DSML｜'
  const parameter = (key: string, isString: string, value: string): string =>
    `<${D}parameter name="${key}" string="${isString}">${value}</${D}parameter>\n`
  const invoke = (name: string, parameters = ''): string =>
    `<${D}invoke name="${name}">\n${parameters}</${D}invoke>`
  const section = (calls: string, wrapper = 'function_calls'): string =>
    `<${D}${wrapper}>\n${calls}\n</${D}${wrapper}>`
  const ring = invoke('ring', parameter('who', 'true', 'Ann'))

  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.</think>On it.\n\n${section(`${invoke('book', parameter('hotel', 'true', 'Ritz') + parameter('nights', 'false', '3'))}\n${ring}`)}`,
      ['thought Two jobs.', 'text On it.\n\n', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    ['the wrapper of V4', section(ring, 'tool_calls'), ['call ring {"who":"Ann"}']],
    ['a call that closes itself', section(`<${D}invoke name="now"/>`), ['call now {}']],
    [
      'the type that the wire gives, not the schema',
      section(invoke('book', parameter('nights', 'true', '3'))),
      ['call book {"nights":"3"}'],
    ],
    [
      'text where the wire promised JSON',
      section(invoke('book', parameter('nights', 'false', '3 or 4'))),
      ['repaired book {"nights":"3 or 4"}'],
    ],
    [
      'a number that the wire promised, with all of its digits',
      section(invoke('book', parameter('nights', 'false', '9007199254740993'))),
      ['call book {"nights":9007199254740993}'],
    ],
    [
      'a list with such a number',
      section(invoke('book', parameter('nights', 'false', '[19.99999999999999999999]'))),
      ['call book {"nights":[19.99999999999999999999]}'],
    ],
    [
      'text where the schema wants text and the wire promised JSON',
      section(invoke('ring', parameter('who', 'false', '9007199254740993'))),
      ['call ring {"who":"9007199254740993"}'],
    ],
    [
      'a parameter without a type by its schema',
      section(
        invoke(
          'book',
          `<${D}parameter name="nights">3</${D}parameter><${D}parameter name="hotel">4</${D}parameter>`,
        ),
      ),
      ['call book {"nights":3,"hotel":"4"}'],
    ],
    [
      'entities as they are written',
      section(invoke('ring', parameter('who', 'true', '&lt;'))),
      ['call ring {"who":"&lt;"}'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    // The note on JSON that was none is the verdict's; whether it is also a diagnostic is not at issue here.
    const lines = outline(response, { dialect: deepseekDsml, tools: TOOLS, ...options })
    expect(lines.filter((line) => !line.startsWith('note '))).toEqual(expected)
  })

  test('lets no call run whose JSON was none', () => {
    expect(runs(deepseekDsml, section(invoke('book', parameter('nights', 'false', '3 or 4'))))).toEqual([
      false,
    ])
  })
})

describe('kimi-k3', () => {
  const open = (name: string): string => `<|open|>${name}<|sep|>`
  const close = (name: string): string => `<|close|>${name}<|sep|>`
  const argument = (key: string, type: string, value: string): string =>
    `<|open|>argument key="${key}" type="${type}"<|sep|>${value}${close('argument')}`
  const opened = (name: string, index = 1): string => `<|open|>call tool="${name}" index="${index}"<|sep|>`
  const call = (name: string, inside = '', index = 1): string => opened(name, index) + inside + close('call')
  const tools = (calls: string): string => open('tools') + calls + close('tools')
  const ann = argument('who', 'string', 'Ann')
  const ring = call('ring', ann, 2)

  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.${close('think')}${open('response')}On it.${close('response')}${tools(call('book', argument('hotel', 'string', 'Ritz') + argument('nights', 'number', '3')) + ring)}${close('message')}<|end_of_msg|>`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'spaces between the tokens',
      '<|open|> think <|sep|>A.<|close|> think <|sep|><|open|> response <|sep|>B.<|close|> response <|sep|><|open|> tools <|sep|> <|open|> call tool="ring" index="1" <|sep|> <|open|> argument key="who" type="string" <|sep|>Ann<|close|> argument <|sep|> <|close|> call <|sep|> <|close|> tools <|sep|>',
      ['thought A.', 'text B.', 'call ring {"who":"Ann"}'],
    ],
    [
      'the type that the wire gives, not the schema',
      tools(call('book', argument('nights', 'string', '3'))),
      ['call book {"nights":"3"}'],
    ],
    [
      'text where the wire promised JSON',
      tools(call('book', argument('nights', 'number', '3 or 4'))),
      ['repaired book {"nights":"3 or 4"}', 'note json-repaired'],
    ],
    [
      'an argument without a type by its schema',
      tools(call('book', `<|open|>argument key="nights"<|sep|>3${close('argument')}`)),
      ['call book {"nights":3}'],
    ],
    [
      'entities in attributes, and none in values',
      tools(call('a&amp;b', argument('q', 'string', 'say &quot;hi&quot;'))),
      ['invalid a&b {"q":"say &quot;hi&quot;"}', 'note unknown-tool'],
    ],
    [
      'markup in a value',
      tools(call('ring', argument('who', 'string', `<b> <|close|> ${open('call')} <|sep|>`))),
      ['repaired ring {"who":"<b> <|close|> <|open|>call<|sep|> <|sep|>"}'],
    ],
    [
      'arguments that are one object',
      tools(call('ring', `${open('json')}{"who": "Ann"}${close('json')}`) + call('ring', '{"who": "Bob"}')),
      ['call ring {"who":"Ann"}', 'call ring {"who":"Bob"}'],
    ],
    [
      'calls without the section around them',
      `${ring}${close('tools')}Done.`,
      ['call ring {"who":"Ann"}', 'text Done.', 'note call-without-wrapper'],
    ],
    [
      'a call that the section leaves open',
      tools(opened('ring') + ann),
      ['repaired ring {"who":"Ann"}', 'note missing-closer'],
    ],
    [
      'a call that the next one leaves open',
      tools(opened('ring') + ann + call('now')),
      ['repaired ring {"who":"Ann"}', 'call now {}', 'note missing-closer'],
    ],
    [
      'an argument that the end cuts off',
      `${open('tools')}${opened('ring')}<|open|>argument key="who" type="string"<|sep|>An`,
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    ['a section without calls', `Hi.${tools('')}`, ['text Hi.', 'note empty-call']],
    [
      'closing tags without their last token, as a guess',
      '<|open|>tools<|sep|><|open|>call tool="ring" index="1"<|sep|><|open|>argument key="who" type="string"<|sep|>Ann<|close|>argument<|close|>call<|close|>tools<|end_of_msg|>',
      ['repaired ring {"who":"Ann"}', 'note missing-token', 'note missing-token', 'note missing-token'],
    ],
    [
      'a tag with attributes that lacks its last token before another tag, as a guess',
      tools(
        `<|open|>call tool="now" index="1"${close('call')}<|open|>call tool="ring" index="2"${ann}${close('call')}`,
      ),
      ['repaired now {}', 'repaired ring {"who":"Ann"}', 'note missing-token', 'note missing-token'],
    ],
    [
      'a tag with attributes that lacks its last token before a text, as text',
      tools('<|open|>call tool="now" index="1" so it is.'),
      [`text ${tools('<|open|>call tool="now" index="1" so it is.')}`, 'note not-a-call'],
    ],
    [
      'a section whose opener lacks its last token',
      tools(ring).replace('tools<|sep|>', 'tools'),
      ['repaired ring {"who":"Ann"}', 'note missing-token'],
    ],
    ['a marker that was cut off', 'Hi.<|close|>respon', ['text Hi.', 'note stray-markup']],
    ['a token that was cut off', 'Hi.<|clo', ['text Hi.<|clo']],
    [
      'a call without a name, as text',
      tools(open('call')),
      [`text ${tools(open('call'))}`, 'note not-a-call'],
    ],
    [
      'an answer that ends a thought',
      `${open('think')}Hm.${open('response')}Hi.`,
      ['thought Hm.', 'text Hi.'],
    ],
    [
      'tokens that are no markup',
      `<|open|>, <|sep|> and ${open('tool')}`,
      [`text <|open|>, <|sep|> and ${open('tool')}`],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: kimiK3, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('lets no call run of which it had to guess where a value ends', () => {
    expect(
      runs(
        kimiK3,
        tools(`${opened('ring')}<|open|>argument key="who" type="string"<|sep|>Ann${close('call')}`),
      ),
    ).toEqual([false])
  })

  test('streams a string, and waits for anything else', () => {
    const parser = createParser({ dialect: kimiK3 })
    const grown = (chunk: string): string =>
      parser
        .push(chunk)
        .map((event) => (event.type === 'tool-input-delta' ? event.delta : ''))
        .join('')
    expect(
      grown(`${open('tools')}${opened('book')}<|open|>argument key="hotel" type="string"<|sep|>Ri`),
    ).toBe('{"hotel":"Ri')
    expect(grown('tz<|close|>arg')).toBe('tz')
    expect(grown('ument<|sep|><|open|>argument key="nights" type="number"<|sep|>1')).toBe('"')
    expect(grown(`4${close('argument')}`)).toBe(',"nights":14')
    expect(grown(close('call'))).toBe('}')
  })
})

describe('step3', () => {
  const call = (inner: string): string =>
    `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke ${inner}</steptml:invoke><｜tool_call_end｜>`

  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.</think>On it.<｜tool_calls_begin｜>${call('name="book"><steptml:parameter name="hotel">Ritz</steptml:parameter><steptml:parameter name="nights">3</steptml:parameter>')}${call('name="ring"><steptml:parameter name="who">Ann</steptml:parameter>')}<｜tool_calls_end｜>`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'markup in a value',
      `<｜tool_calls_begin｜>${call('name="ring"><steptml:parameter name="who">a <b></steptml:parameter>')}<｜tool_calls_end｜>`,
      ['call ring {"who":"a <b>"}'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: step3, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('minicpm5', () => {
  test.each<Row>([
    [
      'white space in all tags',
      '<function name="ring" ><param\nname="who" >Ann</param ></function\n>.',
      ['call ring {"who":"Ann"}', 'text .'],
    ],
    [
      'a tag that names no tool, as text up to its closer',
      '<function nme="ring"><function name="now"></function></function>.',
      ['text <function nme="ring"><function name="now"></function></function>.', 'note not-a-call'],
    ],
    [
      'a thought from the prompt, a text and two calls',
      'Two jobs.\n</think>\n\nOn it.\n<function name="book"><param name="hotel"><![CDATA[Ritz]]></param><param name="nights">3</param></function>\n<function name="ring"><param name="who">Ann</param></function>',
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'CDATA that is not closed before the next, as a guess',
      '<function name="ring"><param name="who"><![CDATA[a</param></function> <function name="ring"><param name="who"><![CDATA[b]]></param></function>',
      [
        'repaired ring {"who":"a</param></function> <function name=\\"ring\\"><param name=\\"who\\"><![CDATA[b"}',
      ],
    ],
    [
      'a closer inside CDATA',
      '<function name="ring"><param name="who"><![CDATA[a</param>b]]></param></function>',
      ['call ring {"who":"a</param>b"}'],
    ],
    [
      'the word in prose and in code',
      'a <function> of <functional> and <function name=f>',
      ['text a <function> of <functional> and <function name=f>', 'note not-a-call', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: minicpm5, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('glm', () => {
  const ring = (inner: string): string => `<tool_call>ring${inner}</tool_call>`

  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<think>Two jobs.</think>\nOn it.\n<tool_call>book\n<arg_key>hotel</arg_key>\n<arg_value>Ritz</arg_value>\n<arg_key>nights</arg_key>\n<arg_value>3</arg_value>\n</tool_call>\n<tool_call>ring\n<arg_key>who</arg_key>\n<arg_value>Ann</arg_value>\n</tool_call>',
      ['thought Two jobs.', 'text On it.\n', ...BOTH_CALLS],
    ],
    [
      'a call without any whitespace',
      ring('<arg_key>who</arg_key><arg_value>Ann</arg_value>'),
      ['call ring {"who":"Ann"}'],
    ],
    ['a call without arguments', '<tool_call>now</tool_call>', ['call now {}']],
    [
      'whitespace of a value, and none around the name',
      '<tool_call> ring \n<arg_key>who</arg_key>\n<arg_value> Ann \n</arg_value></tool_call>',
      ['call ring {"who":" Ann \\n"}'],
    ],
    [
      'a key that is not closed',
      ring('<arg_key>who<arg_value>Ann</arg_value>'),
      ['repaired ring {"who":"Ann"}', 'note missing-closer'],
    ],
    [
      'a key without a value, before another key',
      '<tool_call>book<arg_key>x</arg_key><arg_key>hotel</arg_key><arg_value>Ritz</arg_value></tool_call>',
      ['repaired book {"hotel":"Ritz"}', 'note missing-closer'],
    ],
    [
      'a value that is not opened, as a guess',
      ring('<arg_key>who</arg_key>\n Ann </arg_value>'),
      ['repaired ring {"who":"Ann"}', 'note missing-opener'],
    ],
    [
      'a value that is neither opened nor closed, as a guess',
      '<tool_call>book<arg_key>hotel</arg_key>Ritz<arg_key>nights</arg_key><arg_value>3</arg_value></tool_call>',
      ['repaired book {"hotel":"Ritz","nights":3}', 'note missing-opener', 'note missing-closer'],
    ],
    [
      'a list that is escaped once more',
      '<tool_call>label<arg_key>tags</arg_key><arg_value>[\\"a\\", \\"b\\"]</arg_value></tool_call>',
      ['repaired label {"tags":["a","b"]}', 'note json-repaired'],
    ],
    [
      'a closer inside a value',
      `${ring('<arg_key>who</arg_key><arg_value>a</arg_value>b</arg_value>')}.`,
      ['invalid ring {"who":"a"}', 'text .', 'note malformed-call'],
    ],
    ['an unknown tool', '<tool_call>fly</tool_call>', ['invalid fly {}', 'note unknown-tool']],
    [
      'the marker in prose',
      'Write <tool_call> and then a name.',
      ['text Write <tool_call> and then a name.', 'note not-a-call'],
    ],
    ['calls of a user, as text', '<user>ring</user>', ['text <user>ring</user>']],
    ['a name that the end cuts off', '<tool_call>no', ['text <tool_call>no', 'note not-a-call']],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: glm, tools: TOOLS })).toEqual(expected)
  })

  test('lets no call run of which a value is missing', () => {
    expect(runs(glm, ring('<arg_key>who</arg_key>'))).toEqual([false])
    expect(runs(glm, ring('<arg_key>who</arg_key>Ann</arg_value>'))).toEqual([false])
  })
})

describe('hy-v3', () => {
  test('reads a thought, a text and two calls', () => {
    const response =
      '<think>Two jobs.</think>On it.<tool_calls>\n<tool_call>book<tool_sep>\n<arg_key>hotel</arg_key>\n<arg_value>Ritz</arg_value>\n<arg_key>nights</arg_key>\n<arg_value>3</arg_value>\n</tool_call>\n<tool_call>ring<tool_sep>\n<arg_key>who</arg_key>\n<arg_value>Ann</arg_value>\n</tool_call>\n</tool_calls>'
    expect(outline(response, { dialect: hyV3, tools: TOOLS })).toEqual([
      'thought Two jobs.',
      'text On it.',
      ...BOTH_CALLS,
    ])
  })

  test('reads a value that is not opened, as a guess', () => {
    const response =
      '<tool_calls><tool_call>ring<tool_sep><arg_key>who</arg_key>Ann</arg_value></tool_call></tool_calls>'
    expect(outline(response, { dialect: hyV3, tools: TOOLS })).toEqual([
      'repaired ring {"who":"Ann"}',
      'note missing-opener',
    ])
  })
})

test.each([
  [
    qwen3Coder,
    '<tool_call>\n<function=label>',
    '<parameter=tags>',
    '</parameter>',
    '</function>\n</tool_call>',
  ],
  [
    seedOss,
    '<seed:tool_call>\n<function=label>',
    '<parameter=tags>',
    '</parameter>',
    '</function>\n</seed:tool_call>',
  ],
  [glm, '<tool_call>label', '<arg_key>tags</arg_key><arg_value>', '</arg_value>', '</tool_call>'],
  [minicpm5, '<function name="label">', '<param name="tags">', '</param>', '</function>'],
  [
    minimaxM2,
    '<minimax:tool_call><invoke name="label">',
    '<parameter name="tags">',
    '</parameter>',
    '</invoke></minimax:tool_call>',
  ],
  [
    functionCalls,
    '<function_calls><invoke name="label">',
    '<parameter name="tags">',
    '</parameter>',
    '</invoke></function_calls>',
  ],
  [
    museGlimmer,
    ' to=label<|message|><atem:function_calls><atem:invoke name="label">',
    '<atem:parameter name="tags">',
    '</atem:parameter>',
    '</atem:invoke></atem:function_calls><|eot|>',
  ],
])('$name reads a list whose items are parameters, as a guess', (dialect, begin, open, close, end) => {
  const tools = [
    { name: 'label', inputSchema: { type: 'object', properties: { tags: { type: 'array' } } } },
  ] as const
  const text = `${begin}${open}a${close}${open}b${close}${end}`
  expect(outline(text, { dialect, tools })[0]).toBe('repaired label {"tags":["a","b"]}')
  const [call] = parse(text, { dialect, tools }).toolCalls
  expect(call?.repairs.map(({ code }) => code)).toContain('repeated-key')
  expect(isExecutable(call!)).toBe(false)
})
