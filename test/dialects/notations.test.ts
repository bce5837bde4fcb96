/** Calls in the notation of some language: python, object literals, bare JSON. */

import { describe, expect, test } from 'vitest'
import { functiongemma } from '../../src/dialects/functiongemma.ts'
import { gemma4 } from '../../src/dialects/gemma4.ts'
import { genericJson } from '../../src/dialects/generic-json.ts'
import { jsonTools, jsonToolsGemini, jsonToolsOpenAi } from '../../src/dialects/json-tools.ts'
import { lfm2 } from '../../src/dialects/lfm2.ts'
import { llama3Json } from '../../src/dialects/llama3-json.ts'
import { olmo3 } from '../../src/dialects/olmo3.ts'
import { pythonic } from '../../src/dialects/pythonic.ts'
import { createParser, type ParserOptions } from '../../src/engine/parser.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

const NO_TOOLS: ParserOptions = { tools: [] }

describe('pythonic', () => {
  test.each<Row>([
    ['two calls', `[book(hotel="Ritz", nights=3), ring(who='Ann')]`, BOTH_CALLS],
    ['whitespace before them', `\n [ring(who='Ann')]`, ['call ring {"who":"Ann"}']],
    [
      'text after them as a sign that they are only mentioned',
      `[now()] So.`,
      ['repaired now {}', 'text  So.', 'note text-behind-call'],
    ],
    [
      'text before them, which makes them guesses',
      `So: [now()]`,
      ['text So: ', 'repaired now {}', 'note missing-opener'],
    ],
    ['text before them without tools, which makes them text', `So: [now()]`, ['text So: [now()]'], NO_TOOLS],
    [
      'calls between tokens, anywhere',
      `So: <|python_start|>[now()]<|python_end|>.`,
      ['text So: ', 'call now {}', 'text .'],
    ],
    [
      'a link, which is none',
      '[text](https://example.org) and [1]',
      ['text [text](https://example.org) and [1]'],
    ],
    ['an unknown tool, as text', '[fly(far=1)]', ['text [fly(far=1)]']],
    ['no calls at all', '[]', ['text []']],
    ['names with dots', '[my.own.tool(x=1)]', ['call my.own.tool {"x":1}'], NO_TOOLS],
    [
      'keys that are no words of the language',
      '[f(a-b="c", d.e=1)]',
      ['call f {"a-b":"c","d.e":1}'],
      NO_TOOLS,
    ],
    [
      'keys that are words of the language',
      '[f(from="a", class="b")]',
      ['call f {"from":"a","class":"b"}'],
      NO_TOOLS,
    ],
    [
      'numbers',
      '[f(a=007, b=0x1F, c=1_000, d=-1.5e3, e=+2, f=.5)]',
      ['call f {"a":7,"b":31,"c":1000,"d":-1.5e3,"e":2,"f":0.5}'],
      NO_TOOLS,
    ],
    [
      'integers of any size, exactly',
      '[f(a=12345678901234567890)]',
      ['call f {"a":12345678901234567890}'],
      NO_TOOLS,
    ],
    [
      'the words for nothing, true and false',
      '[f(a=None, b=True, c=null, d=false)]',
      ['call f {"a":null,"b":true,"c":null,"d":false}'],
      NO_TOOLS,
    ],
    [
      'strings with escapes',
      String.raw`[ring(who="a\n\x41\u00e9\U0001F600\q\'")]`,
      ['call ring {"who":"a\\nAé😀\\\\q\'"}'],
    ],
    ['strings over several lines', '[ring(who="""a "b"\nc""")]', ['call ring {"who":"a \\"b\\"\\nc"}']],
    ['strings with a line break', '[ring(who="a\nb")]', ['call ring {"who":"a\\nb"}']],
    ['raw strings', String.raw`[ring(who=r"a\n")]`, ['call ring {"who":"a\\\\n"}']],
    ['strings that are empty', `[f(a="", b='')]`, ['call f {"a":"","b":""}'], NO_TOOLS],
    ['halves of a surrogate pair', String.raw`[ring(who="\ud83d\ude00")]`, ['call ring {"who":"😀"}']],
    [
      'lists, tuples and dicts',
      `[f(a=[1, "x", [None]], b=(1, 2), c={"k": True, 'j': {}}, d=())]`,
      ['call f {"a":[1,"x",[null]],"b":[1,2],"c":{"k":true,"j":{}},"d":[]}'],
      NO_TOOLS,
    ],
    ['a comma too many', '[ring(who="Ann",)]', ['call ring {"who":"Ann"}']],
    [
      'a key that is there twice',
      '[ring(who="a", who="b")]',
      ['invalid ring {"who":"b"}', 'note duplicate-key'],
    ],
    [
      'a string that the end cuts off',
      '[ring(who="An',
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: pythonic, tools: TOOLS, ...options })).toEqual(expected)
  })

  test.each([
    ['an expression', '[ring(who=name())]'],
    ['two strings side by side', '[ring(who="a" "b")]'],
    ['a value without a key that no schema names', '[ring("a", "b")]'],
  ])('takes no guess at %s', (_, response) => {
    expect(outline(response, { dialect: pythonic, tools: TOOLS })[0]).toMatch(/^invalid ring /)
  })

  test('gives values without keys the names that the schema has, as a guess', () => {
    expect(outline('[book("Ritz", 3)]', { dialect: pythonic, tools: TOOLS })[0]).toBe(
      'repaired book {"hotel":"Ritz","nights":3}',
    )
  })
})

