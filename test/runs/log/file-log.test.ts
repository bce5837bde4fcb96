import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { FileStore } from '../../../src/runs/log/file/file-store.ts'
import { type Log, openFileLog, type RunRecord, takeOver } from '../../../src/runs/log/index.ts'
import { StoredLog } from '../../../src/runs/log/stored-log.ts'
import { parseRecording } from '../../../src/runs/recording/index.ts'
import { describeLog } from './contract.ts'

const folders: string[] = []
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describeLog({
  name: 'a folder',
  open: (options) => openFileLog(newFolder(), options),
  isShared: false,
  // A process that gives a run up can have it back at once.
  leaseMs: 0,
})

const END = { at: 9, events: [{ type: 'finish', reason: 'stop' }], end: 'finished' } as const

async function all(records: AsyncIterable<RunRecord>): Promise<RunRecord[]> {
  const read: RunRecord[] = []
  for await (const record of records) read.push(record)
  return read
}

describe('a folder of runs', () => {
  test('serves one process', async () => {
    const folder = newFolder()
    const log = await openFileLog(folder)
    await expect(openFileLog(folder)).rejects.toMatchObject({ code: 'locked' })
    await log.shut()
    await (await openFileLog(folder)).shut()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is taken over from a process that is gone', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), '{"pid":999999999,"started":"1"}')
    await (await openFileLog(folder)).shut()
    // The same pid, and another process.
    writeFileSync(join(folder, 'lock'), `{"pid":${process.pid},"started":"1"}`)
    await (await openFileLog(folder)).shut()
  })

  test('has a file for each run, which is a recording and for its owner only', async () => {
    const folder = newFolder()
    const log = await openFileLog(folder)
    onTestFinished(() => log.shut())
    const writer = await log.create({ id: 'run_1', kind: 'text', dialect: 'hermes' })
    await writer.append({ at: 0, input: 'Hi', events: [{ type: 'text-start', id: 'text-1' }] })
    await writer.close(END)
    const path = join(folder, 'run_1.jsonl')
    const recording = parseRecording(readFileSync(path, 'utf8'))
    expect(recording).toMatchObject({ kind: 'text', chunks: [{ at: 0, chunk: 'Hi' }] })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('gives out what an earlier process left open, without a line that was cut off', async () => {
    const folder = newFolder()
    const first = await openFileLog(folder)
    const writer = await first.create({ id: 'run_1', kind: 'text' })
    await writer.append({ at: 0, input: 'Hi', events: [{ type: 'text-start', id: 'text-1' }] })
    await first.shut()
    appendFileSync(join(folder, 'run_1.jsonl'), '[5,"half a li')
    const second = await openFileLog(folder)
    onTestFinished(() => second.shut())
    expect(await second.lost()).toEqual(['run_1'])
    expect(await takeOver(second, 'run_1')).toBe(true)
    expect(await second.lost()).toEqual([])
    const records = await all(second.read('run_1'))
    expect(records.map(({ n }) => n)).toEqual([0, 1, 2])
    expect(records[2]).toMatchObject({
      end: 'failed',
      events: [{ type: 'text-end', id: 'text-1' }, { type: 'error' }, { type: 'finish', reason: 'error' }],
    })
  })

  test('passes over files that it cannot read', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'broken.jsonl'), 'nothing\nof ours\n')
    writeFileSync(join(folder, 'empty.jsonl'), '')
    writeFileSync(
      join(folder, 'newer.jsonl'),
      '{"sluice-recording":1,"kind":"text","run":{"version":99,"id":"newer","created":1}}\n',
    )
    const log = await openFileLog(folder)
    onTestFinished(() => log.shut())
    expect(await log.lost()).toEqual([])
    await expect(all(log.read('newer'))).rejects.toMatchObject({ code: 'unknown-run' })
  })

  test('reads runs of every version that was ever written', async () => {
    const folder = newFolder()
    writeFileSync(
      join(folder, 'run_v1.jsonl'),
      '{"sluice-recording":1,"kind":"bytes","provider":"openai-chat","run":{"version":1,"id":"run_v1","created":1760000000000}}\n' +
        '[12,"data: {}\\n\\n",[{"type":"text-start","id":"text-1"}]]\n' +
        '[40,{"end":"finished"},[{"type":"text-end","id":"text-1"},{"type":"finish","reason":"stop"}]]\n',
    )
    const log = await openFileLog(folder)
    onTestFinished(() => log.shut())
    expect(await all(log.read('run_v1'))).toEqual([
      {
        n: 0,
        header: {
          kind: 'bytes',
          provider: 'openai-chat',
          run: { version: 1, id: 'run_v1', created: 1760000000000 },
        },
      },
      {
        n: 1,
        at: 12,
        input: new TextEncoder().encode('data: {}\n\n'),
        events: [{ type: 'text-start', id: 'text-1' }],
      },
      {
        n: 2,
        at: 40,
        end: 'finished',
        events: [
          { type: 'text-end', id: 'text-1' },
          { type: 'finish', reason: 'stop' },
        ],
      },
    ])
  })

  test('has a record of any length up to its limit, and refuses a longer one', async () => {
    const folder = newFolder()
    const recordBytes = 300
    const open = async () => {
      const log = new StoredLog(
        await FileStore.open(folder, { ttlMs: 1000, sync: false, recordBytes, unlock() {} }),
      )
      onTestFinished(() => log.shut())
      return log
    }
    const log = await open()
    const writer = await log.create({ id: 'run_1', kind: 'text' })
    const longest = 'x'.repeat(300 - '[0,"",[]]\n'.length)
    await writer.append({ at: 0, input: longest, events: [] })
    await expect(writer.append({ at: 0, input: `${longest}x`, events: [] })).rejects.toMatchObject({
      code: 'too-large',
      message: "A record of the run 'run_1' takes 301 bytes, and at most 300 can be stored in a file.",
    })
    await writer.close(END)
    expect((await all((await open()).read('run_1'))).map(({ n }) => n)).toEqual([0, 1, 2])

    // The line of another program.
    appendFileSync(join(folder, 'run_1.jsonl'), `${'x'.repeat(301)}\n`)
    await expect(all((await open()).read('run_1'))).rejects.toMatchObject({ code: 'unknown-run' })
    expect(statSync(join(folder, 'run_1.jsonl')).size).toBeGreaterThan(600)
  })
})

