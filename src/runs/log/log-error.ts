/** The errors of logs. */

import { messageOf } from '../../base/errors.ts'

/** What can go wrong with a log. */
export type LogErrorCode =
  /** The run never was, has expired, or was deleted. */
  | 'unknown-run'
  /** Another writer has taken the run over. */
  | 'fenced'
  /** The run is closed: nothing can be appended. */
  | 'closed'
  /** A record is missing between the last one and this one. */
  | 'gap'
  /** Someone asked for the run to be stopped. */
  | 'stopped'
  /** The store does not answer, or refuses. */
  | 'unavailable'
  /** Another process uses the folder. */
  | 'locked'
  /** The record is longer than the store takes. */
  | 'too-large'
  | 'invalid-run'
  | 'unknown-version'
  | 'damaged'

/**
 *     try { await writer.append(step) } catch (error) { if (error.code === 'fenced') leave() }
 */
export class LogError extends Error {
  readonly code: LogErrorCode

  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LogError'
    this.code = code
  }
}

/** A reader that asked for it is never told that an unknown run is an empty one. */
export function unknownRun(id: string): LogError {
  return new LogError('unknown-run', `There is no run '${id}': it never existed, has expired or was deleted.`)
}

export function fenced(id: string): LogError {
  return new LogError('fenced', `The run '${id}' was taken over by another writer.`)
}

export function closed(id: string): LogError {
  return new LogError('closed', `The run '${id}' is closed.`)
}

export function unavailable(what: string, error: unknown): LogError {
  return new LogError('unavailable', `${what}: ${messageOf(error)}`, { cause: error })
}
