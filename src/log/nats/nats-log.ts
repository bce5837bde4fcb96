/**
 * A log in NATS JetStream. Every append says which record it expects to be the last one, so that of several writers one
 * wins and the others learn of it.
 */

import { checkOptions, type KnownOptions } from '../../options.ts'
import { follow, type StoredRecord } from '../follow.ts'
import { type Answer, Lease } from '../lease.ts'
import {
  DEFAULT_LEASE,
  DEFAULT_TIMEOUT,
  DEFAULT_TTL,
  type Log,
  type LogOptions,
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
import { NatsStore, type StoredLine } from './store.ts'

export interface NatsLogOptions extends LogOptions {
  /** What the names of streams and subjects begin with (`sluice`). */
  readonly prefix?: string
  /** Copies of each stream, where the streams are created here (1). */
  readonly replicas?: number
}

const OPTIONS: KnownOptions<NatsLogOptions> = {
  leaseMs: 'number',
  ttlMs: 'number',
  timeoutMs: 'number',
  prefix: 'string',
  replicas: 'number',
}

/** How many records are fetched before they are handed on. */
const PAGE = 64

/**
 * Connects to a server, and creates its streams where there are none.
 *
 *     const log = await openNatsLog('nats://127.0.0.1:4222')
 *
 * Throws `unavailable` where no server answers, or one without JetStream.
 */
export async function openNatsLog(url: string, options: NatsLogOptions = {}): Promise<Log> {
  checkOptions(options, OPTIONS)
  const { prefix = 'sluice', ttlMs = DEFAULT_TTL, timeoutMs = DEFAULT_TIMEOUT, replicas = 1 } = options
  const store = await NatsStore.open({ url, prefix, ttlMs, timeoutMs, replicas })
  return new NatsLog(store, options.leaseMs ?? DEFAULT_LEASE)
}

class NatsLog implements Log {
  readonly name = 'nats'
  readonly leaseMs: number
  private readonly store: NatsStore

  constructor(store: NatsStore, leaseMs: number) {
    this.store = store
    this.leaseMs = leaseMs
  }

  async create(run: NewRun): Promise<RunWriter> {
    const header = newHeader(run)
    const { id } = header.run
    const name = writerName()
    // A run without a sign of life would look as if it were closed.
    await this.store.beat(id)
    const sequence = await this.store.append(id, 0, encodeHeader(header), 0, name)
    if (sequence === undefined)
      throw new LogError('invalid-run', `There is a run '${id}' already; an id is used once.`)
    return new NatsWriter(this.store, this.leaseMs, { header, name, next: 1, sequence })
  }

  async claim(id: string): Promise<RunWriter | undefined> {
    if (!isRunId(id)) return undefined
    const silence = await this.store.silence(id)
    if (silence === undefined || silence <= this.leaseMs) return undefined
    const [state, last] = await Promise.all([this.state(id), this.store.last(id)])
    if (state === undefined || last === undefined || isLast(decoded(id, last))) {
      // Its writer died behind the last record, or before the first one.
      await this.store.forget(id)
      return undefined
    }
    const { header } = state
    const position = { header, name: writerName(), next: last.n + 1, sequence: last.sequence }
    return new NatsWriter(this.store, this.leaseMs, position)
  }

  async *read(id: string, options: ReadOptions = {}): AsyncGenerator<RunRecord, void, undefined> {
    if (!isRunId(id)) throw unknownRun(id)
    let sequence = 1
    const fetch = async (from: number): Promise<StoredRecord[]> => {
      const records: StoredRecord[] = []
      while (records.length < PAGE) {
        const stored = await this.store.after(id, sequence)
        if (stored === undefined) break
        sequence = stored.sequence + 1
        if (stored.n >= from) records.push([stored.n, stored.line])
        // Only the header is needed of what comes before the first record that was asked for.
        if (stored.n === 0) break
      }
      return records
    }
    const watch = (wake: () => void): (() => void) => this.store.watch(id, wake)
    yield* follow(id, { fetch, extent: () => this.extent(id), watch }, options)
  }

  private async extent(id: string): Promise<{ next: number; isClosed: boolean } | undefined> {
    const last = await this.store.last(id)
    return last && { next: last.n + 1, isClosed: isLast(decoded(id, last)) }
  }

  async state(id: string): Promise<RunState | undefined> {
    if (!isRunId(id)) return undefined
    const [first, extent] = await Promise.all([this.store.after(id, 1), this.extent(id)])
    if (first?.n !== 0 || extent === undefined) return undefined
    const record = decoded(id, first)
    return 'header' in record ? { header: record.header, ...extent } : undefined
  }

  async stop(id: string): Promise<boolean> {
    const extent = isRunId(id) ? await this.extent(id) : undefined
    if (extent === undefined || extent.isClosed) return false
    await this.store.askToStop(id)
    return true
  }

  async remove(id: string): Promise<boolean> {
    if (!isRunId(id) || (await this.store.last(id)) === undefined) return false
    await this.store.remove(id)
    return true
  }

  async lost(): Promise<readonly string[]> {
    const open = await this.store.open()
    const silences = await Promise.all(open.map((id) => this.store.silence(id)))
    return open.filter((_, at) => (silences[at] ?? 0) > this.leaseMs)
  }

  check(): Promise<void> {
    return this.store.check()
  }

  shut(): Promise<void> {
    return this.store.shut()
  }
}

const writerName = (): string => globalThis.crypto.randomUUID()

const decoded = (id: string, { n, line }: StoredLine): RunRecord => new RecordDecoder(id).decode(n, line)

interface Position {
  readonly header: RunHeader
  readonly name: string
  readonly next: number
  /** Of the last record in the stream. */
  readonly sequence: number
}

class NatsWriter implements RunWriter {
  readonly id: string
  readonly header: RunHeader
  next: number
  private sequence: number
  private readonly name: string
  private readonly store: NatsStore
  private readonly lease: Lease
  private readonly unwatch: () => void

  constructor(store: NatsStore, leaseMs: number, { header, name, next, sequence }: Position) {
    this.store = store
    this.id = header.run.id
    this.header = header
    this.name = name
    this.next = next
    this.sequence = sequence
    this.lease = new Lease(leaseMs, () => this.renew())
    this.unwatch = store.watch(this.id, (what) => {
      if (what === 'stop') this.lease.heard({ isStopped: true })
    })
  }

  get signal(): AbortSignal {
    return this.lease.signal
  }

  private async renew(): Promise<Answer> {
    await this.store.beat(this.id)
    return { isStopped: await this.store.isToStop(this.id) }
  }

  append(step: RunStep): Promise<void> {
    return this.write(encodeStep(this.header.kind, step))
  }

  async close(end: RunEnd): Promise<void> {
    await this.write(encodeStep(this.header.kind, end))
    this.leave(closed(this.id))
    // A run is closed by its record. What is left of its signs of life, the next claim removes.
    await this.store.forget(this.id).catch(() => {})
  }

  release(): void {
    this.leave(fenced(this.id))
  }

  private leave(reason: LogError): void {
    this.lease.end(reason)
    this.unwatch()
  }

  private async write(line: string): Promise<void> {
    this.lease.check()
    try {
      const sequence = await this.store.append(this.id, this.next, line, this.sequence, this.name)
      if (sequence === undefined) throw await this.refusal()
      this.sequence = sequence
      this.store.hint(this.id, String(this.next))
      this.next++
    } catch (error) {
      this.lease.failed(error)
      throw error
    }
  }

  /** Why another record is the last one. */
  private async refusal(): Promise<LogError> {
    const last = await this.store.last(this.id)
    if (last === undefined) return unknownRun(this.id)
    return isLast(decoded(this.id, last)) ? closed(this.id) : fenced(this.id)
  }
}
