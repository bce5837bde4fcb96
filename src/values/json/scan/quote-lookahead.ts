/**
 * Quote lookahead: where a delimiter closes strings, the text behind a quote tells whether the quote closed its string.
 *
 *     {"say": "he said "hi" and left"}
 */

import { commit, resume, rewrite } from './canonical-copy.ts'
import { isInObject } from './containers.ts'
import { BRACE_CLOSE, BRACKET_CLOSE, COLON_SIGN, COMMA, isSpace, KEY, STRING } from './grammar.ts'
import { fail, type Scan } from './scan.ts'
import { CONTROL_CHAR, closeString, failAsTooLong, INNER_QUOTE, remaining, repairString } from './strings.ts'
import { escapeUnit, quoteKind } from './tolerance.ts'

export interface QuoteLookahead {
  /** Reads on behind a quote that may have closed its string. */
  read(scan: Scan, text: string, i: number): number
  /** The text is over: the quote closed its string. */
  end(scan: Scan): void
}

export const QUOTE_LOOKAHEAD: QuoteLookahead = {
  read: readLookahead,
  end: (scan) => void closeAtQuote(scan, 0),
}

/**
 * After a quote, until the next significant character tells whether it closed.
 *
 *     "say "|hi" now"
 */
function readLookahead(scan: Scan, text: string, i: number): number {
  const { state, rules } = scan
  const start = i
  let c = 0
  for (; i < text.length; i++) {
    c = text.charCodeAt(i)
    if (isSpace(c)) continue
    if (c === COMMA && !state.lookaheadHasComma && rules.tolerant && isInObject(state)) {
      state.lookaheadHasComma = true
      state.commaAt = state.offset + i
      continue
    }
    break
  }
  state.lookahead += text.slice(start, i)
  if (i === text.length) return i
  const delimits =
    c === BRACE_CLOSE ||
    c === BRACKET_CLOSE ||
    (state.lookaheadHasComma ? quoteKind(c) !== 0 : c === COMMA || (c === COLON_SIGN && rules.tolerant))
  if (delimits) return closeAtQuote(scan, i)
  return rules.tolerant ? keepAsText(scan, i) : fail(scan, 'token', i)
}

/** The quote closed the string. `i`: the index behind the lookahead. */
function closeAtQuote(scan: Scan, i: number): number {
  const { state } = scan
  const skipped = state.lookahead.slice(1)
  state.lookahead = ''
  scan.tokenEnd = state.offset + i - skipped.length
  resume(scan, i)
  rewrite(scan, i, i, '"')
  closeString(scan, i)
  if (state.status === 'done') return i
  state.spaced = skipped !== ''
  if (state.lookaheadHasComma) {
    state.mode = KEY
    state.afterEllipsis = false
  }
  rewrite(scan, i, i, skipped)
  return i
}

/** The quote, and what follows it up to `i`, is text of the string. */
function keepAsText(scan: Scan, i: number): number {
  const { state } = scan
  const literal = state.lookahead
  const start = i - literal.length
  repairString(scan, INNER_QUOTE, 'inner-quote', 'guess', start, i)
  const control = literal.search(/[\n\r\t]/)
  if (control >= 0) repairString(scan, CONTROL_CHAR, 'control-char', 'lossless', start + control, i)
  if (literal.length > remaining(scan)) failAsTooLong(scan, i, i)
  state.stringLength += literal.length
  if (state.decoding) scan.handler.delta(literal)
  let canonical = ''
  for (let k = 0; k < literal.length; k++) canonical += escapeUnit(literal.charCodeAt(k))
  resume(scan, i)
  rewrite(scan, i, i, canonical)
  commit(scan, i)
  state.lookahead = ''
  state.mode = STRING
  return i
}
