/** What a turn adds up to. */

import type { AnswerPart, ConversationPart, ModelRequest } from '../conversation/model-request.ts'
import type { ToolCall, Usage } from '../event.ts'
import type { TurnError } from './turn-error.ts'

/**
 * Why a turn ended. `stop`: the model is done. `length`, `content-filter`, `other`: the last response ended so.
 * `tool-calls`: these calls are left to the caller. `max-tool-depth`: the model wants more rounds of tools
 * than it may have. `repeated-refusal`: it sends the same call again and again that cannot run. `no-progress` and `round-limit`: a
 * response stopped inside a thought or a call, and going on did not help, or was needed too often.
 */
export type TurnStop =
  | 'stop'
  | 'length'
  | 'content-filter'
  | 'other'
  | 'tool-calls'
  | 'max-tool-depth'
  | 'repeated-refusal'
  | 'no-progress'
  | 'round-limit'
  | 'aborted'
  | 'error'

/** The answer to a call. */
export interface TurnToolResult {
  readonly id: string
  readonly toolName: string
  readonly content: AnswerPart['content']
  readonly isError: boolean
}

/** What a turn gave: its text, its calls and results, and the conversation to continue with. */
export interface TurnResult {
  /** Everything in order: the parts of each response, and the results behind them. */
  readonly content: readonly ConversationPart[]
  /** All visible text, joined. */
  readonly text: string
  /**
   * What the model wrote, over all responses. A model that writes its calls in text (`promptedModel`, `prefilledModel`):
   * that text, with the markers of thoughts and calls. Any other: its visible text and the arguments of its calls.
   */
  readonly rawText: string
  readonly toolCalls: readonly ToolCall[]
  /** One for each call that this turn had to answer. */
  readonly toolResults: readonly TurnToolResult[]
  /** Calls without a result, which are left to the caller. */
  readonly pendingCalls: readonly ToolCall[]
  readonly stopReason: TurnStop
  /** The sum over all responses; absent fields were never reported. */
  readonly usage: Usage
  /** How many responses there were. */
  readonly rounds: number
  /**
   * To go on with: `appendUser(conversation, '…')`. A response that failed is not in it, so that it can be asked for
   * again; one that was aborted is.
   */
  readonly conversation: ModelRequest
  /** With `error` as the stop reason. */
  readonly error?: TurnError
}
