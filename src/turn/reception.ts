/** The events of one response as they come. Time is limited, and leaving the loop cancels the request. */

import { errorRecord } from '../base/errors.ts'
import type { FinishReason, SluiceEvent } from '../base/event.ts'
import type { OpenEvents } from '../base/open-events.ts'
import type { Clock } from '../runs/recording/clock.ts'
import { callUntilAborted, linkedController, WaitUntilAborted } from './abort.ts'
import { callBack } from './callback.ts'
import { Deadline } from './deadline.ts'
import type { Hooks, ModelContext } from './model.ts'
import { TurnError } from './turn-error.ts'

export interface ReceptionOptions extends Partial<Pick<ModelContext, 'onWritten'>>, Hooks {
  readonly clock: Clock
  /** Aborts when the response is not wanted any more. */
  readonly signal: AbortSignal
  readonly maxResumptionRounds: number
  readonly connectTimeoutMs: number
  readonly firstEventTimeoutMs: number
  readonly idleTimeoutMs: number
}

export class Reception {
  private readonly options: ReceptionOptions
  /** The first error, whatever was thrown. None if the signal ended the response. */
  failure: { readonly error: unknown } | undefined
  /** Of the answer, once the server has given one. */
  headers: Headers | undefined

  constructor(options: ReceptionOptions) {
    this.options = options
  }

  /** Ends behind `finish`, and without it if the response broke off: see `failure` then. Never throws. */
  async *events(
    send: (context: ModelContext) => PromiseLike<unknown>,
  ): AsyncGenerator<SluiceEvent, void, undefined> {
    const { clock, signal, maxResumptionRounds, onRequest, onResponse, onWritten } = this.options
    // Everything that ends the response early aborts this controller.
    const controller = linkedController(signal)
    const deadline = new Deadline(clock, () => {
      this.failure ??= { error: new TurnError('timeout', 'The model did not answer in time.') }
      controller.abort()
    })
    /** A hook that fails ends the response, whether the model awaits it or not. */
    const hook = (work: () => unknown): Promise<void> => {
      const done = callBack(work, controller.signal).then(() => {})
      done.catch((error: unknown) => {
        if (!controller.signal.aborted) this.failure ??= { error }
        controller.abort()
      })
      return done
    }
    const waiting = new WaitUntilAborted(controller.signal)
    let iterator: AsyncIterator<unknown> | undefined
    let finish: FinishReason | undefined
    try {
      deadline.wait(this.options.connectTimeoutMs)
      const context: ModelContext = {
        reading: {
          signal: controller.signal,
          onError: (error) => {
            this.failure ??= { error }
          },
        },
        signal: controller.signal,
        maxResumptionRounds,
        onRequest: (request) => {
          // A model may send its request only when its first event is asked for, and may send several.
          deadline.wait(this.options.connectTimeoutMs)
          return hook(() => onRequest?.(request))
        },
        onResponse: (response) => {
          this.headers = response.headers
          deadline.wait(this.options.firstEventTimeoutMs)
          return hook(() => onResponse?.(response))
        },
        onActivity: () => deadline.touch(),
        onWritten: (text) => onWritten?.(text),
      }
      iterator = eventsOf(await callUntilAborted(() => send(context), controller.signal))
      // A model that calls `onResponse` has started this timeout already.
      if (this.headers === undefined) deadline.wait(this.options.firstEventTimeoutMs)
      while (finish === undefined) {
        const step = await waiting.for(iterator.next())
        deadline.rest()
        if (step.done === true) break
        if (isEvent(step.value)) {
          if (step.value.type === 'finish') finish = step.value.reason
          yield step.value
        }
        deadline.wait(this.options.idleTimeoutMs)
      }
    } catch (error) {
      if (!signal.aborted) this.failure ??= { error }
    } finally {
      deadline.stop()
      waiting.release()
      controller.release()
      // A source that never answers is not awaited.
      if (finish === undefined) controller.abort()
      letGo(iterator)
    }
  }

  /** The events that end a response that broke off. `open`: what was emitted of it. */
  closing(open: OpenEvents, isFailed: boolean): SluiceEvent[] {
    if (!isFailed) return [...open.end(), { type: 'finish', reason: 'aborted' }]
    this.failure ??= { error: brokenOff() }
    const error = errorRecord(this.failure.error)
    return [...open.end(), { type: 'error', error }, { type: 'finish', reason: 'error' }]
  }
}

/** The response has no end, and nobody said why. */
export function brokenOff(): TurnError {
  return new TurnError('network', 'The stream ended before the response was over.')
}

function eventsOf(events: unknown): AsyncIterator<unknown> {
  const open = (Object(events) as AsyncIterable<unknown>)[Symbol.asyncIterator]
  if (typeof open === 'function') return open.call(events)
  throw new TurnError(
    'invalid-request',
    "The model returned no events; return those of readProvider of 'sluice/providers', or of sluice().",
  )
}

function isEvent(value: unknown): value is SluiceEvent {
  return typeof value === 'object' && value !== null && typeof (value as SluiceEvent).type === 'string'
}

function letGo(iterator: AsyncIterator<unknown> | undefined): void {
  try {
    void Promise.resolve(iterator?.return?.()).catch(() => {})
  } catch {
    // The response is over; an error while closing it changes nothing.
  }
}
