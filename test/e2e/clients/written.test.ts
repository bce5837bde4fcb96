/** What Sluice writes, read by the clients of those who speak the format. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finish, SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { findWriter } from '../../../src/providers/any.ts'
import { createWriter } from '../../../src/providers/write-provider.ts'
import { agUi, runOf } from './ag-ui.ts'
import { sdkAnthropic, sdkCompatible, sdkOpenaiChat, sdkOpenaiResponses } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import type { Client } from './client.ts'
import { gemini } from './google.ts'
import { ollama } from './ollama.ts'
import { openaiChat, openaiResponses } from './openai.ts'
import { type Said, saidInFull } from './said.ts'
import { LocalServer } from './server.ts'
import { uiMessageOf } from './ui.ts'

const span = (type: 'text' | 'reasoning', ...deltas: string[]): SluiceEvent[] => [
  { type: `${type}-start`, id: type },
  ...deltas.map((delta): SluiceEvent => ({ type: `${type}-delta`, id: type, delta })),
  { type: `${type}-end`, id: type },
]
const begin = (id: string): SluiceEvent => ({ type: 'tool-input-start', id, toolName: 'get_weather' })
const grow = (id: string, delta: string): SluiceEvent => ({ type: 'tool-input-delta', id, delta })
const judge = (id: string, input: ToolCall['input'], more: Partial<ToolCall> = {}): SluiceEvent[] => [
  { type: 'tool-input-end', id },
  { type: 'tool-call', id, toolName: 'get_weather', input, status: 'complete', repairs: [], ...more },
]
const finish = (reason: Finish['reason']): Finish => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 80, outputTokens: 40, totalTokens: 120 },
})

const PARIS = ['call_paris', 'get_weather', { city: 'Paris', days: 2 }] as const
const OSLO = ['call_oslo', 'get_weather', { city: 'Oslo', days: 1 }] as const

const TEXT: SluiceEvent[] = [...span('text', 'Grüß ', 'dich 🌦'), finish('stop')]
const MESSAGE: SluiceEvent[] = [
  ...span('reasoning', 'Two cities, ', 'two calls.'),
  ...span('text', "I'll look ", 'at both 🌦.'),
  begin('call_paris'),
  grow('call_paris', '{"city":"Par'),
  grow('call_paris', 'is","days":2}'),
  ...judge('call_paris', { city: 'Paris', days: 2 }),
  begin('call_oslo'),
  grow('call_oslo', '{"city":"Oslo","days":1}'),
  ...judge('call_oslo', { city: 'Oslo', days: 1 }),
  finish('tool-calls'),
]
const INTERLEAVED: SluiceEvent[] = [
  begin('call_paris'),
  grow('call_paris', '{"city":"Par'),
  begin('call_oslo'),
  grow('call_oslo', '{"city":"Os'),
  grow('call_paris', 'is","days":2}'),
  ...judge('call_paris', { city: 'Paris', days: 2 }),
  grow('call_oslo', 'lo","days":1}'),
  ...judge('call_oslo', { city: 'Oslo', days: 1 }),
  finish('tool-calls'),
]
const CUT: SluiceEvent[] = [
  ...span('text', 'Hm'),
  begin('call_paris'),
  grow('call_paris', '{"city":"Pa'),
  ...judge('call_paris', { city: 'Pa' }, { status: 'truncated', raw: '{"city":"Pa' }),
  finish('length'),
]
const FAILED: SluiceEvent[] = [
  ...span('text', 'Hel'),
  { type: 'error', error: new Error('Overloaded') },
  { type: 'finish', reason: 'error' },
]

/** What a client says of why the response stopped, in the order of the messages below. */
interface Reader {
  readonly format: string
  readonly client: Client
  readonly reasons: readonly [stop: string | undefined, calls: string | undefined, length: string | undefined]
  /** It has no place for reasoning. */
  readonly reasoning?: string
  /** What it makes of a call that was cut off, besides leaving it out. */
  readonly cut?: Said['calls']
}

const READERS: readonly Reader[] = [
  {
    format: 'openai-chat',
    client: openaiChat,
    reasons: ['stop', 'tool_calls', 'length'],
    // Of fields that it has no type for it keeps the last piece.
    reasoning: 'two calls.',
    cut: [['call_paris', 'get_weather', '{"city":"Pa']],
  },
  {
    format: 'openai-chat',
    client: sdkOpenaiChat,
    reasons: ['stop', 'tool_calls', 'length'],
    reasoning: '',
  },
  { format: 'openai-chat', client: sdkCompatible, reasons: ['stop', 'tool_calls', 'length'] },
  {
    format: 'openai-responses',
    client: openaiResponses,
    reasons: ['completed', 'completed', 'max_output_tokens'],
  },
  {
    format: 'openai-responses',
    client: sdkOpenaiResponses,
    reasons: [undefined, undefined, 'max_output_tokens'],
  },
  {
    format: 'anthropic',
    client: anthropic,
    reasons: ['end_turn', 'tool_use', 'max_tokens'],
    // The city that did not come whole is left out, and nothing says so.
    cut: [['call_paris', 'get_weather', {}]],
  },
  { format: 'anthropic', client: sdkAnthropic, reasons: ['end_turn', 'tool_use', 'max_tokens'] },
  { format: 'ollama', client: ollama, reasons: ['stop', 'stop', 'length'] },
  { format: 'gemini', client: gemini, reasons: ['STOP', 'STOP', 'MAX_TOKENS'] },
]

let server: LocalServer
beforeAll(async () => {
  server = await LocalServer.open()
})
afterAll(() => server.close())

