/**
 * The machine: all that is remembered between two chunks, as one record of plain data, and what works on it.
 *
 * What is held back is always one of three things: `held`, the prefix of a literal; `space`, white space that is markup
 * only if the right thing follows; and `source`, a construct whose name is not known yet. All three come back as text
 * when nothing becomes of them, at an exact character, so that the cuts in the input leave no trace.
 *
 *     Let me look. <tool_ca|        `<tool_ca` is held: it may become markup
 *
 * The modules around it are functions over this record, each built on those before it:
 *
 *     text.ts         where characters go
 *     constructs.ts   what is open: a call, a result or other markup, with its source
 *     actions.ts      what happens on the way from one state to the next
 *     revert.ts       what happens when nothing fits, or a limit is reached
 *     step.ts         the loop: each kind of state reads what is its own
 *     intake.ts       how a chunk comes in: on the fast path, or through the states
 *     end.ts          what becomes of what is open when no more text comes
 *     snapshot.ts     a copy of the record, and the way back
 */

import type { Rope } from '../../../base/rope.ts'
import type { Call, CallHost, CallSettings } from '../../calls/call.ts'
import type { ShownText } from '../../calls/shown-text.ts'
import type { UnopenedReasoning } from '../../calls/unopened-reasoning.ts'
import type { VerdictHost, WaitingVerdicts } from '../../calls/waiting.ts'
import type { HintsState } from '../call-hints.ts'
import type { Output, OutputSettings, OutputState } from '../event-output.ts'
import type { FastPath } from '../fast-path.ts'
import type { Construct, Edge, Program, ScanState, State } from '../program.ts'
import type { Reader } from '../reader.ts'
import type { Watch, WatchState } from '../watch.ts'
import type { PlaceState } from './place.ts'

export type MachineSettings = CallSettings & OutputSettings & { readonly shown: ShownText | null }

/** The text does not end at the start of a line. */
export const NO_INDENT = -1

/** No state, construct or edge of the program. */
export const NONE = -1

/** What a machine remembers between two chunks. States, constructs and edges are indices of the program's lists. */
export interface MachineState {
  /** The state it is in. */
  state: number
  /** The node of that state's literals, and the prefix of a literal that is held back. */
  node: number
  held: string
  /** White space before a literal. */
  space: string
  /** The beginning of a name, an id or a key. */
  word: string
  /** The first half of a surrogate pair whose second half has not come. */
  surrogate: string
  /** How many characters have come. */
  total: number

  /** What was opened last, and its section, which goes on if that comes to nothing. */
  construct: number
  enclosingSection: number
  /** Where its source goes if nothing becomes of it. */
  returnState: number
  /** The edge that opened it, as long as there may be other readings, and how many of them were tried. */
  openedBy: number
  alternativesTried: number
  /** Where the last construct, and the last reasoning, was opened: offsets in the text channel. */
  openedAt: number
  reasoningAt: number
  /** It, or the section that it is in, begins a line of text. */
  beginsLine: boolean
  /** It was found in reasoning that is not closed yet. */
  openedInReasoning: boolean
  /** How much of the source is its opener, and how much of that is white space, which is no part of a call. */
  openerLength: number
  leadLength: number
  /** All that was read of an open construct, and the end of it that was not emitted yet. */
  source: Rope | null
  unsentSource: Rope | null

  /** The reasoning in which the last call stood, until it is closed: text behind the call belongs to it. */
  thought: number
  place: PlaceState
  /** A call ended by its own bracket, and nothing was read behind that. */
  isAtBracket: boolean
  /** Where a call ended that a brace too many follows, until the next marker decides about it; -1: none does. */
  strayBraceAt: number
  /** How many calls have ended. */
  calls: number
  /** The literal that stopped the response, and whether text behind it was reported. */
  stoppedBy: string
  hasReportedMore: boolean
  /** Nothing came behind a prefill that ends in text: that text is the line that goes on. */
  isBehindPrefill: boolean
  /** Where the response begins behind a prefill: text before this offset is in the prompt already. */
  prefilled: number
  /** How wide the white space of the open text is since a line break that no literal found; -1: other text. A fence may follow little. */
  indent: number

  /** Where the search for markers of other dialects stands; null: none was found, and none may have begun. */
  hints: HintsState | null

  output: OutputState
  watch: WatchState | null
  waiting: WaitingVerdicts | null
  /** Verdicts that wait because nobody said where the response begins; null: it does not begin inside reasoning. */
  unopened: UnopenedReasoning | null
}

/** A machine at work. Beside its record it has what can be made anew from that, and what holds for one piece of text. */
export interface Machine {
  readonly program: Program
  readonly settings: MachineSettings
  readonly output: Output
  readonly s: MachineState
  /** What calls and verdicts ask of the machine. */
  readonly host: CallHost & VerdictHost
  /** The call that is being read, announced or not. */
  call: Call | null
  reader: Reader | null
  watch: Watch | null
  /** The fast path from here on, until a chunk takes the long way; null: there is none. */
  fastPath: FastPath | null
  /** Where it ends at the latest, because a limit is reached: an offset in the text channel. */
  fastPathEnd: number

  /** Offset in the text channel of the piece that is being read. */
  base: number
  /** The source is complete up to this index of the piece. */
  sourceFrom: number
  /** White space before the literal that is being taken. */
  lead: string
  /** While the text of a construct that failed is read as another one: what stands before this offset was decided; or 0. */
  decidedTo: number
  /** No construct begins before this offset, because all readings of the text there have failed. */
  textTo: number
  /** A literal of the program's pauses was found. What stands behind it was not read. */
  pause: Pause | null
}

export interface Pause {
  /** The literal, with the white space before it that belongs to neither text nor reasoning yet. */
  readonly found: string
  /** The offset behind it. */
  readonly end: number
}

export function stateOf({ program, s }: Machine): State {
  return program.states[s.state]!
}

// An index of -1 is looked up as a name, which is slow.

export function constructOf({ program, s }: Machine): Construct | null {
  return s.construct === NONE ? null : program.constructs[s.construct]!
}

export function thoughtOf({ program, s }: Machine): ScanState | null {
  return s.thought === NONE ? null : (program.states[s.thought] as ScanState)
}

export function openedByOf({ program, s }: Machine): Edge | null {
  return s.openedBy === NONE ? null : program.edges[s.openedBy]!
}

/** A call was announced, and is not over. */
export function isInCall({ s, call }: Machine): boolean {
  return s.source !== null && call?.started === true
}

/** A call ended by its own bracket, and its verdict waits for what follows. */
export function isAwaited(m: Machine): boolean {
  return m.s.isAtBracket && isInCall(m)
}

/** Verdicts wait for what follows. */
export function hasWaiting({ s }: Machine): boolean {
  return s.waiting !== null && s.waiting.verdicts.length > 0
}

/** A number that is small to the platform, and larger than any chunk. */
const UNLIMITED = 2 ** 29

/** How many characters may be read before a limit is reached. */
export function remaining({ s, call, settings }: Machine): number {
  const { source } = s
  if (source === null) return UNLIMITED
  const { limits } = settings
  const limit = call?.started ? limits.call : Math.min(limits.undecided, limits.call)
  return Math.max(0, Math.min(UNLIMITED, limit - source.length))
}
