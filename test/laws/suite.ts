/** The laws as tests. They stand in several files only so that those can run side by side. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Part } from '../../src/base/part.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { runs, SEED, sampleOf } from '../effort.ts'
import { isBegun, type LawEntry, restOf, TOOLS } from './entries.ts'
import * as laws from './laws.ts'
import {
  type Edit,
  edited,
  editsArbitrary,
  messageArbitrary,
  sequenceArbitrary,
  type Thought,
  textArbitrary,
  thoughtArbitrary,
} from './messages.ts'
import type { Engine } from './observe.ts'
import { Witnesses } from './witnesses.ts'

const engine: Engine = { createParser, restoreParser }

/** A message the entry can express, with the text it is written as. */
export function written(entry: LawEntry, parts: readonly Part[]): string | undefined {
  try {
    return render(parts, { dialect: entry.dialect, tools: entry.options.tools! })
  } catch {
    return undefined
  }
}

/** The same response as it comes if the prompt holds the beginning of its first marker, too. */
function responsesOf({ dialect }: LawEntry, text: string): string[] {
  return isBegun(dialect, text) ? [text, restOf(dialect, text)] : [text]
}

/** Runs a law on valid texts: messages that the dialect can express. */
function onValid(
  entry: LawEntry,
  full: number,
  law: (sample: laws.Sample, parts: Part[]) => string | undefined,
): void {
  let tried = 0
  fc.assert(
    fc.property(messageArbitrary(entry), (parts) => {
      const whole = written(entry, parts)
      if (whole === undefined) return
      tried++
      const isTextFirst = parts[0]?.type === 'text'
      for (const text of isTextFirst ? [whole] : responsesOf(entry, whole))
        expect(law({ engine, options: entry.options, text }, parts), text).toBeUndefined()
    }),
    { seed: SEED, numRuns: runs(full) },
  )
  // A law that is never put to the test holds for nothing.
  expect(tried).toBeGreaterThan(runs(full) / 5)
}

/** Texts with calls inside reasoning, where the dialect can write such. */
function thoughtsOf(entry: LawEntry): fc.Arbitrary<Thought> {
  return thoughtArbitrary(entry, (parts) => written(entry, parts)).filter((thought) => thought !== undefined)
}

/** Runs a law on calls inside reasoning. */
function onThoughts(
  entry: LawEntry,
  full: number,
  law: (sample: laws.Sample, thought: Thought) => string | undefined,
): void {
  if (entry.dialect.reasoning.length === 0) return
  fc.assert(
    fc.property(thoughtsOf(entry), (thought) => {
      const { text } = thought
      expect(law({ engine, options: entry.options, text }, thought), text).toBeUndefined()
    }),
    { seed: SEED, numRuns: runs(full) },
  )
}

/** Runs a law on valid texts that were edited, and on ordinary text strewn with markup. */
function onEdited(entry: LawEntry, full: number, law: (sample: laws.Sample) => string | undefined): void {
  const noise = textArbitrary(entry, 'whole').map((text) => ({
    text,
    edits: [] as Edit[],
    parts: [] as Part[],
  }))
  const damaged = fc
    .record({ parts: messageArbitrary(entry), edits: editsArbitrary(entry) })
    .map((made) => ({ ...made, text: undefined }))
  const thoughts =
    entry.dialect.reasoning.length === 0
      ? noise
      : fc
          .record({ thought: thoughtsOf(entry), edits: fc.oneof(fc.constant([]), editsArbitrary(entry)) })
          .map(({ thought, edits }) => ({ text: thought.text, edits, parts: [] as Part[] }))
  fc.assert(
    fc.property(
      fc.oneof(
        { weight: 3, arbitrary: damaged },
        { weight: 1, arbitrary: noise },
        { weight: 1, arbitrary: thoughts },
      ),
      ({ text, parts, edits }) => {
        const valid = text ?? written(entry, parts)
        if (valid === undefined) return
        for (const response of responsesOf(entry, valid)) {
          const broken = edited(response, edits)
          expect(law({ engine, options: entry.options, text: broken }), broken).toBeUndefined()
        }
      },
    ),
    { seed: SEED, numRuns: runs(full) },
  )
}

