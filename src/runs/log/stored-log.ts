/** A log in a store: encodes records as lines, checks ids, and holds a lease for each writer. */

import { follow } from './follow.ts'
import { Lease } from './lease.ts'
import type { Log, ReadOptions, RunState, RunWriter } from './log.ts'
import { closed, fenced, LogError, unknownRun } from './log-error.ts'
import {
  encodeHeader,
  encodeStep,
  isRunId,
  type NewRun,
  newHeader,
  RecordDecoder,
  type RunEnd,
  type RunHeader,
  type RunRecord,
  type RunStep,
} from './run-record.ts'
import type { Hold, RunStore } from './run-store.ts'

export class StoredLog implements Log {
  private readonly store: RunStore
  private readonly writers = new Set<StoredWriter>()

  constructor(store: RunStore) {
    this.store = store
  }

  get name(): string {
    return this.store.name
  }

  get leaseMs(): number {
    return this.store.leaseMs
  }

  async create(run: NewRun): Promise<RunWriter> {
    const header = newHeader(run)
    const { id } = header.run
    const hold = await this.store.create(id, encodeHeader(header))
    if (hold === undefined)
      throw new LogError('invalid-run', `The run '${id}' already exists; use another id.`)
    return this.writer(header, hold, 1)
  }

  async claim(id: string): Promise<RunWriter | undefined> {
    const claimed = isRunId(id) ? await this.store.claim(id) : undefined
    if (claimed === undefined) return undefined
    const { hold, next } = claimed
    try {
      const header = await this.header(id)
      if (header !== undefined) return this.writer(header, hold, next)
    } catch (error) {
      await hold.leave(false)
      throw error
    }
    await hold.leave(false)
    return undefined
  }

  private writer(header: RunHeader, hold: Hold, next: number): RunWriter {
    const writer = new StoredWriter(this.store, header, hold, next, () => this.writers.delete(writer))
    this.writers.add(writer)
    return writer
  }

  async *read(id: string, options: ReadOptions = {}): AsyncGenerator<RunRecord, void, undefined> {
    if (!isRunId(id)) throw unknownRun(id)
    const reader = this.store.reader(id)
    try {
      yield* follow(
        id,
        {
          fetch: (from) => reader.fetch(from),
          extent: () => this.store.extent(id),
          watch: (wake) => this.store.watch(id, wake),
        },
        options,
      )
    } finally {
      await reader.close()
    }
  }

  async state(id: string): Promise<RunState | undefined> {
    if (!isRunId(id)) return undefined
    const [extent, header] = await Promise.all([this.store.extent(id), this.header(id)])
    return extent && header && { header, next: extent.next, isClosed: extent.isClosed }
  }

  private async header(id: string): Promise<RunHeader | undefined> {
    const line = await this.store.first(id)
    const record = line === undefined ? undefined : new RecordDecoder(id).decode(0, line)
    return record !== undefined && 'header' in record ? record.header : undefined
  }

  async label(name: string, id: string): Promise<void> {
    if (!isRunId(name) || !isRunId(id))
      throw new LogError(
        'invalid-run',
        `'${name}' cannot be the name of a run; use letters, digits, '-' and '_'.`,
      )
    await this.store.label(name, id)
  }

  async labelled(name: string): Promise<string | undefined> {
    return isRunId(name) ? this.store.labelled(name) : undefined
  }

  async stop(id: string): Promise<boolean> {
    return isRunId(id) && this.store.stop(id)
  }

  async remove(id: string): Promise<boolean> {
    return isRunId(id) && this.store.remove(id)
  }

  lost(): Promise<readonly string[]> {
    return this.store.lost()
  }

  check(): Promise<void> {
    return this.store.check()
  }

  async shut(): Promise<void> {
    await Promise.all([...this.writers].map((writer) => writer.leave(fenced(writer.id), false)))
    await this.store.shut()
  }
}

class StoredWriter implements RunWriter {
  readonly id: string
  readonly header: RunHeader
  next: number
  private readonly hold: Hold
  private readonly lease: Lease
  private readonly unwatch: () => void
  private readonly onLeave: () => void
  /** The append before this one. */
  private previous: Promise<unknown> = Promise.resolve()
  /** A line that may be stored, or not: the store did not answer. */
  private unsure: string | undefined
  private hasLeft = false

  constructor(store: RunStore, header: RunHeader, hold: Hold, next: number, onLeave: () => void) {
    this.id = header.run.id
    this.header = header
    this.hold = hold
    this.next = next
    this.onLeave = onLeave
    this.lease = new Lease(store.leaseMs, () => hold.renew())
    this.unwatch = store.watch(this.id, (what) => {
      if (what === 'stop') this.lease.heard({ isStopped: true })
    })
  }

  get signal(): AbortSignal {
    return this.lease.signal
  }

  append(step: RunStep): Promise<void> {
    return this.inOrder(() => this.write(encodeStep(this.header.kind, step), false))
  }

  close(end: RunEnd): Promise<void> {
    return this.inOrder(async () => {
      await this.write(encodeStep(this.header.kind, end), true)
      await this.leave(closed(this.id), true)
    })
  }

  release(): void {
    void this.leave(fenced(this.id), false)
  }

  async leave(reason: LogError, isClosed: boolean): Promise<void> {
    if (this.hasLeft) return
    this.hasLeft = true
    this.lease.end(reason)
    this.unwatch()
    this.onLeave()
    await this.hold.leave(isClosed)
  }

  /** Serialises appends that the caller does not await. */
  private inOrder(work: () => Promise<void>): Promise<void> {
    const result = this.previous.then(work)
    this.previous = result.catch(() => {})
    return result
  }

  private async write(line: string, isLast: boolean): Promise<void> {
    this.lease.check()
    if (this.unsure !== undefined && this.unsure !== line)
      throw new LogError(
        'unavailable',
        `It is not known whether record ${this.next} of the run '${this.id}' is stored; append the same again, or release the run.`,
      )
    try {
      const answer = await this.hold.append(this.next, line, isLast)
      this.unsure = undefined
      this.next++
      this.lease.heard(answer)
    } catch (error) {
      const isUnsure = error instanceof LogError && error.code === 'unavailable'
      this.unsure = isUnsure ? line : undefined
      this.lease.failed(error)
      throw error
    }
  }
}
