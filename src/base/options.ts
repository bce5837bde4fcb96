/** Rejects unknown options and options of the wrong type, for callers that no compiler has checked. */

import { type ErrorCode, SluiceError } from './errors.ts'
import { didYouMean } from './nearest.ts'

/** What an option takes: a type, one of some words, or `any`, for those that are looked at elsewhere. */
export type OptionKind =
  | ('any' | 'boolean' | 'number' | 'string' | 'function' | 'object' | 'list')
  | readonly string[]

/** All options of a function. The compiler sees to it that none is forgotten. */
export type KnownOptions<Options> = Readonly<Record<keyof Options, OptionKind>>

/**
 * Throws for an option that there is not, or that has another type. One that is undefined is not given. `what`: what
 * the options are to a reader of the message.
 *
 *     checkOptions({ sped: 2 }, { speed: 'number' })   // There is no option 'sped'; did you mean 'speed'?
 */
export function checkOptions<Options extends object>(
  options: Options,
  known: KnownOptions<Options>,
  what = 'option',
): void {
  checkOption('options', options, 'object')
  checkNames(`There is no ${what}`, options, known)
  for (const name of Object.keys(options) as (keyof Options & string)[])
    if (options[name] !== undefined) checkOption(name, options[name], known[name])
}

/** Throws for a name that is not among the known ones. `complaint`: what is said before the name. */
export function checkNames(
  complaint: string,
  given: object,
  known: object,
  code: ErrorCode = 'invalid-option',
): void {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name))
      throw new SluiceError(code, unknownName(complaint, name, Object.keys(known)))
}

/**
 * `There is no option 'sped'; did you mean 'speed'?`, or `…; use one of speed, step.` if no name is near. `accepted`:
 * what may have been meant, if that is more than what is listed.
 */
export function unknownName(
  complaint: string,
  name: string,
  known: readonly string[],
  accepted = known,
): string {
  const guess = didYouMean(name, accepted)
  return `${complaint} '${name}'${guess === '' ? `; use one of ${known.join(', ')}.` : guess}`
}

/** Throws unless the value is of this kind: for an option that must be given, or for what is passed beside them. */
export function checkOption(name: string, value: unknown, kind: OptionKind): void {
  const isWord = typeof kind === 'object'
  if (kind === 'any' || (isWord ? kind.includes(value as string) : kind === kindOf(value))) return
  const wanted = isWord ? `is ${choice(kind)}` : `takes ${noun(kind)}`
  throw wrongOption(`'${name}' ${wanted}, not ${shown(value)}.`)
}

export function wrongOption(message: string): SluiceError {
  return new SluiceError('invalid-option', message)
}

/** `'a', 'b' or 'c'`. */
export function choice(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`)
  const last = quoted.pop()
  return `${quoted.join(', ')} or ${last}`
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function noun(kind: string): string {
  return `${kind === 'object' ? 'an' : 'a'} ${kind}`
}

/** A value in a message, as far as it can be written down. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return Object(value) === value ? described(value) : String(value)
}

const EXCERPT_LENGTH = 40

/** The beginning of a text in a message, on one line. */
export function excerpt(text: string, length = EXCERPT_LENGTH): string {
  const line = text.slice(0, length).replace(/\s+/g, ' ').trim()
  return text.length > length ? `${line}…` : line
}

/** What a value is, where what it says would be too long. */
export function described(value: unknown): string {
  return value === null ? 'null' : noun(kindOf(value))
}
