/** Where characters go: text, reasoning, a result, an argument's value, or nowhere. */

import { closeUnopened, shownCloserEnd } from '../../calls/unopened-reasoning.ts'
import { allowsClosing, decide, doubt, passSpace, waitsForLineEnd } from '../../calls/waiting.ts'
import { type CallHints, lookForCalls } from '../call-hints.ts'
import type { Channel } from '../event-output.ts'
import type { ScanState, State } from '../program.ts'
import { Watch } from '../watch.ts'
import { losePlace } from './place.ts'
import { hasWaiting, type Machine, NO_INDENT, NONE, thoughtOf } from './state.ts'

/** Goes to a state. Behind a call inside reasoning, what would be visible text is reasoning. */
export function enter(m: Machine, state: State): void {
  const { s, program } = m
  const thought = thoughtOf(m)
  if (thought !== null && isVisible(m, state)) s.state = (thought.behindCall ?? thought).index
  else s.state = (state === program.content && s.output.hasText ? program.laterContent : state).index
  // Markup stands in the source between this part of the value and the one before.
  if (state.kind === 'scan' && state.verbatim) m.call?.textArguments.leaveSource()
}

/** Is this where visible text is read, or what comes before it? */
function isVisible({ program }: Machine, state: State): boolean {
  const { content, laterContent, afterCall } = program
  const isText = state.kind === 'scan' && state.channel === 'text'
  return isText || state === content || state === laterContent || state === afterCall
}

/** Forgets what was half read. */
export function resetBuffers(m: Machine): void {
  const { s } = m
  s.held = ''
  s.space = ''
  s.word = ''
  s.node = 0
  s.strayBraceAt = NONE
  m.reader = null
}

/** Sends characters to the channel of a state. `start`: their offset in the text channel, if they stand there. */
export function write(m: Machine, state: ScanState, characters: string, start = Infinity): void {
  const { s } = m
  if (s.isAtBracket) leaveBracket(m, characters)
  const { channel } = state
  if (channel === 'value') m.call?.textArguments.valueText(characters, state.verbatim)
  else {
    const text = behindPrefill(m, characters, start)
    if (text === '') return
    watchOf(m, state)?.read(text)
    if (channel === 'text' && start !== Infinity) {
      const hints = hintsFor(m)
      if (hints !== null)
        s.hints = lookForCalls(hints, s.hints, text, start + characters.length - text.length)
    }
    if (channel === 'text') writeText(m, text)
    else if (channel !== 'nowhere') emitText(m, channel, text)
  }
}

/** Visible text. A closer of reasoning may be in it, kept as text or behind what failed: there the calls that wait turn out to be thoughts. */
function writeText(m: Machine, text: string): void {
  const { unopened } = m.s
  const end =
    unopened !== null && seeksCloser(m) ? shownCloserEnd(unopened, m.program.strayReasoning, text) : -1
  if (unopened === null || end === -1) emitText(m, 'text', text)
  else {
    emitText(m, 'text', text.slice(0, end))
    closeUnopened(unopened, m.host)
    if (end < text.length) emitText(m, 'text', text.slice(end))
  }
}

/** Verdicts wait, and text may decide about them. */
export function seeksCloser({ s, program }: Machine): boolean {
  return s.unopened !== null && s.unopened.calls.length > 0 && program.strayReasoning.length > 0
}

/** What the response has of text at this offset. What the prefill has of it is in the prompt already. */
export function behindPrefill({ s }: Machine, text: string, start: number): string {
  return start < s.prefilled ? text.slice(s.prefilled - start) : text
}

/** The markers of other dialects that visible text is searched for; null: there is no need, or none any more. */
export function hintsFor({ s, program }: Machine): CallHints | null {
  const isOver = s.calls > 0 || (s.hints !== null && s.hints.found !== -1)
  return isOver ? null : program.hints()
}

/** Emits text of a channel. Behind a call whose verdict waits, anything decides but white space and what closes a sentence or a fence. */
export function emitText(m: Machine, channel: Channel, text: string): void {
  const { output, s } = m
  if (channel === 'text') s.indent = indentBehind(text, indentOf(m))
  s.isBehindPrefill = false
  if (!hasWaiting(m)) output.write(channel, text)
  else {
    // White space in a thought waits in a state of its own, and belongs to the thought that goes on.
    const blank = channel === 'text' ? passSpace(s.waiting!, leadingEnd(text, allowsClosing(s.waiting!))) : 0
    if (blank > 0) writeSpace(m, text.slice(0, blank))
    if (blank === text.length) return
    doubtWaiting(m)
    output.write(channel, text.slice(blank))
  }
}

