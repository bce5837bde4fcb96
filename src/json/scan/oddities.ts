/** What models write instead of JSON, between the tokens. Each oddity is read as one thing and reported. */

import {
  AFTER,
  ARRAY_FIRST,
  ARRAY_NEXT,
  BACKSLASH,
  BACKTICK,
  BARE,
  BARE_KEY,
  BLOCK_COMMENT,
  BRACE_CLOSE,
  BRACKET_CLOSE,
  COLON,
  COMMA,
  EQUALS,
  FENCE,
  GREATER,
  HASH,
  KEY,
  LINE_COMMENT,
  NUMBER_KEY,
  OBJECT_FIRST,
  QUOTE,
  ROOT,
  SOLIDUS,
  SPACE,
  STAR,
  VALUE,
} from './grammar.ts'
import { ScalarScanner } from './scalars.ts'
import { ESCAPED_QUOTE, endOf, isOddSpace, quoteKind } from './tolerance.ts'

// Where that ends which is skipped: a comment, or the line of a fence.
const END_OF_LINE = /[\n\r]/g
const END_OF_BLOCK = /\*\//g
const END_OF_FENCE = /[\n{["]/g

// What unquoted keys consist of.
const WORD = /[\w$.-]*/y
const DIGITS = /\d*/y

/** Reads what is not JSON, where that can be done: the tolerant half of the scanner. */
export abstract class OddityScanner extends ScalarScanner {
  /** A character that strict JSON does not allow between tokens. */
  protected readOddity(text: string, i: number): number {
    const c = text.charCodeAt(i)
    const char = text.charAt(i)
    const next = text.charCodeAt(i + 1)
    const isLast = i + 1 === text.length
    let quote = quoteKind(c)
    let seen = i // where it shows what this is
    switch (c) {
      case SOLIDUS:
        if (isLast) return this.hold(text, i)
        if (next === SOLIDUS) return this.skip(LINE_COMMENT, i, i + 1)
        if (next === STAR) return this.skip(BLOCK_COMMENT, i, i + 1)
        if (this.state > ARRAY_NEXT) return this.fail('token', i + 1)
        break
      case HASH:
        return this.skip(LINE_COMMENT, i, i)
      case BACKSLASH:
        if (isLast) return this.hold(text, i)
        seen = i + 1
        if (next !== QUOTE) return this.leaveOutEscape(next, i)
        quote = ESCAPED_QUOTE
        break
      case BACKTICK:
        if (this.state !== ROOT) break
        seen = endOfThree(text, i)
        if (seen === i + 3) return this.skip(FENCE, i, i + 2)
        if (seen === text.length) return this.hold(text, i)
    }
    if (isOddSpace(c)) return this.leaveOutSpace(c, i)
    if (this.state === AFTER) return this.insertComma(char, quote !== 0, i, seen)
    if (this.state === COLON) return this.readInsteadOfColon(char, quote !== 0, i, seen)
    if (quote !== 0) return this.openOddString(quote, i, seen)
    if (this.state >= ARRAY_FIRST) {
      if (c === COMMA) return this.leaveOutComma(i)
      if (c === BRACE_CLOSE || c === BRACKET_CLOSE) return this.closeEarly(c, i)
    }
    if (this.state >= OBJECT_FIRST) return this.readInsteadOfKey(text, i)
    if (c < SPACE || /[,}\]:]/.test(char)) return this.fail('token', i)
    this.beginScalar(BARE, i)
    this.copy?.park(i)
    return i
  }

  /** What stands from `i` to `end` means nothing. */
  private leaveOut(i: number, end: number): number {
    this.spaced = true
    this.copy?.rewrite(i, end, '')
    return end
  }

  private leaveOutSpace(c: number, i: number): number {
    const at = this.offset + i
    if (c === 0xfeff && at === 0) this.repair('bom', 'lossless', i)
    else if (at !== this.oddSpaceAt + 1) this.repair('whitespace', 'lossless', i)
    this.oddSpaceAt = at
    return this.leaveOut(i, i + 1)
  }

  /** A backslash outside strings: whitespace that was escaped. */
  private leaveOutEscape(next: number, i: number): number {
    if (next !== 0x6e && next !== 0x72 && next !== 0x74) return this.fail('token', i + 1)
    this.repair('escaped-whitespace', 'guess', i + 1, this.offset + i)
    return this.leaveOut(i, i + 2)
  }

  private leaveOutComma(i: number): number {
    if (!this.skipped) this.repair('extra-comma', 'guess', i)
    this.skipped = false
    return this.leaveOut(i, i + 1)
  }

  /** Three dots in place of a member. */
  private leaveOutDots(text: string, i: number): number {
    const end = endOfThree(text, i)
    if (end < i + 3) {
      if (end === text.length) return this.hold(text, i)
      return this.fail('token', end)
    }
    this.repair('ellipsis', 'lossy', end - 1, this.offset + i)
    this.skipped = true
    return this.leaveOut(i, end)
  }

  /** Where a comma should be: only after a space or a closer, and only before what can begin a value. */
  private insertComma(char: string, isQuote: boolean, i: number, seen: number): number {
    const inObject = this.isInObject()
    const begins = isQuote || (!inObject && /[{[\w$.+-]/.test(char))
    if (!begins || !this.spaced) return this.fail('token', seen)
    this.repair('missing-comma', 'guess', seen)
    this.copy?.rewrite(i, i, ',')
    this.afterComma(inObject ? KEY : ARRAY_NEXT, seen)
    return i
  }

  private readInsteadOfColon(char: string, isQuote: boolean, i: number, seen: number): number {
    const mayBeWord = this.quote !== 0 && this.spaced
    if (!isQuote && !/[={[\d-]/.test(char) && !(mayBeWord && /[A-Za-z_$]/.test(char)))
      return this.fail('token', i)
    this.endKey(seen)
    if (this.hasFailed) return seen // the handler stopped here
    this.repair('missing-colon', 'guess', seen)
    const end = char === '=' ? i + 1 : i
    this.copy?.rewrite(i, end, ':')
    if (end > i) this.state = EQUALS
    return end
  }

  private readInsteadOfKey(text: string, i: number): number {
    const char = text.charAt(i)
    if (char === '.') return this.leaveOutDots(text, i)
    if (!/[\w$]/.test(char)) return this.fail('token', i)
    this.copy?.park(i)
    this.state = /\d/.test(char) ? NUMBER_KEY : BARE_KEY
    this.tokenStart = this.offset + i
    return i
  }

  /** A closer where a key or an element was expected: after a trailing comma, or in an empty container. */
  private closeEarly(c: number, i: number): number {
    if (this.state === KEY || this.state === ARRAY_NEXT) {
      if (!this.hasOuter(c === BRACKET_CLOSE)) return this.fail('token', i)
      if (!this.skipped) this.repair('trailing-comma', 'lossless', i, this.commaAt)
      this.copy?.drop(i)
    }
    this.skipped = false
    return this.close(c, i)
  }

  /** The states that only tolerant reading knows. */
  protected readOther(text: string, i: number): number {
    switch (this.state) {
      case BARE:
        return this.readBare(text, i)
      case BARE_KEY:
      case NUMBER_KEY:
        return this.readBareKey(text, i)
      case EQUALS:
        this.state = VALUE
        return text.charCodeAt(i) === GREATER ? this.leaveOut(i, i + 1) : i
      default:
        return this.skipOn(text, i)
    }
  }

  /** A comment or a fence begins at `i`, which shows at `seen`. */
  private skip(state: number, i: number, seen: number): number {
    this.repair(state === FENCE ? 'fence' : 'comment', 'lossless', seen, this.offset + i)
    this.back = this.state
    this.state = state
    this.copy?.park(i)
    return seen + 1
  }

  private skipOn(text: string, i: number): number {
    const isBlock = this.state === BLOCK_COMMENT
    const pattern = isBlock ? END_OF_BLOCK : this.state === FENCE ? END_OF_FENCE : END_OF_LINE
    pattern.lastIndex = i
    const found = pattern.exec(text)
    if (found !== null) {
      const end = isBlock ? found.index + 2 : found.index
      this.state = this.back
      this.spaced = true
      this.copy?.resume(end)
      return end
    }
    return isBlock && text.endsWith('*') ? this.hold(text, text.length - 1) : text.length
  }

  private readBareKey(text: string, i: number): number {
    const { keyLength, bareLength } = this.limits
    const end = endOf(this.state === NUMBER_KEY ? DIGITS : WORD, text, i)
    const over = this.token.length + end - i - Math.min(keyLength, bareLength)
    if (over > 0) return this.fail('key-length', end - over)
    this.token += text.slice(i, end)
    if (end === text.length) return end
    this.repair('unquoted-key', 'lossless', end, this.tokenStart)
    this.copy?.resume(end)
    this.copy?.rewrite(end, end, `"${this.token}"`)
    this.quote = 0
    this.spaced = false
    this.state = COLON
    return end
  }
}

/** Where a row of up to three equal characters ends. */
function endOfThree(text: string, i: number): number {
  let at = i + 1
  while (at < i + 3 && at < text.length && text.charCodeAt(at) === text.charCodeAt(i)) at++
  return at
}
