/**
 * Producers, readers and servers are killed at random moments. Whatever happens, a run is one dense sequence that ends
 * once, with the truth. `SLUICE_TRIALS`: how many per backend; `SLUICE_SEED`: the random numbers.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { hermes } from '../../../src/dialects/index.ts'
import { createParser } from '../../../src/engine/parser.ts'
import { isExecutable } from '../../../src/index.ts'
import { isHeader, type Log, type RunRecord, watchLost } from '../../../src/runs/log/index.ts'
import { openLog } from './open-log.mjs'
import { piecesOf, randomOf } from './script.mjs'
import { type StoreServer, startNats, startRedis } from './servers.ts'

const TRIALS = Number(process.env.SLUICE_TRIALS ?? 12)
const SEED = Number(process.env.SLUICE_SEED ?? Math.floor(Math.random() * 1e9))
const LEASE = 400

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A child process whose lines are told as they come. */
class Program {
  readonly lines: string[] = []
  readonly over: Promise<void>
  readonly child: ChildProcessWithoutNullStreams
  /** Rejects if it ends with an error of its own. */
  readonly failed: Promise<never>
  private errors = ''

  constructor(script: string, args: readonly string[]) {
    const path = fileURLToPath(new URL(script, import.meta.url))
    this.child = spawn(process.execPath, [path, ...args])
    this.child.stderr.on('data', (data) => (this.errors += data))
    const reader = createInterface({ input: this.child.stdout })
    reader.on('line', (line) => this.lines.push(line))
    this.over = new Promise((resolve) => reader.once('close', resolve))
    this.failed = new Promise((_, reject) => {
      this.child.once('close', (code) => {
        if (code !== null && code > 0) reject(new Error(`It failed: ${this.errors}`))
      })
    })
    this.failed.catch(() => {})
  }

