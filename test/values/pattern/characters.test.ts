import { describe, expect, it, vi } from 'vitest'
import type * as Sets from '../../../src/values/pattern/characters.ts'

/** What was found out about Unicode is kept for later: each test finds it out anew. */
function loadSets(): Promise<typeof Sets> {
  vi.resetModules()
  return import('../../../src/values/pattern/characters.ts')
}

describe('a set of characters', () => {
  it('is joined from others, wherever these overlap or touch', async () => {
    const sets = await loadSets()
    const first: Sets.Characters = [
      [1, 5],
      [20, 22],
    ]
    const second: Sets.Characters = [
      [2, 3],
      [6, 8],
      [10, 12],
      [24, 25],
    ]
    expect(sets.union([second, first])).toEqual([
      [1, 8],
      [10, 12],
      [20, 22],
      [24, 25],
    ])
  })

  it.each<[Sets.Characters, Sets.Characters]>([
    [[], [[0, 0x10ffff]]],
    [[[0, 0x10ffff]], []],
    [[[0, 5]], [[6, 0x10ffff]]],
    [[[9, 0x10ffff]], [[0, 8]]],
    [[[0, 0x10fffe]], [[0x10ffff, 0x10ffff]]],
    [
      [
        [1, 1],
        [3, 5],
      ],
      [
        [0, 0],
        [2, 2],
        [6, 0x10ffff],
      ],
    ],
  ])('has all others outside: %j', async (set, others) => {
    const sets = await loadSets()
    expect(sets.except(set)).toEqual(others)
  })

  it.each<[string, Sets.Characters]>([
    ['\\p{RI}', [[0x1f1e6, 0x1f1ff]]],
    ['\\p{Cs}', [[0xd800, 0xdfff]]],
    ['\\p{Any}', [[0, 0x10ffff]]],
    ['\\P{Any}', []],
    [
      '\\P{ASCII_Hex_Digit}',
      [
        [0, 47],
        [58, 64],
        [71, 96],
        [103, 0x10ffff],
      ],
    ],
  ])('is found for the property %s', async (written, expected) => {
    const sets = await loadSets()
    expect(sets.propertyOf(written)).toEqual(expected)
    expect(sets.propertyOf(written)).toEqual(expected)
  })

  it.each<[why: string, Sets.Characters, all: string]>([
    ['a letter in both cases', [[107, 107]], 'Kk'],
    ['a range of letters', [[0x41, 0x43]], 'ABCabc'],
    ['characters without a case', [[48, 50]], '012'],
    ['letters of which the upper case is one', [[0xb5, 0xb5]], 'µΜμ'],
    ['a letter of which the upper case is far away', [[0xff, 0xff]], 'ÿŸ'],
    ['no letter of ASCII for one that is outside', [[0x17f, 0x17f]], 'ſ'],
    ['no letter outside of ASCII for one that is in it', [[0x73, 0x73]], 'Ss'],
    ['no letter that is two in upper case', [[0x2bc, 0x2bc]], 'ʼ'],
    [
      'letters of several ranges',
      [
        [0x61, 0x61],
        [0x3c9, 0x3c9],
      ],
      'AaΩω',
    ],
  ])('has, where the case is ignored, %s', async (_, set, all) => {
    const sets = await loadSets()
    const codes = [...all].map((one) => one.codePointAt(0)!)
    const found = sets
      .ignoringCase(set)
      .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
    expect(found).toEqual(codes)
  })
})

it.each(['\\p{Lu}', '\\p{Script=Grek}', '\\p{Cn}', '\\P{Cs}'])(
  'the characters of %s are those of the language',
  async (written) => {
    const sets = await loadSets()
    const expression = new RegExp(`^${written}$`, 'u')
    const ranges = sets.propertyOf(written)
    const wrong: number[] = []
    let range = 0
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code > (ranges[range]?.[1] ?? Infinity)) range++
      const isIn = code >= (ranges[range]?.[0] ?? Infinity)
      if (isIn !== expression.test(String.fromCodePoint(code))) wrong.push(code)
    }
    expect(wrong).toEqual([])
  },
)
