import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PointerPatterns, readPointer } from '../../../../src/views/compat/progress/pointer-pattern.ts'

/** What a pattern means, said in the simplest way. */
function matches(pattern: readonly string[], keys: readonly (string | number)[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return keys.length === 0
  if (first !== '**')
    return keys.length > 0 && (first === '*' || first === String(keys[0])) && matches(rest, keys.slice(1))
  const least = rest.length === 0 ? 1 : 0
  return keys.concat('').some((_, taken) => taken >= least && matches(rest, keys.slice(taken)))
}

const pattern = fc.array(fc.constantFrom('a', 'b', '0', '*', '**'), { minLength: 1, maxLength: 4 })
const keys = fc.array(fc.constantFrom<string | number>('a', 'b', 'c', 0, 1), { maxLength: 5 })

test('every pattern is found at the places that it means, and nowhere else', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(pattern, { selector: String, maxLength: 4 }),
      fc.array(keys),
      (all, places) => {
        const patterns = new PointerPatterns<string>()
        for (const one of all) patterns.add(readPointer(`/${one.join('/')}`), one.join('/'))
        const cursor = patterns.cursor()
        for (const place of places) {
          // Step by step, as the values of a document come, and then once more from nowhere.
          let path: readonly (string | number)[] = []
          for (const key of place) {
            path = [...path, key]
            cursor.goTo(path)
          }
          const expected = all.filter((one) => matches(one, place)).map((one) => one.join('/'))
          if (place.length > 0) expect([...cursor.goTo(path)].sort()).toEqual(expected.sort())
          expect([...patterns.cursor().goTo(place)].sort()).toEqual(place.length > 0 ? expected : [])
        }
      },
    ),
    { seed: 21, numRuns: 500 },
  )
})
