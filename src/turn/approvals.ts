/** Decides which calls of a response may run. Approval may take any time; the response is read in the meantime. */

import type { JsonValue, ToolCall, ToolInputStart } from '../base/event.ts'
import { type PreparedCall, prepareInStep } from '../engine/calls/prepare.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../engine/calls/tools.ts'
import { explain, explainDenial, isExecutable } from '../engine/calls/verdict.ts'
import { callUntilAborted, type LinkedController, linkedController, untilAborted } from './abort.ts'
import { isStricter } from './policy/decision.ts'
import type { Guard } from './policy/guard.ts'
import type { Verdict } from './policy/policy-verdict.ts'
import { ASKING_FAILED, NOBODY_TO_ASK, NOT_APPROVED } from './refusal-messages.ts'
import type { Approved, Decision, Denied, TurnCall } from './turn-call.ts'
import type { CallEvent } from './turn-event.ts'
import type { Approval, ApprovalRequest, TurnSettings } from './turn-options.ts'

/** What someone said about a call, whatever its input is. */
type Answer = Omit<Approved, 'input'> | Denied

/** An answer that was given while the arguments streamed, or that is still pending. */
interface EarlyAnswer {
  answer: Answer | null
  readonly given: Promise<Answer>
  give(answer: Answer): void
}

/** At once where possible, so that the order of events does not depend on microtasks. */
type Eventual<T> = T | Promise<T>

function then<T, U>(value: Eventual<T>, next: (value: T) => Eventual<U>): Eventual<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

const NOT_CHECKED: PreparedCall = {
  ok: false,
  issues: [],
  message: 'The call could not be checked. It was not run.',
}

export class Approvals {
  private readonly settings: TurnSettings
  private readonly tools: ToolTable
  private readonly controller: LinkedController
  private readonly guard: Guard | null
  private readonly inputOf: (id: string) => JsonValue
  private readonly early = new Map<string, EarlyAnswer>()
  private emit: (event: CallEvent) => void = (event) => this.events.push(event)
  /** Events that wait to be taken. */
  readonly events: CallEvent[] = []

  /** `inputOf`: the input of a call as far as it is known. */
  constructor(
    settings: TurnSettings,
    tools: ToolDefinitions,
    signal: AbortSignal,
    guard: Guard | null,
    inputOf: (id: string) => JsonValue,
  ) {
    this.settings = settings
    this.tools = createToolTable(tools)
    this.controller = linkedController(signal)
    this.guard = guard
    this.inputOf = inputOf
  }

  /** Aborts when no answer is needed any more. */
  private get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Withdraws all open requests. */
  dismiss(): void {
    this.controller.abort()
  }

  /** The response is read: events that are still to come go to this function. */
  emitTo(emit: (event: CallEvent) => void): void {
    this.emit = emit
    this.events.splice(0).forEach(emit)
  }

  /** A call begins. */
  begin({ id, toolName, providerExecuted }: ToolInputStart): void {
    const { onCallStart } = this.settings
    if (onCallStart === undefined || providerExecuted || this.early.has(id)) return
    const early = earlyAnswer()
    this.early.set(id, early)
    const { inputOf } = this
    const started: unknown = onCallStart({
      id,
      toolName,
      get input() {
        return inputOf(id)
      },
      approve: () => early.give({ approved: true, by: 'approval' }),
      deny: (reason) => early.give(denial(reason)),
      signal: this.signal,
    })
    // It may be asynchronous, and fail.
    Promise.resolve(started).catch(() => early.give(denial(ASKING_FAILED)))
  }

  /**
   * A call has its verdict. Its events are there when this returns, unless the schema of its tool validates
   * asynchronously: then an event may follow later, and the response is read in the meantime.
   */
  request(call: ToolCall): TurnCall {
    const { id, toolName, input } = call
    this.emit({ type: 'call-requested', id, toolName, input: copyOf(input) })
    return { call, decision: Promise.resolve(this.judge(call)) }
  }

  /** The call stands in a thought, as its end shows. It is judged again, as a guess. */
  requestAgain(call: ToolCall): TurnCall {
    const repair = { code: 'inside-reasoning', class: 'guess', offset: call.span?.start ?? 0 } as const
    const guess: ToolCall = { ...call, status: 'repaired', repairs: [...call.repairs, repair] }
    return { call: guess, decision: Promise.resolve(this.judge(guess)) }
  }

