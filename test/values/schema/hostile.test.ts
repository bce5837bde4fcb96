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

describe('validation says of', () => {
  const cases: [sentence: string, value: unknown, schema: unknown, message: string][] = [
    ['nothing', undefined, { type: 'string' }, 'must be a string, not a value that is not JSON'],
    ['a bigint', 1n, { type: 'string' }, 'must be a string, not an integer'],
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

describe('coercion goes on', () => {
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
