import { describe, expect, it, test } from 'vitest'
import type { ToolCall } from '../../../src/base/event.ts'
import { hermes, morphXml, pythonic } from '../../../src/dialects/index.ts'
import { explain, isExecutable } from '../../../src/engine/calls/verdict.ts'
import { type Message, MessageFold, parse } from '../../../src/engine/message.ts'
import { createParser } from '../../../src/engine/parser.ts'
import { anyProvider } from '../../../src/providers/any.ts'
import { createProviderParser } from '../../../src/providers/index.ts'
import { createSegmentsView, SEGMENT_EVENTS } from '../../../src/views/compat/segments/index.ts'

const tools = [{ name: 'read' }, { name: 'write' }]

const chat = (delta: object): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`

function provided(stream: string, options: object = {}): Message {
  const fold = new MessageFold()
  const parser = createProviderParser((event) => fold.add(event), {
    provider: anyProvider,
    tools,
    ...options,
  })
  parser.push(stream)
  parser.end()
  return fold.message()
}

const TEXT = '<tool_call>{"name": "rm", "arguments": {"path": "/"}}</tool_call>'

const native = chat({
  tool_calls: [{ index: 0, id: 'c1', function: { name: 'rm', arguments: '{"path": "/"}' } }],
})

const custom = [
  { type: 'response.created', response: { id: 'r' } },
  {
    type: 'response.output_item.added',
    item: { type: 'custom_tool_call', id: 'i', call_id: 'c1', name: 'rm' },
  },
  { type: 'response.custom_tool_call_input.delta', item_id: 'i', delta: '/' },
  {
    type: 'response.output_item.done',
    item: { type: 'custom_tool_call', id: 'i', call_id: 'c1', name: 'rm', input: '/', status: 'completed' },
  },
]
  .map((payload) => `data: ${JSON.stringify(payload)}\n\n`)
  .join('')

describe('a call of a tool that is none of those given', () => {
  test.each<[from: string, read: () => Message, input: ToolCall['input']]>([
    ['the text', () => parse(TEXT, { dialect: hermes, tools }), { path: '/' }],
    ['the provider', () => provided(native), { path: '/' }],
    ['the provider, with free text as its input', () => provided(custom), '/'],
  ])('from %s is invalid, and its input is told', (_, read, input) => {
    const { toolCalls, diagnostics } = read()
    expect(toolCalls).toMatchObject([
      {
        toolName: 'rm',
        input,
        status: 'invalid',
        error: { code: 'unknown-tool', message: "There is no tool 'rm'." },
      },
    ])
    expect(toolCalls[0]!.raw).toBeTypeOf('string')
    expect(isExecutable(toolCalls[0]!, { allow: ['guess'] })).toBe(false)
    expect(diagnostics.map(({ code }) => code)).toContain('unknown-tool')
  })

  test.each(['keep', 'text', 'drop'] as const)(
    'was read well, so that `malformed: %s` leaves it alone',
    (malformed) => {
      const { text, toolCalls } = parse(`a${TEXT}b`, { dialect: hermes, tools, malformed })
      expect([text, toolCalls[0]!.status, toolCalls[0]!.raw]).toEqual([
        'ab',
        'invalid',
        '<tool_call>{"name": "rm", "arguments": {"path": "/"}}',
      ])
      expect(provided(native, { malformed }).text).toBe('')
    },
  )

  it('is cut off where it was cut off', () => {
    const [call] = parse(TEXT.slice(0, 50), { dialect: hermes, tools }).toolCalls
    expect(call).toMatchObject({ status: 'truncated', error: { code: 'truncated' } })
  })

  it('is malformed where it cannot be read', () => {
    const [call] = parse('<tool_call>{"name": "rm", "arguments": {"a": 1, "a": 2}}</tool_call>', {
      dialect: hermes,
      tools,
    }).toolCalls
    expect(call).toMatchObject({ status: 'invalid', error: { code: 'duplicate-key' } })
  })

  it('is not our business where the provider runs it', () => {
    const stream = [
      { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ]
    const { toolCalls, diagnostics } = provided(
      stream.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join(''),
    )
    expect(toolCalls).toMatchObject([{ toolName: 'web_search', status: 'complete', providerExecuted: true }])
    expect(diagnostics).toEqual([])
  })

  it('fails in a view that knows the tools, even if the parser does not', () => {
    const ends: unknown[] = []
    const view = createSegmentsView(
      ({ type, payload }) => {
        if (type === 'SEGMENT_END') ends.push(payload?.metadata)
      },
      { tools },
    )
    const parser = createParser({ dialect: hermes, emit: SEGMENT_EVENTS })
    for (const event of [...parser.push(TEXT), ...parser.end()]) view.add(event)
    expect(ends).toEqual([{ tool_name: 'rm', status: 'failed', error: "There is no tool 'rm'." }])
  })

  it('may run where no tools were given', () => {
    expect(parse(TEXT, { dialect: hermes }).toolCalls[0]!.status).toBe('complete')
  })

  test.each([
    ['<rm><path>/</path></rm>', morphXml],
    ['[rm(path="/")]', pythonic],
  ])('stays text where only its name could mark it: %s', (text, dialect) => {
    expect(parse(text, { dialect, tools })).toMatchObject({ text, toolCalls: [] })
  })

  it('is explained once', () => {
    const [call] = parse(TEXT, { dialect: hermes, tools }).toolCalls
    expect(explain(call!)).toBe('There is no tool `rm`. It was not run. Call a tool that exists.')
    expect(explain(call!, { tools })).toBe(
      'There is no tool `rm`. The tools are `read` and `write`. It was not run. Call a tool that exists.',
    )
  })
})