function serve(format: string, events: readonly SluiceEvent[]): string {
  const writer = createWriter(findWriter(format), { id: 'r1', model: 'm', created: 1_700_000_000 })
  return server.serve({ body: events.map((event) => writer.add(event)).join(''), type: writer.contentType })
}

describe.each(READERS)('$format, read by $client.name', (reader) => {
  const { format, client, reasons, reasoning = 'Two cities, two calls.', cut = [] } = reader
  const [stop, calls, length] = reasons

  test.each<[what: string, events: readonly SluiceEvent[], says: Said]>([
    ['text', TEXT, { text: 'Grüß dich 🌦', reason: stop }],
    ['a message', MESSAGE, { text: "I'll look at both 🌦.", reasoning, calls: [PARIS, OSLO], reason: calls }],
    ['calls at the same time', INTERLEAVED, { text: '', calls: [PARIS, OSLO], reason: calls }],
    ['a call that was cut off', CUT, { text: 'Hm', calls: cut, reason: length }],
  ])('%s', async (_, events, says) => {
    const said = await client.assemble(serve(format, events))
    expect(saidInFull(said)).toEqual(saidInFull({ ...says, usage: [80, 40] }))
  })

  test('a response that failed', async () => {
    await expect(client.assemble(serve(format, FAILED))).rejects.toThrow('Overloaded')
  })
})

describe("ag-ui, read by AG-UI's own client", () => {
  test.each<[what: string, events: readonly SluiceEvent[], says: Said]>([
    ['text', TEXT, { text: 'Grüß dich 🌦' }],
    [
      'a message',
      MESSAGE,
      { text: "I'll look at both 🌦.", reasoning: 'Two cities, two calls.', calls: [PARIS, OSLO] },
    ],
    ['calls at the same time', INTERLEAVED, { text: '', calls: [PARIS, OSLO] }],
  ])('%s', async (_, events, says) => {
    const said = await agUi.assemble(serve('ag-ui', events))
    expect(saidInFull(said)).toEqual(saidInFull({ ...says, reason: 'success', usage: [80, 40] }))
  })

  test('a call that was cut off never ends, and the run fails', async () => {
    const ended: unknown[] = []
    const { text, error } = await runOf(serve('ag-ui', CUT), {
      onToolCallEndEvent: ({ toolCallArgs }) => void ended.push(toolCallArgs),
    })
    expect(text).toBe('Hm')
    expect(error).toContain('The call of `get_weather` was cut off')
    expect(ended).toEqual([])
  })

  test('a response that failed', async () => {
    const { text, error } = await runOf(serve('ag-ui', FAILED))
    expect([text, error]).toEqual(['Hel', 'Overloaded'])
  })

  test('a tool that the provider ran is not left to the client, with or without a result', async () => {
    const theirs = [
      { ...begin('call_paris'), providerExecuted: true } as SluiceEvent,
      grow('call_paris', '{"city":"Paris"}'),
      ...judge('call_paris', { city: 'Paris' }, { providerExecuted: true }),
    ]
    const result: SluiceEvent[] = [
      { type: 'tool-result-start', id: 'call_paris' },
      { type: 'tool-result-delta', id: 'call_paris', delta: 'Rain.' },
      { type: 'tool-result-end', id: 'call_paris' },
    ]
    for (const events of [theirs, [...theirs, ...result]]) {
      const { calls, pending } = await runOf(serve('ag-ui', [...events, finish('stop')]))
      expect([calls.length, pending]).toEqual([1, []])
    }
  })
})

describe("ai-sdk-ui, read by the AI SDK's own reader", () => {
  async function read(events: readonly SluiceEvent[]): Promise<{ parts: unknown[]; errors: string[] }> {
    const { message, errors } = await uiMessageOf(serve('ai-sdk-ui', events))
    const parts = (message?.parts ?? []).map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return [part.type, part.text, part.state]
      return 'toolCallId' in part ? [part.type, part.toolCallId, part.state, part.input] : [part.type]
    })
    return { parts, errors: errors.map((error) => (error as Error).message) }
  }

  test.each<[what: string, events: readonly SluiceEvent[], parts: unknown[]]>([
    ['text', TEXT, [['step-start'], ['text', 'Grüß dich 🌦', 'done']]],
    [
      'a message',
      MESSAGE,
      [
        ['step-start'],
        ['reasoning', 'Two cities, two calls.', 'done'],
        ['text', "I'll look at both 🌦.", 'done'],
        ['tool-get_weather', 'call_paris', 'input-available', { city: 'Paris', days: 2 }],
        ['tool-get_weather', 'call_oslo', 'input-available', { city: 'Oslo', days: 1 }],
      ],
    ],
    [
      'calls at the same time',
      INTERLEAVED,
      [
        ['step-start'],
        ['tool-get_weather', 'call_paris', 'input-available', { city: 'Paris', days: 2 }],
        ['tool-get_weather', 'call_oslo', 'input-available', { city: 'Oslo', days: 1 }],
      ],
    ],
    [
      'a call that was cut off',
      CUT,
      [
        ['step-start'],
        ['text', 'Hm', 'done'],
        // It keeps what was refused apart from what may be run.
        ['tool-get_weather', 'call_paris', 'output-error', undefined],
      ],
    ],
  ])('%s', async (_, events, parts) => {
    expect(await read(events)).toEqual({ parts, errors: [] })
  })

  test('a response that failed', async () => {
    expect(await read(FAILED)).toEqual({
      parts: [['step-start'], ['text', 'Hel', 'done']],
      errors: ['Overloaded'],
    })
  })
})
