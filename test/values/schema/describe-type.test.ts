import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '../../../src/base/event.ts'
import { describeType, type JsonSchema, toJsonSchema, validate } from '../../../src/values/schema/index.ts'
import { runs, SEED } from '../../effort.ts'
import { exampleOf, schemas } from '../json/example-schemas.ts'
import { randomFrom } from '../json/texts.ts'

const node: z.ZodType = z.object({
  value: z.string(),
  get children() {
    return z.array(node)
  },
})
const address = z.object({ street: z.string(), city: z.string() }).meta({ id: 'address' })

const ticket = z
  .object({
    title: z.string().describe('what is broken,\nin a few words'),
    severity: z.enum(['low', 'high']),
    'days left': z.int().min(1).max(14).optional(),
    email: z.email(),
    owner: z.object({ name: z.string(), age: z.int().optional() }).nullable(),
    parts: z
      .array(z.object({ name: z.string().max(20), price: z.number().default(3) }))
      .describe('all of them'),
  })
  .describe('A ticket.')

const shapes = z.object({
  kinds: z.array(
    z.union([
      z.object({ type: z.literal('circle'), radius: z.number().positive() }),
      z.object({ type: z.literal('box'), sides: z.tuple([z.number(), z.number()]) }),
    ]),
  ),
  colours: z.record(z.string(), z.union([z.boolean(), z.null()])),
})

describe('A type in a prompt', () => {
  test.each<[what: string, schema: unknown, text: string]>([
    [
      'a short object',
      z.object({ title: z.string(), days: z.int().optional() }),
      '{ title: string, days?: int }',
    ],
    [
      'comments and lines',
      ticket,
      `// A ticket.
{
  title: string // what is broken, in a few words
  severity: "low" | "high"
  "days left"?: int // 1 to 14
  email: string // email
  owner: { name: string, age?: int } | null
  // all of them
  parts: {
    name: string // at most 20 characters
    price?: number // default 3
  }[]
}`,
    ],
    [
      'unions, records and tuples',
      shapes,
      `{
  kinds: ({ type: "circle", radius: number } | { type: "box", sides: [number, number] })[]
  colours: { [key: string]: boolean | null }
}`,
    ],
    ['a type in itself', node, 'Answer = { value: string, children: Answer[] }'],
    [
      'a type that is used twice',
      z.object({ home: address, work: address.optional() }),
      '{ home: Address, work?: Address }\nAddress = { street: string, city: string }',
    ],
    [
      'ArkType',
      type({ name: 'string', 'age?': 'number.integer', tags: "('a' | 'b')[]" }),
      '{ name: string, tags: ("a" | "b")[], age?: int }',
    ],
    ['a JSON Schema', { type: ['string', 'null'] }, 'string | null'],
    [
      'a schema of the AI SDK',
      { jsonSchema: { type: 'array', items: { enum: [1, 'a', null] } } },
      '(1 | "a" | null)[]',
    ],
    ['anything', true, 'any'],
    ['nothing', { type: 'array', items: false }, 'never[]'],
    ['a reference in a circle', { $ref: '#' }, 'Answer = any'],
    [
      'a pattern',
      { properties: { a: { type: 'string', pattern: '^a+$' } } },
      '{\n  a?: string // matches ^a+$\n}',
    ],
  ])('describes %s', (_, schema, text) => {
    expect(describeType(schema)).toBe(text)
  })

  test('needs a JSON Schema', () => {
    expect(() => describeType(v.object({ a: v.string() }))).toThrow(
      expect.objectContaining({ code: 'invalid-schema' }),
    )
  })

  test.each([
    ['a ticket', ticket],
    ['shapes', shapes],
    ['a tree', node],
    ['addresses', z.object({ home: address, work: address })],
  ])('is at most half as long as the JSON Schema of %s', (_, schema) => {
    expect(describeType(schema).length).toBeLessThanOrEqual(JSON.stringify(toJsonSchema(schema)).length / 2)
  })

  test('is bounded, whatever the schema', () => {
    const deep = Array.from({ length: 1000 }).reduce<JsonSchema>((items) => ({ type: 'array', items }), true)
    expect(describeType(deep)).toBe(`any${'[]'.repeat(32)}`)
    const many = {
      properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`a${at}`, { type: 'null' }])),
    }
    expect(describeType(many).match(/: any/g)).toHaveLength(10_001)
  })

  test('says what its schema says: every value of the one is a value of the other', () => {
    fc.assert(
      fc.property(schemas, schemas, fc.nat(), (schema, other, seed) => {
        const isOfType = readNotation(describeType(schema))
        const example = exampleOf(schema, randomFrom(seed))
        expect(isOfType(example)).toBe(true)
        // What another schema accepts is refused as well as it is by this one.
        const stranger = exampleOf(other, randomFrom(seed))
        expect(isOfType(stranger)).toBe(isOfSchema(stranger, schema))
      }),
      { seed: SEED, numRuns: runs(4000) },
    )
  })
})

type Matches = (value: JsonValue) => boolean

/** Reads the notation as a person does: what a value must be. */
function readNotation(text: string): Matches {
  const tokens = text
    .match(/"(?:[^"\\]|\\.)*"|\/\/.*|-?\d[\d.e+-]*|[A-Za-z_$][\w$]*|\S/g)!
    .filter((token) => !token.startsWith('//'))
  const take = (expected?: string): string => {
    const token = tokens.shift()!
    if (expected !== undefined && token !== expected)
      throw new Error(`${token} is not ${expected} in ${text}`)
    return token
  }
  const union = (): Matches => {
    const members = [list()]
    while (tokens[0] === '|') {
      take()
      members.push(list())
    }
    return (value) => members.some((matches) => matches(value))
  }
  const list = (): Matches => {
    let matches = one()
    while (tokens[0] === '[') {
      take('[')
      take(']')
      const item = matches
      matches = (value) => Array.isArray(value) && value.every(item)
    }
    return matches
  }
  const one = (): Matches => {
    const token = take()
    if (token === '{') return object()
    if (token === '(') {
      const inner = union()
      take(')')
      return inner
    }
    if (token.startsWith('"')) return (value) => value === JSON.parse(token)
    const named: Record<string, Matches> = {
      any: () => true,
      null: (value) => value === null,
      string: (value) => typeof value === 'string',
      boolean: (value) => typeof value === 'boolean',
      number: (value) => typeof value === 'number',
      int: (value) => Number.isInteger(value),
    }
    return named[token]!
  }
  const object = (): Matches => {
    const members = new Map<string, { isOptional: boolean; matches: Matches }>()
    let others: Matches = () => true
    while (tokens[0] !== '}') {
      if (tokens[0] === '[') {
        tokens.splice(0, 6)
        others = union()
      } else {
        const token = take()
        const isOptional = tokens[0] === '?'
        if (isOptional) take()
        take(':')
        members.set(token.startsWith('"') ? JSON.parse(token) : token, { isOptional, matches: union() })
      }
      if (tokens[0] === ',') take()
    }
    take('}')
    return (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      [...members].every(([key, { isOptional }]) => isOptional || Object.hasOwn(value, key)) &&
      Object.entries(value).every(([key, inner]) => (members.get(key)?.matches ?? others)(inner!))
  }
  return union()
}

/** Whether the schema accepts a value; the notation does not say whether an object may have other keys. */
function isOfSchema(value: JsonValue, schema: JsonSchema): boolean {
  const open = JSON.parse(
    JSON.stringify(schema).replaceAll(',"additionalProperties":false', ''),
  ) as JsonSchema
  return validate(value, open).length === 0
}
