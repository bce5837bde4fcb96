/** Every dialect with the laws of the engine, and with those of every view. */

import fc from 'fast-check'
import type { SluiceEvent } from '../../src/base/event.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { DETECTED, ENTRIES, type LawEntry } from '../laws/entries.ts'
import * as laws from '../laws/laws.ts'
import { LIBRARY, oneTruth } from '../laws/library.ts'
import { messageArbitrary, sequenceArbitrary } from '../laws/messages.ts'
import { type Engine, merged, run } from '../laws/observe.ts'
import { written } from '../laws/suite.ts'
import { type ViewUnderLaw, viewLaws } from '../laws/view.ts'
import { VIEWS } from '../laws/views.ts'
import { mutateText, shorterTexts } from './mutate-text.ts'
import type { Random } from './random.ts'
import type { Target } from './target.ts'

export const ENGINE: Engine = { createParser, restoreParser }

/** Cutting a text everywhere takes the square of its length. */
const LONGEST = 220

/** Markup of all dialects, because models mix them up. */
const ALL_MARKUP = ENTRIES.flatMap(({ markup }) => markup)

export function seedsOf(entry: LawEntry, random: Random): string[] {
  const settings = { seed: random.below(2 ** 31), numRuns: 12 }
  const messages = fc.sample(messageArbitrary(entry), settings).map((parts) => written(entry, parts))
  const sequences = fc.sample(sequenceArbitrary([entry], written), settings)
  return [...messages, ...sequences]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => text!.slice(0, LONGEST))
}

const KINDS = /^(text|reasoning|tool-input|tool-result|argument|tool-source)-/

/** The kinds of events in their order, with verdicts, repairs and diagnostics. */
export function outlineOf(events: readonly SluiceEvent[]): string {
  return merged(events)
    .map((event) => {
      if (event.type === 'tool-call')
        return `${event.status} ${event.repairs.map(({ code }) => code)} ${event.error?.code ?? ''}`
      if (event.type === 'diagnostic') return event.code
      return KINDS.test(event.type) && event.type.endsWith('-end') ? '' : event.type
    })
    .filter((word, index, words) => word !== '' && word !== words[index - 1])
    .join(' ')
}

/** The laws of the engine on one text. */
function engineViolation(
  engine: Engine,
  entry: LawEntry,
  text: string,
  isQuick: boolean,
): string | undefined {
  const sample = { engine, options: entry.options, text }
  const quick =
    named('10. total', laws.total(sample)) ??
    named('6. well formed', unlessEscaped(laws.wellFormed(sample), text)) ??
    named('6. spans', laws.spansHold(sample)) ??
    named('7. JSON', laws.jsonHolds(sample)) ??
    named('14. plain', laws.plain(sample)) ??
    named('5. nothing lost', laws.nothingLost(sample, entry.markup))
  if (quick !== undefined || isQuick) return quick
  return (
    named('4. no regret', laws.noRegret(sample)) ??
    named('13. resumable', laws.resumable(sample)) ??
    named('1. split invariance', laws.splitInvariance(sample)) ??
    named('15. one truth', engine === ENGINE ? oneTruth(LIBRARY, entry.options, text) : undefined)
  )
}

/** Half a surrogate pair that the model wrote as an escape is passed on as it is. */
const unlessEscaped = (found: string | undefined, text: string): string | undefined =>
  found?.startsWith('a surrogate pair') && /\\u+\{?d[89a-f]/i.test(text) ? undefined : found

const named = (law: string, found: string | undefined) => found && `${law}: ${found}`

function textTarget(name: string, entry: LawEntry, violation: Target<string>['violation']): Target<string> {
  const markup = [...entry.markup, ...entry.markup, ...ALL_MARKUP.slice(0, 40)]
  return {
    name,
    violation,
    seeds: (random) => seedsOf(entry, random),
    mutate: (text, random, other) =>
      mutateText(text, random, { text: other, markup: random.onceIn(8) ? ALL_MARKUP : markup }, LONGEST),
    outline: (text) => outlineOf(run(ENGINE, entry.options, [text])),
    smaller: shorterTexts,
  }
}

export const dialectTarget = (entry: LawEntry, engine: Engine = ENGINE): Target<string> =>
  textTarget(`dialect ${entry.name}`, entry, (text, isQuick = false) =>
    engineViolation(engine, entry, text, isQuick),
  )

const viewTarget = (view: ViewUnderLaw, entry: LawEntry): Target<string> =>
  textTarget(`view ${view.name}, ${entry.name}`, entry, (text) =>
    unlessEscaped(
      viewLaws(view, entry.options, text, [1, text.length >> 1, Math.max(0, text.length - 2)]),
      text,
    ),
  )

export const DIALECT_TARGETS: readonly Target<string>[] = [...ENTRIES, ...DETECTED].map((entry) =>
  dialectTarget(entry),
)

/** A view with any dialect, by the name of its target. */
export function viewTargetNamed(name: string): Target<string> | undefined {
  const [view, entry] = VIEWS.flatMap((one) =>
    ENTRIES.flatMap((other) => (name === `view ${one.name}, ${other.name}` ? [one, other] : [])),
  ) as [ViewUnderLaw?, LawEntry?]
  return view && entry && viewTarget(view, entry)
}

/** Each view with some dialects; which ones depends on the view, so that all have their turn. */
export const VIEW_TARGETS: readonly Target<string>[] = VIEWS.flatMap((view, index) =>
  ENTRIES.filter((_, at) => at % VIEWS.length === index || at === 0).map((entry) => viewTarget(view, entry)),
)
