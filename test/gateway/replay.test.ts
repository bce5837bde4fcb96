/** A run whose producer was lost while llama.cpp goes on with its stream. */

import { expect, onTestFinished, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { readConfig } from '../../src/gateway/gateway-config.ts'
import { parserOf } from '../../src/gateway/lost-ending.ts'
import { reattachmentOf } from '../../src/gateway/reattach.ts'
import { aboutOf } from '../../src/gateway/run-about.ts'
import { asRecording, newHeader, type RunStep, type StreamPlace } from '../../src/runs/log/run-record.ts'
import type { LostRun } from '../../src/runs/log/take-over.ts'
import { parseRecording } from '../../src/runs/recording/index.ts'
import { STRIDE } from '../effort.ts'
import { merged } from '../laws/observe.ts'
import { serve, TOOL, takingLog } from './harness.ts'
import { type LlamaAnswer, type LlamaOptions, LlamaServer } from './llama-server.ts'

const ID = 'run_0123456789abcdef0123456789abcdef'
const KEY = 'sk-llama-0123456789'
const DONE = 'data: [DONE]\n\n'
const HI = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }

/** With no more in it than is read. */
const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const call = (name: string | undefined, json: string): object => ({
  tool_calls: [
    { index: 0, ...(name && { id: 'call_1', type: 'function' }), function: { name, arguments: json } },
  ],
})

/** What llama.cpp sends, by the mode. */
const STREAMS: Readonly<Record<'native' | 'template', string>> = {
  native: [
    chunk({ role: 'assistant', content: null }),
    chunk({ reasoning_content: 'Wo? 🤔' }),
    chunk({ content: 'Grüße, ' }),
    chunk({ content: '日本 😀.' }),
    chunk(call('ls', '{"path"')),
    chunk(call(undefined, ':"ä/😀"}')),
    chunk({}, 'tool_calls'),
    DONE,
  ].join(''),
  template: [
    chunk({ content: 'Grüße 😀.<tool_' }),
    chunk({ content: 'call>{"name": "ls", "argu' }),
    chunk({ content: 'ments": {"path": "ä/😀"}}</tool_' }),
    chunk({ content: 'call>' }),
    chunk({}, 'stop'),
    DONE,
  ].join(''),
}

async function startLlama(answers: readonly LlamaAnswer[], options: LlamaOptions = {}): Promise<LlamaServer> {
  const llama = await LlamaServer.listen(answers, options)
  onTestFinished(() => llama.stop())
  return llama
}

const configOf = ({ url }: LlamaServer, more: object = {}): Record<string, unknown> => ({
  upstreams: { one: { url, protocol: 'openai-chat', server: 'llama.cpp', ...more } },
  port: 0,
})

/** A run as a gateway leaves it that is killed behind so many bytes. `lag`: of how many records nobody was told. */
function lostRun(bytes: Buffer, mode: 'native' | 'template', size: number, lag = 0): LostRun {
  const header = newHeader({
    ...{ id: ID, kind: 'bytes', model: 'm', client: 'openai-chat', provider: 'openai-chat', upstream: 'one' },
    ...{ tools: [{ name: 'ls', inputSchema: TOOL.function.parameters }], isReplayed: true },
    ...(mode === 'template' && { dialect: 'hermes' }),
  })
  const events: SluiceEvent[] = []
  const parser = parserOf(aboutOf(header)!, (event) => events.push(event))
  const steps: RunStep[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const input = bytes.subarray(at, at + size)
    const place = { stream: ID, offset: at + input.length }
    parser.push(input)
    steps.push({ at, input, events: events.splice(0), place })
  }
  for (const [at, step] of steps.slice(-lag).entries())
    if (lag > 0) steps[steps.length - Math.min(lag, steps.length) + at] = { ...step, events: [] }
  return { header, steps }
}

const bytesOf = ({ steps }: LostRun): Buffer =>
  Buffer.concat(steps.map(({ input = '' }) => Buffer.from(input as Uint8Array)))

/** Goes on with it, and gives all of it: what was told before, what follows, and what arrived. */
async function goneOn(run: LostRun, config: Record<string, unknown>) {
  const found = reattachmentOf(run, readConfig(config, {}))
  if (found === undefined) return undefined
  const events = run.steps.flatMap((step) => step.events)
  const pieces = [bytesOf(run)]
  const places: (StreamPlace | undefined)[] = []
  const onInput = (piece: string | Uint8Array, place?: StreamPlace): void => {
    pieces.push(Buffer.from(piece as Uint8Array))
    places.push(place)
    // Whoever takes it over from here begins there.
    expect(place).toEqual({ stream: ID, offset: Buffer.concat(pieces).length })
  }
  for await (const event of found.events(onInput, new AbortController().signal)) events.push(event)
  return { events: merged(events), bytes: Buffer.concat(pieces), place: places.at(-1) }
}

