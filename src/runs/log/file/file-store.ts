/**
 * Runs in a folder: one file for each, which is a recording. What an earlier process left open there is lost, and can be
 * claimed at once.
 */

import { constants } from 'node:fs'
import { type FileHandle, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer } from '../lease.ts'
import { DEFAULT_LEASE } from '../log.ts'
import { closed, fenced, LogError, unavailable, unknownRun } from '../log-error.ts'
import { isLastLine, isRunId, RecordDecoder } from '../run-record.ts'
import type { Extent, Hold, RunStore, StoreReader } from '../run-store.ts'
import { RecentLines } from './recent-lines.ts'
import { type FoundRun, inspectFile, NumberedLines, openRunFile } from './run-file.ts'

interface FileStoreOptions {
  readonly ttlMs: number
  readonly sync: boolean
  /** The longest record, in bytes with its newline. */
  readonly recordBytes: number
  unlock(): void
}

const EXTENSION = '.jsonl'

/** A run as this process knows it. */
interface FileRun {
  readonly id: string
  readonly first: string
  /** Bytes of the file that are whole records. */
  size: number
  next: number
  isClosed: boolean
  isStopped: boolean
  /** Grows with each claim, so that an earlier writer is refused. 0: no writer. */
  epoch: number
  /** When the last record was written, in milliseconds since 1970. */
  touched: number
  /** The last records while there is a writer, so that those who follow it need not read the file. */
  readonly recent: RecentLines
  readonly watchers: Set<(what: string) => void>
}

export class FileStore implements RunStore {
  readonly name = 'file'
  readonly leaseMs = DEFAULT_LEASE
  private readonly folder: string
  private readonly options: FileStoreOptions
  private readonly runs = new Map<string, FileRun>()
  /** Runs without a writer that are not closed. */
  private readonly abandoned = new Set<string>()
  /** By name. A run that is named is one of this process: those of earlier ones are over. */
  private readonly labels = new Map<string, string>()
  private readonly expiry: ReturnType<typeof setInterval>

  private constructor(folder: string, options: FileStoreOptions) {
    this.folder = folder
    this.options = options
    this.expiry = setInterval(() => void this.expire(), Math.min(60_000, Math.max(50, options.ttlMs / 4)))
    this.expiry.unref()
  }

  static async open(folder: string, options: FileStoreOptions): Promise<FileStore> {
    const store = new FileStore(folder, options)
    try {
      await store.load()
      return store
    } catch (error) {
      clearInterval(store.expiry)
      throw error
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, id + EXTENSION)
  }

