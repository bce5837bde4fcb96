/**
 * The laws on hostile messages: thoughts that quote calls and go on, brackets too many, calls that fail with others
 * in their arguments. The messages of the other tests hold none of these.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createParser, type ParserOptions, restoreParser } from '../../src/parser.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import * as laws from './laws.ts'
import type { Engine } from './observe.ts'
import { readingOf } from './runs.ts'
import { EFFORT, SEED } from './suite.ts'
import { hostileMessage, recipeArbitrary } from './trust.ts'

const engine: Engine = { createParser, restoreParser }

/** Longer ones take long to cut everywhere, and say no more. */
const LONGEST = 600

function onHostile(entry: LawEntry, runs: number, law: (sample: laws.Sample) => string | undefined): void {
  let tried = 0
  fc.assert(
    fc.property(recipeArbitrary(entry), (recipe) => {
      const message = hostileMessage(entry, recipe)
      const { text, dialect, tools } = message
      if (text.length > LONGEST) return
      tried++
      const options: ParserOptions = { ...readingOf(message), dialect, tools }
      expect(law({ engine, options, text }), text).toBeUndefined()
    }),
    { seed: SEED, numRuns: runs * EFFORT },
  )
  expect(tried).toBeGreaterThan(0)
}

describe.each(ENTRIES)('$name', (entry) => {
  test('1. gives the same events however the text is cut', () => {
    onHostile(entry, 4, laws.splitInvariance)
  })

  test('4, 6, 7, 10. takes nothing back, gives well formed events and inputs that add up, and never throws', () => {
    onHostile(entry, 15, (sample) => laws.total(sample) ?? laws.wellFormed(sample) ?? laws.jsonHolds(sample))
    onHostile(entry, 5, laws.noRegret)
  })

  test('5. loses nothing', () => {
    onHostile(entry, 15, (sample) => laws.nothingLost(sample, entry.markup))
  })

  test('13. goes on from a snapshot taken anywhere', () => {
    onHostile(entry, 3, laws.resumable)
  })
})
