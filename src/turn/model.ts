/** What a turn talks to. */

import type { ModelRequest } from '../conversation/model-request.ts'
import type { RequestDiagnostic } from '../conversation/request-format.ts'
import type { SluiceEvent } from '../event.ts'
import type { ReadProviderOptions } from '../providers/read-provider.ts'
import type { Dialect } from '../wire/dialect.ts'

/** How a turn wants a response to be read: options for `readProvider`, or for `sluice`. */
export type ReadingOptions = Omit<ReadProviderOptions, 'provider'>

/** A request as it was written for the provider. Headers are left out: they hold keys. */
export interface SentRequest {
  readonly url: string
  readonly body: unknown
  /** What the protocol could not carry. */
  readonly diagnostics: readonly RequestDiagnostic[]
}

/** The status and headers of a response, for `onResponse`. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
}

/** What a model has written of a response so far, in a dialect: text, thoughts and calls with all of their markers. */
export interface WrittenText {
  readonly dialect: Dialect
  readonly text: string
  /** What the request had put in front of it. */
  readonly prefill: string
}

/** What is called with each request and each response, and awaited. */
export interface Hooks {
  readonly onRequest?: (request: SentRequest) => unknown
  readonly onResponse?: (response: ReceivedResponse) => unknown
}

/** What a model gets beside the request. */
export interface ModelContext {
  /** Pass these to whatever reads the response. */
  readonly reading: ReadingOptions
  /** Fires when the response is not wanted any more. */
  readonly signal: AbortSignal
  /** How often a response may be asked for again that stopped where it was not over. */
  readonly maxResumptionRounds: number
  /** Reports the request before it is sent. Await it: a hook may take its time. */
  onRequest(request: SentRequest): Promise<void>
  /** Reports that the server answered: the end of the wait for a connection, and `Retry-After`. To be awaited, too. */
  onResponse(response: ReceivedResponse): Promise<void>
  /** Bytes came, even if they make no event: the response is not idle. */
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
