/**
 * Verdicts that wait. A call inside reasoning, or one that no marker opens, may be meant or only be mentioned; what
 * follows it tells the two apart. Its input streams like that of any other call, and its verdict is kept here until
 * something decides.
 *
 *     <think>I should look. <tool_call>{"name": "ls"}</tool_call>|            the model stopped: it stands
 *     <think>I could write <tool_call>{"name": "ls"}</tool_call>| or not.     the thought goes on: it is a guess
 *     [ls(path="src")]|                                                       the model stopped: it stands
 *     [ls(path="src")]| lists a folder.                                       text follows: it is a guess
 */

import type { DiagnosticCode, Repair, Sink, Span, ToolCall } from '../event.ts'
import { FIXED_LIMITS } from '../limits.ts'

/** Why a verdict waits: the code of the repair, and of the diagnostic, if the call turns out to be a guess. */
export type WaitingReason = 'inside-reasoning' | 'text-behind-call'

const MESSAGES: Readonly<Record<WaitingReason, string>> = {
  'inside-reasoning': 'The model went on behind a call inside its reasoning.',
  'text-behind-call': 'The model went on behind a call that no marker opens.',
}

/** What a verdict needs to be said. */
export interface VerdictHost {
  readonly emit: Sink
  report(code: DiagnosticCode, message: string, span: Span | undefined, id?: string): void
}

interface WaitingVerdict {
  readonly call: ToolCall
  readonly reason: WaitingReason
}

export interface WaitingVerdictsState {
  readonly verdicts: readonly WaitingVerdict[]
  /** Characters of the calls that wait. */
  readonly length: number
  /** Too many calls waited: those that follow are guesses at once, until the thought goes on. */
  readonly isFull: boolean
}

const NOTHING: WaitingVerdictsState = { verdicts: [], length: 0, isFull: false }

export class WaitingVerdicts {
  private readonly host: VerdictHost
  private verdicts: WaitingVerdict[]
  private length: number
  private isFull: boolean

  constructor(host: VerdictHost, { verdicts, length, isFull } = NOTHING) {
    this.host = host
    this.verdicts = [...verdicts]
    this.length = length
    this.isFull = isFull
  }

  get isWaiting(): boolean {
    return this.verdicts.length > 0
  }

  /** Keeps the verdict on a call whose source is `length` characters long. */
  hold(call: ToolCall, reason: WaitingReason, length: number): void {
    this.verdicts.push({ call, reason })
    this.length += length
    const { tentativeCalls, tentativeLength } = FIXED_LIMITS
    if (!this.isFull && (this.verdicts.length > tentativeCalls || this.length > tentativeLength)) {
      this.isFull = true
      this.host.report(
        'limit-reached',
        `At most ${tentativeCalls} calls, and ${tentativeLength} characters, wait for a verdict.`,
        call.span,
      )
    }
    if (this.isFull) this.decide(false)
  }

  /** Takes up to `length` characters of white space, and answers how many: more than a limit of them decides, too. */
  passSpace(length: number): number {
    const taken = Math.min(length, FIXED_LIMITS.tentativeLength - this.length)
    this.length += taken
    return taken
  }

  /** Something followed that a model does not write behind a call that it meant. */
  doubt(): void {
    this.decide(false)
    this.isFull = false
  }

  /** Says all verdicts. `isMeant`: the model stopped behind the calls. */
  decide(isMeant: boolean): void {
    const { host, verdicts } = this
    this.verdicts = []
    this.length = 0
    for (const { call, reason } of verdicts) {
      if (isMeant || call.status === 'truncated' || call.status === 'invalid') host.emit(call)
      else {
        const repair: Repair = { code: reason, class: 'guess', offset: call.span?.start ?? 0 }
        host.report(reason, MESSAGES[reason], call.span, call.id)
        host.emit({ ...call, status: 'repaired', repairs: [...call.repairs, repair] })
      }
    }
  }

  /** Forgets the calls of a prefill. */
  clear(): void {
    this.verdicts = []
    this.length = 0
  }

  save(): WaitingVerdictsState {
    const { verdicts, length, isFull } = this
    return { verdicts: [...verdicts], length, isFull }
  }
}
