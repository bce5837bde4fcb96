/** The errors of providers, in the many forms in which they send them. */

import { type Fields, isFields } from '../base/fields.ts'
import type { Output } from './output.ts'
import { contentOf, fieldsIn, firstWord, listOf, textOf } from './payload-fields.ts'
import type { Provider } from './provider.ts'

/** An error in a provider's stream. `payload` is what the provider sent. */
export class ProviderError extends Error {
  readonly provider: string
  /** The provider's error code, such as `overloaded_error`. */
  readonly code: string | undefined
  /** The HTTP status of the error, if it is known. */
  readonly status: number | undefined
  readonly payload: unknown

  constructor(
    provider: string,
    message: string,
    code: string | undefined,
    payload: unknown,
    status?: number,
  ) {
    super(message)
    this.name = 'ProviderError'
    this.provider = provider
    this.code = code
    this.status = status
    this.payload = payload
  }
}

/**
 * The error in a payload, if it is one:
 *
 *     {"error": {"message": "Overloaded", "type": "overloaded_error"}}
 *     {"error": "model 'x' not found"}
 *     {"type": "error", "message": "…", "code": "…"}
 *     {"object": "error", "message": "…", "type": "BadRequestError", "code": 400}
 *     {"error": {"code": 503, "message": "…", "status": "UNAVAILABLE"}}
 */
export function errorIn(payload: Fields, source: ErrorSource): ProviderError | undefined {
  const { error } = payload
  if (typeof error === 'string' && error !== '') return plain(error, source, payload)
  const provider = nameOf(source)
  if (isFields(error) && Object.keys(error).length > 0) return described(error, provider, payload)
  if (error === true || (Array.isArray(error) && error.length > 0))
    return described({ ...payload, error: contentOf(error) }, provider, payload)
  const isError = payload.type === 'error' || payload.object === 'error'
  return isError ? described(payload, provider, payload) : undefined
}

/** An error that is only a message, with the status that such errors of the provider have. */
function plain(message: string, source: ErrorSource, payload: Fields): ProviderError {
  const known = [payload.status, payload.status_code, payload.code].find(isFailureStatus)
  const status = known ?? (typeof source === 'string' ? undefined : source.errorStatus)
  return new ProviderError(nameOf(source), message, undefined, payload, status)
}

/** Whose error it is: the provider, or only its name. */
type ErrorSource = string | Pick<Provider, 'name' | 'errorStatus'>

const nameOf = (source: ErrorSource): string => (typeof source === 'string' ? source : source.name)

/** Reports the error in a payload. False if there is none. */
export function reportErrorIn(payload: Fields, source: ErrorSource, out: Output): boolean {
  const error = errorIn(payload, source)
  if (error !== undefined) out.error(error)
  return error !== undefined
}

/**
 * The error that is all that a payload says, whatever the format of the stream: the answers of web frameworks and of
 * gateways in front of a provider are in formats of their own.
 *
 *     {"detail": "Not Found"}     {"detail": [{"loc": ["body", "model"], "msg": "Field required"}]}
 *     {"id": "…", "message": "invalid api token"}     {"type": "about:blank", "title": "Forbidden", "status": 403}
 */
export function failureIn(payload: Fields, provider: ErrorSource): ProviderError | undefined {
  const { error, detail, message, title } = payload
  const isTold = error != null || detail != null || typeof message === 'string' || typeof title === 'string'
  if (!isTold || !Object.keys(payload).every((field) => FAILURE.has(field))) return undefined
  // Any other type is that of a format, whose reader knows it.
  if ('type' in payload && !/[:/]/.test(textOf(payload.type))) return undefined
  return errorIn(payload, provider) ?? described(payload, nameOf(provider), payload)
}

const FAILURE = new Set(
  'error object detail message title status type code instance id request_id requestId path timestamp'.split(
    ' ',
  ),
)

function described(error: Fields, provider: string, payload: unknown): ProviderError {
  const code = firstWord(error.code, error.status, error.type)
  const details = fieldsIn(error.detail).map(({ loc, msg }) =>
    [listOf(loc).join('.'), textOf(msg)].filter(Boolean).join(': '),
  )
  const message = firstWord(
    error.message,
    error.errorText,
    error.detail,
    error.error,
    details.filter(Boolean).join('; '),
    error.title,
  )
  const status = [error.code, error.status].find(isFailureStatus)
  return new ProviderError(
    provider,
    message ?? code ?? 'The provider reports an error.',
    code,
    payload,
    status,
  )
}

function isFailureStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) < 600
}
