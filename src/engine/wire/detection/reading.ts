/**
 * The text read as one dialect, from one marker on. What it says is kept until it is certain that the text is in that
 * dialect.
 *
 *     <tool_call>get_weather|<arg_key>       as glm: a call, once `<arg_key>` has come
 *                                            as hermes: no call since the `g`
 */

import type { Diagnostic, SluiceEvent } from '../../../base/event.ts'
import type { IdKind } from '../../../base/ids.ts'
import { type Check, isRecord, listOf } from '../../../base/plain-state.ts'
import { loseTrack } from '../machine/text.ts'
import type { Machine } from '../machine.ts'

/** The candidate of a reading as no dialect: everything but reasoning and results is text. */
export const PLAIN = -1

export interface Reading {
  /** The index of the dialect, or `PLAIN`. */
  readonly candidate: number
  /** The offset of the marker, and the marker. */
  readonly start: number
  readonly marker: string
  readonly machine: Machine
  /** The state of the machine that reads what is around the marker. */
  readonly outerState: number
  /** What was found and not passed on. */
  events: SluiceEvent[]
  /** Diagnostics that came before the first of these: they wait until one reading is left. */
  diagnostics: SluiceEvent[]
  /** Something began with the marker: a call, reasoning, a result. */
  hasBegun: boolean
  /** The marker, or what follows it, is text. */
  hasText: boolean
  /** The last call is none that could run. */
  hasFailed: boolean
  /** How many of the ids that readings share it has used, by their kind. */
  used: Partial<Record<IdKind, number>>
}

/** The marker begins something. `undecided`: what follows will tell. */
export type Standing = 'undecided' | 'certain' | 'wrong'

export function standingOf({ machine, start, outerState, hasBegun, hasText }: Reading): Standing {
  const { s } = machine
  if (hasBegun) return isWithoutEvidence(machine) ? 'wrong' : 'certain'
  // The end of a turn, if nothing but white space follows it.
  if (s.stoppedBy !== '') return s.hasReportedMore ? 'wrong' : 'undecided'
  const { text, content, laterContent } = machine.program
  const isOutside = [outerState, text.index, content.index, laterContent.index].includes(s.state)
  const waiting = s.space.length + s.held.length + s.surrogate.length
  if (!isOutside || s.source !== null || s.total - waiting <= start) return 'undecided'
  // Markup that is dropped was read whole.
  return hasText ? 'wrong' : 'certain'
}

/** A call that nothing marks, where no tools are known that it could be a call of. */
function isWithoutEvidence({ program, s, settings }: Machine): boolean {
  return program.constructs[s.construct]?.weak === true && settings.tools.size === 0
}

/** The call that is being read, or was read last, cannot run. */
export function hasFailed({ machine, hasFailed }: Reading): boolean {
  return machine.call?.started ? machine.call.hasFailed : hasFailed
}

/** From here on no call is certain, not even the one that is open. */
export function doubtReading({ machine }: Reading): void {
  loseTrack(machine)
  if (machine.call !== null) machine.call.s.isPlaceUncertain = true
}

export const diagnosticsOf = ({ events }: Reading): Diagnostic[] =>
  events.filter((event): event is Diagnostic => event.type === 'diagnostic')

// ── events ───────────────────────────────────────────────────────────────────────────────────────

/** Keeps an event. */
export function keep(reading: Reading, event: SluiceEvent): void {
  const { events } = reading
  switch (event.type) {
    case 'tool-input-start':
      reading.hasFailed = false
      reading.hasBegun = true
      break
    case 'reasoning-start':
    case 'tool-result-start':
      reading.hasBegun = true
      break
    case 'text-delta':
    case 'reasoning-delta':
      reading.hasText = true
      break
    case 'tool-call':
      reading.hasFailed = event.status === 'invalid' || event.status === 'truncated'
      break
  }
  joinTo(events, event)
}

/** Adds an event to others, a delta as more of the one before. */
export function joinTo(events: SluiceEvent[], event: SluiceEvent): void {
  const last = events.at(-1)
  if (last !== undefined && isDelta(last) && isDelta(event) && isMore(last, event))
    events[events.length - 1] = { ...last, delta: last.delta + event.delta }
  else events.push(event)
}

export type Delta = Extract<SluiceEvent, { readonly delta: string }>

export function isDelta(event: SluiceEvent): event is Delta {
  return 'delta' in event
}

/** Whether a delta continues another. */
export function isMore(last: Delta, next: Delta): boolean {
  return (
    last.type === next.type &&
    last.id === next.id &&
    JSON.stringify(pathOf(last)) === JSON.stringify(pathOf(next))
  )
}

function pathOf(event: Delta): unknown {
  return 'path' in event ? event.path : null
}

const isEvent: Check<SluiceEvent> = (value): value is SluiceEvent =>
  isRecord(value) && typeof (value as { type?: unknown }).type === 'string'

export const isEvents: Check<SluiceEvent[]> = listOf(isEvent)
