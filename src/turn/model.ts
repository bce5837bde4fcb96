/** What a turn sends requests to. */

import type { SluiceEvent } from '../base/event.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type { ReadProviderOptions } from '../providers/read-provider.ts'
import type { ModelRequest } from '../requests/conversation/model-request.ts'
import type { RequestDiagnostic } from '../requests/conversation/request-format.ts'

/** Options for `readProvider` or `sluice` that a model passes on. */
export type ReadingOptions = Omit<ReadProviderOptions, 'provider'>

/** A request as it is sent, without its headers, which contain keys. */
export interface SentRequest {
  readonly url: string
  readonly body: unknown
  /** What the protocol could not express. */
  readonly diagnostics: readonly RequestDiagnostic[]
}

/** The status and headers of a response, for `onResponse`. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
}

/** The text of a response so far, with the markers of thoughts and calls. */
export interface WrittenText {
  readonly dialect: Dialect
  readonly text: string
  /** The text that the request prefilled. */
  readonly prefill: string
}

/** Called with each request and each response, and awaited. */
export interface Hooks {
  readonly onRequest?: (request: SentRequest) => unknown
  readonly onResponse?: (response: ReceivedResponse) => unknown
}

/** The second argument of a model. */
export interface ModelContext {
  /** Pass these to the function that reads the response. */
  readonly reading: ReadingOptions
  /** Fires when the response is no longer needed. */
  readonly signal: AbortSignal
  /** How often a model may continue a response that stopped too early. */
  readonly maxResumptionRounds: number
  /** Reports the request before it is sent. Await it. */
  onRequest(request: SentRequest): Promise<void>
  /** Reports the status and headers of the answer. Await it. */
  onResponse(response: ReceivedResponse): Promise<void>
  /** Reports that bytes arrived, so the response is not idle. */
  onActivity(): void
  /** Reports the text of a model that writes its calls in text, each time it grows. */
  onWritten(written: WrittenText): void
}

/**
 * From a request to the events of its response.
 *
 *     const model: Model = (request, { reading }) => {
 *       const { body } = writeRequest(openaiChatRequest, { ...request, stream: true })
 *       return readProvider(client.chat.completions.create(body), { provider: openaiChat, ...reading })
 *     }
 */
export type Model = (
  request: ModelRequest,
  context: ModelContext,
) => AsyncIterable<SluiceEvent> | PromiseLike<AsyncIterable<SluiceEvent>>
