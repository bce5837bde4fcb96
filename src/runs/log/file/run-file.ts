/** The file of one run: lines, of which only whole ones count. */

import { type FileHandle, open } from 'node:fs/promises'
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

/** Reads a file once. A last line without its newline was never told to anyone, and is not counted. */
export async function inspectFile(path: string): Promise<FoundRun> {
  const file = await open(path, 'r')
  try {
    const reader = new LineReader(file)
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
  } finally {
    await file.close()
  }
}

/** The whole lines of a file, up to a limit that may grow. */
export class LineReader {
  private readonly file: FileHandle
  /** Bytes behind the last line, without a newline yet. */
  private rest = Buffer.alloc(0)
  private offset = 0

  constructor(file: FileHandle) {
    this.file = file
  }

  /** Behind the last whole line. */
  get position(): number {
    return this.offset - this.rest.length
  }

  /** The next lines, not beyond `limit` bytes of the file; none if there are none. */
  async lines(limit: number): Promise<string[]> {
    for (;;) {
      const block = Buffer.alloc(Math.min(BLOCK, limit - this.offset))
      const { bytesRead } =
        block.length === 0 ? { bytesRead: 0 } : await this.file.read(block, 0, block.length, this.offset)
      if (bytesRead === 0) return []
      this.offset += bytesRead
      const bytes = Buffer.concat([this.rest, block.subarray(0, bytesRead)])
      const end = bytes.lastIndexOf(NEWLINE) + 1
      this.rest = bytes.subarray(end)
      if (end > 0)
        return bytes
          .subarray(0, end - 1)
          .toString('utf8')
          .split('\n')
    }
  }
}

/** Lines with their numbers, for one reader that goes through a file once. */
export class NumberedLines {
  private readonly path: string
  private file: FileHandle | undefined
  private reader: LineReader | undefined
  private count = 0

  constructor(path: string) {
    this.path = path
  }

  /** Some of the records from a number on. */
  async from(first: number, limit: number): Promise<StoredRecord[]> {
    this.file ??= await open(this.path, 'r')
    this.reader ??= new LineReader(this.file)
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
