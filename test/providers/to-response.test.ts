import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { ResponseError } from '../../src/base/source.ts'
import {
  aiSdkUiWriter,
  anthropic,
  anthropicWriter,
  eventsWriter,
  ollamaWriter,
  openaiChat,
  openaiChatWriter,
  openaiResponsesWriter,
  readProvider,
  toResponse,
  type WireFormat,
} from '../../src/providers/index.ts'

const ABOUT = { id: 'r1', model: 'm', created: 1_700_000_000 }
const HI: readonly SluiceEvent[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hi' },
  { type: 'text-end', id: 't' },
  { type: 'finish', reason: 'stop' },
]
const failed = (error: object): readonly SluiceEvent[] => [
  { type: 'diagnostic', code: 'provider-payload', message: 'A payload is not an object.' },
  { type: 'error', error: { name: 'ProviderError', message: 'Overloaded', ...error } },
  { type: 'finish', reason: 'error' },
]

/** Events that come when they are told to, and that know how they are read. */
function controlled() {
  const events: SluiceEvent[] = []
  const state = { asked: 0, isLeft: false }
  let wake: (() => void) | undefined
  const iterator: AsyncIterator<SluiceEvent> = {
    async next() {
      state.asked++
      if (events.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const value = events.shift()
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    async return() {
      state.isLeft = true
      return { done: true, value: undefined }
    },
  }
  const send = (...more: readonly SluiceEvent[]): void => {
    events.push(...more)
    wake?.()
  }
  return { events: { [Symbol.asyncIterator]: () => iterator }, send, state }
}

const SSE = {
  'cache-control': 'no-cache',
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
}

describe('the response', () => {
  test.each<[WireFormat, headers: object]>([
    [openaiChatWriter, SSE],
    [openaiResponsesWriter, SSE],
    [anthropicWriter, SSE],
    [ollamaWriter, { ...SSE, 'content-type': 'application/x-ndjson' }],
    [aiSdkUiWriter, { ...SSE, 'x-vercel-ai-ui-message-stream': 'v1' }],
    [eventsWriter, SSE],
  ])('of $name has its headers and a status', async (format, headers) => {
    const response = await toResponse(HI, format, ABOUT)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual(headers)
    expect(await response.text()).toContain('Hi')
  })

  test('has what the writer writes', async () => {
    const response = await toResponse(HI, ollamaWriter, ABOUT)
    expect(await response.text()).toBe(
      '{"model":"m","created_at":"2023-11-14T22:13:20.000Z","message":{"role":"assistant","content":"Hi"},"done":false}\n' +
        '{"model":"m","created_at":"2023-11-14T22:13:20.000Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n',
    )
  })

  test('takes headers and a status of your own', async () => {
    const headers = { 'Cache-Control': 'no-store', 'x-run': '7' }
    const response = await toResponse(HI, openaiChatWriter, { status: 201, headers })
    expect(response.status).toBe(201)
    expect(Object.fromEntries(response.headers)).toEqual({
      ...SSE,
      'cache-control': 'no-store',
      'x-run': '7',
    })
  })

  test('is read by the reader of its format', async () => {
    const { text, finish } = await readProvider(toResponse(HI, anthropicWriter), {
      provider: anthropic,
    }).message()
    expect([text, finish.reason]).toEqual(['Hi', 'stop'])
  })

  test('is empty where there are no events', async () => {
    expect(await (await toResponse([], openaiChatWriter)).text()).toBe('')
  })
})

describe('reading', () => {
  test('goes no further than the client has asked for', async () => {
    const { events, send, state } = controlled()
    send(...HI)
    const response = await toResponse(events, eventsWriter)
    // The first event decides about the status.
    expect(state.asked).toBe(1)
    const reader = response.body!.getReader()
    await reader.read()
    expect(state.asked).toBe(1)
    await reader.read()
    expect(state.asked).toBe(2)
  })

  test('stops when the client cancels, even while an event is awaited', async () => {
    const { events, send, state } = controlled()
    send(HI[0]!, HI[1]!)
    const response = await toResponse(events, openaiChatWriter)
    const reader = response.body!.getReader()
    await reader.read()
    const next = reader.read()
    await reader.cancel()
    expect(state.isLeft).toBe(true)
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test('stops when the signal says that the client has left', async () => {
    const { events, send, state } = controlled()
    const controller = new AbortController()
    send(HI[0]!, HI[1]!)
    const response = await toResponse(events, openaiChatWriter, { signal: controller.signal })
    const reader = response.body!.getReader()
    await reader.read()
    const next = reader.read()
    controller.abort()
    expect((await next).done).toBe(true)
    expect(state.isLeft).toBe(true)
  })

  test('cancels the stream of the provider', async () => {
    let isCancelled = false
    const upstream = new ReadableStream({
      start: (stream) =>
        stream.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')),
      cancel() {
        isCancelled = true
      },
    })
    const events = readProvider(new Response(upstream), { provider: openaiChat })
    const response = await toResponse(events, anthropicWriter)
    await response.body!.cancel()
    expect(isCancelled).toBe(true)
  })
})

describe('an error before the first event', () => {
  test.each<[WireFormat, type: string, body: string]>([
    [
      openaiChatWriter,
      'application/json',
      '{"error":{"message":"Overloaded","type":"overloaded_error","param":null,"code":"overloaded_error"}}',
    ],
    [
      openaiResponsesWriter,
      'application/json',
      '{"error":{"message":"Overloaded","type":"overloaded_error","param":null,"code":"overloaded_error"}}',
    ],
    [
      anthropicWriter,
      'application/json',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ],
    [ollamaWriter, 'application/json', '{"error":"Overloaded"}'],
    [aiSdkUiWriter, 'text/plain; charset=utf-8', 'Overloaded'],
    [
      eventsWriter,
      'text/event-stream',
      'data: {"type":"diagnostic","code":"provider-payload","message":"A payload is not an object."}\n\n' +
        'data: {"type":"error","error":{"name":"ProviderError","message":"Overloaded","code":"overloaded_error","status":529}}\n\n' +
        'data: {"type":"finish","reason":"error"}\n\n',
    ],
  ])('is the answer of $name, with the status', async (format, type, body) => {
    const response = await toResponse(failed({ code: 'overloaded_error', status: 529 }), format)
    expect(response.status).toBe(529)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toBe(body)
  })

  test.each<[what: string, error: object, status: number]>([
    ['without a status is 502', {}, 502],
    ['whose code is a status has it', { code: '429' }, 429],
    ['with a status that is none of an error is 502', { status: 200 }, 502],
    ['of the server behind has its status', { status: 401 }, 401],
  ])('%s', async (_, error, status) => {
    expect((await toResponse(failed(error), openaiChatWriter)).status).toBe(status)
  })

  test('comes from what the provider answered', async () => {
    const upstream = new Response('{"error":{"message":"Slow down."}}', { status: 429 })
    const response = await toResponse(readProvider(upstream, { provider: openaiChat }), anthropicWriter)
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'The server answered 429: Slow down.' },
    })
  })

  test('leaves the events', async () => {
    const { events, send, state } = controlled()
    send(...failed({}))
    await toResponse(events, openaiChatWriter)
    expect(state.isLeft).toBe(true)
  })
})

describe('a first event that takes long', () => {
  afterEach(() => void vi.useRealTimers())

  test('is not waited for: the response begins, and an error stands in the stream', async () => {
    vi.useFakeTimers()
    const { events, send } = controlled()
    const answer = toResponse(events, ollamaWriter, { wait: 5000 })
    await vi.advanceTimersByTimeAsync(5000)
    const response = await answer
    expect(response.status).toBe(200)
    send(...failed({ status: 529 }))
    send()
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"error":"Overloaded"}\n')
  })

  test('is not waited for at all where the wait is 0', async () => {
    const { events, state } = controlled()
    const response = await toResponse(events, ollamaWriter, { wait: 0 })
    expect([response.status, state.asked]).toEqual([200, 0])
  })
})

