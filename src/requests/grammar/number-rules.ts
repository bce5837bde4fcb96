/** The rules for numbers as JSON writes them. */

import { choice, type GrammarRule, literal, optional, sequence } from './grammar-rule.ts'

function digits(set: string, least: number, most: number): GrammarRule {
  return { kind: 'characters', set, least, most }
}

/** No number has more digits: a double holds as many. */
const MOST_DIGITS = 15
/** No number with an exponent has more: what is left of it as a double has few digits, so that none can be missing. */
const MOST_BEFORE_EXPONENT = 10
const HIGHEST = 10 ** MOST_DIGITS - 1

const SIGN = optional(literal('-'))
const E = digits('eE', 1, 1)
/** Numbers stay far from what a double cannot hold: one that is infinite would make the call invalid. */
const BELOW_200 = choice(digits('0-9', 1, 2), sequence(literal('1'), digits('0-9', 2, 2)))
/** With those between, a number could be taken for an integer that has lost digits. */
const BELOW_15_OR_FROM_21 = choice(
  digits('0-9', 1, 1),
  sequence(literal('1'), digits('0-4', 1, 1)),
  sequence(literal('2'), digits('1-9', 1, 1)),
  sequence(digits('3-9', 1, 1), digits('0-9', 1, 1)),
  sequence(literal('1'), digits('0-9', 2, 2)),
)
const EXPONENT = choice(
  sequence(E, literal('-'), BELOW_200),
  sequence(E, optional(literal('+')), BELOW_15_OR_FROM_21),
)

/** Numbers without an exponent: for each number of digits before the point, as many behind it as are left. */
const DECIMALS = Array.from({ length: MOST_DIGITS - 1 }, (_, more) =>
  sequence(
    more === 0 ? digits('0-9', 1, 1) : sequence(digits('1-9', 1, 1), digits('0-9', more, more)),
    optional(sequence(literal('.'), digits('0-9', 1, MOST_DIGITS - 1 - more))),
  ),
)

const NOT_NEGATIVE = choice(
  ...DECIMALS,
  sequence(digits('1-9', 1, 1), digits('0-9', MOST_DIGITS - 1, MOST_DIGITS - 1)),
  sequence(
    digits('0-9', 1, 1),
    optional(sequence(literal('.'), digits('0-9', 1, MOST_BEFORE_EXPONENT - 1))),
    EXPONENT,
  ),
)

export const NUMBERS = {
  integer: choice(literal('0'), sequence(SIGN, digits('1-9', 1, 1), digits('0-9', 0, MOST_DIGITS - 1))),
  number: sequence(SIGN, NOT_NEGATIVE),
  'number-from-0': NOT_NEGATIVE,
} as const

/** The integers from one to another; undefined where there are none. */
export function integersBetween(lowest: number, highest: number): GrammarRule | undefined {
  const low = Math.max(Math.ceil(lowest), -HIGHEST)
  const high = Math.min(Math.floor(highest), HIGHEST)
  const ways: GrammarRule[] = []
  if (low < 0 && low <= high) ways.push(sequence(literal('-'), positive(Math.max(1, -high), -low)))
  if (low <= 0 && high >= 0) ways.push(literal('0'))
  if (high > 0 && low <= high) ways.push(positive(Math.max(1, low), high))
  return ways.length === 0 ? undefined : choice(...ways)
}

/** Positive integers: those of each number of digits. */
function positive(low: number, high: number): GrammarRule {
  const ways: GrammarRule[] = []
  for (let from = low; from <= high; ) {
    const to = Math.min(high, 10 ** String(from).length - 1)
    ways.push(ofSameLength(String(from), String(to)))
    from = to + 1
  }
  return choice(...ways)
}

/**
 * The digits from one number to another that has as many: `25` to `48` is `2` and a digit from 5, `3` and any, `4` and a digit
 * up to 8.
 */
function ofSameLength(low: string, high: string): GrammarRule {
  const { length } = low
  if (length === 0) return literal('')
  if (low[0] === high[0]) return sequence(literal(low[0]!), ofSameLength(low.slice(1), high.slice(1)))
  const isFromZeros = /^0*$/.test(low.slice(1))
  const isToNines = /^9*$/.test(high.slice(1))
  const first = Number(low[0]) + (isFromZeros ? 0 : 1)
  const last = Number(high[0]) - (isToNines ? 0 : 1)
  const ways: GrammarRule[] = []
  if (!isFromZeros) ways.push(sequence(literal(low[0]!), ofSameLength(low.slice(1), '9'.repeat(length - 1))))
  if (first <= last)
    ways.push(sequence(digits(`${first}-${last}`, 1, 1), digits('0-9', length - 1, length - 1)))
  if (!isToNines) ways.push(sequence(literal(high[0]!), ofSameLength('0'.repeat(length - 1), high.slice(1))))
  return choice(...ways)
}