test.each([
  ['native', 37, 0],
  ['template', 37, 0],
  ['native', 1, 60],
  ['template', 64, 2],
] as const)(
  'goes on behind every byte as if nothing had happened: %s, records of %i bytes, %i of them not told',
  async (mode, size, lag) => {
    const whole = Buffer.from(STREAMS[mode])
    const llama = await startLlama([])
    llama.keep(ID, whole)
    const expected: SluiceEvent[] = []
    const parser = parserOf(aboutOf(lostRun(whole, mode, size).header)!, (event) => expected.push(event))
    parser.push(whole)
    parser.end()
    expect(expected.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
    const check = async (length: number): Promise<void> => {
      const run = lostRun(whole.subarray(0, length), mode, size, lag)
      // Nothing is left to go on with.
      if (run.steps.some(({ events }) => events.some(({ type }) => type === 'finish'))) return
      const rest = await goneOn(run, configOf(llama))
      expect(rest?.events, `behind ${length}`).toEqual(merged(expected))
      expect(rest!.bytes.equals(whole)).toBe(true)
      expect(rest!.place).toEqual({ stream: ID, offset: whole.length })
    }
    for (let length = 0; length < whole.length; ) {
      const together: Promise<void>[] = []
      for (; together.length < 32 && length < whole.length; length += STRIDE) together.push(check(length))
      await Promise.all(together)
    }
    expect(llama.asked).toContain(`GET /v1/stream?conv_id=${ID}&from=${STRIDE}`)
  },
)

test.each([
  ['llama.cpp has only later bytes', { ringBytes: 200 }, ID],
  ['llama.cpp was started again', {}, 'another'],
] as const)('tells the truth behind every byte where %s', async (_, options, name) => {
  const whole = Buffer.from(STREAMS.template)
  const llama = await startLlama([], options)
  llama.keep(name, whole)
  for (let length = 0; length < whole.length - 200; length += 7) {
    const run = lostRun(whole.subarray(0, length), 'template', 50, 1)
    const { events } = (await goneOn(run, configOf(llama)))!
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'error' })
    expect(events.at(-2)).toMatchObject({ type: 'error', error: { code: 'producer-lost' } })
    const begun = events.filter(({ type }) => type === 'tool-input-start').length
    const calls = events.filter((event) => event.type === 'tool-call')
    expect(calls).toHaveLength(begun)
    // Only a verdict that was told before may say that a call is whole.
    const told = run.steps.flatMap((step) => step.events).filter(({ type }) => type === 'tool-call')
    for (const { status } of calls) expect(status).toBe(told.length > 0 ? 'complete' : 'truncated')
    expect(events.filter(({ type }) => type.endsWith('-start'))).toHaveLength(
      events.filter(({ type }) => type.endsWith('-end')).length,
    )
  }
})

test('a call that was read and not told of may not run where the rest is gone', async () => {
  const whole = Buffer.from(STREAMS.template)
  const llama = await startLlama([])
  const length = STREAMS.template.indexOf('"stop"')
  const { events } = (await goneOn(
    lostRun(Buffer.from(STREAMS.template.slice(0, length)), 'template', whole.length, 1),
    configOf(llama),
  ))!
  expect(events.filter(({ type }) => type === 'tool-call')).toMatchObject([{ status: 'truncated' }])
})

test.each([
  ['the key is the one of the client', { key: 'client' }, {}],
  ['the upstream is not there any more', {}, { upstream: 'two' }],
  ['a tool has a name that the upstream does not take', {}, { tools: [{ name: 'file.ls' }] }],
  ['the dialect was made from a chat template', {}, { dialect: 'template:own' }],
])('does not go on where %s', async (_, more, about) => {
  const llama = await startLlama([])
  const run = lostRun(Buffer.from(STREAMS.template).subarray(0, 100), 'template', 50)
  const changed = { ...run, header: { ...run.header, ...about } }
  expect(await goneOn(changed, configOf(llama, more))).toBeUndefined()
})

test('counts the bytes that llama.cpp sent, and not those that are kept in place of a key', async () => {
  const pieces = [`Your key is ${KEY}: 😀.`, 'Ü', '.'].map((content) => chunk({ content }))
  const whole = Buffer.from([...pieces, chunk({}, 'stop'), DONE].join(''))
  const llama = await startLlama([{ pieces: [...pieces, chunk({}, 'stop'), DONE], pause: 5 }])
  const { post, log } = await serve(configOf(llama, { key: KEY }), { hasLog: true })
  const asked = await post('/v1/chat/completions', HI, { 'sluice-resumable': '1' })
  const id = asked.headers.get('sluice-run')!
  expect(await asked.text()).toContain('[DONE]')
  let kept = ''
  const places: (StreamPlace | undefined)[] = []
  for await (const record of log!.read(id)) {
    if (!('input' in record) || record.input?.length === 0) continue
    kept += Buffer.from(record.input as Uint8Array).toString('latin1')
    places.push(record.place)
    const sent = whole.subarray(0, record.place!.offset).toString('latin1')
    expect(kept).toBe(sent.replace(KEY, '[key]'))
  }
  expect(places.at(-1)).toEqual({ stream: id, offset: whole.length })
  // Such a run is a recording like any other.
  const { chunks } = parseRecording(await asRecording(log!.read(id)))
  expect(chunks.map((one) => Buffer.from(one.chunk as Uint8Array).toString('latin1')).join('')).toBe(kept)
})

