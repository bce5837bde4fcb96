/** Strings: the part of a JSON text that is long, and of which every character counts. */

import type { RepairClass } from '../../event.ts'
import { isHighSurrogate } from '../../surrogates.ts'
import type { JsonRepairCode } from '../handler.ts'
import { unescaped } from './escapes.ts'
import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  COLON,
  KEY,
  KEY_STRING,
  LETTER_U,
  OBJECT_FIRST,
  QUOTE,
  SPACE,
  STRING,
} from './grammar.ts'
import { HAS_ESCAPE, KEEPS_BACKSLASH, PassingScanner } from './passing.ts'
import { ESCAPED_QUOTE, escapeUnit, hexValue, quoteKind } from './tolerance.ts'

// Which repairs were reported: each of those inside a string once per string, and this one once:
const ESCAPED_DOCUMENT = 16
export const CONTROL_CHAR = 1
const INVALID_ESCAPE = 2
const ESCAPED_APOSTROPHE = 4
export const INNER_QUOTE = 8

/**
 * Letters and digits that are escaped in no language, so that a backslash before one is text: `\d`. Others may have
 * been escaped on purpose, or have a meaning elsewhere: `\$`, `\x41`, `\U0001F600`.
 */
const NEVER_ESCAPED = /[1-9A-MO-TV-Zb-df-uwyz]/

/** Reads strings, of values and of keys. */
export abstract class StringScanner extends PassingScanner {
  /** A string begins before `start`: of a key or of a value, as the state says. */
  protected openString(quote: number, start: number): number {
    this.quote = quote
    this.reported &= ESCAPED_DOCUMENT
    if (this.state === KEY || this.state === OBJECT_FIRST) {
      this.state = KEY_STRING
      return start
    }
    this.state = STRING
    this.announce('"', start, this.offset + start - 1, this.offset + start)
    this.copy?.commit(start)
    this.handler.openString()
    return start
  }

  /** A string begins at `i` with another quote than JSON has; that it does shows at `seen`. */
  protected openOddString(quote: number, i: number, seen: number): number {
    const isEscaped = quote === ESCAPED_QUOTE
    const start = isEscaped ? i + 2 : i + 1
    if (!isEscaped) this.repair('quote-style', 'lossless', seen, this.offset + i)
    else if ((this.reported & ESCAPED_DOCUMENT) === 0) {
      this.reported |= ESCAPED_DOCUMENT
      this.repair('escaped-document', 'guess', seen, this.offset + i)
    }
    if (this.depth === 0) this.copy?.drop(i)
    this.copy?.rewrite(i, start, '"')
    return this.openString(quote, start)
  }

  /**
   * Inside a string: plain text, and what ends it. The decoded text is handed on in one piece per chunk; half an
   * escape or half a surrogate pair is held back until the other half is there.
   */
  protected readString(text: string, i: number): number {
    const quote = this.quote
    const run = i
    let c = 0
    for (; i < text.length; i++) {
      c = text.charCodeAt(i)
      if (c === QUOTE || c === BACKSLASH || c < SPACE || (quote !== QUOTE && quoteKind(c) === quote)) break
    }
    if (i > run) {
      const isCut = isHighSurrogate(text.charCodeAt(i - 1)) && !this.isKnown(text, i)
      this.takeRun(text, run, isCut ? i - 1 : i)
      if (isCut) return this.holdHigh(text, i - 1, i - 1)
      if (i === text.length) return i
    }
    if (c === BACKSLASH) return this.readEscape(text, i)
    if (c === quote || (c >= SPACE && quoteKind(c) === quote)) return this.endString(i, i + 1)

    // A raw control character, or a double quote inside other quotes.
    if (c < SPACE) this.repairString(CONTROL_CHAR, 'control-char', 'lossless', i, i)
    this.take(String.fromCharCode(c), i, i)
    this.rewriteInString(i, i + 1, escapeUnit(c))
    return i + 1
  }

  /** Whether it can be told what follows a unit that ends at `i`: a unit, and not one that the chunk cuts in two. */
  private isKnown(text: string, i: number): boolean {
    return i < text.length && (text.charCodeAt(i) !== BACKSLASH || this.endOfEscape(text, i) > 0)
  }

  /**
   * Where the escape at `i` ends, 0 if the chunk ends before it. After `\u` it goes as far as there are digits.
   *
   *     "|\n"   "|\u263a"   and in an escaped document   \"|\\n\"   \"|\\\"\"
   */
  private endOfEscape(text: string, i: number): number {
    let at = i + 1
    if (this.quote === ESCAPED_QUOTE) while (at < i + 3 && text.charCodeAt(at) === BACKSLASH) at++
    if (at >= text.length) return 0
    const c = text.charCodeAt(at++)
    if (c !== LETTER_U) {
      this.reading.unit = unescaped(c) || -1
      return at
    }
    let unit = 0
    for (const last = at + 4; at < last; at++) {
      if (at === text.length) return 0
      const digit = hexValue(text.charCodeAt(at))
      if (digit < 0) {
        unit = -1
        break
      }
      unit = unit * 16 + digit
    }
    this.reading.unit = unit
    return at
  }

