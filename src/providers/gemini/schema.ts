/**
 * Gemini's own form of schemas, a part of OpenAPI's, as JSON Schema. The other way is not needed: Gemini takes JSON
 * Schema in fields of its own (`parametersJsonSchema`, `responseJsonSchema`).
 *
 *     {"type":"OBJECT","properties":{"n":{"type":"INTEGER","nullable":true,"minimum":1}}}
 */

import { type Fields, isFields } from '../../base/fields.ts'
import { isSchema, type JsonSchema } from '../../values/schema/json-schema.ts'
import { listOf } from '../payload-fields.ts'

/** Numbers that the protocol writes as text, because they may be large. */
const COUNTS: ReadonlySet<string> = new Set([
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'],
])

/** Below this depth a schema takes anything. */
const MAX_DEPTH = 64

export function jsonSchemaOf(schema: unknown, depth = 0): JsonSchema {
  if (!isFields(schema) || depth > MAX_DEPTH) return {}
  const converted = Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => convertKeyword(key, value, schema, depth + 1)),
  )
  return isSchema(converted) ? converted : {}
}

function convertKeyword(
  key: string,
  value: unknown,
  { nullable }: Fields,
  depth: number,
): [string, unknown][] {
  if (key === 'type' && typeof value === 'string') {
    const type = value.toLowerCase()
    if (type === 'type_unspecified') return []
    return [[key, nullable === true ? [type, 'null'] : type]]
  }
  if (key === 'nullable' || key === 'propertyOrdering') return []
  if (key === 'items') return [[key, jsonSchemaOf(value, depth)]]
  if (key === 'anyOf') return [[key, listOf(value).map((one) => jsonSchemaOf(one, depth))]]
  if (key === 'properties' && isFields(value)) {
    const properties = Object.entries(value).map(([name, one]) => [name, jsonSchemaOf(one, depth)])
    return [[key, Object.fromEntries(properties)]]
  }
  return [[key, COUNTS.has(key) && typeof value === 'string' ? Number(value) : value]]
}
