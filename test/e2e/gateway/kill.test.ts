/**
 * Gateways are killed while they stream. Another one closes their runs with the truth, and every reader sees the same.
 * `SLUICE_TRIALS`: how many per place; `SLUICE_SEED`: the random numbers.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { isExecutable } from '../../../src/index.ts'
import { LlamaServer } from '../../gateway/llama-server.ts'
import { randomOf } from '../log/script.mjs'
import { type StoreServer, startNats, startRedis } from '../log/servers.ts'
import { ServedGateway } from './serve.ts'
import { asText, ScriptedUpstream } from './upstream.ts'

const TRIALS = Math.ceil(Number(process.env.SLUICE_TRIALS ?? 12) / 3)
const SEED = Number(process.env.SLUICE_SEED ?? Math.floor(Math.random() * 1e9))
const LEASE = 500

const CALL = (at: number): string =>
  `<tool_call>{"name": "ls", "arguments": {"path": "folder-${at}/with/a/long/name"}}</tool_call>`
const TEXT = `Ich schaue 日本 😀 an.${[0, 1, 2, 3].map(CALL).join('\n')}`

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const eventsIn = (stream: string): SluiceEvent[] =>
  stream.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))

/** Pieces that end anywhere: inside of a character, of an event, of a line. */
const PIECES = Array.from(
  { length: Math.ceil(Buffer.byteLength(asText(TEXT).chunks.join('')) / 97) },
  (_, at) => Buffer.from(asText(TEXT).chunks.join('')).subarray(at * 97, (at + 1) * 97),
)

let upstream: ScriptedUpstream
let llama: LlamaServer
beforeAll(async () => {
  upstream = await ScriptedUpstream.start()
  upstream.answers.set('m', { ...asText(TEXT), pause: 4 })
  llama = await LlamaServer.listen([{ pieces: PIECES, pause: 3 }])
})
afterAll(async () => {
  await upstream.stop()
  await llama.stop()
})

const start = (log: string): Promise<ServedGateway> => {
  const text = { protocol: 'openai-chat', mode: 'template', dialect: 'hermes' }
  const upstreams = {
    one: { url: upstream.url, ...text },
    llama: { url: llama.url, server: 'llama.cpp', ...text },
  }
  return ServedGateway.start([], { upstreams, leaseMs: LEASE, log })
}

/** Starts a run, and reads it until its gateway dies. */
async function begin(
  gateway: ServedGateway,
  model = 'm',
): Promise<{ id: string; status: number; seen: Promise<string> }> {
  const tools = [{ type: 'function', function: { name: 'ls', parameters: { type: 'object' } } }]
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'sluice-resumable': '1' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }], tools }),
  })
  const read = async (): Promise<string> => {
    let text = ''
    try {
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
        text += new TextDecoder().decode(piece)
    } catch {
      // Its gateway is gone.
    }
    return text
  }
  return { id: response.headers.get('sluice-run')!, status: response.status, seen: read() }
}

/** `isOver`: the upstream had said everything when the gateway was dead, which may have been in time to store it. */
function check(stream: string, isOver: boolean): 'whole' | 'lost' {
  const events = eventsIn(stream)
  if (isOver && events.at(-1)?.type === 'finish' && events.at(-2)?.type !== 'error') {
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
    const whole = events.filter((event) => event.type === 'tool-call')
    expect(whole.map((call) => isExecutable(call))).toEqual([true, true, true, true])
    return 'whole'
  }
  expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', reason: 'error' }])
  expect(events.at(-2)).toMatchObject({ type: 'error', error: { code: 'producer-lost' } })
  const begun = events.flatMap((event) => (event.type === 'tool-input-start' ? [event.id] : []))
  const calls = events.filter((event) => event.type === 'tool-call')
  expect(calls.map(({ id }) => id)).toEqual(begun)
  // Nobody said where the response begins, so that their verdicts wait for an end that did not come.
  for (const call of calls) expect(isExecutable(call)).toBe(false)
  expect(
    TEXT.startsWith(
      events
        .map((event) => (event.type === 'text-delta' ? event.delta : ''))
        .join('')
        .trimEnd(),
    ),
  ).toBe(true)
  return 'lost'
}

/** `isShared`: the next gateway runs already. */
async function trial(
  gateway: ServedGateway,
  next: () => Promise<ServedGateway>,
  random: () => number,
  isShared: boolean,
): Promise<void> {
  const before = upstream.ended
  const { id, status, seen } = await begin(gateway)
  await pause(30 + random() * 300)
  await gateway.kill()
  const isOver = upstream.ended > before
  const died = performance.now()
  const other = await next()
  const url = `${other.url}/v1/runs/${id}`
  const events = await (await fetch(`${url}?as=events`)).text()
  const waited = performance.now() - died
  if (isShared) expect(waited).toBeLessThan(LEASE + 1_000)
  const outcome = check(events, isOver)
  const again = await (await fetch(url)).text()
  // What the first client saw is how the run begins for everybody, and nothing in it says that the response was over.
  const first = await seen
  if (status !== 200) {
    // A gateway that is slower than its lease loses its run before it has said anything.
    expect(first).toContain('"error"')
    expect(outcome).toBe('lost')
    return
  }
  const whole = first.slice(0, first.lastIndexOf('\n\n') + 2)
  expect(again.startsWith(whole)).toBe(true)
  if (outcome === 'lost') expect(again).not.toMatch(/"finish_reason":"(stop|tool_calls)"/)
  const position = /^id: (\S+)/gm
  const last = [...whole.matchAll(position)].at(-1)?.[1]
  if (last !== undefined) expect(whole + (await (await fetch(`${url}?after=${last}`)).text())).toBe(again)
}

