/** The laws as tests. They stand in several files only so that those can run side by side. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createParser, restoreParser } from '../../src/parser.ts'
import { type RenderPart, render } from '../../src/render.ts'
import type { LawEntry } from './entries.ts'
import * as laws from './laws.ts'
import { type Edit, edited, editsArbitrary, messageArbitrary, textArbitrary } from './messages.ts'
import type { Engine } from './observe.ts'

/** Fixed, and printed by fast-check with every failure. For a longer hunt both can be set from outside. */
export const SEED = Number(process.env.SLUICE_LAWS_SEED ?? 20261115)
export const FACTOR = Number(process.env.SLUICE_LAWS_FACTOR ?? 1)
/** How much more than usual the hunts for calls that must not run try. */
export const EFFORT = Number(process.env.SLUICE_EFFORT ?? 1)
const engine: Engine = { createParser, restoreParser }

/** A message the entry can express, with the text it is written as. */
export function written(entry: LawEntry, parts: readonly RenderPart[]): string | undefined {
  try {
    return render(parts, { dialect: entry.dialect, tools: entry.options.tools! })
  } catch {
    return undefined
  }
}

/** Runs a law on valid texts: messages that the dialect can express. */
function onValid(
  entry: LawEntry,
  runs: number,
  law: (sample: laws.Sample, parts: RenderPart[]) => string | undefined,
): void {
  let tried = 0
  fc.assert(
    fc.property(messageArbitrary(entry), (parts) => {
      const text = written(entry, parts)
      if (text === undefined) return
      tried++
      expect(law({ engine, options: entry.options, text }, parts), text).toBeUndefined()
    }),
    { seed: SEED, numRuns: runs * FACTOR },
  )
  // A law that is never put to the test holds for nothing.
  expect(tried).toBeGreaterThan((runs * FACTOR) / 5)
}

/** Runs a law on valid texts that were edited, and on ordinary text strewn with markup. */
function onEdited(entry: LawEntry, runs: number, law: (sample: laws.Sample) => string | undefined): void {
  const noise = textArbitrary(entry, 'whole').map((text) => ({
    text,
    edits: [] as Edit[],
    parts: [] as RenderPart[],
  }))
  const damaged = fc
    .record({ parts: messageArbitrary(entry), edits: editsArbitrary(entry) })
    .map((made) => ({ ...made, text: undefined }))
  fc.assert(
    fc.property(
      fc.oneof({ weight: 3, arbitrary: damaged }, { weight: 1, arbitrary: noise }),
      ({ text, parts, edits }) => {
        const valid = text ?? written(entry, parts)
        if (valid === undefined) return
        const broken = edited(valid, edits)
        expect(law({ engine, options: entry.options, text: broken }), broken).toBeUndefined()
      },
    ),
    { seed: SEED, numRuns: runs * FACTOR },
  )
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

    test('3. holds back only what could still become markup', () => {
      const witnesses = fc
        .sample(messageArbitrary(entry), { seed: SEED, numRuns: 60 })
        .map((parts) => written(entry, parts))
        .filter((text) => text !== undefined)
      witnesses.push(...entry.witnesses)
      // Without tools, because among tools that are known fewer texts could become a call than the state can know.
      onValid(entry, 15, ({ text }) =>
        laws.promptness({ engine, options: entry.promptness, text }, witnesses),
      )
    })

    test('4. takes nothing back', () => {
      onEdited(entry, 30, laws.noRegret)
    })

    test('5. loses nothing', () => {
      onEdited(entry, 100, (sample) => laws.nothingLost(sample, entry.markup))
    })

    test('6. gives well formed events', () => {
      onEdited(entry, 100, laws.wellFormed)
    })

    test('7. gives JSON text and arguments that add up to the input', () => {
      onEdited(entry, 80, laws.jsonHolds)
    })

    test('8. lets nothing run that was not meant', () => {
      onValid(entry, 20, laws.trust)
    })

    test('10. never throws', () => {
      onEdited(entry, 80, laws.total)
    })

    test('13. goes on from a snapshot taken anywhere', () => {
      onEdited(entry, 25, laws.resumable)
    })
  })
}
