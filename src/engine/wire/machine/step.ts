/**
 * The loop: reads text, state by state. Each kind of state reads what is its own; the literal, the word or the end of a
 * reader leads to the next one.
 */

import type { Literals } from '../literals.ts'
import type { Edge, ExpectState, Fallback, Op, ReadState, ScanState, State, WordState } from '../program.ts'
import type { Reader } from '../reader.ts'
import type { WordRole } from '../template.ts'
import { until } from '../until.ts'
import { characterLength, perform } from './actions.ts'
import { absorb, currentCall, cutSource, endCall, open } from './open-construct.ts'
import { fail, hitLimit, type Reread } from './revert.ts'
import {
  constructOf,
  isAwaited,
  isInCall,
  type Machine,
  NO_INDENT,
  NONE,
  remaining,
  stateOf,
} from './state.ts'
import {
  behindPrefill,
  doubtWaiting,
  emitText,
  endLine,
  enter,
  indentBehind,
  indentOf,
  isIndent,
  isSpace,
  leaveBracket,
  loseTrack,
  MOST_INDENT,
  write,
} from './text.ts'

/** Reads a piece of text. */
export function consume(m: Machine, text: string): void {
  const { s } = m
  let at = 0
  while (at < text.length && s.stoppedBy === '' && m.pause === null) {
    const state = stateOf(m)
    if (state.kind === 'scan' && m.base + at < m.textTo) {
      const from = at
      at = Math.min(text.length, m.textTo - m.base)
      write(m, state, text.slice(from, at), m.base + from)
      continue
    }
    if (isAwaited(m)) endAwaited(m, text, at)
    const to = Math.min(text.length, m.sourceFrom + remaining(m))
    at = at >= to ? recover(m, text, hitLimit(m, text, at)) : step(m, stateOf(m), text, at, to)
  }
  if (at < text.length && m.pause === null) passOver(m, text.slice(at), m.base + at)
  absorb(m, text, text.length)
}

function step(m: Machine, state: State, text: string, from: number, to: number): number {
  switch (state.kind) {
    case 'scan':
      return scan(m, state, text, from, to)
    case 'expect':
      return expect(m, state, text, from, to)
    case 'word':
      return readWord(m, state, text, from, to)
    case 'read':
      return read(m, state, text, from, to)
  }
}

/**
 * The verdict on a call that ended by its own bracket: if nothing that may follow does, it was the wrong one. One brace too
 * many may be followed by the call's closer, which then says where the call ends.
 */
function endAwaited(m: Machine, text: string, at: number): void {
  const state = stateOf(m)
  if (text[at] === '}' && state.kind === 'expect' && state.edges.some(isStrayBrace)) {
    m.s.isAtBracket = false
    m.s.strayBraceAt = m.base + at
    return
  }
  const code = text.charCodeAt(at)
  const fits =
    isSpace(code) ||
    m.program.text.literals.step(0, code) > 0 ||
    (state.kind === 'expect' &&
      (state.edges.some((edge) => mayFollowBracket(edge, text[at]!)) ||
        state.fallbacks.some(({ first }) => first.includes(text[at]!))))
  if (!fits) doubtBracket(m, m.base + at)
  endCall(m, text, at, 0)
}

function doubtBracket(m: Machine, offset: number): void {
  loseTrack(m)
  const call = currentCall(m)
  call.repaired('trailing-content', 'guess', offset)
  call.s.isPlaceUncertain = true
}

/** A brace that should not be there, behind which the closer of the call may stand. */
function isStrayBrace({ literal, before, next }: Edge): boolean {
  return literal === '}' && before.some(isStrayMarkup) && next.kind === 'expect' && next.edges.some(isCloser)
}

/** Any bracket ends many things. */
function isCloser({ literal, opens, before }: Edge): boolean {
  return opens === undefined && literal.length > 1 && before.length === 0
}

const isStrayMarkup = (op: Op): boolean => op.op === 'report' && op.code === 'stray-markup'

/** The verdict on a call that a brace too many follows. `edge`: what was found behind the brace. */
export function endBeforeBrace(m: Machine, edge: Edge | undefined, text: string, at: number): void {
  const { s } = m
  const end = s.strayBraceAt
  const isTheBrace = edge !== undefined && isStrayBrace(edge) && m.base + at === end + 1
  if (end === NONE || isTheBrace || !isInCall(m)) return
  if (edge === undefined || !isCloser(edge)) doubtBracket(m, end)
  s.strayBraceAt = NONE
  endCall(m, text, at, m.base + at - end)
}

