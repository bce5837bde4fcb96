/** What went wrong, in one sentence, and where. */

import type { JsonErrorCode } from './handler.ts'

/** `found` is the character at which it went wrong, or an empty string. */
export function failureMessage(code: JsonErrorCode, found: string): string {
  const shown = found === '' ? 'this' : JSON.stringify(found)
  switch (code) {
    case 'token':
      return `${shown} cannot stand here.`
    case 'number':
      return `${shown} does not belong in this number.`
    case 'literal':
      return `${shown} makes this neither true, false nor null.`
    case 'non-finite':
      return 'JSON has no number that is infinite or none at all.'
    case 'control-char':
      return `${shown} must be escaped inside a string.`
    case 'escape':
      return `${shown} makes this an escape that JSON does not have.`
    case 'duplicate-key':
      return 'The object has this key already.'
    case 'trailing-content':
      return `The value is complete, and ${shown} follows.`
    case 'depth':
      return 'There are more levels of nesting than the limit allows.'
    case 'key-length':
      return 'The key is longer than the limit allows.'
    case 'keys-per-object':
      return 'The object has more keys than the limit allows.'
    case 'number-length':
      return 'The number is longer than the limit allows.'
    case 'string-length':
      return 'The string is longer than the limit allows.'
    case 'bare-length':
      return 'The unquoted text is longer than the limit allows.'
    case 'repairs':
      return 'The text needs more repairs than the limit allows.'
    case 'total-length':
      return 'The text is longer than the limit allows.'
  }
}

/** Turns offsets into lines and columns, looking at each chunk once. */
export class LineCounter {
  private line = 1
  /** Absolute offset of the first character of the line. */
  private lineStart = 0
  private offset = 0

  /** The chunk has been dealt with. */
  add(chunk: string): void {
    this.count(chunk, chunk.length)
    this.offset += chunk.length
  }

  /** Where `offset` is, which must lie in this chunk, or right after it. */
  locate(chunk: string, offset: number): { line: number; column: number } {
    this.count(chunk, offset - this.offset)
    return { line: this.line, column: offset - this.lineStart + 1 }
  }

  private count(chunk: string, to: number): void {
    const from = Math.max(0, this.lineStart - this.offset)
    for (let at = chunk.indexOf('\n', from); at !== -1 && at < to; at = chunk.indexOf('\n', at + 1)) {
      this.line++
      this.lineStart = this.offset + at + 1
    }
  }
}
