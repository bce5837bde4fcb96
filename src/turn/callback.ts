/** Functions of the caller: an error of one ends the turn, and nothing is sent again because of it. */

import { messageOf } from '../base/errors.ts'
import { callUntilAborted } from './abort.ts'
import { TurnError } from './turn-error.ts'

/** The error of a turn that a function of the caller ended. */
export function callbackError(cause: unknown): TurnError {
  return new TurnError('callback', messageOf(cause), { cause })
}

/** Calls a function of the caller unless the signal has aborted, and awaits it until the signal aborts. */
export async function callBack<T>(callback: () => PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  try {
    return await callUntilAborted(callback, signal)
  } catch (error) {
    throw signal.aborted ? error : callbackError(error)
  }
}
