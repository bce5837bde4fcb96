/**
 * The type that a schema describes, in a notation for prompts: much shorter than JSON Schema, and models know it from
 * TypeScript.
 *
 *     {
 *       title: string // what is broken
 *       severity: "low" | "high"
 *       days?: int // 1 to 14
 *       owner: { name: string, age?: int } | null
 *     }
 */

import { SluiceError } from '../../base/errors.ts'
import {
  isSchema,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaMap,
  type JsonSchemaObject,
  list,
  resolve,
} from './json-schema.ts'
import { constantsOf } from './kinds.ts'
import { toJsonSchema } from './standard.ts'

/** Schemas in schemas, and schemas in all; what is beyond is `any`. */
const MAX_DEPTH = 32
const MAX_SCHEMAS = 10_000
/** Objects up to this length, without comments, are written in one line. */
const LINE = 60

/**
 * Describes the type of a schema for a prompt: of Zod, ArkType and others that give a JSON Schema, or of a JSON Schema.
 * Descriptions are comments. What a `$ref` refers to has a name, and follows.
 *
 *     describeType(z.object({ title: z.string(), days: z.int().optional() }))
 *     // { title: string, days?: int }
 */
export function describeType(schema: unknown): string {
  const root = toJsonSchema(schema)
  if (root === undefined)
    throw new SluiceError(
      'invalid-schema',
      'describeType takes a schema that gives a JSON Schema, or a JSON Schema.',
    )
  return new TypeWriter(root).write()
}

/** A type as text, and how tightly its parts hold together. */
interface Written {
  readonly text: string
  readonly isUnion?: boolean
}

const ANY: Written = { text: 'any' }

class TypeWriter {
  private readonly root: JsonSchema
  /** The names of what is referred to, by reference. */
  private readonly names: ReadonlyMap<string, string>
  private depth = 0
  private schemas = 0

  constructor(root: JsonSchema) {
    this.root = root
    this.names = namedReferences(root)
  }

