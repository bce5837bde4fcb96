/** Arguments that stand in a text of their own: as JSON if it looks like that, otherwise as elements. */

import { readRelaxed } from '../../../calls/values.ts'
import type { JsonValue } from '../../../event.ts'
import type { JsonSchema } from '../../../schema/json-schema.ts'
import { schemaOfArguments } from '../../../wire/elements.ts'
import { readValue } from '../../../xml/value.ts'

/**
 * Nothing, if they cannot be read.
 *
 *     readArguments('<arguments><term>owl</term></arguments>')   // { term: 'owl' }
 *     readArguments('{"term": "owl"}')                           // { term: 'owl' }
 */
export function readArguments(text: string, schema?: JsonSchema): { [key: string]: JsonValue } | undefined {
  const inside = text.trim()
  if (inside === '') return {}
  if (inside.startsWith('{') || inside.startsWith('[')) {
    const value = readRelaxed(inside)
    return isObject(value) ? value : undefined
  }
  if (!inside.startsWith('<')) return undefined
  const { value, problems } = readValue(inside, {
    schema: schemaOfArguments(schema),
    root: schema,
    nameAttribute: 'name',
    wrapper: 'arguments',
    numbers: false,
    // They may be part of a file.
    comments: true,
    instructions: true,
  })
  return problems.length > 0 || !isObject(value) ? undefined : value
}

/** Arguments are an object and nothing else. */
export function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
