/** Schemas and values that are as large as they can be: everything ends, and the work is bounded. */

import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { coerceValue, type JsonSchema, validate } from '../../../src/values/schema/index.ts'

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

  it('on schemas that double at every step, and says so', () => {
    const $defs: Record<string, JsonSchema> = { s0: { type: 'integer' } }
    for (let step = 1; step <= 60; step++) {
      const $ref = `#/$defs/s${step - 1}`
      $defs[`s${step}`] = { anyOf: [{ $ref }, { $ref }] }
    }
    expect(validate('a', { $ref: '#/$defs/s60', $defs }).map((issue) => issue.keyword)).toContain('limit')
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

  it('on a schema that doubles at every step', () => {
    const $defs: Record<string, JsonSchema> = { s0: { type: 'integer' } }
    for (let step = 1; step <= 40; step++) {
      const next = { $ref: `#/$defs/s${step - 1}` }
      $defs[`s${step}`] = {
        anyOf: [{ properties: { a: next } }, { properties: { a: next }, required: ['b'] }],
      }
    }
    let value: JsonValue = 'no'
    for (let level = 0; level < 40; level++) value = { a: value }
    // Without a bound this would not end within the life of the universe.
    expect(coerceValue(value, { $ref: '#/$defs/s40', $defs }).changes).toEqual([])
  })
})
