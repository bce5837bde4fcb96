/**
 * JSON Schema as tools carry it (draft 2020-12 and draft 07), and how to look things up in it.
 *
 * Schemas come from applications, but also from servers that are not trusted: every walk here is bounded, a
 * reference to nowhere or in a circle means "anything", and nothing throws.
 */

import { isFields } from '../../base/fields.ts'
import { keysOf } from '../../base/path.ts'

/** A JSON Schema. */
export type JsonSchema = boolean | JsonSchemaObject

/**
 * The keywords this library reads, and the annotations people write. Every one may be `undefined`, so
 * that the JSON Schema types of other libraries can be passed as they are.
 */
export interface JsonSchemaObject {
  readonly $schema?: string | undefined
  readonly $id?: string | undefined
  readonly $ref?: string | undefined
  readonly $comment?: string | undefined
  readonly $anchor?: string | undefined
  readonly $defs?: JsonSchemaMap | undefined
  readonly definitions?: JsonSchemaMap | undefined

  readonly type?: string | readonly string[] | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  /** OpenAPI 3.0. */
  readonly nullable?: boolean | undefined

  readonly properties?: JsonSchemaMap | undefined
  readonly patternProperties?: JsonSchemaMap | undefined
  readonly additionalProperties?: JsonSchema | undefined
  readonly unevaluatedProperties?: JsonSchema | undefined
  readonly propertyNames?: JsonSchema | undefined
  readonly required?: readonly string[] | undefined
  readonly dependentRequired?: { readonly [key: string]: readonly string[] } | undefined
  readonly dependentSchemas?: JsonSchemaMap | undefined
  /** Draft 07: `dependentRequired` and `dependentSchemas` in one. */
  readonly dependencies?: { readonly [key: string]: JsonSchema | readonly string[] } | undefined
  readonly minProperties?: number | undefined
  readonly maxProperties?: number | undefined

  readonly items?: JsonSchema | readonly JsonSchema[] | undefined
  readonly prefixItems?: readonly JsonSchema[] | undefined
  readonly additionalItems?: JsonSchema | undefined
  readonly unevaluatedItems?: JsonSchema | undefined
  readonly contains?: JsonSchema | undefined
  readonly minContains?: number | undefined
  readonly maxContains?: number | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly uniqueItems?: boolean | undefined

  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly pattern?: string | undefined
  readonly format?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly contentMediaType?: string | undefined

  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** A boolean in draft 04 and OpenAPI 3.0. */
  readonly exclusiveMinimum?: number | boolean | undefined
  readonly exclusiveMaximum?: number | boolean | undefined
  readonly multipleOf?: number | undefined

  readonly allOf?: readonly JsonSchema[] | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
  readonly oneOf?: readonly JsonSchema[] | undefined
  readonly not?: JsonSchema | undefined
  readonly if?: JsonSchema | undefined
  readonly then?: JsonSchema | undefined
  readonly else?: JsonSchema | undefined

  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly default?: unknown
  readonly examples?: unknown
  readonly deprecated?: boolean | undefined
  readonly readOnly?: boolean | undefined
  readonly writeOnly?: boolean | undefined
}

/** Schemas by name, such as `properties` and `$defs`. */
export interface JsonSchemaMap {
  readonly [key: string]: JsonSchema
}

/** Members looked at for one answer; far more than an honest schema has. */
const MAX_MEMBERS = 256
/** Characters of a reference. */
const MAX_REF = 1024

/**
 * The schema itself: `$ref`s followed, and the members of `allOf` folded in where they do not disagree.
 * What cannot be folded stays in `allOf`.
 *
 *     resolve({ $ref: '#/$defs/city' }, root)  // root.$defs.city
 */
export function resolve(schema: JsonSchema, root: JsonSchema = schema): JsonSchema {
  return fold(schema, root, { members: 0, refs: new Set() })
}

interface Walk {
  members: number
  /** The references that were followed: one that is met again, in a circle or beside itself, has nothing to add. */
  readonly refs: Set<string>
}

function fold(schema: JsonSchema, root: JsonSchema, walk: Walk): JsonSchema {
  if (!isSchemaObject(schema)) return schema !== false
  if (schema.$ref === undefined && schema.allOf === undefined) return schema
  if (++walk.members > MAX_MEMBERS) return true
  const { $ref, allOf, ...rest } = schema
  const members: JsonSchema[] = []
  if (typeof $ref === 'string' && !walk.refs.has($ref)) {
    walk.refs.add($ref)
    members.push(fold(resolveRef($ref, root), root, walk))
  }
  for (const member of list(allOf).slice(0, MAX_MEMBERS)) members.push(fold(member as JsonSchema, root, walk))

  // What stands beside a reference is nearer than what it refers to, so it comes first.
  let merged: JsonSchemaObject = rest
  const apart: JsonSchema[] = []
  for (const member of members) {
    if (member === true) continue
    if (member === false) return false
    const both = Object.keys(merged).length === 0 ? member : merge(merged, member)
    if (both === undefined) apart.push(member)
    else merged = both
  }
  return apart.length === 0 ? merged : { ...merged, allOf: apart }
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])

