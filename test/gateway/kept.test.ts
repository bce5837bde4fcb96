import { describe, expect, test } from 'vitest'
import { FrameWriter } from '../../src/gateway/frames.ts'
import { type Step, stepsOf, UNSTORED } from '../../src/gateway/gateway-run.ts'
import { PROTOCOLS } from '../../src/gateway/protocols.ts'
import type { RunAbout } from '../../src/gateway/run-about.ts'
import { type Log, LogError } from '../../src/runs/log/index.ts'
import { ModelServer } from '../turn/model-server.ts'
import { CHAT, chunk, failingLog, serve, TOOL, takingLog, textReply } from './harness.ts'

const RESUMABLE = { 'sluice-resumable': '1' }
const EXTENSIONS = { 'sluice-extensions': '1' }

const upstreamOf = (model: ModelServer): Record<string, unknown> => ({
  upstreams: { one: { url: model.url, protocol: 'openai-chat' } },
})

describe('a gateway that keeps runs without their content', () => {
  test('keeps how they ended, and nothing that was said', async () => {
    const secret = 'The password is swordfish.'
    const model = await ModelServer.start([textReply(secret), textReply(secret)])
    const { post, url, log } = await serve({ ...upstreamOf(model), keep: 'outcome' }, { hasLog: true })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true })
    const id = response.headers.get('sluice-run')!
    expect(await response.text()).toContain('[DONE]')
    const records: object[] = []
    for await (const record of log!.read(id)) records.push(record)
    expect(records).toMatchObject([
      { header: { model: 'm', client: 'openai-chat', tools: [], keeps: 'outcome' } },
      { end: 'finished', events: [{ type: 'finish', reason: 'stop' }] },
    ])
    expect(JSON.stringify(records)).not.toMatch(/sword|password|"ls"/)
    expect((await fetch(`${url}/v1/runs/${id}`)).status).toBe(410)
    expect((await fetch(`${url}/v1/responses/${id}`)).status).toBe(410)
    expect((await post('/v1/chat/completions', CHAT, RESUMABLE)).status).toBe(400)
    expect((await (await fetch(`${url}/v1/runs/${id}?forget=1`, { method: 'DELETE' })).json()).deleted).toBe(
      true,
    )
  })

  test('stops them when someone asks for it, and when their client leaves', async () => {
    const silent = { chunks: [chunk({ content: 'a' })], end: 'silent' } as const
    const model = await ModelServer.start([silent, silent])
    const { post, url, log } = await serve({ ...upstreamOf(model), keep: 'outcome' }, { hasLog: true })
    const start = async (): Promise<Response> => post('/v1/chat/completions', { ...CHAT, stream: true })
    const outcome = async (response: Response): Promise<unknown> => {
      const id = response.headers.get('sluice-run')!
      for await (const record of log!.read(id, { from: 1 })) return record
    }
    const first = await start()
    await fetch(`${url}/v1/runs/${first.headers.get('sluice-run')}`, { method: 'DELETE' })
    expect(await first.text()).toContain('"error"')
    expect(await outcome(first)).toMatchObject({ end: 'interrupted', events: [{ reason: 'aborted' }] })
    const second = await start()
    await second.body!.cancel()
    expect(await outcome(second)).toMatchObject({ end: 'interrupted', events: [{ reason: 'aborted' }] })
  })
})

