/** What models write instead of what their format says. */

import { expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/find.ts'
import { outline } from '../engine/wire/outline.ts'
import { TOOLS } from './tools.ts'

const RING = '{"name": "ring", "arguments": {"who": "Ann"}}'
const CALL = 'call ring {"who":"Ann"}'

test.each([
  [
    'qwen3-coder',
    'a tag without its bracket, as a guess',
    '<tool_call>function=ring>\n<parameter=who>\nAnn\n</parameter>\n</function>\n</tool_call>',
    ['repaired ring {"who":"Ann"}', 'note missing-token'],
  ],
  [
    'kimi-k3',
    'a closer of a thought without its last token',
    '<|open|>think<|sep|>Hm.<|close|>think<|open|>response<|sep|>Hi.<|close|>response<|sep|>',
    ['thought Hm.', 'text Hi.', 'note missing-token'],
  ],
  [
    'deepseek-dsml',
    'a call without the marker around calls',
    '<｜DSML｜invoke name="ring">\n<｜DSML｜parameter name="who" string="true">Ann</｜DSML｜parameter>\n</｜DSML｜invoke>',
    [CALL, 'note call-without-wrapper', 'note missing-closer'],
  ],
  [
    'deepseek-dsml',
    'a call of an unknown tool without the marker around calls',
    '<｜DSML｜invoke name="sing">\n</｜DSML｜invoke>',
    ['text <｜DSML｜invoke name="sing">\n</｜DSML｜invoke>', 'note not-a-call'],
  ],
  [
    'deepseek-v3',
    'spaces around the name',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜> ring \n```json\n{"who": "Ann"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [CALL],
  ],
  [
    'deepseek-v3',
    'plain bars',
    '<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>ring\n```json\n{"who": "Ann"}\n```<|tool▁call▁end|><|tool▁calls▁end|>',
    [CALL],
  ],
  [
    'deepseek-v31',
    'underscores',
    '<｜tool_calls_begin｜><｜tool_call_begin｜>ring<｜tool_sep｜>{"who": "Ann"}<｜tool_call_end｜><｜tool_calls_end｜>',
    [CALL],
  ],
  [
    'deepseek-v3',
    'the answer of a tool, which the model wrote itself',
    'So:<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>4<｜tool▁output▁end｜><｜tool▁outputs▁end｜>.',
    ['text So:4.'],
  ],
  [
    'cohere-action',
    'citations',
    '<|START_RESPONSE|>It is <co>blue</co: 0:[1]>, or <co: 1>green</co: 1>.<|END_RESPONSE|>',
    ['text It is blue, or green.'],
  ],
  [
    'cohere-action',
    'a citation in a thought, which goes on',
    '<|START_THINKING|>It is <co>blue</co: 0>.<|END_THINKING|>Yes.',
    ['thought It is blue.', 'text Yes.'],
  ],
  [
    'cohere-action',
    'what only begins like a citation as text',
    '<|START_RESPONSE|>Write <co: the sources> there.<|END_RESPONSE|>',
    ['text Write <co: the sources> there.'],
  ],
  [
    'granite3',
    'the tags of Granite 3.3',
    '<think>Hm.</think><response>Hi.</response>',
    ['thought Hm.', 'text Hi.'],
  ],
  [
    'tool-calls-array',
    'the words of Apriel 1.6',
    'Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nHi.\n[END FINAL RESPONSE]',
    ['thought Hm.', 'text Hi.'],
  ],
  ['lfm2', 'one JSON object', `<|tool_call_start|>${RING}<|tool_call_end|>`, [CALL]],
  [
    'glm',
    'a key with a bracket and a space in it',
    '<tool_call>ring<arg_key>a <b</arg_key><arg_value>c</arg_value></tool_call>',
    ['call ring {"a <b":"c"}'],
  ],
  [
    'glm',
    'white space around a key',
    '<tool_call>ring<arg_key>\nwho\n</arg_key>\n<arg_value>Ann</arg_value></tool_call>',
    [CALL],
  ],
  [
    'function-calls',
    'a thought in a tag with attributes',
    '<thinking a="b">Hm.</thinking>Hi.',
    ['thought Hm.', 'text Hi.'],
  ],
  [
    'function-calls',
    'prose that begins like such a tag',
    'I was <thinking about it> all day.',
    ['text I was <thinking about it> all day.'],
  ],
  ['dots', 'a closer without an opener', 'Hi.</dots_function_call>', ['text Hi.', 'note stray-markup']],
  [
    'llama3-json',
    'the type that APIs give a call before its name',
    '{"type": "function", "name": "ring", "parameters": {"who": "Ann"}}',
    [CALL],
  ],
  [
    'llama3-json',
    'another type, as text',
    '{"type": "functor", "name": "ring"}',
    ['text {"type": "functor", "name": "ring"}'],
  ],
  [
    'deepseek-v3',
    'a fence without its language',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ring\n```\n{"who":"Ann"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [CALL],
  ],
  [
    'deepseek-dsml',
    'arguments as one JSON object',
    '<｜DSML｜function_calls><｜DSML｜invoke name="ring">\n{"who":"Ann"}\n</｜DSML｜invoke></｜DSML｜function_calls>',
    [CALL],
  ],
  [
    'kimi-k2',
    'a section in the singular',
    '<|tool_call_section_begin|><|tool_call_begin|>ring<|tool_call_argument_begin|>{"who":"Ann"}<|tool_call_end|><|tool_call_section_end|>',
    ['call ring {"who":"Ann"} #ring'],
  ],
  [
    'qwen3-coder',
    'quotes and white space around names and keys',
    '<tool_call>\n<function="ring" >\n<parameter= "who">\nAnn\n</parameter>\n</function>\n</tool_call>',
    [CALL],
  ],
  ['functionary-v31', 'quotes around names', '<function="ring">{"who":"Ann"}</function>', [CALL]],
  [
    'qwen3-coder',
    'white space in tags',
    '<tool_call >\n<function=ring>\n<parameter=who>\nAnn\n</parameter >\n</function >\n</tool_call\n>',
    [CALL],
  ],
  [
    'glm',
    'white space in tags',
    '<tool_call>ring<arg_key >who</arg_key ><arg_value >Ann</arg_value ></tool_call >',
    [CALL],
  ],
  [
    'hermes',
    'white space in tags',
    '<tool_call >{"name":"ring","arguments":{"who":"Ann"}}</tool_call >',
    [CALL],
  ],
  [
    'hermes',
    'a call in a fence',
    '<tool_call>\n```json\n{"name":"ring","arguments":{"who":"Ann"}}\n```\n</tool_call>',
    [CALL],
  ],
  [
    'hermes',
    'a call in a fence without a language',
    '<tool_call>```\n{"name":"ring","arguments":{"who":"Ann"}}\n```</tool_call>',
    [CALL],
  ],
  [
    'qwen3-coder',
    'a function by its attribute, and its parameter by its tag',
    '<tool_call>\n<function name="ring">\n<parameter=who>\nAnn\n</parameter>\n</function>\n</tool_call>',
    [CALL],
  ],
  [
    'qwen3-coder',
    'a call by its tag, and its parameter by its attribute',
    '<tool_call>\n<call=ring>\n<parameter name="who">\nAnn\n</parameter>\n</call>\n</tool_call>',
    [CALL],
  ],
  [
    'qwen3-coder',
    'a function that closes itself',
    '<tool_call>\n<function=now/>\n</tool_call>',
    ['repaired now {}', 'note missing-closer'],
  ],
  [
    'qwen3-coder',
    'a function that closes itself behind a space',
    '<tool_call>\n<function=now />\n</tool_call>',
    ['repaired now {}', 'note missing-closer'],
  ],
  [
    'qwen3-coder',
    'names as attributes',
    '<tool_call>\n<function name="ring">\n<parameter name="who">\nAnn\n</parameter>\n</function>\n</tool_call>',
    [CALL],
  ],
  [
    'qwen3-coder',
    'names as attributes without quotes',
    '<tool_call>\n<function name=ring>\n<parameter name=who>\nAnn\n</parameter>\n</function>\n</tool_call>',
    [CALL],
  ],
  [
    'qwen3-coder',
    'an attribute that is mistyped, and a call that is quoted behind it',
    '<tool_call>\n<function nme="save">\n<parameter name="body">\n<tool_call>\n<function=now>\n</function>\n</tool_call>',
    [
      'text <tool_call>\n<function nme="save">\n<parameter name="body">\n',
      'repaired now {}',
      'note not-a-call',
    ],
  ],
  [
    'qwen3-coder',
    'a file with such attributes, which is one value',
    '<tool_call>\n<function=save>\n<parameter=body>\n<function name="a">c</call>\n</parameter>\n</function>\n</tool_call>',
    ['call save {"body":"<function name=\\"a\\">c</call>"}'],
  ],
  [
    'qwen3-coder',
    'another word for a function',
    '<tool_call>\n<call=ring>\n<parameter=who>\nAnn\n</parameter>\n</call>\n</tool_call>',
    [CALL],
  ],
  [
    'seed-oss',
    'a name as an attribute',
    '<seed:tool_call><function name="now"></function></seed:tool_call>',
    ['call now {}'],
  ],
  ['hermes', 'a list of calls', `<tool_call>[${RING}, ${RING}]</tool_call>`, [CALL, CALL]],
  [
    'hermes',
    'two calls between the markers of one',
    `<tool_call>\n${RING}\n${RING}\n</tool_call>`,
    [CALL, CALL, 'note call-without-wrapper'],
  ],
  [
    'hermes',
    'a thought that is opened twice',
    '<think><think>Hm.</think>Hi.',
    ['thought Hm.', 'text Hi.', 'note repeated-opener'],
  ],
  [
    'seed-oss',
    'a thought that is opened twice',
    '<seed:think>\n<seed:think>\nHm.\n</seed:think>Hi.',
    ['thought Hm.', 'text Hi.', 'note repeated-opener'],
  ],
  [
    'hermes',
    'a thought that mentions its opener',
    '<think>A <think>b</think>c',
    ['thought A <think>b', 'text c'],
  ],
])('%s reads %s', (name, _, text, expected) => {
  expect(outline(text, { dialect: findDialect(name), tools: TOOLS })).toEqual(expected)
})

test.each([
  [
    'qwen3-coder',
    '<tool_call>\n<function=ring>\n<parameter=who>\nAnn\n</ parameter>\n</ function>\n</ tool_call>',
  ],
  [
    'minimax-m2',
    '<minimax:tool_call><invoke name="ring"><parameter name="who">Ann</ parameter></ invoke></ minimax:tool_call>',
  ],
  ['morph-xml', '<ring><who>Ann</ who></ ring>'],
  ['cline-xml', '<ring>\n<who>\nAnn\n</ who>\n</ ring>'],
  ['tool-xml', '<tool name="ring"><arguments><arg name="who">Ann</ arg></ arguments></ tool>'],
  ['shorthand', '<ring who="Ann"></ ring>'],
  ['hermes', `<tool_call>${RING}</ tool_call>`],
] as const)('%s reads a space in closing tags', (name, text) => {
  expect(outline(text, { dialect: findDialect(name), tools: TOOLS })).toEqual([CALL])
})
