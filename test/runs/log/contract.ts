/** What every backend of the log promises, as tests. */

import { describe, expect, onTestFinished, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import {
  asRecording,
  type Log,
  LogError,
  type RunRecord,
  takeOver,
  watchLost,
} from '../../../src/runs/log/index.ts'
import { parseRecording } from '../../../src/runs/recording/index.ts'

export interface Backend {
  readonly name: string
  /** A log with a short lease. Logs that are opened in one test share their runs. */
  open(options: { readonly ttlMs?: number }): Promise<Log>
  /** Whether several processes may use it at once. */
  readonly isShared: boolean
  /** So long after `release` a run can be claimed. */
  readonly leaseMs: number
}

const delta = (text: string): SluiceEvent => ({ type: 'text-delta', id: 'a', delta: text })
const step = (at: number, text: string) => ({ at, events: [delta(text)] })
const END = { at: 9, events: [{ type: 'finish', reason: 'stop' }], end: 'finished' } as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function all(records: AsyncIterable<RunRecord>): Promise<RunRecord[]> {
  const read: RunRecord[] = []
  for await (const record of records) read.push(record)
  return read
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'it worked'
  } catch (error) {
    return error instanceof LogError ? error.code : String(error)
  }
}

export function describeLog({ name, open, isShared, leaseMs }: Backend): void {
  const opened = async (options: { ttlMs?: number } = {}): Promise<Log> => {
    const log = await open(options)
    onTestFinished(() => log.shut())
    return log
  }

  describe(`a log in ${name}`, () => {
    test('numbers its records without a gap, and gives the rest of the same sequence from any position', async () => {
      const log = await opened()
      const writer = await log.create({ note: 'a run', kind: 'text' })
      const texts = ['one', 'two\n', 'drei ☃', '"four"']
      for (const [at, text] of texts.entries()) await writer.append({ ...step(at, text), input: text })
      await writer.close(END)
      const records = await all(log.read(writer.id))
      expect(records.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5])
      expect(records[0]).toEqual({ n: 0, header: writer.header })
      expect(records[3]).toEqual({ n: 3, at: 2, input: 'drei ☃', events: [delta('drei ☃')] })
      expect(records[5]).toEqual({ n: 5, ...END })
      for (const from of records.keys())
        expect(await all(log.read(writer.id, { from }))).toEqual(records.slice(from))
      expect(await all(log.read(writer.id, { from: 6 }))).toEqual([])
      expect(await all(log.read(writer.id, { from: 60 }))).toEqual([])
      expect(await log.state(writer.id)).toEqual({ header: writer.header, next: 6, isClosed: true })
    })

    test('keeps bytes that are no text', async () => {
      const log = await opened()
      const writer = await log.create({ kind: 'bytes' })
      const input = new Uint8Array([0xf0, 0x9f])
      await writer.append({ at: 0, input, events: [] })
      await writer.close(END)
      expect((await all(log.read(writer.id, { from: 1 })))[0]).toEqual({ n: 1, at: 0, input, events: [] })
    })

    test('gives a record to those who read along, once it is stored, and ends behind the last one', async () => {
      const log = await opened()
      const writer = await log.create({})
      const stored: number[] = []
      const read = (async () => {
        const seen: number[] = []
        for await (const { n } of log.read(writer.id)) {
          seen.push(n)
          expect((await log.state(writer.id))!.next).toBeGreaterThan(n)
        }
        return seen
      })()
      for (let n = 1; n <= 20; n++) {
        await writer.append(step(n, String(n)))
        stored.push(n)
        if (n % 5 === 0) await pause(5)
      }
      expect(await Promise.race([read, pause(50).then(() => 'open')])).toBe('open')
      await writer.close({ ...END, at: 30 })
      expect(await read).toEqual([0, ...stored, 21])
    })

    test('stores appends that are not waited for in their order', async () => {
      const log = await opened()
      const writer = await log.create({})
      await Promise.all([1, 2, 3].map((n) => writer.append(step(n, String(n)))).concat(writer.close(END)))
      const records = await all(log.read(writer.id, { from: 1 }))
      expect(records.map((record) => 'at' in record && record.at)).toEqual([1, 2, 3, 9])
    })

    test('closes a run once', async () => {
      const log = await opened()
      const writer = await log.create({})
      await writer.close(END)
      expect(await codeOf(writer.append(step(10, 'late')))).toBe('closed')
      expect(await codeOf(writer.close(END))).toBe('closed')
      expect(await log.claim(writer.id)).toBeUndefined()
      expect(await all(log.read(writer.id, { from: 1 }))).toEqual([{ n: 1, ...END }])
    })

    test('uses an id once', async () => {
      const log = await opened()
      const { id } = await log.create({})
      expect(await codeOf(log.create({ id }))).toBe('invalid-run')
      expect(await codeOf(log.create({ id: '../etc/passwd' }))).toBe('invalid-run')
    })

    test('says that a run is unknown, and never shows an empty one', async () => {
      const log = await opened()
      for (const id of ['run_never', '../lock', 'a.b', '']) {
        expect(await codeOf(all(log.read(id)))).toBe('unknown-run')
        expect(await codeOf(all(log.read(id, { from: 3 })))).toBe('unknown-run')
        expect(await log.state(id)).toBeUndefined()
        expect(await log.claim(id)).toBeUndefined()
        expect(await log.stop(id)).toBe(false)
        expect(await log.remove(id)).toBe(false)
      }
    })

    test('deletes a run, also for those who read along', async () => {
      const log = await opened()
      const writer = await log.create({})
      const reading = codeOf(all(log.read(writer.id)))
      await pause(20)
      expect(await log.remove(writer.id)).toBe(true)
      expect(await reading).toBe('unknown-run')
      expect(await codeOf(writer.append(step(1, 'x')))).toMatch(/unknown-run|fenced/)
      expect(await codeOf(all(log.read(writer.id)))).toBe('unknown-run')
    })

    test('lets runs expire, and says so', async () => {
      const log = await opened({ ttlMs: 300 })
      const writer = await log.create({})
      await writer.close(END)
      while ((await log.state(writer.id)) !== undefined) await pause(50)
      expect(await codeOf(all(log.read(writer.id)))).toBe('unknown-run')
    })

    test('finds a run by the name that it got last', async () => {
      const log = await opened()
      const [first, second] = [await log.create({}), await log.create({})]
      expect(await log.labelled('chat')).toBeUndefined()
      await log.label('chat', first.id)
      await log.label('chat', second.id)
      expect(await log.labelled('chat')).toBe(second.id)
      expect(await log.labelled('other')).toBeUndefined()
      expect(await codeOf(log.label('a b', first.id))).toBe('invalid-run')
      await first.close(END)
      await second.close(END)
    })

    test('tells a writer that it is to stop', async () => {
      const log = await opened()
      const writer = await log.create({})
      const stopped = new Promise((resolve) => {
        writer.signal.addEventListener('abort', () => resolve(writer.signal.reason.code))
      })
      expect(await log.stop(writer.id)).toBe(true)
      expect(await stopped).toBe('stopped')
      // It closes the run itself, with the truth.
      await writer.close({ at: 1, events: [{ type: 'finish', reason: 'aborted' }], end: 'interrupted' })
      expect(await log.stop(writer.id)).toBe(false)
    })

    test('keeps a run for its writer as long as that lives', async () => {
      const log = await opened()
      const writer = await log.create({})
      await pause(leaseMs * 2)
      expect(await log.lost()).not.toContain(writer.id)
      expect(await log.claim(writer.id)).toBeUndefined()
      await writer.append(step(1, 'still here'))
      await writer.close(END)
    })

    test('gives a run to someone else when its writer is silent, and refuses the first one from then on', async () => {
      const log = await opened()
      const zombie = await log.create({})
      await zombie.append(step(1, 'mine'))
      zombie.release()
      await pause(leaseMs + 50)
      expect(await log.lost()).toContain(zombie.id)
      const heir = (await log.claim(zombie.id))!
      expect(heir.next).toBe(2)
      expect(heir.header).toEqual(zombie.header)
      await heir.append(step(2, 'mine now'))
      expect(await codeOf(zombie.append(step(3, 'no, mine')))).toBe('fenced')
      expect(await codeOf(zombie.close(END))).toBe('fenced')
      await heir.close(END)
      expect((await all(log.read(zombie.id))).map(({ n }) => n)).toEqual([0, 1, 2, 3])
    })

    test('closes what a lost writer left open, with the truth', async () => {
      const log = await opened()
      const writer = await log.create({})
      await writer.append({
        at: 1,
        events: [
          { type: 'text-start', id: 'a' },
          delta('I look.'),
          { type: 'text-end', id: 'a' },
          { type: 'tool-input-start', id: 'call-1', toolName: 'rm' },
          { type: 'tool-input-delta', id: 'call-1', delta: '{"path": "/tm' },
        ],
      })
      const reading = all(log.read(writer.id, { from: 2 }))
      writer.release()
      const start = Date.now()
      onTestFinished(watchLost(log))
      const [last] = await reading
      expect(Date.now() - start).toBeLessThan(leaseMs + 1_000)
      expect(last).toMatchObject({ n: 2, end: 'failed' })
      const { events } = last as { events: readonly SluiceEvent[] }
      expect(events.map((event) => event.type)).toEqual(['tool-input-end', 'tool-call', 'error', 'finish'])
      expect(events[1]).toMatchObject({ status: 'truncated', raw: '{"path": "/tm' })
      expect(events[2]).toMatchObject({ error: { code: 'producer-lost' } })
      expect(events[3]).toEqual({ type: 'finish', reason: 'error' })
      expect(await takeOver(log, writer.id)).toBe(false)
    })

    test('ends a reader that does not want to read on', async () => {
      const log = await opened()
      const writer = await log.create({})
      const controller = new AbortController()
      const reading = all(log.read(writer.id, { signal: controller.signal }))
      setTimeout(() => controller.abort(new Error('enough')), 20)
      await expect(reading).rejects.toThrow('enough')
      await writer.close(END)
    })

    test('makes runs that are recordings', async () => {
      const log = await opened()
      const writer = await log.create({ kind: 'text', dialect: 'hermes' })
      await writer.append({ at: 1, input: 'Hello ', events: [] })
      await writer.append({ at: 2, input: 'you', events: [] })
      await writer.close(END)
      const recording = parseRecording(await asRecording(log.read(writer.id)))
      expect(recording.header).toMatchObject({ dialect: 'hermes', run: { version: 1, id: writer.id } })
      expect(recording.chunks.map(({ chunk }) => chunk)).toEqual(['Hello ', 'you'])
      expect(recording.end).toEqual({ at: 9, reason: 'finished' })
    })

    test('answers that it is there', async () => {
      await (await opened()).check()
    })

    if (!isShared) return

    test('shows one sequence on every node', async () => {
      const [here, there] = [await opened(), await opened()]
      const writer = await here.create({})
      const reading = all(there.read(writer.id))
      for (let n = 1; n <= 10; n++) await writer.append(step(n, String(n)))
      await writer.close({ ...END, at: 11 })
      expect(await reading).toEqual(await all(here.read(writer.id)))
      await here.label('last', writer.id)
      expect(await there.labelled('last')).toBe(writer.id)
      expect((await reading).length).toBe(12)
    })

    test('lets one of several nodes take a run over', async () => {
      const nodes = [await opened(), await opened(), await opened()]
      for (let round = 0; round < 5; round++) {
        const writer = await nodes[0]!.create({})
        await writer.append(step(1, 'x'))
        writer.release()
        await pause(leaseMs + 50)
        const won = await Promise.all(nodes.map((node) => takeOver(node, writer.id)))
        expect(won.filter(Boolean).length).toBe(1)
        expect((await all(nodes[1]!.read(writer.id))).length).toBe(3)
      }
    })

    test('stops a run from another node', async () => {
      const [here, there] = [await opened(), await opened()]
      const writer = await here.create({})
      const stopped = new Promise((resolve) => {
        writer.signal.addEventListener('abort', () => resolve(writer.signal.reason.code))
      })
      await there.stop(writer.id)
      expect(await stopped).toBe('stopped')
      await writer.close(END)
    })
  })
}
