/** The proof that a dialect fits a template: it reads back every probe that the template writes. */

import { reasoningMarkers } from '../dialects/reasoning-markers.ts'
import { withReasoning } from '../wire/checked-dialect.ts'
import type { Dialect } from '../wire/dialect.ts'
import { derivedReasoning } from './derived-reasoning.ts'
import { differenceAtSplits, differenceOf, endsInside, type Start } from './round-trip.ts'
import type { ProbeResult } from './template-format.ts'
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
export function prove({ dialect, start }: Fit, turns: Turns): ProbeResult[] {
  return [...turns.plain, ...turns.reasoning].map((turn) => {
    const response = responseOf(turn, dialect, start)
    return resultOf(
      turn,
      response.text,
      response.problem ?? differenceAtSplits(turn.probe, response.text, dialect, response.start),
    )
  })
}
