/** Options that there are not, found before they are missed. */

import { SluiceError } from '../errors.ts'
import { DEFAULT_JSON_LIMITS } from './handler.ts'

/** The options of a parser with what they take: words, or nothing to check here. */
const OPTIONS: Readonly<Record<string, readonly unknown[] | null>> = {
  mode: ['strict', 'tolerant'],
  duplicateKeys: ['last', 'first', 'error'],
  stringClose: ['quote', 'delimiter'],
  nonFinite: ['string', 'null', 'number', 'error'],
  unwrapStringified: null,
  limits: null,
  onEvent: null,
}

const LIMITS: readonly string[] = [...Object.keys(DEFAULT_JSON_LIMITS), 'totalLength']

export function checkOptions(options: object): void {
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, option)) throw unknown('option', option, Object.keys(OPTIONS))
    const words = OPTIONS[option]
    if (words && value !== undefined && !words.includes(value))
      throw new SluiceError(
        'invalid-option',
        `'${option}' is one of ${words.join(', ')}, not ${JSON.stringify(value)}.`,
      )
    if (option === 'limits' && value !== undefined) checkLimits(value)
  }
}

function checkLimits(limits: unknown): void {
  if (typeof limits !== 'object' || limits === null)
    throw new SluiceError('invalid-option', `'limits' takes an object, not ${JSON.stringify(limits)}.`)
  for (const [name, value] of Object.entries(limits)) {
    if (!LIMITS.includes(name)) throw unknown('limit', name, LIMITS)
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new SluiceError(
        'invalid-option',
        `The limit '${name}' must be a number of at least 0, not ${String(value)}.`,
      )
  }
}

function unknown(what: string, name: string, known: readonly string[]): SluiceError {
  return new SluiceError('invalid-option', `There is no ${what} '${name}'; there are ${known.join(', ')}.`)
}