/** Both at once, or undefined where saying so in one schema would take more than laying them side by side. */
function merge(first: JsonSchemaObject, second: JsonSchemaObject): JsonSchemaObject | undefined {
  const merged: Record<string, unknown> = { ...first }
  for (const [keyword, theirs] of Object.entries(second)) {
    if (theirs === undefined) continue
    const ours = merged[keyword]
    const both = ours === undefined ? theirs : mergeKeyword(keyword, ours, theirs)
    if (both === undefined) return undefined
    merged[keyword] = both
  }
  return merged as JsonSchemaObject
}

function mergeKeyword(keyword: string, ours: unknown, theirs: unknown): unknown {
  if (ours === theirs || ANNOTATIONS.has(keyword)) return ours
  if (keyword === 'required') return [...new Set([...list(ours), ...list(theirs)])]
  if (keyword === 'properties' && isSchemaObject(ours) && isSchemaObject(theirs))
    return mergeProperties(ours as JsonSchemaMap, theirs as JsonSchemaMap)
  if (keyword !== 'additionalProperties') return undefined
  if (ours === true || theirs === false) return theirs
  return ours === false || theirs === true ? ours : undefined
}

function mergeProperties(first: JsonSchemaMap, second: JsonSchemaMap): JsonSchemaMap {
  const merged = new Map(Object.entries(first))
  for (const [key, theirs] of Object.entries(second)) {
    const ours = merged.get(key)
    merged.set(key, ours === undefined || ours === theirs ? theirs : { allOf: [ours, theirs] })
  }
  return Object.fromEntries(merged)
}

/** A list, or none where it is something else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The schema a local reference (`#`, `#/$defs/city`) points to; `true`, that is anything, for any other. */
export function resolveRef(ref: string, root: JsonSchema): JsonSchema {
  if (ref === '#') return root
  if (!ref.startsWith('#/') || ref.length > MAX_REF) return true
  let found: unknown = root
  for (const key of keysOf(decodePointer(ref.slice(1)))) {
    if (found === undefined || found === null || !Object.hasOwn(found, key)) return true
    found = (found as Record<string, unknown>)[key]
  }
  return isSchema(found) ? found : true
}

function decodePointer(pointer: string): string {
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}

export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return isFields(value)
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isSchemaObject(value)
}

/**
 * The schemas that together say what is accepted: itself, and where it is a union, the members of that
 * union and of the unions in it, each resolved.
 */
export function alternatives(schema: JsonSchema, root: JsonSchema = schema): JsonSchema[] {
  const found: JsonSchema[] = []
  const waiting: JsonSchema[] = [schema]
  const seen = new Set<JsonSchema>()
  while (waiting.length > 0 && found.length < MAX_MEMBERS) {
    const next = waiting.pop()!
    if (seen.has(next)) continue
    seen.add(next)
    const resolved = resolve(next, root)
    found.push(resolved)
    if (!isSchemaObject(resolved)) continue
    for (const members of [resolved.oneOf, resolved.anyOf, resolved.allOf])
      waiting.push(...(list(members).slice(0, MAX_MEMBERS).reverse() as JsonSchema[]))
  }
  return found
}

/**
 * What the schema says about the value of one key: a declared property, the schema of additional
 * properties, or undefined. Where the members of a union declare the key differently, their union.
 */
export function propertySchema(
  schema: JsonSchema,
  key: string,
  root: JsonSchema = schema,
): JsonSchema | undefined {
  return propertyIn(alternatives(schema, root), key, root)
}

/** The same, of alternatives that were found before. */
export function propertyIn(
  members: readonly JsonSchema[],
  key: string,
  root: JsonSchema,
): JsonSchema | undefined {
  const declared: JsonSchema[] = []
  let additional: JsonSchema | undefined
  for (const member of members) {
    if (!isSchemaObject(member)) continue
    const { properties } = member
    if (isSchemaObject(properties) && Object.hasOwn(properties, key)) {
      const property = (properties as JsonSchemaMap)[key]
      if (isSchema(property)) declared.push(property)
    } else if (isSchemaObject(member.additionalProperties)) additional ??= member.additionalProperties
  }
  if (declared.length === 0 && additional !== undefined) declared.push(additional)
  return anyOf(declared, root)
}

/** What the schema says about the element at `index` of an array, or undefined. */
export function itemSchema(
  schema: JsonSchema,
  index: number,
  root: JsonSchema = schema,
): JsonSchema | undefined {
  return itemIn(alternatives(schema, root), index, root)
}

/** The same, of alternatives that were found before. */
export function itemIn(
  members: readonly JsonSchema[],
  index: number,
  root: JsonSchema,
): JsonSchema | undefined {
  const declared: JsonSchema[] = []
  for (const member of members) {
    if (!isSchemaObject(member)) continue
    const { items, prefixItems, additionalItems } = member
    const tuple = (prefixItems ?? (Array.isArray(items) ? items : [])) as readonly JsonSchema[]
    const rest = Array.isArray(items) ? additionalItems : (items as JsonSchema | undefined)
    const found = index < tuple.length ? tuple[index] : rest
    if (isSchema(found)) declared.push(found)
  }
  return anyOf(declared, root)
}

function anyOf(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema | undefined {
  if (schemas.length > 1) return { anyOf: schemas }
  return schemas[0] === undefined ? undefined : resolve(schemas[0], root)
}
