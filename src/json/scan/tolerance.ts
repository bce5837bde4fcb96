/** The vocabulary of tolerant reading: odd whitespace, odd quotes, and what an unquoted run of text means. */

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

/** Whitespace to people and to Unicode; asked where what is whitespace to JSON has been passed already. */
export function isOddSpace(code: number): boolean {
  return SPACE.test(String.fromCharCode(code))
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

export function isLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

/** A letter, `_` or `$`: what an unquoted key begins with. */
export function isWordStart(code: number): boolean {
  return isLetter(code) || code === 95 || code === 36
}

/** What an unquoted key goes on with. */
export function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code) || code === 46 || code === 45
}

/** What an unquoted run stands for. */
export interface Meaning {
  /** Undefined if it stands for itself. */
  readonly value: number | boolean | null | undefined
  /** How it is written as JSON. */
  readonly canonical: string
  /** What it takes to read it so; null where it is JSON. */
  readonly repair: JsonRepairCode | null
}

const LITERALS = new Map<string, boolean | null>([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['null', null],
  ['NULL', null],
  ['None', null],
  ['undefined', null],
])

const NON_FINITE = /^[+-]?(?:NaN|Infinity)$/

/** `+5`, `.5`, `5.` beside what JSON allows; a leading zero means that it is not a number (`01234`). */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** What a number or a literal can begin with: more of it may come. */
const BEGINNING =
  /^(?:-?(?:(?:0|[1-9]\d*)(?:\.\d*|(?:\.\d+)?[eE][+-]?\d*)?)?|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)$/

export function isBeginning(run: string): boolean {
  return BEGINNING.test(run)
}

export function meaningOf(run: string): Meaning {
  if (JSON_NUMBER.test(run)) return { value: Number(run), canonical: run, repair: null }
  const value = LITERALS.get(run)
  if (value !== undefined) {
    const canonical = String(value)
    return { value, canonical, repair: canonical === run ? null : 'literal-alias' }
  }
  if (NON_FINITE.test(run)) return { value: Number(run), canonical: 'null', repair: 'non-finite' }
  if (NUMBER.test(run)) {
    const canonical = run
      .replace(/^\+/, '')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?!\d)/, '')
    return { value: Number(canonical), canonical, repair: 'number-form' }
  }
  return { value: undefined, canonical: '', repair: run === '...' ? 'ellipsis' : 'bare-string' }
}

/** One UTF-16 unit as it stands inside a JSON string. */
export function escapeUnit(unit: number): string {
  return JSON.stringify(String.fromCharCode(unit)).slice(1, -1)
}
