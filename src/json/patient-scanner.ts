/**
 * A scanner that does not believe a quote: whether it closed its string is told from what follows it.
 *
 *     {"say": "he said "hi" and left"}
 */

import { DEFAULT_JSON_LIMITS } from './handler.ts'
import {
  BRACE_CLOSE,
  BRACKET_CLOSE,
  COLON_SIGN,
  COMMA,
  isSpace,
  KEY,
  KEY_STRING,
  MAYBE_CLOSED,
  STRING,
} from './scan/grammar.ts'
import { CONTROL_CHAR, INNER_QUOTE } from './scan/strings.ts'
import { ESCAPED_QUOTE, escapeUnit, quoteKind } from './scan/tolerance.ts'
import { JsonScanner } from './scanner.ts'
import { StrictScanner, type StrictScannerOptions } from './strict-scanner.ts'

export interface AnyScannerOptions extends StrictScannerOptions {
  /** When a string value is complete: at its closing quote (the default), or only at the delimiter after it. */
  readonly stringClose?: 'quote' | 'delimiter'
}

export function createScanner(options: AnyScannerOptions): JsonScanner {
  const { tolerant, stringClose, duplicateKeys, nonFinite = 'string', limits = {} } = options
  if (stringClose === 'delimiter') return new PatientScanner(options)
  const { keyLength, stringLength } = limits
  const isLimited = keyLength !== undefined || stringLength !== undefined
  const isStrict = !tolerant || isLimited || duplicateKeys === 'error' || nonFinite !== 'string'
  return isStrict ? new StrictScanner(options) : new JsonScanner({ ...DEFAULT_JSON_LIMITS, ...limits })
}

class PatientScanner extends StrictScanner {
  /** The quote that may close, and what followed it. */
  private tail = ''
  /** A comma follows the quote, so that a key must. */
  private hasComma = false

  /** A quote that may close. */
  protected override endString(start: number, end: number): number {
    if (this.state === KEY_STRING || this.quote === ESCAPED_QUOTE) return super.endString(start, end)
    this.handOn()
    this.copy?.commit(start)
    this.copy?.park(start)
    this.state = MAYBE_CLOSED
    this.tail = this.reading.chunk.slice(start, end)
    this.hasComma = false
    return end
  }

  protected override readOther(text: string, i: number): number {
    return this.state === MAYBE_CLOSED ? this.readMaybeClosed(text, i) : super.readOther(text, i)
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
  private readMaybeClosed(text: string, i: number): number {
    const start = i
    let c = 0
    for (; i < text.length; i++) {
      c = text.charCodeAt(i)
      if (isSpace(c)) continue
      if (c === COMMA && !this.hasComma && this.tolerant && this.isInObject()) {
        this.hasComma = true
        this.commaAt = this.offset + i
        continue
      }
      break
    }
    this.tail += text.slice(start, i)
    if (i === text.length) return i
    const delimits =
      c === BRACE_CLOSE ||
      c === BRACKET_CLOSE ||
      (this.hasComma ? quoteKind(c) !== 0 : c === COMMA || (c === COLON_SIGN && this.tolerant))
    if (delimits) return this.decideClosed(i)
    return this.tolerant ? this.decideText(i) : this.fail('token', i)
  }

  private decideClosed(i: number): number {
    const skipped = this.tail.slice(1)
    this.reading.tokenEnd = this.offset + i - skipped.length
    this.tail = ''
    this.copy?.resume(i)
    this.copy?.rewrite(i, i, '"')
    this.closeString(i)
    if (this.status === 'done') return i
    this.spaced = skipped !== ''
    if (this.hasComma) {
      this.state = KEY
      this.skipped = false
    }
    this.copy?.rewrite(i, i, skipped)
    return i
  }

  private decideText(i: number): number {
    const literal = this.tail
    const start = i - literal.length
    this.repairString(INNER_QUOTE, 'inner-quote', 'guess', start, i)
    const control = literal.search(/[\n\r\t]/)
    if (control >= 0) this.repairString(CONTROL_CHAR, 'control-char', 'lossless', start + control, i)
    if (literal.length > this.room) this.failAsTooLong(i, i)
    this.length += literal.length
    if (this.decoding) this.handler.delta(literal)
    let canonical = ''
    for (let k = 0; k < literal.length; k++) canonical += escapeUnit(literal.charCodeAt(k))
    this.copy?.resume(i)
    this.copy?.rewrite(i, i, canonical)
    this.copy?.commit(i)
    this.tail = ''
    this.state = STRING
    return i
  }
}
