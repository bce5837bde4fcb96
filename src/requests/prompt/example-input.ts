/**
 * An input that shows how a call is written. It need not be valid, only of the right form, so no more of the schema
 * is read than its types; whatever it does not say is a string.
 */

import type { JsonValue } from '../../base/event.ts'
import type { JsonSchema, JsonSchemaObject } from '../../values/schema/json-schema.ts'

const BY_TYPE: Readonly<Record<string, JsonValue>> = { number: 1, integer: 1, boolean: true, null: null }

/** How deep lists and objects are filled. */
const MOST_LEVELS = 4

/** Something in the place of each argument that must be there; of every argument, where none must. */
export function exampleInput(schema: JsonSchema): { [key: string]: JsonValue } {
  return exampleObject(lookedUp(schema, schema), schema, 0)
}

function exampleObject(
  { properties = {}, required = [] }: JsonSchemaObject,
  root: JsonSchema,
  level: number,
): { [key: string]: JsonValue } {
  const all = Object.entries(properties)
  const wanted = all.filter(([key]) => required.includes(key))
  return Object.fromEntries(
    (wanted.length > 0 ? wanted : all).map(([key, property]) => [
      key,
      exampleValue(property, root, level + 1),
    ]),
  )
}

function exampleValue(schema: JsonSchema, root: JsonSchema, level: number): JsonValue {
  const found = lookedUp(schema, root)
  const { enum: values, const: constant, type, items, properties } = found
  if (constant !== undefined) return constant as JsonValue
  if (values !== undefined && values.length > 0) return values[0] as JsonValue
  const types = [type].flat()
  const first = types.includes('string') ? 'string' : (types[0] ?? (properties ? 'object' : 'string'))
  if (first === 'array')
    return [items]
      .flat()
      .flatMap((item) =>
        item === undefined || level >= MOST_LEVELS ? [] : [exampleValue(item as JsonSchema, root, level + 1)],
      )
  if (first === 'object') return level >= MOST_LEVELS ? {} : exampleObject(found, root, level)
  return Object.hasOwn(BY_TYPE, first) ? BY_TYPE[first]! : '…'
}

/** How far references and choices are followed. */
const MOST_STEPS = 8

/** What a reference, or the first of several choices, stands for. One that leads nowhere says nothing. */
function lookedUp(schema: JsonSchema, root: JsonSchema): JsonSchemaObject {
  let found: JsonSchema | undefined = schema
  for (let steps = 0; steps < MOST_STEPS && typeof found === 'object' && found !== null; steps++) {
    const { $ref, anyOf, oneOf, allOf, type, properties }: JsonSchemaObject = found
    const choices = anyOf ?? oneOf ?? allOf
    if ($ref !== undefined) found = named($ref, root)
    else if (choices === undefined || type !== undefined || properties !== undefined) return found
    else found = choices[0]
  }
  return {}
}

function named(reference: string, root: JsonSchema): JsonSchema | undefined {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1]
  const { $defs, definitions } = (typeof root === 'object' ? root : {}) as JsonSchemaObject
  const all = { ...definitions, ...$defs }
  return name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined
}
