import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ModelServer, type Reply, refusal, streamed } from '../turn/model-server.ts'
import { CHAT, chunk, pause, serve, TOOL, textReply } from './harness.ts'

const HERMES = 'I look.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'

// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols
type Loose = any

const upstreamOf = (model: ModelServer, more: object = {}): Record<string, unknown> => ({
  upstreams: { one: { url: model.url, protocol: 'openai-chat', key: 'client', ...more } },
})

/** What a request of each protocol says, and where the answer that is not streamed has its text and its call. */
const PROTOCOLS = [
  {
    name: 'Chat Completions',
    path: '/v1/chat/completions',
    body: CHAT,
    said: ({ choices: [{ message, finish_reason }] }: Loose) => [
      message.content,
      message.tool_calls?.map((call: Loose) => [call.function.name, JSON.parse(call.function.arguments)]),
      finish_reason,
    ],
    end: 'tool_calls',
  },
  {
    name: 'Responses',
    path: '/v1/responses',
    body: { model: 'm', input: 'Hi', tools: [{ type: 'function', ...TOOL.function }] },
    said: ({ output, status }: Loose) => [
      output.find((item: Loose) => item.type === 'message')?.content[0].text,
      output
        .filter((item: Loose) => item.type === 'function_call')
        .map((call: Loose) => [call.name, JSON.parse(call.arguments)]),
      status,
    ],
    end: 'completed',
  },
  {
    name: 'Anthropic Messages',
    path: '/v1/messages',
    body: {
      model: 'm',
      max_tokens: 100,
      messages: CHAT.messages,
      tools: [{ name: 'ls', input_schema: TOOL.function.parameters }],
    },
    said: ({ content, stop_reason }: Loose) => [
      content.find((block: Loose) => block.type === 'text')?.text,
      content
        .filter((block: Loose) => block.type === 'tool_use')
        .map((call: Loose) => [call.name, call.input]),
      stop_reason,
    ],
    end: 'tool_use',
  },
  {
    name: 'Ollama',
    path: '/api/chat',
    body: { ...CHAT, stream: false },
    said: ({ message, done_reason }: Loose) => [
      message.content,
      message.tool_calls?.map((call: Loose) => [call.function.name, call.function.arguments]),
      done_reason,
    ],
    end: 'stop',
  },
] as const

