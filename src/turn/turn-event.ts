/**
 * The events of a turn, in order. The events of each response are unchanged, so any view can read them; each response ends
 * with its own `finish`, and the turn with one `turn-finish`.
 *
 *     round-start · text-delta … tool-call · call-requested · finish · usage · tools-start
 *     call-approved · call-started · call-succeeded · tool-result-start … · round-start · … · turn-finish
 */

import type { ErrorRecord, JsonValue, SluiceEvent, Usage } from '../base/event.ts'
import type { AnswerPart } from '../requests/conversation/model-request.ts'
import type { ApprovedToolCall, ToolContext } from '../views/compat/blocks/types.ts'
import type { TurnErrorKind } from './turn-error.ts'
import type { TurnStop } from './turn-result.ts'

/** A request is sent. */
export interface RoundStart {
  readonly type: 'round-start'
  /** Counts from 1. */
  readonly round: number
}

/** The request failed before anything of its response was emitted, and is sent again. */
export interface Retry {
  readonly type: 'retry'
  readonly round: number
  /** How often it has been sent. */
  readonly attempt: number
  readonly delayMs: number
  readonly error: TurnFailure
}

/** An error as plain data, with its kind. */
export interface TurnFailure extends ErrorRecord {
  readonly kind: TurnErrorKind
}

/** A response is over. `total` is the sum over all responses of the turn so far, also of those that failed. */
export interface UsageReport {
  readonly type: 'usage'
  readonly round: number
  readonly usage: Usage
  readonly total: Usage
}

/** The calls of the response are about to be answered. */
export interface ToolsStart {
  readonly type: 'tools-start'
  readonly round: number
  /** How many rounds of tools there were before. */
  readonly depth: number
  /** The visible text of this response. */
  readonly text: string
  readonly ids: readonly string[]
}

/** Approved calls of tools without `execute`, for `onToolCalls` or `provideToolResults`. */
export interface CallsWaiting {
  readonly type: 'calls-waiting'
  readonly calls: readonly ApprovedToolCall[]
  /** Where the turn stands. */
  readonly context: Omit<ToolContext, 'signal'>
}

interface OfCall {
  /** The id of the call in the stream, of its approval and of its result. */
  readonly id: string
  readonly toolName: string
}

/** The model requests a call. It has its verdict, but no decision yet. */
export interface CallRequested extends OfCall {
  readonly type: 'call-requested'
  readonly input: JsonValue
  /** The input as JSON text, where `input` cannot say how a number was written. */
  readonly inputText?: string
}

/** The call needs approval. */
export interface CallApprovalNeeded extends OfCall {
  readonly type: 'call-approval-needed'
  /** What the tool would get, as JSON. */
  readonly input: unknown
  /** What the approval is for: the tool, the input as it was written, and the input that the tool would get. */
  readonly digest: string
  /** The policy's reason. */
  readonly reason?: string
  /** The call was repaired by guessing. */
  readonly isGuess?: true
}

/** Who decided: the checks of the call itself, a policy, the approval function, or a limit of the turn. */
export type Decider = 'check' | 'policy' | 'approval' | 'limit'

/** A call was approved. */
export interface CallApproved extends OfCall {
  readonly type: 'call-approved'
  readonly by: Decider
}

/** The call does not run. The model gets `reason`. */
export interface CallDenied extends OfCall {
  readonly type: 'call-denied'
  readonly by: Decider
  readonly reason: string
}

/** A tool starts to run. */
export interface CallStarted extends OfCall {
  readonly type: 'call-started'
}

/** A tool called `context.progress`. */
export interface CallProgress extends OfCall {
  readonly type: 'call-progress'
  readonly progress: unknown
}

/** A tool returned a result. */
export interface CallSucceeded extends OfCall {
  readonly type: 'call-succeeded'
  readonly content: AnswerPart['content']
}

/** The tool threw or returned an error. The model gets `reason`. */
export interface CallFailed extends OfCall {
  readonly type: 'call-failed'
  readonly reason: string
}

/** A tool did not finish in time. */
export interface CallTimedOut extends OfCall {
  readonly type: 'call-timed-out'
  readonly reason: string
}

/** The turn ended before the call was decided or done. */
export interface CallCancelled extends OfCall {
  readonly type: 'call-cancelled'
  readonly reason: string
}

/** An event about one call of a turn. */
export type CallEvent =
  | CallRequested
  | CallApprovalNeeded
  | CallApproved
  | CallDenied
  | CallStarted
  | CallProgress
  | CallSucceeded
  | CallFailed
  | CallTimedOut
  | CallCancelled

/** Always the last event, exactly once. */
export interface TurnFinish {
  readonly type: 'turn-finish'
  readonly reason: TurnStop
  readonly usage: Usage
  readonly error?: TurnFailure
}

/** An event of a turn: those of its responses, and those of its rounds and calls. */
export type TurnEvent =
  | SluiceEvent
  | RoundStart
  | Retry
  | UsageReport
  | ToolsStart
  | CallsWaiting
  | CallEvent
  | TurnFinish

const OWN: ReadonlySet<string> = new Set<Exclude<TurnEvent, SluiceEvent>['type']>([
  'round-start',
  'retry',
  'usage',
  'tools-start',
  'calls-waiting',
  'call-requested',
  'call-approval-needed',
  'call-approved',
  'call-denied',
  'call-started',
  'call-progress',
  'call-succeeded',
  'call-failed',
  'call-timed-out',
  'call-cancelled',
  'turn-finish',
])

/** Whether an event is one of a response or a tool's answer, and not one of the turn itself. */
export function isSluiceEvent(event: TurnEvent): event is SluiceEvent {
  return !OWN.has(event.type)
}
