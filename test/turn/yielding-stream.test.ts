/** A turn under Membrane's names, for code that was written for it. */

import { describe, expect, test } from 'vitest'
import {
  openaiChatModel,
  streamYielding,
  type YieldingEvent,
  type YieldingOptions,
} from '../../src/turn/index.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelServer, refusal, streamed } from './model-server.ts'
import { calling, scripted } from './scripted-model.ts'

const CHECK = `Let me check.${calling('search', { q: 'cats' })}`

/** A call is told before its closer comes. */
const RAW = CHECK.slice(0, -'</tool_call>'.length)

/** Reads a turn whose one call is answered with text. */
async function read(options: Partial<YieldingOptions> = {}): Promise<YieldingEvent[]> {
  const stream = streamYielding({
    model: scripted(CHECK, 'Found it!'),
    conversation: 'Hi',
    tools: { search: {} },
    ...options,
  })
  const events: YieldingEvent[] = []
  for await (const event of stream) {
    events.push(event)
    if (event.type !== 'tool-calls') continue
    expect([stream.isWaitingForTools, stream.pendingToolCallIds, stream.toolDepth]).toEqual([
      true,
      event.calls.map(({ id }) => id),
      1,
    ])
    stream.provideToolResults(event.calls.map(({ id }) => ({ toolUseId: id, content: 'R<1>' })))
  }
  return events
}

/** A line for each event. */
const shown = (events: readonly YieldingEvent[]): string[] =>
  events.map((event) => {
    if (event.type === 'tokens')
      return `${event.meta.blockIndex} ${event.meta.type} ${event.meta.toolCallPart ?? ''} ${event.content}`
    return event.type === 'block' ? `${event.event.event} ${event.event.index}` : event.type
  })

test('a turn is told as tokens and blocks, with its calls and one end', async () => {
  const events = await read()
  expect(shown(events)).toEqual([
    'block_start 0',
    '0 text  Let me check.',
    'block_complete 0',
    'block_start 1',
    '1 tool_call name search',
    '1 tool_call id call-2',
    '1 tool_call input {"q":"cats"}',
    'block_complete 1',
    'usage',
    'tool-calls',
    'block_start 2',
    '2 tool_result  R<1>',
    'block_complete 2',
    'block_start 3',
    '3 text  Found it!',
    'block_complete 3',
    'usage',
    'complete',
  ])
  expect(events.find(({ type }) => type === 'tool-calls')).toMatchObject({
    calls: [{ id: 'call-2', name: 'search', input: { q: 'cats' } }],
    context: { preamble: 'Let me check.', depth: 0, previousResults: [], rawText: RAW },
  })
  expect(events.at(-1)).toMatchObject({
    response: {
      stopReason: 'stop',
      toolCalls: [{ id: 'call-2', name: 'search' }],
      toolResults: [{ toolUseId: 'call-2', content: 'R<1>' }],
      rawAssistantText: `${RAW}Found it!`,
      conversation: { messages: [{}, {}, {}, {}] },
    },
  })
})

test('what is not wanted is left out', async () => {
  const types = async (options: Partial<YieldingOptions>) =>
    new Set((await read(options)).map(({ type }) => type))
  expect([...(await types({ emitTokens: false }))]).toEqual(['block', 'usage', 'tool-calls', 'complete'])
  expect([...(await types({ emitBlocks: false }))]).toEqual(['tokens', 'usage', 'tool-calls', 'complete'])
  expect([...(await types({ emitUsage: false }))]).toEqual(['block', 'tokens', 'tool-calls', 'complete'])
  expect(() => streamYielding({ model: scripted(''), conversation: '', emitTokens: 1 as never })).toThrow(
    "'emitTokens'",
  )
})

describe('the end', () => {
  test('of a turn that is cancelled is one `aborted`, with what there was', async () => {
    const stream = streamYielding({
      model: scripted(CHECK, 'Found it!'),
      conversation: 'Hi',
      tools: { search: {} },
    })
    const ends: YieldingEvent[] = []
    for await (const event of stream) {
      if (event.type === 'tool-calls') stream.cancel()
      if (['complete', 'error', 'aborted'].includes(event.type)) ends.push(event)
    }
    expect(ends).toMatchObject([
      {
        type: 'aborted',
        reason: 'user',
        partialContent: [{ text: 'Let me check.' }, { toolName: 'search' }, { isError: true }],
        partialUsage: {},
        toolCalls: [{ name: 'search' }],
        toolResults: [{ toolUseId: 'call-2', isError: true }],
      },
    ])
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('of one that fails is one `error`, behind what was tried', async () => {
    const server = await ModelServer.start([refusal(529), refusal(401)])
    const clock = new ManualClock()
    const stream = streamYielding({
      model: openaiChatModel({ baseUrl: server.url, model: 'm' }),
      conversation: 'Hi',
      clock,
      random: () => 1,
    })
    const events: YieldingEvent[] = []
    void clock.pass(1000)
    for await (const event of stream) events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['retrying', 'usage', 'error'])
    expect(events[0]).toMatchObject({ attempt: 1, delayMs: 1000, error: { kind: 'overloaded' } })
    expect(events[2]).toMatchObject({ error: { kind: 'auth' } })
  })

  test('of the loop cancels the request', async () => {
    const text = streamed('openai-chat', [{ type: 'text', text: 'One two three' }])
    const server = await ModelServer.start([{ chunks: text.chunks.slice(0, 2), end: 'silent' }])
    const stream = streamYielding({
      model: openaiChatModel({ baseUrl: server.url, model: 'm' }),
      conversation: 'Hi',
    })
    for await (const event of stream) if (event.type === 'tokens') break
    await server.untilLeft()
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })
})
