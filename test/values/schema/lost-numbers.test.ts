import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { parseWritten } from '../../../src/values/numbers/written.ts'
import {
  bigIntsIn,
  hasRounded,
  lostNumbersIn,
  readWithBigInts,
  withBigInts,
} from '../../../src/values/schema/lost-numbers.ts'

const RANGE = 'must be from -9007199254740991 to 9007199254740991, because a larger integer may lose digits'

const written = (text: string): JsonValue => parseWritten(text) as JsonValue

describe('a number that is written', () => {
  it.each<[text: string, issues: readonly (readonly [path: string, message: string])[]]>([
    ['{"a":1,"b":[1.0,1e3,0.1]}', []],
    ['{"a":9007199254740991}', []],
    ['{"a":9007199254740992}', []],
    ['{"a":0.10000000000000001}', []],
    ['{"id":9007199254740993}', [['/id', RANGE]]],
    ['{"a":[1,{"b":-9007199254740993}]}', [['/a/1/b', RANGE]]],
    ['{"a":1e-400}', [['/a', 'is too small for a number; write 0 if that is meant']]],
    ['{"a":19.99999999999999999999}', [['/a', 'has more digits than a number keeps; write at most 15']]],
    ['{"a":1e999}', []],
    [
      '[9007199254740993,9007199254740995]',
      [
        ['/0', RANGE],
        ['/1', RANGE],
      ],
    ],
  ])('is lost if it is another one as a value: %s', (text, issues) => {
    expect(lostNumbersIn(written(text))).toEqual(
      issues.map(([path, message]) => ({ path, keyword: 'type', message })),
    )
  })

  it('may be written in quotes where a string may stand', () => {
    const mayBeText = ({ pointer }: { readonly pointer: string }): boolean => pointer === '/a'
    expect(
      lostNumbersIn(written('{"a":1e-400,"b":1e-400}'), mayBeText).map(({ message }) => message),
    ).toEqual([
      'is too small for a number; write it in quotes',
      'is too small for a number; write 0 if that is meant',
    ])
    expect(lostNumbersIn(written('{"a":9007199254740993}'), mayBeText).map(({ message }) => message)).toEqual(
      [`${RANGE}; write it in quotes`],
    )
  })

  it('has a path with numbers for the places in lists', () => {
    const keys: unknown[] = []
    lostNumbersIn(written('{"a":[9007199254740993]}'), ({ key, parent }) => keys.push(parent?.key, key) > 0)
    expect(keys).toEqual(['a', 0])
  })

  it('is looked for until there are as many issues as anyone reads', () => {
    const many = (count: number) => written(`[${Array(count).fill('9007199254740993').join()}]`)
    expect([99, 100, 101].map((count) => lostNumbersIn(many(count)).length)).toEqual([99, 100, 100])
  })
})

describe('a number without its text', () => {
  it.each<[value: number, mayBeRounded: boolean]>([
    [5, false],
    [0.5, false],
    [9007199254740991, false],
    [9007199254740992, true],
    [-9007199254740992, true],
    [1e20, true],
    [1e21, false],
    [6.02214076e23, false],
    [1.123456789e30, false],
    [-1.123456789e30, false],
    [1.1234567891e30, true],
    [-1.1234567891e30, true],
    [Number.POSITIVE_INFINITY, false],
  ])('%s may have been another integer: %s', (value, mayBeRounded) => {
    expect(hasRounded({ a: ['', value] })).toBe(mayBeRounded)
    expect(lostNumbersIn([value])).toHaveLength(mayBeRounded ? 1 : 0)
  })

  it('is found behind others, wherever it stands', () => {
    expect(hasRounded(9007199254740992)).toBe(true)
    expect(hasRounded([9007199254740992, 1])).toBe(true)
    expect(hasRounded({ a: null, b: [[1, 9007199254740992]] })).toBe(true)
    expect(hasRounded(written('[9007199254740993]'))).toBe(false)
    expect(hasRounded({ a: 'b' })).toBe(false)
    expect(lostNumbersIn(9007199254740992)).toMatchObject([{ path: '' }])
  })
})

describe('bigints', () => {
  it.each<[text: string, all: boolean, expected: unknown]>([
    ['{"a":9007199254740993,"b":1}', false, { a: 9007199254740993n, b: 1 }],
    ['[1,-9007199254740993]', false, [1, -9007199254740993n]],
    ['[9007199254740992,1e21]', false, [9007199254740992, 1e21]],
    ['[9007199254740992,1e21]', true, [9007199254740992n, 1000000000000000000000n]],
    ['[1.0,2.50,19.99999999999999999999,"9007199254740993"]', true, [1, 2.5, 20, '9007199254740993']],
    ['{"__proto__":9007199254740993}', false, JSON.parse('{"__proto__":1}')],
  ])(
    'take the place of integers in %s that a number cannot hold, or of all beyond 2^53: %s',
    (text, all, expected) => {
      const value = written(text) as Record<string, unknown>
      withBigInts(value as JsonValue, all)
      if (text.includes('__proto__')) {
        const bigint = Object.getOwnPropertyDescriptor(value, '__proto__')
        expect(bigint).toStrictEqual({
          value: 9007199254740993n,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      } else expect(value).toStrictEqual(expected)
    },
  )

  it('take the place of no number that has no text', () => {
    const value = [9007199254740992]
    withBigInts(value, true)
    expect(value).toStrictEqual([9007199254740992])
  })

  it('are found with their paths, as far as anyone reads', () => {
    expect(bigIntsIn({ a: [1, 5n] } as never, () => false)).toEqual([
      { path: '/a/1', keyword: 'type', message: RANGE },
    ])
    expect(bigIntsIn([5n] as never, () => true)).toMatchObject([{ message: `${RANGE}; write it in quotes` }])
    expect(bigIntsIn(Array(101).fill(5n) as never, () => false)).toHaveLength(100)
    expect(lostNumbersIn([5n] as never)).toEqual([])
    expect(hasRounded([5n, 9007199254740992] as never)).toBe(true)
  })
})

it('JSON text is read with bigints for all integers beyond 2^53, and not where another number would be lost', () => {
  expect(readWithBigInts('9007199254740993')).toBe(9007199254740993n)
  expect(readWithBigInts('9007199254740992')).toBe(9007199254740992n)
  expect(readWithBigInts('9007199254740991')).toBe(9007199254740991)
  expect(readWithBigInts('{"a":[1.0,9007199254740993]}')).toEqual({ a: [1, 9007199254740993n] })
  expect(readWithBigInts('[0.1]')).toEqual([0.1])
  expect(readWithBigInts('19.99999999999999999999')).toBeUndefined()
  expect(readWithBigInts('[9007199254740993,1e-400]')).toBeUndefined()
})
