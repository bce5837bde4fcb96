import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileStore } from '../../../src/runs/log/file/file-store.ts'
import { LogError } from '../../../src/runs/log/log-error.ts'
import type { RunStore } from '../../../src/runs/log/run-store.ts'
import { StoredLog } from '../../../src/runs/log/stored-log.ts'

/** A store whose answer to the first step is lost on its way: nobody knows whether it was stored. */
function withLostAnswer(store: RunStore): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name !== 'create') return typeof value === 'function' ? value.bind(target) : value
      return async (id: string, line: string) => {
        const hold = (await target.create(id, line))!
        let isLost = true
        const append: typeof hold.append = async (n, text, isLast) => {
          if (!isLost) return n === 1 ? { isStopped: false } : hold.append(n, text, isLast)
          isLost = false
          await hold.append(n, text, isLast)
          throw new LogError('unavailable', 'No answer.')
        }
        return { ...hold, append }
      }
    },
  })
}

test('a record that may be stored is not taken for another one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await FileStore.open(folder, {
    ttlMs: 60_000,
    sync: false,
    recordBytes: 1_000_000,
    unlock() {},
  })
  const log = new StoredLog(withLostAnswer(store))
  onTestFinished(() => log.shut())
  const writer = await log.create({})
  const first = { at: 1, events: [{ type: 'text-start', id: 'a' }] } as const
  const second = { at: 2, events: [{ type: 'text-end', id: 'a' }] } as const
  await expect(writer.append(first)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(writer.append(second)).rejects.toMatchObject({ code: 'unavailable' })
  await writer.append(first)
  await writer.append(second)
  await writer.close({ at: 3, events: [{ type: 'finish', reason: 'stop' }], end: 'finished' })
  const records: unknown[] = []
  for await (const record of log.read(writer.id, { from: 1 })) records.push(record)
  expect(records).toMatchObject([first, second, { end: 'finished' }])
})
