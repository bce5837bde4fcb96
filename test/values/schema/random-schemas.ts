/** Random JSON Schemas of draft 2020-12 with every keyword that is validated, and values that nearly fit them. */

import type { JsonValue } from '../../../src/base/event.ts'
import type { JsonSchema, JsonSchemaObject } from '../../../src/values/schema/index.ts'

type Random = () => number

const KEYS = ['a', 'b', 'x-1', 'é', 'ab']
const PATTERNS = [
  ...[
    '^a',
    'b$',
    '^[a-c]+$',
    '^x-',
    '(?=.*b)a',
    '^(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '^(.)\\1',
    '^\\p{L}+$',
    '^\\P{Lu}*$',
  ],
  ...['^(a|b)*$', '\\bb', '^.$', '[^\\p{L}]', '^(?<q>["\']).*\\k<q>$', '^.{2,3}?$', '^$'],
]
const TEXTS = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'aab',
    'abc',
    'x-1',
    'é',
    '😀',
    'A b',
    '1',
    '"a"',
    'true',
    'null',
    '[1]',
    '{"a":1}',
    ' a ',
  ],
  ...[
    '2024-02-29',
    '2023-02-29',
    '12:00:00Z',
    '12:00:60Z',
    '23:59:60+00:00',
    '2024-02-29T12:00:00Z',
    'a@b.co',
    'a@b',
  ],
  ...[
    'https://a.b/c?d#e',
    'urn:a',
    '/a',
    '01234567-89ab-cdef-0123-456789abcdef',
    '1.2.3.4',
    '1.2.3',
    '::1',
    '1::2::3',
  ],
]
/** What Ajv takes for a date and time, a time, a UUID and a host, and the standards do not. */
export const LOOSE_TEXTS = [
  ...['2024-02-29 12:00:00Z', '12:00:00+0200', 'urn:uuid:01234567-89ab-cdef-0123-456789abcdef', 'a.b.'],
]
const FORMATS = ['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname', 'colour']
const NUMBERS = [0, 1, 2, 3, -1, 0.5, 1.5, 0.3, -2.25, 100, 1e3, 0.1, 7]
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

function anyText(random: Random): string {
  return pick(random, random() < 0.02 ? LOOSE_TEXTS : TEXTS)
}

/** A value that no schema was asked about. */
function anyValue(random: Random, depth = 0): JsonValue {
  const kind = Math.floor(random() * (depth > 2 ? 4 : 6))
  if (kind < 2) return anyText(random)
  if (kind === 2) return pick(random, NUMBERS)
  if (kind === 3) return pick(random, [true, false, null])
  const size = Math.floor(random() * 4)
  if (kind === 4) return Array.from({ length: size }, () => anyValue(random, depth + 1))
  return objectOf(Array.from({ length: size }, () => [pick(random, KEYS), anyValue(random, depth + 1)]))
}

function objectOf(entries: [string, JsonValue][]): JsonValue {
  return Object.fromEntries(entries) as JsonValue
}

type Keyword = keyof JsonSchemaObject
type Made = (random: Random, inner: () => JsonSchema) => unknown

const small = (random: Random): number => Math.floor(random() * 4)
const keys = (random: Random): string[] => KEYS.filter(() => random() < 0.3)
const named = (random: Random, inner: () => JsonSchema): object =>
  Object.fromEntries(KEYS.filter(() => random() < 0.4).map((key) => [key, inner()]))
const listed = (random: Random, inner: () => JsonSchema): JsonSchema[] =>
  Array.from({ length: 1 + small(random) }, inner)
const alone: Made = (_, inner) => inner()

/** For each kind of value, the keywords that are about it. */
const KEYWORDS: Readonly<Record<string, readonly (readonly [keyword: Keyword, make: Made])[]>> = {
  string: [
    ['minLength', small],
    ['maxLength', small],
    ['pattern', (random) => pick(random, PATTERNS)],
    ['format', (random) => pick(random, FORMATS)],
  ],
  number: [
    ['minimum', (random) => pick(random, NUMBERS)],
    ['maximum', (random) => pick(random, NUMBERS)],
    ['exclusiveMinimum', (random) => pick(random, NUMBERS)],
    ['exclusiveMaximum', (random) => pick(random, NUMBERS)],
    ['multipleOf', (random) => pick(random, [1, 2, 0.5, 0.1, 3])],
  ],
  object: [
    ['properties', named],
    ['properties', named],
    ['patternProperties', (random, inner) => ({ [pick(random, PATTERNS)]: inner(), '^x-': inner() })],
    ['additionalProperties', alone],
    ['unevaluatedProperties', alone],
    ['propertyNames', alone],
    ['required', keys],
    ['dependentRequired', (random) => ({ a: keys(random), b: keys(random) })],
    ['dependentSchemas', named],
    ['dependencies', (random, inner) => ({ a: keys(random), b: inner() })],
    ['minProperties', small],
    ['maxProperties', small],
  ],
  array: [
    ['items', alone],
    ['items', alone],
    ['prefixItems', listed],
    ['unevaluatedItems', alone],
    ['contains', alone],
    ['minContains', small],
    ['maxContains', small],
    ['minItems', small],
    ['maxItems', small],
    ['uniqueItems', (random) => random() < 0.7],
  ],
  any: [
    ['allOf', listed],
    ['anyOf', listed],
    ['oneOf', listed],
    ['not', alone],
    ['if', alone],
    ['then', alone],
    ['else', alone],
    ['enum', (random) => Array.from({ length: 1 + small(random) }, () => anyValue(random, 2))],
    ['const', (random) => anyValue(random, 2)],
    ['type', (random) => TYPES.filter(() => random() < 0.4).slice(0, 3)],
    ['nullable', () => true],
  ],
}

