/** Runs the approved calls of a response in parallel. Each call gets exactly one result, in the order of the calls. */

import { messageOf } from '../base/errors.ts'
import type { FinishReason, ToolCall } from '../base/event.ts'
import type { ApprovedToolCall, ToolContext, ToolResult } from '../views/compat/blocks/types.ts'
import { callUntilAborted, linkedController, untilAborted } from './abort.ts'
import { EventQueue } from './event-queue.ts'
import type { TurnResponse } from './read-attempt.ts'
import { INTERRUPTED, NO_RESULT, STOPPED, withoutRepetition } from './refusal-messages.ts'
import type { RepeatedRefusals } from './repeated-refusals.ts'
import type { Execute } from './tool.ts'
import { type ToolOutput, toolOutput } from './tool-output.ts'
import type { Approved, Denied, TurnCall } from './turn-call.ts'
import { TurnError } from './turn-error.ts'
import type { CallEvent, CallsWaiting } from './turn-event.ts'
import type { TurnSettings } from './turn-options.ts'
import type { TurnToolResult } from './turn-result.ts'

/** Answers calls that have no function of their own: results by the ids of the calls. */
export type CallHandler = (
  calls: readonly ApprovedToolCall[],
  context: ToolContext,
) => readonly ToolResult[] | PromiseLike<readonly ToolResult[]>

export interface RunScope {
  readonly settings: TurnSettings
  readonly handler: CallHandler | undefined
  readonly context: Omit<ToolContext, 'signal'>
  readonly finish: FinishReason
  readonly refusals: RepeatedRefusals
  /** Takes the events of approvals that are still to come. */
  readonly emitLate: TurnResponse['emitLate']
  /** Fires when the turn is over. */
  readonly signal: AbortSignal
}

/** A call without a result is left to the caller. */
export interface RunOutcome {
  readonly results: readonly (TurnToolResult | undefined)[]
  /** How many tools were started. */
  readonly started: number
  readonly error: TurnError | undefined
}

/** An approved call was denied before its tool started. */
interface Revoked {
  readonly type: 'call-denied'
  readonly denial: Denied
}

/** How one call ended. */
interface Ended {
  readonly type: 'call-succeeded' | 'call-failed' | 'call-timed-out'
  readonly output: ToolOutput
}

export async function* runCalls(
  calls: readonly TurnCall[],
  scope: RunScope,
): AsyncGenerator<CallEvent | CallsWaiting, RunOutcome, undefined> {
  const { handler } = scope
  const { executables } = scope.settings
  const queue = new EventQueue<CallEvent | CallsWaiting>()
  scope.emitLate?.(queue.push)
  const run = new CallRun(scope, queue.push)
  const handled = calls.flatMap(({ call: { id, toolName } }) => (executables.has(toolName) ? [] : id))
  const batch = new Batch(scope, run, handled)
  const work = Promise.all(
    calls.map((one) =>
      run.answer(one, executables.has(one.call.toolName) || handler === undefined ? null : batch),
    ),
  ).finally(() => queue.end())
  yield* queue
  return { results: await work, started: run.started, error: batch.error }
}

class CallRun {
  readonly scope: RunScope
  readonly emit: (event: CallEvent | CallsWaiting) => void
  started = 0
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(scope: RunScope, emit: (event: CallEvent | CallsWaiting) => void) {
    this.scope = scope
    this.emit = emit
  }

  async answer(one: TurnCall, batch: Batch | null): Promise<TurnToolResult | undefined> {
    const { id, toolName } = one.call
    const { signal } = this.scope
    const about = { id, toolName }
    let isApproved = false
    try {
      const decision = await untilAborted(one.decision, signal)
      if (!decision.approved) {
        batch?.leave()
        return this.deny(one.call, decision)
      }
      isApproved = true
      this.emit({ type: 'call-approved', ...about, by: decision.by })
      const execute = this.scope.settings.executables.get(toolName)
      if (execute === undefined && batch === null) return undefined
      const ended =
        batch === null
          ? await this.execute(one.call, decision, execute!)
          : await batch.answer(one.call, decision)
      if (ended.type === 'call-denied') return this.deny(one.call, ended.denial)
      this.emitEnd(about, ended)
      return { ...about, ...ended.output }
    } catch {
      // Only an abort of the turn gets here, which ends the batch, too.
      const reason = isApproved ? INTERRUPTED : STOPPED
      this.emit({ type: 'call-cancelled', ...about, reason })
      return { ...about, content: reason, isError: true }
    }
  }

