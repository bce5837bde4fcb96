/** Servers that refuse, connections that die, models that say nothing: what is tried again, and what the caller learns. */

import { describe, expect, test } from 'vitest'
import { ResponseError } from '../../src/base/source.ts'
import { ProviderError } from '../../src/providers/provider-error.ts'
import {
  anthropicModel,
  type Model,
  openaiChatModel,
  runTurn,
  TurnError,
  type TurnEvent,
} from '../../src/turn/index.ts'
import { retryAfter } from '../../src/turn/retry.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelServer, type Reply, refusal, streamed } from './model-server.ts'
import { calling, scripted } from './scripted-model.ts'
import { traceOf } from './trace.ts'

const OK = streamed('openai-chat', [{ type: 'text', text: 'Hello.' }])
const CALL = streamed('openai-chat', [
  { type: 'text', text: 'I go.' },
  { type: 'call', toolName: 'go', input: {} },
])

/** Runs a turn against a server, and lets the time of each delay pass. */
async function against(
  replies: readonly Reply[],
  delays: readonly number[] = [],
  options: object = {},
): Promise<{ trace: string[]; server: ModelServer; clock: ManualClock; error: unknown; ran: number }> {
  const server = await ModelServer.start(replies)
  const clock = new ManualClock()
  const events: TurnEvent[] = []
  let ran = 0
  const turn = runTurn({
    model: openaiChatModel({ baseUrl: server.url, model: 'm' }),
    conversation: 'Hi',
    tools: { go: { execute: () => ++ran } },
    clock,
    random: () => 1,
    onEvent: (event) => void events.push(event),
    ...options,
  })
  const settled = turn.then(
    () => undefined,
    (error: unknown) => error,
  )
  // What is waited for so long may be waited for again after a sign of life.
  let isOver = false
  void settled.then(() => {
    isOver = true
  })
  for (const delay of delays) await clock.pass(delay)
  while (!isOver && delays.length > 0) await Promise.race([settled, clock.pass(delays.at(-1)!)])
  const error = await settled
  expect(clock.open).toBe(0)
  return { trace: traceOf(events), server, clock, error, ran }
}

const SUCCESS = ['text "Hello."', 'finish stop', 'end stop']

describe('what may pass is tried again', () => {
  test.each<[what: string, reply: Reply, delay: number, kind: string]>([
    ['429', refusal(429), 1000, 'rate-limit'],
    ['429 with Retry-After', refusal(429, { 'retry-after': '7' }), 7000, 'rate-limit'],
    ['529', refusal(529), 1000, 'overloaded'],
    ['500', refusal(500), 1000, 'server'],
    ['a connection that dies at once', { chunks: [], end: 'dropped' }, 1000, 'network'],
    [
      'an error as the first event',
      { chunks: ['data: {"error":{"message":"Busy","code":"rate_limit_exceeded"}}\n\n'] },
      1000,
      'rate-limit',
    ],
    ['an empty stream', { chunks: [] }, 1000, 'network'],
  ])('%s', async (_, reply, delay, kind) => {
    const { trace, server, error } = await against([reply, OK], [delay])
    expect(error).toBeUndefined()
    expect(trace).toEqual(['round 1', `retry 1 after ${delay}: ${kind}`, ...SUCCESS])
    expect(server.requests).toHaveLength(2)
  })

  test('twice by default, with longer delays, and then it is an error with what there was', async () => {
    const { trace, error, server } = await against([refusal(529), refusal(529), refusal(529)], [1000, 2000])
    expect(trace).toEqual([
      'round 1',
      'retry 1 after 1000: overloaded',
      'retry 2 after 2000: overloaded',
      'error',
      'finish error',
      'end error: overloaded',
    ])
    expect(error).toBeInstanceOf(TurnError)
    expect(error).toMatchObject({
      kind: 'overloaded',
      status: 529,
      code: 'some_error',
      retryable: true,
      message: expect.stringMatching(/^The server answered 529.*: Not now\.$/),
      result: { stopReason: 'error', rounds: 1, content: [], conversation: { messages: [{ role: 'user' }] } },
    })
    expect(server.requests).toHaveLength(3)
  })

  test('in a later round, too, and no tool runs again', async () => {
    const { ran, error } = await against([CALL, refusal(429), OK], [1000])
    expect([ran, error]).toEqual([1, undefined])
  })

  test('not where the server wants more patience than a turn has', async () => {
    const { error, server } = await against([refusal(429, { 'retry-after': '3600' }), OK])
    expect(error).toMatchObject({ kind: 'rate-limit', retryAfterMs: 3_600_000 })
    expect(server.requests).toHaveLength(1)
  })

  test('not once something of the response was emitted', async () => {
    const half = CALL.chunks.slice(0, 2)
    const { error, server, trace, ran } = await against([{ chunks: half, end: 'dropped' }, OK])
    expect(server.requests).toHaveLength(1)
    expect(trace.slice(-3)).toEqual(['error', 'finish error', 'end error: network'])
    expect(error).toMatchObject({ kind: 'network', result: { stopReason: 'error' } })
    expect(ran).toBe(0)
  })
})

