/** A call of the response on its way to a decision. */

import type { RefusedCall } from '../calls/prepare.ts'
import type { ToolCall } from '../event.ts'
import type { Decider } from './turn-event.ts'

export type Decision =
  | { readonly approved: true; readonly by: Decider }
  | { readonly approved: false; readonly by: Decider; readonly reason: string }

export interface TurnCall {
  readonly call: ToolCall
  /** What its tool runs with. */
  readonly input: unknown
  /** The checks of the call itself refuse it. */
  readonly refused?: RefusedCall
  /** Never rejects. */
  readonly decision: Promise<Decision>
}
