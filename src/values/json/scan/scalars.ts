/** Numbers, literals, and unquoted values in their place. Nothing is known of them until their end. */

import { commit, drop, park, resume, rewrite } from './canonical-copy.ts'
import { afterValue, isInArray } from './containers.ts'
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
import type { JsonState } from './json-state.ts'
import { announce, fail, hasFailed, hold, repair, type Scan, stop } from './scan.ts'
import { closeString } from './strings.ts'
import { isBeginning, meaningOf, scalarOf } from './tolerance.ts'

/** An unquoted value longer than this is no number before a comment, so that looking costs little. */
const LONGEST_SCALAR_BEFORE_COMMENT = 64
const LONGEST_LITERAL = 'false'.length

/** Where numbers and literals end. */
export interface ScalarGrammar {
  /** The index behind the characters that belong to the number or the literal. */
  end(scan: Scan, text: string, i: number): number
  /** Whether a whole number or literal is complete because `next` follows. Never at the end of a chunk. */
  endsBefore(next: number, state: JsonState): boolean
}

/** As far as the characters can belong to a number, or to a literal, in whatever order. */
export const LOOSE_SCALARS: ScalarGrammar = {
  end(scan, text, i) {
    const { token, mode } = scan.state
    const isNumber = mode === NUMBER
    const most = isNumber ? scan.limits.numberLength : LONGEST_LITERAL
    const last = Math.min(text.length, i + most - token.length)
    let end = i
    while (end < last && isScalarPart(text.charCodeAt(end), isNumber)) end++
    if (isNumber && end === last && end < text.length && isBeginning(token + text.slice(i, end + 1)))
      stop(scan, 'number-length', end)
    return end
  },
  endsBefore(next, { depth }) {
    // At the root it is complete at anything that cannot belong to it, but `01` and `1_000` do.
    return isDelimiter(next) || (depth === 0 ? /[^\w$.+-]/ : /[#\\\s\u200b]/).test(String.fromCharCode(next))
  },
}

function isScalarPart(c: number, isNumber: boolean): boolean {
  const lower = c | 32
  if (!isNumber) return lower >= 97 && lower <= 122
  if (c >= ZERO_DIGIT && c <= NINE_DIGIT) return true
  return c === PERIOD || c === HYPHEN || c === PLUS || lower === LETTER_E
}

export function isDelimiter(c: number): boolean {
  return isSpace(c) || c === COMMA || c === BRACE_CLOSE || c === BRACKET_CLOSE
}

/** Whether a number, a literal or an unquoted value is being read, of which nothing is known until its end. */
export function isInScalar({ mode }: JsonState): boolean {
  return mode >= NUMBER && mode <= BARE
}

/** A number or a literal may begin at `i`; if it turns out to be neither, it is an unquoted value. */
export function beginScalar(
  scan: Scan,
  mode: typeof NUMBER | typeof LITERAL | typeof BARE,
  i: number,
): number {
  const { state } = scan
  if (state.depth === 0) drop(scan, i)
  state.returnMode = state.mode
  state.mode = mode
  state.tokenStart = state.offset + i
  return i
}

export function readScalar(scan: Scan, text: string, i: number): number {
  const { state } = scan
  const { token } = state
  const { scalars } = scan.rules
  const end = scalars.end(scan, text, i)
  const raw = token + text.slice(i, end)
  if (end < text.length && scalars.endsBefore(text.charCodeAt(end), state)) {
    const value = scalarOf(raw)
    if (value !== undefined) {
      const taken = representable(scan, value, raw)
      if (Object.is(taken, value)) {
        if (token !== '') rewrite(scan, i, i, token)
        return finishScalar(scan, value, raw, raw, end)
      }
      rewrite(scan, i, end, String(taken))
      return finishScalar(scan, taken, raw, String(taken), end)
    }
  }
  park(scan, i)
  state.token = raw
  if (end === text.length) return end
  if (!scan.rules.tolerant) stop(scan, state.mode === NUMBER ? 'number' : 'literal', end)
  state.mode = BARE
  return end
}

function finishScalar(
  scan: Scan,
  value: number | boolean | null,
  raw: string,
  canonical: string,
  i: number,
): number {
  const { state } = scan
  state.token = ''
  announce(scan, canonical, i, state.tokenStart, state.tokenStart + raw.length)
  commit(scan, i)
  scan.handler.scalar(value, raw)
  afterValue(state, false)
  return i
}

/** A value that JSON can represent, if the handler asks for that. */
function representable(
  { handler }: Scan,
  value: number | boolean | null,
  raw: string,
): number | boolean | null {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value
  return handler.unrepresentable === undefined ? value : handler.unrepresentable(value, raw)
}

/** The text ends with the root: a number or a literal is complete, unless it is only the prefix of one. */
export function finishRootScalar(scan: Scan): void {
  const { token, mode } = scan.state
  const value = mode === BARE ? undefined : scalarOf(token)
  if (value !== undefined) finishRewritten(scan, value, token, token, 0)
  else if (mode === BARE || !isBeginning(token)) finishBare(scan, 0, 0)
}

// ── unquoted values ──────────────────────────────────────────────────────────────────────────────

/** An unquoted value, up to `,` `}` `]` or the end of the line: only then does it mean something. */
export function readBare(scan: Scan, text: string, i: number): number {
  const { state, limits } = scan
  const start = i
  // No further than the limit allows, so that looking for the end does not cost more than that.
  const last = Math.min(text.length, start + limits.bareLength - state.token.length + 1)
  let c = 0
  for (; i < last; i++) {
    c = text.charCodeAt(i)
    if (c === COMMA || c === BRACE_CLOSE || c === BRACKET_CLOSE || c === NEWLINE || c === RETURN) break
    if ((c === SOLIDUS || c === HASH) && isScalar(state, text, start, i)) break
  }
  const over = state.token.length + i - start - limits.bareLength
  if (over > 0) return fail(scan, 'bare-length', Math.max(start, i - over))
  state.token += text.slice(start, i)
  if (i === text.length) return i
  if (c !== SOLIDUS || state.depth === 0) return finishBare(scan, i, i)
  if (i + 1 === text.length) return hold(scan, text, i)
  const next = text.charCodeAt(i + 1)
  if (next === SOLIDUS || next === STAR) {
    finishBare(scan, i, i + 1)
    // The solidus may have been in the chunk before, to which there is no way back.
    return hasFailed(scan) ? i + 1 : i
  }
  state.token += '/'
  return i + 1
}

/** Whether the value so far is a number or a literal, which a comment may follow. */
function isScalar({ token }: JsonState, text: string, start: number, i: number): boolean {
  if (token.length + i - start > LONGEST_SCALAR_BEFORE_COMMENT) return false
  return meaningOf((token + text.slice(start, i)).trimEnd()).repair !== 'bare-string'
}

/** The value ends at `i`, which shows at `seen`. */
function finishBare(scan: Scan, i: number, seen: number): number {
  const { state, rules } = scan
  const { tokenStart } = state
  const run = state.token.trimEnd()
  state.token = ''
  if (state.depth === 0) drop(scan, i)
  resume(scan, i)
  const { value, canonical, repair: code } = meaningOf(run)
  if (code === 'ellipsis' && isInArray(state)) {
    repair(scan, code, 'lossy', seen, tokenStart)
    state.afterEllipsis = true
    state.mode = state.returnMode
    return i
  }
  if (value !== undefined) {
    if (code !== null) repair(scan, code, 'lossless', seen, tokenStart)
    return finishRewritten(scan, value, run, canonical, i)
  }
  const isNonFinite = code === 'non-finite'
  repair(scan, isNonFinite ? code : 'bare-string', 'guess', seen, tokenStart)
  if (!isNonFinite || rules.nonFinite === 'string') return finishBareString(scan, run, i)
  // In canonical text it is null, as in `JSON.stringify`.
  return finishRewritten(scan, rules.nonFinite === 'null' ? null : Number(run), run, 'null', i)
}

function finishRewritten(
  scan: Scan,
  value: number | boolean | null,
  run: string,
  canonical: string,
  i: number,
): number {
  const taken = representable(scan, value, run)
  const text = Object.is(taken, value) ? canonical : String(taken)
  rewrite(scan, i, i, text)
  return finishScalar(scan, taken, run, text, i)
}

/** An unquoted value that stands for itself. */
function finishBareString(scan: Scan, run: string, i: number): number {
  const { state } = scan
  announce(scan, '"', i, state.tokenStart, state.tokenStart + run.length)
  rewrite(scan, i, i, '"')
  commit(scan, i)
  scan.handler.openString()
  rewrite(scan, i, i, JSON.stringify(run).slice(1))
  if (state.decoding && run !== '') scan.handler.delta(run)
  closeString(scan, i)
  return i
}
