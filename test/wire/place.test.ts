import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../src/calls/verdict.ts'
import { glm } from '../../src/dialects/glm.ts'
import { granite20bFc } from '../../src/dialects/granite-20b-fc.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { jsonTools } from '../../src/dialects/json-tools.ts'
import { kimiK2 } from '../../src/dialects/kimi-k2.ts'
import { lfm2 } from '../../src/dialects/lfm2.ts'
import { minimaxM2 } from '../../src/dialects/minimax-m2.ts'
import { mistralV11 } from '../../src/dialects/mistral.ts'
import { nemotronV2 } from '../../src/dialects/nemotron-v2.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { sentinel } from '../../src/dialects/sentinel.ts'
import { toolCallsArray } from '../../src/dialects/tool-calls-array.ts'
import { toolXml } from '../../src/dialects/tool-xml.ts'
import type { Event, ToolCall } from '../../src/event.ts'
import { createParser, type ParserOptions, restoreParser } from '../../src/parser.ts'
import type { Dialect } from '../../src/wire/index.ts'

const PATH = { type: 'object', properties: { path: { type: 'string' } } }
const TOOLS = [
  {
    name: 'write',
    streams: 'text',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
  },
  { name: 'rm', inputSchema: PATH },
  { name: 'ls', inputSchema: PATH },
]

/** The calls in a text, which is read at once, by characters, and by characters with a snapshot behind each of them. */
function callsIn(text: string, dialect: Dialect | Dialect[], more: ParserOptions = {}): ToolCall[] {
  const options = { dialect, tools: TOOLS, ...more }
  const whole = read([text], options, false)
  expect(read(text.split(''), options, false)).toEqual(whole)
  expect(read(text.split(''), options, true)).toEqual(whole)
  return whole
}

function read(chunks: readonly string[], options: ParserOptions, isSaved: boolean): ToolCall[] {
  let parser = createParser(options)
  const events: Event[] = []
  for (const chunk of chunks) {
    events.push(...parser.push(chunk))
    if (isSaved) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
  }
  events.push(...parser.end())
  return events.filter((event) => event.type === 'tool-call')
}

/** `runs` as it is, `held back` if only `allow` lets it run, and otherwise how it failed. */
function outcome(call: ToolCall): string {
  if (isExecutable(call)) return `runs ${call.toolName}`
  const isHeldBack =
    !isExecutable(call, { allow: ['guess'] }) && isExecutable(call, { allow: ['guess', 'place-uncertain'] })
  if (isHeldBack) return `holds back ${call.toolName}`
  return `${call.status === 'repaired' ? 'guesses' : call.status} ${call.toolName}`
}

const outcomes = (text: string, dialect: Dialect | Dialect[], more?: ParserOptions): string[] =>
  callsIn(text, dialect, more).map(outcome)

const RM = '<tool_call>{"name":"rm","arguments":{"path":"/"}}</tool_call>'
const LS = '<tool_call>{"name":"ls","arguments":{}}</tool_call>'

describe('behind a call that went wrong nothing runs', () => {
  test.each<[string, Dialect, string, string[]]>([
    [
      'after a quote that was not escaped',
      mistralV11,
      '[TOOL_CALLS]write[ARGS]{"text":"say "hi" [TOOL_CALLS]rm[ARGS]{}"}',
      ['invalid write', 'holds back rm'],
    ],
    [
      'although the quoted text closes the call first',
      hermes,
      `<tool_call>{"name":"write","arguments":{"text":"say "hi" and close with </tool_call> like ${RM}"}}</tool_call>`,
      ['invalid write', 'holds back rm'],
    ],
    [
      'after a typo in a tag',
      qwen3Coder,
      '<tool_call><function=write><paramter=text><tool_call><function=rm></function></tool_call></parameter></function></tool_call>',
      ['invalid write', 'holds back rm'],
    ],
    [
      'after JSON that is nested too deeply',
      hermes,
      `<tool_call>{"name":"write","arguments":{"text":${'['.repeat(130)}"${RM}"]}}</tool_call>`,
      ['invalid write', 'holds back rm'],
    ],
    [
      'after a value whose end had to be guessed',
      minimaxM2,
      '<minimax:tool_call><invoke name="write"><parameter name="text">a</invoke><invoke name="rm"></invoke></minimax:tool_call>',
      ['guesses write', 'holds back rm'],
    ],
    [
      'after a call that broke before its name was known',
      hermes,
      `<tool_call>{"arguments":{"text":"say "hi" ${RM}"},"name":"write"}</tool_call>`,
      ['holds back rm'],
    ],
    [
      'after a tag that has no name',
      toolXml,
      '<tool nam="write"><text><tool name="rm"></tool></text></tool>',
      ['holds back rm'],
    ],
    [
      'after a header that is not JSON',
      sentinel,
      '[[SEG_START {"type":"write",}]]see [[SEG_START {"type":"rm"}]][[SEG_END]][[SEG_END]]',
      ['holds back rm'],
    ],
    [
      'after bare JSON that broke before its name was known',
      jsonTools,
      '{"parameters":{"text":"say "hi" {"function":"rm","parameters":{}}"},"function":"write"}',
      ['holds back rm'],
    ],
    [
      'after text between the calls of a section',
      kimiK2,
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}<|tool_call_end|> so <|tool_call_begin|>functions.rm:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
      ['runs ls', 'holds back rm'],
    ],
    [
      'after a list of calls that breaks off',
      nemotronV2,
      '<TOOLCALL>[{"name":"ls","arguments":{}} so <TOOLCALL>[{"name":"rm","arguments":{}}]</TOOLCALL>',
      ['runs ls', 'holds back rm'],
    ],
  ])('%s', (_, dialect, text, expected) => {
    expect(outcomes(text, dialect)).toEqual(expected)
  })

  test('after a call that is longer than its limit', () => {
    const text = `<tool_call>{"name":"write","arguments":{"text":"${'x'.repeat(100)}${RM}"}}</tool_call>`
    expect(outcomes(text, hermes, { limits: { call: 80 } })).toEqual(['invalid write', 'holds back rm'])
  })

  test('whatever the limit on repairs is', () => {
    const text = `<tool_call>{"name":"write","arguments":nope}</tool_call><tool_call>{"name":"rm","arguments":{"path":"/",},}</tool_call>`
    const [, rm] = callsIn(text, hermes, { limits: { repairs: 1 } })
    expect(rm!.repairs).toEqual([
      { code: 'trailing-comma', class: 'lossless', offset: 103 },
      { code: 'place-uncertain', class: 'guess', offset: 56 },
    ])
  })
})

