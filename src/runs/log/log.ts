/**
 * What a log promises, on every backend.
 *
 * 1. Records are numbered 0, 1, 2 … without a gap.
 * 2. One writer: if two processes believe that they own a run, at most one can append.
 * 3. A run is closed once, by its last record. Readers end after it, and only there.
 * 4. Every reader, from any position, at any time and on any machine, gets the rest of the same sequence.
 * 5. A run whose writer is gone can be claimed when its lease has expired.
 * 6. Reading an unknown or expired run fails; it never looks empty.
 */

import type { NewRun, RunEnd, RunHeader, RunRecord, RunStep } from './run-record.ts'

/** Where reading a run begins, and when it stops. */
export interface ReadOptions {
  /** The number of the first record (0). */
  readonly from?: number
  /** Ends the reading; the loop is left with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The only writer of a run, as long as its lease lasts. */
export interface RunWriter {
  readonly id: string
  readonly header: RunHeader
  /** The number of the next record. */
  readonly next: number
  /** Fires with a `LogError`: `stopped` after `log.stop(id)`, `fenced` if another writer took the run over. */
  readonly signal: AbortSignal
  /**
   * Resolves when the record is stored. After `unavailable`, append the same step again, and no other one: it may be
   * stored already.
   */
  append(step: RunStep): Promise<void>
  /** The last record. */
  close(end: RunEnd): Promise<void>
  /** Gives the run up without closing it: its lease is no longer renewed. */
  release(): void
}

/** The state of a run in a log. */
export interface RunState {
  readonly header: RunHeader
  /** The number of records. */
  readonly next: number
  readonly isClosed: boolean
}

/** A log of runs: append-only, readable from any position, by any process that reaches the store. */
export interface Log {
  /** The name of the store, such as `redis`. */
  readonly name: string
  /** Milliseconds after which the run of a silent producer can be claimed. */
  readonly leaseMs: number
  /** Starts a run: its header is record 0, and the caller owns it. */
  create(run: NewRun): Promise<RunWriter>
  /** Takes over an open run without an owner; undefined for any other. */
  claim(id: string): Promise<RunWriter | undefined>
  /** The records of a run, including those to come. Ends after the last record. Throws `unknown-run`. */
  read(id: string, options?: ReadOptions): AsyncGenerator<RunRecord, void, undefined>
  /** Undefined if the run does not exist. */
  state(id: string): Promise<RunState | undefined>
  /** Gives a run a name, until another run gets the same one. Letters, digits, `-` and `_`. */
  label(name: string, id: string): Promise<void>
  /** The id of the run that has the name. */
  labelled(name: string): Promise<string | undefined>
  /** Asks the producer of the run to stop. False if there is nothing to stop. */
  stop(id: string): Promise<boolean>
  /** Deletes a run. False if it does not exist. */
  remove(id: string): Promise<boolean>
  /** Open runs whose lease has expired. */
  lost(): Promise<readonly string[]>
  /** Throws `unavailable` if the store does not answer. */
  check(): Promise<void>
  /** Closes connections and files. Runs stay as they are. */
  shut(): Promise<void>
}

/** Options that all logs share. */
export interface LogOptions {
  /** How long a producer may be silent before its run can be claimed (10,000 ms). */
  readonly leaseMs?: number
  /** How long a run is kept (an hour), in milliseconds. */
  readonly ttlMs?: number
  /** How long an operation may take (5,000 ms) before the store counts as unavailable. */
  readonly timeoutMs?: number
}

export const DEFAULT_LEASE = 10_000
export const DEFAULT_TTL = 3_600_000
export const DEFAULT_TIMEOUT = 5_000
