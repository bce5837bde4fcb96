/** The numbers and literals of the standard: each ends at the first character that it cannot have there. */

import { HYPHEN, LETTER_E, NINE_DIGIT, NUMBER, PERIOD, PLUS, ZERO_DIGIT } from './grammar.ts'
import { isDelimiter, type ScalarGrammar } from './scalars.ts'
import { type Scan, stop } from './scan.ts'

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

export const STRICT_SCALARS: ScalarGrammar = {
  end: (scan, text, i) =>
    scan.state.mode === NUMBER ? endOfNumber(scan, text, i) : endOfLiteral(scan, text, i),
  endsBefore(next, { depth, mode }) {
    // At the root it is complete at anything that cannot belong to it, but `01` does.
    if (depth === 0) return mode !== NUMBER || next < ZERO_DIGIT || next > NINE_DIGIT
    return isDelimiter(next)
  },
}

function endOfNumber(scan: Scan, text: string, i: number): number {
  const { state } = scan
  const start = i
  let part = state.token === '' ? NUMBER_START : state.numberPart
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
  const over = state.token.length + i - start - scan.limits.numberLength
  if (over > 0) stop(scan, 'number-length', i - over)
  state.numberPart = part
  return i
}

function endOfLiteral({ state: { token } }: Scan, text: string, i: number): number {
  const first = token === '' ? text[i] : token[0]
  const word = first === 't' ? 'true' : first === 'f' ? 'false' : 'null'
  for (let at = token.length; i < text.length && at < word.length && text[i] === word[at]; at++) i++
  return i
}