test.each<[status: number, kind: string]>([
  [400, 'invalid-request'],
  [401, 'auth'],
  [402, 'quota'],
  [403, 'auth'],
  [404, 'not-found'],
  [413, 'context-length'],
])('%i is not tried again: %s', async (status, kind) => {
  const { error, server } = await against([refusal(status), OK])
  expect(error).toMatchObject({ kind, status, retryable: false })
  expect(server.requests).toHaveLength(1)
})

test.each<[code: string, kind: string]>([
  ['insufficient_quota', 'quota'],
  ['context_length_exceeded', 'context-length'],
])('the code %s says more than the status', async (code, kind) => {
  const reply = {
    ...refusal(429),
    chunks: [JSON.stringify({ error: { message: 'No rate, no auth, 500.', code } })],
  }
  const { error } = await against([reply, OK])
  expect(error).toMatchObject({ kind, code, retryable: false })
})

test('a dropped connection inside a call runs nothing', async () => {
  const cut = CALL.chunks.slice(0, -2)
  const { error, ran } = await against([{ chunks: cut, end: 'dropped' }])
  expect(error).toMatchObject({ kind: 'network' })
  expect(ran).toBe(0)
})

describe('time', () => {
  const silent: Reply = { chunks: [], end: 'silent' }
  const never: Model = () => new Promise(() => {})

  test('until the server answers', async () => {
    const clock = new ManualClock()
    const turn = runTurn({ model: never, conversation: 'Hi', clock, connectTimeoutMs: 50, maxRetries: 0 })
    const failed = expect(turn).rejects.toMatchObject({ kind: 'timeout' })
    await clock.pass(50)
    await failed
  })

  test('until the first event, and then it is tried again', async () => {
    const options = { firstEventTimeoutMs: 60 }
    const { trace, server } = await against([silent, OK], [60, 1000], options)
    expect(trace).toEqual(['round 1', 'retry 1 after 1000: timeout', ...SUCCESS])
    await server.untilLeft()
  })

  test('between two signs of life', async () => {
    const begun: Reply = { chunks: OK.chunks.slice(0, 2), end: 'silent' }
    const { error, trace, server } = await against([begun, OK], [70], { idleTimeoutMs: 70 })
    expect(error).toMatchObject({ kind: 'timeout' })
    expect(trace.slice(-3)).toEqual(['error', 'finish error', 'end error: timeout'])
    await server.untilLeft()
    expect(server.requests).toHaveLength(1)
  })
})

describe('refusals', () => {
  const refused: Reply = {
    chunks: [
      'data: {"choices":[{"index":0,"delta":{"content":"I can"}}]}\n\n',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n',
      'data: [DONE]\n\n',
    ],
  }

  test('end the turn with their own reason', async () => {
    const { trace } = await against([refused, OK])
    expect(trace).toEqual(['round 1', 'text "I can"', 'finish content-filter', 'end content-filter'])
  })

  test('are tried again on request, and nothing of them is seen but what they cost', async () => {
    const server = await ModelServer.start([refused, OK])
    const clock = new ManualClock()
    const events: TurnEvent[] = []
    const turn = runTurn({
      model: openaiChatModel({ baseUrl: server.url, model: 'm' }),
      conversation: 'Hi',
      refusalRetries: 2,
      clock,
      random: () => 1,
      onEvent: (event) => void events.push(event),
    })
    await clock.pass(1000)
    const { text, usage } = await turn
    expect(text).toBe('Hello.')
    expect(traceOf(events)).toEqual(['round 1', 'retry 1 after 1000: refused', ...SUCCESS])
    expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 2 })
  })
})

