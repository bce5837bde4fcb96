/** The push form of a turn: it runs to its end and reports to callbacks. */

import { checkOptions, type KnownOptions } from '../base/options.ts'
import { createBlocksView } from '../views/compat/blocks/blocks-view.ts'
import type { StreamOptions } from '../views/compat/blocks/types.ts'
import { linkedController, untilAborted } from './abort.ts'
import { callbackError } from './callback.ts'
import type { TurnError } from './turn-error.ts'
import { isSluiceEvent, type TurnEvent } from './turn-event.ts'
import { turnLoop } from './turn-loop.ts'
import { TURN_OPTIONS, type TurnOptions, turnSettings } from './turn-options.ts'
import type { TurnResult } from './turn-result.ts'

/** Options of `runTurn`. */
export interface RunTurnOptions
  extends TurnOptions,
    Pick<StreamOptions, 'onChunk' | 'onBlock' | 'onContentBlockUpdate' | 'onPreToolContent' | 'onUsage'> {
  /** Called with every event, and awaited. */
  readonly onEvent?: (event: TurnEvent) => void | PromiseLike<void>
}

const OPTIONS: KnownOptions<RunTurnOptions> = {
  ...TURN_OPTIONS,
  onChunk: 'function',
  onBlock: 'function',
  onContentBlockUpdate: 'function',
  onPreToolContent: 'function',
  onUsage: 'function',
  onEvent: 'function',
}

/**
 * Runs a turn to its end.
 *
 *     const { text, conversation } = await runTurn({ model, conversation: 'What is here?', tools, approve })
 *
 * An aborted turn resolves with everything up to the abort. A failed turn rejects with a `TurnError` that has it as `result`.
 */
export async function runTurn(options: RunTurnOptions): Promise<TurnResult> {
  checkOptions(options, OPTIONS)
  const { onChunk, onBlock, onContentBlockUpdate, onPreToolContent, onUsage, onEvent, ...rest } = options
  // Callbacks may be asynchronous: one that fails then ends the turn, too.
  const pending: unknown[] = []
  const noted =
    <Args extends readonly unknown[]>(callback: (...args: Args) => unknown) =>
    (...args: Args): void => {
      const work = callback(...args)
      if (work === undefined) return
      pending.push(work)
      // It is awaited below, unless another one throws before that.
      Promise.resolve(work).catch(() => {})
    }
  const view = createBlocksView({
    ...(onChunk && { onChunk: noted(onChunk) }),
    ...(onBlock && { onBlock: noted(onBlock) }),
    ...(onContentBlockUpdate && { onContentBlockUpdate: noted(onContentBlockUpdate) }),
  })
  const report = async (event: TurnEvent): Promise<void> => {
    if (isSluiceEvent(event)) view.add(event)
    else if (event.type === 'usage') await finished(onUsage?.({ ...event.total }), rest.signal)
    else if (event.type === 'tools-start' && event.text.trim() !== '')
      await finished(onPreToolContent?.(event.text), rest.signal)
    if (pending.length > 0) await finished(Promise.all(pending.splice(0)), rest.signal)
    await finished(onEvent?.(event), rest.signal)
  }
  const controller = linkedController(rest.signal)
  let failure: TurnError | undefined
  try {
    const settings = turnSettings({ ...rest, signal: controller.signal })
    const loop = turnLoop(settings, { handler: rest.onToolCalls })
    for (;;) {
      const step = await loop.next()
      if (step.done) return finalResult(step.value, failure)
      // A callback that fails stops the turn like an abort; nothing is reported after it.
      if (failure !== undefined) continue
      try {
        await report(step.value)
      } catch (error) {
        failure = callbackError(error)
        controller.abort()
      }
    }
  } finally {
    controller.release()
  }
}

/** Throws the error of a turn that failed. */
function finalResult(result: TurnResult, failure: TurnError | undefined): TurnResult {
  if (failure !== undefined) failure.result = { ...result, stopReason: 'error', error: failure }
  const error = failure ?? result.error
  if (error !== undefined) throw error
  return result
}

/** Awaits a callback until the turn is aborted. */
async function finished(work: unknown, signal: AbortSignal | undefined): Promise<void> {
  if (work === undefined) return
  if (signal === undefined) {
    await work
    return
  }
  try {
    await untilAborted(work, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
