import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ModelServer, type Reply, streamed } from '../turn/model-server.ts'
import { CHAT, chunk, serve, TOOL, textReply } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of five protocols
type Loose = any

const LS = { name: 'ls', input_schema: TOOL.function.parameters }
const UI = {
  id: 'chat',
  model: 'm',
  messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
}

/** Requests that allow no call at all. */
const FORBIDDEN: readonly [what: string, path: string, body: object][] = [
  ['Chat Completions without tools', '/v1/chat/completions', { ...CHAT, tools: undefined }],
  ['Chat Completions with tool_choice none', '/v1/chat/completions', { ...CHAT, tool_choice: 'none' }],
  ['Responses without tools', '/v1/responses', { model: 'm', input: 'Hi' }],
  [
    'Responses with tool_choice none',
    '/v1/responses',
    { model: 'm', input: 'Hi', tools: [{ type: 'function', ...TOOL.function }], tool_choice: 'none' },
  ],
  ['Messages without tools', '/v1/messages', { model: 'm', max_tokens: 9, messages: CHAT.messages }],
  [
    'Messages with tool_choice none',
    '/v1/messages',
    { model: 'm', max_tokens: 9, messages: CHAT.messages, tools: [LS], tool_choice: { type: 'none' } },
  ],
  ['Ollama without tools', '/api/chat', { model: 'm', messages: CHAT.messages }],
  ['a page without tools', '/v1/ui', UI],
]

/** Requests that allow the call. */
const ALLOWED: readonly [path: string, body: object][] = [
  ['/v1/chat/completions', CHAT],
  ['/v1/responses', { model: 'm', input: 'Hi', tools: [{ type: 'function', ...TOOL.function }] }],
  ['/v1/messages', { model: 'm', max_tokens: 9, messages: CHAT.messages, tools: [LS] }],
  ['/api/chat', CHAT],
  ['/v1/ui', { ...UI, tools: { ls: { inputSchema: TOOL.function.parameters } } }],
]

const CALL = { type: 'call', id: 'c1', toolName: 'ls', input: { path: '.' }, status: 'complete', repairs: [] }
const NATIVE = streamed('openai-chat', [{ type: 'text', text: 'I look.', state: 'done' }, CALL] as never)
const TEXT = textReply('I look.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>')
const MODES: readonly [mode: string, reply: Reply, more: object][] = [
  ['native', NATIVE, {}],
  ['template', TEXT, { mode: 'template', dialect: 'hermes' }],
  // A server that parses calls although it was asked not to.
  ['template', NATIVE, { mode: 'template', dialect: 'hermes' }],
  ['prompt', TEXT, { mode: 'prompt', dialect: 'hermes' }],
  ['prompt', NATIVE, { mode: 'prompt', dialect: 'hermes' }],
]

const upstreamOf = (model: ModelServer, more: object = {}): Record<string, unknown> => ({
  upstreams: { one: { url: model.url, protocol: 'openai-chat', ...more } },
})

describe.each(MODES)('in the mode %s, a call that the client did not allow', (_, reply, more) => {
  test('is nowhere in the answer', async () => {
    const model = await ModelServer.start(FORBIDDEN.flatMap(() => [reply, reply]))
    const { post, url } = await serve({ ...upstreamOf(model, more), resumable: 'always' }, { hasLog: true })
    for (const [what, path, body] of FORBIDDEN) {
      const stream = await post(path, { ...body, stream: true })
      const texts = [await stream.text(), await (await post(path, { ...body, stream: false })).text()]
      // The same for those who come back.
      texts.push(await (await fetch(`${url}/v1/runs/${stream.headers.get('sluice-run')}`)).text())
      for (const text of texts) {
        expect(text, what).toContain('I lo')
        const calls = /"tool_calls":|tool_use|"function_call"|tool-input|tool-call|"ls"|"path"/
        expect(text.replace(/"tools":\[.*?\]/g, ''), what).not.toMatch(calls)
      }
    }
  })
})

