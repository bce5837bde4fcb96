/** Wrong use of the library. Wrong data never throws: it becomes a diagnostic, a verdict or text. */

export type ErrorCode =
  | 'invalid-option'
  | 'invalid-template'
  | 'invalid-dialect'
  | 'invalid-schema'
  | 'invalid-json'
  | 'invalid-source'
  | 'invalid-snapshot'
  | 'invalid-recording'
  | 'invalid-pointer'
  | 'invalid-rule'
  | 'unsafe-pattern'
  | 'unknown-dialect'
  | 'unknown-provider'
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

/** Throws for what is no text. JavaScript's own error would not say what was wrong. */
export function checkText(text: unknown, what: string): asserts text is string {
  if (typeof text === 'string') return
  throw new SluiceError('invalid-source', `${what} text, not ${text === null ? 'null' : typeof text}.`)
}
