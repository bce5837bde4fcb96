import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import { parseJson, safeParseJson } from '../../../src/values/json/index.ts'

describe('parseJson', () => {
  test.each([
    ['{"a": 1}', { a: 1 }],
    ["{path: 'a.rs', force: True,}", { path: 'a.rs', force: true }],
    ['```json\n[1, 2]\n```', [1, 2]],
    ['{"a":"say "hi" now"}', { a: 'say "hi" now' }],
  ])('makes sense of %j', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  test.each([
    ['', 'There is no value in this text.'],
    ['{"a": 1', 'The text ends before its value does.'],
    ['{"a":\n }', 'Line 2, column 2: "}" is not allowed here.'],
  ])('throws for %j', (text, message) => {
    expect(() => parseJson(text)).toThrow(SluiceError)
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid-json', message }))
  })

  test.each([
    ['string', ['NaN', '+Infinity', '-Infinity']],
    ['null', [null, null, null]],
    ['number', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
  ] as const)('reads numbers that JSON does not have as %s', (nonFinite, value) => {
    expect(parseJson('[NaN, +Infinity, -Infinity]', { nonFinite })).toEqual(value)
  })

  test('is as strict as it is told to be', () => {
    expect(() => parseJson('[NaN]', { nonFinite: 'error' })).toThrow(
      'Line 1, column 5: JSON has neither infinite numbers nor NaN.',
    )
    expect(parseJson('[1]', { mode: 'strict' })).toEqual([1])
    expect(() => parseJson('[1,]', { mode: 'strict' })).toThrow('Line 1, column 4')
  })
})

describe('safeParseJson', () => {
  test('says what it took', () => {
    expect(safeParseJson('[1]')).toEqual({ value: [1], status: 'complete', repairs: [] })
    const { status, repairs } = safeParseJson('[1,]')
    expect([status, repairs.map((repair) => repair.code)]).toEqual(['repaired', ['trailing-comma']])
  })

  test('warns of a path whose backslashes were read as escapes', () => {
    const result = safeParseJson(String.raw`{"path": "C:\temp"}`)
    expect(result).toMatchObject({ value: { path: 'C:\temp' }, status: 'complete', repairs: [] })
    expect(result.warnings?.map(({ code, path }) => [code, path.pointer])).toEqual([
      ['suspicious-escape', '/path'],
    ])
  })

  test('keeps what there was of a text that is cut off', () => {
    expect(safeParseJson('{"a": "hel')).toEqual({ value: { a: 'hel' }, status: 'truncated', repairs: [] })
    expect(safeParseJson('  ')).toEqual({ value: undefined, status: 'empty', repairs: [] })
  })

  test('says where a text is broken', () => {
    const { status, value, error } = safeParseJson('{"a": 1, "b": }')
    expect([status, value, error?.code, error?.offset]).toEqual(['invalid', { a: 1 }, 'token', 14])
  })

  test('reads a value inside a string on request', () => {
    expect(safeParseJson('"[1]"').value).toBe('[1]')
    expect(safeParseJson('"[1]"', { unwrapStringified: true }).value).toEqual([1])
  })
})
