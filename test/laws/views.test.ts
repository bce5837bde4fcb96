import { describe, expect, test } from 'vitest'
import { runs, sampleOf } from '../effort.ts'
import { ENTRIES } from './entries.ts'
import { sampleTexts } from './suite.ts'
import { viewLaws } from './view.ts'
import { VIEWS } from './views.ts'

const SAMPLES = sampleOf(ENTRIES).map((entry) => ({ entry, texts: sampleTexts(entry, runs(20)) }))

/** Some places to cut a text in two, spread over it, other ones for each text. */
const cutsOf = (text: string): number[] =>
  [3, 5, 7, 11, 13].map((step) => (step * (text.length + step) * 7) % (text.length + 1))

describe.each(VIEWS)('$name', (view) => {
  test.each(SAMPLES)('keeps the laws over $entry.name', ({ entry, texts }) => {
    // Elsewhere verdicts wait for the end, and what ends with its verdict ends behind what follows.
    const options = { start: 'text' as const, ...entry.options }
    for (const text of texts) expect(viewLaws(view, options, text, cutsOf(text)), text).toBeUndefined()
  })
})
