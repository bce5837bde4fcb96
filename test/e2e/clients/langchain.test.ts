/** LangChain's own messages: what it adds its chunks up to, and what Sluice reads from them, as objects and as JSON. */

import { AIMessage, AIMessageChunk, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../src/engine/message.ts'
import { langchain } from '../../../src/providers/named-providers.ts'
import { readProvider } from '../../../src/providers/read-provider.ts'
import { saidBySluice, saidInFull, WEATHER } from './said.ts'

const piece = (index: number, args: string, id?: string) => ({
  type: 'tool_call_chunk' as const,
  index,
  args,
  ...(id !== undefined && { id, name: 'get_weather' }),
})
const USAGE = { input_tokens: 80, output_tokens: 40, total_tokens: 120 }
/** Its types ask for a declared structure, and know no figures without one. */
const chunk = (fields: object): AIMessageChunk =>
  new AIMessageChunk({ id: 'run-1', ...fields } as unknown as { content: string })

const CHUNKS: readonly AIMessageChunk[] = [
  chunk({ content: [{ type: 'reasoning', reasoning: 'Two cities, ', index: 0 }] }),
  chunk({ content: [{ type: 'reasoning', reasoning: 'two calls.', index: 0 }] }),
  chunk({ content: [{ type: 'text', text: "I'll look ", index: 1 }] }),
  chunk({ content: [{ type: 'text', text: 'at both 🌦.', index: 1 }] }),
  chunk({ content: [], tool_call_chunks: [piece(0, '{"city":"Paris"', 'call_paris')] }),
  chunk({ content: [], tool_call_chunks: [piece(0, ',"days":2}')] }),
  chunk({ content: [], tool_call_chunks: [piece(1, '{"city":"Oslo","days":1}', 'call_oslo')] }),
  chunk({
    content: [],
    response_metadata: { finish_reason: 'tool_calls' },
    usage_metadata: USAGE,
  }),
]
const SAYS = saidInFull({ ...WEATHER, reason: 'tool_calls' })

const read = (payloads: readonly unknown[]): Promise<Message> =>
  readProvider(payloads as object[], { provider: langchain }).message()
const written = (messages: readonly BaseMessage[]): object[] =>
  messages.map((message) => JSON.parse(JSON.stringify(message)) as object)

describe('chunks of a model', () => {
  test('say what LangChain adds them up to', () => {
    const sum = CHUNKS.reduce((before, next) => before.concat(next))
    expect(sum.text).toBe(SAYS.text)
    expect(sum.tool_calls?.map(({ id, name, args }) => [id, name, args])).toEqual(SAYS.calls)
    expect(sum.usage_metadata).toMatchObject(USAGE)
  })

  test.each([
    ['as objects', CHUNKS],
    ['as JSON', written(CHUNKS)],
  ])('are read %s', async (_, payloads) => {
    const message = await read(payloads)
    expect(saidBySluice(message)).toEqual(SAYS)
    expect([message.finish.reason, message.diagnostics]).toEqual(['tool-calls', []])
  })

  test('that were cut off have no call that runs, although LangChain makes one of them', async () => {
    const cut = CHUNKS.slice(0, 5)
    const made = cut.reduce((before, next) => before.concat(next)).tool_calls
    expect(made?.map(({ name, args }) => [name, args])).toEqual([['get_weather', { city: 'Paris' }]])
    const message = await read(cut)
    expect(saidBySluice(message).calls).toEqual([])
    expect(message.toolCalls.map(({ status }) => status)).toEqual(['truncated'])
  })
})

test('whole messages and the results of a graph', async () => {
  const messages = [
    new AIMessage({
      id: 'm1',
      content: "I'll look at both 🌦.",
      tool_calls: [{ id: 'call_paris', name: 'get_weather', args: { city: 'Paris' } }],
      response_metadata: { finish_reason: 'tool_calls' },
    }),
    new ToolMessage({ tool_call_id: 'call_paris', content: 'Rain.', name: 'get_weather' }),
    new AIMessage({ id: 'm2', content: ' It rains.', response_metadata: { finish_reason: 'stop' } }),
  ]
  for (const payloads of [messages, written(messages)]) {
    const { text, parts, finish } = await read(payloads)
    expect(text).toBe("I'll look at both 🌦. It rains.")
    expect(parts.map(({ type }) => type)).toEqual(['text', 'call', 'result', 'text'])
    expect(finish.reason).toBe('stop')
  }
})
