/** What a character does to the flow of speech, in whatever script it is written. */

import { isHighSurrogate } from '../../../../base/surrogates.ts'

/** The first half of a pair whose second half has not come. */
export const UNKNOWN = 0
/** Nothing: a letter, a digit, a sign. */
export const ORDINARY = 1
/** Space that is no line break. */
export const SPACE = 2
export const NEWLINE = 3
/** A full stop that also stands in numbers, abbreviations and names of files. */
export const DOT = 4
/** A mark that ends a sentence where space follows: `!`, `?`. */
export const MARK = 5
/** A mark that ends a sentence wherever it stands: `。`, `।`, `؟`. */
export const STOP = 6
/** A mark that ends a clause where space follows: `,`, `;`. */
export const COMMA = 7
/** A mark that ends a clause wherever it stands: `，`, `،`, a dash. */
export const BREAK = 8
/** Closes what is around a sentence, so that it belongs to it: brackets, quotes, emphasis. */
export const CLOSER = 9
export const BACKTICK = 10
export const BRACKET = 11

const KNOWN: readonly (readonly [kind: number, characters: string])[] = [
  [SPACE, ' \t\r\f\v'],
  [NEWLINE, '\n'],
  [DOT, '.…．﹒'],
  [MARK, '!?'],
  [STOP, '།༎๚๛\u037e'],
  [COMMA, ',;:–'],
  [BREAK, '—၊'],
  [CLOSER, '"\')]}*_“«‹'],
  [BACKTICK, '`'],
  [BRACKET, '['],
]

/** Filled as characters come, because asking for a property of Unicode costs more than looking it up. */
const kinds = new Uint8Array(0x10000)
for (const [kind, characters] of KNOWN)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind

/** The kind of the character at this place. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = kinds[code]!
  if (known !== 0) return known
  // Outside the first plane nothing is remembered; terminators there are rare.
  if (isHighSurrogate(code))
    return at + 1 === text.length ? UNKNOWN : kindOf(String.fromCodePoint(text.codePointAt(at)!))
  const kind = kindOf(text[at]!)
  kinds[code] = kind
  return kind
}

function kindOf(character: string): number {
  if (/\s/.test(character)) return SPACE
  if (/\p{Sentence_Terminal}/u.test(character)) return STOP
  if (/\p{Terminal_Punctuation}/u.test(character)) return BREAK
  return /[\p{Close_Punctuation}\p{Final_Punctuation}]/u.test(character) ? CLOSER : ORDINARY
}

export function isSpaceKind(kind: number): boolean {
  return kind === SPACE || kind === NEWLINE
}

export function isLowerCase(character: string): boolean {
  return /\p{Lowercase_Letter}/u.test(character)
}

export function isUpperCase(character: string): boolean {
  return /\p{Uppercase_Letter}/u.test(character)
}

export function isDigit(character: string): boolean {
  return /\p{Decimal_Number}/u.test(character)
}

/** A letter of a script that knows upper and lower case: initials and abbreviations are of these. */
export function isCased(character: string): boolean {
  return /[\p{Lowercase_Letter}\p{Uppercase_Letter}]/u.test(character)
}

/** Scripts that put no space between words: what stands there may end after any character. */
export function isUnspaced(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    character,
  )
}

/** Scripts whose only mark between sentences is a space. */
export function isSpaceEnded(character: string): boolean {
  return /[\p{Script=Thai}\p{Script=Lao}]/u.test(character)
}

/** Part of a word that may go on. */
export function isWordy(character: string): boolean {
  return /[\p{Letter}\p{Mark}\p{Number}\ud800-\udfff_]/u.test(character) && !isUnspaced(character)
}
