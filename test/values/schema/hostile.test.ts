/** Schemas and values that nobody means well with: everything ends, and nothing throws. */

import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import {
  coerceText,
  coerceValue,
  type JsonSchema,
  matchesPattern,
  propertySchema,
  resolve,
  validate,
} from '../../../src/values/schema/index.ts'

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const named = <T>(count: number, make: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(many(count, make))

/** A list of two that are one, of two that are one, … */
function doubled(levels: number): JsonValue {
  let value: JsonValue = 1
  for (let level = 0; level < levels; level++) value = [value, value]
  return value
}

function holdingItself(): JsonValue {
  const list: JsonValue[] = []
  list.push(list)
  return list
}

describe('validation ends', () => {
  const words = many(10_000, (index) => `word ${index}`)
  const cases: [sentence: string, value: JsonValue, schema: unknown, keywords: string[]][] = [
    ['on many values of a long enum', many(100_000, () => 'word 9999'), { items: { enum: words } }, []],
    [
      'on many objects that may be one of many',
      many(20_000, (id) => ({ id })),
      { items: { anyOf: [{ enum: many(10_000, (id) => ({ id: -id - 1 })) }, { type: 'object' }] } },
      [],
    ],
    [
      'on an enum of very long texts',
      many(3000, () => 'a'),
      { items: { anyOf: [{ enum: many(20, (index) => `${'x'.repeat(1_000_000)}${index}`) }, {}] } },
      [],
    ],
    [
      'on a long list of dependent keys',
      many(50_000, () => ({ a: 1 })),
      { items: { dependentRequired: named(10_000, (index) => [`k${index}`, ['x']]) } },
      [],
    ],
    [
      'on many lists of a long tuple',
      many(100_000, () => []),
      { items: { prefixItems: many(10_000, () => ({})) } },
      [],
    ],
    [
      'on many keys and many patterns',
      named(20_000, (index) => [`k${index}`, 1]),
      { patternProperties: named(2000, (index) => [`^v${index}`, {}]) },
      ['limit'],
    ],
    [
      'on a long text whose length is asked for again and again',
      'x'.repeat(10_000_000),
      { allOf: many(1000, () => ({ minLength: 9_000_000, maxLength: 10_000_000 })) },
      [],
    ],
    [
      'on a reference that is very long',
      many(100_000, () => 1),
      { items: { $ref: `#/${'a/'.repeat(500_000)}` } },
      [],
    ],
    ['on a type that is very long', many(100_000, () => 1), { items: { type: 'x'.repeat(1_000_000) } }, []],
    [
      'on long items that are equal almost to the end',
      many(1000, (id) => ({ list: [...many(1000, () => 0), id] })),
      { uniqueItems: true },
      [],
    ],
    ['on items that hold themselves', [holdingItself(), holdingItself()], { uniqueItems: true }, ['limit']],
    [
      'on items that are doubled at every level',
      [doubled(60), doubled(60)],
      { uniqueItems: true },
      ['limit'],
    ],
    ['on a constant that holds itself', holdingItself(), { const: holdingItself() }, ['const']],
    ['on a constant that is doubled at every level', doubled(60), { const: doubled(60) }, ['const']],
    [
      'on a pattern that has to remember too much',
      many(20_000, (index) => (Math.sin(index * index) > 0 ? 'a' : 'b')).join(''),
      { pattern: '[ab]*a[ab]{900}x' },
      ['limit'],
    ],
  ]
  it.each(cases)('%s', (_, value, schema, keywords) => {
    expect(validate(value, schema as JsonSchema).map(({ keyword }) => keyword)).toEqual(keywords)
  })
})

describe('validation says of', () => {
  const cases: [sentence: string, value: unknown, schema: unknown, message: string][] = [
    ['nothing', undefined, { type: 'string' }, 'must be a string, not a value that is not JSON'],
    ['a bigint', 1n, { type: 'integer' }, 'must be an integer, not a value that is not JSON'],
    [
      'a date',
      [new Date(0), new Date(0)],
      { uniqueItems: true },
      'has an item that is too long to compare, or is not JSON',
    ],
    [
      'an equal number with another sign',
      [[0], [-0]],
      { uniqueItems: true },
      'must have no equal items, but 0 and 1 are equal',
    ],
    [
      'equal objects with other keys first',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      { uniqueItems: true },
      'must have no equal items, but 0 and 1 are equal',
    ],
    ['a text of pairs', '😀😀', { minLength: 3 }, 'must have at least 3 characters, not 2'],
    ['a long text of pairs', '😀😀', { maxLength: 1 }, 'must have at most 1 characters, not 2'],
  ]
  it.each(cases)('%s', (_, value, schema, message) => {
    expect(validate(value as JsonValue, schema as JsonSchema).map((issue) => issue.message)).toEqual([
      message,
    ])
  })
})

describe('coercion ends', () => {
  const cases: [sentence: string, value: JsonValue, schema: unknown, changes: number][] = [
    [
      'on many values of a long enum',
      many(20_000, (index) => ` word ${index % 10} `),
      { items: { type: 'string', enum: many(10_000, (index) => `word ${index}`) } },
      20_000,
    ],
    [
      'on many values of a long enum that is not of strings',
      many(20_000, () => 'true'),
      { items: { enum: [...many(10_000, (index) => index), true] } },
      20_000,
    ],
    [
      'on many keys of a union of many',
      named(5000, (index) => [`k${index}`, '1']),
      {
        allOf: [{ anyOf: many(20_000, (index) => ({ properties: { [`p${index}`]: { type: 'integer' } } })) }],
      },
      0,
    ],
    [
      'on a reference that is very long',
      many(50_000, () => '1'),
      { items: { $ref: `#/${'a/'.repeat(500_000)}` } },
      0,
    ],
  ]
  it.each(cases)('%s', (_, value, schema, changes) => {
    expect(coerceValue(value, schema as JsonSchema).changes).toHaveLength(changes)
  })

  it.each([5, {}, 'ab', null, [null, 5]])('on a union that is %j', (anyOf) => {
    const schema = { type: 'integer', anyOf } as unknown as JsonSchema
    expect(coerceValue('x', schema).value).toBe('x')
  })
})

describe('a schema', () => {
  it.each([[null], [5], ['ab']])('whose properties are %j is resolved', (properties) => {
    const schema = {
      allOf: [{ properties }, { properties: { a: { type: 'string' } } }],
    } as unknown as JsonSchema
    expect(propertySchema(resolve(schema), 'a')).toEqual({ type: 'string' })
  })

  it('with a key called __proto__ gives nothing to others', () => {
    const schema = JSON.parse('{"allOf": [{"title": "t"}, {"__proto__": {"type": "string"}}]}') as JsonSchema
    const resolved = resolve(schema) as { type?: unknown }
    expect([resolved.type, Object.getPrototypeOf(resolved)]).toEqual([undefined, Object.prototype])
  })
})

it.each([[undefined], [null], [5], [['a']]])('what is read from %j is no text, and says so', (text) => {
  const refused = expect.objectContaining({ code: 'invalid-source' })
  expect(() => coerceText(text as never, { type: 'integer' })).toThrow(refused)
  expect(() => matchesPattern('a', text as never)).toThrow(refused)
  expect(() => matchesPattern(text as never, 'a')).toThrow(refused)
})
