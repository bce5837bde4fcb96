/** Recordings in files. The only part of this folder that needs Node, and therefore not in its index. */

import { appendFileSync, closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { messageOf, SluiceError } from '../errors.ts'
import {
  formatRecording,
  parseRecording,
  type Recording,
  type RecordingHeader,
  type RecordingKind,
} from './format.ts'
import { RecordingWriter } from './recording-writer.ts'

export async function readRecording(path: string): Promise<Recording> {
  return parseRecording(await attempt('read', path, () => readFile(path, 'utf8')), path)
}

export async function writeRecording(path: string, recording: Recording): Promise<void> {
  const text = formatRecording(recording)
  await attempt('write', path, () => writeFile(path, text))
}

/** A recording that is in its file, line by line, as soon as each chunk has come: a crash loses nothing. */
export class RecordingFile extends RecordingWriter {
  private readonly file: number

  private constructor(file: number, kind: RecordingKind, header: RecordingHeader) {
    super((line) => appendFileSync(file, line), kind, header)
    this.file = file
  }

  static async create(
    path: string,
    kind: RecordingKind,
    header: RecordingHeader = {},
  ): Promise<RecordingFile> {
    return new RecordingFile(await attempt('write', path, async () => openSync(path, 'w')), kind, header)
  }

  close(): void {
    closeSync(this.file)
  }
}

async function attempt<Result>(
  what: 'read' | 'write',
  path: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    const reason = messageOf(error)
    throw new SluiceError(
      'invalid-recording',
      `The recording ${path} cannot be ${what === 'read' ? 'read' : 'written'}: ${reason}.`,
      {
        cause: error,
      },
    )
  }
}