describe('events that throw', () => {
  async function* broken(error: unknown, ...before: readonly SluiceEvent[]): AsyncGenerator<SluiceEvent> {
    yield* before
    throw error
  }

  test('in the middle end in an error of the format', async () => {
    const errors: unknown[] = []
    const error = new TypeError('terminated')
    const response = await toResponse(broken(error, HI[0]!, HI[1]!), openaiChatWriter, {
      ...ABOUT,
      onError: (thrown) => errors.push(thrown),
    })
    const text = await response.text()
    expect(text.split('\n\n').slice(1)).toEqual([
      'data: {"error":{"message":"terminated","type":"server_error"}}',
      'data: [DONE]',
      '',
    ])
    expect(errors).toEqual([error])
  })

  test('at once are an error before the first event', async () => {
    const error = new ResponseError(503, '', '')
    expect((await toResponse(broken(error), openaiChatWriter)).status).toBe(503)
  })
})

test.each([undefined, null, 'text', {}])('what is no events is refused: %j', async (events) => {
  await expect(toResponse(events as unknown as SluiceEvent[], openaiChatWriter)).rejects.toThrow(
    expect.objectContaining({ code: 'invalid-source' }),
  )
})

test.each<[options: object, message: string]>([
  [{ stauts: 201 }, "There is no option 'stauts'"],
  [{ wait: '5' }, "'wait' takes a number"],
  [{ signal: true }, "'signal' takes an object"],
])('an option that is wrong is refused: %j', async (options, message) => {
  await expect(toResponse(HI, openaiChatWriter, options)).rejects.toThrow(message)
})
