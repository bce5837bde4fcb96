/**
 * What happens when nothing fits, or a limit is reached. A call that was announced has failed, and is read to its
 * end. Anything else was none: its source is read again as another construct that begins alike, or is text.
 *
 *     <tool_call> is what |models write        no call: all of it is text
 */

import type { Construct, Edge } from '../program.ts'
import { perform, RECOVERED } from './actions.ts'
import { absorb, begin, currentCall, endCall, takeSource } from './open-construct.ts'
import { constructOf, type Machine, NONE, openedByOf } from './state.ts'
import { enter, loseTrack, resetBuffers, write } from './text.ts'

/** What has to be read again, in the state the machine is in now. */
export interface Reread {
  readonly piece: string
  /** Where it ended in the text, and the text goes on behind it. */
  readonly at: number
  /** It is read as another construct that begins alike. What stands before this offset was decided. */
  readonly decidedTo?: number
}

/** The character at `at` cannot be. What was held before it is read again as whatever comes next. */
export function fail(m: Machine, text: string, at: number): Reread {
  const { s, call, program } = m
  const { held, space, source } = s
  const construct = constructOf(m)
  const completion = m.reader?.completion?.() ?? ''
  resetBuffers(m)
  if (source === null || construct === null) {
    // No call is open: a section ended without its closer, or a tag after a result is no tag.
    loseTrack(m)
    m.call = null
    const span = { start: s.openedAt, end: m.base + at - held.length }
    m.output.report('missing-closer', RECOVERED['missing-closer']!, span)
    enter(m, program.text)
    return { piece: space + held, at }
  }
  if (!call?.started) return revertToText(m, construct, held, text, at)
  absorb(m, text, at)
  // The last few characters tell best where something broke.
  const after = source.isKept ? ` after ${JSON.stringify(source.end(16))}` : ''
  call.fail('malformed', `The call breaks off${after}.`, m.base + at)
  call.s.completion = completion
  const { resync, resyncInReasoning } = construct
  enter(m, (s.openedInReasoning ? resyncInReasoning : resync) ?? program.text)
  return { piece: held, at }
}

/** So much was read of a construct that it must end at `at`: the same character for any chunking. */
export function hitLimit(m: Machine, text: string, at: number): Reread {
  const { s, call, settings, program } = m
  const { limits } = settings
  resetBuffers(m)
  if (call?.started) {
    call.fail('limit-reached', `The call is longer than ${limits.call} characters.`, m.base + at)
    endCall(m, text, at, 0)
    enter(m, program.text)
    return { piece: '', at }
  }
  const opener = String(s.source).slice(0, s.openerLength)
  m.output.report(
    'limit-reached',
    `Nothing after ${JSON.stringify(opener)} said which tool is called, in ${limits.undecided} characters.`,
    { start: currentCall(m).origin, end: m.base + at },
  )
  s.openedBy = NONE
  // No prose goes on for so long behind an opener.
  currentCall(m).s.hasBegun = true
  return revertToText(m, constructOf(m), '', text, at)
}

/** A construct that never became certain: its source is text again, in the place where it was found. */
function revertToText(
  m: Machine,
  construct: Construct | null,
  held: string,
  text: string,
  at: number,
): Reread {
  absorb(m, text, at)
  const { s, program } = m
  const start = currentCall(m).origin
  const next = openedByOf(m)?.alternatives[s.alternativesTried]
  const hasBegun = isCallOrMarkup(construct) && m.call?.s.hasBegun === true && !m.call.s.isUnknown
  const source = takeSource(m)
  m.call = null
  if (next?.opens !== undefined) return tryAlternative(m, next, next.opens, source, hasBegun, held, text, at)
  if (hasBegun) loseTrack(m)
  const opener = source.slice(s.leadLength, s.openerLength)
  const returnState = program.states[s.returnState]!
  enter(m, returnState)
  if (returnState !== program.text) s.construct = s.enclosingSection
  if (construct?.atStart) {
    enter(m, program.text)
    return { piece: source, at }
  }
  // What was read twice is not read a third time: so it stays linear.
  m.textTo = Math.max(m.decidedTo, m.base + at - held.length)
  m.decidedTo = 0
  const decided = source.slice(0, source.length - held.length)
  reportNotACall(m, construct, opener, start, m.textTo)
  if (decided !== '' && returnState.kind === 'scan') write(m, returnState, decided, start - s.leadLength)
  if (construct?.weak || hasBegun) enterPlain(m, construct, decided)
  return { piece: held, at }
}

/** Another construct begins with the same text, and reads it from the opener on. */
function tryAlternative(
  m: Machine,
  { before, after, next, back }: Edge,
  construct: Construct,
  source: string,
  hasBegun: boolean,
  held: string,
  text: string,
  at: number,
): Reread {
  const { s } = m
  const { openerLength, leadLength } = s
  const opener = source.slice(0, openerLength)
  s.alternativesTried++
  s.construct = construct.index
  m.lead = source.slice(0, leadLength)
  begin(m, construct, source, at - source.length + leadLength, at)
  // Markup that is read whole was no call that broke off.
  if (hasBegun && isCallOrMarkup(construct)) currentCall(m).s.hasBegun = true
  else if (hasBegun) loseTrack(m)
  perform(m, before, opener, text, at, source.length)
  perform(m, after, opener, text, at, source.length - openerLength)
  enter(m, next)
  return { piece: source.slice(openerLength - back), at, decidedTo: m.base + at - held.length }
}

function isCallOrMarkup(construct: Construct | null): boolean {
  return construct?.kind === 'call' || construct?.kind === 'markup'
}

/** Nothing inside what was no call is one: it is text to its own end, if `source` does not hold that already. */
function enterPlain(m: Machine, construct: Construct | null, source: string): void {
  const { s, program, settings } = m
  const { plain } = construct ?? {}
  if (plain === undefined || s.state !== program.text.index) return
  const from = [...plain.type.first].reduce((least, first) => earlier(least, source.indexOf(first)), -1)
  if (from === -1) return
  const reader = plain.type.create({ weak: true, limits: settings.limits, offset: m.base })
  reader.read(source, from, source.length, currentCall(m))
  if (reader.status !== 'open') return
  s.state = plain.index
  m.reader = reader
}

function earlier(one: number, other: number): number {
  return one === -1 || (other !== -1 && other < one) ? other : one
}

/** What the marker of a call opened is text after all. Other constructs may begin with the same marker. */
function reportNotACall(
  m: Machine,
  construct: Construct | null,
  opener: string,
  start: number,
  end: number,
): void {
  const openedBy = openedByOf(m)
  const opened = [construct, openedBy?.opens, ...(openedBy?.alternatives.map(({ opens }) => opens) ?? [])]
  if (opener === '' || !opened.some((one) => one?.kind === 'call' && !one.weak)) return
  // Without a marker behind it that was only looked at.
  const own = opener.slice(0, end - start)
  const message = `${JSON.stringify(own)} opens no call here.`
  m.output.report('not-a-call', message, { start, end }, undefined, own)
}
