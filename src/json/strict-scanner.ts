/**
 * A scanner that can be strict: what is not JSON, a key that comes twice, or a number that there is not makes the
 * text impossible, at the first character that shows it.
 */

import type { RepairClass } from '../event.ts'
import { DEFAULT_JSON_LIMITS, type JsonErrorCode, type JsonLimits, type JsonRepairCode } from './handler.ts'
import {
  BRACE_CLOSE,
  BRACKET_CLOSE,
  COMMA,
  HYPHEN,
  isSpace,
  KEY_STRING,
  LETTER_E,
  NINE_DIGIT,
  NUMBER,
  PERIOD,
  PLUS,
  ZERO_DIGIT,
} from './scan/grammar.ts'
import { NON_FINITE } from './scan/tolerance.ts'
import { JsonScanner } from './scanner.ts'

export interface StrictScannerOptions {
  /** Read what models write, not only what the standard allows, and report every deviation. Off by default. */
  tolerant?: boolean
  limits?: Partial<JsonLimits>
  /** What a repeated key is: reported (`last`, the default: the later one counts) or fatal. */
  duplicateKeys?: 'last' | 'error'
  /** What NaN and the infinities are (tolerant): their text (the default), null, the number, or an error. */
  nonFinite?: NonFinite
}

export type NonFinite = 'string' | 'null' | 'number' | 'error'

// How far into a number:
const NUMBER_START = 0
const MINUS = 1
const ZERO = 2
const INTEGER = 3
const DOT = 4
const FRACTION = 5
const EXPONENT = 6
const EXPONENT_SIGN = 7
const EXPONENT_DIGITS = 8

/** What would be a repair; anything else is a character that cannot stand there. */
const ERRORS: { readonly [Code in JsonRepairCode]?: JsonErrorCode } = {
  'control-char': 'control-char',
  'invalid-escape': 'escape',
}

export class StrictScanner extends JsonScanner {
  protected readonly tolerant: boolean
  private readonly repeats: boolean
  private readonly nonFinite: NonFinite
  private part = NUMBER_START
  /** Decoded length of the open string. */
  protected length = 0

  constructor({ tolerant = false, limits, duplicateKeys, nonFinite = 'string' }: StrictScannerOptions = {}) {
    super({ ...DEFAULT_JSON_LIMITS, ...limits })
    this.tolerant = tolerant
    this.repeats = duplicateKeys !== 'error'
    this.nonFinite = nonFinite
  }

  protected override readOddity(text: string, i: number): number {
    return this.tolerant ? super.readOddity(text, i) : this.fail('token', i)
  }

  protected override repair(
    code: JsonRepairCode,
    repairClass: RepairClass,
    i: number,
    offset?: number,
  ): void {
    if (!this.tolerant) this.stop(ERRORS[code] ?? 'token', i)
    if (code === 'non-finite' && this.nonFinite === 'error') this.stop(code, i)
    super.repair(code, repairClass, i, offset)
  }

  protected override repeatKey(key: string, i: number): void {
    if (!this.repeats) this.stop('duplicate-key', i)
    super.repeatKey(key, i)
  }

  /** Written as JSON, NaN and the infinities are null, as `JSON.stringify` has it. */
  protected override finishBareString(run: string, i: number): number {
    if (this.nonFinite === 'string' || !NON_FINITE.test(run)) return super.finishBareString(run, i)
    return this.finishRewritten(this.nonFinite === 'null' ? null : Number(run), run, 'null', i)
  }

  // ── how long strings may be ──────────────────────────────────────────────────────────────────────

  /** How much more may come. */
  protected get room(): number {
    const { stringLength, keyLength } = this.limits
    return (this.state === KEY_STRING ? keyLength : stringLength) - this.length
  }

  /** There is no room for what shows at `i`. What stands before `certain` is delivered first. */
  protected failAsTooLong(i: number, certain: number): never {
    this.handOn()
    this.commitString(certain)
    this.stop(this.state === KEY_STRING ? 'key-length' : 'string-length', i)
  }

  override get mayPassOn(): boolean {
    return super.mayPassOn && this.room === Number.POSITIVE_INFINITY
  }

  protected override openString(quote: number, start: number): number {
    this.length = 0
    return super.openString(quote, start)
  }

  protected override holdHigh(text: string, i: number, last: number): number {
    if (this.room < 1) this.failAsTooLong(last, i)
    return super.holdHigh(text, i, last)
  }

  protected override takeRun(text: string, from: number, to: number): void {
    const end = Math.min(to, from + this.room)
    super.takeRun(text, from, end)
    if (end < to) this.failAsTooLong(end, end)
    this.length += to - from
  }

  protected override take(decoded: string, last: number, from: number): void {
    if (decoded.length > this.room) this.failAsTooLong(last, from)
    this.length += decoded.length
    super.take(decoded, last, from)
  }

  // ── numbers and literals ─────────────────────────────────────────────────────────────────────────

  /** Up to the first character that does not fit. */
  protected override endOfScalar(text: string, i: number): number {
    if (this.tolerant) return super.endOfScalar(text, i)
    return this.state === NUMBER ? this.endOfNumber(text, i) : this.endOfLiteral(text, i)
  }

  private endOfNumber(text: string, i: number): number {
    const start = i
    let part = this.token === '' ? NUMBER_START : this.part
    for (; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (c >= ZERO_DIGIT && c <= NINE_DIGIT) {
        if (part === INTEGER || part === FRACTION || part === EXPONENT_DIGITS) continue
        if (part <= MINUS) part = c === ZERO_DIGIT ? ZERO : INTEGER
        else if (part === DOT) part = FRACTION
        else if (part !== ZERO) part = EXPONENT_DIGITS
        else break
      } else if (c === PERIOD && (part === INTEGER || part === ZERO)) part = DOT
      else if ((c | 32) === LETTER_E && (part === INTEGER || part === ZERO || part === FRACTION))
        part = EXPONENT
      else if ((c === HYPHEN || c === PLUS) && part === EXPONENT) part = EXPONENT_SIGN
      else if (c === HYPHEN && part === NUMBER_START) part = MINUS
      else break
    }
    const over = this.token.length + i - start - this.limits.numberLength
    if (over > 0) this.stop('number-length', i - over)
    this.part = part
    return i
  }

  private endOfLiteral(text: string, i: number): number {
    const first = this.token === '' ? text[i] : this.token[0]
    const word = first === 't' ? 'true' : first === 'f' ? 'false' : 'null'
    for (let at = this.token.length; i < text.length && at < word.length && text[i] === word[at]; at++) i++
    return i
  }

  protected override becomeBare(i: number): void {
    if (!this.tolerant) this.stop(this.state === NUMBER ? 'number' : 'literal', i)
    super.becomeBare(i)
  }

  protected override endsScalar(next: number): boolean {
    if (this.tolerant) return super.endsScalar(next)
    // At the root it is complete at anything that cannot belong to it, but `01` does.
    if (this.depth === 0) return this.state !== NUMBER || next < ZERO_DIGIT || next > NINE_DIGIT
    return isSpace(next) || next === COMMA || next === BRACE_CLOSE || next === BRACKET_CLOSE
  }
}
