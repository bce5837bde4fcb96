import { expect, test } from 'vitest'
import { createSinkParser, type ParserOptions } from '../../src/engine/parser.ts'
import { growthOf, MOST_GROWTH } from '../growth.ts'
import { adversariesOf } from './adversaries.ts'
import { DETECTED, ENTRIES } from './entries.ts'

const FULL = { json: true, arguments: true, source: true, raw: true }

/** Text in single characters takes more work, so less of it tells as much. */
const SHARE_IN_CHARACTERS = 1 / 5

/** A text with many parts takes less work for its length. */
const LENGTH = 16_000
const LENGTH_OF_MANY_PARTS = 64_000

function parse(options: ParserOptions, chunks: Iterable<string>): void {
  const parser = createSinkParser(() => {}, options)
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
}

const isFull = process.env.SLUICE_GROWTH === 'time'

/** `npm test` tries one adversary on each dialect. */
const CASES = [...ENTRIES, ...DETECTED.slice(0, 2)].map((entry, index) => {
  const all = adversariesOf(entry)
  return { ...entry, adversaries: isFull ? all : [all[index % all.length]!] }
})

test.each(CASES)('9. $name takes work in proportion to the text', async (entry) => {
  const options = { ...entry.options, emit: FULL }
  const tooSlow: string[] = []
  for (const { name, make, hasManyParts } of entry.adversaries) {
    // In one piece and in single characters at once: each growth with the square would show in the sum.
    const growth = await growthOf(
      (length) => {
        parse(options, [make(length)])
        parse(options, make(length * SHARE_IN_CHARACTERS).split(''))
      },
      hasManyParts ? LENGTH_OF_MANY_PARTS : LENGTH,
    )
    if (growth >= MOST_GROWTH)
      tooSlow.push(`${name}: ${growth.toFixed(1)} times the work for 4 times the text`)
  }
  expect(tooSlow).toEqual([])
})
