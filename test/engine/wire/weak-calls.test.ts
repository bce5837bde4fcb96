/** Calls that nothing marks, behind text and in fences. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { genericJson } from '../../../src/dialects/generic-json.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { jsonTools, jsonToolsGemini, jsonToolsOpenAi } from '../../../src/dialects/json-tools.ts'
import { llama3Json } from '../../../src/dialects/llama3-json.ts'
import { longcat } from '../../../src/dialects/longcat.ts'
import { morphXml } from '../../../src/dialects/morph-xml.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { yamlXml } from '../../../src/dialects/yaml/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents, parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/index.ts'
import type { EndReason } from '../../../src/engine/wire/machine.ts'
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

describe('inside a line, or behind a deep indent', () => {
  test.each([
    ['llama3-json', `Try ${JSON_CALL}`],
    ['llama3-json', `So:\n     ${JSON_CALL}`],
  ])('a call that nothing marks is text in %s', (_, text) => {
    expect(outline(text, { dialect: llama3Json, tools })).toEqual([`text ${text}`])
  })

  test.each<[string, string, string[], ParserOptions?]>([
    ['a guess', `Try ${PYTHON_CALL}`, ['text Try ', GUESS, 'note missing-opener']],
    ['a guess', `So:\n     ${PYTHON_CALL}`, ['text So:\n     ', GUESS, 'note missing-opener']],
    [
      'a guess, and text follows it',
      `Try ${PYTHON_CALL}.`,
      ['text Try ', GUESS, 'text .', 'note missing-opener', 'note text-behind-call'],
    ],
    ['text without tools', `Try ${PYTHON_CALL}`, [`text Try ${PYTHON_CALL}`], { tools: [] }],
    ['text if its tool is not known', 'Try [cd(path="a")]', ['text Try [cd(path="a")]']],
  ])('a call that nothing marks is, in pythonic, %s: %s', (_, text, expected, options) => {
    expect(outline(text, { dialect: pythonic, tools, ...options })).toEqual(expected)
    const { toolCalls } = parse(text, { dialect: pythonic, tools, ...options })
    expect(toolCalls.some((one) => isExecutable(one))).toBe(false)
  })
})

describe.each([
  ['hermes', hermes],
  ['longcat', longcat],
  ['qwen3-coder', qwen3Coder],
  ['morph-xml', morphXml],
  ['yaml-xml', yamlXml],
] as const)('in %s a call in a fence', (_, dialect) => {
  const fence = (body: string): string => `${FENCE}json\n${body}\n${FENCE}`
  const CALL_OF_LS = '{"name": "ls", "arguments": {"path": "a"}}'

  test.each<[string, string, string[], ParserOptions?]>([
    ['is a guess', fence(CALL_OF_LS), [GUESS, 'note missing-opener']],
    ['is a guess behind text', `So:\n${fence(CALL_OF_LS)}\n`, ['text So:\n', GUESS, 'note missing-opener']],
    [
      'is a guess, and text follows it',
      `So:\n${fence(CALL_OF_LS)}\nThat lists.`,
      ['text So:\n', GUESS, 'text \nThat lists.', 'note missing-opener', 'note text-behind-call'],
    ],
    [
      'is a guess, and so is one behind it',
      fence(`[${CALL_OF_LS}, ${CALL_OF_LS}]`),
      [GUESS, GUESS, 'note missing-opener', 'note missing-opener'],
    ],
    ['is text without tools', fence(CALL_OF_LS), [`text ${fence(CALL_OF_LS)}`], { tools: [] }],
    [
      'is text if its tool is not known',
      fence(CALL_OF_LS.replace('ls', 'cd')),
      [`text ${fence(CALL_OF_LS.replace('ls', 'cd'))}`],
    ],
    [
      'is text where code is protected',
      fence(CALL_OF_LS),
      [`text ${fence(CALL_OF_LS)}`],
      { protectCode: true },
    ],
    ['is none if it is other JSON', fence('{"name": 1'), [`text ${fence('{"name": 1')}`]],
  ])('%s', (_, text, expected, options) => {
    const lines = outline(text, { dialect, tools, ...options })
    // Without space behind calls as markup, a line break at the end is text.
    expect(lines.filter((line) => line !== 'text \n')).toEqual(expected)
    const { toolCalls } = parse(text, { dialect, tools, ...options })
    expect(toolCalls.some((one) => isExecutable(one))).toBe(false)
  })
})

describe('in hermes a call in the attributes of its tag', () => {
  const tools = [{ name: 'ls' }, { name: 'ping' }]
  test.each<[string, string, string[]]>([
    ['its name', '<tool_call name="ping" />', ['repaired ping {}', 'note missing-opener']],
    [
      'its name, and arguments behind it',
      '<tool_call name="ls">\n{"path": "a"}\n</tool_call>',
      [GUESS, 'note missing-opener'],
    ],
    [
      'other attributes',
      '<tool_call name="ls" path="a"/>',
      ['invalid ls {}', 'note missing-opener', 'note malformed-call'],
    ],
    ['an unknown name', '<tool_call name="cd" />', ['text <tool_call name="cd" />']],
    ['none', '<tool_call >{"name": "ls", "arguments": {"path": "a"}}</tool_call>', [CALL]],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect: hermes, tools })).toEqual(expected)
  })
})

test('a fence that holds something else than a call hides no call behind it', () => {
  const call = '<tool_call>{"name": "ls", "arguments": {"path": "a"}}</tool_call>'
  const broken = `${FENCE}json\n{"a": [1, …\n${FENCE}\n`
  expect(outline(broken + call, { dialect: hermes, tools })).toEqual([`text ${broken}`, CALL])
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

describe.each([
  ['json-tools', jsonTools, '{"tool": {"function": "ls", "parameters": {"path": "a"}}}'],
  ['json-tools-openai', jsonToolsOpenAi, '{"name": "ls", "arguments": {"path": "a"}}'],
  ['json-tools-openai', jsonToolsOpenAi, '{"tool_calls": [{"name": "ls", "arguments": {"path": "a"}}]}'],
  ['json-tools-gemini', jsonToolsGemini, '{"name": "ls", "args": {"path": "a"}}'],
] as const)('in %s a call that may stand anywhere', (_, dialect, call) => {
  test.each<[string, string, string[]]>([
    ['stands on a line of its own', `So:\n${call}\nDone.`, ['text So:\n', CALL, 'text \nDone.']],
    ['stands on a line that is indented', `So:\n  ${call} \nDone.`, ['text So:\n  ', CALL, 'text  \nDone.']],
    ['stands behind a deep indent', `<a>\n\t     ${call}\n</a>`, ['text <a>\n\t     ', CALL, 'text \n</a>']],
    ['stands on the first line', `${call}\nDone.`, [CALL, 'text \nDone.']],
    [
      'stands in a fence',
      `${FENCE}json\n${call}\n${FENCE}`,
      [`text ${FENCE}json\n`, CALL, `text \n${FENCE}`],
    ],
    [
      'stands at the end of a sentence that ends the response',
      `I call ${call}\n`,
      ['text I call ', CALL, 'text \n'],
    ],
    [
      'is a guess inside a sentence',
      `You could call ${call}, but I will not.`,
      ['text You could call ', GUESS, 'text , but I will not.', 'note text-behind-call'],
    ],
    [
      'is a guess at the end of a sentence if another line follows',
      `You could call ${call}\nI will not.`,
      ['text You could call ', GUESS, 'text \nI will not.', 'note text-behind-call'],
    ],
    [
      'is a guess at the start of a sentence',
      `So:\n${call} is what I would call.`,
      ['text So:\n', GUESS, 'text  is what I would call.', 'note text-behind-call'],
    ],
    [
      'is a guess in a span of code',
      `Try \`${call}\`.`,
      ['text Try `', GUESS, 'text `.', 'note text-behind-call'],
    ],
    ['stands beside another on its line', `${call} ${call}\nDone.`, [CALL, CALL, 'text \nDone.']],
    [
      'stands on the line before another that text follows',
      `${call}\n${call} is what I call.`,
      [CALL, GUESS, 'text  is what I call.', 'note text-behind-call'],
    ],
    [
      'is a guess beside another inside a sentence',
      `Either ${call} ${call}\nI ask.`,
      ['text Either ', GUESS, GUESS, 'text \nI ask.', 'note text-behind-call', 'note text-behind-call'],
    ],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect, tools })).toEqual(expected)
  })

  test('is a guess if the response is cut off behind it', () => {
    const [one] = foldEvents(eventsOf(`I call ${call}`, 'length', { dialect, tools })).toolCalls
    expect(one?.repairs).toMatchObject([{ code: 'text-behind-call', class: 'guess' }])
  })
})

describe('in a list of calls that nothing marks, one of an unknown tool behind one of a known tool', () => {
  test.each<[string, Dialect, string]>([
    ['json-tools', jsonTools, '[{"function": "ls", "parameters": {}}, {"function": "cd", "parameters": {}}]'],
    [
      'json-tools-openai',
      jsonToolsOpenAi,
      '[{"name": "ls", "arguments": {}}, {"name": "cd", "arguments": {}}]',
    ],
    [
      'json-tools-openai',
      jsonToolsOpenAi,
      '{"tool_calls": [{"name": "ls", "arguments": {}}, {"name": "cd", "arguments": {}}]}',
    ],
    ['json-tools-gemini', jsonToolsGemini, '[{"name": "ls", "args": {}}, {"name": "cd", "args": {}}]'],
    ['generic-json', genericJson, '[{"name": "ls", "arguments": {}}, {"name": "cd", "arguments": {}}]'],
    ['llama3-json', llama3Json, '{"name": "ls", "parameters": {}}; {"name": "cd", "parameters": {}}'],
    ['pythonic', pythonic, '[ls(), cd()]'],
  ])('is reported, and the known tool runs: %s', (_, dialect, text) => {
    expect(outline(text, { dialect, tools })).toEqual(['call ls {}', 'invalid cd {}', 'note unknown-tool'])
  })

  test('does not keep a third from running', () => {
    const text = '[ls(), cd(path="a"), rm()]'
    expect(outline(text, { dialect: pythonic, tools })).toEqual([
      'call ls {}',
      'invalid cd {"path":"a"}',
      'call rm {}',
      'note unknown-tool',
    ])
    expect(parse(text, { dialect: pythonic, tools }).toolCalls[1]?.raw).toBe('cd(path="a")')
  })
})

function eventsOf(text: string, reason: EndReason, options: ParserOptions): SluiceEvent[] {
  const parser = createParser(options)
  return [...parser.push(text), ...parser.end(reason)]
}