describe.each(PROTOCOLS)('a client of $name', ({ path, body, said, end }) => {
  const MODES: readonly [mode: string, reply: Reply, more: object][] = [
    [
      'native',
      streamed('openai-chat', [
        { type: 'text', text: 'I look.', state: 'done' },
        { type: 'call', id: 'c1', toolName: 'ls', input: { path: '.' }, status: 'complete', repairs: [] },
      ] as never),
      {},
    ],
    ['template', textReply(HERMES), { mode: 'template', dialect: 'hermes' }],
    ['prompt', textReply(HERMES), { mode: 'prompt', dialect: 'hermes' }],
  ]

  test.each(MODES)('gets the same message in the mode %s', async (mode, reply, more) => {
    const model = await ModelServer.start([reply])
    const { post } = await serve(upstreamOf(model, more))
    const response = await post(path, body, { authorization: 'Bearer mine' })
    expect(response.status).toBe(200)
    expect(said(await response.json())).toEqual(['I look.', [['ls', { path: '.' }]], end])
    const [sent] = model.requests
    expect(sent!.headers.authorization).toBe('Bearer mine')
    expect(Boolean(sent!.body.tools)).toBe(mode !== 'prompt')
    expect(sent!.body.tool_choice).toBe(mode === 'template' ? 'none' : undefined)
    if (mode === 'prompt') expect(sent!.body.messages[0].content).toContain('<tool_call>')
  })

  test('gets the errors of the upstream in its own protocol, with the status and the time to wait', async () => {
    const model = await ModelServer.start([refusal(429, { 'retry-after': '61' })])
    const { post } = await serve(upstreamOf(model))
    const response = await post(path, { ...body, stream: true })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('61')
    const text = await response.text()
    expect(text).toContain('Not now.')
    const { error, type } = JSON.parse(text)
    if (path === '/v1/messages') expect([type, error.type]).toEqual(['error', 'rate_limit_error'])
    if (path === '/v1/chat/completions') expect(error.type).toBe('rate_limit_exceeded')
    if (path === '/api/chat') expect(typeof error).toBe('string')
  })

  test('is told that its request is wrong', async () => {
    const { post } = await serve()
    expect((await post(path, { nonsense: true })).status).toBe(400)
  })

  test('is told when the stream breaks off', async () => {
    const reply = { chunks: [chunk({ content: 'I lo' })], end: 'dropped' } as const
    const model = await ModelServer.start([reply, reply])
    const { post } = await serve(upstreamOf(model))
    const text = await (await post(path, { ...body, stream: true })).text()
    expect(text).toContain('I lo')
    expect(text).toMatch(/"error"|response\.failed/)
    expect(text).not.toMatch(/"finish_reason":"(stop|tool_calls)"|"done":true|message_stop|"end_turn"/)
    // Half an answer is none.
    expect((await post(path, { ...body, stream: false })).status).toBeGreaterThanOrEqual(500)
    expect(model.requests.length).toBe(2)
  })

  test.each<[name: string, reply: Reply, says: string]>([
    ['a page', { headers: { 'content-type': 'text/html' }, chunks: ['<html>Log in</html>'] }, '<html>Log in'],
    ['nothing', { chunks: [] }, 'ended before the response was over'],
    ['comments', { chunks: [': ping\n\n', ': ping\n\n'] }, 'ended before the response was over'],
    [
      'an error under the status 200',
      { headers: { 'content-type': 'application/json' }, chunks: ['{"error":"No credit."}'] },
      'No credit.',
    ],
  ])('is told by the status that the upstream answered with %s', async (_, reply, says) => {
    const model = await ModelServer.start([reply, reply])
    const { post } = await serve({ ...upstreamOf(model), retries: 0 })
    for (const stream of [true, false]) {
      const response = await post(path, { ...body, stream })
      const told = (await response.text()).replaceAll('\\"', '"')
      expect([response.status, told]).toEqual([502, expect.stringContaining(says)])
      expect(told).not.toContain('sluice()')
    }
  })
})

