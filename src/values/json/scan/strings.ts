/** Strings: the part of a JSON text that is long, and of which every character counts. */

import type { RepairClass } from '../../../base/event.ts'
import { isHighSurrogate } from '../../../base/surrogates.ts'
import type { JsonRepairCode } from '../handler.ts'
import { commit, drop, park, rewrite } from './canonical-copy.ts'
import { afterValue } from './containers.ts'
import { unescaped } from './escapes.ts'
import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  COLON,
  KEY,
  KEY_STRING,
  LETTER_U,
  MAYBE_CLOSED,
  OBJECT_FIRST,
  QUOTE,
  SPACE,
  STRING,
} from './grammar.ts'
import { HAS_ESCAPE, KEEPS_BACKSLASH } from './passing.ts'
import { announce, hold, repair, type Scan, stop } from './scan.ts'
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

/** A string begins before `start`: of a key or of a value, as the mode says. */
export function openString(scan: Scan, quote: number, start: number): number {
  const { state } = scan
  state.quote = quote
  state.reported &= ESCAPED_DOCUMENT
  state.stringLength = 0
  if (state.mode === KEY || state.mode === OBJECT_FIRST) {
    state.mode = KEY_STRING
    return start
  }
  state.mode = STRING
  announce(scan, '"', start, state.offset + start - 1, state.offset + start)
  commit(scan, start)
  scan.handler.openString()
  return start
}

/** A string begins at `i` with a quote that JSON does not have, which shows at `seen`. */
export function openQuotedOtherwise(scan: Scan, quote: number, i: number, seen: number): number {
  const { state } = scan
  const isEscaped = quote === ESCAPED_QUOTE
  const start = isEscaped ? i + 2 : i + 1
  if (!isEscaped) repair(scan, 'quote-style', 'lossless', seen, state.offset + i)
  else if ((state.reported & ESCAPED_DOCUMENT) === 0) {
    state.reported |= ESCAPED_DOCUMENT
    repair(scan, 'escaped-document', 'guess', seen, state.offset + i)
  }
  if (state.depth === 0) drop(scan, i)
  rewrite(scan, i, start, '"')
  return openString(scan, quote, start)
}

/**
 * Inside a string: plain text, and what ends it. The handler receives the decoded text in one piece per chunk; half an
 * escape or half a surrogate pair is held back until the other half is there.
 */
export function readString(scan: Scan, text: string, i: number): number {
  const { quote } = scan.state
  const start = i
  let c = 0
  for (; i < text.length; i++) {
    c = text.charCodeAt(i)
    if (c === QUOTE || c === BACKSLASH || c < SPACE || (quote !== QUOTE && quoteKind(c) === quote)) break
  }
  if (i > start) {
    const isCut = isHighSurrogate(text.charCodeAt(i - 1)) && !isKnown(scan, text, i)
    takePlain(scan, text, start, isCut ? i - 1 : i)
    if (isCut) return holdHigh(scan, text, i - 1, i - 1)
    if (i === text.length) return i
  }
  if (c === BACKSLASH) return readEscape(scan, text, i)
  if (c === quote || (c >= SPACE && quoteKind(c) === quote)) return endString(scan, i, i + 1)

  // A raw control character, or a double quote inside other quotes.
  if (c < SPACE) repairString(scan, CONTROL_CHAR, 'control-char', 'lossless', i, i)
  takeDecoded(scan, String.fromCharCode(c), i, i)
  rewriteInString(scan, i, i + 1, escapeUnit(c))
  return i + 1
}

/** Whether it can be told what follows a unit that ends at `i`: a unit, and not one that the chunk cuts in two. */
function isKnown(scan: Scan, text: string, i: number): boolean {
  return i < text.length && (text.charCodeAt(i) !== BACKSLASH || endOfEscape(scan, text, i) > 0)
}

/**
 * Where the escape at `i` ends, 0 if the chunk ends before it. After `\u` it goes as far as there are digits.
 *
 *     "|\n"   "|\u263a"   and in an escaped document   \"|\\n\"   \"|\\\"\"
 */