test.each([{ keep: 'outcome' }, { repair: 'once' }])(
  'llama.cpp is told no name where nobody could go on: %o',
  async (more) => {
    const llama = await startLlama([{ pieces: [STREAMS.native] }])
    const { post, log } = await serve({ ...configOf(llama), ...more, resumable: 'always' }, { hasLog: true })
    const response = await post('/v1/chat/completions', { ...HI, tools: [TOOL] })
    expect(await response.text()).toContain('[DONE]')
    expect(llama.asked).toEqual(['POST /v1/chat/completions'])
    expect((await log!.state(response.headers.get('sluice-run')!))?.header).not.toHaveProperty('isReplayed')
  },
)

test('llama.cpp is told the name of a run that is kept, and of no other', async () => {
  const llama = await startLlama([{ pieces: [STREAMS.template] }])
  const { post } = await serve(configOf(llama, { mode: 'template', dialect: 'hermes' }), { hasLog: true })
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], tools: [TOOL] }
  await (await post('/v1/chat/completions', body)).text()
  const kept = await post('/v1/chat/completions', body, { 'sluice-resumable': '1' })
  await kept.text()
  expect(llama.asked).toEqual([
    'POST /v1/chat/completions',
    `POST /v1/chat/completions ${kept.headers.get('sluice-run')}`,
  ])
})

test('a request that is sent again has a stream of its own', async () => {
  const llama = await startLlama([{ pieces: [': nothing\n\n'] }, { pieces: [STREAMS.native] }])
  const { post, log } = await serve({ ...configOf(llama), retries: 1 }, { hasLog: true })
  const response = await post('/v1/chat/completions', { ...HI, tools: [TOOL] }, { 'sluice-resumable': '1' })
  const id = response.headers.get('sluice-run')!
  expect(await response.text()).toContain('[DONE]')
  expect([...llama.asked].sort()).toEqual([
    `DELETE /v1/stream?conv_id=${id}`,
    `POST /v1/chat/completions ${id}`,
    `POST /v1/chat/completions ${id}-2`,
  ])
  const places: unknown[] = []
  for await (const record of log!.read(id)) if ('place' in record) places.push(record.place)
  expect(places.at(-1)).toEqual({ stream: `${id}-2`, offset: Buffer.byteLength(STREAMS.native) })
})

const ENDLESS: LlamaAnswer = {
  pieces: [chunk({ content: 'I lo' }), chunk({ content: 'ok' }), ...Array<string>(2_000).fill(': wait\n\n')],
  pause: 5,
}

test('a stop reaches llama.cpp, which would go on without a reader', async () => {
  const llama = await startLlama([ENDLESS])
  const { post, url } = await serve(configOf(llama), { hasLog: true })
  const response = await post('/v1/chat/completions', HI, { 'sluice-resumable': '1' })
  const id = response.headers.get('sluice-run')!
  await fetch(`${url}/v1/runs/${id}`, { method: 'DELETE' })
  await response.text()
  await expect.poll(() => llama.asked.at(-1)).toBe(`DELETE /v1/stream?conv_id=${id}`)
})

test('a gateway that stops does not leave llama.cpp to go on', async () => {
  const llama = await startLlama([ENDLESS])
  const { post, stop } = await serve({ ...configOf(llama), drainMs: 30 }, { hasLog: true })
  const response = await post('/v1/chat/completions', HI, { 'sluice-resumable': '1' })
  await stop()
  expect(llama.asked.at(-1)).toBe(`DELETE /v1/stream?conv_id=${response.headers.get('sluice-run')}`)
})

test('a gateway whose run was taken over leaves the stream to the other one', async () => {
  const llama = await startLlama([ENDLESS])
  const { post, gateway } = await serve(configOf(llama), {
    hasLog: true,
    changed: (log) => takingLog(log, 2),
  })
  await (await post('/v1/chat/completions', HI, { 'sluice-resumable': '1' })).text()
  await expect.poll(() => gateway.limits.running).toBe(0)
  await gateway.drain()
  expect(llama.asked.filter((asked) => asked.startsWith('DELETE'))).toEqual([])
  expect([...llama.streams.values()].map(({ isStopped }) => isStopped)).toEqual([false])
})