  async untilSaid(isWanted: (line: string) => boolean): Promise<string> {
    for (;;) {
      const found = this.lines.find(isWanted)
      if (found !== undefined) return found
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.errors}`)
      await pause(2)
    }
  }

  async runId(): Promise<string> {
    return (await this.untilSaid((line) => line.startsWith('run '))).slice(4)
  }

  /** The number of the last record that it knows to be stored. */
  get stored(): number {
    return Math.max(0, ...this.lines.map((line) => Number(/^stored (\d+)$/.exec(line)?.[1] ?? 0)))
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.over
    // Its output may be closed while the process is still there, and holds its lock.
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit')
  }
}

async function all(records: AsyncIterable<RunRecord>): Promise<RunRecord[]> {
  const read: RunRecord[] = []
  for await (const record of records) read.push(record)
  return read
}

const eventsOf = (records: readonly RunRecord[]): SluiceEvent[] =>
  records.flatMap((record) => (isHeader(record) ? [] : record.events))

/** What would have been said without any accident. */
function uninterrupted(seed: number): SluiceEvent[] {
  const parser = createParser({ dialect: hermes })
  return [...piecesOf(seed).flatMap((piece) => parser.push(piece)), ...parser.end()]
}

/** Everything that must be true of a closed run. */
function check(records: readonly RunRecord[], seed: number, stored: number, isWhole: boolean): void {
  expect(records.map(({ n }) => n)).toEqual([...records.keys()])
  expect(records.length).toBeGreaterThan(stored)
  expect(records.filter((record) => 'end' in record)).toEqual([records.at(-1)])
  const events = eventsOf(records)
  const whole = uninterrupted(seed)
  expect(events.filter(({ type }) => type === 'finish')).toEqual([events.at(-1)])
  if (isWhole) {
    expect(events).toEqual(whole)
    return
  }
  const said = eventsOf(records.slice(0, -1))
  expect(said).toEqual(whole.slice(0, said.length))
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'error' })
  expect(events.at(-2)).toMatchObject({ type: 'error', error: { code: 'producer-lost' } })
  const begun = events.flatMap((event) => (event.type === 'tool-input-start' ? [event.id] : []))
  const calls = events.filter((event) => event.type === 'tool-call')
  expect(calls.map(({ id }) => id)).toEqual(begun)
  // A call that was open when the producer was lost may not run.
  const complete = whole.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
  const told = new Set(said.flatMap((event) => (event.type === 'tool-call' ? [event.id] : [])))
  for (const call of calls) expect(isExecutable(call)).toBe(told.has(call.id) && complete.includes(call.id))
}

/** `share`: the part of all trials of a backend that this accident gets. */
function trials(
  name: string,
  share: number,
  trial: (seed: number, random: () => number) => Promise<void>,
): void {
  const count = Math.ceil(TRIALS * share)
  test(`${name} (${count} trials from seed ${SEED})`, async () => {
    for (let at = 0; at < count; at++) {
      const seed = SEED + at * 7919
      try {
        await trial(seed, randomOf(seed))
      } catch (error) {
        throw new Error(`The trial with the seed ${seed} failed: ${String(error)}`, { cause: error })
      }
    }
  })
}

interface Shared {
  readonly name: string
  readonly variable: string
  start(): Promise<StoreServer>
}

const SHARED: readonly Shared[] = [
  { name: 'Redis', variable: 'SLUICE_HAS_REDIS', start: startRedis },
  { name: 'NATS', variable: 'SLUICE_HAS_NATS', start: startNats },
]

for (const { name, variable, start } of SHARED)
  describe.skipIf(!process.env[variable])(`with ${name}`, () => {
    let server: StoreServer
    let nodes: Log[]
    beforeAll(async () => {
      server = await start()
      nodes = await Promise.all([openLog(server.url, LEASE), openLog(server.url, LEASE)])
    })
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.shut()))
      await server.remove()
    })
    const [first, second] = [() => nodes[0]!, () => nodes[1]!]

    trials('a producer is killed, and two nodes race to close its run', 0.5, async (seed, random) => {
      const takeovers: string[] = []
      const ends = nodes.map((node) => watchLost(node, { onTakeover: (id) => takeovers.push(id) }))
      const producer = new Program('producer.mjs', [server.url, String(seed), String(LEASE)])
      try {
        const id = await producer.runId()
        const live = all(first().read(id))
        const isAt = Math.floor(random() * 60)
        await producer.untilSaid((line) => line === `stored ${isAt}` || line === 'closed' || isAt === 0)
        await pause(random() * 5)
        await producer.kill()
        const isWhole = producer.lines.includes('closed')
        const killed = performance.now()
        const records = await live
        if (!isWhole && records.at(-1)) {
          const isLost = (records.at(-1) as { end?: string }).end === 'failed'
          // The producer may have closed it without a chance to say so.
          if (isLost) expect(performance.now() - killed).toBeLessThan(LEASE + 1_000)
          check(records, seed, producer.stored, !isLost)
          // The reader may know of it before the one who did it.
          while (isLost && takeovers.length === 0) await pause(5)
          expect(takeovers).toEqual(isLost ? [id] : [])
        } else check(records, seed, producer.stored, true)
        expect(await all(second().read(id))).toEqual(records)
        const from = Math.floor(random() * records.length)
        expect(await all(second().read(id, { from }))).toEqual(records.slice(from))
      } finally {
        for (const end of ends) end()
        await producer.kill()
      }
    })

    trials('a reader is killed, and nobody else notices', 0.15, async (seed, random) => {
      const producer = new Program('producer.mjs', [server.url, String(seed), String(LEASE), '1'])
      const id = await producer.runId()
      const reader = new Program('reader.mjs', [server.url, id, String(LEASE)])
      const live = all(second().read(id))
      await pause(80 + random() * 80)
      await reader.kill()
      const records = await live
      await producer.over
      check(records, seed, producer.stored, true)
      // What the reader saw is what everybody saw.
      const seen = reader.lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
      expect(JSON.parse(JSON.stringify(records.slice(0, seen.length)))).toEqual(seen)
    })

    trials('the server is killed and comes back, and the run goes on', 0.35, async (seed, random) => {
      const producer = new Program('producer.mjs', [server.url, String(seed), '8000'])
      const id = await producer.runId()
      const live = all(second().read(id))
      await pause(random() * 100)
      await server.kill()
      const stored = producer.stored
      await pause(random() * 100)
      await server.start()
      // One that failed would leave its run open for ever.
      const records = await Promise.race([live, producer.failed])
      await producer.over
      expect(stored).toBeLessThan(records.length)
      check(records, seed, producer.stored, true)
      expect(await all(first().read(id))).toEqual(records)
    })
  })

describe('with a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  trials('a producer is killed, and the next process closes its run', 1, async (seed, random) => {
    const address = `file:${join(folder, String(seed))}`
    const producer = new Program('producer.mjs', [address, String(seed), String(LEASE), '2'])
    const id = await producer.runId()
    const isAt = Math.floor(random() * 60)
    await producer.untilSaid((line) => line === `stored ${isAt}` || line === 'closed' || isAt === 0)
    await pause(random() * 3)
    await producer.kill()
    const log = await openLog(address, LEASE)
    const end = watchLost(log)
    const records = await all(log.read(id))
    end()
    check(records, seed, producer.stored, (records.at(-1) as { end?: string }).end === 'finished')
    await log.shut()
  })
})
