/** What a backend of the log implements: storing lines, and granting the right to write. The rest is shared. */

import type { Answer } from './lease.ts'
import type { Log } from './log.ts'

/** A stored record: its number and its line. */
export type StoredRecord = readonly [n: number, line: string]

/** How far a run has come. */
export interface Extent {
  /** How many records there are. */
  readonly next: number
  readonly isClosed: boolean
}

/** The right to write a run, as long as its lease lasts. */
export interface Hold {
  /**
   * Stores a record, the last one together with the fact that the run is closed. Sent twice, it is stored once. Throws
   * `fenced`, `closed`, `gap`, `unknown-run` or `unavailable`.
   */
  append(n: number, line: string, isLast: boolean): Promise<Answer>
  /** Renews the lease. */
  renew(): Promise<Answer>
  /** Nothing more is written with it. `isClosed`: because the run is closed. */
  leave(isClosed: boolean): Promise<void>
}

/** Where one reader stands in a run. */
export interface StoreReader {
  /** Some of the records from this number on, in their order; none if they are yet to come. */
  fetch(from: number): Promise<readonly StoredRecord[]>
  close(): Promise<void>
}

/** Ids are checked before they come here. What needs nothing but a store is as the log has it. */
export interface RunStore
  extends Pick<
    Log,
    'name' | 'leaseMs' | 'label' | 'labelled' | 'stop' | 'remove' | 'lost' | 'check' | 'shut'
  > {
  /** Stores record 0; undefined where there is such a run already. */
  create(id: string, line: string): Promise<Hold | undefined>
  /** Undefined where the run is closed, or someone holds it. */
  claim(id: string): Promise<{ readonly hold: Hold; readonly next: number } | undefined>
  /** The line of record 0. */
  first(id: string): Promise<string | undefined>
  /** Undefined if the run does not exist. */
  extent(id: string): Promise<Extent | undefined>
  reader(id: string): StoreReader
  /**
   * Calls `wake` when there may be something new, as soon as that can be known, and with `stop` when the run is to stop.
   * Returns what ends that.
   */
  watch(id: string, wake: (what: string) => void): () => void
}
