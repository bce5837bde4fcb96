/** What went wrong before a stream began, with the status and the words that a client of each protocol knows. */

import { SluiceError } from '../base/errors.ts'
import type { ErrorRecord } from '../base/event.ts'
import { LogError } from '../runs/log/log-error.ts'
import { TurnError, type TurnErrorKind, turnError } from '../turn/turn-error.ts'

export class GatewayError extends Error {
  readonly status: number
  readonly kind: TurnErrorKind
  /** Seconds after which the client may try again. */
  readonly retryAfter: number | undefined

  constructor(status: number, kind: TurnErrorKind, message: string, retryAfter?: number) {
    super(message)
    this.name = 'GatewayError'
    this.status = status
    this.kind = kind
    this.retryAfter = retryAfter
  }
}

/** Where the upstream gave no status of its own. */
const STATUSES: Readonly<Record<TurnErrorKind, number>> = {
  'rate-limit': 429,
  overloaded: 503,
  server: 502,
  network: 502,
  timeout: 504,
  auth: 401,
  quota: 402,
  'context-length': 400,
  'not-found': 404,
  'invalid-request': 400,
  refused: 400,
  callback: 500,
  'invalid-results': 400,
  unknown: 502,
}

/** Any failure as one that can be answered. */
export function gatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof LogError) {
    // The same message for a run of another key and for an unknown id, so that a client cannot probe for runs.
    if (error.code === 'unknown-run')
      return new GatewayError(
        404,
        'not-found',
        `${error.message} It is found only with the key that started it.`,
      )
    return new GatewayError(503, 'overloaded', error.message, 1)
  }
  if (error instanceof SluiceError) return new GatewayError(400, 'invalid-request', error.message)
  const known = error instanceof TurnError ? error : turnError(error, undefined, undefined)
  const { status, kind, message, retryAfterMs } = known
  const isStatus = status !== undefined && status >= 400 && status <= 599
  const retryAfter = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
  return new GatewayError(isStatus ? status : STATUSES[kind], kind, message, retryAfter)
}

/** Anthropic's words. */
const ANTHROPIC: Readonly<Partial<Record<TurnErrorKind, string>>> = {
  'rate-limit': 'rate_limit_error',
  overloaded: 'overloaded_error',
  auth: 'authentication_error',
  quota: 'billing_error',
  timeout: 'timeout_error',
  'not-found': 'not_found_error',
  'context-length': 'invalid_request_error',
  'invalid-request': 'invalid_request_error',
}

/** OpenAI's words. */
const OPENAI: Readonly<Partial<Record<TurnErrorKind, string>>> = {
  'rate-limit': 'rate_limit_exceeded',
  overloaded: 'server_error',
  auth: 'invalid_api_key',
  quota: 'insufficient_quota',
  timeout: 'timeout',
  'not-found': 'not_found',
  'context-length': 'context_length_exceeded',
  'invalid-request': 'invalid_request_error',
}

/** The error as the writer of a protocol takes it. */
export function recordFor(protocol: string, { status, kind, message }: GatewayError): ErrorRecord {
  const code = protocol === 'anthropic' ? (ANTHROPIC[kind] ?? 'api_error') : (OPENAI[kind] ?? 'server_error')
  return { name: 'GatewayError', message, code, status }
}
