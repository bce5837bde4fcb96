/**
 * Numbers that a JavaScript number would change. A tool never gets one as another number:
 *
 *     {"id": 9007199254740993}           a bigint, or refused
 *     {"sum": 19.99999999999999999999}   refused: it would be 20
 */

import type { JsonValue } from '../../base/event.ts'
import { Path } from '../../base/path.ts'
import { integerOf, isHeld } from '../numbers/exact.ts'
import { parseWritten, writtenNumber } from '../numbers/written.ts'
import type { Issue } from './validate.ts'

const LARGEST = Number.MAX_SAFE_INTEGER
const RANGE = `must be from ${-LARGEST} to ${LARGEST}, because a larger integer may lose digits`

const MAX_ISSUES = 100

/** Ten digits and a point. Longer ones may be what was left of more digits. */
const LONGEST = 11

type Container = { [key: string | number]: unknown }

/** A number, a list or an object in a value, and where it stands. */
interface Place {
  readonly container: Container
  readonly key: string | number
  readonly path: Path
}

/**
 * The numbers in a value that are not what was written: one that may lose digits and has no text beside it, and one that
 * differs from its text.
 */
export function lostNumbersIn(value: JsonValue, mayBeText: MayBeText = () => false): Issue[] {
  const issues: Issue[] = []
  visit(value, ({ container, key, path }, number) => {
    const lexeme = writtenNumber(container, key)
    const isLost = lexeme === undefined ? mayBeRounded(number) : !isHeld(lexeme, number as number)
    // JSON has no word for a number that is too large for the language: that is somebody else's problem.
    if (isLost && Number.isFinite(number)) issues.push(issueAt(path, lexeme ?? String(number), mayBeText))
    return issues.length < MAX_ISSUES
  })
  return issues
}

/** Whether a string may stand at a place, so that a number can be written in quotes. */
type MayBeText = (path: Path) => boolean

/**
 * Puts bigints in place of integers that a number cannot hold, as their text has them. `all`: also of those beyond 2^53 that
 * it can.
 */
export function withBigInts(value: JsonValue, all: boolean): void {
  visit(value, ({ container, key }, number) => {
    const lexeme = writtenNumber(container, key)
    if (lexeme === undefined || Number.isSafeInteger(number)) return true
    const integer = all || !isHeld(lexeme, number as number) ? integerOf(lexeme) : undefined
    if (integer !== undefined)
      Object.defineProperty(container, key, {
        value: integer,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    return true
  })
}

/** JSON text as a value in which integers beyond 2^53 are bigints; undefined where another number would be changed. */
export function readWithBigInts(json: string): JsonValue | undefined {
  const list = parseWritten(`[${json}]`) as [JsonValue]
  withBigInts(list, true)
  return lostNumbersIn(list).length === 0 ? list[0] : undefined
}

/** Whether a value has an integer that may have lost digits before anybody here saw its text. */
export function hasRounded(value: JsonValue): boolean {
  let isFound = false
  visit(value, ({ container, key }, number) => {
    isFound = mayBeRounded(number) && writtenNumber(container, key) === undefined
    return !isFound
  })
  return isFound
}

/** An issue for each bigint in a value. */
export function bigIntsIn(value: JsonValue, mayBeText: MayBeText): Issue[] {
  const issues: Issue[] = []
  visit(value, ({ path }, number) => {
    if (typeof number === 'bigint') issues.push(issueAt(path, String(number), mayBeText))
    return issues.length < MAX_ISSUES
  })
  return issues
}

function issueAt(path: Path, lexeme: string, mayBeText: MayBeText): Issue {
  const [what, advice] =
    integerOf(lexeme) !== undefined
      ? [RANGE, undefined]
      : Number(lexeme) === 0
        ? ['is too small for a number', 'write 0 if that is meant']
        : ['has more digits than a number keeps', 'write at most 15']
  const told = mayBeText(path) ? 'write it in quotes' : advice
  return { path: path.pointer, keyword: 'type', message: told === undefined ? what : `${what}; ${told}` }
}

/**
 * Whether a number without a text may be another one than was written: 9007199254740993 becomes 9007199254740992, and 1e20
 * cannot be told from 100000000000000000001. From 1e21 on JavaScript writes an exponent. A number that then has few digits,
 * such as 6.02214076e+23, was most likely written with an exponent, too.
 */
function mayBeRounded(value: number | bigint): boolean {
  if (typeof value === 'bigint' || !Number.isInteger(value) || Number.isSafeInteger(value)) return false
  const [digits = ''] = String(Math.abs(value)).split('e')
  return digits.length > LONGEST
}

/** Each number in a value, until the visitor answers false. No recursion: values can be deep. */
function visit(root: JsonValue, see: (place: Place, number: number | bigint) => boolean): void {
  const open: (readonly [Container, Path])[] = [[{ root }, Path.root]]
  for (const [container, path] of open) {
    const isRoot = open[0]![0] === container
    for (const key of Object.keys(container)) {
      const value = container[key]
      const at = Array.isArray(container) ? Number(key) : key
      const inner = isRoot ? path : path.child(at)
      if (typeof value === 'number' || typeof value === 'bigint') {
        if (!see({ container, key: at, path: inner }, value)) return
      } else if (typeof value === 'object' && value !== null) open.push([value as Container, inner])
    }
  }
}