  /** Learns of the runs that earlier processes left. */
  private async load(): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      const id = entry.name.slice(0, -EXTENSION.length)
      // A link, a directory or a pipe is not a run, whatever its name is.
      if (!entry.isFile() || !entry.name.endsWith(EXTENSION) || !isRunId(id)) continue
      await this.loadRun(id).catch((error: unknown) => {
        // A file that is not a run is left alone: it says nothing about the others.
        if (!(error instanceof LogError) || error.code === 'unavailable') throw error
      })
    }
    await this.expire()
  }

  private async loadRun(id: string): Promise<void> {
    const path = this.pathOf(id)
    const file = await openRunFile(path, constants.O_RDWR)
    try {
      const { mtimeMs, size: length } = await file.stat()
      const found = await inspectFile(file, this.options.recordBytes)
      if (found.size < length) await file.truncate(found.size)
      await this.keep(id, found, mtimeMs)
    } finally {
      await file.close()
    }
  }

  private async keep(id: string, { size, lines, first, last }: FoundRun, touched: number): Promise<void> {
    if (lines === 0) {
      // The process died before the run began, so no client has its id.
      await rm(this.pathOf(id), { force: true })
      return
    }
    // A file that is no run is refused here.
    new RecordDecoder(id).decode(0, first)
    const isClosed = isLastLine(id, lines - 1, last)
    this.runs.set(id, { ...newRun(id, first), size, next: lines, isClosed, epoch: 0, touched })
    if (!isClosed) this.abandoned.add(id)
  }

  async create(id: string, line: string): Promise<Hold | undefined> {
    if (this.runs.has(id)) return undefined
    const run = newRun(id, line)
    const file = await this.createFile(id)
    if (file === undefined) return undefined
    const hold = this.hold(run, file)
    try {
      await hold.append(0, line, false)
    } catch (error) {
      await hold.leave(true)
      throw error
    }
    this.runs.set(id, run)
    return hold
  }

  private hold(run: FileRun, file: FileHandle): Hold {
    const { epoch } = run
    const answer = (): Answer => {
      if (run.epoch !== epoch) throw fenced(run.id)
      return { isStopped: run.isStopped }
    }
    return {
      append: async (_, line, isLast) => {
        answer()
        if (run.isClosed) throw closed(run.id)
        run.size += await this.writeWhole(run, file, line)
        run.recent.add(run.next++, line)
        run.touched = Date.now()
        run.isClosed = isLast
        wakeAll(run, 'appended')
        return { isStopped: run.isStopped }
      },
      // A process has its own runs as long as it lives.
      renew: async () => answer(),
      leave: async (isClosed) => {
        if (!isClosed && !run.isClosed && run.epoch === epoch) this.abandoned.add(run.id)
        if (run.epoch === epoch) run.recent.clear()
        await file.close().catch(() => {})
      },
    }
  }

  /** How many bytes it has. */
  private async writeWhole({ id, size }: FileRun, file: FileHandle, line: string): Promise<number> {
    const bytes = Buffer.from(line)
    const most = this.options.recordBytes
    if (bytes.length > most)
      throw new LogError(
        'too-large',
        `A record of the run '${id}' takes ${bytes.length} bytes, and at most ${most} can be stored in a file.`,
      )
    try {
      for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
      if (this.options.sync) await file.datasync()
      return bytes.length
    } catch (error) {
      // Half a line must not stand before the next one.
      await file.truncate(size).catch(() => {})
      throw unavailable(`The run '${id}' cannot be written`, error)
    }
  }

  /** Undefined if there is such a file already. */
  private async createFile(id: string): Promise<FileHandle | undefined> {
    try {
      return await this.openToAppend(id, constants.O_CREAT | constants.O_EXCL)
    } catch (error) {
      const { code } = (error as LogError).cause as NodeJS.ErrnoException
      if (code === 'EEXIST') return undefined
      throw error
    }
  }

  private openToAppend(id: string, flags = 0): Promise<FileHandle> {
    return openRunFile(this.pathOf(id), constants.O_WRONLY | constants.O_APPEND | flags)
  }

  async claim(id: string): Promise<{ hold: Hold; next: number } | undefined> {
    const run = this.runs.get(id)
    if (run === undefined || run.isClosed || !this.abandoned.delete(id)) return undefined
    run.epoch++
    try {
      return { hold: this.hold(run, await this.openToAppend(id)), next: run.next }
    } catch (error) {
      this.abandoned.add(id)
      throw error
    }
  }

  async first(id: string): Promise<string | undefined> {
    return this.runs.get(id)?.first
  }

  async extent(id: string): Promise<Extent | undefined> {
    return this.runs.get(id)
  }

  reader(id: string): StoreReader {
    const run = this.runs.get(id)
    const lines = new NumberedLines(this.pathOf(id), this.options.recordBytes)
    return {
      fetch: async (from) => {
        if (run === undefined || this.runs.get(id) !== run) throw unknownRun(id)
        return run.recent.from(from) ?? lines.from(from, run.size)
      },
      close: () => lines.close(),
    }
  }

  watch(id: string, wake: (what: string) => void): () => void {
    const run = this.runs.get(id)
    run?.watchers.add(wake)
    return () => run?.watchers.delete(wake)
  }

  async label(name: string, id: string): Promise<void> {
    if (this.runs.has(id)) this.labels.set(name, id)
  }

  async labelled(name: string): Promise<string | undefined> {
    return this.labels.get(name)
  }

  async stop(id: string): Promise<boolean> {
    const run = this.runs.get(id)
    if (run === undefined || run.isClosed) return false
    run.isStopped = true
    wakeAll(run, 'stop')
    return true
  }

  async remove(id: string): Promise<boolean> {
    const run = this.runs.get(id)
    if (run === undefined) return false
    this.runs.delete(id)
    this.abandoned.delete(id)
    for (const [name, labelled] of this.labels) if (labelled === id) this.labels.delete(name)
    run.epoch++
    await rm(this.pathOf(id), { force: true })
    wakeAll(run, 'removed')
    return true
  }

  async lost(): Promise<readonly string[]> {
    return [...this.abandoned]
  }

  async check(): Promise<void> {
    try {
      await stat(this.folder)
    } catch (error) {
      throw unavailable(`The folder ${this.folder} does not exist`, error)
    }
  }

  async shut(): Promise<void> {
    clearInterval(this.expiry)
    this.options.unlock()
  }

  private async expire(): Promise<void> {
    const limit = Date.now() - this.options.ttlMs
    for (const [id, run] of this.runs)
      if (run.isClosed && run.touched < limit) await this.remove(id).catch(() => false)
  }
}

function newRun(id: string, first: string): FileRun {
  const state = { size: 0, next: 0, isClosed: false, isStopped: false, epoch: 1, touched: Date.now() }
  return { id, first, ...state, recent: new RecentLines(), watchers: new Set() }
}

function wakeAll({ watchers }: FileRun, what: string): void {
  for (const wake of watchers) wake(what)
}
