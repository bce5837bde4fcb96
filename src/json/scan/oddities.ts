/** What models write instead of JSON, between the tokens. Each oddity is read as one thing and reported. */

import {
  AFTER,
  ARRAY_FIRST,
  ARRAY_NEXT,
  BACKSLASH,
  BACKSLASH_OUTSIDE,
  BACKTICK,
  BARE,
  BARE_KEY,
  BARE_SLASH,
  BLOCK_COMMENT,
  BLOCK_STAR,
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COLON_SIGN,
  COMMA,
  DOTS,
  EQUALS,
  EQUALS_SIGN,
  FENCE,
  GREATER,
  HASH,
  HYPHEN,
  KEY,
  LINE_COMMENT,
  NEWLINE,
  OBJECT_FIRST,
  PERIOD,
  PLUS,
  QUOTE,
  RETURN,
  ROOT,
  SLASH,
  SOLIDUS,
  SPACE,
  STAR,
  TICKS,
  VALUE,
} from './grammar.ts'
import { ScalarScanner } from './scalars.ts'
import { ESCAPED_QUOTE, isDigit, isOddSpace, isWordPart, isWordStart, quoteKind } from './tolerance.ts'

/** Reads what is not JSON, where that can be done: the tolerant half of the scanner. */
export abstract class OddityScanner extends ScalarScanner {
  /** A character that strict JSON does not allow between tokens. */
  protected readOddity(c: number, i: number): number {
    const state = this.state
    switch (c) {
      case SOLIDUS:
        return this.detour(SLASH, i)
      case HASH:
        if (!this.repair('comment', 'lossless', this.offset + i, i)) return i
        return this.detour(LINE_COMMENT, i)
      case BACKSLASH:
        return this.detour(BACKSLASH_OUTSIDE, i)
      case BACKTICK:
        if (state !== ROOT) break
        this.part = 1
        return this.detour(TICKS, i)
    }
    if (isOddSpace(c)) return this.skipOddSpace(c, i)
    const quote = quoteKind(c)
    if (quote !== 0) return this.quoteAnywhere(quote, i)
    switch (state) {
      case AFTER:
        if (this.isInObject() || !this.insertComma(c, i)) break
        return i
      case COLON:
        return this.readInsteadOfColon(c, i)
      case OBJECT_FIRST:
      case KEY:
        return this.readInsteadOfKey(c, i)
      default:
        return this.readInsteadOfValue(c, i)
    }
    return this.status === 'open' ? this.fail('token', i) : i
  }

  protected skipOddSpace(c: number, i: number): number {
    const at = this.offset + i
    if (c === 0xfeff && at === 0) {
      if (!this.repair('bom', 'lossless', at, i)) return i
    } else if (at !== this.oddSpaceAt + 1) {
      if (!this.repair('whitespace', 'lossless', at, i)) return i
    }
    this.oddSpaceAt = at
    this.spaced = true
    this.copy?.rewrite(i, i + 1, '')
    return i + 1
  }

  /** A quote of any kind at `i`, with what is missing before it. */
  protected quoteAnywhere(quote: number, i: number): number {
    if (this.state === AFTER && !this.insertComma(QUOTE, i)) {
      return this.status === 'open' ? this.fail('token', i) : i
    }
    if (this.state === COLON && !this.insertColon(i, i)) return i
    return this.beginString(quote, i)
  }

  /** Where a comma should be: only after a space or a closer, and only before what can begin a value. */
  protected insertComma(c: number, i: number): boolean {
    if (!this.spaced) return false
    const begins = c === QUOTE || c === BRACE_OPEN || c === BRACKET_OPEN || isWordPart(c) || c === PLUS
    if (!begins || !this.repair('missing-comma', 'guess', this.offset + i, i)) return false
    this.copy?.rewrite(i, i, ',')
    this.state = this.isInObject() ? KEY : ARRAY_NEXT
    this.commaAt = this.offset + i
    this.skipped = false
    return true
  }

  protected insertColon(i: number, to: number): boolean {
    if (!this.endKey(i)) return false
    if (!this.repair('missing-colon', 'guess', this.offset + i, i)) return false
    this.copy?.rewrite(i, to, ':')
    return true
  }

  protected readInsteadOfColon(c: number, i: number): number {
    if (c === EQUALS_SIGN) {
      if (!this.insertColon(i, i + 1)) return i
      this.state = EQUALS
      return i + 1
    }
    const quoted = this.quote !== 0
    const begins =
      c === BRACE_OPEN ||
      c === BRACKET_OPEN ||
      c === HYPHEN ||
      isDigit(c) ||
      (quoted && this.spaced && isWordStart(c))
    if (!begins) return this.fail('token', i)
    this.insertColon(i, i)
    return i
  }

  protected readInsteadOfKey(c: number, i: number): number {
    if (c === COMMA) return this.skipComma(i)
    if (c === BRACE_CLOSE || c === BRACKET_CLOSE) return this.closeEarly(c, i)
    if (c === PERIOD) {
      this.part = 1
      return this.detour(DOTS, i)
    }
    if (!isWordStart(c) && !isDigit(c)) return this.fail('token', i)
    this.part = isDigit(c) ? 1 : 0
    this.token = ''
    this.detour(BARE_KEY, i)
    return i
  }

