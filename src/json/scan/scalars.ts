/** Numbers, literals, and what stands unquoted in their place. Nothing is known of them until their end. */

import {
  ARRAY_FIRST,
  ARRAY_NEXT,
  BACKSLASH,
  BARE,
  BARE_SLASH,
  BRACE_CLOSE,
  BRACKET_CLOSE,
  COMMA,
  DOT,
  EXPONENT,
  EXPONENT_DIGITS,
  EXPONENT_SIGN,
  FRACTION,
  HASH,
  HYPHEN,
  INTEGER,
  isSpace,
  LITERAL,
  MINUS,
  NEWLINE,
  NINE_DIGIT,
  NUMBER,
  NUMBER_START,
  PERIOD,
  PLUS,
  RETURN,
  SLASH,
  SOLIDUS,
  STAR,
  ZERO,
  ZERO_DIGIT,
} from './grammar.ts'
import { StringScanner } from './strings.ts'
import { isDigit, isOddSpace, isWordPart, meaningOf } from './tolerance.ts'

/** An unquoted run longer than this is no number before a comment, so that looking costs little. */
const LONGEST_SCALAR_BEFORE_COMMENT = 64

/** Reads numbers, literals and unquoted runs. */
export abstract class ScalarScanner extends StringScanner {
  /** Whether a number, a literal or an unquoted run is being read, of which nothing is known until its end. */
  get isInScalar(): boolean {
    return this.state === NUMBER || this.state === LITERAL || this.state === BARE || this.state === BARE_SLASH
  }

  protected beginToken(i: number): void {
    if (this.depth === 0) this.copy?.drop(i)
    this.token = ''
    this.tokenStart = this.offset + i
  }

  protected readNumber(text: string, i: number, to: number): number {
    const start = i
    let part = this.part
    let c = 0
    for (; i < to; i++) {
      c = text.charCodeAt(i)
      if (c >= ZERO_DIGIT && c <= NINE_DIGIT) {
        if (part === INTEGER || part === FRACTION || part === EXPONENT_DIGITS) continue
        if (part <= MINUS) part = c === ZERO_DIGIT ? ZERO : INTEGER
        else if (part === DOT) part = FRACTION
        else if (part !== ZERO) part = EXPONENT_DIGITS
        else break
      } else if (c === PERIOD && (part === INTEGER || part === ZERO)) part = DOT
      else if ((c | 32) === 0x65 && (part === INTEGER || part === ZERO || part === FRACTION)) part = EXPONENT
      else if ((c === HYPHEN || c === PLUS) && part === EXPONENT) part = EXPONENT_SIGN
      else if (c === HYPHEN && part === NUMBER_START) part = MINUS
      else break
    }
    const over = this.token.length + i - start - this.rules.limits.numberLength
    if (over > 0) return this.fail('number-length', i - over)
    this.part = part
    if (i === to) {
      this.copy?.park(start)
      this.token += text.slice(start, i)
      return i
    }
    if (isWholeNumber(part) && this.endsScalar(c)) return this.finishNumber(text, start, i)
    if (!this.rules.tolerant) return this.fail('number', i)
    return this.becomeBare(this.token + text.slice(start, i), c, start, i, isWholeNumber(part))
  }

  protected finishNumber(text: string, start: number, i: number): number {
    this.copy?.rewrite(start, start, this.token)
    const raw = this.token + text.slice(start, i)
    return this.finishScalar(Number(raw), raw, raw, i)
  }

  protected beginLiteral(word: string, i: number): number {
    this.beginToken(i)
    this.token = word
    this.state = LITERAL
    this.part = 0
    return i
  }

  protected readLiteral(text: string, i: number, to: number): number {
    const word = this.token
    const start = i
    let part = this.part
    while (i < to && part < word.length && text.charCodeAt(i) === word.charCodeAt(part)) {
      i++
      part++
    }
    if (i === to) {
      this.copy?.park(start)
      this.part = part
      return i
    }
    const c = text.charCodeAt(i)
    const whole = part === word.length
    if (whole && this.endsScalar(c)) return this.finishLiteral(i)
    if (!this.rules.tolerant) return this.fail('literal', i)
    return this.becomeBare(word.slice(0, part), c, start, i, whole)
  }

  protected finishLiteral(i: number): number {
    const word = this.token
    const start = i - word.length + this.part
    this.copy?.rewrite(start, start, word.slice(0, this.part))
    return this.finishScalar(word === 'null' ? null : word === 'true', word, word, i)
  }

  protected finishScalar(value: number | boolean | null, raw: string, canonical: string, i: number): number {
    this.token = ''
    this.announce(canonical, i, this.tokenStart, this.tokenStart + raw.length)
    this.copy?.commit(i)
    this.handler.scalar(value, raw)
    this.afterValue(false)
    return i
  }

