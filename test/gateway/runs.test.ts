import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/gateway/gateway-config.ts'
import { startGateway } from '../../src/gateway/server.ts'
import { asRecording, type Log, LogError, type NewRun, openFileLog } from '../../src/runs/log/index.ts'
import { parseRecording } from '../../src/runs/recording/index.ts'
import { ModelServer, type Reply, streamed } from '../turn/model-server.ts'
import { CHAT, chunk, pause, serve, textReply } from './harness.ts'

const HERMES = 'I look.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
const RESUMABLE = { 'sluice-resumable': '1' }
const SILENT: Reply = { chunks: [chunk({ content: 'I lo' })], end: 'silent' }

const upstreamOf = (model: ModelServer, more: object = {}): Record<string, unknown> => ({
  upstreams: { one: { url: model.url, protocol: 'openai-chat', ...more } },
})

const get = async (url: string, headers = {}): Promise<string> => (await fetch(url, { headers })).text()

describe('a run that can be come back to', () => {
  test('gives every reader the same bytes, from any position', async () => {
    const model = await ModelServer.start([textReply(HERMES)])
    const { post, url } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }), {
      hasLog: true,
    })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
    const id = response.headers.get('sluice-run')!
    const whole = await response.text()
    expect(whole).toMatch(/^id: \d+\.0\ndata: /)
    expect(await get(`${url}/v1/runs/${id}`)).toBe(whole)
    const frames = whole.split(/(?<=\n\n)/)
    expect(frames.length).toBeGreaterThan(5)
    for (const [at, frame] of frames.entries()) {
      const position = /^id: (\S+)/.exec(frame)![1]!
      expect(await get(`${url}/v1/runs/${id}?after=${position}`)).toBe(frames.slice(at + 1).join(''))
      const headers = { 'last-event-id': position }
      if (at === 3) expect(await get(`${url}/v1/runs/${id}`, headers)).toBe(frames.slice(4).join(''))
    }
  })

  test('is read in any protocol', async () => {
    const model = await ModelServer.start([textReply(HERMES)])
    const { post, url } = await serve(upstreamOf(model, { mode: 'template', dialect: 'hermes' }), {
      hasLog: true,
    })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
    const id = response.headers.get('sluice-run')!
    await response.text()
    expect(await get(`${url}/v1/runs/${id}?as=anthropic`)).toContain('"stop_reason":"tool_use"')
    expect(await get(`${url}/v1/runs/${id}?as=openai-responses`)).toContain('"type":"response.completed"')
    expect(await get(`${url}/v1/runs/${id}?as=ollama`)).toContain('"done_reason":"stop"')
    expect(await get(`${url}/v1/runs/${id}?as=ai-sdk-ui`)).toContain('"type":"tool-input-available"')
    expect(await get(`${url}/v1/runs/${id}?as=events`)).toContain('"type":"finish","reason":"tool-calls"')
    const claude = await (await fetch(`${url}/v1/runs/${id}?as=anthropic&stream=false`)).json()
    expect(claude.content.map(({ type }: { type: string }) => type)).toEqual(['text', 'tool_use'])
    expect((await fetch(`${url}/v1/runs/${id}?as=morse`)).status).toBe(400)
    expect((await fetch(`${url}/v1/runs/${id}?after=x`)).status).toBe(400)
  })

  test('goes on when its client leaves, and ends when someone stops it', async () => {
    const model = await ModelServer.start([SILENT])
    const { post, url, gateway } = await serve(upstreamOf(model), { hasLog: true })
    const controller = new AbortController()
    const response = await post(
      '/v1/chat/completions',
      { ...CHAT, stream: true },
      RESUMABLE,
      controller.signal,
    )
    const id = response.headers.get('sluice-run')!
    await response.body!.getReader().read()
    controller.abort()
    // Behind another request, the gateway has noticed that the client left.
    await fetch(`${url}/health`)
    expect(model.left).toBe(0)
    expect(gateway.limits.running).toBe(1)
    const whole = (as: string) => fetch(`${url}/v1/runs/${id}?stream=false&as=${as}`)
    expect((await whole('openai-chat')).status).toBe(409)
    const begun = await (await whole('openai-responses')).json()
    expect([begun.status, begun.sluice]).toEqual(['in_progress', { run: id, isClosed: false }])
    const reading = get(`${url}/v1/runs/${id}?as=events`)
    const stopping = await (await fetch(`${url}/v1/runs/${id}`, { method: 'DELETE' })).json()
    expect(stopping).toEqual({ id, stopped: true, deleted: false })
    await model.untilLeft()
    expect(await reading).toContain('"type":"finish","reason":"aborted"')
    while (gateway.limits.running > 0) await pause(5)
    for (const as of ['openai-chat', 'anthropic', 'ollama']) expect((await whole(as)).status, as).toBe(502)
    const stopped = await (await whole('openai-responses')).json()
    expect([stopped.status, stopped.sluice]).toEqual(['cancelled', { run: id, isClosed: true }])
    await fetch(`${url}/v1/runs/${id}?forget=1`, { method: 'DELETE' })
    expect((await fetch(`${url}/v1/runs/${id}`)).status).toBe(404)
  })

  test('is stopped before it is deleted, and its readers see how it ended', async () => {
    const model = await ModelServer.start([SILENT])
    const { post, url, reports } = await serve(upstreamOf(model), { hasLog: true })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
    const run = `${url}/v1/runs/${response.headers.get('sluice-run')}`
    const reading = await fetch(`${run}?as=events`)
    expect(await (await fetch(`${run}?forget=1`, { method: 'DELETE' })).json()).toMatchObject({
      stopped: true,
      deleted: true,
    })
    expect(await reading.text()).toContain('"type":"finish","reason":"aborted"')
    expect((await fetch(run)).status).toBe(404)
    expect(reports.filter(({ level }) => level === 'error')).toEqual([])
    await model.untilLeft()
  })

  test('belongs to the key that started it', async () => {
    const { post, url } = await serve({ keys: ['one', 'two'] }, { hasLog: true })
    const mine = { authorization: 'Bearer one' }
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, { ...RESUMABLE, ...mine })
    const id = response.headers.get('sluice-run')!
    await response.text()
    const statusFor = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/v1/runs/${id}`, { headers })).status
    expect(await statusFor(mine)).toBe(200)
    expect(await statusFor({ authorization: 'Bearer two' })).toBe(404)
    expect(await statusFor({})).toBe(401)
  })

  test('is not found without the key that its client sent, and the answer says so, as for a run that never was', async () => {
    const { post, url } = await serve({}, { hasLog: true })
    const sent = { authorization: 'Bearer any' }
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, { ...RESUMABLE, ...sent })
    const id = response.headers.get('sluice-run')!
    await response.text()
    for (const run of [id, `run_${'0'.repeat(32)}`]) {
      const { error } = await (await fetch(`${url}/v1/runs/${run}`)).json()
      expect(error.message).toBe(
        `There is no run '${run}': it never existed, has expired or was deleted. It is found only with the key that started it.`,
      )
    }
  })

  test('is a recording of what arrived, without keys', async () => {
    const model = await ModelServer.start([textReply(HERMES)])
    const { post, log } = await serve(
      {
        upstreams: {
          one: {
            url: model.url,
            protocol: 'openai-chat',
            key: 'client',
            mode: 'template',
            dialect: 'hermes',
          },
        },
      },
      { hasLog: true },
    )
    const headers = { ...RESUMABLE, authorization: 'Bearer sk-very-secret-1' }
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, headers)
    const id = response.headers.get('sluice-run')!
    await response.text()
    const lines: string[] = []
    for await (const record of log!.read(id)) lines.push(JSON.stringify(record))
    expect(lines.join('\n')).not.toContain('secret')
    const recording = parseRecording(await asRecording(log!.read(id)))
    const bytes = recording.chunks.map(({ chunk }) => new TextDecoder().decode(chunk as Uint8Array)).join('')
    expect(bytes).toBe(textReply(HERMES).chunks.join(''))
    expect(recording.header).toMatchObject({ provider: 'openai-chat', dialect: 'hermes' })
  })

  test('is unknown, and not empty, where there is none', async () => {
    const { url } = await serve({}, { hasLog: true })
    for (const path of ['/v1/runs/run_x', '/v1/responses/resp_x', '/v1/responses/resp_x?stream=true']) {
      const response = await fetch(url + path)
      expect([response.status, await response.text()]).toEqual([
        404,
        expect.stringContaining('never existed'),
      ])
    }
  })

  test('is refused where nothing is kept', async () => {
    const { post } = await serve()
    expect((await post('/v1/chat/completions', CHAT, RESUMABLE)).status).toBe(400)
  })
})

describe('a response of the Responses API', () => {
  const BODY = { model: 'm', input: 'Hi' }

  test('runs in the background, and is read behind a number', async () => {
    const { post, url } = await serve({}, { hasLog: true })
    const begun = await (await post('/v1/responses', { ...BODY, background: true })).json()
    expect(begun).toMatchObject({ object: 'response', status: 'in_progress' })
    const stream = await get(`${url}/v1/responses/${begun.id}?stream=true`)
    const frames = stream.split(/(?<=\n\n)/)
    expect(frames.at(-1)).toContain('response.completed')
    const rest = await get(`${url}/v1/responses/${begun.id}?stream=true&starting_after=3`)
    expect(rest).toBe(
      frames.filter((frame) => Number(/"sequence_number":(\d+)/.exec(frame)![1]) > 3).join(''),
    )
    const whole = await (await fetch(`${url}/v1/responses/${begun.id}`)).json()
    expect([whole.status, whole.output[0].content[0].text]).toEqual(['completed', 'You said: Hi'])
  })

  test('is cancelled', async () => {
    const model = await ModelServer.start([SILENT])
    const { post, url } = await serve(upstreamOf(model), { hasLog: true })
    const { id } = await (await post('/v1/responses', { ...BODY, background: true })).json()
    const cancelled = await (await fetch(`${url}/v1/responses/${id}/cancel`, { method: 'POST' })).json()
    expect(cancelled.status).toBe('cancelled')
    await model.untilLeft()
  })
})

describe('previous_response_id', () => {
  const BODY = { model: 'm', input: 'Hi', background: true }
  const responses = (model: ModelServer): Record<string, unknown> =>
    upstreamOf(model, { protocol: 'openai-responses' })

  test('is the id that the upstream knows, of a response that was kept', async () => {
    const reply = streamed('openai-responses', [{ type: 'text', text: 'Hello.' }])
    const model = await ModelServer.start([reply, reply])
    const { post, url } = await serve(responses(model), { hasLog: true })
    const { id } = await (await post('/v1/responses', BODY)).json()
    const stream = await get(`${url}/v1/responses/${id}?stream=true`)
    expect(stream).toContain('response.completed')
    await post('/v1/responses', { model: 'm', input: 'And?', previous_response_id: id })
    const theirs = /"id":"(\w+)"/.exec(String(reply.chunks[0]))?.[1]
    expect(model.requests[1]!.body.previous_response_id).toBe(theirs)
    const owned = await post('/v1/responses', { ...BODY, previous_response_id: id }, { 'x-api-key': 'other' })
    expect(owned.status).toBe(400)
    expect(model.requests).toHaveLength(2)
  })

  test('of a response that nobody keeps is an error that says what to do', async () => {
    const model = await ModelServer.start([textReply('Hello.'), textReply('Hello.')])
    const { post } = await serve(upstreamOf(model), { hasLog: true })
    const { id } = await (await post('/v1/responses', { model: 'm', input: 'Hi' })).json()
    const response = await post('/v1/responses', { model: 'm', input: 'And?', previous_response_id: id })
    const { error } = await response.json()
    expect([response.status, error.message]).toEqual([
      400,
      expect.stringContaining("Send the conversation as 'input'."),
    ])
    expect(model.requests).toHaveLength(1)
  })
})

describe("a chat of the AI SDK's", () => {
  test('comes back by its id while it goes on', async () => {
    const model = await ModelServer.start([SILENT])
    const { post, url } = await serve(upstreamOf(model), { hasLog: true })
    const body = {
      id: 'chat-1',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    }
    expect((await fetch(`${url}/v1/ui/chat-1/stream`)).status).toBe(204)
    const response = await post('/v1/ui', body, RESUMABLE)
    const id = response.headers.get('sluice-run')!
    await response.body!.getReader().read()
    const again = await fetch(`${url}/v1/ui/chat-1/stream`)
    expect(again.status).toBe(200)
    await fetch(`${url}/v1/runs/${id}`, { method: 'DELETE' })
    expect(await again.text()).toContain('I lo')
    expect((await fetch(`${url}/v1/ui/chat-1/stream`)).status).toBe(204)
  })
})

describe('a log that fails', () => {
  const broken = (what: LogError): Promise<never> => Promise.reject(what)
  const DOWN = new LogError('unavailable', 'Redis cannot be used.')

  test('is reported before the upstream is asked', async () => {
    const model = await ModelServer.start([textReply('Hello')])
    const log = {
      create: () => broken(DOWN),
      lost: async () => [],
      check: () => broken(DOWN),
      shut: async () => {},
    }
    const config = readConfig({ ...upstreamOf(model), port: 0 }, {})
    const server = await startGateway({ config, log: log as unknown as Log })
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: RESUMABLE,
      body: JSON.stringify({ ...CHAT, stream: true }),
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(model.requests).toEqual([])
    expect((await fetch(`${server.url}/ready`)).status).toBe(503)
    await server.stop()
  })

  test('is reported in the middle of a stream, and the upstream is left', async () => {
    const model = await ModelServer.start([SILENT])
    const folder = mkdtempSync(join(tmpdir(), 'sluice-broken-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const real = await openFileLog(folder)
    const log: Log = Object.create(real, {
      create: {
        value: async (run: NewRun) => {
          const writer = await real.create(run)
          const append = writer.append.bind(writer)
          let count = 0
          writer.append = (step) => (count++ > 0 ? broken(DOWN) : append(step))
          return writer
        },
      },
    })
    const config = readConfig({ ...upstreamOf(model), port: 0, drainMs: 0 }, {})
    const server = await startGateway({ config, log })
    model.replies[0] = {
      chunks: [chunk({ content: 'I lo' }), chunk({ content: 'ok' }), chunk({ content: '.' })],
      end: 'silent',
    }
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: RESUMABLE,
      body: JSON.stringify({ ...CHAT, stream: true }),
    })
    const text = await response.text()
    expect(text).toContain('"error"')
    expect(text).not.toContain('"finish_reason":"stop"')
    await model.untilLeft()
    await server.stop()
  })
})
