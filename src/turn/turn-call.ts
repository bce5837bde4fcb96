/** A call of the response on its way to a decision. */

import type { FinishReason, ToolCall } from '../event.ts'
import type { Decider } from './turn-event.ts'

export type Decision =
  | { readonly approved: true; readonly by: Decider }
  | { readonly approved: false; readonly by: Decider; readonly reason: string }

export interface TurnCall {
  readonly call: ToolCall
  /** What its tool runs with. */
  readonly input: unknown
  /** Set for a call that the checks of the call itself refuse: what the model is told, given why the response ended. */
  readonly refusal?: (finish: FinishReason) => string
  /** Never rejects. */
  readonly decision: Promise<Decision>
}
