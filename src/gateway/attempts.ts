/**
 * One response of a model: sent again as long as nothing of it was seen, and never after that. Time is limited until the
 * server answers, until the first token, and between two signs of life.
 */

import type { ToolDefinitions } from '../calls/tools.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { errorRecord } from '../errors.ts'
import type { SluiceEvent } from '../event.ts'
import type { IdKind } from '../ids.ts'
import { OpenEvents } from '../open-events.ts'
import { type Clock, systemClock } from '../recording/clock.ts'
import { callUntilAborted, linkedController, untilAborted } from '../turn/abort.ts'
import { Deadline } from '../turn/deadline.ts'
import type { Model, ModelContext } from '../turn/model.ts'
import { retryAfter, retryDelay } from '../turn/retry.ts'
import { TurnError, turnError } from '../turn/turn-error.ts'
import type { GatewayConfig } from './config.ts'

export interface AttemptScope {
  readonly model: Model
  readonly request: ModelRequest
  readonly tools: ToolDefinitions
  /** The ids of one attempt. */
  newIds(): (kind: IdKind) => string
  readonly config: Pick<
    GatewayConfig,
    'connectTimeoutMs' | 'firstTokenTimeoutMs' | 'idleTimeoutMs' | 'retries'
  >
  /** Fires when the response is not wanted any more. */
  readonly signal: AbortSignal
  /** An attempt begins: what came before it is void. */
  onAttempt(attempt: number): void
  readonly clock?: Clock
}

/** These say nothing of what is in a response. */
const PRELIMINARY: ReadonlySet<string> = new Set(['diagnostic', 'error', 'finish'])

/**
 * The events of the response. Throws a `TurnError` if it failed before the first of them; later, the failure is an
 * `error` event, and `finish` says so.
 */
export async function* attemptResponse(scope: AttemptScope): AsyncGenerator<SluiceEvent, void, undefined> {
  const { signal, config, clock = systemClock } = scope
  for (let attempt = 1; ; attempt++) {
    scope.onAttempt(attempt)
    const held: SluiceEvent[] = []
    let isShown = false
    const failure: { error?: TurnError } = {}
    for await (const event of readOnce(scope, clock, failure)) {
      if (!isShown && PRELIMINARY.has(event.type)) {
        held.push(event)
        continue
      }
      if (!isShown) yield* held
      isShown = true
      yield event
    }
    const { error } = failure
    if (isShown || error === undefined || signal.aborted) {
      if (!isShown) yield* held
      return
    }
    const delay =
      error.retryable && attempt <= config.retries ? retryDelay(attempt, error, Math.random) : undefined
    if (delay === undefined) throw error
    await clock.wait(delay, signal).catch(() => {})
    if (signal.aborted) {
      yield { type: 'finish', reason: 'aborted' }
      return
    }
  }
}

async function* readOnce(
  { model, request, tools, newIds, config, signal }: AttemptScope,
  clock: Clock,
  failed: { error?: TurnError },
): AsyncGenerator<SluiceEvent, void, undefined> {
  const open = new OpenEvents()
  const controller = linkedController(signal)
  let failure: { readonly error: unknown } | undefined
  let headers: Headers | undefined
  let isOver = false
  const deadline = new Deadline(clock, () => {
    failure ??= { error: new TurnError('timeout', 'The model did not answer in time.') }
    controller.abort()
  })
  const context: ModelContext = {
    reading: {
      tools,
      generateId: newIds(),
      signal: controller.signal,
      onError: (error) => {
        failure ??= { error }
      },
    },
    signal: controller.signal,
    maxResumptionRounds: 0,
    onRequest: () => {},
    onResponse: (response) => {
      headers = response.headers
      deadline.wait(config.firstTokenTimeoutMs)
    },
    onActivity: () => deadline.touch(),
  }
  let iterator: AsyncIterator<SluiceEvent> | undefined
  try {
    deadline.wait(config.connectTimeoutMs)
    const events = await callUntilAborted(() => model(request, context), controller.signal)
    iterator = events[Symbol.asyncIterator]()
    if (headers === undefined) deadline.wait(config.firstTokenTimeoutMs)
    while (!isOver) {
      const step = await untilAborted(iterator.next(), controller.signal)
      deadline.rest()
      if (step.done === true) break
      open.add(step.value)
      isOver = step.value.type === 'finish'
      if (step.value.type === 'error') failure ??= { error: step.value.error }
      yield step.value
      deadline.wait(config.idleTimeoutMs)
    }
  } catch (error) {
    if (!signal.aborted) failure ??= { error }
  } finally {
    deadline.stop()
    controller.release()
    if (!isOver) controller.abort()
    Promise.resolve(iterator?.return?.()).catch(() => {})
    if (failure !== undefined)
      // The message of a record has no keys in it.
      failed.error = turnError(failure.error, errorRecord(failure.error), retryAfter(headers, Date.now()))
  }
  if (isOver) return
  yield* open.end()
  if (!signal.aborted) {
    failed.error ??= new TurnError('network', 'The stream ended before the response was over.')
    yield { type: 'error', error: errorRecord(failed.error) }
  }
  yield { type: 'finish', reason: signal.aborted ? 'aborted' : 'error' }
}