  private deny(call: ToolCall, { by, reason: given, refusal }: Denied): TurnToolResult {
    const { id, toolName } = call
    const message = refusal?.(this.scope.finish) ?? given
    const reason = withoutRepetition(message, this.scope.refusals.add(call, message, refusal !== undefined))
    this.emit({ type: 'call-denied', id, toolName, by, reason })
    return { id, toolName, content: reason, isError: true }
  }

  private emitEnd(about: { readonly id: string; readonly toolName: string }, { type, output }: Ended): void {
    const { content } = output
    if (type === 'call-succeeded') this.emit({ type, ...about, content })
    else this.emit({ type, ...about, reason: typeof content === 'string' ? content : 'The tool failed.' })
  }

  private async execute(call: ToolCall, approved: Approved, execute: Execute): Promise<Ended | Revoked> {
    const { id, toolName } = call
    await this.slot()
    try {
      const denial = approved.denial()
      if (denial !== undefined) return { type: 'call-denied', denial }
      const input = approved.input()
      this.start(id, toolName)
      let isOver = false
      try {
        return await this.timed(toolName, async (signal) => {
          const { depth } = this.scope.context
          const progress = (value: unknown): void => {
            if (!isOver) this.emit({ type: 'call-progress', id, toolName, progress: value })
          }
          const value = await callUntilAborted(
            () => execute(input, { id, toolName, signal, depth, call, progress }),
            signal,
          )
          return ended(toolOutput(value))
        })
      } finally {
        isOver = true
      }
    } finally {
      this.release()
    }
  }

  start(id: string, toolName: string): void {
    this.started++
    this.emit({ type: 'call-started', id, toolName })
  }

  /** Runs work with a signal and a timeout. Rejects only when the turn is aborted. */
  async timed(toolName: string, work: (signal: AbortSignal) => Promise<Ended>): Promise<Ended> {
    const { settings, signal } = this.scope
    const { toolTimeoutMs, clock } = settings
    const controller = linkedController(signal)
    const done = new AbortController()
    let isLate = false
    if (toolTimeoutMs !== Number.POSITIVE_INFINITY)
      clock.wait(toolTimeoutMs, done.signal).then(
        () => {
          isLate = true
          controller.abort(new DOMException(`The tool \`${toolName}\` ran out of time.`, 'TimeoutError'))
        },
        () => {},
      )
    try {
      return await work(controller.signal)
    } catch (error) {
      if (signal.aborted) throw error
      if (!isLate) return failed(failureText(error))
      return timedOut(toolName, toolTimeoutMs)
    } finally {
      done.abort()
      controller.release()
    }
  }

  /** Waits until a tool may run. */
  private async slot(): Promise<void> {
    if (this.running < this.scope.settings.maxParallelTools) {
      this.running++
      return
    }
    await untilAborted(new Promise<void>((resolve) => this.waiting.push(resolve)), this.scope.signal)
  }

  private release(): void {
    const next = this.waiting.shift()
    if (next === undefined) this.running--
    else next()
  }
}

/** Calls that one handler answers together, once all of them are decided. */
class Batch {
  error: TurnError | undefined
  private readonly scope: RunScope
  private readonly run: CallRun
  private open: number
  private readonly order: readonly string[]
  private readonly approved = new Map<string, { readonly call: ToolCall; readonly decision: Approved }>()
  private begin!: () => void
  private readonly answers: Promise<ReadonlyMap<string, Ended | Revoked>>

  /** `order`: the ids of the calls that the handler answers if they are approved. */
  constructor(scope: RunScope, run: CallRun, order: readonly string[]) {
    this.scope = scope
    this.run = run
    this.order = order
    this.open = order.length
    this.answers = new Promise<void>((resolve) => {
      this.begin = resolve
    }).then(() => this.ask())
  }

  /** A call of the batch was denied. */
  leave(): void {
    this.open--
    this.beginIfDecided()
  }

  async answer(call: ToolCall, decision: Approved): Promise<Ended | Revoked> {
    this.approved.set(call.id, { call, decision })
    this.open--
    this.beginIfDecided()
    const answers = await untilAborted(this.answers, this.scope.signal)
    return answers.get(call.id)!
  }