describe('a gateway whose log may fail', () => {
  test.each([
    ['from the beginning', 0],
    ['in between', 3],
  ])('goes on without it, and says so: %s', async (_, steps) => {
    const model = await ModelServer.start([textReply('I look for the file that you want.')])
    const { post, url } = await serve(
      { ...upstreamOf(model), durability: 'best-effort' },
      { hasLog: true, changed: (log) => failingLog(log, steps) },
    )
    const headers = { ...RESUMABLE, ...EXTENSIONS }
    const text = await (await post('/v1/chat/completions', { ...CHAT, stream: true }, headers)).text()
    const payloads = text.match(/\{.*\}/g)!.map((json) => JSON.parse(json))
    const said = payloads.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(said).toBe('I look for the file that you want.')
    expect(payloads.filter(({ sluice }) => sluice?.notKept)).toHaveLength(1)
    expect(text).toContain('[DONE]')
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('sluice_log_failures_total 1')
  })

  test('gives its clients what is stored, as it is stored, and lets them come back', async () => {
    const model = await ModelServer.start([textReply('I look.')])
    const { post, url } = await serve({ ...upstreamOf(model), durability: 'best-effort' }, { hasLog: true })
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
    const id = response.headers.get('sluice-run')!
    expect(await (await fetch(`${url}/v1/runs/${id}`)).text()).toBe(await response.text())
  })

  test('lets nobody wait for a record that there is not', async () => {
    const { post } = await serve(
      { durability: 'best-effort' },
      { hasLog: true, changed: (log) => failingLog(log, 0) },
    )
    const asked = { model: 'm', input: 'Hi', tools: [{ type: 'function', ...TOOL.function }] }
    expect((await post('/v1/responses', { ...asked, background: true })).status).toBe(503)
    expect((await post('/v1/responses', asked)).status).toBe(200)
  })

  test('aborts what nobody can read any more', async () => {
    const reply = { chunks: [chunk({ content: 'a' }), chunk({ content: 'b' })], end: 'silent' } as const
    const model = await ModelServer.start([reply])
    const { post, gateway } = await serve(
      { ...upstreamOf(model), durability: 'best-effort' },
      { hasLog: true, changed: (log) => failingLog(log, 1) },
    )
    const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
    await response.body!.cancel()
    await model.untilLeft()
    await expect.poll(() => gateway.limits.running).toBe(0)
  })
})

test('the client of a run that another gateway takes over sees what everybody sees', async () => {
  const pieces = ['I', ' look', ' for', ' it'].map((content) => chunk({ content }))
  const model = await ModelServer.start([{ chunks: pieces, end: 'silent' }])
  const { post, url, gateway } = await serve(upstreamOf(model), {
    hasLog: true,
    changed: (log) => takingLog(log, 2),
  })
  const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
  const seen = await response.text()
  expect(seen).toContain('It was lost.')
  expect(seen).toBe(await (await fetch(`${url}/v1/runs/${response.headers.get('sluice-run')}`)).text())
  await model.untilLeft()
  await expect.poll(() => gateway.limits.running).toBe(0)
})

test('a gateway that is shutting down takes over no run, which would end with it', async () => {
  const model = await ModelServer.start([{ chunks: [chunk({ content: 'a' })], end: 'silent' }])
  let looks = 0
  const counted = (log: Log): Log =>
    Object.create(log, {
      lost: {
        value: async () => {
          looks++
          return []
        },
      },
    })
  // Longer than the time between two looks.
  const config = { ...upstreamOf(model), drainMs: 900 }
  const { post, stop } = await serve(config, { hasLog: true, changed: counted })
  await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
  const before = looks
  expect(before).toBeGreaterThan(0)
  await stop()
  expect(looks).toBe(before)
})

test('what is in no log has no position to come back to', async () => {
  const { log } = await serve({}, { hasLog: true })
  const writer = await log!.create({ kind: 'text' })
  await writer.append({ at: 0, input: '', events: [{ type: 'text-start', id: 'text-1' }] })
  const reading = new AbortController()
  const steps: Step[] = []
  for await (const step of stepsOf(log!, writer.id, reading.signal)) {
    steps.push(step)
    reading.abort(new LogError('unavailable', 'It is down.'))
  }
  expect(steps).toMatchObject([
    { n: 1, events: [{ type: 'text-start' }] },
    { n: UNSTORED, events: [{ type: 'text-end' }, { type: 'error' }, { type: 'finish', reason: 'error' }] },
  ])
  const about = { id: writer.id, model: 'm', created: 0, allow: [] } as unknown as RunAbout
  const frames = new FrameWriter(PROTOCOLS[0]!, about, { hasExtensions: false, hasIds: true })
  const texts = steps.flatMap(({ n, events }) => frames.record(n, events)).map(({ text }) => text)
  expect(texts.join('')).toContain('It is down.')
  for (const text of texts) expect(text).not.toContain('id: ')
})

test('a run that has expired is gone, and not empty', async () => {
  const { post, url } = await serve({}, { hasLog: true, ttlMs: 100 })
  const response = await post('/v1/chat/completions', { ...CHAT, stream: true }, RESUMABLE)
  await response.text()
  const run = `${url}/v1/runs/${response.headers.get('sluice-run')}`
  await expect.poll(async () => (await fetch(run)).status, { timeout: 10_000 }).toBe(404)
  expect((await (await fetch(run)).json()).error.message).toContain('has expired')
})
