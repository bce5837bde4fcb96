/**
 * A scanner that does not believe a quote: whether it closed its string is told from what follows it.
 *
 *     {"say": "he said "hi" and left"}
 */

import type { JsonHandler, JsonScannerOptions } from './handler.ts'
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
  protected override endString(start: number, i: number, handler: JsonHandler): number {
    if (this.inKey || this.quote === ESCAPED_QUOTE) return super.endString(start, i, handler)
    this.handOnAll(handler)
    if (this.copying) {
      this.canonical().commit(i)
      this.canonical().park(i)
    }
    this.state = MAYBE_CLOSED
    this.escape = this.chunk.slice(i, i + 1)
    this.tokenAt = this.base + i
    this.part = 0
    return i + 1
  }

  protected override readOther(text: string, i: number, to: number, handler: JsonHandler): number {
    return this.state === MAYBE_CLOSED
      ? this.readMaybeClosed(text, i, to, handler)
      : super.readOther(text, i, to, handler)
  }

  protected override finishRoot(handler: JsonHandler): void {
    if (this.state === MAYBE_CLOSED) this.decideClosed(0, handler)
    else super.finishRoot(handler)
  }

  /**
   * After a quote, until the next significant character tells whether it closed.
   *
   *     "say "|hi" now"
   */
  private readMaybeClosed(text: string, i: number, to: number, handler: JsonHandler): number {
    const start = i
    let c = 0
    for (; i < to; i++) {
      c = text.charCodeAt(i)
      if (isSpace(c)) continue
      if (c === COMMA && this.part === 0 && this.tolerant && this.isInObject()) {
        this.part = 1 // a key must follow
        this.commaAt = this.base + i
        continue
      }
      break
    }
    this.escape += text.slice(start, i)
    if (i === to) return i
    const delimits =
      c === BRACE_CLOSE ||
      c === BRACKET_CLOSE ||
      (this.part === 1 ? quoteKind(c) !== 0 : c === COMMA || (c === COLON_SIGN && this.tolerant))
    if (delimits) return this.decideClosed(i, handler)
    return this.tolerant ? this.decideText(i, handler) : this.fail('token', i, handler)
  }

  private decideClosed(i: number, handler: JsonHandler): number {
    const skipped = this.escape.slice(1)
    this.escape = ''
    if (this.copying) {
      this.canonical().resume(i)
      this.canonical().rewrite(i, i, '"')
    }
    this.tokenEnd = this.tokenAt + 1
    this.closeString(i, handler)
    if (this.status === 'done') return i
    this.spaced = skipped !== ''
    if (this.part === 1) {
      this.state = KEY
      this.skipped = false
    }
    if (this.copying) this.canonical().rewrite(i, i, skipped)
    return i
  }

  private decideText(i: number, handler: JsonHandler): number {
    const literal = this.escape
    if (!this.repairString(INNER_QUOTE, 'inner-quote', this.tokenAt - this.base, i, handler)) return i
    const control = literal.search(/[\n\r\t]/)
    if (control >= 0) {
      const at = this.tokenAt - this.base + control
      if (!this.repairString(CONTROL_CHAR, 'control-char', at, i, handler)) return i
    }
    this.length += literal.length
    if (this.length > this.limits.stringLength) return this.failInString('string-length', i, i, handler)
    if (this.decoding) this.handOn(literal, handler)
    if (this.copying) {
      this.canonical().resume(i)
      let canonical = ''
      for (let k = 0; k < literal.length; k++) canonical += escapeUnit(literal.charCodeAt(k))
      this.canonical().rewrite(i, i, canonical)
      this.canonical().commit(i)
    }
    this.escape = ''
    this.state = STRING
    return i
  }
}
