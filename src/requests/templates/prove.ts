/** The proof that a dialect fits a template: it reads back every probe that the template writes. */

import { isFields } from '../../base/fields.ts'
import { reasoningMarkers } from '../../dialects/reasoning-markers.ts'
import { renderCalls } from '../../engine/render.ts'
import { withReasoning } from '../../engine/wire/checked-dialect.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { jsonIn } from './call-shapes.ts'
import { derivedReasoning } from './derived-reasoning.ts'
import { PROBE_TOOLS, type Probe } from './probes.ts'
import { differenceAtSplits, differenceOf, endsInside, type Start } from './round-trip.ts'
import { type ProbeResult, type TemplateFormat, UnprovedDialectError } from './template-format.ts'
import type { Turns } from './turns.ts'
import type { WrittenTurn } from './written-turns.ts'

/** A dialect that reads all that a template writes. */
export interface Fit {
  readonly dialect: Dialect
  /** Where a response to the template's prompt begins. */
  readonly start: Start
  /** The reasoning markers are not the dialect's own. */
  readonly hasOtherReasoning: boolean
}

/** The first probe that does not come back. */
export interface Misfit {
  readonly dialect: Dialect
  readonly failed: ProbeResult
  /** How many came back before it. */
  readonly passed: number
}

export function isFit(result: Fit | Misfit): result is Fit {
  return 'start' in result
}

/** Whether a dialect fits, with its own reasoning markers or with those of the template. */
export function tryDialect(dialect: Dialect, turns: Turns): Fit | Misfit {
  const calls = tryProbes(dialect, turns, turns.plain)
  if (!isFit(calls)) return calls
  const own = tryProbes(dialect, turns, turns.reasoning)
  if (isFit(own) && (own.start === 'reasoning' || turns.reasoning.length > 0)) return own
  // Reasoning is an axis of its own: other markers may be those of the template, or those that its prompt opens.
  for (const other of withOtherReasoning(dialect, turns)) {
    const result = tryProbes(other, turns, [...turns.plain, ...turns.reasoning])
    const isBetter = isFit(result) && (!isFit(own) || result.start === 'reasoning')
    if (isBetter) return { ...result, hasOtherReasoning: true }
  }
  return own
}

function* withOtherReasoning(dialect: Dialect, turns: Turns): Generator<Dialect> {
  const derived = derivedReasoning(turns)
  for (const markers of [...Object.values(reasoningMarkers), ...(derived ? [derived] : [])])
    try {
      yield withReasoning(dialect, markers)
    } catch {
      // These markers and the dialect's own begin alike.
    }
}

function tryProbes(dialect: Dialect, turns: Turns, probes: readonly WrittenTurn[]): Fit | Misfit {
  const start = endsInside(turns.writer.opened, dialect)
  for (const [passed, turn] of probes.entries()) {
    const { problem } = responseOf(turn, dialect, start)
    if (problem !== undefined) return { dialect, passed, failed: resultOf(turn, turn.responses[0], problem) }
  }
  return { dialect, start, hasOtherReasoning: false }
}

/** The response that the dialect reads as the probe, or what it reads instead. */
export function responseOf(
  turn: WrittenTurn,
  dialect: Dialect,
  start: Start,
): { text: string; start: Start; problem?: string } {
  // Only behind the prompt of a request the response begins where that ends.
  const from = turn.isBehindPrompt ? start : 'text'
  const text = turn.responses.find((one) => differenceOf(turn.probe, one, dialect, from) === undefined)
  if (text !== undefined) return { text, start: from }
  const [first] = turn.responses
  return { text: first, start: from, problem: differenceOf(turn.probe, first, dialect, from)! }
}

function resultOf({ probe }: WrittenTurn, written: string, problem?: string): ProbeResult {
  return { name: probe.name, written, ...(problem !== undefined && { problem }) }
}

/** All probes, read at every split. One with a problem has failed. */
function prove({ dialect, start }: Fit, turns: Turns): ProbeResult[] {
  return [...turns.plain, ...turns.reasoning].map((turn) => {
    const response = responseOf(turn, dialect, start)
    return resultOf(
      turn,
      response.text,
      response.problem ?? differenceAtSplits(turn.probe, response.text, dialect, response.start),
    )
  })
}

/** The same with the end of turn of the template, where the dialect does not know it. */
export function withEndOfTurn(fit: Fit, turns: Turns): Fit {
  const { dialect } = fit
  const { endOfTurn } = turns.writer
  if (endOfTurn === undefined || dialect.endOfTurn.includes(endOfTurn)) return fit
  const other = Object.freeze({ ...dialect, endOfTurn: [...dialect.endOfTurn, endOfTurn] })
  const result = tryProbes(other, turns, [...turns.plain, ...turns.reasoning])
  return isFit(result) ? { ...fit, dialect: other } : fit
}

/** What is known of a template by a dialect that fits it, read once more at every split. */
export function proved(
  fit: Fit,
  turns: Turns,
  found: Pick<TemplateFormat, 'origin' | 'alternatives'>,
): TemplateFormat {
  const { dialect, start } = fit
  const probes = prove(fit, turns)
  const failed = probes.find(({ problem }) => problem !== undefined)
  if (failed !== undefined) throw unproved({ dialect, failed, passed: 0 })
  return {
    dialect,
    start,
    ...found,
    footer: turns.writer.footer,
    probes: [...probes, ...turns.unwritten.map(({ probe, why }) => ({ name: probe.name, problem: why }))],
  }
}

export function unproved({ dialect, failed }: Misfit): UnprovedDialectError {
  return new UnprovedDialectError(
    `No dialect reads what the template writes. The nearest is '${dialect.name}', which fails at the probe '${failed.name}': ${failed.problem}. The template writes ${JSON.stringify(failed.written)}.`,
    failed,
  )
}

/** Of two, the one that came further. */
export function nearer(first: Misfit | undefined, second: Misfit): Misfit {
  return first === undefined || second.passed > first.passed ? second : first
}

/** Whether the dialect writes the calls of a probe in the same way, apart from white space and ids. */
export function writesAlike(dialect: Dialect, { calls = [] }: Probe, text: string, turns: Turns): boolean {
  const idsOf = [
    () => '',
    (toolName: string, position: number) => turns.writer.idOf(toolName, position),
    (_: string, position: number) => String(position),
  ]
  return idsOf.some((idOf) => {
    try {
      const written = renderCalls(
        calls.map((call, position) => ({ id: idOf(call.toolName, position), ...call })),
        { dialect, tools: PROBE_TOOLS },
      )
      return canonical(text).endsWith(canonical(written))
    } catch {
      return false
    }
  })
}

/** Without white space, and with the keys of its first JSON object in one order. */
function canonical(text: string): string {
  const found = jsonIn(text)
  const sorted = found ? `${found.before}${JSON.stringify(inOrder(found.value))}${found.behind}` : text
  return sorted.replace(/\s+/g, '')
}

function inOrder(value: unknown): unknown {
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([key, field]) => [key, inOrder(field)] as const)
  return Object.fromEntries(entries.sort(([first], [second]) => (first < second ? -1 : 1)))
}
