/**
 * Runs in NATS JetStream. Every append says which record it expects to be the last one, so that of several writers one
 * wins and the others learn of it.
 */

import { closed, fenced, type LogError, unknownRun } from '../log-error.ts'
import { isLastLine } from '../run-record.ts'
import type { Extent, Hold, RunStore, StoredRecord, StoreReader } from '../run-store.ts'
import type { JetStreams, StoredLine } from './jet-streams.ts'

/** How many records are fetched before they are handed on. */
const PAGE = 64

export class NatsStore implements RunStore {
  readonly name = 'nats'
  readonly leaseMs: number
  private readonly streams: JetStreams

  constructor(streams: JetStreams, leaseMs: number) {
    this.streams = streams
    this.leaseMs = leaseMs
  }

  async create(id: string, line: string): Promise<Hold | undefined> {
    // A run without a sign of life would look as if it were closed.
    await this.streams.beat(id)
    const writer = newWriter()
    const sequence = await this.streams.append(id, 0, line, 0, writer)
    return sequence === undefined ? undefined : this.hold(id, writer, sequence)
  }

  async claim(id: string): Promise<{ hold: Hold; next: number } | undefined> {
    const silence = await this.streams.silence(id)
    if (silence === undefined || silence <= this.leaseMs) return undefined
    const last = await this.streams.last(id)
    if (last !== undefined && !isClosing(id, last))
      return { hold: this.hold(id, newWriter(), last.sequence), next: last.n + 1 }
    // Its writer died behind the last record, or before the first one.
    await this.streams.forget(id)
    return undefined
  }

  /** `sequence`: of the last record in the stream. */
  private hold(id: string, writer: string, sequence: number): Hold {
    const { streams } = this
    let last = sequence
    return {
      append: async (n, line) => {
        const stored = await streams.append(id, n, line, last, writer)
        if (stored === undefined) throw await this.refusal(id)
        last = stored
        streams.hint(id, String(n))
        return { isStopped: false }
      },
      renew: async () => {
        await streams.beat(id)
        return { isStopped: await streams.isToStop(id) }
      },
      // A run is closed by its record. What is left of its signs of life, the next claim removes.
      leave: async (isClosed) => {
        if (isClosed) await streams.forget(id).catch(() => {})
      },
    }
  }

  /** Why another record is the last one. */
  private async refusal(id: string): Promise<LogError> {
    const last = await this.streams.last(id)
    if (last === undefined) return unknownRun(id)
    return isClosing(id, last) ? closed(id) : fenced(id)
  }

  async first(id: string): Promise<string | undefined> {
    const first = await this.streams.after(id, 1)
    return first?.n === 0 ? first.line : undefined
  }

  async extent(id: string): Promise<Extent | undefined> {
    const last = await this.streams.last(id)
    return last && { next: last.n + 1, isClosed: isClosing(id, last) }
  }

  reader(id: string): StoreReader {
    let sequence = 1
    const fetch = async (from: number): Promise<StoredRecord[]> => {
      const records: StoredRecord[] = []
      while (records.length < PAGE) {
        const stored = await this.streams.after(id, sequence)
        if (stored === undefined) break
        sequence = stored.sequence + 1
        if (stored.n >= from) records.push([stored.n, stored.line])
        // Only the header is needed of what comes before the first record that was asked for.
        if (stored.n === 0) break
      }
      return records
    }
    return { fetch, close: async () => {} }
  }

  watch(id: string, wake: (what: string) => void): () => void {
    return this.streams.watch(id, wake)
  }

  label(name: string, id: string): Promise<void> {
    return this.streams.label(name, id)
  }

  labelled(name: string): Promise<string | undefined> {
    return this.streams.labelled(name)
  }

  async stop(id: string): Promise<boolean> {
    const extent = await this.extent(id)
    if (extent === undefined || extent.isClosed) return false
    await this.streams.askToStop(id)
    return true
  }

  async remove(id: string): Promise<boolean> {
    if ((await this.streams.last(id)) === undefined) return false
    await this.streams.remove(id)
    return true
  }

  async lost(): Promise<readonly string[]> {
    const open = await this.streams.openRuns()
    const silences = await Promise.all(open.map((id) => this.streams.silence(id)))
    return open.filter((_, at) => (silences[at] ?? 0) > this.leaseMs)
  }

  check(): Promise<void> {
    return this.streams.check()
  }

  shut(): Promise<void> {
    return this.streams.shut()
  }
}

const newWriter = (): string => globalThis.crypto.randomUUID()

const isClosing = (id: string, { n, line }: StoredLine): boolean => isLastLine(id, n, line)