/** A closer, a separator or another marker begins with this character, and not a bracket that should not be there. */
function mayFollowBracket({ literal, before }: Edge, character: string): boolean {
  const isBracket = literal.length === 1
  return literal[0]!.toLowerCase() === character.toLowerCase() && !(isBracket && before.some(isStrayMarkup))
}

/** Text behind what stopped the response. Anything but white space is reported, once. */
export function passOver(m: Machine, text: string, offset: number): void {
  const { s } = m
  const more = text.trimStart()
  if (s.hasReportedMore || more === '') return
  s.hasReportedMore = true
  const start = offset + text.length - more.length
  m.output.report('text-after-stop', `There is more after ${JSON.stringify(s.stoppedBy)}.`, {
    start,
    end: start + characterLength(more, 0),
  })
}

// ── scan ─────────────────────────────────────────────────────────────────────────────────────────

function scan(m: Machine, state: ScanState, text: string, from: number, to: number): number {
  const { s } = m
  const { literals } = state
  const { table, width, ascii, found } = literals
  let { node } = s
  for (let at = from; at < to; ) {
    if (node === 0) {
      at = literals.skip(text, at, to)
      if (at >= to) break
    }
    const code = text.charCodeAt(at++)
    node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
    const index = found[node]!
    if (index === -1) continue
    const length = literals.length[node]!
    const start = at - length
    const edge = edgeHere(m, state.edges[index]!, text, from, start)
    if (edge === undefined) {
      node = 0
      continue
    }
    const matched = start >= from ? text.slice(start, at) : (s.held + text.slice(from, at)).slice(-length)
    writeUpTo(m, state, text, from, start)
    s.node = 0
    s.held = ''
    return take(m, edge, matched, text, at)
  }
  const depth = literals.depth[node]!
  const kept =
    depth === 0
      ? ''
      : to - depth >= from
        ? text.slice(to - depth, to)
        : (s.held + text.slice(from, to)).slice(-depth)
  writeUpTo(m, state, text, from, to - depth)
  s.held = kept
  s.node = node
  return to
}

/** The edge that the literal at `start` takes: some constructs begin only at the start of a line. */
function edgeHere(m: Machine, edge: Edge, text: string, from: number, start: number): Edge | undefined {
  if (!edge.opens?.atLineStart || isAtLineStart(m, text, from, start)) return edge
  return edge.alternatives.find(({ opens }) => !opens?.atLineStart)
}

/** Before `from` stands what was held. */
function isAtLineStart(m: Machine, text: string, from: number, start: number): boolean {
  const { held } = m.s
  // No more than this tells, so that no text is looked at twice.
  if (start - from > MOST_INDENT)
    return isIndent(indentBehind(text.slice(start - MOST_INDENT - 1, start), NO_INDENT))
  const before = start >= from ? held + text.slice(from, start) : held.slice(0, held.length - (from - start))
  return isIndent(indentBehind(before, indentOf(m)))
}

/** Sends what was held and `text[from, upTo)` to the state's channel. Before `from` stands what was held. */
function writeUpTo(m: Machine, state: ScanState, text: string, from: number, upTo: number): void {
  const { held } = m.s
  const start = m.base + from - held.length
  if (upTo > from)
    write(m, state, held === '' ? text.slice(from, upTo) : held + text.slice(from, upTo), start)
  else if (held.length > from - upTo) write(m, state, held.slice(0, held.length - (from - upTo)), start)
}

// ── expect ───────────────────────────────────────────────────────────────────────────────────────

function expect(m: Machine, state: ExpectState, text: string, from: number, to: number): number {
  const { s } = m
  const { literals } = state
  let { node } = s
  let start = from
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    const next = literals.step(node, code)
    if (next > 0) {
      node = next
      const index = literals.found[node]!
      if (index === -1) continue
      const matched = s.held + text.slice(start, at + 1)
      const { space } = s
      s.node = 0
      s.held = ''
      s.space = ''
      return take(m, state.edges[index]!, matched, text, at + 1, space)
    }
    if (node === 0 && state.space && isSpace(code) && s.space.length < m.settings.limits.undecided) {
      s.space += text[at]!
      s.isAtBracket = false
      start = at + 1
      continue
    }
    s.held += text.slice(start, at)
    const first = s.held === '' ? text[at]! : s.held[0]!
    const way = state.fallbacks.find((fallback) => isTaken(fallback, first))
    return way === undefined ? recover(m, text, fail(m, text, at)) : fallBack(m, way, text, at)
  }
  s.held += text.slice(start, to)
  s.node = node
  return to
}

