/** The vocabulary of tolerant reading: whitespace of Unicode, other quotes, and what an unquoted value means. */

import type { JsonRepairCode } from '../handler.ts'

/** A quote written `\"`, in a document that was escaped as a whole. */
export const ESCAPED_QUOTE = -1

const CURLY_DOUBLE = 0x201d
const CURLY_SINGLE = 0x2019

/** The kind of quote a character is, or 0. Curly quotes of both directions are one kind, as models mix them. */
export function quoteKind(code: number): number {
  if (code === 0x22 || code === 0x27 || code === 0x60) return code
  if (code >= 0x201c && code <= 0x201e) return CURLY_DOUBLE
  return code >= 0x2018 && code <= 0x201a ? CURLY_SINGLE : 0
}

const SPACE = /[\s\u200b]/

/** Whether it is whitespace in Unicode. Called where the whitespace of JSON has been skipped already. */
export function isUnicodeSpace(code: number): boolean {
  return SPACE.test(String.fromCharCode(code))
}

/** Of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Where that ends which a sticky pattern finds at `i`. */
export function endOf(pattern: RegExp, text: string, i: number): number {
  pattern.lastIndex = i
  pattern.test(text)
  return pattern.lastIndex
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The value of a number or a literal of JSON; undefined if it is neither. */
export function scalarOf(run: string): number | boolean | null | undefined {
  if (JSON_NUMBER.test(run)) return Number(run)
  return run === 'null' ? null : run === 'true' || (run === 'false' ? false : undefined)
}

/** Whether a number or a literal can begin so, and more of it may come. */
export function isBeginning(run: string): boolean {
  return (
    scalarOf(run) !== undefined ||
    JSON_NUMBER.test(`${run}0`) ||
    ['true', 'false', 'null'].some((word) => word.startsWith(run))
  )
}

/** What an unquoted value stands for. */
export interface Meaning {
  /** Undefined if it stands for itself. */
  readonly value: number | boolean | null | undefined
  /** How it is written as JSON. */
  readonly canonical: string
  /** What it takes to read it so; null where it is JSON. */
  readonly repair: JsonRepairCode | null
}

const ALIASES = new Map<string, string>([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['NULL', 'null'],
  ['None', 'null'],
  ['undefined', 'null'],
])

/** Numbers that JSON does not have, and that are their text here. */
const NON_FINITE = /^[+-]?(?:NaN|Infinity)$/

/** `+5`, `.5`, `5.` beside what JSON allows; a leading zero means that it is not a number (`01234`). */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

export function meaningOf(run: string): Meaning {
  let canonical = ALIASES.get(run) ?? run
  let repair: JsonRepairCode | null = canonical === run ? null : 'literal-alias'
  if (NUMBER.test(run)) {
    canonical = run
      .replace(/^\+/, '')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?!\d)/, '')
    if (canonical !== run) repair = 'number-form'
  }
  const value = scalarOf(canonical)
  if (value === undefined)
    repair = NON_FINITE.test(run) ? 'non-finite' : run === '...' ? 'ellipsis' : 'bare-string'
  return { value, canonical, repair }
}

/** One UTF-16 unit as it stands inside a JSON string. */
export function escapeUnit(unit: number): string {
  return JSON.stringify(String.fromCharCode(unit)).slice(1, -1)
}
