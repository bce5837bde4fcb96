/** Which of the library's dialects a chat template writes: the one that reads the template's own output. */

import { ALL } from '../../dialects/all.ts'
import { detect } from '../../dialects/detect.ts'
import { prompted } from '../../dialects/prompted.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import type { ChatTemplate } from './chat-template.ts'
import { ONE_CALL } from './probes.ts'
import {
  type Fit,
  isFit,
  type Misfit,
  nearer,
  proved,
  responseOf,
  tryDialect,
  unproved,
  withEndOfTurn,
  writesAlike,
} from './prove.ts'
import { diagnosticsOf } from './round-trip.ts'
import type { TemplateFormat } from './template-format.ts'
import { type TemplateOptions, type Turns, turnsOf } from './turns.ts'

/**
 * Finds the dialect of a chat template: it renders probes with it, and parses what comes out with every dialect.
 *
 *     const { dialect, start } = detectDialect(await readFile('chat_template.jinja', 'utf8'))
 *     const parser = createParser({ dialect, start, tools })
 *
 * The answer is proved: each probe that the template renders comes back as it was, at every split. Throws an
 * `UnprovedDialectError` with the probe that failed where no dialect fits.
 */
export function detectDialect(
  template: string | ChatTemplate,
  options: TemplateOptions = {},
): TemplateFormat {
  let nearest: Misfit | undefined
  for (const turns of turnsOf(template, options)) {
    const results = CANDIDATES.map((dialect) => tryDialect(dialect, turns))
    const fits = results.filter(isFit)
    const [best, ...others] = ranked(fits, turns)
    if (best !== undefined)
      return proved(withEndOfTurn(best, turns), turns, {
        origin: 'detected',
        alternatives: others.map(({ dialect }) => dialect.name),
      })
    for (const result of results) if (!isFit(result)) nearest = nearer(nearest, result)
  }
  throw unproved(nearest!)
}

/** Those that can be told from a text come first: others write the same calls. */
/** Models that were only prompted for calls have no template that writes them. */
const CANDIDATES: readonly Dialect[] = [...new Set([...detect().candidates, ...ALL])].filter(
  (dialect) => dialect !== prompted,
)

/** The best first: what writes as the template does, knows its end of turn, and has to recover from nothing. */
function ranked(fits: readonly Fit[], turns: Turns): Fit[] {
  const call = turns.plain.find(({ probe }) => probe === ONE_CALL)!
  const footer = turns.writer.footer.trim()
  const scored = fits.map((one) => {
    const { dialect, hasOtherReasoning } = one
    const { text, start } = responseOf(call, dialect, one.start)
    const knowsEnd = footer === '' || dialect.endOfTurn.includes(footer)
    const flaws = [!writesAlike(dialect, ONE_CALL, text, turns), !knowsEnd, hasOtherReasoning].map(Number)
    return { one, score: [...flaws, diagnosticsOf(text, dialect, start)] }
  })
  return scored.sort((a, b) => compared(a.score, b.score)).map(({ one }) => one)
}

function compared(first: readonly number[], second: readonly number[]): number {
  const at = first.findIndex((score, index) => score !== second[index])
  return at === -1 ? 0 : first[at]! - second[at]!
}
