/**
 * A log in a folder: one file per run, each of them a recording. It serves one process per folder; what the next process
 * finds open there is lost, and can be claimed at once.
 */

import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { messageOf } from '../../errors.ts'
import { checkOptions, type KnownOptions } from '../../options.ts'
import { follow } from '../follow.ts'
import { type Answer, Lease } from '../lease.ts'
import {
  DEFAULT_LEASE,
  DEFAULT_TTL,
  type Log,
  type ReadOptions,
  type RunState,
  type RunWriter,
} from '../log.ts'
import { closed, fenced, LogError, unknownRun } from '../log-error.ts'
import {
  encodeHeader,
  encodeStep,
  isLast,
  isRunId,
  type NewRun,
  newHeader,
  RecordDecoder,
  type RunEnd,
  type RunHeader,
  type RunRecord,
  type RunStep,
} from '../run-record.ts'
import { lockFolder } from './folder-lock.ts'
import { inspectFile, NumberedLines } from './run-file.ts'

export interface FileLogOptions {
  /** How long a run is kept behind its last record (an hour), in milliseconds. */
  readonly ttlMs?: number
  /** Whether each record is on the disk before it counts. Without it (the default), a crash of the machine loses some. */
  readonly sync?: boolean
}

const OPTIONS: KnownOptions<FileLogOptions> = { ttlMs: 'number', sync: 'boolean' }

const EXTENSION = '.jsonl'

/** A run as this process knows it. */
interface FileRun {
  readonly header: RunHeader
  /** Bytes of the file that are whole records. */
  size: number
  next: number
  isClosed: boolean
  isStopped: boolean
  /** Grows with each claim, so that an earlier writer is refused. 0: nobody writes. */
  epoch: number
  /** When the last record was written, in milliseconds since 1970. */
  touched: number
  readonly watchers: Set<() => void>
}

/**
 * Opens a folder of runs, and makes it where there is none.
 *
 *     const log = await openFileLog('./runs')
 *     const writer = await log.create({ provider: 'openai-chat', kind: 'bytes' })
 *
 * Throws `locked` where another process uses the folder.
 */
