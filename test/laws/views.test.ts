import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs, SEED } from '../effort.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { edited, editsArbitrary, messageArbitrary, textArbitrary } from './messages.ts'
import { thoughtsOf, written } from './suite.ts'
import { viewLaws } from './view.ts'
import { VIEWS } from './views.ts'

/** Valid texts, valid texts that were edited, and text strewn with markup. */
function texts(entry: LawEntry, count: number): string[] {
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) =>
    fc.sample(arbitrary, { seed: SEED, numRuns })
  const valid = sample(messageArbitrary(entry), count)
    .map((parts) => written(entry, parts))
    .filter((text) => text !== undefined)
  const edits = sample(editsArbitrary(entry), valid.length)
  const damaged = valid.map((text, index) => edited(text, edits[index % edits.length]!))
  const thoughts = entry.dialect.reasoning.length === 0 ? [] : sample(thoughtsOf(entry), count / 2)
  return [
    ...valid,
    ...damaged,
    ...sample(textArbitrary(entry, 'whole'), count / 4),
    ...thoughts.map(({ text }) => text),
  ]
}

const SAMPLES = ENTRIES.map((entry) => ({ entry, texts: texts(entry, runs(20)) }))

/** Some places to cut a text in two, spread over it, other ones for each text. */
const cutsOf = (text: string): number[] =>
  [3, 5, 7, 11, 13].map((step) => (step * (text.length + step) * 7) % (text.length + 1))

describe.each(VIEWS)('$name', (view) => {
  test.each(SAMPLES)('keeps the laws over $entry.name', ({ entry, texts }) => {
    for (const text of texts) expect(viewLaws(view, entry.options, text, cutsOf(text)), text).toBeUndefined()
  })
})
