import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openFileLog, type RunRecord, takeOver } from '../../../src/runs/log/index.ts'
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
})
