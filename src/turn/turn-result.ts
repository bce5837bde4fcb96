/** The result of a turn. */

import type { ToolCall, Usage } from '../base/event.ts'
import type { AnswerPart, ConversationPart, ModelRequest } from '../requests/conversation/model-request.ts'
import type { TurnError } from './turn-error.ts'

/**
 * Why a turn ended. `stop`: the model is done. `length`, `content-filter`, `other`: the last response ended with this
 * reason. `tool-calls`: calls without `execute` are left to the caller. `max-tool-depth`: the model wants more rounds of
 * tools than `maxToolDepth`. `repeated-refusal`: it repeats a call that cannot run. `no-progress`, `round-limit`: a response
 * stopped inside a thought or a call, and continuing did not help, or was needed too often.
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

/** The text, calls and results of a turn, and the conversation to continue with. */
export interface TurnResult {
  /** Everything in order: the parts of each response, then its results. */
  readonly content: readonly ConversationPart[]
  /** All visible text, joined. */
  readonly text: string
  /**
   * What the model wrote, over all responses. With `promptedModel` and `prefilledModel`, the text with the markers of
   * thoughts and calls; otherwise the visible text and the arguments of the calls.
   */
  readonly rawText: string
  readonly toolCalls: readonly ToolCall[]
  /** One for each call that this turn had to answer. */
  readonly toolResults: readonly TurnToolResult[]
  /** Calls without a result, left to the caller. */
  readonly pendingCalls: readonly ToolCall[]
  readonly stopReason: TurnStop
  /** The sum over all responses; absent fields were never reported. */
  readonly usage: Usage
  /** The number of responses. */
  readonly rounds: number
  /**
   * Continue with `appendUser(conversation, '…')`. It does not contain a response that failed, so you can request it
   * again; it contains one that was aborted.
   */
  readonly conversation: ModelRequest
  /** If the stop reason is `error`. */
  readonly error?: TurnError
}