describe('a request', () => {
  test('is sent again before the first token, and only then', async () => {
    const model = await ModelServer.start([
      refusal(503, { 'retry-after': '0' }),
      refusal(529, { 'retry-after': '0' }),
      textReply('Hello'),
    ])
    const { post } = await serve(upstreamOf(model))
    const body = await (await post('/v1/chat/completions', CHAT)).json()
    expect(body.choices[0].message.content).toBe('Hello')
    expect(model.requests.length).toBe(3)
  })

  test('is refused without the key that the upstream quotes', async () => {
    const key = 'sk-proj-abcdefgh12345678'
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${key}.` } })
    const model = await ModelServer.start([
      { status: 401, headers: { 'content-type': 'application/json' }, chunks: [body] },
    ])
    const { post, reports } = await serve(upstreamOf(model))
    const response = await post('/v1/chat/completions', CHAT, { authorization: `Bearer ${key}` })
    const text = await response.text()
    expect([response.status, text]).toEqual([401, expect.stringContaining('[key]')])
    // A client could take it for a refusal of the gateway itself.
    expect(text).toContain('The upstream failed: The server answered 401')
    expect(JSON.stringify(reports)).not.toContain(key)
  })

  test('is not sent again where that cannot help', async () => {
    const model = await ModelServer.start([refusal(401)])
    const { post } = await serve(upstreamOf(model))
    expect((await post('/v1/chat/completions', CHAT)).status).toBe(401)
    expect(model.requests.length).toBe(1)
  })

  test.each([
    ['first token', { firstTokenTimeoutMs: 60 }, { chunks: [], end: 'silent' }],
    ['idle', { idleTimeoutMs: 60 }, { chunks: [chunk({ content: 'a' })], end: 'silent' }],
  ] as const)('does not wait for ever: %s', async (name, times, reply) => {
    const model = await ModelServer.start([reply])
    const { post } = await serve({ ...upstreamOf(model), ...times, retries: 0 })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true })
    if (name === 'idle') expect(await response.text()).toContain('did not answer in time')
    else expect(response.status).toBe(504)
    await model.untilLeft()
  })

  test('does not wait for ever: a server that takes a connection and never answers', async () => {
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { post } = await serve({
      upstreams: { one: { url: `http://127.0.0.1:${port}`, protocol: 'openai-chat' } },
      connectTimeoutMs: 60,
      retries: 0,
    })
    expect((await post('/v1/chat/completions', CHAT)).status).toBe(504)
  })

  test('leaves places for others where one key has too many', async () => {
    const silent: Reply = { chunks: [chunk({ content: 'a' })], end: 'silent' }
    const model = await ModelServer.start([silent, silent])
    const { post } = await serve({
      upstreams: { one: { url: model.url, protocol: 'openai-chat', key: 'our-key-1' } },
      keys: ['first', 'second'],
      maxRunsPerKey: 1,
    })
    const ask = (key: string): Promise<Response> =>
      post('/v1/chat/completions', { ...CHAT, stream: true }, { authorization: `Bearer ${key}` })
    const running = await ask('first')
    const refused = await ask('first')
    expect([running.status, refused.status, refused.headers.get('retry-after')]).toEqual([200, 429, '1'])
    const other = await ask('second')
    expect(other.status).toBe(200)
    await Promise.all([running.body!.cancel(), other.body!.cancel()])
  })

  test('ends at the upstream when its client leaves', async () => {
    const model = await ModelServer.start([{ chunks: [chunk({ content: 'a' })], end: 'silent' }])
    const { post, gateway } = await serve(upstreamOf(model))
    const controller = new AbortController()
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, {}, controller.signal)
    await response.body!.getReader().read()
    controller.abort()
    await model.untilLeft()
    while (gateway.limits.running > 0) await pause(5)
  })

  test('ends at the upstream when its client leaves before anything came', async () => {
    const model = await ModelServer.start([{ chunks: [], end: 'silent' }])
    const { post, gateway } = await serve(upstreamOf(model))
    const controller = new AbortController()
    const asked = post('/v1/chat/completions', { ...CHAT, stream: true }, {}, controller.signal)
    while (model.requests.length === 0) await pause(5)
    controller.abort()
    await expect(asked).rejects.toThrow()
    await model.untilLeft()
    while (gateway.limits.running > 0) await pause(5)
  })

  test('may be nested too deeply', async () => {
    const { post } = await serve()
    const nested = (levels: number): object => JSON.parse(`${'{"a":['.repeat(levels)}${']}'.repeat(levels)}`)
    const statusFor = async (levels: number): Promise<number> => {
      const tools = [
        { type: 'function', function: { name: 'f', description: '"[[', parameters: nested(levels) } },
      ]
      return (await post('/v1/chat/completions', { ...CHAT, tools })).status
    }
    expect([await statusFor(200), await statusFor(1_000)]).toEqual([200, 400])
  })

  test('may be too large, too many, or without a key', async () => {
    const model = await ModelServer.start([{ chunks: [chunk({ content: 'a' })], end: 'silent' }])
    const { post } = await serve({
      upstreams: { one: { url: model.url, key: 'their-key-1' } },
      keys: ['secret'],
      maxBodyBytes: 1000,
      maxRuns: 1,
    })
    const key = { authorization: 'Bearer secret' }
    expect((await post('/v1/chat/completions', CHAT)).status).toBe(401)
    expect((await post('/v1/messages', CHAT, { 'x-api-key': 'wrong' })).status).toBe(401)
    const large = { ...CHAT, messages: [{ role: 'user', content: 'x'.repeat(2000) }] }
    expect((await post('/v1/chat/completions', large, key)).status).toBe(413)
    const first = await post('/v1/chat/completions', { ...CHAT, stream: true }, key)
    expect(first.status).toBe(200)
    const second = await post('/v1/chat/completions', CHAT, key)
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1'])
    await first.body!.cancel()
    expect(model.requests[0]!.headers.authorization).toBe('Bearer their-key-1')
  })

  test('gets the usage of a stream where it asks for it, and log probabilities', async () => {
    const logprobs = { content: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }] }
    const choice = { index: 0, delta: { content: 'a' }, logprobs, finish_reason: null }
    const reply = {
      chunks: [
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [choice] })}\n\n`,
        chunk({}, 'stop'),
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })}\n\n`,
        'data: [DONE]\n\n',
      ],
    }
    const model = await ModelServer.start([reply, reply, reply])
    const { post } = await serve(upstreamOf(model))
    const body = { ...CHAT, stream: true, logprobs: true }
    const plain = await (await post('/v1/chat/completions', body)).text()
    expect(plain).not.toContain('"usage"')
    expect(plain).toContain('"logprob":-1')
    const asked = { ...body, stream_options: { include_usage: true } }
    expect(await (await post('/v1/chat/completions', asked)).text()).toContain('"total_tokens":3')
    const whole = await (await post('/v1/chat/completions', { ...body, stream: false })).json()
    expect(whole.usage.total_tokens).toBe(3)
    expect(whole.choices[0].logprobs).toEqual(logprobs)
  })
})