  private beginIfDecided(): void {
    if (this.open === 0) this.begin()
  }

  private async ask(): Promise<ReadonlyMap<string, Ended | Revoked>> {
    const { handler, context, settings } = this.scope
    const answers = new Map<string, Ended | Revoked>()
    const calls: ApprovedToolCall[] = []
    // What a listener does to the event does not change what the handler has.
    const shown: ApprovedToolCall[] = []
    // They were approved in any order.
    for (const id of this.order) {
      const approved = this.approved.get(id)
      if (approved === undefined) continue
      const { call, decision } = approved
      const denial = decision.denial()
      if (denial !== undefined) answers.set(id, { type: 'call-denied', denial })
      else
        for (const list of [calls, shown])
          list.push({ ...call, name: call.toolName, input: decision.input() as never })
    }
    if (calls.length === 0) return answers
    for (const { id, toolName } of calls) this.run.start(id, toolName)
    const names = calls.map(({ toolName }) => toolName).join('`, `')
    const common = await this.run.timed(names, async (signal) => {
      const answered = callUntilAborted(
        async () => observed(await handler!(calls, { ...context, signal })),
        signal,
      )
      this.run.emit({ type: 'calls-waiting', calls: shown, context })
      const results = await answered
      try {
        checkResults(results, calls)
      } catch (error) {
        this.error = error as TurnError
        return failed(NO_RESULT)
      }
      const take = async ({ toolUseId, content, isError }: ToolResult): Promise<void> => {
        try {
          const output = toolOutput(await untilAborted(content, signal))
          answers.set(toolUseId, ended(withError(output, isError)))
        } catch (error) {
          if (!signal.aborted) answers.set(toolUseId, failed(failureText(error)))
        }
      }
      await Promise.all(results.map(take))
      signal.throwIfAborted()
      return failed(NO_RESULT)
    })
    const isLate = common.type === 'call-timed-out'
    for (const { id, toolName } of calls)
      if (!answers.has(id)) answers.set(id, isLate ? timedOut(toolName, settings.toolTimeoutMs) : common)
    return answers
  }
}

/** Content may be a promise. If the turn ends before anyone awaits it, its rejection is handled all the same. */
function observed(results: readonly ToolResult[]): readonly ToolResult[] {
  if (Array.isArray(results))
    for (const result of results as readonly Partial<ToolResult>[])
      Promise.resolve(result?.content).catch(() => {})
  return results
}

/** Results that answer the calls, each at most once. */
export function checkResults(
  results: unknown,
  calls: readonly { readonly id: string }[],
  source = 'onToolCalls',
): readonly ToolResult[] {
  const wrong = (message: string): TurnError => new TurnError('invalid-results', message)
  if (!Array.isArray(results))
    throw wrong(
      `${source}: the results must be an array with one result for each call, not ${String(results)}.`,
    )
  const ids = new Set(calls.map(({ id }) => id))
  const seen = new Set<string>()
  for (const result of results as readonly Partial<ToolResult>[]) {
    const id = result?.toolUseId as string
    if (!ids.has(id))
      throw wrong(
        `${source}: there is a result for the call '${String(id)}', which is not one of ${[...ids].map((known) => `'${known}'`).join(', ')}.`,
      )
    if (seen.has(id)) throw wrong(`${source}: there are two results for the call '${id}'.`)
    seen.add(id)
  }
  return results as readonly ToolResult[]
}

const withError = (output: ToolOutput, isError: boolean | undefined): ToolOutput =>
  isError === true ? { ...output, isError } : output

const ended = (output: ToolOutput): Ended => ({
  type: output.isError ? 'call-failed' : 'call-succeeded',
  output,
})

const timedOut = (toolName: string, milliseconds: number): Ended => ({
  type: 'call-timed-out',
  output: {
    content: `The tool \`${toolName}\` did not finish within ${milliseconds} ms and was stopped. What it had done by then is not known. Ask for less at a time.`,
    isError: true,
  },
})

const failed = (content: string): Ended => ({ type: 'call-failed', output: { content, isError: true } })

function failureText(error: unknown): string {
  const message = error === undefined || error === null ? '' : messageOf(error)
  return message === '' ? 'The tool failed without saying why.' : message
}
