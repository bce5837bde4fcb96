/** How an answer is read, and by which types. */

import { SluiceError } from '../../base/errors.ts'
import type { KnownOptions } from '../../base/options.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type StandardSchemaV1, toJsonSchema } from '../schema/standard.ts'
import { checkJsonOptions, JSON_OPTIONS, type JsonParserOptions } from './json-options.ts'

/** A JSON pointer, in which `*` is any key or index; or a type, of values inside the answer. */
export type Hold = `/${string}` | 'string' | 'object' | 'array'

/** Options of `watchObject` and `parseObject`. `hold`, `numbers` and `unwrap` need a schema that gives a JSON Schema. */
export interface ObjectOptions<Held extends Hold = Hold> extends Omit<JsonParserOptions, 'onEvent'> {
  /** What appears only when it is complete. Enums, booleans and numbers always do. */
  hold?: readonly Held[]
  /** `formatted` also reads `"$1,200.50"` and `"1200.5 EUR"` as numbers. Default `plain`. */
  numbers?: 'plain' | 'formatted'
  /** Reads `[{…}]` and `{"ticket": {…}}` as `{…}` where the schema wants that. Default false. */
  unwrap?: boolean
  /** Which of several values in the text is the answer. `last`: nothing is shown before the end. Default `first`. */
  severalValues?: 'first' | 'last'
}

export const READING_OPTIONS: KnownOptions<ObjectOptions & Pick<JsonParserOptions, 'onEvent'>> = {
  ...JSON_OPTIONS,
  hold: 'list',
  numbers: ['plain', 'formatted'],
  unwrap: 'boolean',
  severalValues: ['first', 'last'],
}

const TYPED = ['hold', 'numbers', 'unwrap'] as const

/** Those of the JSON parser. */
export function parserOptions(options: ObjectOptions): JsonParserOptions {
  const { hold, numbers, unwrap, severalValues, ...reading } = options
  return reading
}

/** The types by which an answer is read; undefined: as it is written. Throws for options that cannot be served. */
export function typesOf(
  schema: StandardSchemaV1 | undefined,
  options: ObjectOptions,
): JsonSchema | undefined {
  checkJsonOptions(parserOptions(options))
  for (const one of options.hold ?? [])
    if (!/^(?:\/.*|string|object|array)$/s.test(one))
      throw new SluiceError(
        'invalid-option',
        `'hold' takes JSON pointers and 'string', 'object' or 'array', not ${JSON.stringify(one)}.`,
      )
  const types = schema === undefined ? undefined : toJsonSchema(schema)
  const unserved = types === undefined ? TYPED.find((name) => options[name] !== undefined) : undefined
  if (unserved !== undefined)
    throw new SluiceError(
      'invalid-schema',
      `The option '${unserved}' needs a schema that gives a JSON Schema.`,
    )
  return types
}
