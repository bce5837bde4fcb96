/** The vocabulary of literals in other notations than JSON: escapes, words, and what they mean. */

import { jsonNumber } from '../../values/numbers/exact.ts'

/** How many digits an escape has that gives a character by its number. */
export const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }
/** What other escapes stand for. */
export const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

export function isHex(text: string): boolean {
  return [...text].every(
    (digit) =>
      (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f') || (digit >= 'A' && digit <= 'F'),
  )
}

export function isWord(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    (character >= '0' && character <= '9') ||
    character === '_' ||
    character > '\u007f'
  )
}

const WORDS: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  true: 'true',
  false: 'false',
  null: 'null',
}

const INTEGER = /^[+-]?(0[xX][0-9a-fA-F]+|\d+)$/
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** Whether an unquoted word is written like a number: `01234`, `1_000`, `0x1F`, `+49`. */
export function isNumber(word: string): boolean {
  const digits = word.replaceAll('_', '')
  return INTEGER.test(digits) || DECIMAL.test(digits)
}

/** What an unquoted word means, as JSON text: a literal, or a number as it is written. Undefined for any other word. */
export function scalarText(word: string): string | undefined {
  if (Object.hasOwn(WORDS, word)) return WORDS[word]
  const digits = word.replaceAll('_', '')
  const [, sign = '', hexadecimal] = /^([+-]?)(0x.+)$/i.exec(digits) ?? []
  if (INTEGER.test(digits) && hexadecimal !== undefined)
    return `${sign === '-' ? '-' : ''}${BigInt(hexadecimal)}`
  return INTEGER.test(digits) || DECIMAL.test(digits) ? jsonNumber(digits) : undefined
}
