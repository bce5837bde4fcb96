/** Strings: the part of a JSON text that is long, and of which every character counts. */

import { unescaped } from '../../run.ts'
import { isHighSurrogate } from '../../surrogates.ts'
import type { JsonErrorCode, JsonRepairCode } from '../handler.ts'
import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  COLON,
  ESCAPE,
  ESCAPE_2,
  ESCAPE_3,
  HEX,
  KEY,
  LETTER_U,
  NINE_DIGIT,
  OBJECT_FIRST,
  QUOTE,
  SPACE,
  STRING,
  ZERO_DIGIT,
} from './grammar.ts'
import { PassingScanner } from './passing.ts'
import { ESCAPED_QUOTE, escapeUnit, quoteKind } from './tolerance.ts'

// Which repairs were reported: each of those inside a string once per string, and this one once:
const ESCAPED_DOCUMENT = 16
export const CONTROL_CHAR = 1
const INVALID_ESCAPE = 2
const ESCAPED_APOSTROPHE = 4
export const INNER_QUOTE = 8

/** Reads strings, of values and of keys. */
export abstract class StringScanner extends PassingScanner {
  /** Opens a string at its quote: a key or a value, as the state says. */
  protected beginString(quote: number, i: number): number {
    const inKey = this.state === KEY || this.state === OBJECT_FIRST
    if (quote !== QUOTE && !this.reportQuote(quote, i)) return i
    if (this.depth === 0) this.copy?.drop(i)
    if (quote !== QUOTE) this.copy?.rewrite(i, i + 1, '"')
    this.openString(quote, inKey, i + 1)
    return i + 1
  }

  protected openString(quote: number, inKey: boolean, start: number): void {
    this.quote = quote
    this.inKey = inKey
    this.length = 0
    this.high = 0
    this.reported &= ESCAPED_DOCUMENT
    this.state = STRING
    if (inKey) {
      this.token = ''
      return
    }
    this.announce('"', start, this.offset + start - 1, this.offset + start)
    this.copy?.commit(start)
    this.handler.openString()
  }

  private reportQuote(quote: number, i: number): boolean {
    if (quote !== ESCAPED_QUOTE) return this.repair('quote-style', 'lossless', this.offset + i, i)
    if ((this.reported & ESCAPED_DOCUMENT) !== 0) return true
    this.reported |= ESCAPED_DOCUMENT
    return this.repair('escaped-document', 'guess', this.tokenStart, i)
  }

  /**
   * Inside a string, up to its end or the end of the chunk. The decoded text is handed on in one piece per
   * chunk; half an escape or half a surrogate pair waits for the other half.
   */
  protected readString(text: string, i: number, to: number): number {
    this.reading.escapeStart = i
    this.reading.highStart = -1
    while (this.status === 'open' && this.state >= STRING && this.state <= HEX) {
      if (i === to) {
        this.suspend(text, i)
        break
      }
      i = this.state === STRING ? this.readPlain(text, i, to) : this.readEscape(text, i, to)
    }
    return i
  }

  /** Plain text, and the character that ends it. */
  private readPlain(text: string, i: number, to: number): number {
    const quote = this.quote
    const run = i
    let c = 0
    for (; i < to; i++) {
      c = text.charCodeAt(i)
      if (c === QUOTE || c === BACKSLASH || c < SPACE || (quote !== QUOTE && quoteKind(c) === quote)) break
    }
    if (i > run) {
      const room = this.maxLength() - this.length
      this.takeRun(text, run, Math.min(i, run + room))
      if (i - run > room) return this.failAsTooLong(run + room, run + room)
    }
    if (i === to) return i
    if (c === BACKSLASH) {
      this.state = ESCAPE
      this.reading.escapeStart = i
      return i + 1
    }
    if (c === quote || (c >= SPACE && quoteKind(c) === quote)) return this.endString(i, i)

    // A raw control character, or a double quote inside other quotes.
    if (c < SPACE) {
      if (!this.rules.tolerant) return this.failInString('control-char', i, i)
      if (!this.repairString(CONTROL_CHAR, 'control-char', i, i)) return i
    }
    if (!this.takeUnit(c, i, i)) return i
    this.rewriteInString(i, i + 1, escapeUnit(c))
    return i + 1
  }

