import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hasWrittenNumbers,
  keepNumber,
  parseWritten,
  saysAll,
  writeJson,
  writtenNumber,
} from '../../../src/values/numbers/written.ts'
import { runs, SEED } from '../../effort.ts'

/** Numbers, and whether their value alone says how they were written. */
const NUMBERS: readonly (readonly [lexeme: string, isSaid: boolean])[] = [
  ['0', true],
  ['7', true],
  ['-7', true],
  ['10', true],
  ['1.25', true],
  ['-0.5', true],
  ['1.0', false],
  ['-1.50', false],
  ['1e5', false],
  ['1E+2', false],
  ['0.0000001', false],
  ['0.000001', true],
  ['1e-7', true],
  ['9007199254740991', true],
  ['9007199254740992', false],
  ['-9007199254740993', false],
  ['1e21', false],
  ['1e+21', false],
  ['0.12345678901234567', false],
]

describe('the value of a number', () => {
  it.each([...NUMBERS, ['-0', true] as const, ['-0.0', true] as const])(
    'says that it was written %s: %s',
    (lexeme, isSaid) => {
      expect(saysAll(lexeme, Number(lexeme))).toBe(isSaid)
    },
  )
})

interface Json {
  /** With white space. */
  readonly text: string
  /** Without. */
  readonly compact: string
  /** Whether its value alone says all of it. */
  readonly isSaid: boolean
}

const SPACES = ['', ' ', '\n', '\t', '\r\n  ']
const STRINGS = [
  '""',
  '"a"',
  '"1.0"',
  '"a\\"b"',
  '"\\\\"',
  '"\\\\\\",[{:"',
  '"number 0:0"',
  '"__proto__"',
  '"}]"',
]

const json = fc.letrec<{ value: Json; list: Json; object: Json; leaf: Json }>((tie) => {
  const space = fc.constantFrom(...SPACES)
  const string = fc.constantFrom(...STRINGS)
  const members = fc.uniqueArray(fc.tuple(string, tie('value')), {
    selector: ([key]) => key,
    maxLength: 4,
  })
  const leaf = fc.oneof(
    fc.constantFrom(...NUMBERS).map(([text, isSaid]) => ({ text, compact: text, isSaid })),
    fc.constantFrom(...STRINGS, 'true', 'null').map((text) => ({ text, compact: text, isSaid: true })),
  )
  const joined = (items: readonly Json[], [open, close]: string, gap: string): Json => ({
    text: `${open}${gap}${items.map(({ text }) => text).join(`${gap},${gap}`)}${gap}${close}`,
    compact: `${open}${items.map(({ compact }) => compact).join(',')}${close}`,
    isSaid: items.every(({ isSaid }) => isSaid),
  })
  return {
    leaf,
    list: fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), space)
      .map(([items, gap]) => joined(items, '[]', gap)),
    object: fc.tuple(members, space).map(([pairs, gap]) =>
      joined(
        pairs.map(([key, { text, compact, isSaid }]) => ({
          text: `${key}${gap}:${gap}${text}`,
          compact: `${key}:${compact}`,
          isSaid,
        })),
        '{}',
        gap,
      ),
    ),
    value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, leaf, tie('list'), tie('object')),
  }
})