describe('lfm2', () => {
  test.each<Row>([
    [
      'a thought, a text and two calls',
      '<think>Two jobs.</think>On it.<|tool_call_start|>[book(hotel="Ritz", nights=3), ring(who="Ann")]<|tool_call_end|>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'a JSON array between the same tokens',
      '<|tool_call_start|>[{"name": "ring", "arguments": {"who": "Ann"}}]<|tool_call_end|>',
      ['call ring {"who":"Ann"}'],
    ],
    ['a call without brackets', '<|tool_call_start|>now()<|tool_call_end|>.', ['call now {}', 'text .']],
    ['calls without the tokens, as text', '[now()]', ['text [now()]']],
    [
      'names with dots',
      '<|tool_call_start|>[my.tool()]<|tool_call_end|>',
      ['invalid my.tool {}', 'note unknown-tool'],
    ],
    [
      'a quote inside a string, as a guess',
      '<|tool_call_start|>[ring(who="the "big" one")]<|tool_call_end|>',
      ['repaired ring {"who":"the \\"big\\" one"}', 'note json-repaired'],
    ],
    [
      'a quote at the end of a string, as a guess',
      '<|tool_call_start|>[ring(who="say "hi""), ring(who=\'it\'s\')]<|tool_call_end|>',
      [
        'repaired ring {"who":"say \\"hi\\""}',
        'repaired ring {"who":"it\'s"}',
        'note json-repaired',
        'note json-repaired',
      ],
    ],
    [
      'a string with a quote in it that the next marker cuts off',
      '<|tool_call_start|>[ring(who="the "big one)]<|tool_call_end|> and <|tool_call_start|>[now()]<|tool_call_end|>',
      ['invalid ring {}', 'text  and ', 'repaired now {}', 'note json-repaired', 'note malformed-call'],
    ],
    [
      'sets as lists',
      "<|tool_call_start|>[ring(who={'Ann', 'Bob'}, of={1}, at={}, by={'a': {3, 4}, 'b': {'c': 5}})]<|tool_call_end|>",
      ['call ring {"who":["Ann","Bob"],"of":[1],"at":{},"by":{"a":[3,4],"b":{"c":5}}}'],
    ],
    [
      'whitespace everywhere',
      '<|tool_call_start|>\n[\nnow(),\n  now()\n]\n<|tool_call_end|>',
      ['call now {}', 'call now {}'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: lfm2, tools: TOOLS })).toEqual(expected)
  })
})

