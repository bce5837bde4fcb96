/** What a protocol is on the way to the model: how its request is read, and how one is written. */

import type { Fields } from '../../base/fields.ts'
import type { ConversationMessage, ModelRequest, RequestTool, Settings, ToolChoice } from './model-request.ts'

/** Why a request was changed when it was read or written. Stable. */
export type RequestDiagnosticCode =
  | 'call-without-result'
  | 'message-added'
  | 'message-moved'
  | 'part-left-out'
  | 'renamed'
  | 'result-without-call'
  | 'setting-changed'
  | 'setting-left-out'
  | 'tool-left-out'

/** Something of the request that a protocol cannot carry, or carries otherwise. */
export interface RequestDiagnostic {
  readonly code: RequestDiagnosticCode
  readonly message: string
}

/** Receives the diagnostics of a request. */
export type Report = (code: RequestDiagnosticCode, message: string) => void

/** What a provider takes for a name or an id. What does not fit is replaced, and back again in the answer. */
export interface NameRule {
  /** A character that may not stand there. Global. */
  readonly forbidden: RegExp
  readonly maxLength: number
}

/**
 * A request as a protocol writes it: every call has an id and exactly one result, which follows it, in order; names and
 * ids fit the protocol; tools are given as JSON Schema.
 */
export interface CheckedRequest {
  readonly model: string | undefined
  readonly messages: readonly ConversationMessage[]
  readonly tools: readonly RequestTool[]
  readonly toolChoice: ToolChoice | undefined
  readonly settings: Settings
  readonly stream: boolean | undefined
  readonly previousResponseId: string | undefined
  /** The fields of the body that are this provider's own. */
  readonly options: Fields
}

/** The request format of one protocol, such as `anthropicRequest`. Pass it to `readRequest` and `writeRequest`. */
export interface RequestFormat<Name extends string = string> {
  /** The name of the provider whose stream answers the request. */
  readonly name: Name
  readonly toolNames: NameRule
  /** Ids that the provider gave itself are kept as they are. */
  readonly callIds: NameRule
  /** A call may stand without a result. Otherwise an error is sent as its result. */
  readonly takesOpenCalls?: true
  /** The path of the server that takes the request. */
  path(request: ModelRequest): string
  /**
   * Whether a request goes on from something that the server has kept, so that a result may answer a call that is not
   * among the messages. One with `previousResponseId` always does.
   */
  isContinued?(request: ModelRequest): boolean
  /** Whether a body is a request of this protocol. */
  detect(body: Fields): boolean
  read(body: Fields, report: Report, path: string | undefined): ModelRequest<readonly RequestTool[]>
  write(request: CheckedRequest, report: Report): Fields
}
