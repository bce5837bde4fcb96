import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../../src/base/event.ts'
import { DEFAULT_LIMITS } from '../../../../src/base/limits.ts'
import { hermes, qwen3Coder } from '../../../../src/dialects/index.ts'
import { CallAssembler } from '../../../../src/engine/calls/assembler.ts'
import { createToolTable } from '../../../../src/engine/calls/tools.ts'
import { createParser, type ParserOptions } from '../../../../src/engine/parser.ts'
import {
  createProgressView,
  createTruncationView,
  type ToolCallArgumentProgress,
  type TruncationReport,
} from '../../../../src/views/compat/progress/index.ts'

const EMIT = { json: false, arguments: true }

function progressOf(events: readonly SluiceEvent[]): ToolCallArgumentProgress[] {
  const told: ToolCallArgumentProgress[] = []
  const view = createProgressView((progress) => told.push(progress))
  for (const event of events) view.add(event)
  return told
}

/** The events of a provider's own call. */
function native(args: readonly string[]): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const assembler = new CallAssembler({
    settings: {
      tools: createToolTable(undefined),
      limits: DEFAULT_LIMITS,
      malformed: 'keep',
      source: false,
      raw: false,
      input: true,
      ...EMIT,
    },
    emit: (event) => void events.push(event),
    newId: () => 'call-1',
    report() {},
    beforeCall() {},
    emitText() {},
  })
  assembler.delta({ index: 0, id: 'c1', name: 'f' })
  for (const piece of args) assembler.delta({ index: 0, arguments: piece })
  assembler.endAll()
  return events
}

test.each<[what: string, text: string, told: object[]]>([
  [
    'a call that is complete',
    '<tool_call>{"name": "f", "arguments": {"a": 1, "b": [2]}}</tool_call>',
    [
      { type: 'ArgumentParsed', toolCallId: 'call-1', toolName: 'f', key: 'a', value: 1 },
      { type: 'ArgumentParsed', toolCallId: 'call-1', toolName: 'f', key: 'b', value: [2] },
    ],
  ],
  ['a call that was cut off', '<tool_call>{"name": "f", "arguments": {"a": 1, "b', []],
])('without arguments, all of %s is said at once', (_, text, told) => {
  const parser = createParser({ dialect: hermes })
  expect(progressOf([...parser.push(text), ...parser.end()])).toEqual(told)
})

describe('progress', () => {
  test('is told of calls in text', () => {
    const parser = createParser({ dialect: hermes, emit: EMIT })
    expect(progressOf(parser.push('<tool_call>{"name": "f", "arguments": {"path": "a.rs"'))).toEqual([
      { type: 'ArgumentParsed', toolCallId: 'call-1', toolName: 'f', key: 'path', value: 'a.rs' },
    ])
  })

  test("is told of a provider's own calls, at the top level only", () => {
    expect(progressOf(native(['{"a":{"b":[', '1]},"c":', 'true}']))).toEqual([
      { type: 'ArgumentParsed', toolCallId: 'c1', toolName: 'f', key: 'a', value: { b: [1] } },
      { type: 'ArgumentParsed', toolCallId: 'c1', toolName: 'f', key: 'c', value: true },
    ])
  })

  test.each([[['["a","b"]']], [['[]']], [['12']]])('of %j is that they are no object, once', (args) => {
    expect(progressOf(native(args))).toEqual([{ type: 'NotAnObject', toolCallId: 'c1' }])
  })
})

test('progress says nothing of arguments that were not kept', () => {
  const parser = createParser({ dialect: hermes, emit: { ...EMIT, input: false } })
  const events = parser.push('<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>')
  expect(progressOf(events).map(({ type }) => type)).toEqual(['ArgumentParsed'])
})

describe('a call that was cut off', () => {
  function reportsOf(text: string, options: ParserOptions = {}): TruncationReport[] {
    const reports: TruncationReport[] = []
    const view = createTruncationView((report) => reports.push(report))
    const parser = createParser({ dialect: hermes, emit: EMIT, ...options })
    for (const event of [...parser.push(text), ...parser.end()]) view.add(event)
    return reports
  }
  const write = '<tool_call>{"name": "write", "arguments": '

  test.each([
    [
      `${write}{"path": "a.ts", "content": "fn main`,
      {
        path: '/content',
        characters: 7,
        lastComplete: '/path',
        message: 'The call of write was cut off in /content, after 7 characters. /path was complete.',
      },
    ],
    [
      `${write}{"edits": [{"old": "x"}, {"old": "`,
      {
        path: '/edits/1/old',
        characters: 0,
        message: 'The call of write was cut off in /edits/1/old, after 0 characters.',
      },
    ],
    [
      `${write}{"edits": [{"old": "x"}`,
      { path: '/edits', message: 'The call of write was cut off in /edits.' },
    ],
    [
      `${write}{"path": "a.ts",`,
      { lastComplete: '/path', message: 'The call of write was cut off. /path was complete.' },
    ],
    [`${write}{`, { message: 'The call of write was cut off.' }],
  ])('is reported with where it was: %s', (text, report) => {
    expect(reportsOf(text)).toEqual([{ toolCallId: 'call-1', toolName: 'write', ...report }])
  })

  test('is reported without a number where the dialect shows the argument only whole', () => {
    const tools = [{ name: 'f', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }]
    const text = '<tool_call>\n<function=f>\n<parameter=n>\n12'
    expect(reportsOf(text, { dialect: qwen3Coder, tools })).toEqual([
      { toolCallId: 'call-1', toolName: 'f', path: '/n', message: 'The call of f was cut off in /n.' },
    ])
  })

  test('is none that came whole', () => {
    expect(reportsOf(`${write}{"path": "a.ts"}}</tool_call>`)).toEqual([])
  })
})
