/** Random schemas, as the libraries write them, and values that they accept. */

import fc from 'fast-check'
import type { JsonValue } from '../../../src/base/event.ts'
import type { JsonSchema, JsonSchemaObject } from '../../../src/values/schema/json-schema.ts'

const NAMES = ['title', 'first_name', 'isUrgent', 'a b', '__proto__'] as const
const WORDS = ['low', 'in_progress', 'On Hold', 'null', '1'] as const

/** Schemas as the libraries write them. */
export const schemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchemaObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonSchemaObject>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'number' }, { type: 'string' }] },
      {},
    ),
    fc.subarray([...WORDS], { minLength: 1 }).map((words) => ({ type: 'string', enum: words })),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('schema').map((schema) => ({ anyOf: [schema, { type: 'null' }] })),
    objects(tie('schema')),
    fc.tuple(objects(tie('schema')), objects(tie('schema'))).map((anyOf) => ({ anyOf })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
  ),
})).schema

function objects(member: fc.Arbitrary<JsonSchemaObject>): fc.Arbitrary<JsonSchemaObject> {
  return fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...NAMES), member), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([members, isStrict]) => ({
      type: 'object',
      properties: Object.fromEntries(members),
      required: members.map(([name]) => name).filter((_, at) => at % 2 === 0),
      ...(isStrict && { additionalProperties: false }),
    }))
}

/** One of some values. */
export const pick = <T>(random: () => number, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)]!

/** A value that the schema accepts. */
export function exampleOf(schema: JsonSchema, random: () => number): JsonValue {
  if (typeof schema === 'boolean') return 7
  const { type, anyOf, properties, required = [], items, additionalProperties } = schema
  if (anyOf !== undefined) return exampleOf(pick(random, anyOf), random)
  if (schema.enum !== undefined) return pick(random, schema.enum) as string
  const kind = typeof type === 'string' ? type : pick(random, type ?? ['string', 'integer', 'null'])
  switch (kind) {
    case 'string':
      return pick(random, ['', 'Tiffany', 'a "b" c', 'x, "y": z', 'line\nline', 'low', '12', 'true', '😀'])
    case 'integer':
      return pick(random, [0, 3, -12, 1000])
    case 'number':
      return pick(random, [0, 3.7, -12, 1e21])
    case 'boolean':
      return random() < 0.5
    case 'array':
      return Array.from({ length: pick(random, [0, 1, 2, 3]) }, () => exampleOf(items as JsonSchema, random))
    case 'object': {
      const names = properties === undefined ? ['k', 'Title'] : Object.keys(properties)
      const present = names.filter((name) => required.includes(name) || random() < 0.6)
      return Object.fromEntries(
        present.map((name) => [name, exampleOf(properties?.[name] ?? additionalProperties ?? {}, random)]),
      )
    }
    default:
      return null
  }
}
