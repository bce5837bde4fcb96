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

/** Throws for what is no text. JavaScript's own error would not say what was wrong. */
export function checkText(text: unknown, what: string): asserts text is string {
  if (typeof text === 'string') return
  throw new SluiceError('invalid-source', `${what} text, not ${text === null ? 'null' : typeof text}.`)
}
