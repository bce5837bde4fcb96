/** The pull form of a turn: an async iterable that runs only as far as it is read. */

import { wrongOption } from '../base/options.ts'
import type { ConversationMessage } from '../requests/conversation/model-request.ts'
import type { ApprovedToolCall, ToolResult } from '../views/compat/blocks/types.ts'
import { type LinkedController, linkedController } from './abort.ts'
import { checkResults } from './run-calls.ts'
import type { TurnEvent } from './turn-event.ts'
import { turnLoop } from './turn-loop.ts'
import { type TurnOptions, turnSettings } from './turn-options.ts'
import type { TurnResult } from './turn-result.ts'

/** Without `onToolCalls`: the consumer answers calls. */
export type StartTurnOptions = Omit<TurnOptions, 'onToolCalls'>

/** Calls that wait for `provideToolResults`. */
interface Waiting {
  readonly calls: readonly ApprovedToolCall[]
  readonly answer: (results: readonly ToolResult[]) => void
}

/**
 * Starts a turn. It runs only as far as you read its events.
 *
 *     const turn = startTurn({ model, conversation, tools })
 *     for await (const event of turn)
 *       if (event.type === 'calls-waiting') turn.provideToolResults(await run(event.calls))
 *
 * Leaving the loop cancels the request and the running tools.
 */
export function startTurn(options: StartTurnOptions): Turn {
  return new Turn(options)
}

/** A running turn, which `startTurn` returns: iterate over its events. */
export class Turn implements AsyncIterableIterator<TurnEvent, undefined> {
  /** Resolves when the turn was read to its end, or left. It never rejects: after a failure the result has an `error`. */
  readonly result: Promise<TurnResult>
  private readonly loop: AsyncGenerator<TurnEvent, TurnResult, undefined>
  private readonly controller: LinkedController
  private settle!: (result: TurnResult) => void
  private waiting: Waiting | null = null
  private injected: ConversationMessage[] = []
  private depth = 0

  constructor(options: StartTurnOptions) {
    this.controller = linkedController(options.signal)
    this.result = new Promise((resolve) => {
      this.settle = resolve
    })
    const settings = turnSettings({ ...options, signal: this.controller.signal })
    this.loop = turnLoop(settings, {
      handler: (calls, { signal }) =>
        new Promise((answer) => {
          const waiting = { calls, answer }
          this.waiting = waiting
          signal.addEventListener('abort', () => {
            if (this.waiting === waiting) this.waiting = null
          })
        }),
      takeInjected: () => this.injected.splice(0),
    })
  }

  /** Whether calls wait for `provideToolResults`. */
  get isWaitingForTools(): boolean {
    return this.waiting !== null
  }

  get pendingToolCallIds(): readonly string[] {
    return this.waiting?.calls.map(({ id }) => id) ?? []
  }

  /** The number of rounds of tools, including the current one. */
  get toolDepth(): number {
    return this.depth
  }

  /**
   * Answers the pending calls, one result each. `injectedMessages` follow the results. Throws if the results do not
   * match the calls; the calls then stay pending.
   */
  provideToolResults(
    results: readonly ToolResult[],
    { injectedMessages = [] }: { readonly injectedMessages?: readonly InjectedMessage[] } = {},
  ): void {
    const { waiting } = this
    if (waiting === null) throw wrongOption('This turn is not waiting for tool results.')
    const given = new Set(
      checkResults(results, waiting.calls, 'provideToolResults').map(({ toolUseId }) => toolUseId),
    )
    const missing = waiting.calls.filter(({ id }) => !given.has(id))
    if (missing.length > 0)
      throw wrongOption(
        `provideToolResults: there is no result for ${missing.map(({ id }) => `'${id}'`).join(', ')}; pass one for each call.`,
      )
    this.waiting = null
    for (const message of injectedMessages) this.inject(message)
    waiting.answer(results)
  }

  /** Adds a user message to the next request, after the results. If the turn ends first, it is not sent. */
  inject(message: InjectedMessage): void {
    const text = typeof message === 'string' ? [{ type: 'text' as const, text: message }] : message.parts
    // Only the turn itself adds calls and results.
    const parts = text.filter(
      (part) => part.type !== 'call' && part.type !== 'result' && !(part.type === 'text' && part.text === ''),
    )
    if (parts.length > 0) this.injected.push({ role: 'user', parts })
  }

  /** Ends the turn. Read on to get its `turn-finish`. */
  cancel(reason?: unknown): void {
    this.controller.abort(reason)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<TurnEvent, undefined>> {
    const step = await this.loop.next()
    if (step.done) {
      this.end(step.value)
      return { done: true, value: undefined }
    }
    const event = step.value
    if (event.type === 'tools-start') this.depth = event.depth + 1
    return { done: false, value: event }
  }

  /** The loop was left. */
  async return(): Promise<IteratorResult<TurnEvent, undefined>> {
    this.cancel()
    // Every wait ends with the signal, so the remaining events come at once.
    let step = await this.loop.next()
    while (!step.done) step = await this.loop.next()
    this.end(step.value)
    return { done: true, value: undefined }
  }

  private end(result: TurnResult | undefined): void {
    this.waiting = null
    this.controller.release()
    if (result !== undefined) this.settle(result)
  }
}

/** A user message between two rounds, or its text. */
export type InjectedMessage = string | Pick<ConversationMessage, 'parts'>
