/** One response. A request that failed is sent again if the error may pass and nothing of the response was emitted. */

import { foldEvents } from '../engine/message.ts'
import { type ResponseScope, readAttempt, type TurnResponse } from './read-attempt.ts'
import { retryDelay } from './retry.ts'
import { failureOf, TurnError } from './turn-error.ts'
import type { TurnEvent } from './turn-event.ts'

export async function* readResponse(
  scope: ResponseScope,
): AsyncGenerator<TurnEvent, TurnResponse, undefined> {
  const { settings, round, signal } = scope
  let refusals = 0
  let failures = 0
  for (let attempt = 1; ; attempt++) {
    const { isShown, dismiss, ...response } = yield* readAttempt(scope, attempt)
    const { finish } = response.message
    const isRefused = response.outcome === 'complete' && finish.reason === 'content-filter'
    const error = isRefused ? new TurnError('refused', 'The model refused.') : response.error
    if (isShown || error === undefined) return response
    const isAgain = isRefused
      ? refusals++ < settings.refusalRetries
      : error.retryable && failures++ < settings.maxRetries
    const delayMs = isAgain ? retryDelay(attempt, error, settings.random) : undefined
    if (delayMs === undefined) {
      yield* response.held
      return response
    }
    dismiss()
    yield { type: 'retry', round, attempt, delayMs, error: failureOf(error) }
    try {
      await settings.clock.wait(delayMs, signal)
    } catch {
      // Nothing of the failed attempt was emitted, so nothing of it is part of the result.
      return { message: foldEvents([]), calls: [], outcome: 'aborted' }
    }
  }
}
