/** Wrong use of the library. Wrong data never throws: it becomes a diagnostic, a verdict or text. */

import type { ErrorRecord } from './event.ts'

/** The stable codes of a `SluiceError`. */
export type ErrorCode =
  | 'invalid-option'
  | 'invalid-template'
  | 'invalid-dialect'
  | 'invalid-schema'
  | 'invalid-json'
  | 'invalid-source'
  | 'invalid-snapshot'
  | 'invalid-recording'
  | 'invalid-request'
  | 'invalid-pointer'
  | 'invalid-rule'
  | 'invalid-chat-template'
  | 'unsafe-pattern'
  | 'unsafe-prompt'
  | 'unknown-dialect'
  | 'unknown-model'
  | 'unknown-provider'
  | 'unproved-dialect'
  | 'unsupported-schema'
  | 'push-after-end'
  | 'unrepresentable'

/**
 * Thrown for wrong use only. `code` is stable; the message says what was wrong and what to do about it.
 *
 *     try { parser.push('more') } catch (error) { if (error.code === 'push-after-end') … }
 */
export class SluiceError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SluiceError'
    this.code = code
  }
}

/** The message of whatever was thrown, or sent as an error. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  const isNamed = typeof error === 'object' && error !== null && 'message' in error
  if (isNamed && typeof error.message === 'string') return error.message
  try {
    return String(error)
  } catch {
    return 'The error cannot be written as text.' // its own `toString` throws, or is none
  }
}

/**
 * The message of an error of `fetch`, with the reason, which is only on its cause: `fetch failed: connect ECONNREFUSED
 * 127.0.0.1:8000`. Node tries both addresses of a name, and that error has a code and no message.
 */
export function messageOfFetch(error: unknown): string {
  const { cause } = Object(error) as { readonly cause?: Error & { readonly code?: string } }
  const reason = error instanceof TypeError && cause instanceof Error && (cause.message || cause.code)
  return reason ? `${messageOf(error)}: ${reason.trim()}` : messageOf(error)
}

/**
 * An error as an event carries it. What looks like a key is left out of the message: servers quote the key that they
 * refuse, and events travel to pages.
 */
export function errorRecord(error: unknown): ErrorRecord {
  const { name, code: own, status, cause } = Object(error) as { readonly [field: string]: unknown }
  // What the system calls it is on the cause: `fetch failed` has ECONNREFUSED there.
  const code = own ?? (Object(cause) as { readonly code?: unknown }).code
  return {
    name: typeof name === 'string' && name !== '' ? name : 'Error',
    message: messageOfFetch(error).replace(KEYS, '[key]'),
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    ...(typeof status === 'number' && { status }),
  }
}

/** The keys of the usual providers, whole or masked, and whatever stands behind `Bearer`. */
const KEYS =
  /\b(?:(?:sk|rk|gsk|hf|xai|pplx|nvapi|r8|fw|csk|ya29)[-_.]|AIza|Bearer )(?=[a-z_.-]*[\dA-Z*])[\w*.+/-]{8,}/g

/** Throws for what is no event, such as the text that events are made of: a view would pass over it in silence. */
export function checkEvent(event: unknown, taker: string): void {
  if (typeof event === 'object' && event !== null) return
  throw new SluiceError(
    'invalid-source',
    `${taker} takes events, not ${event === null ? 'null' : `a ${typeof event}`}; create events from text with sluice() or createParser().`,
  )
}

/** Throws for what is no text. JavaScript's own error would not say what was wrong. */
export function checkText(text: unknown, what: string): asserts text is string {
  if (typeof text === 'string') return
  throw new SluiceError('invalid-source', `${what} text, not ${text === null ? 'null' : typeof text}.`)
}
