import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFileLog } from '../../../src/runs/log/index.ts'
import { growthOf, MOST_GROWTH } from '../../growth.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HEADER =
  '{"sluice-recording":1,"kind":"text","run":{"version":1,"id":"run_1","created":1760000000000}}\n'

test('a folder with a long record is opened and read in linear time', async () => {
  const work = async (size: number): Promise<void> => {
    const record = `[0,"${'x'.repeat(size)}",[]]\n`
    const end = '[1,{"end":"finished"},[]]\n'
    writeFileSync(join(folder, 'run_1.jsonl'), HEADER + record + end)
    const log = await openFileLog(folder)
    let records = 0
    for await (const _ of log.read('run_1')) records++
    expect(records).toBe(3)
    await log.shut()
  }
  expect(await growthOf(work, 4_000_000)).toBeLessThan(MOST_GROWTH)
})
