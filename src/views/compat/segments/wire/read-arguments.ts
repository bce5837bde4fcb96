/** Arguments that stand in a text of their own: as JSON if it looks like that, otherwise as elements. */

import type { JsonValue } from '../../../../base/event.ts'
import { readRelaxed } from '../../../../engine/calls/values.ts'
import { schemaOfArguments } from '../../../../engine/wire/elements.ts'
import type { JsonSchema } from '../../../../values/schema/json-schema.ts'
import { readValue } from '../../../../values/xml/value.ts'

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