describe('a call', () => {
  const BAD = [
    [
      'was cut off',
      '<tool_call>{"name": "ls", "arguments": {"path": "/',
      'truncated',
      'length max_tokens length',
    ],
    [
      'does not fit the schema',
      '<tool_call>{"name": "ls", "arguments": {"p": 1}}</tool_call>',
      'invalid',
      'stop end_turn stop',
    ],
    [
      'is of an unknown tool',
      '<tool_call>{"name": "rm", "arguments": {}}</tool_call>',
      'invalid',
      'stop end_turn stop',
    ],
  ] as const

  test.each(BAD)('that %s is never presented as one that may run', async (_, text, status, reasons) => {
    const model = await ModelServer.start(Array.from({ length: 4 }, () => textReply(text)))
    const { post } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }))
    const chat = await (await post('/v1/chat/completions', CHAT)).json()
    expect(chat.choices[0].message.tool_calls).toBeUndefined()
    expect(chat.sluice.notes).toContainEqual({ verdict: expect.objectContaining({ status }) })
    const { body } = PROTOCOLS[2]
    const claude = await (await post('/v1/messages', body)).json()
    expect(claude.content.filter((block: { type: string }) => block.type === 'tool_use')).toEqual([])
    const local = await (await post('/api/chat', { ...CHAT, stream: false })).json()
    expect(local.message.tool_calls).toBeUndefined()
    expect([chat.choices[0].finish_reason, claude.stop_reason, local.done_reason].join(' ')).toBe(reasons)
    const headers = { 'sluice-extensions': '1' }
    const stream = await (await post('/v1/chat/completions', { ...CHAT, stream: true }, headers)).text()
    expect(stream).toContain(`"status":"${status}"`)
  })

  test('of a tool whose schema has a broken pattern is refused, and the request is served', async () => {
    const text = '<tool_call>{"name": "ls", "arguments": {"path": "/"}}</tool_call>'
    const model = await ModelServer.start([textReply('Hello.'), textReply(text)])
    const { post } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }))
    const parameters = { type: 'object', properties: { path: { type: 'string', pattern: '(' } } }
    const body = { ...CHAT, tools: [{ type: 'function', function: { name: 'ls', parameters } }] }
    const served = await (await post('/v1/chat/completions', body)).json()
    expect(served.choices[0].message.content).toBe('Hello.')
    const refused = await (await post('/v1/chat/completions', body)).json()
    expect(refused.choices[0].message.tool_calls).toBeUndefined()
    expect(JSON.stringify(refused.sluice.notes)).toContain('The pattern ( is not a regular expression.')
  })

  test('that was cut off ends a message for Anthropic with max_tokens, because its client reads the arguments as whole ones', async () => {
    const [[, text]] = BAD
    const model = await ModelServer.start([textReply(text)])
    const { post } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }))
    const { body } = PROTOCOLS[2]
    const stream = await (await post('/v1/messages', { ...body, stream: true })).text()
    expect(stream).toContain('"type":"tool_use"')
    expect(stream.match(/"stop_reason":"\w+"/g)).toEqual(['"stop_reason":"max_tokens"'])
  })

  test.each([
    '<|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}',
    'I look. [TOOL_CALLS][{"name": "ls", "arguments": {"path": "."}}]',
  ])('in the text of another dialect is reported loudly: %s', async (text) => {
    const model = await ModelServer.start([textReply(text)])
    const { post, reports } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }))
    await (await post('/v1/chat/completions', CHAT)).text()
    expect(reports).toContainEqual(
      expect.objectContaining({ level: 'warn', what: 'the dialect does not fit' }),
    )
  })
})