const RUN =
  '{"sluice-recording":1,"kind":"text","run":{"version":1,"id":"outside","created":1760000000000}}\n'

/** A log in a folder that has a run in `a_run.jsonl`, and in `odd.jsonl` what `make` puts there. */
async function besideARun(make: (path: string, folder: string) => unknown): Promise<[Log, string]> {
  const folder = newFolder()
  writeFileSync(join(folder, 'a_run.jsonl'), RUN)
  await make(join(folder, 'odd.jsonl'), folder)
  const log = await openFileLog(folder)
  onTestFinished(() => log.shut())
  return [log, folder]
}

/** Opens a pipe that nobody writes to, so that a test that waits for it ends. */
const pipe = (path: string): void => void execFileSync('mkfifo', [path])

async function listen(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
}

describe.skipIf(process.platform === 'win32')('a folder of runs passes over', () => {
  test.each<readonly [string, (path: string) => unknown]>([
    ['a directory', (path) => mkdirSync(path)],
    ['a pipe', pipe],
    ['a socket', listen],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['a link to nothing', (path) => symlinkSync('/nowhere/run.jsonl', path)],
  ])('%s that is named like a run', async (_, make) => {
    const [log, folder] = await besideARun(make)
    expect(await log.lost()).toEqual(['a_run'])
    await expect(all(log.read('odd'))).rejects.toMatchObject({ code: 'unknown-run' })
    expect(await log.claim('odd')).toBeUndefined()
    expect(await log.remove('odd')).toBe(false)
    await expect(log.create({ id: 'odd' })).rejects.toMatchObject({ code: 'invalid-run' })
    expect(readdirSync(folder).sort()).toEqual(['a_run.jsonl', 'lock', 'odd.jsonl'])
  })

  test('a link to a file outside, which is not read, cut, appended to or deleted', async () => {
    const outside = join(newFolder(), 'outside.jsonl')
    const text = `${RUN}[1,"half a li`
    writeFileSync(outside, text)
    const [log] = await besideARun((path) => symlinkSync(outside, path))
    expect(await log.lost()).toEqual(['a_run'])
    await expect(all(log.read('odd'))).rejects.toMatchObject({ code: 'unknown-run' })
    expect(await log.claim('odd')).toBeUndefined()
    expect(await log.remove('odd')).toBe(false)
    expect(readFileSync(outside, 'utf8')).toBe(text)
  })
})

describe.skipIf(process.platform === 'win32')('a run whose file was replaced', () => {
  test.each<readonly [string, (path: string) => unknown]>([
    ['by a directory', (path) => mkdirSync(path)],
    ['by a pipe', pipe],
    ['by a socket', listen],
    ['by a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['by a link to a run', (path) => symlinkSync(join(path, '..', 'b_run.jsonl'), path)],
  ])('%s is refused', async (_, make) => {
    const [log, folder] = await besideARun((_, folder) => writeFileSync(join(folder, 'b_run.jsonl'), RUN))
    unlinkSync(join(folder, 'a_run.jsonl'))
    await make(join(folder, 'a_run.jsonl'))
    await expect(all(log.read('a_run'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(log.claim('a_run')).rejects.toMatchObject({ code: 'unavailable' })
    expect(readFileSync(join(folder, 'b_run.jsonl'), 'utf8')).toBe(RUN)
  })
})

describe.skipIf(process.platform === 'win32')('a lock that cannot be read is refused', () => {
  test.each<readonly [string, (path: string) => unknown]>([
    ['a directory', (path) => mkdirSync(path)],
    ['a pipe', pipe],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ])('%s', async (_, make) => {
    const folder = newFolder()
    make(join(folder, 'lock'))
    await expect(openFileLog(folder)).rejects.toMatchObject({ code: 'unavailable' })
    expect(readdirSync(folder)).toEqual(['lock'])
  })
})
