/** Which of the library's dialects a chat template writes: the one that reads the template's own output. */

import { ALL } from '../dialects/all.ts'
import { detect } from '../dialects/detect.ts'
import { renderCalls } from '../render.ts'
import type { Dialect } from '../wire/dialect.ts'
import type { ChatTemplate } from './chat-template.ts'
import { ONE_CALL, PROBE_TOOLS } from './probes.ts'
import { type Fit, isFit, type Misfit, prove, responseOf, tryDialect } from './prove.ts'
import { diagnosticsOf } from './round-trip.ts'
import { type TemplateFormat, UnprovedDialectError } from './template-format.ts'
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
    if (fits.length > 0) return formatOf(ranked(fits, turns), turns, 'detected')
    for (const result of results)
      if (!isFit(result) && (nearest === undefined || result.passed > nearest.passed)) nearest = result
  }
  throw unproved(nearest!)
}

/** Those that can be told from a text come first: others write the same calls. */
const CANDIDATES: readonly Dialect[] = [...new Set([...detect().candidates, ...ALL])]

function unproved({ dialect, failed }: Misfit): UnprovedDialectError {
  return new UnprovedDialectError(
    `No dialect reads what the template writes. The nearest is '${dialect.name}', which fails at the probe '${failed.name}': ${failed.problem}. The template writes ${JSON.stringify(failed.written)}.`,
    failed,
  )
}

/** The result, once more and at every split. */
function formatOf(
  [best, ...others]: readonly Fit[],
  turns: Turns,
  origin: TemplateFormat['origin'],
): TemplateFormat {
  const { dialect, start } = best!
  const probes = prove(best!, turns)
  const failed = probes.find(({ problem }) => problem !== undefined)
  if (failed !== undefined) throw unproved({ dialect, failed, passed: 0 })
  return {
    dialect,
    start,
    origin,
    alternatives: others.map((one) => one.dialect.name),
    footer: turns.writer.footer,
    probes: [...probes, ...turns.unwritten.map(({ probe, why }) => ({ name: probe.name, problem: why }))],
  }
}

/** The best first: what writes as the template does, knows its end of turn, and has to recover from nothing. */
function ranked(fits: readonly Fit[], turns: Turns): Fit[] {
  const call = turns.plain.find(({ probe }) => probe === ONE_CALL)!
  const footer = turns.writer.footer.trim()
  const scored = fits.map((one) => {
    const { dialect, hasOtherReasoning } = one
    const { text, start } = responseOf(call, dialect, one.start)
    const knowsEnd = footer === '' || dialect.endOfTurn.includes(footer)
    const flaws = [!writesAlike(dialect, text), !knowsEnd, hasOtherReasoning].map(Number)
    return { one, score: [...flaws, diagnosticsOf(text, dialect, start)] }
  })
  return scored.sort((a, b) => compared(a.score, b.score)).map(({ one }) => one)
}

function compared(first: readonly number[], second: readonly number[]): number {
  const at = first.findIndex((score, index) => score !== second[index])
  return at === -1 ? 0 : first[at]! - second[at]!
}

/** Whether the dialect writes the call in the same way, apart from white space and ids. */
function writesAlike(dialect: Dialect, text: string): boolean {
  const calls = ONE_CALL.calls!
  return ['', /"(?:tool_call_)?id": ?"([^"]*)"/.exec(text)?.[1] ?? 'x'].some((id) => {
    try {
      const written = renderCalls(
        calls.map((call) => ({ id, ...call })),
        { dialect, tools: PROBE_TOOLS },
      )
      return withoutSpace(written) === withoutSpace(text)
    } catch {
      return false
    }
  })
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')