  /** Plain text that fits. A high surrogate at its end waits: the chunk may end here, or an escape begin. */
  private takeRun(text: string, from: number, to: number): void {
    if (from === to) return
    if (this.high !== 0) this.resolveHigh()
    this.length += to - from
    const last = text.charCodeAt(to - 1)
    if (isHighSurrogate(last)) {
      this.high = last
      this.reading.highStart = --to
    }
    if (this.inKey || this.decoding) this.reading.decoded += text.slice(from, to)
  }

  /**
   * After a backslash, up to the end of the escape or of the chunk.
   *
   *     "\|n"   "\u26|3a"   and in an escaped document   \"\\|n\"
   */
  private readEscape(text: string, i: number, to: number): number {
    if (this.state === HEX) return this.readHex(text, i, to)
    const start = this.reading.escapeStart
    const c = text.charCodeAt(i)
    if (this.quote === ESCAPED_QUOTE) {
      if (c === QUOTE && this.state === ESCAPE) return this.endString(start, i)
      if (c === BACKSLASH && this.state !== ESCAPE_3) {
        this.state = this.state === ESCAPE ? ESCAPE_2 : ESCAPE_3
        return i + 1
      }
    }
    if (c === LETTER_U) {
      this.state = HEX
      this.part = 1 // stands before the digits, so that their number is known
      return i + 1
    }
    const unit = unescaped(c)
    if (unit > 0) return this.takeEscape(unit, i + 1, false)
    if (!this.rules.tolerant) return this.failInString('escape', i, start)

    const at = start - this.escape.length
    if (c === APOSTROPHE || c === BACKTICK) {
      if (!this.repairString(ESCAPED_APOSTROPHE, 'invalid-escape', at, i)) return i
      return this.takeEscape(c, i + 1, true)
    }
    if (!this.repairString(INVALID_ESCAPE, 'invalid-escape', at, i)) return i
    if (!this.takeText('\\', i)) return i
    // The backslash is text, and so is what follows, even if it is a curly quote that would close.
    if (quoteKind(c) !== this.quote) return i
    return this.takeUnit(c, i, i) ? i + 1 : i
  }

  private readHex(text: string, i: number, to: number): number {
    while (this.part <= 0xffff && i < to) {
      const digit = hexValue(text.charCodeAt(i))
      if (digit < 0) return this.readBadHex(text, i)
      this.part = this.part * 16 + digit
      i++
    }
    return this.part <= 0xffff ? i : this.takeEscape(this.part & 0xffff, i, false)
  }

  /** `\u12` and then no digit: it was text. */
  private readBadHex(text: string, i: number): number {
    if (!this.rules.tolerant) return this.failInString('escape', i, this.reading.escapeStart)
    const raw = this.escape + text.slice(this.reading.escapeStart, i)
    if (!this.repairString(INVALID_ESCAPE, 'invalid-escape', i - raw.length, i)) return i
    this.takeText(raw.slice(raw.lastIndexOf('\\')), i)
    return i
  }

  /** An escape is complete, up to `end`. Valid ones are copied as they are. */
  private takeEscape(unit: number, end: number, isOdd: boolean): number {
    const start = this.reading.escapeStart
    if (!this.takeUnit(unit, end - 1, start)) return end - 1
    const beganEarlier = this.escape !== ''
    const rewrites = isOdd || this.quote === ESCAPED_QUOTE
    if (rewrites) this.rewriteInString(start, end, escapeUnit(unit))
    else if (beganEarlier) this.rewriteInString(start, start, this.escape)
    if (this.high !== 0) this.reading.highStart = rewrites || beganEarlier ? -1 : start
    this.escape = ''
    this.state = STRING
    return end
  }

