import { describe, expect, it } from 'vitest'
import { hasRepeatedKey, parseJson } from '../../../src/values/schema/json-text.ts'

describe('a text', () => {
  it.each<[text: string, value: unknown]>([
    ['"a:b"', 'a:b'],
    ['null', null],
    ['1', 1],
    ['{"a": {"a": [{"b": 1}, {"b": "\\":"}]}}', { a: { a: [{ b: 1 }, { b: '":' }] } }],
  ])('%s is JSON', (text, value) => {
    expect(parseJson(text)).toEqual(value)
    expect(hasRepeatedKey(text)).toBe(false)
  })

  it.each(['{"a": 1, "a": 2}', '[{"b": {"c": 1, "\\u0063": 2}}]'])('%s has a key twice', (text) => {
    expect(parseJson(text)).toBeUndefined()
    expect(hasRepeatedKey(text)).toBe(true)
  })

  it.each(['', 'a:', '{"a": ', '"a'])('%s is no JSON', (text) => {
    expect(parseJson(text)).toBeUndefined()
    expect(hasRepeatedKey(text)).toBe(false)
  })
})
