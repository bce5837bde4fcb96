/** A whole answer in the types of a schema. */

import { SluiceError } from '../../../base/errors.ts'
import { checkOptions } from '../../../base/options.ts'
import { type InferOutput, isStandardSchema, type StandardSchemaV1 } from '../../schema/standard.ts'
import { conclude, PlainReading, readWhole, type WatchResult } from '../reading.ts'
import { type ObjectOptions, READING_OPTIONS, typesOf } from '../reading-options.ts'
import { TypedReading } from './typed-reading.ts'

/**
 * Reads a model's answer as `watchObject` does, but all at once: the value that the schema accepts, what was repaired and
 * converted for it, or what is wrong. No text makes it throw.
 *
 *     parseObject('Sure: {"Title": "Soup", "minutes": "20"}', recipeSchema)
 *
 * A schema that validates asynchronously throws `invalid-schema`: use `watchObject(text, schema).result`.
 */
export function parseObject<Schema extends StandardSchemaV1>(
  text: string,
  schema: Schema,
  options: ObjectOptions = {},
): WatchResult<InferOutput<Schema>> {
  if (typeof text !== 'string')
    throw new SluiceError('invalid-source', `JSON is read from text, not from ${typeof text}.`)
  if (!isStandardSchema(schema))
    throw new SluiceError('invalid-schema', 'parseObject takes a Standard Schema (Zod, Valibot, ArkType, …).')
  checkOptions(options, READING_OPTIONS)
  const types = typesOf(schema, options)
  const reading = types === undefined ? new PlainReading(options) : new TypedReading(types, options)
  readWhole(reading, text, options)
  reading.end()
  const result = conclude(reading, schema)
  if ('then' in result)
    throw new SluiceError(
      'invalid-schema',
      'This schema validates asynchronously: use watchObject(text, schema).',
    )
  return result as WatchResult<InferOutput<Schema>>
}
