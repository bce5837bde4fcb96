import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSinkParser } from '../../src/parser.ts'
import { growthOf, MOST_GROWTH } from '../growth.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { edited, editsArbitrary, messageArbitrary, textArbitrary } from './messages.ts'
import { FACTOR, SEED, thoughtsOf, written } from './suite.ts'
import { viewLaws } from './view.ts'
import { VIEWS } from './views.ts'

/** Valid texts, valid texts that were edited, and text strewn with markup. */
function texts(entry: LawEntry, runs: number): string[] {
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) =>
    fc.sample(arbitrary, { seed: SEED, numRuns: numRuns * FACTOR })
  const valid = sample(messageArbitrary(entry), runs)
    .map((parts) => written(entry, parts))
    .filter((text) => text !== undefined)
  const edits = sample(editsArbitrary(entry), valid.length)
  const damaged = valid.map((text, index) => edited(text, edits[index % edits.length]!))
  const thoughts = entry.dialect.reasoning.length === 0 ? [] : sample(thoughtsOf(entry), runs / 2)
  return [
    ...valid,
    ...damaged,
    ...sample(textArbitrary(entry, 'whole'), runs / 4),
    ...thoughts.map(({ text }) => text),
  ]
}

const SAMPLES = ENTRIES.map((entry) => ({ entry, texts: texts(entry, 20) }))

/** Some places to cut a text in two, spread over it, other ones for each text. */
const cutsOf = (text: string): number[] =>
  [3, 5, 7, 11, 13].map((step) => (step * (text.length + step) * 7) % (text.length + 1))

describe.each(VIEWS)('$name', (view) => {
  test.each(SAMPLES)('keeps the laws over $entry.name', ({ entry, texts }) => {
    for (const text of texts) expect(viewLaws(view, entry.options, text, cutsOf(text)), text).toBeUndefined()
  })

  test('takes time in proportion to the text', async () => {
    const options = ENTRIES.find(({ name }) => name === 'hermes')!.options
    const growth = await growthOf((length) => {
      const open = view.open()
      const parser = createSinkParser((event) => open.add(event), { ...options, ...view.options })
      for (const character of fileAndCalls(length)) parser.push(character)
      parser.end()
    }, 4000)
    expect(growth).toBeLessThan(MOST_GROWTH)
  })
})

/** A file in one argument, and many short calls. */
const fileAndCalls = (length: number): string =>
  `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "${'line\\n'.repeat(length / 6)}"}}</tool_call>` +
  'a < b. <tool_call>{"name": "ping", "arguments": {}}</tool_call>'.repeat(length / 60)