  write(): string {
    const own = this.names.get('#')
    const body = this.names.has('#') ? this.body(this.root).text : this.type(this.root).text
    const comment = commentOf(this.root)
    const types = [`${comment && `// ${comment}\n`}${own === undefined ? '' : `${own} = `}${body}`]
    for (const [reference, name] of this.names)
      if (reference !== '#') types.push(`${name} = ${this.body({ $ref: reference }).text}`)
    return types.join('\n')
  }

  private type(schema: JsonSchema): Written {
    const reference = isSchemaObject(schema) ? schema.$ref : undefined
    const name = reference === undefined ? undefined : this.names.get(reference)
    return name === undefined ? this.body(schema) : { text: name }
  }

  private body(schema: JsonSchema): Written {
    if (this.depth >= MAX_DEPTH || ++this.schemas > MAX_SCHEMAS) return ANY
    this.depth++
    const written = this.resolved(resolve(schema, this.root))
    this.depth--
    return written
  }

  private resolved(schema: JsonSchema): Written {
    if (!isSchemaObject(schema)) return schema ? ANY : { text: 'never' }
    const constants = constantsOf(schema)
    if (constants !== undefined)
      return union(constants.map((one) => ({ text: JSON.stringify(one) ?? 'never' })))
    const members = [...list(schema.anyOf), ...list(schema.oneOf)].filter(isSchema)
    if (members.length > 0) return union([...members.map((one) => this.type(one)), ...nullOf(schema)])
    const types = [schema.type ?? impliedType(schema)].flat()
    return union([...types.map((type) => this.ofType(String(type), schema)), ...nullOf(schema)])
  }

  private ofType(type: string, schema: JsonSchemaObject): Written {
    if (type === 'integer') return { text: 'int' }
    if (type === 'object') return this.object(schema)
    if (type === 'array') return this.array(schema)
    return { text: type }
  }

  private array({ items, prefixItems }: JsonSchemaObject): Written {
    const tuple = prefixItems ?? (Array.isArray(items) ? (items as JsonSchema[]) : undefined)
    if (tuple !== undefined) {
      const rest =
        prefixItems !== undefined && isSchema(items) && items !== false ? [`...${this.listOf(items)}`] : []
      return { text: `[${[...tuple.map((item) => this.type(item).text), ...rest].join(', ')}]` }
    }
    return { text: this.listOf(isSchema(items) ? items : true) }
  }

  private listOf(items: JsonSchema): string {
    const { text, isUnion } = this.type(items)
    return isUnion ? `(${text})[]` : `${text}[]`
  }

  private object({ properties, required, additionalProperties }: JsonSchemaObject): Written {
    const members = Object.entries((properties ?? {}) as JsonSchemaMap).map(([key, property]) => {
      const name = /^[\p{L}_$][\p{L}\d_$]*$/u.test(key) ? key : JSON.stringify(key)
      const text = `${name}${list(required).includes(key) ? '' : '?'}: ${this.type(property).text}`
      return { text, comment: commentOf(property, this.root) }
    })
    const others = additionalProperties ?? properties === undefined
    if (others !== false && (isSchemaObject(others) || properties === undefined))
      members.push({
        text: `[key: string]: ${this.type(others).text}`,
        comment: commentOf(others, this.root),
      })
    if (members.length === 0) return { text: '{}' }
    const line = `{ ${members.map(({ text }) => text).join(', ')} }`
    const isShort =
      line.length <= LINE && !line.includes('\n') && members.every(({ comment }) => comment === '')
    if (isShort) return { text: line }
    const lines = members.map(({ text, comment }) =>
      comment === '' ? text : text.includes('\n') ? `// ${comment}\n${text}` : `${text} // ${comment}`,
    )
    return { text: `{\n${lines.join('\n').replace(/^/gm, '  ')}\n}` }
  }
}

function union(members: readonly Written[]): Written {
  const texts = [...new Set(members.map(({ text }) => text))]
  if (texts.length === 1) return members[0]!
  return texts.length === 0 ? { text: 'never' } : { text: texts.join(' | '), isUnion: true }
}

const nullOf = ({ nullable }: JsonSchemaObject): Written[] => (nullable === true ? [{ text: 'null' }] : [])

function impliedType(schema: JsonSchemaObject): string {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'object'
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'array' : 'any'
}

// ── comments ─────────────────────────────────────────────────────────────────────────────────────

/** What the type does not say: limits, the format, the default, the description. */
function commentOf(schema: JsonSchema, root: JsonSchema = schema): string {
  const resolved = resolve(schema, root)
  if (!isSchemaObject(resolved)) return ''
  const { description, format, pattern, minimum, maximum, minItems, maxItems, minLength, maxLength } =
    resolved
  const facts = [
    range(minimum, maximum, ''),
    resolved.prefixItems === undefined ? range(minItems, maxItems, ' items') : undefined,
    range(minLength, maxLength, ' characters'),
    format,
    format === undefined && pattern !== undefined ? `matches ${pattern}` : undefined,
    resolved.default === undefined ? undefined : `default ${JSON.stringify(resolved.default)}`,
    description,
  ]
  return facts
    .filter((fact) => typeof fact === 'string' && fact !== '')
    .map((fact) => String(fact).replace(/\s+/g, ' ').trim())
    .join('; ')
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  // Libraries write the limits of safe integers for any integer.
  const least = min === Number.MIN_SAFE_INTEGER ? undefined : min
  const most = max === Number.MAX_SAFE_INTEGER ? undefined : max
  if (least !== undefined && most !== undefined)
    return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`
  if (least !== undefined) return `at least ${least}${unit}`
  return most === undefined ? undefined : `at most ${most}${unit}`
}

// ── references ───────────────────────────────────────────────────────────────────────────────────

/** Names for what is referred to. */
function namedReferences(root: JsonSchema): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const waiting: unknown[] = [root]
  for (let seen = 0; waiting.length > 0 && seen < MAX_SCHEMAS; seen++) {
    const next = waiting.shift()
    if (typeof next !== 'object' || next === null) continue
    const { $ref } = next as JsonSchemaObject
    if (typeof $ref === 'string' && !names.has($ref)) names.set($ref, nameOf($ref, names))
    for (const inner of Object.values(next)) waiting.push(inner)
  }
  return names
}

function nameOf(reference: string, names: ReadonlyMap<string, string>): string {
  const last = reference === '#' ? 'Answer' : (reference.split('/').at(-1) ?? '')
  const word = last.replace(/^_+|\W/g, '')
  const name = /^[A-Za-z]/.test(word) ? word[0]!.toUpperCase() + word.slice(1) : 'Type'
  const isTaken = (one: string): boolean => [...names.values()].includes(one)
  if (!isTaken(name)) return name
  let number = 2
  while (isTaken(`${name}${number}`)) number++
  return `${name}${number}`
}
