import { describe, expect, it } from 'vitest'
import { isSameJson, type JsonObject, setOwn } from '../../../src/values/schema/json-values.ts'

describe('two JSON values', () => {
  it.each<[unknown, unknown]>([
    [1, 1.0],
    ['a', 'a'],
    [null, null],
    [[], []],
    [{}, {}],
    [
      [1, [2]],
      [1, [2]],
    ],
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
  ])('%j and %j are equal', (first, second) => {
    expect(isSameJson(first, second)).toBe(true)
    expect(isSameJson(second, first)).toBe(true)
  })

  it.each<[unknown, unknown]>([
    [1, 2],
    [1, '1'],
    [null, {}],
    [{}, 5],
    [null, 0],
    ['a', ['a']],
    [[], {}],
    [['a'], { 0: 'a' }],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [[1], [1, 2]],
    [
      [1, [2, 3]],
      [1, [2, 4]],
    ],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [{ toString: undefined }, { a: 1 }],
  ])('%j and %j differ', (first, second) => {
    expect(isSameJson(first, second)).toBe(false)
    expect(isSameJson(second, first)).toBe(false)
  })
})

it('a key is set as data, also one called __proto__', () => {
  const object: JsonObject = {}
  setOwn(object, 'a', 1)
  setOwn(object, '__proto__', { admin: true })
  expect(JSON.stringify(object)).toBe('{"a":1,"__proto__":{"admin":true}}')
  expect(object.admin).toBeUndefined()
  for (const key of ['a', '__proto__'])
    expect(Object.getOwnPropertyDescriptor(object, key)).toMatchObject({
      ...{ writable: true, enumerable: true, configurable: true },
    })
})