  protected readInsteadOfValue(c: number, i: number): number {
    const inArray = this.state === ARRAY_FIRST || this.state === ARRAY_NEXT
    if (inArray && c === COMMA) return this.skipComma(i)
    if (inArray && (c === BRACE_CLOSE || c === BRACKET_CLOSE)) return this.closeEarly(c, i)
    if (c === COMMA || c === BRACE_CLOSE || c === BRACKET_CLOSE || c === COLON_SIGN || c < SPACE) {
      return this.fail('token', i)
    }
    this.beginToken(i)
    this.detour(BARE, i)
    return i
  }

  protected skipComma(i: number): number {
    if (!this.skipped && !this.repair('extra-comma', 'guess', this.offset + i, i)) return i
    this.skipped = false
    this.copy?.rewrite(i, i + 1, '')
    return i + 1
  }

  /** A closer where a key or an element was expected: after a trailing comma, or in an empty container. */
  protected closeEarly(c: number, i: number): number {
    const afterComma = this.state === KEY || this.state === ARRAY_NEXT
    if (afterComma) {
      if (!this.hasOuter(c === BRACKET_CLOSE)) return this.fail('token', i)
      if (!this.skipped && !this.repair('trailing-comma', 'lossless', this.commaAt, i)) return i
      this.copy?.drop(i)
    }
    this.skipped = false
    return this.close(c, i)
  }

  /** The states that only tolerant reading knows. */
  protected readOther(text: string, i: number, to: number): number {
    const c = text.charCodeAt(i)
    switch (this.state) {
      case BARE:
        return this.readBare(text, i, to)
      case BARE_SLASH:
        return this.readBareSlash(c, i)
      case BARE_KEY:
        return this.readBareKey(text, i, to)
      case SLASH:
        return this.readSlash(c, i)
      case LINE_COMMENT:
        for (; i < to; i++)
          if (text.charCodeAt(i) === NEWLINE || text.charCodeAt(i) === RETURN) return this.goOn(i)
        return i
      case BLOCK_COMMENT:
      case BLOCK_STAR:
        return this.readBlockComment(text, i, to)
      case BACKSLASH_OUTSIDE:
        return this.readBackslash(c, i)
      case EQUALS:
        this.state = VALUE
        if (c !== GREATER) return i
        this.copy?.rewrite(i, i + 1, '')
        return i + 1
      case TICKS:
        return this.readTicks(c, i)
      case FENCE:
        for (; i < to; i++) {
          const next = text.charCodeAt(i)
          if (next === NEWLINE || next === BRACE_OPEN || next === BRACKET_OPEN || next === QUOTE)
            return this.goOn(i)
        }
        return i
      default:
        return this.readDots(c, i)
    }
  }

  protected readSlash(c: number, i: number): number {
    if (c === SOLIDUS || c === STAR) {
      if (!this.repair('comment', 'lossless', this.tokenStart, i)) return i
      this.state = c === STAR ? BLOCK_COMMENT : LINE_COMMENT
      return i + 1
    }
    if (this.back > ARRAY_NEXT) return this.fail('token', i)
    this.token = '/'
    this.state = BARE
    return i
  }

  protected readBlockComment(text: string, i: number, to: number): number {
    for (; i < to; i++) {
      const c = text.charCodeAt(i)
      if (c === SOLIDUS && this.state === BLOCK_STAR) return this.goOn(i + 1)
      this.state = c === STAR ? BLOCK_STAR : BLOCK_COMMENT
    }
    return i
  }

  /** A backslash outside strings: whitespace that was escaped, or a document that was. */
  protected readBackslash(c: number, i: number): number {
    if (c === 0x6e || c === 0x72 || c === 0x74) {
      if (!this.repair('escaped-whitespace', 'guess', this.tokenStart, i)) return i
      return this.goOn(i + 1)
    }
    if (c !== QUOTE) return this.fail('token', i)
    this.state = this.back
    this.copy?.resume(i)
    return this.quoteAnywhere(ESCAPED_QUOTE, i)
  }

  /** Backticks before the root: three are a fence, one is a quote. */
  protected readTicks(c: number, i: number): number {
    if (c === BACKTICK) {
      if (++this.part === 3) {
        if (!this.repair('fence', 'lossless', this.tokenStart, i)) return i
        this.state = FENCE
      }
      return i + 1
    }
    this.state = ROOT
    if (!this.repair('quote-style', 'lossless', this.tokenStart, i)) return i
    this.copy?.drop(i)
    this.copy?.rewrite(i, i, '"')
    const isEmpty = this.part === 2
    this.openString(BACKTICK, false, i)
    if (isEmpty) {
      this.copy?.rewrite(i, i, '"')
      this.closeString(i)
    }
    return i
  }

  protected readDots(c: number, i: number): number {
    if (c !== PERIOD) return this.fail('token', i)
    if (++this.part < 3) return i + 1
    if (!this.repair('ellipsis', 'lossy', this.tokenStart, i)) return i
    this.skipped = true
    return this.goOn(i + 1)
  }

  protected readBareKey(text: string, i: number, to: number): number {
    const start = i
    const onlyDigits = this.part === 1
    while (i < to && (onlyDigits ? isDigit(text.charCodeAt(i)) : isWordPart(text.charCodeAt(i)))) i++
    const over =
      this.token.length + i - start - Math.min(this.rules.limits.keyLength, this.rules.limits.bareLength)
    if (over > 0) return this.fail('key-length', i - over)
    this.token += text.slice(start, i)
    if (i === to) return i
    if (!this.repair('unquoted-key', 'lossless', this.tokenStart, i)) return i
    this.copy?.resume(i)
    this.copy?.rewrite(i, i, `"${this.token}"`)
    this.quote = 0
    this.spaced = false
    this.state = COLON
    return i
  }
}