describe('olmo3', () => {
  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      'Two jobs.</think>On it.<function_calls>\nbook(hotel="Ritz", nights=3)\nring(who="Ann")\n</function_calls>',
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'strings over several lines',
      '<function_calls>\nring(who="a\nb")\nnow()\n</function_calls>',
      ['call ring {"who":"a\\nb"}', 'call now {}'],
    ],
    ['calls behind a text', 'Well. <function_calls>now()</function_calls>', ['text Well. ', 'call now {}']],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: olmo3, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('llama3-json', () => {
  const RING = '{"name": "ring", "parameters": {"who": "Ann"}}'

  test.each<Row>([
    [
      'two calls behind a token',
      `<|python_tag|>{"name": "book", "parameters": {"hotel": "Ritz", "nights": 3}}; ${RING}`,
      BOTH_CALLS,
    ],
    [
      'two calls behind nothing',
      `{"name": "book", "parameters": {"hotel": "Ritz", "nights": 3}};${RING}`,
      BOTH_CALLS,
    ],
    ['JSON behind a text, as text', `Here: ${RING}`, [`text Here: ${RING}`]],
    ['JSON that is an answer', '{"city": "Paris"}', ['text {"city": "Paris"}']],
    [
      'JSON that names no tool',
      '{"name": "Paris", "parameters": {}}',
      ['text {"name": "Paris", "parameters": {}}'],
    ],
    [
      '`arguments` for `parameters`',
      '{"name": "now", "arguments": {}}',
      ['call now {}', 'note alternative-key'],
    ],
    [
      'the syntax of python',
      "{'name': 'ring', 'parameters': {'who': None}}",
      ['repaired ring {"who":null}', 'note json-repaired'],
    ],
    [
      'parameters in a string',
      '{"name": "ring", "parameters": "{\\"who\\": \\"Ann\\"}"}',
      ['repaired ring {"who":"Ann"}', 'note arguments-as-string'],
    ],
    [
      'numbers in strings as they are written',
      '{"name": "book", "parameters": {"nights": "3"}}',
      ['call book {"nights":"3"}'],
    ],
    [
      'tokens of the template that came through',
      `<|python_tag|>${RING}<|eom_id|>`,
      ['call ring {"who":"Ann"}'],
    ],
    [
      'code behind the token, as text',
      '<|python_tag|>print("hi")',
      ['text <|python_tag|>print("hi")', 'note not-a-call'],
    ],
    [
      'text behind a call as a sign that it is only mentioned',
      `${RING} So.`,
      ['repaired ring {"who":"Ann"}', 'text  So.', 'note text-behind-call'],
    ],
    ['JSON that the end cuts off before its name', '{"na', ['text {"na']],
    ['JSON that the end cuts off', RING.slice(0, -5), ['truncated ring {"who":"A"}', 'note truncated-call']],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: llama3Json, tools: TOOLS })).toEqual(expected)
  })
})

describe('generic-json', () => {
  const RING = '{"name": "ring", "arguments": {"who": "Ann"}}'

  test.each<Row>([
    ['a call behind whitespace', `\n ${RING}`, ['call ring {"who":"Ann"}']],
    [
      'an array of calls',
      `[{"name": "book", "arguments": {"hotel": "Ritz", "nights": 3}}, ${RING}]`,
      BOTH_CALLS,
    ],
    ['one call', RING, ['call ring {"who":"Ann"}']],
    ['calls behind a thought', `<think>Hm.</think>\n\n[${RING}]`, ['thought Hm.', 'call ring {"who":"Ann"}']],
    ['calls behind a text, as text', `So: [${RING}]`, [`text So: [${RING}]`]],
    [
      'an array of other things',
      '[{"name": "Oslo"}, {"name": "Rome"}]',
      ['text [{"name": "Oslo"}, {"name": "Rome"}]'],
    ],
    ['nothing', '[] or {}', ['text [] or {}']],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: genericJson, tools: TOOLS })).toEqual(expected)
  })

  test('holds nothing back behind a call, because no other can follow', () => {
    const parser = createParser({ dialect: genericJson })
    parser.push(`[${RING}]`)
    expect(parser.push('\t')).toContainEqual(expect.objectContaining({ type: 'text-delta', delta: '\t' }))
  })

  test('takes the space before a call for no part of it', () => {
    const parser = createParser({ dialect: genericJson, emit: { raw: true } })
    expect([...parser.push(`\n ${RING}`), ...parser.end()]).toContainEqual(
      expect.objectContaining({ type: 'tool-call', input: { who: 'Ann' }, raw: RING }),
    )
  })
})

