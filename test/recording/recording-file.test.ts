import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Recording } from '../../src/recording/index.ts'
import { RecordingFile, readRecording, writeRecording } from '../../src/recording/recording-file.ts'

const recording: Recording = { kind: 'text', header: { note: 'n' }, chunks: [{ at: 3, chunk: 'ö' }] }
const TEXT = '{"sluice-recording":1,"kind":"text","note":"n"}\n[3,"ö"]\n'

describe('a recording in a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is written and read', async () => {
    const path = join(folder, 'a.jsonl')
    await writeRecording(path, recording)
    expect(await readFile(path, 'utf8')).toBe(TEXT)
    expect(await readRecording(path)).toEqual(recording)
  })

  it('is there while the stream still runs', async () => {
    const path = join(folder, 'a.jsonl')
    const file = await RecordingFile.create(path, 'text', { note: 'n' })
    file.append(3, 'ö')
    expect(await readFile(path, 'utf8')).toBe(TEXT)
    file.close()
  })

  it('is named when something is wrong with it', async () => {
    const path = join(folder, 'a.jsonl')
    await writeFile(path, 'hello')
    await expect(readRecording(path)).rejects.toMatchObject({
      code: 'invalid-recording',
      message: `Line 1 of ${path} is not JSON; if the recording was cut off while it was written, remove this line.`,
    })
  })

  it('that is not there is said to be missing', async () => {
    const path = join(folder, 'none.jsonl')
    await expect(readRecording(path)).rejects.toMatchObject({
      code: 'invalid-recording',
      message: expect.stringContaining(path),
    })
    await expect(writeRecording(join(folder, 'no', 'way.jsonl'), recording)).rejects.toMatchObject({
      code: 'invalid-recording',
    })
    await expect(RecordingFile.create(join(folder, 'no', 'way.jsonl'), 'text')).rejects.toMatchObject({
      code: 'invalid-recording',
    })
  })
})