/** White space behind calls that wait. */
function writeSpace(m: Machine, space: string): void {
  const lineEnd = Math.max(0, space.indexOf('\n'))
  if (lineEnd > 0) m.output.write('text', space.slice(0, lineEnd))
  endLine(m, space)
  m.output.write('text', space.slice(lineEnd))
}

/** A line break in the white space behind calls decides, if they wait for nothing else. */
export function endLine(m: Machine, space: string): void {
  const { waiting } = m.s
  if (waiting !== null && space.includes('\n') && waitsForLineEnd(waiting)) decideWaiting(m, true)
}

/** Something followed that a model does not write behind a call that it meant. */
export function doubtWaiting({ s, host }: Machine): void {
  if (s.waiting !== null) doubt(s.waiting, host)
}

/** `isMeant`: the model stopped behind the calls whose verdicts wait, or ended their line. */
export function decideWaiting({ s, host }: Machine, isMeant: boolean): void {
  if (s.waiting !== null) decide(s.waiting, host, isMeant)
}

// ── the place ────────────────────────────────────────────────────────────────────────────────────

/** What follows may belong to something else than it seems to. */
export function loseTrack({ s, output }: Machine): void {
  losePlace(s.place, output.isReasoning || s.openedInReasoning)
}

/** Text directly behind a bracket, which may have been one too many. */
export function leaveBracket(m: Machine, text: string): void {
  m.s.isAtBracket = false
  if (!isSpace(text.charCodeAt(0))) loseTrack(m)
}

/** What looks at raw text for markers. Made when there is such text. */
export function markerWatch(m: Machine): Watch {
  m.watch ??= new Watch(m.program.markers(), (inSpeech) => markerFound(m, inSpeech), m.s.watch ?? undefined)
  m.s.watch = m.watch.state
  return m.watch
}

/** Reasoning and results hold no second opener of their own, and what is skipped in a call no marker at all. */
export function watchOf(m: Machine, { own }: ScanState): Watch | null {
  if (own === undefined) return null
  const watch = markerWatch(m)
  if (!watch.isFor(own)) watch.begin({ opener: own })
  return watch
}

function markerFound(m: Machine, inSpeech: boolean): void {
  if (inSpeech) losePlace(m.s.place, false)
  else {
    loseTrack(m)
    if (m.call !== null) m.call.s.isPlaceUncertain = true
  }
}

const SPACE = 32
const TAB = 9
const LINE_BREAK = 10
/** With more spaces before it, a fence is part of the text around it, and a weak call is, too. A tab is one more. */
export const MOST_INDENT = 3

// ── white space ──────────────────────────────────────────────────────────────────────────────────

/** The same of the text so far. Text that follows a call, a thought or a result begins a line: it is shown as a text of its own. */
export function indentOf({ s, output }: Machine): number {
  return output.isText || s.isBehindPrefill ? s.indent : 0
}

/** How wide the white space of the last line is, if it has nothing else; else -1. `before`: so far. */
export function indentBehind(text: string, before: number): number {
  let width = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at)
    if (code === LINE_BREAK) return width
    if (code !== SPACE && code !== TAB) return NO_INDENT
    width += code === TAB ? MOST_INDENT + 1 : 1
  }
  return before === NO_INDENT ? NO_INDENT : before + width
}

/** A fence may follow so much white space. */
export function isIndent(width: number): boolean {
  return width !== NO_INDENT && width <= MOST_INDENT
}

/** What may close a sentence or a fence around a call. */
const CLOSING = '.;`'

/** How many characters a text begins with that say nothing about the call before it. */
function leadingEnd(text: string, mayClose: boolean): number {
  let at = 0
  while (at < text.length && (isSpace(text.charCodeAt(at)) || (mayClose && CLOSING.includes(text[at]!)))) at++
  return at
}

export function isSpace(code: number): boolean {
  return (
    code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0xa0 || code === 0x3000
  )
}