  private judge(call: ToolCall): Eventual<Decision> {
    return then(this.prepare(call, []), (prepared) => {
      if (prepared.ok) return this.decide(call, prepared.input, this.policyOn(call, prepared), false)
      const refused = this.refused(call, prepared.message)
      const mayAsk = this.settings.approve !== undefined && !isExecutable(call)
      if (!mayAsk || !isExecutable(call, { allow: ['guess'] })) return refused
      return then(this.prepare(call, ['guess']), (guessed) =>
        guessed.ok ? this.decide(call, guessed.input, this.policyOn(call, guessed), true) : refused,
      )
    })
  }

  private refused(call: ToolCall, message: string): Denied {
    return {
      approved: false,
      // A policy that denies a call while it grows makes it a call that failed.
      by: call.error?.code === 'denied' ? 'policy' : 'check',
      reason: message,
      refusal: (finish) =>
        call.status === 'truncated' ? explain(call, { tools: this.tools, finish }) : message,
    }
  }

  /** A promise only where the schema gives one. An abort ends the wait. */
  private prepare(call: ToolCall, allow: readonly 'guess'[]): Eventual<PreparedCall> {
    if (this.signal.aborted) return NOT_CHECKED
    const prepared = prepareInStep(call, this.tools, { allow })
    return prepared instanceof Promise
      ? untilAborted(prepared, this.signal).catch(() => NOT_CHECKED)
      : prepared
  }

  /** The stricter of two verdicts: on the call as the model wrote it, and on the input that the tool would get. */
  private policyOn(call: ToolCall, { input }: PreparedCall & { ok: true }): Verdict | undefined {
    const { policy } = this.settings
    if (policy === undefined || this.guard === null) return undefined
    const written = this.guard.approve(call)
    const plain = plainOf(input)
    const run = plain === undefined ? UNREADABLE : policy.approve({ ...call, input: plain })
    return isStricter(run.decision, written.decision) ? run : written
  }

  private decide(
    call: ToolCall,
    input: unknown,
    verdict: Verdict | undefined,
    isGuess: boolean,
  ): Eventual<Decision> {
    const { approve, policy } = this.settings
    const { id, toolName } = call
    const withInput = (answer: Answer): Decision => (answer.approved ? { ...answer, input } : answer)
    if (verdict?.decision === 'deny')
      return { approved: false, by: 'policy', reason: explainDenial(verdict.reason) }
    const early = this.early.get(id)
    if (early?.answer && !(isGuess && early.answer.approved)) return withInput(early.answer)
    if (!isGuess && (policy === undefined ? approve === undefined : verdict?.decision === 'allow'))
      return { approved: true, by: policy === undefined ? 'check' : 'policy', input }
    if (approve === undefined && early === undefined)
      return { approved: false, by: 'policy', reason: NOBODY_TO_ASK }
    const reason = verdict === undefined ? {} : { reason: verdict.reason }
    const about = { id, toolName, ...reason }
    this.emit({ type: 'call-approval-needed', ...about, input: copyOf(input), ...(isGuess && { isGuess }) })
    const answers = early === undefined || isGuess ? [] : [early.given]
    if (approve !== undefined) {
      const { signal } = this
      answers.push(this.ask(approve, { ...about, input: copyOf(input), call: copyOf(call), isGuess, signal }))
    }
    return Promise.race(answers).then(withInput)
  }

  /** An error while asking denies the call. */
  private async ask(
    approve: NonNullable<TurnSettings['approve']>,
    request: ApprovalRequest,
  ): Promise<Answer> {
    try {
      return answerOf(await callUntilAborted(() => approve(request), this.signal))
    } catch {
      return denial(ASKING_FAILED)
    }
  }
}

/** A deep copy, if the value can be cloned: a schema library may return anything. */
export function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}

/** The schema's output as plain JSON, for the policy. */
function plainOf(input: unknown): JsonValue | undefined {
  try {
    return JSON.parse(JSON.stringify(input)) as JsonValue
  } catch {
    return undefined
  }
}

const UNREADABLE: Verdict = {
  decision: 'ask',
  reason: 'The input of the tool cannot be inspected.',
  digest: '',
}

const denial = (reason = NOT_APPROVED): Denied => ({ approved: false, by: 'approval', reason })

function answerOf(answer: Approval): Answer {
  if (answer === true) return { approved: true, by: 'approval' }
  if (typeof answer !== 'object' || answer === null) return denial()
  if (answer.approved === true) return { approved: true, by: 'approval' }
  return typeof answer.reason === 'string' && answer.reason !== '' ? denial(answer.reason) : denial()
}

function earlyAnswer(): EarlyAnswer {
  let resolve: (answer: Answer) => void
  const early: EarlyAnswer = {
    answer: null,
    given: new Promise((answered) => {
      resolve = answered
    }),
    give(answer) {
      early.answer ??= answer
      resolve(early.answer)
    },
  }
  return early
}
