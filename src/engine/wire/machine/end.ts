/**
 * What becomes of all that is open when no more text comes: what was held back is text, and a call is cut off.
 *
 *     Let me look. <tool_ca|                     text
 *     <tool_call>{"name": "get_weather", "ar|    a call that was cut off
 */

import type { FinishReason } from '../../../base/event.ts'
import { releaseVerdicts } from '../../calls/unopened-reasoning.ts'
import { hintIn } from '../call-hints.ts'
import { readPiece, setFastPath } from './intake.ts'
import { currentCall, emitSource, endCall, judge } from './open-construct.ts'
import { losePlace } from './place.ts'
import { fail } from './revert.ts'
import { isAwaited, isInCall, type Machine, NONE, stateOf, thoughtOf } from './state.ts'
import { endBeforeBrace, fallBack, finishReader, recover } from './step.ts'
import { decideWaiting, doubtWaiting, write } from './text.ts'

/** How a stream ended: all of it came, its reader left, or it broke off. */
export type StreamEnd = 'finished' | 'interrupted' | 'failed'

/** Why no more text comes: how the stream ended, or what the provider said. */
export type EndReason = StreamEnd | FinishReason

/** What comes in between: at most a call that the provider sends by itself, text that was lost, or something else. */
export type Interruption = 'call' | 'other' | 'loss'

/** What each means for the response. `stop`: the model stopped by itself. */
export const FINISH_REASONS: Readonly<Record<EndReason, FinishReason>> = {
  finished: 'stop',
  stop: 'stop',
  'tool-calls': 'stop',
  interrupted: 'aborted',
  aborted: 'aborted',
  failed: 'error',
  error: 'error',
  length: 'length',
  'content-filter': 'content-filter',
  other: 'other',
}

/** Something that is not text comes in between: what was held back is emitted. A call in the text stays open. */
export function interrupt(m: Machine, by: Interruption): void {
  if (by === 'loss') {
    loseText(m)
    return
  }
  settle(m)
  endAwaitedHere(m)
  const staysBehindCall = by === 'call' && dropSpaceBehindCall(m)
  if (!isInCall(m) && !staysBehindCall) leaveStates(m, by === 'call')
  if (by === 'other') doubtWaiting(m)
  m.output.close()
  setFastPath(m)
}

/** Any marker may have stood in what is missing, so that no call is certain any more. Nothing ends by it. */
function loseText(m: Machine): void {
  doubtWaiting(m)
  m.call?.losesPlace()
  losePlace(m.s.place, false)
}

/** No more text comes. */
export function end(m: Machine, why: EndReason): void {
  const { s, output } = m
  const reason = FINISH_REASONS[why]
  const wasStopped = s.stoppedBy !== ''
  m.fastPath = null
  settle(m)
  endAwaitedHere(m)
  dropSpaceBehindCall(m)
  dropCutCloser(m)
  if (m.reader !== null && !isInCall(m)) m.reader.cutOff?.(currentCall(m))
  leaveStates(m, true)
  endAwaitedHere(m)
  const isCut = isInCall(m)
  if (isCut) {
    if (m.settings.source) emitSource(m, 0)
    const completion = m.reader?.completion?.() ?? ''
    s.calls++
    judge(m, m.call!, { offset: s.total, completion })
  }
  m.call = null
  if (output.isReasoning) reportOpenReasoning(m)
  output.close()
  // A marker that was cut off may begin with what stops the response: the whole marker would not have stopped it.
  const isMarkerCut = s.hasReportedMore && !wasStopped
  const hasStopped = s.stoppedBy !== '' || (reason === 'stop' && !isCut)
  decideWaiting(m, hasStopped && !isMarkerCut)
  if (s.unopened !== null) releaseVerdicts(s.unopened, m.host)
  reportHint(m)
  output.emit({
    type: 'finish',
    reason: reason === 'stop' && s.calls > 0 ? 'tool-calls' : reason,
    ...(s.stoppedBy !== '' && { rawReason: s.stoppedBy }),
  })
}

/** A dialect that found no call may be the wrong one. */
function reportHint({ s, output }: Machine): void {
  const hint = s.calls === 0 && s.hints !== null ? hintIn(s.hints) : undefined
  if (hint === undefined) return
  const { opener, span, dialects } = hint
  const message = `${JSON.stringify(opener)} in the text begins a call in ${dialects.join(', ')}; if it is one, pass that dialect.`
  output.report('looks-like-a-call', message, span, undefined, opener, dialects)
}