test('nobody waits for the approval of a call whose response is tried again', async () => {
  const signals: AbortSignal[] = []
  let round = 0
  let ran = 0
  const inner = scripted(calling('go'), calling('go'), 'End.')
  const model: Model = async function* (request, context) {
    const reason = round++ === 0 ? ('content-filter' as const) : undefined
    for await (const event of await inner(request, context))
      yield event.type === 'finish' && reason ? { ...event, reason } : event
  }
  const clock = new ManualClock()
  const turn = runTurn({
    model,
    conversation: 'Hi',
    tools: { go: { execute: () => ++ran } },
    refusalRetries: 1,
    clock,
    random: () => 1,
    approve: ({ signal }) => {
      signals.push(signal)
      return signals.length > 1 || new Promise<boolean>(() => {})
    },
    onEvent: ({ type }) => {
      if (type === 'retry') expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    },
  })
  await clock.pass(1000)
  const { toolResults } = await turn
  expect([ran, toolResults.length, signals.length]).toEqual([1, 1, 2])
})

describe('endpoints', () => {
  test.each(['localhost:11434/v1', '127.0.0.1:8000', 'ftp://x', 'http://', ''])(
    'refuse %j as an address before anything is sent',
    (baseUrl) => {
      expect(() => openaiChatModel({ model: 'm', baseUrl })).toThrow(
        expect.objectContaining({
          code: 'invalid-option',
          message: `'baseUrl' is an address such as http://127.0.0.1:8000, not ${JSON.stringify(baseUrl)}.`,
        }),
      )
    },
  )

  test('take headers, query and body of one’s own', async () => {
    const server = await ModelServer.start([OK])
    const sent: unknown[] = []
    const received: number[] = []
    await runTurn({
      model: openaiChatModel({
        baseUrl: `${server.url}/v1/`,
        model: 'm',
        apiKey: 'sk-secret',
        headers: { 'x-own': 'yes' },
        query: { 'api-version': '2' },
        body: { seed: 7 },
        settings: { temperature: 0 },
      }),
      conversation: {
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        settings: { topP: 0.5 },
      },
      onRequest: (request) => sent.push(request),
      onResponse: ({ status }) => received.push(status),
    })
    const [{ path, headers, body }] = server.requests as [(typeof server.requests)[0]]
    expect(path).toBe('/v1/chat/completions?api-version=2')
    expect(headers).toMatchObject({ authorization: 'Bearer sk-secret', 'x-own': 'yes' })
    expect(body).toMatchObject({
      seed: 7,
      temperature: 0,
      top_p: 0.5,
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(sent).toMatchObject([
      { url: `${server.url}/v1/chat/completions?api-version=2`, body: { seed: 7 } },
    ])
    expect(JSON.stringify(sent)).not.toContain('secret')
    expect(received).toEqual([200])
  })

  test('give tools names that the provider takes, and know them by their own', async () => {
    const server = await ModelServer.start([
      streamed('anthropic', [{ type: 'call', toolName: 'fs_read', input: { n: '1' } }]),
      streamed('anthropic', [{ type: 'text', text: 'Read.' }]),
    ])
    const ran: unknown[] = []
    const { toolCalls } = await runTurn({
      model: anthropicModel({ baseUrl: server.url, model: 'm', apiKey: 'k' }),
      conversation: 'Hi',
      tools: {
        'fs.read': {
          inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
          execute: (input) => ran.push(input),
        },
      },
    })
    expect(server.requests[0]?.body.tools).toMatchObject([{ name: 'fs_read' }])
    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' })
    expect(server.requests[1]?.body.messages[1].content).toMatchObject([
      { type: 'tool_use', name: 'fs_read' },
    ])
    expect(toolCalls).toMatchObject([{ toolName: 'fs.read', status: 'complete' }])
    expect(ran).toEqual([{ n: 1 }])
  })
})

test('Retry-After is read in all its forms', () => {
  const of = (fields: Record<string, string>): number | undefined =>
    retryAfter(new Headers(fields), undefined, Date.UTC(2026, 0, 1))
  expect(of({ 'retry-after': '1.5' })).toBe(1500)
  expect(of({ 'retry-after-ms': '20', 'retry-after': '9' })).toBe(20)
  expect(of({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' })).toBe(5000)
  expect(of({ 'retry-after': 'Thu, 01 Jan 2025 00:00:05 GMT' })).toBe(0)
  expect(of({ 'retry-after': 'soon' })).toBeUndefined()
  expect(of({})).toBeUndefined()
})

test("the delay that Google's servers ask for is read from the error, if the headers ask for none", () => {
  const retryInfo = (retryDelay: unknown): object => ({
    error: {
      code: 429,
      details: [
        { '@type': 'type.googleapis.com/google.rpc.Help', retryDelay: '9s' },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
      ],
    },
  })
  const inStream = (payload: unknown): Error => new ProviderError('gemini', 'Why.', undefined, payload)
  const inBody = (body: string): Error => new ResponseError(429, '', body)
  const of = (error: unknown, headers = {}): number | undefined =>
    retryAfter(new Headers(headers), error, Date.UTC(2026, 0, 1))
  expect(of(inStream(retryInfo('3s')))).toBe(3000)
  expect(of(inStream([retryInfo('3s')]))).toBe(3000)
  expect(of(inBody(JSON.stringify(retryInfo('0.250s'))))).toBe(250)
  expect(of(inBody(JSON.stringify([retryInfo('12s')])))).toBe(12_000)
  expect(of(inStream(retryInfo('3s')), { 'retry-after': '1' })).toBe(1000)
  for (const wrong of ['3', 's', '-3s', '3ms', 3, null, { seconds: 3 }, undefined])
    expect(of(inStream(retryInfo(wrong)))).toBeUndefined()
  for (const error of [inBody('{"error'), inBody('null'), inStream(null), new Error('no'), null, 'x'])
    expect(of(error)).toBeUndefined()
})

describe('models that are no models', () => {
  test.each<[what: string, model: unknown, kind: string]>([
    [
      'throws at once',
      () => {
        throw new Error('No key.')
      },
      'unknown',
    ],
    [
      'throws undefined',
      () => {
        throw undefined
      },
      'unknown',
    ],
    ['gives nothing', () => undefined, 'invalid-request'],
    ['gives a list', () => [1, 2], 'invalid-request'],
    ['rejects', () => Promise.reject(new Error('No.')), 'unknown'],
    [
      'throws later',
      async function* () {
        yield { type: 'text-start', id: 'a' }
        throw new Error('Broken.')
      },
      'unknown',
    ],
    [
      'gives nonsense',
      async function* () {
        yield null
        yield 7
        yield {}
      },
      'network',
    ],
  ])('one that %s', async (_, model, kind) => {
    const turn = runTurn({ model: model as Model, conversation: 'Hi', maxRetries: 0 })
    await expect(turn).rejects.toMatchObject({ name: 'TurnError', kind, result: { stopReason: 'error' } })
  })

  test('a callback that throws ends the turn, and the request with it', async () => {
    const server = await ModelServer.start([{ chunks: OK.chunks.slice(0, 2), end: 'silent' }])
    const turn = runTurn({
      model: openaiChatModel({ baseUrl: server.url, model: 'm' }),
      conversation: 'Hi',
      onChunk: () => {
        throw new Error('My own.')
      },
    })
    await expect(turn).rejects.toThrow('My own.')
    await server.untilLeft()
  })

  test('the words of an error do not make it an abort', async () => {
    const model = scripted('x')
    const turn = runTurn({
      model: () => {
        throw new Error('transaction aborted')
      },
      conversation: 'Hi',
    })
    await expect(turn).rejects.toMatchObject({ kind: 'unknown', result: { stopReason: 'error' } })
    expect(model.requests).toEqual([])
  })
})
