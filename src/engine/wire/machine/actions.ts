/** What happens on the way from one state to the next: calls begin and end, values open, reasoning is over. */

import type { DiagnosticCode, Span } from '../../../base/event.ts'
import { closeUnopened } from '../../calls/unopened-reasoning.ts'
import type { Op } from '../program.ts'
import { absorb, begin, currentCall, endCall, takeSource } from './open-construct.ts'
import { closeReasoning, openReasoning } from './place.ts'
import { constructOf, isInCall, type Machine, NONE } from './state.ts'
import { doubtWaiting, loseTrack } from './text.ts'

/** What a recovery is called in a diagnostic. */
export const RECOVERED: Partial<Record<DiagnosticCode, string>> = {
  'call-without-wrapper': 'The marker around calls is missing.',
  'empty-arguments': 'There are no arguments where an object should be.',
  'empty-call': 'There is no call between the markers of one.',
  'missing-closer': 'A closing marker is missing.',
  'missing-opener': 'An opening marker is missing.',
  'missing-token': 'A token of a marker is missing.',
  'new-call-before-end': 'A new call begins before this one was closed.',
  'repeated-opener': 'An opening marker appears twice.',
  'stray-closer': 'A closing marker closes nothing.',
  'stray-markup': 'There is markup that belongs to nothing.',
  'stripped-tokens': 'The special tokens of the format are missing.',
  'unexpected-text': 'There is text between the calls of a section.',
}

/**
 * Does what lies on the way, and returns false if that cannot be. `behind`: characters before `at` that belong to what
 * comes next.
 */
export function perform(
  m: Machine,
  ops: readonly Op[],
  matched: string,
  text: string,
  at: number,
  behind: number,
): boolean {
  const { s, output, settings } = m
  let lacksCloser = false
  for (const op of ops) {
    switch (op.op) {
      case 'begin-call':
        beginNextCall(m, op.returnState?.index, matched, at)
        break
      case 'named':
        m.call?.word('name', op.name)
        break
      case 'unnamed':
        currentCall(m).s.isUnnamed = true
        break
      case 'certain':
        if (constructOf(m)?.kind === 'call' && m.call?.start() === false) return false
        break
      case 'open-value':
        m.call?.textArguments.openValue(op.options, m.base + at - behind)
        break
      case 'close-value':
        m.call?.textArguments.closeValue(op.unpaired ? m.base + at - behind : undefined)
        break
      case 'end-call':
        if (m.call !== null && !m.call.started) return false
        s.isAtBracket = op.bracket !== undefined
        if (op.bracket === 'waits') absorb(m, text, at)
        else endCall(m, text, at, behind)
        break
      case 'open-reasoning':
        doubtWaiting(m)
        // It begins with a thought of its own, so the prompt has opened none.
        if (s.calls === 0 && !output.state.hasText) s.unopened = null
        s.reasoningAt = op.hasHeader ? s.openedAt : m.base + at - matched.length
        openReasoning(s.place)
        m.watch?.leave()
        output.open('reasoning')
        break
      case 'reasoning-closer':
        closeReasoning(s.place)
        break
      case 'unopened-closer':
        closeUnopenedReasoning(m)
        break
      case 'close-reasoning':
        if (s.thought !== NONE) doubtWaiting(m)
        s.thought = NONE
        output.close('reasoning')
        break
      case 'open-result':
        openResult(m, text, at)
        break
      case 'close-result':
        output.close('result', settings.raw ? matched : '')
        break
      case 'report':
        // A call that lacks its own closer, and another opener: what follows may be a value whose opener is missing.
        if (op.code === 'new-call-before-end' && lacksCloser) loseTrack(m)
        lacksCloser ||= op.code === 'missing-closer' && m.call !== null
        reportRecovery(m, op, matched, text, at, behind)
        break
      case 'drop':
        m.call = null
        takeSource(m)
        break
      case 'stop':
        // Inside a call nothing stops the response.
        if (!isInCall(m)) s.stoppedBy = matched
        break
      case 'pause':
        m.pause = { found: m.lead + matched, end: m.base + at }
        break
    }
  }
  return true
}

/** All that came before was a thought, unless it is known that the response does not begin inside one. */
function closeUnopenedReasoning(m: Machine): void {
  const { unopened } = m.s
  if (unopened === null) return
  doubtWaiting(m)
  closeUnopened(unopened, m.host)
}

/** Another call of a section. */
function beginNextCall(m: Machine, returnState: number | undefined, matched: string, at: number): void {
  const { s, program } = m
  const construct = constructOf(m)
  if (m.call !== null || construct === null) return
  s.enclosingSection = s.construct
  s.openerLength = m.lead.length + matched.length
  s.openedBy = NONE
  s.returnState = s.thought === NONE ? (returnState ?? program.text.index) : s.thought
  begin(m, construct, m.lead + matched, at - matched.length, at)
  const call = currentCall(m)
  call.s.followsCall = true
  // Between the calls of a section there is no prose that could mention a marker.
  call.s.hasBegun = true
}

function openResult(m: Machine, text: string, at: number): void {
  const { call } = m
  doubtWaiting(m)
  m.call = null
  absorb(m, text, at)
  const raw = takeSource(m)
  m.watch?.leave()
  m.output.openResult(
    call?.s.wireId ?? '',
    call?.name ?? '',
    call?.s.isError ?? false,
    m.settings.raw ? raw : '',
  )
}

function reportRecovery(
  m: Machine,
  { code, inValue, endsValue, seen }: Op & { readonly op: 'report' },
  matched: string,
  text: string,
  at: number,
  behind: number,
): void {
  const { call } = m
  const message = RECOVERED[code] ?? code
  const offset = m.base + at - behind
  // A value is missing, and then the call's own closer: what follows may be that value.
  const isUnclosed = code === 'missing-closer' && !inValue && call?.isGuess
  if (endsValue || code === 'unexpected-text' || isUnclosed) loseTrack(m)
  if (code === 'call-without-wrapper') call?.requireKnownTool()
  else if (code !== 'repeated-opener') call?.repaired(code, inValue ? 'guess' : 'lossless', offset)
  if (seen !== undefined) m.output.report(code, message, { start: m.s.openedAt, end: m.base + at - seen })
  else if (call === null) m.output.report(code, message, recoverySpan(m, code, matched, text, at, behind))
  else call.note(code, message, offset)
}

/** The marker that should not be there, the text in its place, or the construct that lacks its closer. */
function recoverySpan(
  { s, base }: Machine,
  code: DiagnosticCode,
  matched: string,
  text: string,
  at: number,
  behind: number,
): Span {
  const end = base + at
  if (code === 'stray-closer' || code === 'stray-markup' || code === 'repeated-opener')
    return { start: end - matched.length, end }
  if (code === 'unexpected-text') return { start: end - matched.length, end: end + characterLength(text, at) }
  return { start: s.openedAt, end: end - behind }
}

/** The length of the character at an index: two for a surrogate pair. */
export function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
