/**
 * A scanner that does not believe a quote: whether it closed its string is told from what follows it.
 *
 *     {"say": "he said "hi" and left"}
 */

import type { JsonScannerOptions } from './handler.ts'
import {
  BRACE_CLOSE,
  BRACKET_CLOSE,
  COLON_SIGN,
  COMMA,
  isSpace,
  KEY,
  MAYBE_CLOSED,
  STRING,
} from './scan/grammar.ts'
import { CONTROL_CHAR, INNER_QUOTE } from './scan/strings.ts'
import { ESCAPED_QUOTE, escapeUnit, quoteKind } from './scan/tolerance.ts'
import { JsonScanner } from './scanner.ts'

export interface AnyScannerOptions extends JsonScannerOptions {
  /** When a string value is complete: at its closing quote (the default), or only at the delimiter after it. */
  readonly stringClose?: 'quote' | 'delimiter'
}

export function createScanner(options: AnyScannerOptions): JsonScanner {
  return options.stringClose === 'delimiter' ? new PatientScanner(options) : new JsonScanner(options)
}

class PatientScanner extends JsonScanner {
  /** A quote that may close. */
  protected override endString(start: number, i: number): number {
    if (this.inKey || this.quote === ESCAPED_QUOTE) return super.endString(start, i)
    this.handOnAll()
    this.copy?.commit(i)
    this.copy?.park(i)
    this.state = MAYBE_CLOSED
    this.escape = this.reading.chunk.slice(i, i + 1)
    this.part = 0
    return i + 1
  }

  protected override readOther(text: string, i: number, to: number): number {
    return this.state === MAYBE_CLOSED ? this.readMaybeClosed(text, i, to) : super.readOther(text, i, to)
  }

  protected override finishRoot(): void {
    if (this.state === MAYBE_CLOSED) this.decideClosed(0)
    else super.finishRoot()
  }

  /**
   * After a quote, until the next significant character tells whether it closed.
   *
   *     "say "|hi" now"
   */
  private readMaybeClosed(text: string, i: number, to: number): number {
    const start = i
    let c = 0
    for (; i < to; i++) {
      c = text.charCodeAt(i)
      if (isSpace(c)) continue
      if (c === COMMA && this.part === 0 && this.rules.tolerant && this.isInObject()) {
        this.part = 1 // a key must follow
        this.commaAt = this.offset + i
        continue
      }
      break
    }
    this.escape += text.slice(start, i)
    if (i === to) return i
    const delimits =
      c === BRACE_CLOSE ||
      c === BRACKET_CLOSE ||
      (this.part === 1 ? quoteKind(c) !== 0 : c === COMMA || (c === COLON_SIGN && this.rules.tolerant))
    if (delimits) return this.decideClosed(i)
    return this.rules.tolerant ? this.decideText(i) : this.fail('token', i)
  }

  private decideClosed(i: number): number {
    const skipped = this.escape.slice(1)
    this.reading.tokenEnd = this.offset + i - skipped.length
    this.escape = ''
    this.copy?.resume(i)
    this.copy?.rewrite(i, i, '"')
    this.closeString(i)
    if (this.status === 'done') return i
    this.spaced = skipped !== ''
    if (this.part === 1) {
      this.state = KEY
      this.skipped = false
    }
    this.copy?.rewrite(i, i, skipped)
    return i
  }

  private decideText(i: number): number {
    const literal = this.escape
    const start = i - literal.length
    if (!this.repairString(INNER_QUOTE, 'inner-quote', start, i)) return i
    const control = literal.search(/[\n\r\t]/)
    if (control >= 0 && !this.repairString(CONTROL_CHAR, 'control-char', start + control, i)) return i
    this.length += literal.length
    if (this.length > this.rules.limits.stringLength) return this.failInString('string-length', i, i)
    if (this.decoding) this.handOn(literal)
    let canonical = ''
    for (let k = 0; k < literal.length; k++) canonical += escapeUnit(literal.charCodeAt(k))
    this.copy?.resume(i)
    this.copy?.rewrite(i, i, canonical)
    this.copy?.commit(i)
    this.escape = ''
    this.state = STRING
    return i
  }
}
