/** JSON between its tokens, and which function reads on in each mode. */

import { drop } from './canonical-copy.ts'
import { afterComma, closeContainer, endKey, isInArray, openContainer } from './containers.ts'
import {
  AFTER,
  ARRAY_FIRST,
  ARRAY_NEXT,
  BARE,
  BARE_KEY,
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COLON_SIGN,
  COMMA,
  EQUALS,
  HYPHEN,
  isSpace,
  KEY,
  KEY_STRING,
  LITERAL,
  MAYBE_CLOSED,
  NINE_DIGIT,
  NUMBER,
  NUMBER_KEY,
  OBJECT_FIRST,
  QUOTE,
  ZERO_DIGIT,
} from './grammar.ts'
import { beginScalar, finishRootScalar, isInScalar, readBare, readScalar } from './scalars.ts'
import { fail, type Scan } from './scan.ts'
import { openString, readString } from './strings.ts'
import { readBareKey, readEquals, readSkipped, readTolerated } from './tolerated.ts'

/** Takes what stands at `i`, as the mode says. Returns the index behind it. */
export function readNext(scan: Scan, text: string, i: number): number {
  const { mode } = scan.state
  if (mode <= AFTER) return readStructure(scan, text, i)
  if (mode <= KEY_STRING) return readString(scan, text, i)
  if (mode <= LITERAL) return readScalar(scan, text, i)
  switch (mode) {
    case BARE:
      return readBare(scan, text, i)
    case BARE_KEY:
    case NUMBER_KEY:
      return readBareKey(scan, text, i)
    case EQUALS:
      return readEquals(scan, text, i)
    case MAYBE_CLOSED:
      return scan.rules.lookahead?.read(scan, text, i) ?? fail(scan, 'token', i)
    default:
      return readSkipped(scan, text, i)
  }
}

/** The text is over outside of containers: a value that only more text could continue is complete. */
export function finishRoot(scan: Scan): void {
  if (scan.state.mode === MAYBE_CLOSED) scan.rules.lookahead?.end(scan)
  else if (isInScalar(scan.state)) finishRootScalar(scan)
}

/** Skips whitespace and takes one structural character, or begins the token that stands there. */
function readStructure(scan: Scan, text: string, i: number): number {
  const { state } = scan
  let c = text.charCodeAt(i)
  if (isSpace(c)) {
    state.spaced = true
    do {
      if (++i === text.length) return i
      c = text.charCodeAt(i)
    } while (isSpace(c))
  }
  const { mode } = state
  if (mode === AFTER) {
    if (c === COMMA) {
      afterComma(state, isInArray(state) ? ARRAY_NEXT : KEY, i)
      return i + 1
    }
    if (c === BRACE_CLOSE || c === BRACKET_CLOSE) return closeContainer(scan, c, i)
  } else if (mode === COLON) {
    if (c === COLON_SIGN) {
      endKey(scan, i)
      return i + 1
    }
  } else if (c === QUOTE) {
    if (state.depth === 0) drop(scan, i)
    return openString(scan, QUOTE, i + 1)
  } else if (mode >= OBJECT_FIRST) {
    if (c === BRACE_CLOSE && mode === OBJECT_FIRST) return closeContainer(scan, c, i)
  } else if (c === BRACE_OPEN || c === BRACKET_OPEN) return openContainer(scan, c, i)
  else if (c === BRACKET_CLOSE && mode === ARRAY_FIRST) return closeContainer(scan, c, i)
  else if ((c >= ZERO_DIGIT && c <= NINE_DIGIT) || c === HYPHEN) return beginScalar(scan, NUMBER, i)
  else if (c === 0x74 || c === 0x66 || c === 0x6e) return beginScalar(scan, LITERAL, i)
  return readTolerated(scan, text, i)
}
