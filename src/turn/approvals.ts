/** Decides which calls of a response may run. Approval may take any time; the response is read in the meantime. */

import { type PreparedCall, prepareCall } from '../calls/prepare.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../calls/tools.ts'
import { explain, explainDenial, isExecutable } from '../calls/verdict.ts'
import type { JsonValue, ToolCall, ToolInputStart } from '../event.ts'
import { isStricter } from '../policy/decision.ts'
import type { Guard } from '../policy/guard.ts'
import type { Verdict } from '../policy/policy-verdict.ts'
import { callUntilAborted, type LinkedController, linkedController, untilAborted } from './abort.ts'
import { NOBODY_TO_ASK, NOT_APPROVED } from './refusal-messages.ts'
import type { Decision, TurnCall } from './turn-call.ts'
import type { CallEvent } from './turn-event.ts'
import type { Approval, ApprovalRequest, TurnSettings } from './turn-options.ts'

/** An answer that was given while the arguments streamed, or that is still pending. */
interface EarlyAnswer {
  decision: Decision | null
  readonly given: Promise<Decision>
  give(decision: Decision): void
}

export class Approvals {
  private readonly settings: TurnSettings
  private readonly tools: ToolTable
  private readonly controller: LinkedController
  private readonly guard: Guard | null
  private readonly inputOf: (id: string) => JsonValue
  private readonly early = new Map<string, EarlyAnswer>()

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
    this.controller.release()
  }

  /** A call begins. */
  begin({ id, toolName, providerExecuted }: ToolInputStart): void {
    const { onCallStart } = this.settings
    if (onCallStart === undefined || providerExecuted || this.early.has(id)) return
    const answer = earlyAnswer()
    this.early.set(id, answer)
    const { inputOf } = this
    onCallStart({
      id,
      toolName,
      get input() {
        return inputOf(id)
      },
      approve: () => answer.give({ approved: true, by: 'approval' }),
      deny: (reason) => answer.give(denial(reason)),
      signal: this.signal,
    })
  }

  /** A call has its verdict. Its events are yielded at once; the decision is a promise. */
  async *request(call: ToolCall): AsyncGenerator<CallEvent, TurnCall, undefined> {
    const { id, toolName, input } = call
    yield { type: 'call-requested', id, toolName, input: copyOf(input) }
    const prepared = await this.prepare(call, [])
    if (prepared.ok) {
      const verdict = this.policyOn(call, prepared)
      return yield* this.decide(call, prepared.input, verdict, false)
    }
    const refused: TurnCall = {
      call,
      input: undefined,
      refusal: (finish) =>
        call.status === 'truncated' ? explain(call, { tools: this.tools, finish }) : prepared.message,
      decision: Promise.resolve(denialByCheck(call, prepared.message)),
    }
    if (
      this.settings.approve === undefined ||
      isExecutable(call) ||
      !isExecutable(call, { allow: ['guess'] })
    )
      return refused
    const guessed = await this.prepare(call, ['guess'])
    if (!guessed.ok) return refused
    return yield* this.decide(call, guessed.input, this.policyOn(call, guessed), true)
  }

  /** A schema may validate asynchronously. An abort ends the wait. */
  private async prepare(call: ToolCall, allow: readonly 'guess'[]): Promise<PreparedCall> {
    try {
      return await untilAborted(prepareCall(call, this.tools, { allow }), this.signal)
    } catch {
      return { ok: false, issues: [], message: 'The call could not be checked. It was not run.' }
    }
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

  private async *decide(
    call: ToolCall,
    input: unknown,
    verdict: Verdict | undefined,
    isGuess: boolean,
  ): AsyncGenerator<CallEvent, TurnCall, undefined> {
    const { approve, policy } = this.settings
    const { id, toolName } = call
    const runs = (decision: Promise<Decision> | Decision): TurnCall => ({
      call,
      input,
      decision: Promise.resolve(decision),
    })
    if (verdict?.decision === 'deny')
      return runs({ approved: false, by: 'policy', reason: explainDenial(verdict.reason) })
    const early = this.early.get(id)
    if (early?.decision && !(isGuess && early.decision.approved)) return runs(early.decision)
    if (!isGuess && (policy === undefined ? approve === undefined : verdict?.decision === 'allow'))
      return runs({ approved: true, by: policy === undefined ? 'check' : 'policy' })
    if (approve === undefined && early === undefined)
      return runs({ approved: false, by: 'policy', reason: NOBODY_TO_ASK })
    const reason = verdict === undefined ? {} : { reason: verdict.reason }
    const about = { id, toolName, ...reason }
    yield { type: 'call-approval-needed', ...about, input: copyOf(input), ...(isGuess && { isGuess }) }
    const answers = early === undefined || isGuess ? [] : [early.given]
    if (approve !== undefined) {
      const { signal } = this
      answers.push(this.ask(approve, { ...about, input: copyOf(input), call: copyOf(call), isGuess, signal }))
    }
    return runs(answers.length === 1 ? answers[0]! : Promise.race(answers))
  }

  /** An error while asking denies the call. */
  private async ask(
    approve: NonNullable<TurnSettings['approve']>,
    request: ApprovalRequest,
  ): Promise<Decision> {
    try {
      return decisionOf(await callUntilAborted(() => approve(request), this.signal))
    } catch {
      return denial('The call was not approved, because asking failed. Do without it.')
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
  reason: 'What the tool would run with cannot be looked at.',
  digest: '',
}

const denial = (reason = NOT_APPROVED): Decision => ({ approved: false, by: 'approval', reason })

const denialByCheck = (call: ToolCall, reason: string): Decision => ({
  approved: false,
  // A policy that denies a call while it grows makes it a call that failed.
  by: call.error?.code === 'denied' ? 'policy' : 'check',
  reason,
})

function decisionOf(answer: Approval): Decision {
  if (answer === true) return { approved: true, by: 'approval' }
  if (typeof answer !== 'object' || answer === null) return denial()
  if (answer.approved === true) return { approved: true, by: 'approval' }
  return typeof answer.reason === 'string' && answer.reason !== '' ? denial(answer.reason) : denial()
}

function earlyAnswer(): EarlyAnswer {
  let resolve: (decision: Decision) => void
  const given = new Promise<Decision>((answered) => {
    resolve = answered
  })
  const answer: EarlyAnswer = {
    decision: null,
    given,
    give(decision) {
      answer.decision ??= decision
      resolve(answer.decision)
    },
  }
  return answer
}
