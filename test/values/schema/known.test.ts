import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import type { JsonSchema } from '../../../src/values/schema/index.ts'
import { INTEGER, STRING, UNKNOWN } from '../../../src/values/schema/kinds.ts'
import { KnownSchemas } from '../../../src/values/schema/known.ts'

const ROOT: JsonSchema = {
  $defs: {
    count: { type: 'integer' },
    unit: { enum: ['k', 'm', 1] },
    box: { items: { $ref: '#/$defs/count' } },
  },
}

describe('a schema, asked again and again,', () => {
  const known = new KnownSchemas(ROOT)
  const twice = (ask: () => unknown): unknown[] => [ask(), ask()]

  it('has the same kinds', () => {
    const count: JsonSchema = { $ref: '#/$defs/count' }
    expect(twice(() => known.kindsOf(count))).toEqual([INTEGER, INTEGER])
    expect([known.kindsOf(true), known.kindsOf(false)]).toEqual([UNKNOWN, 0])
    expect(known.kindsOf({ type: 'string' })).toBe(STRING)
  })

  it('has the same constants', () => {
    const unit = { enum: ['k'] }
    expect(twice(() => known.constantsOf(unit)?.all)).toEqual([['k'], ['k']])
    expect(known.constantsOf({})).toBeNull()
  })

  it('has the same texts among them', () => {
    const unit: JsonSchema = { anyOf: [{ $ref: '#/$defs/unit' }, { const: 'g' }] }
    expect(twice(() => [...known.textsOf(unit)])).toEqual([
      ['k', 'm', 'g'],
      ['k', 'm', 'g'],
    ])
    expect([...known.textsOf(true)]).toEqual([])
  })

  it('has the same properties', () => {
    const order: JsonSchema = { properties: { count: { $ref: '#/$defs/count' } } }
    expect(twice(() => known.propertyOf(order, 'count'))).toEqual([{ type: 'integer' }, { type: 'integer' }])
    expect(twice(() => known.propertyOf(order, 'unit'))).toEqual([undefined, undefined])
    expect(known.propertyOf(true, 'count')).toBeUndefined()
  })

  it('has the same items', () => {
    expect(twice(() => known.itemOf({ $ref: '#/$defs/box' }, 0))).toEqual([
      { type: 'integer' },
      { type: 'integer' },
    ])
    expect(known.itemOf(true, 0)).toBeUndefined()
  })
})

describe('of the values that a schema names', () => {
  const schema = { enum: [1, 'a', null, { a: [1, 2], b: 'x' }, [], 9007199254740992, new Date(0)] }
  const constants = () => new KnownSchemas(true).constantsOf(schema)!

  const rights = [1, 1n, 'a', null, { b: 'x', a: [1, 2] }, [], 9007199254740992, 9007199254740992n]
  it.each(rights.map((value, at) => ({ at, value })))('the one at $at is found', ({ value }) => {
    expect(constants().has(value as JsonValue)).toBe(true)
  })

  const wrongs = [
    ...[2, 2n, '1', false, ['a'], {}, 9007199254740993n, new Date(1)],
    ...[{ a: [1, 3], b: 'x' }, { a: [1, 2] }, { a: [1, 2], b: 'x', c: 1 }, { a: [1, 2], c: 'x' }],
  ]
  it.each(wrongs.map((value, at) => ({ at, value })))('another is not, at $at', ({ value }) => {
    expect(constants().has(value as JsonValue)).toBe(false)
  })
})