  private readEscape(text: string, i: number): number {
    const end = this.endOfEscape(text, i)
    if (end === 0) return this.hold(text, i)
    const isEscapedDocument = this.quote === ESCAPED_QUOTE
    const slash = isEscapedDocument ? text.lastIndexOf('\\', end - 2) : i
    const c = text.charCodeAt(slash + 1)
    if (c === QUOTE && isEscapedDocument && slash === i) return this.endString(i, end)

    let { unit } = this.reading
    const isOdd = unit < 0
    if (c === APOSTROPHE || c === BACKTICK) {
      this.repairString(ESCAPED_APOSTROPHE, 'invalid-escape', 'lossless', i, end - 1)
      unit = c
    }
    if (unit < 0) return this.readBadEscape(text, i, slash, c === LETTER_U ? end : end - 1)

    if (isHighSurrogate(unit) && !this.isKnown(text, end)) return this.holdHigh(text, i, end - 1)
    if (c === LETTER_U || unit < SPACE) this.noteEscape(i, end - 1)
    this.take(String.fromCharCode(unit), end - 1, i)
    if (isOdd || isEscapedDocument) this.rewriteInString(i, end, escapeUnit(unit))
    return end
  }

  /**
   * An escape that stands for another character. In a string where a backslash was kept, it may have been meant to be
   * text, too.
   *
   *     "C:\docs|\notes"
   */
  private noteEscape(i: number, last: number): void {
    if ((this.reported & KEEPS_BACKSLASH) !== 0)
      this.repairString(INVALID_ESCAPE, 'invalid-escape', 'guess', i, last)
    this.reported |= HAS_ESCAPE
  }

  /** `\q`, or `\u12` and then no digit: it was text, up to `end`, where that shows. */
  private readBadEscape(text: string, i: number, slash: number, end: number): number {
    const literal = text.slice(slash, end)
    const isText = literal.length === 1 && slash === i && NEVER_ESCAPED.test(text.charAt(end))
    if (isText && (this.reported & (HAS_ESCAPE | INVALID_ESCAPE)) === 0)
      this.repairString(KEEPS_BACKSLASH, 'invalid-escape', 'lossless', i, end)
    else this.repairString(INVALID_ESCAPE, 'invalid-escape', 'guess', i, end)
    this.take(literal, end, i)
    this.rewriteInString(i, end, `\\${literal}`)
    // What a backslash stands before is text, too, even if it is a curly quote that would close.
    if (literal.length > 1 || quoteKind(text.charCodeAt(end)) !== this.quote) return end
    this.take(text.charAt(end), end, end)
    return end + 1
  }

  /** The first half of a pair stands from `i` to `last`, and the second is not there. */
  protected holdHigh(text: string, i: number, _last: number): number {
    return this.hold(text, i)
  }

  /** Plain text. */
  protected takeRun(text: string, from: number, to: number): void {
    if (this.wantsText) this.reading.decoded += text.slice(from, to)
  }

  /** Decoded text that was not plain, and stands from `_from` to `_last`. */
  protected take(decoded: string, _last: number, _from: number): void {
    if (this.wantsText) this.reading.decoded += decoded
  }

  private get wantsText(): boolean {
    return this.decoding || this.state === KEY_STRING
  }

  /** Hands on what was decoded. */
  protected handOn(): void {
    const { decoded } = this.reading
    this.reading.decoded = ''
    if (decoded === '') return
    if (this.state === KEY_STRING) this.token += decoded
    else this.handler.delta(decoded)
  }

  /** What stands before `index` in the string is certain. Of a key nothing is before its value begins. */
  protected commitString(index: number): void {
    if (this.state === STRING) this.copy?.commit(index)
  }

  private rewriteInString(from: number, to: number, canonical: string): void {
    this.commitString(from)
    this.copy?.rewrite(from, to, canonical)
  }

  /** A quote that closes, from `start` to `end`. */
  protected endString(start: number, end: number): number {
    this.handOn()
    if (this.quote !== QUOTE) this.copy?.rewrite(start, end, '"')
    if (this.state === KEY_STRING) {
      this.spaced = false
      this.state = COLON
    } else {
      this.reading.tokenEnd = this.offset + end
      this.closeString(end)
    }
    return end
  }

  protected closeString(end: number): void {
    this.copy?.commit(end)
    this.handler.closeString()
    this.afterValue(false)
  }

  /** Reports a repair inside a string: once per string, and after the text before it, whatever the chunking. */
  protected repairString(
    bit: number,
    code: JsonRepairCode,
    repairClass: RepairClass,
    at: number,
    i: number,
  ): void {
    if ((this.reported & bit) !== 0) return
    this.reported |= bit
    this.handOn()
    this.commitString(at)
    this.repair(code, repairClass, i, this.offset + at)
  }
}
