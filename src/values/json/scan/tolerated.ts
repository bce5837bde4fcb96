/** What models write instead of JSON, between the tokens. Each deviation is read as one thing and reported. */

import { drop, park, resume, rewrite } from './canonical-copy.ts'
import { afterComma, closeContainer, endKey, hasOuter, isInObject } from './containers.ts'
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
import { beginScalar } from './scalars.ts'
import { fail, hasFailed, hold, repair, type Scan } from './scan.ts'
import { openQuotedOtherwise } from './strings.ts'
import { ESCAPED_QUOTE, endOf, isUnicodeSpace, quoteKind } from './tolerance.ts'

// Where a skipped part ends: a comment, or the line of a fence.
const END_OF_LINE = /[\n\r]/g
const END_OF_BLOCK = /\*\//g
const END_OF_FENCE = /[\n{["]/g

// What unquoted keys consist of.
const WORD = /[\w$.-]*/y
const DIGITS = /\d*/y

/** A character that JSON does not allow between tokens. */
export function readTolerated(scan: Scan, text: string, i: number): number {
  if (!scan.rules.tolerant) return fail(scan, 'token', i)
  const { state } = scan
  const c = text.charCodeAt(i)
  const char = text.charAt(i)
  const next = text.charCodeAt(i + 1)
  const isLast = i + 1 === text.length
  let quote = quoteKind(c)
  let seen = i // where it shows what this is
  switch (c) {
    case SOLIDUS:
      if (isLast) return hold(scan, text, i)
      if (next === SOLIDUS) return skip(scan, LINE_COMMENT, i, i + 1)
      if (next === STAR) return skip(scan, BLOCK_COMMENT, i, i + 1)
      if (state.mode > ARRAY_NEXT) return fail(scan, 'token', i + 1)
      break
    case HASH:
      return skip(scan, LINE_COMMENT, i, i)
    case BACKSLASH:
      if (isLast) return hold(scan, text, i)
      seen = i + 1
      if (next !== QUOTE) return leaveOutEscape(scan, next, i)
      quote = ESCAPED_QUOTE
      break
    case BACKTICK:
      if (state.mode !== ROOT) break
      seen = endOfThree(text, i)
      if (seen === i + 3) return skip(scan, FENCE, i, i + 2)
      if (seen === text.length) return hold(scan, text, i)
  }
  if (isUnicodeSpace(c)) return leaveOutSpace(scan, c, i)
  if (state.mode === AFTER) return insertComma(scan, char, quote !== 0, i, seen)
  if (state.mode === COLON) return readInsteadOfColon(scan, char, quote !== 0, i, seen)
  if (quote !== 0) return openQuotedOtherwise(scan, quote, i, seen)
  if (state.mode >= ARRAY_FIRST) {
    if (c === COMMA) return leaveOutComma(scan, i)
    if (c === BRACE_CLOSE || c === BRACKET_CLOSE) return closeEarly(scan, c, i)
  }
  if (state.mode >= OBJECT_FIRST) return readInsteadOfKey(scan, text, i)
  if (c < SPACE || /[,}\]:]/.test(char)) return fail(scan, 'token', i)
  beginScalar(scan, BARE, i)
  park(scan, i)
  return i
}

/** The text from `i` to `end` means nothing. */
function leaveOut(scan: Scan, i: number, end: number): number {
  scan.state.spaced = true
  rewrite(scan, i, end, '')
  return end
}

function leaveOutSpace(scan: Scan, c: number, i: number): number {
  const { state } = scan
  const at = state.offset + i
  if (c === 0xfeff && at === 0) repair(scan, 'bom', 'lossless', i)
  else if (at !== state.unicodeSpaceAt + 1) repair(scan, 'whitespace', 'lossless', i)
  state.unicodeSpaceAt = at
  return leaveOut(scan, i, i + 1)
}

/** A backslash outside strings: whitespace that was escaped. */
function leaveOutEscape(scan: Scan, next: number, i: number): number {
  if (next !== 0x6e && next !== 0x72 && next !== 0x74) return fail(scan, 'token', i + 1)
  repair(scan, 'escaped-whitespace', 'guess', i + 1, scan.state.offset + i)
  return leaveOut(scan, i, i + 2)
}

function leaveOutComma(scan: Scan, i: number): number {
  if (!scan.state.afterEllipsis) repair(scan, 'extra-comma', 'guess', i)
  scan.state.afterEllipsis = false
  return leaveOut(scan, i, i + 1)
}

/** Three dots in place of a member. */
function leaveOutDots(scan: Scan, text: string, i: number): number {
  const end = endOfThree(text, i)
  if (end < i + 3) {
    if (end === text.length) return hold(scan, text, i)
    return fail(scan, 'token', end)
  }
  repair(scan, 'ellipsis', 'lossy', end - 1, scan.state.offset + i)
  scan.state.afterEllipsis = true
  return leaveOut(scan, i, end)
}

/** Where a comma should be: only after a space or a closer, and only before what can begin a value. */
function insertComma(scan: Scan, char: string, isQuote: boolean, i: number, seen: number): number {
  const inObject = isInObject(scan.state)
  const begins = isQuote || (!inObject && /[{[\w$.+-]/.test(char))
  if (!begins || !scan.state.spaced) return fail(scan, 'token', seen)
  repair(scan, 'missing-comma', 'guess', seen)
  rewrite(scan, i, i, ',')
  afterComma(scan.state, inObject ? KEY : ARRAY_NEXT, seen)
  return i
}

function readInsteadOfColon(scan: Scan, char: string, isQuote: boolean, i: number, seen: number): number {
  const { state } = scan
  const mayBeWord = state.quote !== 0 && state.spaced
  if (!isQuote && !/[={[\d-]/.test(char) && !(mayBeWord && /[A-Za-z_$]/.test(char)))
    return fail(scan, 'token', i)
  endKey(scan, seen)
  if (hasFailed(scan)) return seen // the handler stopped here
  repair(scan, 'missing-colon', 'guess', seen)
  const end = char === '=' ? i + 1 : i
  rewrite(scan, i, end, ':')
  if (end > i) state.mode = EQUALS
  return end
}

/** After `=` in place of a colon, which may be the first half of `=>`. */
export function readEquals(scan: Scan, text: string, i: number): number {
  scan.state.mode = VALUE
  return text.charCodeAt(i) === GREATER ? leaveOut(scan, i, i + 1) : i
}

function readInsteadOfKey(scan: Scan, text: string, i: number): number {
  const { state } = scan
  const char = text.charAt(i)
  if (char === '.') return leaveOutDots(scan, text, i)
  if (!/[\w$]/.test(char)) return fail(scan, 'token', i)
  park(scan, i)
  state.mode = /\d/.test(char) ? NUMBER_KEY : BARE_KEY
  state.tokenStart = state.offset + i
  return i
}

export function readBareKey(scan: Scan, text: string, i: number): number {
  const { state, limits } = scan
  const end = endOf(state.mode === NUMBER_KEY ? DIGITS : WORD, text, i)
  const over = state.token.length + end - i - Math.min(limits.keyLength, limits.bareLength)
  if (over > 0) return fail(scan, 'key-length', end - over)
  state.token += text.slice(i, end)
  if (end === text.length) return end
  repair(scan, 'unquoted-key', 'lossless', end, state.tokenStart)
  resume(scan, end)
  rewrite(scan, end, end, `"${state.token}"`)
  state.quote = 0
  state.spaced = false
  state.mode = COLON
  return end
}

/** A closer where a key or an element was expected: after a trailing comma, or in an empty container. */
function closeEarly(scan: Scan, c: number, i: number): number {
  const { state } = scan
  if (state.mode === KEY || state.mode === ARRAY_NEXT) {
    if (!hasOuter(state, c === BRACKET_CLOSE)) return fail(scan, 'token', i)
    if (!state.afterEllipsis) repair(scan, 'trailing-comma', 'lossless', i, state.commaAt)
    drop(scan, i)
  }
  state.afterEllipsis = false
  return closeContainer(scan, c, i)
}

/** A comment or a fence begins at `i`, which shows at `seen`. */
function skip(scan: Scan, mode: number, i: number, seen: number): number {
  const { state } = scan
  repair(scan, mode === FENCE ? 'fence' : 'comment', 'lossless', seen, state.offset + i)
  state.returnMode = state.mode
  state.mode = mode
  park(scan, i)
  return seen + 1
}

/** Inside a comment or the line of a fence. */
export function readSkipped(scan: Scan, text: string, i: number): number {
  const { state } = scan
  const isBlock = state.mode === BLOCK_COMMENT
  const pattern = isBlock ? END_OF_BLOCK : state.mode === FENCE ? END_OF_FENCE : END_OF_LINE
  pattern.lastIndex = i
  const found = pattern.exec(text)
  const isHeld = found === null && isBlock && text.endsWith('*')
  const to = found?.index ?? text.length - (isHeld ? 1 : 0)
  if (state.mode !== FENCE && scan.markers !== null) {
    const seen = scan.markers().search(state.lookahead, text, i, to)
    if ('marker' in seen) {
      scan.marker = seen.marker
      return fail(scan, 'comment', seen.end)
    }
    state.lookahead = found === null ? seen.rest : ''
  }
  if (found === null) return isHeld ? hold(scan, text, to) : text.length
  const end = isBlock ? to + 2 : to
  state.mode = state.returnMode
  state.spaced = true
  resume(scan, end)
  return end
}

/** Where a row of up to three equal characters ends. */
function endOfThree(text: string, i: number): number {
  let at = i + 1
  while (at < i + 3 && at < text.length && text.charCodeAt(at) === text.charCodeAt(i)) at++
  return at
}