function isTaken({ first, atEnd }: Fallback, character: string): boolean {
  return atEnd !== 'only' && (first === '' || first.includes(character))
}

/** No literal fits: what was held is read again in the state that takes over. */
export function fallBack(m: Machine, way: Fallback, text: string, at: number): number {
  const { s } = m
  const { space, held } = s
  endBeforeBrace(m, undefined, text, at)
  s.space = ''
  s.held = ''
  s.node = 0
  m.lead = space
  const takesSpace = way.next.kind === 'word' || way.next.kind === 'read' || way.atEnd === 'only'
  if (takesSpace) s.isAtBracket = false
  const undecided = space.length + held.length
  if (way.opens !== undefined) open(m, way.opens, null, space + held, m.program.text, at - held.length, at)
  if (!perform(m, way.ops, held, text, at, undecided)) return recover(m, text, fail(m, text, at))
  enter(m, way.next)
  // White space is markup before a word or a reader; otherwise it belongs to what follows.
  reread(m, takesSpace ? held : space + held, text, at)
  return at
}

// ── word ─────────────────────────────────────────────────────────────────────────────────────────

function readWord(m: Machine, state: WordState, text: string, from: number, to: number): number {
  if (state.literals !== undefined) return readFreeWord(m, state, state.literals, text, from, to)
  const { s } = m
  const { name } = m.settings.limits
  const most = Math.min(to, from + name + 1 - s.word.length)
  let at = from
  while (at < most && !state.stops.includes(text[at]!)) at++
  const taken = s.word + text.slice(from, at)
  const second = state.isInTag && state.role === 'name' ? secondWord(taken) : -1
  const hasOneWord = second === -1
  if (!hasOneWord) at -= taken.length - second
  s.word = hasOneWord ? taken : taken.slice(0, second)
  if (at === to && s.word.length <= name) return to
  const word = state.isInTag ? wordInTag(state.role, s.word) : s.word
  if (state.role !== 'key' && !currentCall(m).started) nameEnds(m, word, state.split, text, at)
  s.word = ''
  if (!hasOneWord || !takeWord(m, state, word, at)) return recover(m, text, fail(m, text, at))
  enter(m, state.next)
  return at
}

/**
 * Where a second word begins, which no name has; -1 if there is none.
 *
 *     <function=ls |is how I list files
 */
function secondWord(text: string): number {
  const first = /^[\s"']*[^\s"']+\s+(?=[^\s"'/])/.exec(text)
  return first === null ? -1 : first[0].length
}

/**
 * What a tag names.
 *
 *     <function=ls />        <parameter="path">
 */
function wordInTag(role: WordRole, text: string): string {
  const all = text.trim()
  const word = role === 'name' && all.endsWith('/') ? all.slice(0, -1).trim() : all
  const quote = word[0]
  const isQuoted = (quote === '"' || quote === "'") && word.indexOf(quote, 1) === word.length - 1
  return isQuoted ? word.slice(1, -1).trim() : word
}

/**
 * A word up to a marker that can follow it, or to a line break, which are read again behind it.
 *
 *     <arg_key>a<b</arg_k|ey>
 */
function readFreeWord(
  m: Machine,
  state: WordState,
  literals: Literals,
  text: string,
  from: number,
  to: number,
): number {
  const { s } = m
  const { word, held } = s
  const most = from + m.settings.limits.name + literals.longest + 1 - word.length - held.length
  const search = { held, node: s.node, found: -1 }
  const at = until(search, literals, text, from, Math.min(to, most), (piece) => {
    s.word += piece
  })
  if (search.found === -1 && at < most) {
    s.held = search.held
    s.node = search.node
    return at
  }
  const marker = (word + held + text.slice(from, at)).slice(s.word.length)
  const taken = takeWord(m, state, s.word.trim(), at)
  s.word = ''
  s.node = 0
  s.held = taken ? '' : marker
  if (!taken) return recover(m, text, fail(m, text, at))
  enter(m, state.next)
  reread(m, marker, text, at)
  return at
}

