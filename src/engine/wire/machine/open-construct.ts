/**
 * What is open: the construct whose opener was found last, all that was read of it, and the call it may become.
 *
 *     Let me look. <tool_call>{"name": "get_we|
 *                  └─opener──┘
 *                  └────────── source ───────┘     text again, if nothing becomes of it
 */

import { Rope } from '../../../base/rope.ts'
import { Call, type CallStyle } from '../../calls/call.ts'
import { closeUnopened } from '../../calls/unopened-reasoning.ts'
import type { Construct, Edge, State } from '../program.ts'
import { constructOf, type Machine, NO_INDENT, NONE, thoughtOf } from './state.ts'
import { indentOf } from './text.ts'

// ── opening ──────────────────────────────────────────────────────────────────────────────────────

/** `matched` opens a construct that stands at `start` and is read from `at` on. */
export function open(
  m: Machine,
  construct: Construct,
  edge: Edge | null,
  matched: string,
  from: State,
  start: number,
  at: number,
): void {
  if (construct.kind === 'reasoning') return
  const { s, program } = m
  s.enclosingSection = s.construct
  s.construct = construct.index
  // Inside the source of a call that failed there is no text, so what comes back goes to what is around the call.
  const around = thoughtOf(m) ?? program.text
  const channel = from.kind === 'scan' ? from.channel : around.channel
  s.returnState = (from.kind === 'scan' && channel !== 'nowhere' ? from : around).index
  if (channel !== 'nowhere') s.openedInReasoning = channel === 'reasoning'
  s.openedAt = m.base + start
  s.beginsLine = indentOf(m) !== NO_INDENT
  s.openerLength = matched.length
  s.openedBy = edge?.index ?? NONE
  s.alternativesTried = 0
  begin(m, construct, matched, start, at)
}

/** Begins the source of a construct, and its call. */
export function begin(m: Machine, construct: Construct, matched: string, start: number, at: number): void {
  const { s } = m
  m.watch?.leave()
  s.source = new Rope(matched)
  m.sourceFrom = at
  s.leadLength = m.lead.length
  s.unsentSource = m.settings.source ? new Rope(matched.slice(s.leadLength)) : null
  m.call = newCall(m, construct, m.base + start)
}

function newCall(m: Machine, construct: Construct | null, origin: number): Call {
  const call = new Call(m.host, styleOf(m, construct), origin)
  call.s.isPlaceUncertain = m.s.place.isUncertain
  if (construct?.isGuess) call.lacksOpener()
  return call
}

const PLAIN: CallStyle = { untyped: 'string', knownToolsOnly: false }

export function styleOf({ settings }: Machine, construct: Construct | null): CallStyle {
  if (construct === null) return PLAIN
  const { dialect, weak } = construct
  const { untyped, ignoreCase, annotation, reservedNames } = dialect
  // What could just as well be ordinary text is a call only if its tool is there.
  return weak && settings.tools.size > 0
    ? { untyped, ignoreCase, annotation, reservedNames, knownToolsOnly: true }
    : dialect
}

/** Readers and words always have a call to write to; for a result it only carries the id. */
export function currentCall(m: Machine): Call {
  m.call ??= newCall(m, constructOf(m), m.base)
  return m.call
}

// ── the source ───────────────────────────────────────────────────────────────────────────────────

/** Takes everything up to `at` into the open construct's source. */
export function absorb(m: Machine, text: string, at: number): void {
  const { source, unsentSource } = m.s
  if (source === null) return
  if (at > m.sourceFrom) {
    const piece = m.sourceFrom === 0 && at === text.length ? text : text.slice(m.sourceFrom, at)
    source.add(piece)
    unsentSource?.add(piece)
  }
  m.sourceFrom = at
}

export function cutSource({ s }: Machine, count: number): void {
  s.source!.cut(count)
  s.unsentSource?.cut(count)
}

/** Ends the source, and returns it. */
export function takeSource({ s }: Machine): string {
  const source = s.source?.toString() ?? ''
  s.source = null
  s.unsentSource = null
  return source
}

/** Emits what is certain of the source of an announced call. `undecided`: how many characters are not. */
export function emitSource(m: Machine, undecided: number): void {
  const { call, s } = m
  if (!call?.started) return
  const unsent = s.unsentSource?.toString() ?? ''
  const delta = unsent.slice(0, unsent.length - undecided)
  if (delta === '') return
  s.unsentSource = new Rope(unsent.slice(delta.length))
  m.output.emit({ type: 'tool-source-delta', id: call.id, delta })
}

// ── ending ───────────────────────────────────────────────────────────────────────────────────────

/** Ends the open call at `at`. `behind`: characters before that which belong to what comes next. */
export function endCall(m: Machine, text: string, at: number, behind: number): void {
  const { call } = m
  if (call === null) return
  absorb(m, text, at)
  if (behind > 0) cutSource(m, behind)
  if (m.settings.source) emitSource(m, 0)
  m.call = null
  m.s.calls++
  judge(m, call)
}

/** Ends a call with all that was read of it. `cut`: the text ends in it. */
export function judge(
  m: Machine,
  call: Call,
  cut?: { readonly offset: number; readonly completion: string },
): void {
  const { s } = m
  const length = (s.source?.length ?? 0) - s.leadLength
  const span = { start: call.origin, end: call.origin + length }
  const isKept = s.source?.isKept === true
  const source = takeSource(m).slice(s.leadLength)
  call.end(source, span, cut)
  // A call that failed, or is a guess, may hold the end of the thought that it stands in.
  const { unopened } = s
  if (unopened === null || unopened.calls.length === 0 || !(call.hasFailed || call.isGuess)) return
  if (!isKept || m.program.strayReasoning.some((closer) => source.includes(closer)))
    closeUnopened(unopened, m.host)
}
