import { describe, expect, test } from 'vitest'
import { IncrementalArgParser } from '../../../../src/views/compat/progress/index.ts'

describe('a pair is complete', () => {
  test.each([
    ['a string at its closing quote', '{"path":"/tmp/foo.rs"', [['path', '/tmp/foo.rs']]],
    ['a string with escapes', '{"a":"\\"\\u0041\\\\","b":"x', [['a', '"A\\']]],
    ['a list at its bracket', '{"a":[1,{"b":"]"}]', [['a', [1, { b: ']' }]]]],
    ['an object at its brace', '{"a":{"b":{}}', [['a', { b: {} }]]],
    ['a number at the comma after it', '{"a":-1.5e+3,', [['a', -1500]]],
    ['a number not before', '{"a":30', []],
    [
      'a literal at the brace after it',
      '{"a":null,"b":true }',
      [
        ['a', null],
        ['b', true],
      ],
    ],
    ['under its decoded key', '{"p\\u0061th":1}', [['path', 1]]],
    ['also a key called __proto__', '{"__proto__":{"a":1}}', [['__proto__', { a: 1 }]]],
  ])('%s', (_, text, pairs) => {
    expect(new IncrementalArgParser().push(text)).toEqual(pairs)
    const parser = new IncrementalArgParser()
    expect([...text].flatMap((character) => parser.push(character))).toEqual(pairs)
  })
})

test('what was read but not asked for waits', () => {
  const parser = new IncrementalArgParser()
  parser.append('{"a":1,')
  parser.append('"b":2,')
  expect(parser.tryParseNext()).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect(parser.tryParseNext()).toEqual([])
})

test.each([
  ['', undefined],
  [' \n', undefined],
  ['{', true],
  ['[', false],
  ['"', false],
  ['1', false],
  ['n', false],
  ['?', false],
])('after %j it is known whether it is an object: %j', (text, isObject) => {
  const parser = new IncrementalArgParser()
  expect(parser.push(text)).toEqual([])
  expect(parser.isObject).toBe(isObject)
})

test.each<[string, 'strict' | 'tolerant', boolean | undefined]>([
  ['```json\n{"a":1}', 'tolerant', true],
  ['// note\n{"a":1}', 'tolerant', true],
  ['```json\n', 'tolerant', undefined],
  ['None', 'tolerant', undefined],
  ['\ufeff{"a":1}', 'tolerant', true],
  ['\ufeff{"a":1}', 'strict', false],
  ['\u00a0{"a":1}', 'strict', false],
])('of %j (%s) the same is known however it is cut: %j', (text, mode, isObject) => {
  const known = (pieces: readonly string[]): unknown[] => {
    const parser = new IncrementalArgParser({ mode })
    const seen = new Set<unknown>()
    for (const piece of pieces) {
      parser.push(piece)
      if (parser.isObject !== undefined) seen.add(parser.isObject)
    }
    return [...seen]
  }
  expect(known([text])).toEqual(isObject === undefined ? [] : [isObject])
  expect(known([...text])).toEqual(known([text]))
})

describe('in the end', () => {
  test.each([
    ['nothing', '', { status: 'complete', value: {}, isEmpty: true, isLossless: true }],
    [
      'a complete object',
      '{"a":1}',
      {
        status: 'complete',
        value: { a: 1 },
        isEmpty: false,
        isLossless: true,
        lastComplete: { path: '/a', value: 1 },
      },
    ],
    ['a number as the whole', '12', { status: 'complete', value: 12, isEmpty: false, isLossless: true }],
    [
      'a string that was cut off',
      '{"a":1,"b":{"c":"xy\\',
      {
        status: 'truncated',
        value: { a: 1, b: { c: 'xy' } },
        isEmpty: false,
        isLossless: true,
        inFlight: { path: '/b/c', characters: 2 },
        lastComplete: { path: '/a', value: 1 },
      },
    ],
    [
      'a number that was cut off',
      '{"b":"long","n":3',
      {
        status: 'truncated',
        value: { b: 'long' },
        isEmpty: false,
        isLossless: true,
        inFlight: { path: '/n', characters: 0 },
        lastComplete: { path: '/b', value: 'long' },
      },
    ],
    [
      'something else',
      '{"a":?',
      { status: 'invalid', value: {}, isEmpty: false, isLossless: true, message: '"?" is not allowed here.' },
    ],
  ])('there was %s', (_, text, result) => {
    const parser = new IncrementalArgParser()
    parser.push(text)
    expect(parser.end()).toEqual(result)
  })
})