function endOfEscape(scan: Scan, text: string, i: number): number {
  let at = i + 1
  if (scan.state.quote === ESCAPED_QUOTE) while (at < i + 3 && text.charCodeAt(at) === BACKSLASH) at++
  if (at >= text.length) return 0
  const c = text.charCodeAt(at++)
  if (c !== LETTER_U) {
    scan.unit = unescaped(c) || -1
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
  scan.unit = unit
  return at
}

function readEscape(scan: Scan, text: string, i: number): number {
  const end = endOfEscape(scan, text, i)
  if (end === 0) return hold(scan, text, i)
  const isEscapedDocument = scan.state.quote === ESCAPED_QUOTE
  const slash = isEscapedDocument ? text.lastIndexOf('\\', end - 2) : i
  const c = text.charCodeAt(slash + 1)
  if (c === QUOTE && isEscapedDocument && slash === i) return endString(scan, i, end)

  let { unit } = scan
  const isInvalid = unit < 0
  if (c === APOSTROPHE || c === BACKTICK) {
    repairString(scan, ESCAPED_APOSTROPHE, 'invalid-escape', 'lossless', i, end - 1)
    unit = c
  }
  if (unit < 0) return readInvalidEscape(scan, text, i, slash, c === LETTER_U ? end : end - 1)

  // Before it may be held, because a string that is too long fails there as well.
  if (c === LETTER_U || unit < SPACE) noteEscape(scan, i, end - 1)
  if (isHighSurrogate(unit) && !isKnown(scan, text, end)) return holdHigh(scan, text, i, end - 1)
  takeDecoded(scan, String.fromCharCode(unit), end - 1, i)
  if (isInvalid || isEscapedDocument) rewriteInString(scan, i, end, escapeUnit(unit))
  return end
}

/**
 * An escape that stands for another character. In a string where a backslash was kept, it may have been meant to be
 * text, too.
 *
 *     "C:\docs|\notes"
 */
function noteEscape(scan: Scan, i: number, last: number): void {
  if ((scan.state.reported & KEEPS_BACKSLASH) !== 0)
    repairString(scan, INVALID_ESCAPE, 'invalid-escape', 'guess', i, last)
  scan.state.reported |= HAS_ESCAPE
}

/** `\q`, or `\u12` and then no digit: it was text, up to `end`, where that shows. */
function readInvalidEscape(scan: Scan, text: string, i: number, slash: number, end: number): number {
  const literal = text.slice(slash, end)
  const isText = literal.length === 1 && slash === i && NEVER_ESCAPED.test(text.charAt(end))
  if (isText && (scan.state.reported & (HAS_ESCAPE | INVALID_ESCAPE)) === 0)
    repairString(scan, KEEPS_BACKSLASH, 'invalid-escape', 'lossless', i, end)
  else repairString(scan, INVALID_ESCAPE, 'invalid-escape', 'guess', i, end)
  takeDecoded(scan, literal, end, i)
  rewriteInString(scan, i, end, `\\${literal}`)
  // What a backslash stands before is text, too, even if it is a curly quote that would close.
  if (literal.length > 1 || quoteKind(text.charCodeAt(end)) !== scan.state.quote) return end
  takeDecoded(scan, text.charAt(end), end, end)
  return end + 1
}

// ── decoded text ─────────────────────────────────────────────────────────────────────────────────

/** How many more characters the open string may have. */
export function remaining({ limits, state }: Scan): number {
  return (state.mode === KEY_STRING ? limits.keyLength : limits.stringLength) - state.stringLength
}

/** The string is too long, which shows at `i`. The handler receives what stands before `certain` first. */
export function failAsTooLong(scan: Scan, i: number, certain: number): never {
  flushDecoded(scan)
  commitString(scan, certain)
  stop(scan, scan.state.mode === KEY_STRING ? 'key-length' : 'string-length', i)
}

/** The first half of a pair stands from `i` to `last`, and the second is not there. */
function holdHigh(scan: Scan, text: string, i: number, last: number): number {
  if (remaining(scan) < 1) failAsTooLong(scan, last, i)
  return hold(scan, text, i)
}

/** Takes plain text. */
function takePlain(scan: Scan, text: string, from: number, to: number): void {
  const end = Math.min(to, from + remaining(scan))
  if (isDecoded(scan)) scan.decoded += text.slice(from, end)
  if (end < to) failAsTooLong(scan, end, end)
  scan.state.stringLength += to - from
}

/** Takes decoded text that is written in another way, from `from` to `last`: all of it or nothing. */
function takeDecoded(scan: Scan, decoded: string, last: number, from: number): void {
  if (decoded.length > remaining(scan)) failAsTooLong(scan, last, from)
  if (isDecoded(scan)) scan.decoded += decoded
  scan.state.stringLength += decoded.length
}

function isDecoded({ state }: Scan): boolean {
  return state.decoding || state.mode === KEY_STRING
}

/** Hands on what was decoded: a key keeps it, a value's handler receives it. */
export function flushDecoded(scan: Scan): void {
  const { decoded, state } = scan
  if (decoded === '') return
  scan.decoded = ''
  if (state.mode === KEY_STRING) state.token += decoded
  else scan.handler.delta(decoded)
}

/** What stands before `index` in the string is certain. Of a key nothing is before its value begins. */
export function commitString(scan: Scan, index: number): void {
  if (scan.state.mode === STRING) commit(scan, index)
}

function rewriteInString(scan: Scan, from: number, to: number, canonical: string): void {
  commitString(scan, from)
  rewrite(scan, from, to, canonical)
}

/** Reports a repair inside a string: once per string, and after the text before it, whatever the chunking. */
export function repairString(
  scan: Scan,
  bit: number,
  code: JsonRepairCode,
  repairClass: RepairClass,
  at: number,
  i: number,
): void {
  const { state } = scan
  if ((state.reported & bit) !== 0) return
  state.reported |= bit
  flushDecoded(scan)
  commitString(scan, at)
  repair(scan, code, repairClass, i, state.offset + at)
}

// ── the end ──────────────────────────────────────────────────────────────────────────────────────

/** A closing quote, from `start` to `end`. Where a delimiter closes strings, it only may close. */
function endString(scan: Scan, start: number, end: number): number {
  const { state } = scan
  flushDecoded(scan)
  if (state.mode === STRING && scan.rules.lookahead !== null && state.quote !== ESCAPED_QUOTE) {
    commit(scan, start)
    park(scan, start)
    state.mode = MAYBE_CLOSED
    state.lookahead = scan.chunk.slice(start, end)
    state.lookaheadHasComma = false
    return end
  }
  if (state.quote !== QUOTE) rewrite(scan, start, end, '"')
  if (state.mode === KEY_STRING) {
    state.spaced = false
    state.mode = COLON
  } else {
    scan.tokenEnd = state.offset + end
    closeString(scan, end)
  }
  return end
}

export function closeString(scan: Scan, end: number): void {
  commit(scan, end)
  scan.handler.closeString()
  afterValue(scan.state, false)
}
