/** Options of a JSON parser that there are not, found before they are missed. */

import { SluiceError } from '../errors.ts'
import { checkNames, checkOptions, type KnownOptions } from '../options.ts'
import { DEFAULT_JSON_LIMITS } from './handler.ts'
import type { JsonParserOptions } from './parser.ts'

const OPTIONS: KnownOptions<JsonParserOptions> = {
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
  checkOptions(options, OPTIONS)
  const { limits = {} } = options
  checkNames('There is no limit', limits, LIMITS)
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new SluiceError(
        'invalid-option',
        `The limit '${name}' must be a number of at least 0, not ${String(value)}.`,
      )
}