/** Nobody notices: every reader gets the response that was not interrupted, and the log has each of its bytes once. */
async function goesOn(gateway: ServedGateway, other: ServedGateway, random: () => number): Promise<void> {
  const { id, seen } = await begin(gateway, 'llama/m')
  await pause(random() * 300)
  await gateway.kill()
  const url = `${other.url}/v1/runs/${id}`
  const events = eventsIn(await (await fetch(`${url}?as=events`)).text())
  expect(events.filter(({ type }) => type === 'error' || type === 'finish')).toMatchObject([
    { type: 'finish', reason: 'tool-calls' },
  ])
  expect(llama.asked.at(-1)).toMatch(new RegExp(`^GET /v1/stream\\?conv_id=${id}&from=\\d+$`))
  const calls = events.filter((event) => event.type === 'tool-call')
  expect(calls.map((call) => [call.input, isExecutable(call)])).toEqual([
    [{ path: 'folder-0/with/a/long/name' }, true],
    [{ path: 'folder-1/with/a/long/name' }, true],
    [{ path: 'folder-2/with/a/long/name' }, true],
    [{ path: 'folder-3/with/a/long/name' }, true],
  ])
  const text = events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')
  expect(text.trim()).toBe('Ich schaue 日本 😀 an.')
  const again = await (await fetch(url)).text()
  expect(again).toContain('"finish_reason":"tool_calls"')
  const first = await seen
  expect(again.startsWith(first.slice(0, first.lastIndexOf('\n\n') + 2))).toBe(true)
}

/** A client of Responses reads on at another gateway, after the last event that it has. */
async function readsOn(gateway: ServedGateway, other: ServedGateway): Promise<void> {
  const client = ({ url }: ServedGateway): OpenAI =>
    new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })
  const tools = [
    { type: 'function' as const, name: 'ls', strict: false, parameters: { type: 'object' as const } },
  ]
  const request = { model: 'llama/m', input: 'Hi', background: true, stream: true, tools } as const
  const numbers: number[] = []
  let text = ''
  let id = ''
  for await (const event of await client(gateway).responses.create({ ...request, tools })) {
    numbers.push(event.sequence_number)
    if (event.type === 'response.created') id = event.response.id
    if (event.type === 'response.output_text.delta') text += event.delta
    if (text.length > 8) break
  }
  await gateway.kill()
  const rest = await client(other).responses.retrieve(id, { stream: true, starting_after: numbers.at(-1)! })
  for await (const event of rest) {
    numbers.push(event.sequence_number)
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  expect(numbers).toEqual([...numbers.keys()])
  expect(text.trim()).toBe('Ich schaue 日本 😀 an.')
  const { output, status } = await client(other).responses.retrieve(id)
  expect([status, output.filter(({ type }) => type === 'function_call').length]).toEqual(['completed', 4])
}

const SHARED = [
  { name: 'Redis', variable: 'SLUICE_HAS_REDIS', open: startRedis },
  { name: 'NATS', variable: 'SLUICE_HAS_NATS', open: startNats },
] as const

for (const { name, variable, open } of SHARED)
  describe.skipIf(!process.env[variable])(`with ${name}`, () => {
    let store: StoreServer
    let other: ServedGateway
    beforeAll(async () => {
      store = await open()
      other = await start(store.url)
    })
    afterAll(async () => {
      await other.kill()
      await store.remove()
    })

    test(`a gateway is killed, and another one tells the truth (${TRIALS} trials from seed ${SEED})`, async () => {
      for (let at = 0; at < TRIALS; at++)
        await trial(await start(store.url), async () => other, randomOf(SEED + at), true)
    })

    test(`a gateway is killed, and another one goes on with what llama.cpp keeps (${TRIALS} trials from seed ${SEED})`, async () => {
      for (let at = 0; at < TRIALS; at++) await goesOn(await start(store.url), other, randomOf(SEED + at))
    })

    test('a gateway is killed, and a client of Responses reads on at another one', async () => {
      await readsOn(await start(store.url), other)
    })
  })

test(`a gateway with a folder is killed, and tells the truth when it starts again (${TRIALS} trials from seed ${SEED})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-gateway-'))
  try {
    for (let at = 0; at < TRIALS; at++) {
      let next: ServedGateway | undefined
      await trial(
        await start(`file:${folder}`),
        async () => {
          next = await start(`file:${folder}`)
          return next
        },
        randomOf(SEED + at),
        false,
      ).finally(() => next?.kill())
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
