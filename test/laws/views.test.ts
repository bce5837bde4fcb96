import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSinkParser } from '../../src/parser.ts'
import { ENTRIES, type LawEntry, TOOLS } from './entries.ts'
import { edited, editsArbitrary, messageArbitrary, textArbitrary } from './messages.ts'
import { FACTOR, SEED, written } from './suite.ts'
import { type ViewUnderLaw, viewLaws } from './view.ts'
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
  return [...valid, ...damaged, ...sample(textArbitrary(entry, 'whole'), runs / 4)]
}

const SAMPLES = ENTRIES.map((entry) => ({ entry, texts: texts(entry, 20) }))

/** Some places to cut a text in two, spread over it, other ones for each text. */
const cutsOf = (text: string): number[] =>
  [3, 5, 7, 11, 13].map((step) => (step * (text.length + step) * 7) % (text.length + 1))

describe.each(VIEWS)('$name', (view) => {
  test.each(SAMPLES)('keeps the laws over $entry.name', ({ entry, texts }) => {
    for (const text of texts) expect(viewLaws(view, entry.options, text, cutsOf(text)), text).toBeUndefined()
  })

  test('takes time in proportion to the text', () => {
    const options = ENTRIES.find(({ name }) => name === 'hermes')!.options
    const growth = Math.min(...[1, 2, 4].map((scale) => growthOf(view, options, 4000 * scale)))
    // Linear is 4, quadratic is 16.
    expect(growth).toBeLessThan(8)
  })
})

/** How much longer four times the text takes, in single characters: a file in one argument, and many short calls. */
function growthOf(view: ViewUnderLaw, options: LawEntry['options'], length: number): number {
  const make = (size: number) =>
    `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "${'line\\n'.repeat(size / 6)}"}}</tool_call>` +
    'a < b. <tool_call>{"name": "ping", "arguments": {}}</tool_call>'.repeat(size / 60)
  const time = (text: string): number => {
    const open = view.open()
    const parser = createSinkParser((event) => open.add(event), { ...options, tools: TOOLS, ...view.options })
    const start = process.cpuUsage()
    for (const character of text) parser.push(character)
    parser.end()
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const [short, long] = [make(length), make(4 * length)]
  return Math.min(time(long), time(long)) / Math.min(time(short), time(short))
}
