/** The vocabulary of tolerant reading: odd whitespace, odd quotes, and what an unquoted run of text means. */

/** A quote written `\"`, in a document that was escaped as a whole. */
export const ESCAPED_QUOTE = -1

const CURLY_DOUBLE = 0x201d
const CURLY_SINGLE = 0x2019

/** The kind of quote a character is, or 0. Curly quotes of both directions are one kind, as models mix them. */
export function quoteKind(code: number): number {
  switch (code) {
    case 0x22:
    case 0x27:
    case 0x60:
      return code
    case 0x201c:
    case 0x201d:
    case 0x201e:
      return CURLY_DOUBLE
    case 0x2018:
    case 0x2019:
    case 0x201a:
      return CURLY_SINGLE
    default:
      return 0
  }
}

const SPACE = /[\s\u200b]/

/** Whitespace to people and to Unicode; asked where what is whitespace to JSON has been passed already. */
export function isOddSpace(code: number): boolean {
  return SPACE.test(String.fromCharCode(code))
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** A letter, `_` or `$`: what an unquoted key begins with. */
export function isWordStart(code: number): boolean {
  const lower = code | 32
  return (lower >= 97 && lower <= 122) || code === 95 || code === 36
}

/** What an unquoted key goes on with. */
export function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code) || code === 46 || code === 45
}

/** What an unquoted run stands for. `canonical` is how it is written as JSON. */
export type BareMeaning =
  | {
      readonly kind: 'literal'
      readonly value: boolean | null
      readonly canonical: string
      readonly alias: boolean
    }
  | { readonly kind: 'number'; readonly value: number; readonly canonical: string; readonly form: boolean }
  | { readonly kind: 'non-finite' | 'ellipsis' | 'string' }

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

const NON_FINITE = new Set(['NaN', 'Infinity', '+Infinity', '-Infinity', '+NaN', '-NaN'])

/** `+5`, `.5`, `5.` beside what JSON allows; a leading zero means that it is not a number (`01234`). */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function meaningOf(run: string): BareMeaning {
  const literal = LITERALS.get(run)
  if (literal !== undefined) {
    const canonical = String(literal)
    return { kind: 'literal', value: literal, canonical, alias: canonical !== run }
  }
  if (NON_FINITE.has(run)) return { kind: 'non-finite' }
  if (run === '...') return { kind: 'ellipsis' }
  if (JSON_NUMBER.test(run)) return { kind: 'number', value: Number(run), canonical: run, form: false }
  if (NUMBER.test(run)) {
    const canonical = run
      .replace(/^\+/, '')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?!\d)/, '')
    return { kind: 'number', value: Number(canonical), canonical, form: true }
  }
  return { kind: 'string' }
}

/** One UTF-16 unit as it stands inside a JSON string. */
export function escapeUnit(unit: number): string {
  return JSON.stringify(String.fromCharCode(unit)).slice(1, -1)
}