describe('json-tools', () => {
  test.each<Row>([
    [
      'a call in a shape of its own, among text',
      'On it.\n{"tool": {"function": "ring", "parameters": {"who": "Ann"}}}\nSo.',
      ['text On it.\n', 'call ring {"who":"Ann"}', 'text \nSo.'],
      { dialect: jsonTools },
    ],
    [
      "OpenAI's shape",
      '{"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ring", "arguments": "{\\"who\\": \\"Ann\\"}"}}]}',
      ['repaired ring {"who":"Ann"} #c1', 'note arguments-as-string'],
      { dialect: jsonToolsOpenAi },
    ],
    [
      "Gemini's shape",
      'On it.\n{"name": "ring", "args": {"who": "Ann"}}\nSo.',
      ['text On it.\n', 'call ring {"who":"Ann"}', 'text \nSo.'],
      { dialect: jsonToolsGemini },
    ],
    [
      'other JSON as text',
      'Data: {"a": 1}, {"name": "Bob"}, [1], {',
      ['text Data: {"a": 1}, {"name": "Bob"}, [1], {'],
      { dialect: [jsonTools, jsonToolsOpenAi, jsonToolsGemini] },
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('gemma4', () => {
  const ring = (inner: string): string => `<|tool_call>call:ring{${inner}}<tool_call|>`

  test.each<Row>([
    [
      'a thought, a text and two calls',
      `<|channel>thought\nTwo jobs.<channel|>On it.<|tool_call>call:book{hotel:<|"|>Ritz<|"|>,nights:3}<tool_call|>${ring('who:<|"|>Ann<|"|>')}`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    [
      'other quotes',
      `${ring('who:"Ann"')}${ring("who:'Ann'")}`,
      ['call ring {"who":"Ann"}', 'call ring {"who":"Ann"}'],
    ],
    [
      'pieces of its markup inside a string',
      ring('who:<|"|>a<b<|c<|"x<tool_call\\n"<|"|>'),
      ['call ring {"who":"a<b<|c<|\\"x<tool_call\\\\n\\""}'],
    ],
    [
      'a string without its closing quote, which the end of the call ends',
      '<|tool_call>call:ring{who:<|"|>Ann<tool_call|><|tool_call>call:now{}<tool_call|>',
      ['repaired ring {"who":"Ann"}', 'repaired now {}', 'note missing-closer', 'note missing-closer'],
    ],
    [
      'a string without its closing quote in a list',
      '<|tool_call>call:label{tags:[<|"|>a<|"|>,<|"|>b<tool_call|>',
      ['repaired label {"tags":["a","b"]}', 'note missing-closer', 'note missing-closer'],
    ],
    [
      'values of every kind',
      '<|tool_call>call:f{a:{b:[1,<|"|>x<|"|>,true,null],c:{}},d:-1.5}<tool_call|>',
      ['call f {"a":{"b":[1,"x",true,null],"c":{}},"d":-1.5}'],
      NO_TOOLS,
    ],
    ['whitespace between them', ring(' who : <|"|>Ann<|"|> , x : 1 '), ['call ring {"who":"Ann","x":1}']],
    ['a call without arguments', '<|tool_call>call:now{}<tool_call|>', ['call now {}']],
    [
      'a number that the end cuts off, which is left out',
      '<|tool_call>call:book{nights:10',
      ['truncated book {}', 'note truncated-call'],
    ],
    [
      'a word that the end cuts off, which is left out',
      '<|tool_call>call:book{nights:tru',
      ['truncated book {}', 'note truncated-call'],
    ],
    ['a closer without a thought', 'Hi.<channel|>', ['text Hi.', 'note stray-closer']],
    ['a thought that is empty', '<|channel>thought\n<channel|>Hi.', ['text Hi.']],
    [
      'a key that is there twice',
      ring('who:1,who:2'),
      ['invalid ring {"who":"2"}', 'note json-repaired', 'note duplicate-key'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: gemma4, tools: TOOLS, ...options })).toEqual(expected)
  })
})

describe('functiongemma', () => {
  test.each<Row>([
    [
      'a text and two calls',
      'On it.<start_function_call>call:book{hotel:<escape>Ritz<escape>,nights:3}<end_function_call><start_function_call>call:ring{who:<escape>Ann<escape>}<end_function_call>',
      ['text On it.', ...BOTH_CALLS],
    ],
    [
      'names with dots and dashes',
      '<start_function_call>call:my-tool.x{}<end_function_call>',
      ['invalid my-tool.x {}', 'note unknown-tool'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: functiongemma, tools: TOOLS })).toEqual(expected)
  })
})