  /** The chunk ends inside the string. */
  private suspend(text: string, i: number): void {
    const inEscape = this.state !== STRING
    if (inEscape) this.escape += text.slice(this.reading.escapeStart, i)
    this.handOn('')
    const { copy } = this
    if (copy === null) return
    const certain = this.high !== 0 ? this.reading.highStart : inEscape ? this.reading.escapeStart : i
    if (!this.inKey && certain >= 0) copy.commit(certain)
    if (inEscape) copy.park(this.reading.escapeStart)
  }

  /** One decoded unit that was not plain text. False, and failed at `i`, when the string is too long. */
  private takeUnit(unit: number, i: number, start: number): boolean {
    if (this.high !== 0) this.resolveHigh()
    if (this.length >= this.maxLength()) {
      this.failAsTooLong(i, start)
      return false
    }
    this.length++
    if (isHighSurrogate(unit)) this.high = unit
    else if (this.inKey || this.decoding) this.reading.decoded += String.fromCharCode(unit)
    return true
  }

  /** An escape that was none, up to `i`, read as `literal` text. */
  private takeText(literal: string, i: number): boolean {
    if (this.high !== 0) this.resolveHigh()
    if (this.length + literal.length > this.maxLength()) {
      this.failAsTooLong(i, this.reading.escapeStart)
      return false
    }
    this.length += literal.length
    if (this.inKey || this.decoding) this.reading.decoded += literal
    this.rewriteInString(this.reading.escapeStart, i, `\\${literal}`)
    this.escape = ''
    this.state = STRING
    return true
  }

  private maxLength(): number {
    return this.inKey ? this.rules.limits.keyLength : this.rules.limits.stringLength
  }

  private failAsTooLong(i: number, certain: number): number {
    return this.failInString(this.inKey ? 'key-length' : 'string-length', i, certain)
  }

  /** What came after the high surrogate is known, so it need not wait any longer. */
  private resolveHigh(): void {
    if (this.inKey || this.decoding) this.reading.decoded += String.fromCharCode(this.high)
    this.high = 0
  }

  protected handOn(tail: string): void {
    const piece = this.reading.decoded === '' ? tail : this.reading.decoded + tail
    this.reading.decoded = ''
    if (piece === '') return
    if (this.inKey) this.token += piece
    else this.handler.delta(piece)
  }

  /** Hands on what was decoded, and does not wait for the other half of a pair. */
  protected handOnAll(): void {
    if (this.high !== 0) this.resolveHigh()
    this.handOn('')
  }

  private rewriteInString(from: number, to: number, canonical: string): void {
    if (!this.inKey) this.copy?.commit(from)
    this.copy?.rewrite(from, to, canonical)
  }

  /** A quote that closes; the closing token is `text[start, i]`. */
  protected endString(start: number, i: number): number {
    this.handOnAll()
    this.escape = ''
    if (this.quote !== QUOTE) this.copy?.rewrite(start, i + 1, '"')
    if (this.inKey) {
      this.spaced = false
      this.state = COLON
    } else {
      this.reading.tokenEnd = this.offset + i + 1
      this.closeString(i + 1)
    }
    return i + 1
  }

  protected closeString(end: number): void {
    this.copy?.commit(end)
    this.handler.closeString()
    this.afterValue(false)
  }

  /** Reports a repair inside a string: once per string, and after the text before it, whatever the chunking. */
  protected repairString(bit: number, code: JsonRepairCode, at: number, i: number): boolean {
    if ((this.reported & bit) !== 0) return true
    this.reported |= bit
    this.handOnAll()
    const lossless = bit === CONTROL_CHAR || bit === ESCAPED_APOSTROPHE
    return this.repair(code, lossless ? 'lossless' : 'guess', this.offset + at, i)
  }

  /** An error inside a string, of which the text before `certain` is delivered first. */
  protected failInString(code: JsonErrorCode, i: number, certain: number): number {
    this.handOnAll()
    if (!this.inKey) this.copy?.commit(certain)
    return this.fail(code, i)
  }
}

function hexValue(c: number): number {
  if (c >= ZERO_DIGIT && c <= NINE_DIGIT) return c - ZERO_DIGIT
  const lower = c | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
