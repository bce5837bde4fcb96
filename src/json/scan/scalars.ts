/** Numbers, literals, and what stands unquoted in their place. Nothing is known of them until their end. */

import {
  BARE,
  BRACE_CLOSE,
  BRACKET_CLOSE,
  COMMA,
  HASH,
  HYPHEN,
  isSpace,
  LETTER_E,
  type LITERAL,
  NEWLINE,
  NINE_DIGIT,
  NUMBER,
  PERIOD,
  PLUS,
  RETURN,
  SOLIDUS,
  STAR,
  ZERO_DIGIT,
} from './grammar.ts'
import { StringScanner } from './strings.ts'
import { isBeginning, meaningOf, scalarOf } from './tolerance.ts'

/** An unquoted run longer than this is no number before a comment, so that looking costs little. */
const LONGEST_SCALAR_BEFORE_COMMENT = 64
const LONGEST_LITERAL = 'false'.length

/** Reads numbers, literals and unquoted runs. */
export abstract class ScalarScanner extends StringScanner {
  /** Whether a number, a literal or an unquoted run is being read, of which nothing is known until its end. */
  get isInScalar(): boolean {
    return this.state >= NUMBER && this.state <= BARE
  }

  /** A number or a literal may begin at `i`; if it turns out to be neither, it is an unquoted run. */
  protected beginScalar(state: typeof NUMBER | typeof LITERAL | typeof BARE, i: number): number {
    if (this.depth === 0) this.copy?.drop(i)
    this.back = this.state
    this.state = state
    this.tokenStart = this.offset + i
    return i
  }

  protected readScalar(text: string, i: number): number {
    const { token } = this
    const end = this.endOfScalar(text, i)
    const raw = token + text.slice(i, end)
    if (end < text.length && this.endsScalar(text.charCodeAt(end))) {
      const value = scalarOf(raw)
      if (value !== undefined) {
        const carried = this.carried(value)
        if (Object.is(carried, value)) {
          if (token !== '') this.copy?.rewrite(i, i, token)
          return this.finishScalar(value, raw, raw, end)
        }
        this.copy?.rewrite(i, end, String(carried))
        return this.finishScalar(carried, raw, String(carried), end)
      }
    }
    this.copy?.park(i)
    this.token = raw
    if (end < text.length) this.becomeBare(end)
    return end
  }

  /** As far as the characters can belong to a number, or to a literal. */
  protected endOfScalar(text: string, i: number): number {
    const isNumber = this.state === NUMBER
    const most = isNumber ? this.limits.numberLength : LONGEST_LITERAL
    const last = Math.min(text.length, i + most - this.token.length)
    let end = i
    while (end < last && isScalarPart(text.charCodeAt(end), isNumber)) end++
    if (isNumber && end === last && end < text.length && isBeginning(this.token + text.slice(i, end + 1)))
      this.stop('number-length', end)
    return end
  }

  /** What was read up to `i` is not a number or a literal. */
  protected becomeBare(_i: number): void {
    this.state = BARE
  }

  protected finishScalar(value: number | boolean | null, raw: string, canonical: string, i: number): number {
    this.token = ''
    this.announce(canonical, i, this.tokenStart, this.tokenStart + raw.length)
    this.copy?.commit(i)
    this.handler.scalar(value, raw)
    this.afterValue(false)
    return i
  }

  /** Whether a whole number or literal is complete because `next` follows. Never at the end of a chunk. */
  protected endsScalar(next: number): boolean {
    if (isSpace(next) || next === COMMA || next === BRACE_CLOSE || next === BRACKET_CLOSE) return true
    // At the root it is complete at anything that cannot belong to it, but `01` and `1_000` do.
    return (this.depth === 0 ? /[^\w$.+-]/ : /[#\\\s\u200b]/).test(String.fromCharCode(next))
  }

  /** The text ends with the root: a number or a literal is complete, unless it is but the beginning of one. */
  protected finishRoot(): void {
    const { token } = this
    if (!this.isInScalar) return
    const value = this.state === BARE ? undefined : scalarOf(token)
    if (value !== undefined) this.finishRewritten(value, token, token, 0)
    else if (this.state === BARE || !isBeginning(token)) this.finishBare(0, 0)
  }

  /** An unquoted run, up to `,` `}` `]` or the end of the line: only then does it mean something. */
  protected readBare(text: string, i: number): number {
    const start = i
    // No further than the limit allows, so that looking for the end does not cost more than that.
    const last = Math.min(text.length, start + this.limits.bareLength - this.token.length + 1)
    let c = 0
    for (; i < last; i++) {
      c = text.charCodeAt(i)
      if (c === COMMA || c === BRACE_CLOSE || c === BRACKET_CLOSE || c === NEWLINE || c === RETURN) break
      if ((c === SOLIDUS || c === HASH) && this.isScalar(text, start, i)) break
    }
    const over = this.token.length + i - start - this.limits.bareLength
    if (over > 0) return this.fail('bare-length', Math.max(start, i - over))
    this.token += text.slice(start, i)
    if (i === text.length) return i
    if (c !== SOLIDUS || this.depth === 0) return this.finishBare(i, i)
    if (i + 1 === text.length) return this.hold(text, i)
    const next = text.charCodeAt(i + 1)
    if (next === SOLIDUS || next === STAR) {
      this.finishBare(i, i + 1)
      // The solidus may have been in the chunk before; nobody can go back to it.
      return this.hasFailed ? i + 1 : i
    }
    this.token += '/'
    return i + 1
  }

  /** Whether the run so far is a number or a literal, which a comment may follow. */
  private isScalar(text: string, start: number, i: number): boolean {
    if (this.token.length + i - start > LONGEST_SCALAR_BEFORE_COMMENT) return false
    return meaningOf((this.token + text.slice(start, i)).trimEnd()).repair !== 'bare-string'
  }

  /** The run ends at `i`, which shows at `seen`. */
  private finishBare(i: number, seen: number): number {
    const run = this.token.trimEnd()
    this.token = ''
    if (this.depth === 0) this.copy?.drop(i)
    this.copy?.resume(i)
    const { value, canonical, repair } = meaningOf(run)
    if (repair === 'ellipsis' && this.isInArray()) {
      this.repair(repair, 'lossy', seen, this.tokenStart)
      this.skipped = true
      this.state = this.back
      return i
    }
    if (value === undefined) {
      this.repair(repair === 'non-finite' ? repair : 'bare-string', 'guess', seen, this.tokenStart)
      return this.finishBareString(run, i)
    }
    if (repair !== null) this.repair(repair, 'lossless', seen, this.tokenStart)
    return this.finishRewritten(value, run, canonical, i)
  }

  protected finishRewritten(
    value: number | boolean | null,
    run: string,
    canonical: string,
    i: number,
  ): number {
    const carried = this.carried(value)
    const text = Object.is(carried, value) ? canonical : String(carried)
    this.copy?.rewrite(i, i, text)
    return this.finishScalar(carried, run, text, i)
  }

  /** A value that survives JSON, if whoever listens wants that. */
  private carried(value: number | boolean | null): number | boolean | null {
    const isOdd = typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
    return isOdd && this.handler.oddNumber !== undefined ? this.handler.oddNumber(value) : value
  }

  /** A run that stands for itself. */
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

/** What numbers consist of, and literals, in whatever order. */
function isScalarPart(c: number, isNumber: boolean): boolean {
  const lower = c | 32
  if (!isNumber) return lower >= 97 && lower <= 122
  if (c >= ZERO_DIGIT && c <= NINE_DIGIT) return true
  return c === PERIOD || c === HYPHEN || c === PLUS || lower === LETTER_E
}