describe('JSON', () => {
  it('is the value of the platform, and is written as it was', () => {
    fc.assert(
      fc.property(fc.oneof(json.list, json.object), ({ text, compact, isSaid }) => {
        const value = parseWritten(text)
        expect(value).toStrictEqual(JSON.parse(text))
        expect(writeJson(value)).toBe(compact)
        expect(hasWrittenNumbers(text)).toBe(!isSaid)
      }),
      { seed: SEED, numRuns: runs(5000) },
    )
  })

  it.each<[text: string, written: string]>([
    ['{"id":9007199254740993,"sum":1.0}', '{"id":9007199254740993,"sum":1.0}'],
    ['[[1.0],{"a":[2.0]},3.0]', '[[1.0],{"a":[2.0]},3.0]'],
    ['{"a":{"b":1.0},"c":2.0}', '{"a":{"b":1.0},"c":2.0}'],
    ['{"a":[],"b":{},"c":1.0}', '{"a":[],"b":{},"c":1.0}'],
    ['{"a\\u0062":1.0}', '{"ab":1.0}'],
    ['["\\\\",1.0]', '["\\\\",1.0]'],
    ['["\\"",1.0]', '["\\"",1.0]'],
    ['{"\\\\":1.0}', '{"\\\\":1.0}'],
    ['[true,1.0,null,2.0]', '[true,1.0,null,2.0]'],
    ['[-0.0]', '[0]'],
    // Of two members with one key the last counts, whatever the first one is.
    ['{"a":1.0,"a":2.0}', '{"a":2.0}'],
    ['{"a":1.0,"a":2}', '{"a":2}'],
    ['{"a":{"b":1.0},"a":[2.0]}', '{"a":[2.0]}'],
    ['{"a":1.0,"a":1}', '{"a":1}'],
    ['{"a":{"b":1.0},"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{"a":[1.0],"a":{"0":1}}', '{"a":{"0":1}}'],
    ['{"a":{"b":1.0},"a":5}', '{"a":5}'],
    ['{"a":[1.0],"a":5}', '{"a":5}'],
    ['{"a":{"b":1.0},"a":null}', '{"a":null}'],
    ['{"a":[[1.0]],"a":"b"}', '{"a":"b"}'],
    // What takes the place of a number while it is written is no string of the value.
    ['{"number 0:0":"number 0:0","number 1:":1.0}', '{"number 0:0":"number 0:0","number 1:":1.0}'],
    ['["number 1:0","number 0:1",1.0,2.0]', '["number 1:0","number 0:1",1.0,2.0]'],
  ])('%s is written %s', (text, written) => {
    expect(writeJson(parseWritten(text))).toBe(written)
  })

  it.each(['1.0', '"1.0"', 'null', 'true'])('that is no list and no object is its value: %s', (text) => {
    expect(parseWritten(text)).toBe(JSON.parse(text))
    expect(writeJson(parseWritten(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('that is none is refused as the platform refuses it', () => {
    expect(() => parseWritten('[1.0')).toThrow(SyntaxError)
  })

  it('may be written with other numbers in place of those that a value does not say', () => {
    const seen: string[] = []
    const written = writeJson(parseWritten('{"a":1.0,"b":[2,1e3]}'), (lexeme) => seen.push(lexeme))
    expect([written, seen]).toEqual(['{"a":1,"b":[2,2]}', ['1.0', '1e3']])
  })

  it.each([
    ['[1.0]', true],
    ['["[1.0]", 1]', false],
    [' 1e5', true],
    // No JSON.
    ['["[1.0 ', false],
  ])('has numbers that their values do not say, in %s: %s', (text, expected) => {
    expect(hasWrittenNumbers(text)).toBe(expected)
  })

  it('may be nested deeply', () => {
    const text = `${'['.repeat(5000)}1.0${']'.repeat(5000)}`
    expect(hasWrittenNumbers(text)).toBe(true)
    let value = parseWritten(text) as unknown[]
    while (Array.isArray(value[0])) value = value[0]
    expect(writtenNumber(value, 0)).toBe('1.0')
  })
})

describe('a number in a value', () => {
  it('is known as it was written, until another takes its place', () => {
    const value = parseWritten('{"a":1.0,"b":1}') as { a: number; b: number }
    expect([writtenNumber(value, 'a'), writtenNumber(value, 'b'), writtenNumber(value, 'c')]).toEqual([
      '1.0',
      undefined,
      undefined,
    ])
    value.a = 2
    expect(writtenNumber(value, 'a')).toBeUndefined()
    expect(writtenNumber({ ...value, a: 1 }, 'a')).toBeUndefined()
  })

  it('is kept only where its value does not say it', () => {
    const list = [1, 2, 3]
    keepNumber(list, 0, '1.0')
    keepNumber(list, 1, '2')
    keepNumber(list, 2, '3.0')
    expect([writtenNumber(list, 0), writtenNumber(list, 1), writtenNumber(list, '2')]).toEqual([
      '1.0',
      undefined,
      '3.0',
    ])
    expect(writeJson(list)).toBe('[1.0,2,3.0]')
  })
})
