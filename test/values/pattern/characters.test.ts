import { expect, it } from 'vitest'
import { propertyOf } from '../../../src/values/pattern/characters.ts'

it.each(['\\p{Lu}', '\\P{Lu}', '\\p{Script=Grek}', '\\p{Cn}', '\\P{Cs}', '\\p{Any}', '\\P{Any}', '\\p{RI}'])(
  'the characters of %s are those of the language',
  (written) => {
    const expression = new RegExp(`^${written}$`, 'u')
    const ranges = propertyOf(written)
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