const DEFINITIONS = ['tree', 'word', 'either']

export function randomSchema(random: Random): JsonSchemaObject {
  const root = objectSchema(random, 0)
  const $defs = Object.fromEntries(DEFINITIONS.map((name) => [name, objectSchema(random, 2)]))
  return { ...root, $defs }
}

function schemaAt(random: Random, depth: number): JsonSchema {
  const kind = random()
  if (kind < 0.06) return random() < 0.6
  // Only below a value, so that no schema leads to itself at the same place.
  if (kind < 0.12) return { $ref: `#/$defs/${pick(random, DEFINITIONS)}` }
  return objectSchema(random, depth)
}

function objectSchema(random: Random, depth: number): JsonSchemaObject {
  const schema: Record<string, unknown> = {}
  const about = pick(random, ['string', 'number', 'object', 'object', 'array'])
  if (random() < 0.7) schema.type = about === 'number' && random() < 0.5 ? 'integer' : about
  const own = KEYWORDS[about]!
  const inner = (): JsonSchema => schemaAt(random, depth + 1)
  const add = (from: readonly (readonly [Keyword, Made])[]): void => {
    const [keyword, make] = pick(random, from)
    const isNested =
      make === alone || make === named || make === listed || /^(patternP|dependencies)/.test(keyword)
    if (depth > 2 && isNested) return
    schema[keyword] = make(random, inner)
  }
  for (let left = small(random); left > 0; left--) add(own)
  if (random() < 0.35) add(KEYWORDS.any!)
  if (random() < 0.1) add(Object.values(KEYWORDS).flat())
  if (schema.if !== undefined) for (const keyword of ['then', 'else'] as const) schema[keyword] ??= inner()
  if (Array.isArray(schema.type) && schema.type.length === 0) delete schema.type
  if (schema.nullable === true && schema.type === undefined) delete schema.nullable
  return schema as JsonSchemaObject
}

/** A value that is as the schema says at first sight; what its keywords say together is left to chance. */
export function valueFor(random: Random, schema: unknown, root: JsonSchemaObject, depth = 0): JsonValue {
  if (typeof schema !== 'object' || schema === null || depth > 5 || random() < 0.06)
    return anyValue(random, 2)
  const about = schema as JsonSchemaObject
  const inner = (one: unknown): JsonValue => valueFor(random, one, root, depth + 1)
  if (typeof about.$ref === 'string') return inner(root.$defs?.[about.$ref.slice('#/$defs/'.length)])
  if (about.const !== undefined && random() < 0.9) return about.const as JsonValue
  if (about.enum !== undefined && random() < 0.9) return pick(random, about.enum) as JsonValue
  const union = about.anyOf ?? about.oneOf ?? about.allOf
  if (union !== undefined && random() < 0.5) return inner(pick(random, union))
  const type = Array.isArray(about.type) ? pick(random, about.type as string[]) : about.type
  const kind = type ?? pick(random, ['string', 'number', 'object', 'array'])
  switch (kind) {
    case 'string':
      return anyText(random)
    case 'number':
      return pick(random, NUMBERS)
    case 'integer':
      return pick(random, NUMBERS.filter(Number.isInteger))
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'array':
      return Array.from({ length: small(random) }, (_, index) =>
        inner(about.prefixItems?.[index] ?? about.items),
      )
    default: {
      const required = about.required ?? []
      const wanted = [...KEYS, ...required].filter((key) => random() < (required.includes(key) ? 0.95 : 0.35))
      return objectOf(
        wanted.map((key) => [
          key,
          inner(
            about.properties && Object.hasOwn(about.properties, key)
              ? about.properties[key]
              : about.additionalProperties,
          ),
        ]),
      )
    }
  }
}
