/** What went wrong, in one sentence, and where. */

import type { JsonErrorCode } from './handler.ts'

/** `%` stands for the character at which it went wrong. */
const MESSAGES: Readonly<Record<JsonErrorCode, string>> = {
  token: '% is not allowed here.',
  number: '% does not belong in this number.',
  literal: '% makes this neither true, false nor null.',
  'non-finite': 'JSON has neither infinite numbers nor NaN.',
  'control-char': '% must be escaped inside a string.',
  escape: '% makes this an escape that JSON does not have.',
  'duplicate-key': 'The object already has this key.',
  'trailing-content': 'The value is complete, and % follows.',
  comment: 'The comment before this is not closed.',
  depth: 'There are more levels of nesting than the limit allows.',
  'key-length': 'The key is longer than the limit allows.',
  'keys-per-object': 'The object has more keys than the limit allows.',
  'number-length': 'The number is longer than the limit allows.',
  'string-length': 'The string is longer than the limit allows.',
  'bare-length': 'The unquoted text is longer than the limit allows.',
  repairs: 'The text needs more repairs than the limit allows.',
  'total-length': 'The text is longer than the limit allows.',
}

/** `found`: the character at which it went wrong, or an empty string. */
export function failureMessage(code: JsonErrorCode, found: string): string {
  return MESSAGES[code].replace('%', () => (found === '' ? 'this' : JSON.stringify(found)))
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
