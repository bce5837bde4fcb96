/** Decides which calls of a response may run. Approval may take any time; the response is read in the meantime. */

import type { JsonValue, ToolCall, ToolInputStart } from '../base/event.ts'
import { frozenCopy } from '../base/plain-copy.ts'
import { type PreparedCall, prepareInStep } from '../engine/calls/prepare.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../engine/calls/tools.ts'
import { explain, explainDenial, isExecutable } from '../engine/calls/verdict.ts'
import { callUntilAborted, type LinkedController, linkedController, untilAborted } from './abort.ts'
import { Ballot } from './ballot.ts'
import { callbackError } from './callback.ts'
import { JudgedInput } from './judged-input.ts'
import { isStricter } from './policy/decision.ts'
import { digestOf } from './policy/digest.ts'
import type { Guard } from './policy/guard.ts'
import type { Verdict } from './policy/policy-verdict.ts'
import { ASKING_FAILED, NOBODY_TO_ASK, NOT_APPROVED, OTHER_CALL } from './refusal-messages.ts'
import type { Approved, Decision, Denied, TurnCall } from './turn-call.ts'
import type { CallEvent } from './turn-event.ts'
import type { Approval, ApprovalRequest, EarlyCall, TurnSettings } from './turn-options.ts'

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
  private readonly ballots = new Map<string, Ballot>()
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
    if (onCallStart === undefined || providerExecuted || this.ballots.has(id)) return
    const ballot = this.ballotOf(id, toolName)
    const { inputOf } = this
    const call: EarlyCall = {
      id,
      toolName,
      get input() {
        return inputOf(id)
      },
      approve: () => ballot.approve(),
      deny: (reason) => ballot.deny(denial(reason)),
      signal: this.signal,
    }
    let started: unknown
    try {
      started = onCallStart(call)
    } catch (error) {
      throw callbackError(error)
    }
    // It may be asynchronous, and fail.
    Promise.resolve(started).catch(() => ballot.deny(denial(ASKING_FAILED)))
  }

  private ballotOf(id: string, toolName: string): Ballot {
    const known = this.ballots.get(id)
    if (known !== undefined) return known
    const ballot = new Ballot(toolName)
    this.ballots.set(id, ballot)
    return ballot
  }

  /**
   * A call has its verdict; nobody else can change it. Its events are there when this returns, unless the schema of its tool
   * validates asynchronously: then an event may follow later, and the response is read in the meantime.
   */
  request(call: ToolCall): TurnCall {
    const { id, toolName, input, inputText } = call
    this.emit({ type: 'call-requested', id, toolName, input, ...(inputText !== undefined && { inputText }) })
    return { call, decision: Promise.resolve(this.judge(call)) }
  }

  private judge(call: ToolCall): Eventual<Decision> {
    return then(this.prepare(call, []), (prepared) => {
      if (prepared.ok) return this.decide(call, this.judgedInput(call, prepared), false)
      const refused = this.refused(call, prepared.message)
      const mayAsk = this.settings.approve !== undefined && !isExecutable(call)
      if (!mayAsk || !isExecutable(call, { allow: ['guess'] })) return refused
      return then(this.prepare(call, ['guess']), (guessed) =>
        guessed.ok ? this.decide(call, this.judgedInput(call, guessed), true) : refused,
      )
    })
  }

  private judgedInput({ toolName }: ToolCall, { input }: PreparedCall & { ok: true }): JudgedInput {
    return new JudgedInput(input, this.tools.get(toolName)?.bigint === true)
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
    const { format, onUnknownFormat } = this.settings
    const prepared = prepareInStep(call, this.tools, { allow, format, onUnknownFormat })
    return prepared instanceof Promise
      ? untilAborted(prepared, this.signal).catch(() => NOT_CHECKED)
      : prepared
  }

  /** The stricter of two verdicts: on the call as the model wrote it, and on the input that the tool would get. */
  private policyOn(call: ToolCall, input: JudgedInput): Verdict | undefined {
    const { policy } = this.settings
    if (policy === undefined || this.guard === null) return undefined
    const written = this.guard.approve(call)
    const { json = {}, isJson } = input
    const { inputText: _, ...rest } = call
    const run = policy.approve({ ...rest, input: json })
    const stricter = isStricter(run.decision, written.decision) ? run : written
    // What a rule cannot see is allowed by a rule for the tool as such, and not because no rule is against it.
    const isByDefault = stricter.decision === 'allow' && run.rule?.tool === undefined
    return isByDefault && !isJson ? UNREADABLE : stricter
  }

  private decide(call: ToolCall, input: JudgedInput, isGuess: boolean): Eventual<Decision> {
    const { approve, policy } = this.settings
    const { id, toolName } = call
    const verdict = this.policyOn(call, input)
    if (verdict?.decision === 'deny')
      return { approved: false, by: 'policy', reason: explainDenial(verdict.reason) }
    // An early approval of another tool would never count.
    const mayDecideEarly = this.ballots.get(id)?.toolName === toolName
    const ballot = this.ballotOf(id, toolName)
    const approved = (by: Approved['by']): Approved => ({
      approved: true,
      by,
      input: () => input.forTool(),
      denial: () => ballot.denial,
    })
    // An early approval does not say that a guess is what was meant.
    const early = (): Decision | undefined =>
      ballot.denial ?? (!isGuess && ballot.approves(toolName) ? approved('approval') : undefined)
    const decided = early()
    if (decided !== undefined) return decided
    if (!isGuess && (policy === undefined ? approve === undefined : verdict?.decision === 'allow'))
      return approved(policy === undefined ? 'check' : 'policy')
    if (approve === undefined && !mayDecideEarly)
      return { approved: false, by: 'policy', reason: NOBODY_TO_ASK }
    const reason = verdict === undefined ? {} : { reason: verdict.reason }
    const { json = null } = input
    const about = { id, toolName, ...reason, digest: digestOf(call, json) }
    this.emit({ type: 'call-approval-needed', ...about, input: json, ...(isGuess && { isGuess }) })
    const answers = [ballot.until(early)]
    if (approve !== undefined) {
      const request = { ...about, input: input.shown, call, isGuess, signal: this.signal }
      answers.push(this.ask(approve, request, ballot).then((denied) => denied ?? approved('approval')))
    }
    return Promise.race(answers)
  }

  /** An error while asking denies the call. Undefined: it is approved. A denial counts also where somebody approved it. */
  private async ask(
    approve: NonNullable<TurnSettings['approve']>,
    request: ApprovalRequest,
    ballot: Ballot,
  ): Promise<Denied | undefined> {
    const denied = await callUntilAborted(() => approve(request), this.signal).then(
      (answer) => denialIn(answer, request.digest),
      () => denial(ASKING_FAILED),
    )
    if (denied !== undefined) ballot.deny(denied)
    return denied
  }
}