/** False: it is none, or too long. */
function takeWord(m: Machine, { role, split }: WordState, word: string, at: number): boolean {
  const { name } = m.settings.limits
  if (word.length > name) currentCall(m).limitReached(`A ${role} may have ${name} characters.`, m.base + at)
  return word !== '' && word.length <= name && currentCall(m).word(role, word, split)
}

function nameEnds(m: Machine, word: string, split: WordState['split'], text: string, at: number): void {
  absorb(m, text, at)
  const source = String(m.s.source ?? '')
  const before = source.charCodeAt(source.length - m.s.word.length - 1)
  currentCall(m).nameBegins(split?.nameIn(word) || word, !isSpace(before))
}

// ── read ─────────────────────────────────────────────────────────────────────────────────────────

function read(m: Machine, state: ReadState, text: string, from: number, to: number): number {
  m.reader ??= state.type.create(readerSettings(m, from))
  const { reader } = m
  const at = reader.read(text, from, to, currentCall(m))
  if (state.type.visible && at > from) {
    if (m.s.isAtBracket) leaveBracket(m, text.slice(from, at))
    const piece = behindPrefill(m, text.slice(from, at), m.base + from)
    if (piece !== '') emitText(m, 'text', piece)
  }
  return reader.status === 'open' ? at : finishReader(m, state, reader, text, at)
}

export function finishReader(m: Machine, state: ReadState, reader: Reader, text: string, at: number): number {
  m.reader = null
  if (reader.status === 'failed') {
    // `<write_file =path>`: a broken tag of a known tool is more than prose.
    const { call } = m
    if (call !== null && call.name !== '') call.nameBegins(call.name, false)
    m.s.held = reader.undecided ?? ''
    return recover(m, text, fail(m, text, at))
  }
  const way = reader.selfClosing && state.selfClosed !== undefined ? state.selfClosed : state.after
  const ahead = reader.undecided ?? ''
  if (!perform(m, way.ops, '', text, at, ahead.length)) return recover(m, text, fail(m, text, at))
  enter(m, way.next)
  reread(m, ahead, text, at)
  return at
}

export function readerSettings(m: Machine, from: number) {
  return {
    weak: constructOf(m)?.weak ?? false,
    limits: m.settings.limits,
    offset: m.base + from,
    markers: m.program.markers,
    isAtLineStart: isIndent(indentOf(m)),
  }
}

// ── from state to state ──────────────────────────────────────────────────────────────────────────

/** `space`: what stood before the literal; it comes back with it if the construct fails. */
function take(m: Machine, edge: Edge, matched: string, text: string, at: number, space = ''): number {
  const from = stateOf(m)
  endBeforeBrace(m, edge, text, at)
  const behind = space.length + matched.length
  if (edge.opens !== undefined) endLine(m, space)
  if (edge.opens?.isStray) {
    if (m.s.isAtBracket) leaveBracket(m, matched)
    doubtWaiting(m)
  }
  // A span of code is text like any other.
  if (edge.next.kind !== 'read' || !edge.next.type.visible) m.s.isAtBracket = false
  perform(m, edge.leaving, matched, text, at, behind)
  m.lead = space
  if (edge.opens !== undefined) open(m, edge.opens, edge, space + matched, from, at - matched.length, at)
  if (
    !perform(m, edge.before, matched, text, at, behind) ||
    !perform(m, edge.after, matched, text, at, edge.back)
  )
    return recover(m, text, fail(m, text, at))
  enter(m, edge.next)
  if (edge.back > 0) reread(m, matched.slice(-edge.back), text, at)
  return at
}

// ── reading again ────────────────────────────────────────────────────────────────────────────────

/** Reads again what a failure left, and returns where the text goes on. */
export function recover(m: Machine, text: string, { piece, at, decidedTo }: Reread): number {
  const outer = m.decidedTo
  if (decidedTo !== undefined) m.decidedTo = Math.max(outer, decidedTo)
  reread(m, piece, text, at)
  // Still open: if it fails in the rest of a longer piece that is read again, that one counts.
  if (decidedTo !== undefined && m.decidedTo > 0) m.decidedTo = outer
  return at
}

/** Reads a piece again that was read before, in the state the machine is in now. `at`: where it ended. */
function reread(m: Machine, piece: string, text: string, at: number): void {
  if (piece === '') return
  absorb(m, text, at)
  if (m.s.source !== null) cutSource(m, piece.length)
  const { base } = m
  m.base = base + at - piece.length
  m.sourceFrom = 0
  consume(m, piece)
  m.base = base
  m.sourceFrom = at
}