describe('the gateway', () => {
  test('tries everything without an upstream', async () => {
    const { post, url } = await serve()
    const body = await (await post('/v1/chat/completions', CHAT)).json()
    expect(body.choices[0]).toMatchObject({
      message: { content: 'You said: Hi\n', tool_calls: [{ function: { name: 'ls' } }] },
      finish_reason: 'tool_calls',
    })
    const { data } = await (await fetch(`${url}/v1/models`)).json()
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['sluice-scripted'])
    const { models } = await (await fetch(`${url}/api/tags`)).json()
    expect(models[0].name).toBe('sluice-scripted')
    expect((await post('/api/show', { model: 'sluice-scripted' })).status).toBe(200)
    expect((await post('/v1/embeddings', { model: 'x', input: 'y' })).status).toBe(404)
    const ui = await post('/v1/ui', {
      id: 'chat',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    })
    expect(ui.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(await ui.text()).toContain('"type":"text-delta"')
  })

  test('passes embeddings and completions through', async () => {
    const model = await ModelServer.start([
      { headers: { 'content-type': 'application/json' }, chunks: ['{"data":[]}'] },
    ])
    const { post } = await serve(upstreamOf(model, { models: { small: { model: 'bge-small' } } }))
    const response = await post(
      '/v1/embeddings',
      { model: 'small', input: 'x' },
      { authorization: 'Bearer k' },
    )
    expect(await response.json()).toEqual({ data: [] })
    expect(model.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'bge-small', input: 'x' },
      headers: { authorization: 'Bearer k' },
    })
  })

  test('sends each model where the configuration says', async () => {
    const [first, second] = [
      await ModelServer.start([textReply('one')]),
      await ModelServer.start([textReply('two'), textReply('two')]),
    ]
    const { post } = await serve({
      upstreams: {
        a: { url: first.url, protocol: 'openai-chat' },
        b: { url: second.url, protocol: 'openai-chat', models: { fast: { model: 'tiny-1' } } },
      },
    })
    const ask = async (model: string): Promise<string> =>
      (await (await post('/v1/chat/completions', { ...CHAT, model })).json()).choices[0].message.content
    expect([await ask('m'), await ask('fast'), await ask('b/other')]).toEqual(['one', 'two', 'two'])
    expect(second.requests.map(({ body }) => body.model)).toEqual(['tiny-1', 'other'])
  })

  test('says in the protocol of the client that a path is not there, or a key is wrong', async () => {
    const { url } = await serve({ keys: ['secret'] })
    const claude = { 'anthropic-version': '2023-06-01' }
    const ask = async (path: string, headers = {}): Promise<[number, Loose]> => {
      const response = await fetch(url + path, { headers })
      return [response.status, await response.json()]
    }
    const says = expect.stringContaining('is not a path of this gateway')
    expect(await ask('/api/ps')).toEqual([404, { error: says }])
    expect(await ask('/v1/files')).toMatchObject([404, { error: { message: says, type: 'not_found' } }])
    const missing = { type: 'error', error: { type: 'not_found_error', message: says } }
    expect(await ask('/v1/files', claude)).toMatchObject([404, missing])
    const post = { error: { message: '/v1/chat/completions takes POST, not GET.' } }
    expect(await ask('/v1/chat/completions')).toMatchObject([405, post])
    expect(await ask('/api/tags')).toEqual([401, { error: 'The API key is missing or wrong.' }])
    const refused = { type: 'error', error: { type: 'authentication_error' } }
    expect(await ask('/v1/models', claude)).toMatchObject([401, refused])
  })

  test('is healthy, ready and has figures', async () => {
    const { url, post } = await serve()
    await (await post('/v1/chat/completions', CHAT, { authorization: 'Bearer sk-very-secret-1' })).text()
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain(
      'sluice_runs_total{finish="tool-calls",upstream="scripted",protocol="openai-chat"} 1',
    )
    expect(metrics).toContain('sluice_calls_total{verdict="complete"} 1')
    expect(metrics).not.toContain('secret')
  })

  test('finishes what runs before it stops, and takes nothing new', async () => {
    const { url, post, gateway, stop } = await serve({ drainMs: 5_000 })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true })
    const stopping = stop()
    expect(gateway.isDraining).toBe(true)
    expect(await response.text()).toContain('[DONE]')
    await stopping
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })

  test('keeps a waiting client alive, and gives up one that takes nothing', async () => {
    const slow: Reply = { chunks: [chunk({ content: 'a' })], end: 'silent' }
    const model = await ModelServer.start([slow])
    const { post } = await serve({ ...upstreamOf(model), keepAliveMs: 20 })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true })
    const reader = response.body!.getReader()
    let text = ''
    while (!text.includes(': keep-alive')) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    await model.untilLeft()
  })
})

