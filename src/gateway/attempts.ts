/**
 * One response of a model: sent again as long as nothing of it was seen, and never after that. Time is limited until the
 * server answers, until the first token, and between two signs of life.
 */

import { errorRecord } from '../base/errors.ts'
import type { SluiceEvent } from '../base/event.ts'
import type { IdKind } from '../base/ids.ts'
import { OpenEvents } from '../base/open-events.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import type { ModelRequest } from '../requests/conversation/model-request.ts'
import { shownResults } from '../requests/conversation/shown-results.ts'
import { type Clock, systemClock } from '../runs/recording/clock.ts'
import type { Model, ModelContext } from '../turn/model.ts'
import { brokenOff, Reception } from '../turn/reception.ts'
import { retryAfter, retryDelay } from '../turn/retry.ts'
import { TurnError, turnError } from '../turn/turn-error.ts'
import type { GatewayConfig } from './gateway-config.ts'

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
  /** An attempt failed. The message has nothing in it that the upstream sent. */
  onFailure(error: TurnError, message: string | undefined, attempt: number): void
  /** What to do if the upstream does not speak its protocol. */
  advice(): string
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
    const failure: Failure = {}
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
    if (error !== undefined && !signal.aborted) scope.onFailure(error, failure.message, attempt)
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

interface Failure {
  error?: TurnError
  message?: string | undefined
}

async function* readOnce(
  { model, request, tools, newIds, config, signal, advice }: AttemptScope,
  clock: Clock,
  failed: Failure,
): AsyncGenerator<SluiceEvent, void, undefined> {
  const open = new OpenEvents()
  const reception = new Reception({
    clock,
    signal,
    maxResumptionRounds: 0,
    connectTimeoutMs: config.connectTimeoutMs,
    firstEventTimeoutMs: config.firstTokenTimeoutMs,
    idleTimeoutMs: config.idleTimeoutMs,
  })
  const shown = { results: shownResults(request.messages) }
  const send = async (context: ModelContext): Promise<unknown> =>
    model(request, { ...context, reading: { ...context.reading, tools, shown, generateId: newIds() } })
  let isOver = false
  for await (const event of reception.events(send)) {
    open.add(event)
    isOver = event.type === 'finish'
    if (event.type === 'error') reception.failure ??= { error: event.error }
    // The server closed its stream without a word.
    if (event.type === 'finish' && event.reason === 'error') reception.failure ??= { error: brokenOff() }
    yield event
  }
  if (!isOver) yield* reception.closing(open, !signal.aborted)
  if (reception.failure === undefined) return
  const { error } = reception.failure
  // The message of a record has no keys in it.
  const record = errorRecord(error)
  if (record.code === 'invalid-source') {
    failed.message = advice()
    // Not retryable: the next answer is in the same protocol.
    failed.error = new TurnError('unknown', `${failed.message} ${withoutAdvice(record.message)}`)
    return
  }
  failed.message = FROM_UPSTREAM.has(record.name) ? undefined : record.message
  // The client must not take the refusal of a key of the gateway for one of its own.
  const told = { ...record, message: `The upstream failed: ${record.message}` }
  failed.error = turnError(error, told, retryAfter(reception.headers, error, Date.now()))
}

/** Errors whose messages quote the upstream. */
const FROM_UPSTREAM: ReadonlySet<string> = new Set(['ProviderError', 'ResponseError'])

/** The last sentence is advice for programs that call the library. */
const withoutAdvice = (message: string): string => message.replace(/ [^.]+\.$/, '')
