/** The error of a turn: its kind is derived from the status and the provider's code, never from the message. */

import { errorRecord, messageOf, SluiceError } from '../base/errors.ts'
import type { ErrorRecord } from '../base/event.ts'
import type { TurnFailure } from './turn-event.ts'
import type { TurnResult } from './turn-result.ts'

/**
 * Why a turn failed. It is derived from the status and the provider's error code; `callback`: a function that the caller
 * passed threw.
 */
export type TurnErrorKind =
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'timeout'
  | 'auth'
  | 'quota'
  | 'context-length'
  | 'not-found'
  | 'invalid-request'
  | 'refused'
  | 'invalid-results'
  | 'callback'
  | 'unknown'

/** Kinds that may pass by themselves. */
const PASSING: ReadonlySet<TurnErrorKind> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'network',
  'timeout',
])

export interface TurnErrorDetails {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/**
 * The error of a turn that failed.
 *
 *     try { await runTurn(options) } catch (error) { if (error.kind === 'rate-limit') later(error.retryAfterMs) }
 */
export class TurnError extends Error {
  readonly kind: TurnErrorKind
  /** The same request may work later. */
  readonly retryable: boolean
  /** The status of the server's answer. */
  readonly status: number | undefined
  /** The provider's error code. */
  readonly code: string | undefined
  /** How long the server asks to wait before a retry. */
  readonly retryAfterMs: number | undefined
  /** Everything up to the failure. Absent if the turn had not begun. */
  result: TurnResult | undefined

  constructor(kind: TurnErrorKind, message: string, details: TurnErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = 'TurnError'
    this.kind = kind
    this.retryable = PASSING.has(kind)
    this.status = details.status
    this.code = details.code
    this.retryAfterMs = details.retryAfterMs
  }
}

/** The error of a failed response. `record`: what its `error` event says, where there was one. */
export function turnError(
  error: unknown,
  record: ErrorRecord | undefined,
  retryAfterMs: number | undefined,
): TurnError {
  if (error instanceof TurnError) return error
  const known = (record ?? Object(error)) as { readonly status?: unknown; readonly code?: unknown }
  const code = typeof known.code === 'string' && known.code !== '' ? known.code : undefined
  const status = typeof known.status === 'number' ? known.status : statusIn(code)
  const kind = kindOf(status, code, error)
  return new TurnError(kind, record?.message ?? messageOf(error), {
    status,
    code,
    retryAfterMs,
    cause: error,
  })
}

/** The error of a response that ended with a provider's word for one, and without anything else about it. */
export function endedWith(rawReason: string | undefined): TurnError | undefined {
  const kind = CODES.get(rawReason?.toLowerCase() ?? '')
  return kind && new TurnError(kind, `The response ended with ${rawReason}.`, { code: rawReason })
}

/** The error as plain data. */
export function failureOf(error: TurnError): TurnFailure {
  return { ...errorRecord(error), kind: error.kind }
}

/** Some servers send the status as the code of an error inside the stream. */
function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined
}

function kindOf(status: number | undefined, code: string | undefined, error: unknown): TurnErrorKind {
  const word = code?.toLowerCase() ?? ''
  const byCode = CODES.get(word)
  if (byCode !== undefined && !(GENERIC.has(word) && isRefusal(status))) return byCode
  if (code !== undefined && NETWORK.test(code)) return 'network'
  if (status !== undefined) {
    const byStatus = STATUSES.get(status)
    if (byStatus !== undefined) return byStatus
    return status >= 500 ? 'server' : 'invalid-request'
  }
  return error instanceof SluiceError ? 'invalid-request' : 'unknown'
}

/** A status that blames the request, so that sending it again cannot help. */
function isRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status)
}

/** Servers send these with any status: they say less than a 401 does. */
const GENERIC: ReadonlySet<string> = new Set([
  'api_error',
  'server_error',
  'internal',
  'internal_error',
  'internal_server_error',
  'invalid_request_error',
])

/** What Node and its `fetch` call a connection that failed. */
const NETWORK = /^(ECONN[A-Z]+|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_\w+)$/

const STATUSES: ReadonlyMap<number, TurnErrorKind> = new Map([
  [401, 'auth'],
  [402, 'quota'],
  [403, 'auth'],
  [404, 'not-found'],
  [408, 'timeout'],
  [413, 'context-length'],
  [429, 'rate-limit'],
  [503, 'overloaded'],
  [529, 'overloaded'],
])

/** The words of OpenAI, Anthropic and Google, and of servers that imitate them. */
const CODES: ReadonlyMap<string, TurnErrorKind> = new Map(
  Object.entries({
    'rate-limit': [
      'rate_limit_error',
      'rate_limit_exceeded',
      'resource_exhausted',
      'too_many_requests',
      'slow_down',
    ],
    overloaded: [
      'overloaded_error',
      'overloaded',
      'unavailable',
      'unavailable_error',
      'engine_overloaded',
      'server_is_overloaded',
      'insufficient_system_resource',
    ],
    server: [
      'api_error',
      'server_error',
      'internal',
      'internal_error',
      'internal_server_error',
      // The model wrote what its own server could not read. It may do better the next time.
      'malformed_function_call',
      'malformed_model_output',
      'malformed_tool_use',
    ],
    timeout: ['timeout_error', 'deadline_exceeded', 'timeout'],
    auth: [
      'authentication_error',
      'permission_error',
      'invalid_api_key',
      'unauthenticated',
      'permission_denied',
    ],
    quota: ['insufficient_quota', 'billing_error', 'billing_hard_limit_reached'],
    'context-length': [
      'context_length_exceeded',
      'exceed_context_size_error',
      'request_too_large',
      'string_above_max_length',
    ],
    'not-found': ['not_found_error', 'model_not_found', 'not_found'],
    'invalid-request': [
      'invalid_request_error',
      'invalid_argument',
      'failed_precondition',
      'invalid_prompt',
      'badrequesterror',
    ],
    refused: ['content_filter', 'content_policy_violation', 'refusal', 'safety'],
  } satisfies Partial<Record<TurnErrorKind, string[]>>).flatMap(([kind, codes]) =>
    codes.map((code) => [code, kind as TurnErrorKind] as const),
  ),
)