export async function openFileLog(folder: string, options: FileLogOptions = {}): Promise<Log> {
  checkOptions(options, OPTIONS)
  const path = resolve(folder)
  // What people say to a model is nobody else's business.
  await mkdir(path, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(path)
  try {
    const log = new FileLog(path, unlock, options)
    await log.load()
    return log
  } catch (error) {
    unlock()
    throw error
  }
}

class FileLog implements Log {
  readonly name = 'file'
  readonly leaseMs = DEFAULT_LEASE
  private readonly folder: string
  private readonly unlock: () => void
  private readonly ttlMs: number
  private readonly sync: boolean
  private readonly runs = new Map<string, FileRun>()
  /** Runs that nobody writes and nobody closed. */
  private readonly abandoned = new Set<string>()
  private readonly writers = new Set<FileWriter>()
  private readonly expiry: ReturnType<typeof setInterval>

  constructor(folder: string, unlock: () => void, { ttlMs = DEFAULT_TTL, sync = false }: FileLogOptions) {
    this.folder = folder
    this.unlock = unlock
    this.ttlMs = ttlMs
    this.sync = sync
    this.expiry = setInterval(() => void this.expire(), Math.min(60_000, Math.max(50, ttlMs / 4)))
    this.expiry.unref()
  }

  private pathOf(id: string): string {
    return join(this.folder, id + EXTENSION)
  }

  /** Learns of the runs that earlier processes left. */
  async load(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const id = name.slice(0, -EXTENSION.length)
      if (!name.endsWith(EXTENSION) || !isRunId(id)) continue
      await this.loadRun(id).catch((error: unknown) => {
        // A file that cannot be read is left alone: it says nothing about the others.
        if (!(error instanceof LogError)) throw error
      })
    }
    await this.expire()
  }

  private async loadRun(id: string): Promise<void> {
    const path = this.pathOf(id)
    const { mtimeMs, size: length } = await stat(path)
    const { size, lines, last } = await inspectFile(path)
    if (size < length) await truncate(path, size)
    const header = await this.headerIn(path, id)
    if (header === undefined) {
      // The process died before the run began: nobody knows of it.
      await rm(path, { force: true })
      return
    }
    const decoder = new RecordDecoder(id)
    const isClosed = lines > 1 && isLast(decoder.decode(lines - 1, last))
    const run: FileRun = {
      header,
      size,
      next: lines,
      isClosed,
      isStopped: false,
      epoch: 0,
      touched: mtimeMs,
      watchers: new Set(),
    }
    this.runs.set(id, run)
    if (!isClosed) this.abandoned.add(id)
  }

  private async headerIn(path: string, id: string): Promise<RunHeader | undefined> {
    const lines = new NumberedLines(path)
    try {
      const [first] = await lines.from(0, Number.POSITIVE_INFINITY)
      const record = first && new RecordDecoder(id).decode(0, first[1])
      return record !== undefined && 'header' in record ? record.header : undefined
    } finally {
      await lines.close()
    }
  }

  async create(run: NewRun): Promise<RunWriter> {
    const header = newHeader(run)
    const { id } = header.run
    if (this.runs.has(id))
      throw new LogError('invalid-run', `There is a run '${id}' already; an id is used once.`)
    const file = await this.open(id, constants.O_CREAT | constants.O_EXCL)
    const state: FileRun = {
      header,
      size: 0,
      next: 0,
      isClosed: false,
      isStopped: false,
      epoch: 1,
      touched: Date.now(),
      watchers: new Set(),
    }
    const writer = this.writer(state, file)
    await writer.begin()
    this.runs.set(id, state)
    return writer
  }

  private writer(run: FileRun, file: FileHandle): FileWriter {
    const writer = new FileWriter(run, file, this.sync, {
      onAbandon: () => this.abandoned.add(run.header.run.id),
      onLeave: () => this.writers.delete(writer),
    })
    this.writers.add(writer)
    return writer
  }

  private async open(id: string, flags = 0): Promise<FileHandle> {
    try {
      return await open(this.pathOf(id), constants.O_WRONLY | constants.O_APPEND | flags, 0o600)
    } catch (error) {
      throw new LogError('unavailable', `The file of the run '${id}' cannot be opened: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  async claim(id: string): Promise<RunWriter | undefined> {
    const run = this.runs.get(id)
    if (run === undefined || run.isClosed || !this.abandoned.delete(id)) return undefined
    run.epoch++
    try {
      return this.writer(run, await this.open(id))
    } catch (error) {
      this.abandoned.add(id)
      throw error
    }
  }

  async *read(id: string, options: ReadOptions = {}): AsyncGenerator<RunRecord, void, undefined> {
    const run = this.runs.get(id)
    if (run === undefined) throw unknownRun(id)
    const lines = new NumberedLines(this.pathOf(id))
    try {
      yield* follow(
        id,
        {
          fetch: async (from) => (this.runs.get(id) === run ? lines.from(from, run.size) : []),
          extent: async () => (this.runs.get(id) === run ? run : undefined),
          watch: (wake) => {
            run.watchers.add(wake)
            return () => run.watchers.delete(wake)
          },
        },
        options,
      )
    } finally {
      await lines.close()
    }
  }

  async state(id: string): Promise<RunState | undefined> {
    const run = this.runs.get(id)
    return run && { header: run.header, next: run.next, isClosed: run.isClosed }
  }

  async stop(id: string): Promise<boolean> {
    const run = this.runs.get(id)
    if (run === undefined || run.isClosed) return false
    run.isStopped = true
    wakeAll(run)
    return true
  }

  async remove(id: string): Promise<boolean> {
    const run = this.runs.get(id)
    if (run === undefined) return false
    this.runs.delete(id)
    this.abandoned.delete(id)
    run.epoch++
    await rm(this.pathOf(id), { force: true })
    wakeAll(run)
    return true
  }

  async lost(): Promise<readonly string[]> {
    return [...this.abandoned]
  }

  async check(): Promise<void> {
    try {
      await stat(this.folder)
    } catch (error) {
      throw new LogError('unavailable', `The folder ${this.folder} is not there.`, { cause: error })
    }
  }

  async shut(): Promise<void> {
    clearInterval(this.expiry)
    await Promise.all([...this.writers].map((writer) => writer.leave(fenced(writer.id))))
    this.unlock()
  }

  private async expire(): Promise<void> {
    const limit = Date.now() - this.ttlMs
    for (const [id, run] of this.runs)
      if (run.isClosed && run.touched < limit) await this.remove(id).catch(() => false)
  }
}

function wakeAll({ watchers }: FileRun): void {
  for (const wake of watchers) wake()
}

/** Who has to know what becomes of a writer. */
interface WriterOwner {
  /** Nobody writes the run any more, and it is not closed. */
  onAbandon(): void
  onLeave(): void
}

class FileWriter implements RunWriter {
  private readonly run: FileRun
  private readonly file: FileHandle
  private readonly epoch: number
  private readonly sync: boolean
  private readonly owner: WriterOwner
  private readonly lease: Lease
  private readonly unwatch: () => void

  constructor(run: FileRun, file: FileHandle, sync: boolean, owner: WriterOwner) {
    this.run = run
    this.file = file
    this.epoch = run.epoch
    this.sync = sync
    this.owner = owner
    // A process has its own runs as long as it lives.
    this.lease = new Lease(DEFAULT_LEASE, async () => this.answer())
    const look = (): void => {
      if (run.isStopped) this.lease.heard(this.answer())
    }
    run.watchers.add(look)
    this.unwatch = () => run.watchers.delete(look)
  }

  get id(): string {
    return this.run.header.run.id
  }

  get header(): RunHeader {
    return this.run.header
  }

  get next(): number {
    return this.run.next
  }

  get signal(): AbortSignal {
    return this.lease.signal
  }

  private answer(): Answer {
    if (this.run.epoch !== this.epoch) throw fenced(this.id)
    return { isStopped: this.run.isStopped }
  }

  begin(): Promise<void> {
    return this.write(encodeHeader(this.run.header), false)
  }

  append(step: RunStep): Promise<void> {
    return this.write(encodeStep(this.run.header.kind, step), false)
  }

  async close(end: RunEnd): Promise<void> {
    await this.write(encodeStep(this.run.header.kind, end), true)
    await this.leave(closed(this.id))
  }

  release(): void {
    if (this.run.isClosed || this.run.epoch !== this.epoch) return
    void this.leave(fenced(this.id))
    this.owner.onAbandon()
  }

  async leave(reason: LogError): Promise<void> {
    this.lease.end(reason)
    this.unwatch()
    this.owner.onLeave()
    await this.file.close().catch(() => {})
  }

  private async write(line: string, isLastLine: boolean): Promise<void> {
    this.lease.check()
    const { run } = this
    try {
      const answer = this.answer()
      if (run.isClosed) throw closed(this.id)
      await this.writeWhole(line)
      run.size += Buffer.byteLength(line)
      run.next++
      run.touched = Date.now()
      run.isClosed = isLastLine
      this.lease.heard(answer)
    } catch (error) {
      this.lease.failed(error)
      throw error
    }
    wakeAll(run)
  }

  private async writeWhole(line: string): Promise<void> {
    try {
      await this.file.appendFile(line, 'utf8')
      if (this.sync) await this.file.datasync()
    } catch (error) {
      // Half a line must not stand before the next one.
      await this.file.truncate(this.run.size).catch(() => {})
      throw new LogError('unavailable', `The run '${this.id}' cannot be written: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
}
