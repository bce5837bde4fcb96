/**
 * What a log promises, on every backend.
 *
 * 1. Records are numbered 0, 1, 2 … without a gap.
 * 2. One writer: of two that believe to own a run, at most one can append.
 * 3. A run is closed once, by its last record. Nothing follows it, and readers end behind it and only there.
 * 4. Every reader, from any position, at any time and on any machine, gets the rest of the same sequence.
 * 5. A run whose writer is gone can be claimed when its lease is over.
 * 6. A run that is unknown or has expired is an error, and never an empty one.
 */

import type { NewRun, RunEnd, RunHeader, RunRecord, RunStep } from './run-record.ts'

/** Where reading a run begins, and when it stops. */
export interface ReadOptions {
  /** The number of the first record (0). */
  readonly from?: number
  /** Ends the reading; the loop is left with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The only one who may append to a run, as long as its lease lasts. */
export interface RunWriter {
  readonly id: string
  readonly header: RunHeader
  /** The number of the next record. */
  readonly next: number
  /** Fires with a `LogError`: `stopped` if someone asked for it, `fenced` if the run was taken over. */
  readonly signal: AbortSignal
  /**
   * Resolves when the record is stored: only then may anyone be told of it. After `unavailable` the same step can be
   * appended again, and no other one: it may be stored already.
   */
  append(step: RunStep): Promise<void>
  /** The last record. */
  close(end: RunEnd): Promise<void>
  /** Gives the run up without closing it: its lease is not renewed any more. */
  release(): void
}

/** The state of a run in a log. */
export interface RunState {
  readonly header: RunHeader
  /** How many records there are. */
  readonly next: number
  readonly isClosed: boolean
}

/** A log of runs: append-only, readable from any position, by any process that reaches the store. */
export interface Log {
  /** Such as `redis`. */
  readonly name: string
  /** Milliseconds after which a run without a sign of life may be claimed. */
  readonly leaseMs: number
  /** Starts a run: its header is record 0, and the caller owns it. */
  create(run: NewRun): Promise<RunWriter>
  /** Takes over a run that nobody closed and nobody holds any more; undefined where that is not so. */
  claim(id: string): Promise<RunWriter | undefined>
  /** The records of a run, those to come included. Ends behind the last record. Throws `unknown-run`. */
  read(id: string, options?: ReadOptions): AsyncGenerator<RunRecord, void, undefined>
  /** Undefined if the run does not exist. */
  state(id: string): Promise<RunState | undefined>
  /** Gives a run a name that others know it by, until another run gets it. Letters, digits, `-` and `_`. */
  label(name: string, id: string): Promise<void>
  /** The id of the run that has the name. */
  labelled(name: string): Promise<string | undefined>
  /** Asks whoever produces the run to stop. False where there is nothing to stop. */
  stop(id: string): Promise<boolean>
  /** Deletes a run. False where there is none. */
  remove(id: string): Promise<boolean>
  /** Runs whose lease is over and that are not closed. */
  lost(): Promise<readonly string[]>
  /** Throws `unavailable` where the store does not answer. */
  check(): Promise<void>
  /** Lets go of connections and files. Runs stay as they are. */
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