const OLLAMA_LINE =
  '{"model":"m","created_at":"2026","message":{"role":"assistant","content":"Hi"},"done":false}\n'

describe('an upstream that fails', () => {
  test.each<[name: string, reply: Reply, told: object]>([
    ['a status', refusal(401), { attempt: 1, status: 401, kind: 'auth' }],
    [
      'an error in the stream',
      { chunks: ['data: {"error":{"message":"SECRET","code":503}}\n\n'] },
      { kind: 'overloaded' },
    ],
    [
      'a cut',
      { chunks: [chunk({ content: 'Hi' })], end: 'dropped' },
      { kind: 'network', message: expect.any(String) },
    ],
    [
      'a stream that just ends',
      { chunks: [chunk({ content: 'Hi' })] },
      { kind: 'network', message: 'The stream ended before the response was over.' },
    ],
    [
      'another protocol',
      { chunks: [OLLAMA_LINE] },
      {
        kind: 'unknown',
        message:
          "The upstream answers in ollama and not in openai-chat; set '--protocol ollama' or 'upstreams.one.protocol'.",
      },
    ],
    [
      'a page',
      { chunks: ['<html>SECRET</html>'] },
      {
        kind: 'unknown',
        message:
          "The upstream does not answer in openai-chat; check its address, and '--protocol NAME' or 'upstreams.one.protocol'.",
      },
    ],
  ])('is reported without what it said: %s', async (_, reply, told) => {
    const model = await ModelServer.start([reply])
    const { post, reports } = await serve({ ...upstreamOf(model), retries: 0 })
    await (await post('/v1/chat/completions', { ...CHAT, stream: true })).text()
    const more = expect.objectContaining({ upstream: 'one', protocol: 'openai-chat', attempt: 1, ...told })
    expect(reports).toEqual([{ level: 'warn', what: 'the upstream failed', more }])
    expect(JSON.stringify(reports)).not.toMatch(/SECRET|Not now/)
  })

  test.each<[protocol: string, reply: Reply, found: string]>([
    ['ollama', textReply('Hi'), 'openai-chat'],
    ['anthropic', textReply('Hi'), 'openai-chat'],
    ['openai-chat', { chunks: [OLLAMA_LINE] }, 'ollama'],
  ])(
    'is asked once if it does not speak %s, and the client learns what to set',
    async (protocol, reply, found) => {
      const model = await ModelServer.start([reply, reply])
      const { post } = await serve(upstreamOf(model, { protocol }))
      const response = await post('/v1/chat/completions', CHAT)
      const says = `The upstream answers in ${found} and not in ${protocol}; set '--protocol ${found}'`
      expect([response.status, await response.text()]).toEqual([502, expect.stringContaining(says)])
      expect(model.requests.length).toBe(1)
    },
  )

  test('is reported where a request is passed through', async () => {
    const model = await ModelServer.start([refusal(404)])
    const { post, reports } = await serve(upstreamOf(model))
    expect((await post('/v1/embeddings', { model: 'm', input: 'Hi' })).status).toBe(404)
    const more = { upstream: 'one', path: '/v1/embeddings', status: 404 }
    expect(reports).toEqual([{ level: 'warn', what: 'the upstream failed', more }])
  })
})
