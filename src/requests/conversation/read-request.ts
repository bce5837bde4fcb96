/** A request of a protocol as plain data. */

import { SluiceError } from '../../base/errors.ts'
import { isFields } from '../../base/fields.ts'
import { shown } from '../../base/options.ts'
import type { ModelRequest, RequestTool } from './model-request.ts'
import type { Report, RequestDiagnostic, RequestFormat } from './request-format.ts'

/** Options of `readRequest`. */
export interface ReadRequestOptions {
  /** The path that the request was sent to: Gemini's names the model, and whether the answer is to be a stream. */
  readonly path?: string
}

/** A request that `readRequest` has read, and what could not be carried over. */
export interface ReadRequest {
  readonly request: ModelRequest<readonly RequestTool[]>
  readonly diagnostics: readonly RequestDiagnostic[]
}

/**
 * Reads a request that a client sent. What has no name here is kept for the same provider, in `metadata` and
 * `providerOptions`.
 *
 *     const { request } = readRequest(openaiChatRequest, await incoming.json())
 *
 * Throws `invalid-request`, with a sentence for the client, where the body is not a request of the protocol.
 */
export function readRequest(
  format: RequestFormat,
  body: unknown,
  options: ReadRequestOptions = {},
): ReadRequest {
  if (typeof format?.read !== 'function')
    throw new SluiceError(
      'invalid-option',
      `The first argument of readRequest is a format, such as openaiChatRequest from 'sluice/requests', not ${shown(format)}.`,
    )
  if (!isFields(body))
    throw new SluiceError('invalid-request', `The body of a request is an object, not ${shown(body)}.`)
  const diagnostics: RequestDiagnostic[] = []
  const report: Report = (code, message) => diagnostics.push({ code, message })
  return { request: format.read(body, report, options.path), diagnostics }
}
