/** Which kinds of JSON value a schema accepts, whatever way it says so. */

import { isSchemaObject, type JsonSchema, type JsonSchemaObject, resolve } from './json-schema.ts'
import { isSameJson } from './json-values.ts'

/** Sets of kinds are bits, so that unions and intersections of schemas are `|` and `&`. */
export const STRING = 1
export const INTEGER = 2
const FRACTION = 4
export const NUMBER = INTEGER | FRACTION
export const BOOLEAN = 8
export const NULL = 16
export const OBJECT = 32
export const ARRAY = 64
/** Every kind, because the schema says nothing about it. */
export const UNKNOWN = 255

/** JSON Schema has seven type names; schemas in the wild have these. */
const NAMES: readonly (readonly [kind: number, names: readonly string[]])[] = [
  [STRING, 'string str text varchar char character enum uuid'.split(' ')],
  [STRING, 'date datetime date-time time url uri email'.split(' ')],
  [INTEGER, 'integer int int8 int16 int32 int64 long short bigint smallint tinyint'.split(' ')],
  [INTEGER, 'uint uint8 uint16 uint32 uint64 unsigned'.split(' ')],
  [NUMBER, 'number num numeric float float16 float32 float64 double decimal real'.split(' ')],
  [BOOLEAN, 'boolean bool'.split(' ')],
  [NULL, 'null none nonetype nil'.split(' ')],
  [OBJECT, 'object obj dict dictionary map mapping record struct'.split(' ')],
  [ARRAY, 'array arr list tuple sequence set vector'.split(' ')],
]

/** Schemas nested in schemas; deeper ones count as unknown. */
const MAX_DEPTH = 16
const MAX_MEMBERS = 512
/** Names of types in one list, and characters that one of them is known by. */
const MAX_NAMES = 64
const MAX_NAME = 64

/**
 * What a value of this schema is read as: `string` when only strings are accepted, so that text can be
 * passed on as it comes; `other` when something else is accepted (also beside strings: `null` must be
 * told from text); `unknown` when the schema does not say.
 */
export function expects(schema: JsonSchema | undefined, root?: JsonSchema): 'string' | 'other' | 'unknown' {
  if (schema === undefined) return 'unknown'
  const kinds = kindsOf(schema, root)
  if (kinds === STRING) return 'string'
  return kinds === UNKNOWN ? 'unknown' : 'other'
}

/** The kinds a schema accepts. */
export function kindsOf(schema: JsonSchema, root: JsonSchema = schema): number {
  return collect(schema, root, 0, { members: 0 })
}

function collect(schema: JsonSchema, root: JsonSchema, depth: number, work: { members: number }): number {
  if (depth > MAX_DEPTH || ++work.members > MAX_MEMBERS) return UNKNOWN
  const resolved = resolve(schema, root)
  if (resolved === false) return 0
  if (!isSchemaObject(resolved)) return UNKNOWN
  let kinds = declaredKinds(resolved)
  for (const members of [resolved.anyOf, resolved.oneOf]) {
    if (!Array.isArray(members)) continue
    let either = 0
    for (const member of members as JsonSchema[]) either |= collect(member, root, depth + 1, work)
    kinds = narrow(kinds, either)
  }
  if (Array.isArray(resolved.allOf))
    for (const member of resolved.allOf.slice(0, MAX_MEMBERS) as JsonSchema[])
      kinds = narrow(kinds, collect(member, root, depth + 1, work))
  if (kinds === UNKNOWN) kinds = impliedKinds(resolved)
  return resolved.nullable === true ? kinds | NULL : kinds
}

/** A schema that contradicts itself still means something: what it said first. */
function narrow(kinds: number, by: number): number {
  return (kinds & by) === 0 ? kinds : kinds & by
}

function declaredKinds(schema: JsonSchemaObject): number {
  const kinds = kindsOfType(schema)
  const constants = constantsOf(schema)
  if (constants === undefined) return kinds
  return narrow(
    kinds,
    constants.reduce<number>((all, constant) => all | kindOfValue(constant), 0),
  )
}

/** The kinds that the keyword `type` names, with OpenAPI's `nullable`. */
export function kindsOfType(schema: JsonSchemaObject): number {
  let kinds = schema.nullable === true ? NULL : 0
  for (const name of Array.isArray(schema.type) ? schema.type.slice(0, MAX_NAMES) : [schema.type])
    kinds |= kindOfName(name)
  return kinds === 0 ? UNKNOWN : kinds
}

/** A schema with `properties` is about an object, also where its author forgot to say so. */
function impliedKinds(schema: JsonSchemaObject): number {
  if (
    isSchemaObject(schema.properties) ||
    schema.required !== undefined ||
    schema.additionalProperties !== undefined
  )
    return OBJECT
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ARRAY
  return UNKNOWN
}

/** `varchar(255)` is a `varchar`, `List[int]` a `list`. */
function kindOfName(name: unknown): number {
  if (typeof name !== 'string') return UNKNOWN
  const [plain] = name.slice(0, MAX_NAME).toLowerCase().split(/[[(<]/)
  return NAMES.find(([, names]) => names.includes(plain!.trim()))?.[0] ?? UNKNOWN
}

/** The values that `enum` and `const` allow, or undefined when there is neither. */
export function constantsOf(schema: JsonSchemaObject): readonly unknown[] | undefined {
  const listed = Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : undefined
  const { const: only } = schema
  if (only === undefined) return listed
  return listed === undefined || listed.some((one) => isSameJson(one, only)) ? [only] : []
}

export function kindOfValue(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return Number.isInteger(value) ? INTEGER : FRACTION
    case 'bigint':
      return INTEGER
    case 'boolean':
      return BOOLEAN
    case 'object':
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT
    default:
      return 0
  }
}

const DESCRIPTIONS: readonly (readonly [kind: number, description: string])[] = [
  [STRING, 'a string'],
  [FRACTION, 'a number'],
  [INTEGER, 'an integer'],
  [BOOLEAN, 'a boolean'],
  [OBJECT, 'an object'],
  [ARRAY, 'an array'],
  [NULL, 'null'],
]

/** Kinds in words: `a string or null`. */
export function describeKinds(kinds: number): string {
  const isNumber = (kinds & FRACTION) !== 0
  if (kinds === 0) return 'a value that is not JSON'
  return DESCRIPTIONS.filter(([kind]) => (kinds & kind) !== 0 && !(isNumber && kind === INTEGER))
    .map(([, description]) => description)
    .join(' or ')
}