describe('a call', () => {
  test('of a tool that the choice of tools leaves out may not run', async () => {
    const model = await ModelServer.start([NATIVE, NATIVE])
    const { post } = await serve(upstreamOf(model))
    const rm = { type: 'function', function: { name: 'rm', parameters: { type: 'object' } } }
    const tools = [TOOL, rm]
    const choices = [
      { type: 'function', function: { name: 'rm' } },
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [rm] } },
    ]
    for (const tool_choice of choices) {
      const body = await (await post('/v1/chat/completions', { ...CHAT, tools, tool_choice })).json()
      const [{ message, finish_reason }] = body.choices
      expect([message.tool_calls, finish_reason]).toEqual([undefined, 'stop'])
      expect(body.sluice.notes).toContainEqual({
        verdict: expect.objectContaining({ toolName: 'ls', status: 'invalid' }),
      })
    }
  })

  test('with an integer that JavaScript cannot hold is passed on with all of its digits', async () => {
    const reply = textReply('<tool_call>{"name": "rm", "arguments": {"id": 9007199254740993}}</tool_call>')
    const model = await ModelServer.start([reply])
    const { post } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }))
    const parameters = { type: 'object', properties: { id: { type: 'number' } } }
    const tools = [{ type: 'function', function: { name: 'rm', parameters } }]
    const answer = await (await post('/v1/chat/completions', { ...CHAT, tools, stream: true })).text()
    const pieces = [...answer.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, piece]) =>
      JSON.parse(piece!),
    )
    expect(pieces.join('')).toBe('{"id": 9007199254740993}')
    expect(answer).toContain('"finish_reason":"tool_calls"')
  })

  test.each([
    ['/v1/messages', 'schema', false],
    ['/v1/messages', 'schema', true],
    ['/v1/messages', 'wire', false],
    ['/api/chat', 'schema', false],
    ['/api/chat', 'schema', true],
    ['/api/chat', 'wire', true],
  ] as const)(
    'with such an integer reaches a client that gets a value with all of its digits: %s, verify %s, streamed %j',
    async (path, verify, stream) => {
      const reply = textReply('<tool_call>{"name": "rm", "arguments": {"id": 9007199254740993}}</tool_call>')
      const model = await ModelServer.start([reply])
      const upstreams = upstreamOf(model, { mode: 'template', dialect: 'hermes' })
      const { post } = await serve({ ...upstreams, verify })
      const schema = { type: 'object', properties: { id: { type: 'number' } } }
      const tool =
        path === '/api/chat'
          ? { type: 'function', function: { name: 'rm', parameters: schema } }
          : { name: 'rm', input_schema: schema }
      const answer = await (await post(path, { ...CHAT, max_tokens: 9, tools: [tool], stream })).text()
      const pieces = [...answer.matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)]
      const json = pieces.map(([, piece]) => JSON.parse(piece!)).join('')
      expect(json || answer).toMatch(/"id": ?9007199254740993}/)
    },
  )

  test('of a tool of the provider that the application runs is passed on', async () => {
    const bash = { ...CALL, toolName: 'bash', input: { command: 'ls' } }
    const reply = streamed('anthropic', [bash] as never)
    const model = await ModelServer.start([reply, reply])
    const { post } = await serve({ upstreams: { one: { url: model.url, protocol: 'anthropic' } } })
    const body = { model: 'm', max_tokens: 9, messages: CHAT.messages }
    const tools = [{ type: 'bash_20250124', name: 'bash' }]
    const alone: Loose = await (await post('/v1/messages', { ...body, tools })).json()
    expect([alone.stop_reason, alone.content[0].input]).toEqual(['tool_use', { command: 'ls' }])
    const both: Loose = await (await post('/v1/messages', { ...body, tools: [...tools, LS] })).json()
    expect([both.stop_reason, both.content[0].name]).toEqual(['tool_use', 'bash'])
  })

  test('without a single argument, cut off behind its name, is no call with empty arguments', async () => {
    const start = { index: 0, id: 'c1', type: 'function', function: { name: 'ls', arguments: '' } }
    const cut: Reply = {
      chunks: [
        chunk({ content: 'a' }),
        chunk({ tool_calls: [start] }),
        chunk({}, 'length'),
        'data: [DONE]\n\n',
      ],
    }
    const model = await ModelServer.start([cut, cut, cut])
    const { post } = await serve(upstreamOf(model))
    const claude: Loose = await (
      await post('/v1/messages', { model: 'm', max_tokens: 9, messages: CHAT.messages, tools: [LS] })
    ).json()
    expect(claude.content.map(({ type }: Loose) => type)).toEqual(['text'])
    expect(claude.stop_reason).toBe('max_tokens')
    const chat: Loose = await (await post('/v1/chat/completions', CHAT)).json()
    expect(chat.choices[0].message.tool_calls).toBeUndefined()
    const stream = await (await post('/v1/chat/completions', { ...CHAT, stream: true })).text()
    expect(stream).not.toContain('"arguments":"{}"')
    expect(stream).not.toContain('"finish_reason":"tool_calls"')
  })

  test('that the model only thinks of is in no answer', async () => {
    const ls = { functionCall: { name: 'ls', args: { path: '.' } }, thought: true }
    const whole = {
      candidates: [{ content: { role: 'model', parts: [ls, { text: 'I look.' }] }, finishReason: 'STOP' }],
    }
    const chunks = [`data: ${JSON.stringify(whole)}\n\n`]
    const model = await ModelServer.start(ALLOWED.flatMap(() => [{ chunks }, { chunks }]))
    const { post } = await serve({ upstreams: { one: { url: model.url, protocol: 'gemini' } } })
    for (const [path, body] of ALLOWED)
      for (const stream of [true, false]) {
        const text = await (await post(path, { ...body, stream })).text()
        expect(text, path).toContain('I look.')
        const answer = text.replace(/"tools":\[.*?\]|"sluice":.*$/gm, '')
        expect(answer, path).not.toMatch(/"tool_calls"|tool_use|"function_call"|tool-input-available|"path"/)
      }
  })

  test('that may not run is not what a stream ends for', async () => {
    const bad = streamed('openai-chat', [{ ...CALL, input: { p: 1 } }] as never)
    const model = await ModelServer.start([bad])
    const { post } = await serve(upstreamOf(model))
    const text = await (await post('/v1/chat/completions', { ...CHAT, stream: true })).text()
    expect(text).toContain('"finish_reason":"stop"')
    const pieces = [...text.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json!))
    expect(() => JSON.parse(pieces.join(''))).toThrow()
  })
})

