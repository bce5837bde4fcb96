/** A call of the response on its way to a decision. */

import type { FinishReason, ToolCall } from '../base/event.ts'
import type { Decider } from './turn-event.ts'

export type Decision = Approved | Denied

export interface Approved {
  readonly approved: true
  readonly by: Decider
  /** What the tool runs with. */
  input(): unknown
  /** Set if somebody denied the call since: then it does not run. */
  denial(): Denied | undefined
}

export interface Denied {
  readonly approved: false
  readonly by: Decider
  readonly reason: string
  /** Set if the checks of the call itself refuse it: what the model is told, given why the response ended. */
  readonly refusal?: (finish: FinishReason) => string
}

export interface TurnCall {
  readonly call: ToolCall
  /** Never rejects. */
  readonly decision: Promise<Decision>
}

/** The model thought of the call, and went on thinking. Where it then answers, it does not wait for a result. */
export function isMention({ repairs }: ToolCall): boolean {
  return repairs.some(({ code }) => code === 'inside-reasoning')
}