/** Valid texts, valid texts that were edited, text strewn with markup, and calls inside reasoning. */
export function sampleTexts(entry: LawEntry, count: number): string[] {
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

/** Runs a law on calls of several dialects one after the other, most of which are not quite as they should be. */
function onSequences(
  entries: readonly LawEntry[],
  full: number,
  law: (sample: laws.Sample) => string | undefined,
): void {
  const options = { dialect: entries.map(({ dialect }) => dialect), tools: TOOLS }
  fc.assert(
    fc.property(sequenceArbitrary(entries, written), (text) => {
      expect(law({ engine, options, text }), text).toBeUndefined()
    }),
    { seed: SEED, numRuns: runs(full) },
  )
}

/** The laws for several dialects in one parser. */
export function testLawsTogether(groups: readonly (readonly LawEntry[])[]): void {
  const named = groups.map((group) => [group.map(({ name }) => name).join(' and '), group] as const)
  describe.each(named)('%s', (_, group) => {
    const markup = group.flatMap((entry) => entry.markup)

    test('1. give the same events however the text is cut', () => {
      onSequences(group, 40, laws.splitInvariance)
    })

    test('4, 5, 6, 7, 10. take nothing back, lose nothing, and give well formed events', () => {
      onSequences(group, 40, laws.noRegret)
      onSequences(group, 40, (sample) => laws.nothingLost(sample, markup))
      onSequences(group, 40, laws.wellFormed)
      onSequences(group, 40, laws.spansHold)
      onSequences(group, 40, laws.jsonHolds)
      onSequences(group, 40, laws.total)
    })

    test('13. go on from a snapshot taken anywhere', () => {
      onSequences(group, 20, laws.resumable)
    })
  })
}

export function testLaws(entries: readonly LawEntry[]): void {
  describe.each(entries)('$name', (entry) => {
    test('1. gives the same events however the text is cut', () => {
      onValid(entry, 20, laws.splitInvariance)
      onEdited(entry, 60, laws.splitInvariance)
    })

    test('2, 12. gives back exactly the message that was rendered, without markup', () => {
      onValid(entry, 100, laws.comesBack)
    })

    test('4. takes nothing back', () => {
      onEdited(entry, 30, laws.noRegret)
    })

    test('5. loses nothing', () => {
      onEdited(entry, 100, (sample) => laws.nothingLost(sample, entry.markup))
    })

    test('5. says behind a prefill what is behind it, once', () => {
      // A dialect is looked for behind a prefill, or in a call that it leaves open.
      const isDetected = 'open' in Object(entry.options.dialect)
      if (!isDetected) onEdited(entry, 20, laws.saidBehindPrefill)
    })

    test('6. gives well formed events', () => {
      onEdited(entry, 100, laws.wellFormed)
      onSequences([entry], 40, laws.wellFormed)
    })

    test('6. gives calls and diagnostics their place in the text', () => {
      onEdited(entry, 60, laws.spansHold)
      onSequences([entry], 40, laws.spansHold)
    })

    test('7. gives JSON text and arguments that add up to the input', () => {
      onEdited(entry, 80, laws.jsonHolds)
    })

    test('8. lets nothing run that was not meant', () => {
      onValid(entry, 20, laws.trust)
      onThoughts(entry, 60, laws.trustInThought)
    })

    test('8. takes a call that the model was shown for data', () => {
      onValid(entry, 20, laws.trustInEcho)
      onEdited(entry, 60, laws.trustInEcho)
    })

    test('10. never throws', () => {
      onEdited(entry, 80, laws.total)
    })

    test('14. gives events that JSON gives back unchanged', () => {
      onEdited(entry, 60, laws.plain)
      // JSON has no infinite number and no negative zero.
      const numbers = written(entry, [
        { type: 'call', toolName: 'get_weather', input: { days: 7 } },
        { type: 'call', toolName: 'search', input: { limits: { most: 7, after: null } } },
      ])!
      for (const number of ['1e999', '-0']) {
        const text = numbers.replaceAll('7', number)
        expect(laws.plain({ engine, options: entry.options, text }), text).toBeUndefined()
      }
    })
  })

  // These take the longest, so a sample tries each of them on different dialects.
  describe.each(sampleOf(entries, 0, 6))('$name', (entry) => {
    test('3. holds back only what could still become markup', () => {
      const random = fc
        .sample(messageArbitrary(entry), { seed: SEED, numRuns: 60 })
        .map((parts) => written(entry, parts))
        .filter((text) => text !== undefined)
      const witnesses = new Witnesses([...random, ...entry.witnesses])
      // Without tools, because among tools that are known fewer texts could become a call than the state can know.
      onValid(entry, 15, ({ text }) =>
        laws.promptness({ engine, options: entry.promptness, text }, witnesses),
      )
      onThoughts(entry, 4, ({ text }) =>
        laws.promptness({ engine, options: entry.promptness, text }, witnesses),
      )
    })
  })

  describe.each(sampleOf(entries, 1, 6))('$name', (entry) => {
    test('1. gives the same events however several calls are cut', () => {
      onSequences([entry], 60, laws.splitInvariance)
    })
  })

  describe.each(sampleOf(entries, 2, 6))('$name', (entry) => {
    test('13. goes on from a snapshot taken anywhere', () => {
      onEdited(entry, 25, laws.resumable)
    })

    test('13. goes on from a snapshot taken anywhere in several calls', () => {
      onSequences([entry], 25, laws.resumable)
    })
  })
}
