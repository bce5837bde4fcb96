import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { clineXml } from '../../../src/dialects/cline-xml.ts'
import { functionCalls } from '../../../src/dialects/function-calls.ts'
import { functiongemma } from '../../../src/dialects/functiongemma.ts'
import { gemma4 } from '../../../src/dialects/gemma4.ts'
import { glm } from '../../../src/dialects/glm.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { jsonTools } from '../../../src/dialects/json-tools.ts'
import { kimiK2 } from '../../../src/dialects/kimi-k2.ts'
import { lfm2 } from '../../../src/dialects/lfm2.ts'
import { minicpm5 } from '../../../src/dialects/minicpm5.ts'
import { minimaxM2 } from '../../../src/dialects/minimax-m2.ts'
import { minimaxM3 } from '../../../src/dialects/minimax-m3.ts'
import { mistralV11 } from '../../../src/dialects/mistral.ts'
import { morphXml } from '../../../src/dialects/morph-xml.ts'
import { nemotronV2 } from '../../../src/dialects/nemotron-v2.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { sentinel } from '../../../src/dialects/sentinel.ts'
import { shorthand } from '../../../src/dialects/shorthand.ts'
import { toolCallsArray } from '../../../src/dialects/tool-calls-array.ts'
import { toolXml } from '../../../src/dialects/tool-xml.ts'
import { yamlXml } from '../../../src/dialects/yaml/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { createParser, type ParserOptions, restoreParser } from '../../../src/engine/parser.ts'
import { type Dialect, dialect, object, wire } from '../../../src/engine/wire/index.ts'
import { sampleOf } from '../../effort.ts'

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
  const events: SluiceEvent[] = []
  for (const chunk of chunks) {
    events.push(...parser.push(chunk))
    if (isSaved) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
  }
  events.push(...parser.end())
  // In the order of the text: a verdict may wait for the end.
  return events
    .filter((event) => event.type === 'tool-call')
    .sort((one, other) => one.span!.start - other.span!.start)
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
      ['invalid ', 'holds back rm'],
    ],
    [
      'after a tag that has no name',
      toolXml,
      '<tool nam="write"><text>a</text></tool><tool name="rm"></tool>',
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
      '{"parameters":{"text":"say "hi" {"function":"ls","parameters":{}}"},"function":"write"} {"function":"rm","parameters":{}}',
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
      dialect('house', { call: wire`CALL ${object({ name: ['name'], arguments: ['arguments'] })}` }),
      'CALL {"name":"write"},"arguments":{"text":"CALL {"name":"rm"}"}}',
      ['runs write', 'holds back rm'],
    ],
    [
      'is none if it is a brace and nothing but the closer of the call follows it',
      hermes,
      `<tool_call>{"name":"ls"}}\n</tool_call>${LS}`,
      ['runs ls', 'runs ls'],
    ],
    [
      'is none if it is a brace before the closer of a call in a section',
      kimiK2,
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}}<|tool_call_end|><|tool_calls_section_end|>',
      ['runs ls'],
    ],
    [
      'is one if there are two before the closer',
      hermes,
      `<tool_call>{"name":"ls"}}}</tool_call>${LS}`,
      ['holds back ls', 'holds back ls'],
    ],
    [
      'is one if it is another bracket before the closer',
      hermes,
      `<tool_call>{"name":"ls"}]</tool_call>${LS}`,
      ['holds back ls', 'holds back ls'],
    ],
    [
      'is one before text',
      hermes,
      `<tool_call>{"name":"ls"}} so </tool_call>${LS}`,
      ['holds back ls', 'holds back ls'],
    ],
    [
      'is one before another call',
      hermes,
      `<tool_call>{"name":"ls"}}${LS}`,
      ['holds back ls', 'holds back ls'],
    ],
    [
      'is one before a call without its opener',
      hermes,
      `<tool_call>{"name":"ls"}}{"name":"ls"}</tool_call>`,
      ['holds back ls', 'holds back ls'],
    ],
    ['is one at the end', hermes, '<tool_call>{"name":"ls"}}', ['holds back ls']],
    ['is one before half a closer', hermes, '<tool_call>{"name":"ls"}}</tool_', ['holds back ls']],
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
      'is none before a token that ends the turn',
      hermes,
      `<tool_call>{"name":"ls"}<|im_end|>${LS}`,
      ['runs ls'],
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
    const parser = createParser({ dialect: hermes, start: 'text' })
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
      ['invalid other', 'runs ls'],
    ],
    [
      'behind a call with a key that has no value',
      glm,
      '<tool_call>rm<arg_key>path</arg_key></tool_call><tool_call>ls</tool_call>',
      ['guesses rm', 'runs ls'],
    ],
    [
      'behind a call with a key that is there twice',
      hermes,
      `<tool_call>{"name":"rm","arguments":{"path":"a","path":"b"}}</tool_call>${LS}`,
      ['invalid rm', 'runs ls'],
    ],
    [
      'behind a number that stays as it is written',
      pythonic,
      '[write(text=12), rm(path="a")]',
      ['runs write', 'runs rm'],
    ],
    [
      'behind a word without quotes, which only makes its own call a guess',
      lfm2,
      '<|tool_call_start|>[write(text=hi), rm(path="a")]<|tool_call_end|>',
      ['guesses write', 'runs rm'],
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

const M3 = ']<]minimax[>['
const qwen = (text: string) =>
  `<tool_call>\n<function=write>\n<parameter=text>\n${text}\n</parameter>\n</function>\n</tool_call>`
const invoke = (text: string) =>
  `<function_calls><invoke name="write"><parameter name="text">${text}</parameter></invoke></function_calls>`
const element = (text: string) => `<write><text>${text}</text></write>`
const glmCall = (text: string) =>
  `<tool_call>write<arg_key>text</arg_key><arg_value>${text}</arg_value></tool_call>`
const gemmaCall = (text: string) => `<|tool_call>call:write{text:<|"|>${text}<|"|>}<tool_call|>`
const minicpmCall = (text: string) => `<function name="write"><param name="text">${text}</param></function>`

describe('a raw value that holds the markers of calls may not be whole', () => {
  test.each<[string, Dialect | Dialect[], string, string[]]>([
    [
      'an opener of a call',
      functionCalls,
      invoke('Use <function_calls>.') + invoke('a'),
      ['holds back write', 'holds back write'],
    ],
    [
      'an opener of a call in a section',
      functionCalls,
      invoke('Use <invoke name="rm">.'),
      ['holds back write'],
    ],
    ['a closer of a section', functionCalls, invoke('Not </function_calls>.'), ['holds back write']],
    [
      'an opener of another dialect',
      [functionCalls, mistralV11],
      invoke('See [TOOL_CALLS].'),
      ['holds back write'],
    ],
    [
      'an opener of a call whose wrapper may be missing',
      qwen3Coder,
      qwen('See <function=rm>.'),
      ['holds back write'],
    ],
    [
      'a sentinel',
      sentinel,
      '[[SEG_START {"type":"write"}]]a [[SEG_START {"type":"rm"}]]b[[SEG_END]]c[[SEG_END]]',
      ['holds back write'],
    ],
    [
      'a tag that is a tool',
      shorthand,
      '<write path="a">see <rm path="/"></rm></write>',
      ['holds back write'],
    ],
    [
      'a tag that is a tool, in another case',
      shorthand,
      '<write path="a">see <RM path="/"></RM></write>',
      ['holds back write'],
    ],
    ['an element that is a tool', morphXml, element('see <rm><path>/</path></rm>'), ['holds back write']],
    ['an element that is a tool, unescaped', clineXml, element('see <rm>'), ['holds back write']],
    ['an element of its own name', clineXml, element('a <text> b'), ['holds back write']],
    [
      'an element of its own name with attributes',
      morphXml,
      element('a <text x="1"> b'),
      ['holds back write'],
    ],
    [
      'an element of its own name behind a token',
      minimaxM3,
      `${M3}<tool_call>${M3}<invoke name="write">${M3}<text>]<${M3}<text>a${M3}</text>${M3}</invoke>${M3}</tool_call>`,
      ['holds back write'],
    ],
    ['an element whose opening tag breaks off', clineXml, element('a <text '), ['holds back write']],
    [
      'a tool element',
      toolXml,
      '<tool name="write"><arg name="text">a <tool name="rm"></arg></tool>',
      ['holds back write'],
    ],
    [
      'an opener of its own, where a key stands in another place',
      glm,
      glmCall('a <arg_value> b'),
      ['holds back write'],
    ],
    [
      'a closer of a call in a string without escapes',
      gemma4,
      gemmaCall('a <tool_call|> b'),
      ['holds back write'],
    ],
    [
      'an opener of a call in a string without escapes',
      functiongemma,
      '<start_function_call>call:write{text:<escape>a <start_function_call>call:rm{} b<escape>}<end_function_call>',
      ['holds back write'],
    ],
    ['a tag that is a tool in YAML', yamlXml, '<write>\ntext: see <rm>\n</write>', ['holds back write']],
    [
      'a marker that was cut off before it was whole',
      functionCalls,
      invoke('<function_calls'),
      ['runs write'],
    ],
    [
      'its own closer in a CDATA section behind text',
      morphXml,
      `<write><text>x<![CDATA[a</text></write>${element('b')}]]></text></write>`,
      ['holds back write', 'holds back write'],
    ],
    [
      'a marker in a CDATA section that is not closed',
      functionCalls,
      invoke('<![CDATA[ <function_calls> '),
      ['holds back write'],
    ],
  ])('%s', (_, dialect, text, expected) => {
    expect(outcomes(text, dialect)).toEqual(expected)
  })

  test('in pieces that pass the short way', () => {
    const text = invoke(`${'lorem ipsum '.repeat(20)}<function_calls>${'dolor sit '.repeat(20)}`)
    for (let size = 1; size < 20; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      for (const emit of [{}, { json: false, arguments: true }, { json: true, arguments: true }])
        expect(read(pieces, { dialect: functionCalls, tools: TOOLS, emit }, false).map(outcome)).toEqual([
          'holds back write',
        ])
    }
  })
})

describe('a second opener makes the end of reasoning and of results uncertain', () => {
  test.each<[string, Dialect, string, string[]]>([
    ['in reasoning', hermes, `<think>a <think>x</think> then ${LS}</think>`, ['holds back ls']],
    [
      'in a result',
      hermes,
      `<tool_response>a <tool_response>x</tool_response> then ${LS}</tool_response>`,
      ['holds back ls'],
    ],
    [
      'in a result with a tag',
      functionCalls,
      `<function_results><result>a <result>x</result></function_results>${invoke('a')}`,
      ['holds back write'],
    ],
    ['but not at its very start', hermes, `<think>\n<think>x</think>${LS}`, ['runs ls']],
    ['but not in a second thought', hermes, `<think>x</think><think>y</think>${LS}`, ['runs ls']],
  ])('%s', (_, dialect, text, expected) => {
    expect(outcomes(text, dialect)).toEqual(expected)
  })
})

describe('a value that ends with its call was not closed', () => {
  test.each<[string, Dialect, string, [status: string, input: object][]]>([
    [
      'an element',
      morphXml,
      '<rm><path>/tmp/a</rm>\nNow the other.\n<rm><path>/tmp/b</path></rm>',
      [
        ['repaired', { path: '/tmp/a' }],
        ['repaired', { path: '/tmp/b' }],
      ],
    ],
    [
      'an element with line breaks',
      clineXml,
      '<rm>\n<path>\n/tmp/a\n</rm>\n<rm><path>/tmp/b</path></rm>',
      [
        ['repaired', { path: '/tmp/a' }],
        ['repaired', { path: '/tmp/b' }],
      ],
    ],
    [
      'an argument',
      toolXml,
      '<tool name="rm"><arg name="path">/tmp/a</tool> <tool name="rm"><arg name="path">/tmp/b</arg></tool>',
      [
        ['repaired', { path: '/tmp/a' }],
        ['repaired', { path: '/tmp/b' }],
      ],
    ],
    [
      'a parameter',
      functionCalls,
      '<function_calls><invoke name="rm"><parameter name="path">/tmp/a</invoke></function_calls> <function_calls><invoke name="rm"><parameter name="path">/tmp/b</parameter></invoke></function_calls>',
      [
        ['repaired', { path: '/tmp/a' }],
        ['repaired', { path: '/tmp/b' }],
      ],
    ],
    [
      'an element that is no string',
      morphXml,
      '<other><n>1</other> <rm><path>/tmp/b</path></rm>',
      [
        ['repaired', { n: 1 }],
        ['repaired', { path: '/tmp/b' }],
      ],
    ],
  ])('%s', (_, dialect, text, expected) => {
    const tools = [...TOOLS, { name: 'other' }]
    const calls = callsIn(text, dialect, { tools })
    expect(calls.map(({ status, input }) => [status, input])).toEqual(expected)
    expect(calls.some((call) => isExecutable(call))).toBe(false)
    expect(isExecutable(calls[0]!, { allow: ['guess'] })).toBe(true)
  })
})

const SVG = '<svg viewBox="0 0 9 9">\n<path d="M0 0h9"/><path d="M1 1"></path></svg>'
const HTML =
  '<!doctype html>\n<p class="a">x</p><br/><input value=1><tool-tip></tool-tip><script>if (a<b && c>d) f("</p>")</script>'
const JSX = 'const A = <T,>(p: P<T>) => <Path {...p} text="a"><></></Path>'
const XML = '<?xml version="1.0"?><a:feed><![CDATA[ <b> & ]]></a:feed><item name="x"/><argument/>'
const JSON_FILE = '{"name":"ls","arguments":{"a":[1,2,{}]},"]":"}"}'
const MARKDOWN = '# Tools\n\n```json\n{"name": "x"}\n```\n> a [link](b) `<think>` [[wiki]] 1 < 2'
const SHELL = 'cat <<EOF > a.txt\n$(ls | wc -l) && [[ -f x ]] || echo "${A[@]}" 2>&1\nEOF'
const PROSE = 'To call a tool, name the function and its parameters; a tool call has arguments, call: f(x).'

describe('everyday files can be written', () => {
  const files = { SVG, HTML, JSX, XML, JSON_FILE, MARKDOWN, SHELL, PROSE }
  test.each<[string, Dialect, (text: string) => string]>([
    ['qwen3-coder', qwen3Coder, qwen],
    ['function-calls', functionCalls, invoke],
    ['cline-xml', clineXml, element],
    ['glm', glm, glmCall],
    ['gemma4', gemma4, gemmaCall],
    ['minicpm5', minicpm5, minicpmCall],
    ['sentinel', sentinel, (text) => `[[SEG_START {"type":"write"}]]${text}[[SEG_END]]`],
    ['shorthand', shorthand, (text) => `<write path="a">${text}</write>`],
    [
      'minimax-m3',
      minimaxM3,
      (text) =>
        `${M3}<tool_call>${M3}<invoke name="write">${M3}<text>${text}${M3}</text>${M3}</invoke>${M3}</tool_call>`,
    ],
    ['tool-xml', toolXml, (text) => `<tool name="write"><arg name="text">${text}</arg></tool>`],
    ['morph-xml', morphXml, element],
  ])('with %s', (_, dialect, written) => {
    for (const [name, file] of sampleOf(Object.entries(files)))
      expect([name, ...outcomes(`${written(file)}\n${written(file)}`, dialect)]).toEqual([
        name,
        'runs write',
        'runs write',
      ])
  })

  test.each<[string, Dialect, string]>([
    ['in which a tag of its own name closes itself', clineXml, element('a <text/> <text /> <text x="1"/> b')],
    ['in which a parameter closes itself', functionCalls, invoke('a <parameters> <parameter_list> b')],
    ['with markers that are escaped', morphXml, element('a &lt;rm&gt; &lt;/write&gt; b')],
    ['with markers in a CDATA section', morphXml, element('<![CDATA[ <rm> <write> ]]>')],
    ['with its own closer in a CDATA section', morphXml, element('<![CDATA[ </text></write> ]]>')],
    ['with markers in a CDATA section behind text', morphXml, element('x<![CDATA[ <rm> <write> ]]>')],
    [
      'with markers in a CDATA section that the format knows',
      minicpm5,
      minicpmCall('<![CDATA[ <function name="rm"> </param> ]]>'),
    ],
    [
      'with markers in a quoted string',
      hermes,
      `<tool_call>${JSON.stringify({ name: 'write', arguments: { text: RM } })}</tool_call>`,
    ],
  ])('%s', (_, dialect, text) => {
    expect(outcomes(text, dialect)).toEqual(['runs write'])
  })
})

describe('behind a call that breaks off after its name nothing runs', () => {
  test.each<[dialect: Dialect, text: string]>([
    [mistralV11, '[TOOL_CALLS]write[CxLL_ID]a[ARGS]{"text":"[TOOL_CALLS]rm[ARGS]{}"}'],
    [mistralV11, '[TOOL_CALLS]wr ite[ARGS]{"text":"[TOOL_CALLS]rm[ARGS]{}"}'],
    [
      kimiK2,
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.write:0<|tool_call_argument_bgin|>{"text":"' +
        '<|tool_call_begin|>functions.rm:0<|tool_call_argument_begin|>{}<|tool_call_end|>"}<|tool_call_end|>',
    ],
    [gemma4, '<|tool_call>call:write"{text:<|"|><|tool_call>call:rm{}<tool_call|><|"|>}<tool_call|>'],
    [
      functiongemma,
      '<start_function_call>call:write"{text:<escape><start_function_call>call:rm{}<end_function_call><escape>}',
    ],
    [lfm2, '<|tool_call_start|>[write>(text="<|tool_call_start|>[rm()]<|tool_call_end|>")]<|tool_call_end|>'],
    [
      qwen3Coder,
      '<tool_call><function=write\n<parameter=text>see <tool_call><function=rm></function></tool_call></parameter>',
    ],
    [
      glm,
      '<tool_call>write\n<arg__key>path</arg_key>\n<arg_value>see <tool_call>rm</tool_call> x</arg_value>\n</tool_call>',
    ],
    [
      functionCalls,
      '<function_calls>\n<invoke name="write>\n<parameter name="text">see <function_calls>\n' +
        '<invoke name="rm">\n</invoke>\n</function_calls> then</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      minimaxM3,
      ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="write"]<]minimax[>[<text>see ]<]minimax[>[<tool_call>' +
        ']<]minimax[>[<invoke name="rm">]<]minimax[>[</invoke>]<]minimax[>[</tool_call> then',
    ],
  ])('%o', (dialect, text) => {
    expect(outcomes(text, dialect).filter((one) => one.startsWith('runs'))).toEqual([])
  })

  test('but prose that mentions a marker is no call', () => {
    const text = 'It begins with [TOOL_CALLS] and a name. [TOOL_CALLS]ls[ARGS]{}'
    expect(outcomes(text, mistralV11)).toEqual(['runs ls'])
  })
})

test('behind a JSON value whose end is a guess nothing runs', () => {
  expect(
    outcomes(`<tool_call>{"name":"write","arguments":{"text":C:\\dir}}</tool_call> ${RM}`, hermes),
  ).toEqual(['guesses write', 'holds back rm'])
})
