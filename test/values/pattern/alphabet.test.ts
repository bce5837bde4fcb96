import { describe, expect, it } from 'vitest'
import { Alphabet } from '../../../src/values/pattern/alphabet.ts'
import type { Characters } from '../../../src/values/pattern/characters.ts'

const VOWELS: Characters = [
  [97, 97],
  [101, 101],
  [105, 105],
]
const TO_E: Characters = [[97, 101]]

/** The sets that a character is in. */
const setsOf = (alphabet: Alphabet, code: number): number[] => [...alphabet.setsOf[alphabet.kindOf(code)]!]

describe('an alphabet', () => {
  it('knows which sets a character is in', () => {
    const alphabet = new Alphabet([VOWELS, TO_E], false)
    const expected: [code: number, sets: number[]][] = [
      [0, []],
      [96, []],
      [97, [0, 1]],
      [98, [1]],
      [101, [0, 1]],
      [102, []],
      [105, [0]],
      [106, []],
      [0xffff, []],
    ]
    expect(expected.map(([code]) => [code, setsOf(alphabet, code)])).toEqual(expected)
  })

  it('finds characters beyond ASCII', () => {
    const sets: Characters[] = [[[0, 200]], [[0x1f600, 0x1f602]], [[0x10ffff, 0x10ffff]]]
    const alphabet = new Alphabet(sets, true)
    const expected: [code: number, sets: number[]][] = [
      [127, [0]],
      [128, [0]],
      [200, [0]],
      [201, []],
      [0x1f5ff, []],
      [0x1f600, [1]],
      [0x1f602, [1]],
      [0x1f603, []],
      [0x10fffe, []],
      [0x10ffff, [2]],
    ]
    expect(expected.map(([code]) => [code, setsOf(alphabet, code)])).toEqual(expected)
  })

  it('finds characters beyond ASCII where all are alike', () => {
    expect(setsOf(new Alphabet([], true), 0x1f600)).toEqual([])
  })

  it.each<[string, Characters[], boolean, number]>([
    ['characters in the same sets', [VOWELS, TO_E], false, 4],
    ['all characters', [[[0, 0x10ffff]]], true, 1],
    ['all UTF-16 code units', [[[0, 0xffff]]], false, 1],
    ['all but the first, and that', [[[1, 0xffff]]], false, 2],
    ['the last code unit, and the others', [[[0xffff, 0xffff]]], false, 2],
    ['the last code point, and the others', [[[0x10ffff, 0x10ffff]]], true, 2],
  ])('has one kind for %s', (_, sets, isUnicode, kinds) => {
    expect(new Alphabet(sets, isUnicode).setsOf).toHaveLength(kinds)
  })
})