describe('a bracket too many', () => {
  test.each<[string, Dialect, string, string[]]>([
    [
      'makes the call that it ended uncertain, and all that follow',
      hermes,
      `<tool_call>{"name":"write"},"arguments":{"text":"${RM}"}}</tool_call>`,
      ['holds back write', 'holds back rm'],
    ],
    [
      'the same in a list',
      toolCallsArray,
      '<tool_calls>[{"name":"write"}},"arguments":{"text":"<tool_calls>[{"name":"rm"}]</tool_calls>"}]</tool_calls>',
      ['holds back write', 'holds back rm'],
    ],
    [
      'the same in a python call',
      lfm2,
      '<|tool_call_start|>[write(text="a")"<|tool_call_start|>[rm()]<|tool_call_end|>")]<|tool_call_end|>',
      ['holds back write', 'holds back rm'],
    ],
    [
      'where no marker closes a call, makes those uncertain that follow',
      granite20bFc,
      '<function_call>{"name":"write"},"arguments":{"text":"<function_call>{"name":"rm"}"}}',
      ['runs write', 'holds back rm'],
    ],
    [
      'is none before white space',
      hermes,
      `<tool_call>{"name":"ls"} \n</tool_call> and ${LS}`,
      ['runs ls', 'runs ls'],
    ],
    [
      'is none before text in another line',
      hermes,
      `<tool_call>{"name":"ls"}\nSo. ${LS}`,
      ['runs ls', 'runs ls'],
    ],
    ['is none before another call', hermes, `<tool_call>{"name":"ls"}${LS}`, ['runs ls', 'runs ls']],
    [
      'is none before a token that means nothing',
      hermes,
      `<tool_call>{"name":"ls"}<|im_end|>${LS}`,
      ['runs ls', 'runs ls'],
    ],
    [
      'is none before reasoning',
      hermes,
      `<tool_call>{"name":"ls"}<think>so</think>${LS}`,
      ['runs ls', 'runs ls'],
    ],
    ['is none at the end', hermes, '<tool_call>{"name":"ls"}', ['runs ls']],
    [
      'is none between objects that follow each other',
      toolCallsArray,
      '<tool_calls>{"name":"ls"}{"name":"ls"}</tool_calls>',
      ['runs ls', 'runs ls'],
    ],
  ])('%s', (_, dialect, text, expected) => {
    expect(outcomes(text, dialect)).toEqual(expected)
  })

  test('is waited for with the verdict, for one character', () => {
    const parser = createParser({ dialect: hermes })
    expect(parser.push('<tool_call>{"name":"ls"}').map(({ type }) => type)).toEqual([
      'tool-input-start',
      'tool-input-delta',
    ])
    expect(parser.push('<').map(({ type }) => type)).toEqual(['tool-input-end', 'tool-call'])
  })
})

describe('a call runs', () => {
  test.each<[string, Dialect, string, string[]]>([
    ['behind prose that mentions an opener', hermes, `Write <tool_call> and JSON. ${LS}`, ['runs ls']],
    [
      'behind prose in which a name seems to follow',
      glm,
      'Write <tool_call> and so on. <tool_call>ls</tool_call>',
      ['runs ls'],
    ],
    [
      'behind JSON that is no call',
      jsonTools,
      '{"a":[1,{"b":2}]} {"name":"Bob","age":3} {"function":"ls","parameters":{}}',
      ['runs ls'],
    ],
    [
      'behind a call of a tool that is not there',
      hermes,
      `<tool_call>{"name":"other","arguments":{}}</tool_call>${LS}`,
      ['runs other', 'runs ls'],
    ],
    [
      'behind a call with a key that is there twice',
      hermes,
      `<tool_call>{"name":"rm","arguments":{"path":"a","path":"b"}}</tool_call>${LS}`,
      ['invalid rm', 'runs ls'],
    ],
    [
      'behind reasoning that gets the format wrong',
      hermes,
      `<think>It is <tool_call>{"name": <function-name>, "arguments": <args>} they say.</think>${LS}`,
      ['invalid <function-name>', 'runs ls'],
    ],
    [
      'behind reasoning in which a call fails',
      hermes,
      `<think>So <tool_call>{"name": "rm", "arguments": <args>} they say.</think>${LS}`,
      ['invalid rm', 'runs ls'],
    ],
  ])('%s', (_, dialect, text, expected) => {
    expect(outcomes(text, dialect)).toEqual(expected)
  })

  test('but not behind reasoning that began behind a call that went wrong', () => {
    const text = `<tool_call>{"name":"write","arguments":nope}</tool_call><think>so</think>${LS}`
    expect(outcomes(text, hermes)).toEqual(['invalid write', 'holds back ls'])
  })
})