describe('a request', () => {
  /** `fetch` sets these headers itself. */
  const sendAs = (url: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', reject)
      request.end(JSON.stringify(CHAT))
    })

  test('of a page of another site is refused, and so is one under a name that is not ours', async () => {
    const { url } = await serve({ hosts: ['gateway.test'] })
    const { host } = new URL(url)
    expect(await sendAs(url, { host })).toBe(200)
    expect(await sendAs(url, { host, origin: url })).toBe(200)
    expect(await sendAs(url, { host: 'gateway.test' })).toBe(200)
    for (const headers of [
      { host, origin: 'https://evil.test' },
      { host, origin: 'null' },
      { host: 'evil.test:8787' },
      { host: 'evil.test', origin: 'http://evil.test' },
    ])
      expect(await sendAs(url, headers)).toBe(403)
  })

  test('cannot lead the upstream to another path', async () => {
    const model = await ModelServer.start([])
    const { post } = await serve({
      upstreams: { one: { url: model.url, protocol: 'gemini', key: 'our-key-1' } },
    })
    for (const name of [
      '../../files',
      'a/../../b',
      'm:generateContent?x=',
      'm#',
      '..',
      'a\\b',
      'a%2fb',
      '/etc',
    ])
      expect((await post('/v1/chat/completions', { ...CHAT, model: name })).status).toBe(400)
    expect(model.requests).toEqual([])
  })

  test('is sent to no server that is not configured', async () => {
    const model = await ModelServer.start([
      { status: 307, headers: { location: 'http://127.0.0.1:9/' }, chunks: [] },
    ])
    const { post } = await serve({ ...upstreamOf(model), retries: 0 })
    const named = { ...CHAT, model: 'http://169.254.169.254/latest' }
    const response = await post('/v1/chat/completions', named, { 'x-upstream': 'http://127.0.0.1:9' })
    expect(response.status).toBe(502)
    expect(model.requests.map(({ body }) => body.model)).toEqual(['http://169.254.169.254/latest'])
  })

  test('that passes through is counted, and gives its place back', async () => {
    const json = { headers: { 'content-type': 'application/json' }, chunks: ['{"data":[]}'] }
    const model = await ModelServer.start([{ ...json, end: 'silent' }, json])
    const { post, gateway } = await serve({ ...upstreamOf(model), maxRunsPerKey: 1 })
    const first = await post('/v1/embeddings', { model: 'm', input: 'x' })
    const second = await post('/v1/embeddings', { model: 'm', input: 'x' })
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    await first.body!.cancel()
    await expect.poll(() => gateway.limits.running).toBe(0)
    expect((await post('/v1/embeddings', { model: 'm', input: 'x' })).status).toBe(200)
    expect(gateway.limits.running).toBe(0)
  })
})

test('a position means the same with and without extensions', async () => {
  const { post, url } = await serve({ resumable: 'always' }, { hasLog: true })
  const first = await post('/v1/chat/completions', { ...CHAT, stream: true }, { 'sluice-extensions': '1' })
  const run = first.headers.get('sluice-run')
  const framesOf = (text: string): string[] => text.split('\n\n').filter((frame) => frame !== '')
  const shown = framesOf(await first.text())
  const own = shown.filter((frame) => !frame.includes('"sluice"'))
  expect(own.length).toBeLessThan(shown.length)
  for (const [at, frame] of shown.entries()) {
    const after = /^id: (.*)$/m.exec(frame)![1]!
    const rest = framesOf(await (await fetch(`${url}/v1/runs/${run}?after=${after}`)).text())
    expect(rest).toEqual(shown.slice(at + 1).filter((one) => own.includes(one)))
  }
})

test('a position behind the end is an error, and the last one is not', async () => {
  const { post, url } = await serve({}, { hasLog: true })
  const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, { 'sluice-resumable': '1' })
  const last = [...(await response.text()).matchAll(/^id: (\S+)/gm)].at(-1)![1]!
  const statusBehind = async (position: string): Promise<number> =>
    (await fetch(`${url}/v1/runs/${response.headers.get('sluice-run')}?after=${position}`)).status
  expect([await statusBehind(last), await statusBehind('99999')]).toEqual([200, 400])
})

test('a number that is none is an error, and not an empty stream', async () => {
  const { post, url } = await serve({}, { hasLog: true })
  const body = { model: 'm', input: 'Hi', background: true, stream: true }
  const response = await post('/v1/responses', body)
  await response.text()
  const id = response.headers.get('sluice-run')
  expect((await fetch(`${url}/v1/responses/${id}?stream=true&starting_after=x`)).status).toBe(400)
})
