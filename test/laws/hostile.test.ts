/**
 * The laws on hostile messages: thoughts that quote calls and go on, brackets too many, calls that fail with others
 * in their arguments. The messages of the other tests hold none of these.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createParser, type ParserOptions, restoreParser } from '../../src/engine/parser.ts'
import { runs as runsOf, SEED, sampleOf } from '../effort.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import * as laws from './laws.ts'
import type { Engine } from './observe.ts'
import { readingOf } from './runs.ts'
import { hostileMessage, recipeArbitrary } from './trust.ts'

const engine: Engine = { createParser, restoreParser }

/** Cutting a text everywhere takes the square of its length, and longer ones say no more. */
const LONGEST = 300

function onHostile(entry: LawEntry, runs: number, law: (sample: laws.Sample) => string | undefined): void {
  const messages = recipeArbitrary(entry)
    .map((recipe) => hostileMessage(entry, recipe))
    .filter(({ text }) => text.length <= LONGEST)
  fc.assert(
    fc.property(messages, (message) => {
      const { text, dialect, tools } = message
      const options: ParserOptions = { ...readingOf(message), dialect, tools }
      expect(law({ engine, options, text }), text).toBeUndefined()
    }),
    { seed: SEED, numRuns: runsOf(runs) },
  )
}

describe.each(sampleOf(ENTRIES, 0, 9))('$name', (entry) => {
  test('1. gives the same events however the text is cut', () => {
    onHostile(entry, 4, laws.splitInvariance)
  })
})

describe.each(sampleOf(ENTRIES, 1, 9))('$name', (entry) => {
  test('13. goes on from a snapshot taken anywhere', () => {
    onHostile(entry, 3, laws.resumable)
  })
})

describe.each(sampleOf(ENTRIES, 2))('$name', (entry) => {
  test('4, 6, 7, 10. takes nothing back, gives well formed events and inputs that add up, and never throws', () => {
    onHostile(entry, 10, (sample) => laws.total(sample) ?? laws.wellFormed(sample) ?? laws.jsonHolds(sample))
    onHostile(entry, 5, laws.noRegret)
  })

  test('5. loses nothing', () => {
    onHostile(entry, 10, (sample) => laws.nothingLost(sample, entry.markup))
  })
})
