/** A schema for an engine that reads JSON Schema itself, with what engines leave out of it written out. */

import type { JsonValue } from '../../base/event.ts'
import {
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaMap,
  type JsonSchemaObject,
} from '../../values/schema/json-schema.ts'
import { validate } from '../../values/schema/validate.ts'

/** Whether a value is what its schema says. */
export function fits(value: JsonValue, schema: JsonSchema, root: JsonSchema): boolean {
  return validate(value, schema, { root }).length === 0
}

/**
 * The same schema with nothing left open: objects have no other keys, because one could be written twice; of listed values
 * there are only those that fit the rest of the schema, because engines look at nothing else there.
 */
export function engineSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!isSchemaObject(schema)) return schema
  const inner = (one: JsonSchema) => engineSchema(one, root)
  const { additionalProperties, items } = schema
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  const changed: { -readonly [keyword in keyof JsonSchemaObject]: JsonSchemaObject[keyword] } = { ...schema }
  if (isOpen) changed.additionalProperties = false
  if (schema.enum !== undefined)
    changed.enum = schema.enum.filter((value) => fits(value as JsonValue, schema, root))
  for (const keyword of ['properties', '$defs', 'definitions'] as const)
    if (schema[keyword] !== undefined) changed[keyword] = mapped(schema[keyword], inner)
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (schema[keyword] !== undefined) changed[keyword] = schema[keyword].map(inner)
  if (isSchemaObject(items)) changed.items = inner(items)
  // Items without a schema are not written.
  if (schema.prefixItems !== undefined && items === undefined) changed.items = false
  return changed
}

function mapped(schemas: JsonSchemaMap, change: (schema: JsonSchema) => JsonSchema): JsonSchemaMap {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, change(schema)]))
}
