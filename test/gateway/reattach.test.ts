/**
 * A run whose producer was lost while its upstream goes on in the background.
 *
 * @reads nothing
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { readConfig } from '../../src/gateway/gateway-config.ts'
import { reattachmentOf } from '../../src/gateway/reattach.ts'
import { idsOf } from '../../src/gateway/run-about.ts'
import { startGateway } from '../../src/gateway/server.ts'
import { openaiResponses } from '../../src/providers/index.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { openFileLog } from '../../src/runs/log/index.ts'
import { newHeader } from '../../src/runs/log/run-record.ts'
import { STRIDE } from '../effort.ts'

const ID = 'run_0123456789abcdef0123456789abcdef'
const ITEM = { id: 'msg_1', type: 'message', role: 'assistant' }
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  background: true,
  error: null,
}
const delta = (text: string) => ({
  ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: text },
})
const PART = { type: 'output_text', text: '', annotations: [] }

/** What the upstream sends for the whole response, event by event. */
const FRAMES = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...ITEM, content: [] } },
  { type: 'response.content_part.added', item_id: 'msg_1', output_index: 0, content_index: 0, part: PART },
  delta('One, '),
  delta('zwei, '),
  delta('三 😀.'),
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { ...ITEM, content: [{ ...PART, text: 'One, zwei, 三 😀.' }] },
  },
  { type: 'response.completed', response: { ...RESPONSE, status: 'completed', output: [] } },
].map(
  (event, sequence_number) =>
    `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
)

interface Upstream {
  readonly url: string
  readonly asked: string[]
}

async function startUpstream(answer: (after: number, response: ServerResponse) => void): Promise<Upstream> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    if (request.method === 'POST') response.end('{}')
    else answer(Number(new URL(request.url!, 'http://x').searchParams.get('starting_after')), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Leaves a run in a folder, as a gateway does that is killed behind so many characters. */
async function leaveRun(folder: string, length: number): Promise<void> {
  const log = await openFileLog(folder)
  const about = {
    model: 'm',
    client: 'openai-responses',
    owner: '',
    provider: 'openai-responses',
    upstream: 'one',
  }
  const writer = await log.create({ ...about, id: ID, kind: 'bytes', tools: [] })
  const events: SluiceEvent[] = []
  const options = { provider: openaiResponses, generateId: idsOf(ID) }
  const parser = createProviderParser((event) => events.push(event), options)
  const text = FRAMES.join('')
  for (let at = 0; at < length; at += 100) {
    const input = Buffer.from(text.slice(at, Math.min(at + 100, length)))
    parser.push(input)
    await writer.append({ at, input, events: events.splice(0) })
  }
  writer.release()
  await log.shut()
}

/** Starts a gateway that finds the run, and reads it. */
async function found(upstream: Upstream, length: number, more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-reattach-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await leaveRun(folder, length)
  const one = { url: upstream.url, protocol: 'openai-responses', key: 'secret-1', ...more }
  const config = readConfig({ port: 0, drainMs: 0, upstreams: { one } }, {})
  const log = await openFileLog(folder)
  const server = await startGateway({ config, log })
  onTestFinished(() => server.stop())
  const url = `${server.url}/v1/runs/${ID}`
  const events = async (): Promise<SluiceEvent[]> =>
    (await (await fetch(`${url}?as=events`)).text())
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as SluiceEvent] : []))
  return { url, events, log }
}

const textOf = (events: readonly SluiceEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')

const rest = (after: number, response: ServerResponse): void =>
  void response.end(FRAMES.slice(after + 1).join(''))

const LENGTHS = [4, 5].map((count) => FRAMES.slice(0, count).join('').length)

test.each([
  ['between two events', LENGTHS[0]!],
  ['inside of an event', LENGTHS[0]! + 70],
  ['behind a byte of the next one', LENGTHS[1]! + 1],
])('goes on where the log ends, as if nothing had happened: %s', async (_, length) => {
  const upstream = await startUpstream(rest)
  const { events, log } = await found(upstream, length)
  const read = await events()
  expect(textOf(read)).toBe('One, zwei, 三 😀.')
  expect(read.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  expect(upstream.asked).toEqual([
    `GET /v1/responses/resp_1?stream=true&starting_after=${length > LENGTHS[1]! ? 4 : 3} Bearer secret-1`,
  ])
  // What arrived is in the log as if it had come from one upstream at once.
  let input = ''
  for await (const record of log.read(ID))
    if ('input' in record) input += Buffer.from(record.input as Uint8Array).toString()
  expect(input).toBe(FRAMES.join(''))
})

test('goes on behind every byte, from the first event on', async () => {
  const upstream = await startUpstream(rest)
  const whole = Buffer.from(FRAMES.join(''))
  const one = { url: upstream.url, protocol: 'openai-responses' }
  const config = readConfig({ upstreams: { one } }, {})
  const header = newHeader({
    ...{ id: ID, kind: 'bytes', model: 'm', client: 'openai-responses', provider: 'openai-responses' },
    upstream: 'one',
  })
  for (let length = FRAMES[0]!.length; length < whole.length; length += STRIDE) {
    const input = whole.subarray(0, length)
    const events: SluiceEvent[] = []
    const options = { provider: openaiResponses, generateId: idsOf(ID) }
    createProviderParser((event) => events.push(event), options).push(input)
    const found = reattachmentOf({ header, steps: [{ at: 0, input, events: [...events] }] }, config)
    const pieces: (string | Uint8Array)[] = [input]
    const onInput = (piece: string | Uint8Array): void => void pieces.push(piece)
    for await (const event of found!.events(onInput, new AbortController().signal)) events.push(event)
    expect(textOf(events), `behind ${length}`).toBe('One, zwei, 三 😀.')
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
    expect(Buffer.concat(pieces as Uint8Array[]).equals(whole)).toBe(true)
  }
})

test.each<[string, (after: number, response: ServerResponse) => void, object]>([
  ['the upstream does not know it any more', (_, response) => void response.writeHead(404).end(), {}],
  ['the upstream sends something else', (_, response) => void response.end(FRAMES[0]), {}],
  ['the upstream breaks off', (_, response) => void response.write(FRAMES[4]!, () => response.destroy()), {}],
  ['only the client has the key', rest, { key: 'client' }],
])('tells the truth where that does not work: %s', async (_, answer, more) => {
  const { events } = await found(await startUpstream(answer), LENGTHS[0]! + 70, more)
  const read = await events()
  expect('One, zwei, 三 😀.'.startsWith(textOf(read))).toBe(true)
  expect(read.at(-1)).toEqual({ type: 'finish', reason: 'error' })
  expect(read.at(-2)).toMatchObject({ type: 'error' })
})

test('a stop reaches the upstream, which would go on without anybody', async () => {
  const upstream = await startUpstream((after, response) => void response.write(FRAMES[after + 1]!))
  const { url, events } = await found(upstream, LENGTHS[0]!)
  await expect.poll(() => upstream.asked.length).toBe(1)
  await fetch(url, { method: 'DELETE' })
  expect((await events()).at(-1)).toEqual({ type: 'finish', reason: 'aborted' })
  await expect.poll(() => upstream.asked[1]).toBe('POST /v1/responses/resp_1/cancel Bearer secret-1')
})