/** The call as nobody can change it any more. What is no plain data in it is left out. */
export function frozenCall(call: ToolCall): ToolCall {
  const frozen = frozenCopy(call)
  if (frozen !== undefined) return frozen
  const { metadata: _, ...rest } = call
  return frozenCopy(rest) ?? { ...UNKNOWN_CALL, id: String(call.id), toolName: String(call.toolName) }
}

/** Models that a program makes may say anything. */
const UNKNOWN_CALL = {
  type: 'tool-call',
  input: null,
  status: 'invalid',
  repairs: [],
  raw: '',
  error: { code: 'not-json', message: 'The call is not plain data.', offset: 0 },
} as const

const UNREADABLE: Verdict = {
  decision: 'ask',
  reason: 'The input of the tool cannot be inspected.',
  digest: '',
}

const denial = (reason = NOT_APPROVED): Denied => ({ approved: false, by: 'approval', reason })

/** Undefined for an answer that approves the call it was asked about. */
function denialIn(answer: Approval, digest: string): Denied | undefined {
  if (answer === true) return undefined
  if (typeof answer !== 'object' || answer === null) return denial()
  if (answer.approved !== true)
    return typeof answer.reason === 'string' && answer.reason !== '' ? denial(answer.reason) : denial()
  return answer.digest === undefined || answer.digest === digest ? undefined : denial(OTHER_CALL)
}
