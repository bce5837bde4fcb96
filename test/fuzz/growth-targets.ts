/** Every dialect with text that comes again and again: time grows with its length, and no faster (law 9). */

import { createSinkParser } from '../../src/engine/parser.ts'
import { MOST_GROWTH } from '../growth.ts'
import { DETECTED, ENTRIES, type LawEntry } from '../laws/entries.ts'
import { run } from '../laws/observe.ts'
import { mutateText, shorterTexts } from './mutate-text.ts'
import type { Random } from './random.ts'
import type { Target } from './target.ts'
import { ENGINE, outlineOf, seedsOf } from './text-targets.ts'

/** A type, not an interface, so that it is JSON. */
type Repeated = {
  readonly before: string
  readonly again: string
  readonly after: string
}

const PARTS = ['before', 'again', 'after'] as const

/** Characters of one part. */
const LONGEST = 60

const LENGTH = 20_000
const CHUNK = 16

/** Milliseconds for a text of that length, and for each of its characters, beyond which something is wrong. */
const SUSPICIOUS = 40
const TOO_SLOW = 200 / LENGTH

function chunksOf({ before, again, after }: Repeated, length: number): string[] {
  const text = before + again.repeat(Math.ceil(length / Math.max(1, again.length))) + after
  return Array.from({ length: Math.ceil(text.length / CHUNK) }, (_, at) =>
    text.slice(at * CHUNK, (at + 1) * CHUNK),
  )
}

/** The processor's time, because the machine has other things to do. */
function timeOf({ options }: LawEntry, input: Repeated, length: number): number {
  const chunks = chunksOf(input, length)
  const start = process.cpuUsage()
  const parser = createSinkParser(() => {}, options)
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** A garbage collection, or the compiler, looks like growth, and is gone when it is measured again. */
const leastTimeOf = (entry: LawEntry, input: Repeated, length: number): number =>
  Math.min(...Array.from({ length: 3 }, () => timeOf(entry, input, length)))

function violation(entry: LawEntry, input: Repeated): string | undefined {
  if (timeOf(entry, input, LENGTH) < SUSPICIOUS) return undefined
  const short = leastTimeOf(entry, input, LENGTH)
  if (short < SUSPICIOUS) return undefined
  const long = leastTimeOf(entry, input, 4 * LENGTH)
  if (long / short < MOST_GROWTH && long / (4 * LENGTH) < TOO_SLOW) return undefined
  return `9. linear: ${LENGTH} characters take ${short.toFixed()} ms, four times as many ${long.toFixed()} ms`
}

function mutated(input: Repeated, other: Repeated, markup: readonly string[], random: Random): Repeated {
  const part = random.of(PARTS)
  const changed = mutateText(input[part], random, { text: other[random.of(PARTS)], markup }, LONGEST)
  return { ...input, [part]: changed }
}

const growthTarget = (entry: LawEntry): Target<Repeated> => ({
  name: `growth ${entry.name}`,
  seeds: (random) =>
    [...entry.markup, ...seedsOf(entry, random)].map((text) => ({
      before: random.onceIn(2) ? 'Look: ' : '',
      again: text.slice(0, LONGEST),
      after: '',
    })),
  mutate: (input, random, other) => mutated(input, other, entry.markup, random),
  violation: (input) => violation(entry, input),
  outline: (input) => outlineOf(run(ENGINE, entry.options, chunksOf(input, 3 * input.again.length))),
  *smaller(input) {
    for (const part of PARTS)
      for (const shorter of shorterTexts(input[part])) yield { ...input, [part]: shorter }
  },
})

export const GROWTH_TARGETS: readonly Target<Repeated>[] = [...ENTRIES, ...DETECTED.slice(0, 2)].map(
  growthTarget,
)
