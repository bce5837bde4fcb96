import { describe, expect, test } from 'vitest'
import { detect } from '../../src/dialects/index.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { runs, sampleOf } from '../effort.ts'
import { DETECTED, ENTRIES, TOOLS } from './entries.ts'
import * as laws from './laws.ts'
import { sampleTexts, testLaws } from './suite.ts'

testLaws(sampleOf(DETECTED, 2))

describe('what runs is what would run if the dialect were known', () => {
  const engine = { createParser, restoreParser }
  const entries = ENTRIES.filter(({ dialect }) => detect().candidates.includes(dialect))
  test.each(entries)('$name', (entry) => {
    for (const text of sampleTexts(entry, runs(60))) {
      const options = { dialect: detect(), tools: TOOLS }
      expect(laws.trustInDetection({ engine, options, text }, entry.dialect), text).toBeUndefined()
    }
  })
})
