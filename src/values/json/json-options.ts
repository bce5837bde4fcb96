/** The options of a JSON parser. Rejects unknown options and options of the wrong type. */

import { SluiceError } from '../../base/errors.ts'
import { checkNames, checkOptions, type KnownOptions } from '../../base/options.ts'
import type { JsonEvent } from './events.ts'
import { DEFAULT_JSON_LIMITS, type JsonLimits } from './handler.ts'
import type { NonFinite } from './rules.ts'

/** Options of `createJsonParser`. */
export interface JsonParserOptions {
  /** `strict` reads what `JSON.parse` reads, `tolerant` (the default) what models write, reporting every repair. */
  mode?: 'strict' | 'tolerant'
  /** Which of two equal keys counts. `last` by default, as in `JSON.parse`. */
  duplicateKeys?: 'last' | 'first' | 'error'
  /** When a string is complete: at its quote, or at the delimiter after it, which allows for inner quotes. */
  stringClose?: 'quote' | 'delimiter'
  /** What `NaN` and `Infinity` are read as (tolerant only): their text by default. */
  nonFinite?: NonFinite
  /** Reads a root string that holds an object or an array as that (tolerant only). */
  unwrapStringified?: boolean
  limits?: Partial<JsonLimits & { totalLength: number }>
  /** Takes each event as it happens; `push` and `end` then return none. */
  onEvent?: (event: JsonEvent) => void
}

export const JSON_OPTIONS: KnownOptions<JsonParserOptions> = {
  mode: ['strict', 'tolerant'],
  duplicateKeys: ['last', 'first', 'error'],
  stringClose: ['quote', 'delimiter'],
  nonFinite: ['string', 'null', 'number', 'error'],
  unwrapStringified: 'boolean',
  limits: 'object',
  onEvent: 'function',
}

const LIMITS = { ...DEFAULT_JSON_LIMITS, totalLength: 0 }

export function checkJsonOptions(options: JsonParserOptions): void {
  checkOptions(options, JSON_OPTIONS)
  const { limits = {} } = options
  checkNames('There is no limit', limits, LIMITS)
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new SluiceError(
        'invalid-option',
        `The limit '${name}' must be a number of at least 0, not ${String(value)}.`,
      )
}