function reportOpenReasoning({ s, output }: Machine): void {
  const span = s.total > s.reasoningAt ? { start: s.reasoningAt, end: s.total } : undefined
  output.report('reasoning-not-closed', 'The response ends inside reasoning.', span)
}

/** White space between a call inside reasoning and the end, or the next call, is no thought. */
function dropSpaceBehindCall(m: Machine): boolean {
  const { s } = m
  // Of the closers behind the call, none has come.
  const isBehindCall = stateOf(m).kind === 'expect' && s.source === null
  if (thoughtOf(m) === null || !isBehindCall || s.held !== '') return false
  s.space = ''
  return true
}

/** A closer behind a call, which was cut off with the response, is no text. */
function dropCutCloser(m: Machine): void {
  const { s } = m
  const state = stateOf(m)
  const { held } = s
  if (state.kind !== 'expect' || held === '' || s.source !== null || s.thought !== NONE) return
  const cut = state.edges.find(
    ({ literal, opens, before }) =>
      literal.startsWith(held) &&
      (opens === undefined ? !before.some(({ op }) => op === 'report') : opens.isStray),
  )
  if (cut === undefined || m.output.isReasoning) return
  if (cut.opens !== undefined) doubtWaiting(m)
  reportCutMarker(m, held)
  s.held = ''
  s.space = ''
  s.node = 0
}

function reportCutMarker({ s, output }: Machine, held: string): void {
  output.report('stray-markup', 'A marker was cut off.', { start: s.total - held.length, end: s.total })
}

/** No more text comes, so that a verdict that waits for it is due. */
export function endAwaitedHere(m: Machine): void {
  if (isAwaited(m)) endCall(m, '', 0, 0)
  endBeforeBrace(m, undefined, '', 0)
  m.s.isAtBracket = false
}

/** No more text comes for what was cut in two. */
function settle(m: Machine): void {
  const { s } = m
  const half = s.surrogate
  s.surrogate = ''
  if (half !== '') readPiece(m, half)
  m.base = s.total
  m.sourceFrom = 0
}

/** `isOver`: no text follows, or at most another call. */
function leaveStates(m: Machine, isOver: boolean): void {
  const { s, program } = m
  do {
    const isBlank = program.spacedCalls && isOver && s.state === program.afterCall.index && s.held === ''
    if (isBlank) s.space = ''
  } while (s.stoppedBy === '' && leaveState(m))
}

/** A marker that was cut off is no text if its first token can be none. */
function dropsCutMarker(m: Machine, held: string): boolean {
  if (m.call !== null || !m.program.tokens.some((token) => held.startsWith(token))) return false
  reportCutMarker(m, held)
  return true
}

/** Goes on from the current state as far as the end of the text allows; false when there is no further. */
function leaveState(m: Machine): boolean {
  const { s, output } = m
  const state = stateOf(m)
  const isOpen = isInCall(m)
  // What was skipped of something that is not known yet is no less text than the rest of it.
  if (state.kind === 'scan' && (isOpen || s.source === null)) {
    const { held } = s
    s.held = ''
    s.node = 0
    if (held !== '' && !dropsCutMarker(m, held)) write(m, state, held, m.base - held.length)
    return false
  }
  if (state.kind === 'expect' && !isOpen) {
    const way =
      state.fallbacks.find(({ atEnd }) => atEnd) ??
      // Reasoning that ends within an optional marker: what there is of the marker is reasoning.
      (output.isReasoning ? state.fallbacks.find((fallback) => fallback.first === '') : undefined)
    if (way !== undefined && (s.source === null || way.atEnd === 'only')) {
      // Half a closer behind an opener is no text either.
      if (way.atEnd === 'only') s.held = ''
      fallBack(m, way, '', 0)
      return true
    }
  }
  if (state.kind === 'read' && m.reader !== null) {
    m.reader.end(currentCall(m))
    if (m.reader.status === 'done') {
      finishReader(m, state, m.reader, '', 0)
      return true
    }
  }
  if (isOpen) return false
  recover(m, '', fail(m, '', 0))
  return true
}
