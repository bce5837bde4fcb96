import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { parseWritten } from '../../../src/values/numbers/written.ts'
import { canonical } from '../../../src/values/schema/canonical.ts'

const circle: unknown[] = []
circle.push([circle])
const shared = { a: 1 }

describe('the canonical text', () => {
  it.each<[value: unknown, text: string]>([
    [null, 'null'],
    [true, 'true'],
    ['a"', '"a\\""'],
    [1.5, '1.5'],
    [-0, '0'],
    [Infinity, '1e999'],
    [-Infinity, '-1e999'],
    [[], '[]'],
    [{}, '{}'],
    [[1, [2, []], { b: 3 }], '[1,[2,[]],{"b":3}]'],
    [{ b: [1], a: { d: 'x', c: null } }, '{"a":{"c":null,"d":"x"},"b":[1]}'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [runInNewContext('({ b: [1], a: 2 })'), '{"a":2,"b":[1]}'],
    [[shared, shared], '[{"a":1},{"a":1}]'],
  ])('of %j is %s', (value, text) => {
    expect(canonical(value)).toBe(text)
  })

  it.each<[what: string, value: unknown]>([
    ['what holds itself', circle],
    ['a date', new Date(0)],
    ['a map in a list', [new Map()]],
    ['a function', () => 1],
    ['nothing', undefined],
    ['nothing in a list', [undefined]],
    ['not a number', Number.NaN],
    ['a bigint', 1n],
  ])('is not there for %s', (_, value) => {
    expect(canonical(value)).toBeUndefined()
  })

  it.each<[value: unknown, text: string]>([
    [[1, 2], '[1,2]'],
    [[[[]]], '[[[]]]'],
    ['abc', '"abc"'],
    [{ a: 1 }, '{"a":1}'],
  ])('of %j is not there where it is too long', (value, text) => {
    expect(canonical(value, text.length)).toBe(text)
    expect(canonical(value, text.length - 1)).toBeUndefined()
  })

  it.each([
    ['{"b":1.0,"a":[9007199254740993,2,-0]}', '{"a":[9007199254740993,2,-0],"b":1.0}'],
    ['[1.50,"1.0",0]', '[1.50,"1.0",0]'],
  ])('of %s has, on request, numbers as they were written', (json, text) => {
    expect(canonical(parseWritten(json), Infinity, 'written')).toBe(text)
    expect(canonical(JSON.parse('[1.50,1.0,-0]'))).toBe('[1.5,1,0]')
    expect(canonical(parseWritten('[1.50,1.0,-0]'))).toBe('[1.5,1,0]')
  })
})
