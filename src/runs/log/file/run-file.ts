/** The file of one run: lines, of which only whole ones count. */

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { LogError, unavailable } from '../log-error.ts'
import type { StoredRecord } from '../run-store.ts'

const NEWLINE = 0x0a
const BLOCK = 65_536

/** What is found in a file that some earlier process left behind. */
export interface FoundRun {
  /** The length of its whole lines, in bytes. */
  readonly size: number
  readonly lines: number
  /** The first and the last whole line. */
  readonly first: string
  readonly last: string
}

/**
 * Opens the file of a run. A symbolic link is not followed, because it may lead out of the folder. A directory, a pipe, a
 * socket and a device are refused.
 */
export async function openRunFile(path: string, flags: number): Promise<FileHandle> {
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK, opening a pipe waits for its other end.
    file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
    if ((await file.stat()).isFile()) return file
  } catch (error) {
    await file?.close()
    throw unavailable(`The file ${path} cannot be opened`, error)
  }
  await file.close()
  throw new LogError('unavailable', `${path} is not a regular file.`)
}

/** Reads a file once. A last line without its newline was never told to anyone, and is not counted. */
export async function inspectFile(file: FileHandle, recordBytes: number): Promise<FoundRun> {
  const reader = new LineReader(file, recordBytes)
  let lines = 0
  let first = ''
  let last = ''
  for (;;) {
    const batch = await reader.lines(Number.POSITIVE_INFINITY)
    if (batch.length === 0) break
    if (lines === 0) first = batch[0]!
    lines += batch.length
    last = batch.at(-1)!
  }
  return { size: reader.position, lines, first, last }
}

/** The whole lines of a file, up to a limit that may grow. Throws `damaged` at a line that is too long. */
export class LineReader {
  private readonly file: FileHandle
  private readonly recordBytes: number
  /** Bytes behind the last line, without a newline yet. They are joined only once, when the newline is found. */
  private rest: Buffer[] = []
  private restLength = 0
  private offset = 0

  constructor(file: FileHandle, recordBytes: number) {
    this.file = file
    this.recordBytes = recordBytes
  }

  /** Behind the last whole line. */
  get position(): number {
    return this.offset - this.restLength
  }

  /** The next lines, not beyond `limit` bytes of the file; none if there are none. */
  async lines(limit: number): Promise<string[]> {
    for (;;) {
      const block = Buffer.alloc(Math.min(BLOCK, limit - this.offset))
      const { bytesRead } =
        block.length === 0 ? { bytesRead: 0 } : await this.file.read(block, 0, block.length, this.offset)
      if (bytesRead === 0) return []
      this.offset += bytesRead
      const bytes = block.subarray(0, bytesRead)
      const end = bytes.lastIndexOf(NEWLINE) + 1
      const lineLength = this.restLength + (bytes.indexOf(NEWLINE) + 1 || bytesRead)
      if (lineLength > this.recordBytes)
        throw new LogError('damaged', `A line is longer than ${this.recordBytes} bytes.`)
      const rest = bytes.subarray(end)
      if (end === 0) {
        this.rest.push(rest)
        this.restLength += rest.length
        continue
      }
      const lines = Buffer.concat([...this.rest, bytes.subarray(0, end - 1)])
      this.rest = [rest]
      this.restLength = rest.length
      return lines.toString('utf8').split('\n')
    }
  }
}

/** Lines with their numbers, for one reader that goes through a file once. */
export class NumberedLines {
  private readonly path: string
  private readonly recordBytes: number
  private file: FileHandle | undefined
  private reader: LineReader | undefined
  private count = 0

  constructor(path: string, recordBytes: number) {
    this.path = path
    this.recordBytes = recordBytes
  }

  /** Some of the records from a number on. */
  async from(first: number, limit: number): Promise<StoredRecord[]> {
    this.file ??= await openRunFile(this.path, constants.O_RDONLY)
    this.reader ??= new LineReader(this.file, this.recordBytes)
    for (;;) {
      const lines = await this.reader.lines(limit)
      if (lines.length === 0) return []
      const start = this.count
      this.count += lines.length
      const records = lines.map((line, at): StoredRecord => [start + at, line])
      const wanted = records.filter(([n]) => n >= first)
      if (wanted.length > 0) return wanted
    }
  }

  async close(): Promise<void> {
    await this.file?.close()
  }
}