  /** Whether a whole number or literal is complete because `c` follows. Never at the end of a chunk. */
  protected endsScalar(c: number): boolean {
    if (isSpace(c) || c === COMMA || c === BRACE_CLOSE || c === BRACKET_CLOSE) return true
    if (this.depth === 0) {
      // At the root it is complete at anything that cannot belong to it, but `01` and (tolerant) `1_000` do.
      return this.rules.tolerant ? !isWordPart(c) && c !== PLUS : !(this.state === NUMBER && isDigit(c))
    }
    return this.rules.tolerant && (c === HASH || c === BACKSLASH || isOddSpace(c))
  }

  /** A number or literal that goes on with what cannot belong to it. */
  protected becomeBare(token: string, c: number, start: number, i: number, whole: boolean): number {
    this.copy?.park(start)
    this.token = token
    this.state = BARE
    if (!whole || c !== SOLIDUS) return i
    this.state = BARE_SLASH
    return i + 1
  }

  /** An unquoted run, up to `,` `}` `]` or the end of the line: only then does it mean something. */
  protected readBare(text: string, i: number, to: number): number {
    const start = i
    let c = 0
    for (; i < to; i++) {
      c = text.charCodeAt(i)
      if (c === COMMA || c === BRACE_CLOSE || c === BRACKET_CLOSE || c === NEWLINE || c === RETURN) break
      if ((c === SOLIDUS || c === HASH) && this.isScalar(text, start, i)) break
    }
    const over = this.token.length + i - start - this.rules.limits.bareLength
    if (over > 0) return this.fail('bare-length', Math.max(start, i - over))
    this.token += text.slice(start, i)
    if (i === to) return i
    if (c === SOLIDUS && this.depth > 0) {
      this.state = BARE_SLASH
      return i + 1
    }
    return this.finishBare(i)
  }

  /** Whether the run so far is a number or a literal, which a comment may follow. */
  protected isScalar(text: string, start: number, i: number): boolean {
    if (this.token.length + i - start > LONGEST_SCALAR_BEFORE_COMMENT) return false
    return meaningOf((this.token + text.slice(start, i)).trimEnd()).kind !== 'string'
  }

  protected readBareSlash(c: number, i: number): number {
    if (c !== SOLIDUS && c !== STAR) {
      this.token += '/'
      this.state = BARE
      return i
    }
    this.finishBare(i)
    if (this.status !== 'open') return i
    this.detour(SLASH, i)
    this.tokenStart = this.offset + i - 1
    return i
  }

  protected finishBare(i: number): number {
    const run = this.token.trimEnd()
    this.token = ''
    if (this.depth === 0) this.copy?.drop(i)
    this.copy?.resume(i)
    const meaning = meaningOf(run)
    if (meaning.kind === 'literal' || meaning.kind === 'number') {
      const code = meaning.kind === 'literal' ? 'literal-alias' : 'number-form'
      const odd = meaning.kind === 'literal' ? meaning.alias : meaning.form
      if (odd && !this.repair(code, 'lossless', this.tokenStart, i)) return i
      this.copy?.rewrite(i, i, meaning.canonical)
      return this.finishScalar(meaning.value, run, meaning.canonical, i)
    }
    if (meaning.kind === 'ellipsis' && (this.back === ARRAY_FIRST || this.back === ARRAY_NEXT)) {
      if (!this.repair('ellipsis', 'lossy', this.tokenStart, i)) return i
      this.skipped = true
      this.state = this.back
      return i
    }
    if (meaning.kind === 'non-finite') return this.finishNonFinite(run, i)
    if (!this.repair('bare-string', 'guess', this.tokenStart, i)) return i
    return this.finishBareString(run, i)
  }

  /** NaN or an infinity. There is no such number in JSON: written as JSON it is null, as `JSON.stringify` has it. */
  protected finishNonFinite(run: string, i: number): number {
    if (this.rules.nonFinite === 'error') return this.fail('non-finite', i)
    if (!this.repair('non-finite', 'guess', this.tokenStart, i)) return i
    if (this.rules.nonFinite === 'string') return this.finishBareString(run, i)
    this.copy?.rewrite(i, i, 'null')
    const value = this.rules.nonFinite === 'null' ? null : Number(run)
    return this.finishScalar(value, run, 'null', i)
  }

  protected finishBareString(run: string, i: number): number {
    this.announce('"', i, this.tokenStart, this.tokenStart + run.length)
    this.copy?.rewrite(i, i, '"')
    this.copy?.commit(i)
    this.handler.openString()
    this.copy?.rewrite(i, i, JSON.stringify(run).slice(1))
    if (this.decoding && run !== '') this.handler.delta(run)
    this.closeString(i)
    return i
  }
}

export function isWholeNumber(part: number): boolean {
  return part === INTEGER || part === ZERO || part === FRACTION || part === EXPONENT_DIGITS
}
