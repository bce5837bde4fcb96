/**
 * How a chunk comes in: on the fast path where there is one that can take it, or the long way through the states.
 *
 *     Let me |look |at it| <3 |<tool|_call>
 *     long    fast  fast   fast fast  long
 */

import type { Sink } from '../../../base/event.ts'
import type { Rope } from '../../../base/rope.ts'
import { isHighSurrogate } from '../../../base/surrogates.ts'
import { type FastPath, HintedScan, LiteralScan, ValueFastPath } from '../fast-path.ts'
import { emitSource } from './open-construct.ts'
import { hasWaiting, type Machine, NONE, remaining, stateOf } from './state.ts'
import { consume, passOver } from './step.ts'
import { hintsFor, indentBehind, indentOf, seeksCloser, watchOf } from './text.ts'

/** Before the first character of a response: it tells how the bytes are encoded, and is no text. */
const BYTE_ORDER_MARK = 0xfeff

/** Takes a chunk on the fast path; false: nothing was done. */
export function pushFast(m: Machine, chunk: string): boolean {
  const { fastPath, s } = m
  const total = s.total + chunk.length
  if (fastPath === null || total > m.fastPathEnd || !fastPath.take(chunk)) return false
  s.total = total
  if (s.source !== null) keepSource(m, s.source, chunk)
  return true
}

function keepSource(m: Machine, source: Rope, chunk: string): void {
  const { s } = m
  source.add(chunk)
  if (s.unsentSource === null) return
  s.unsentSource.add(chunk)
  emitSource(m, s.held.length)
}

/** Takes a chunk the long way. */
export function pushSlow(m: Machine, chunk: string): void {
  const { s } = m
  let text = chunk
  if (s.surrogate !== '') {
    text = s.surrogate + chunk
    s.surrogate = ''
  }
  if (s.total === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK) {
    s.total = 1
    text = text.slice(1)
  }
  if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
    s.surrogate = text.slice(-1)
    text = text.slice(0, -1)
  }
  if (text !== '') readPiece(m, text)
  setFastPath(m)
}

export function readPiece(m: Machine, text: string): void {
  const { s } = m
  m.base = s.total
  s.total += text.length
  if (s.stoppedBy !== '') {
    passOver(m, text, m.base)
    return
  }
  m.sourceFrom = 0
  consume(m, text)
  if (s.source === null || !m.settings.source) return
  const undecided = s.held.length + s.space.length + (m.reader?.undecided?.length ?? 0)
  emitSource(m, s.strayBraceAt === NONE ? undecided : s.total - s.strayBraceAt)
}

/** Looks for the fast path from here on. */
export function setFastPath(m: Machine): void {
  m.fastPath = findFastPath(m)
  m.fastPathEnd = m.s.total + remaining(m)
}

function findFastPath(m: Machine): FastPath | null {
  const { s, call, output, program } = m
  if (s.total === 0 || s.surrogate !== '' || s.stoppedBy !== '') return null
  if (s.total - s.held.length < s.prefilled) return null
  const state = stateOf(m)
  if (state.kind === 'read') return m.reader?.fastPath ?? null
  if (state.kind !== 'scan') return null
  const { channel, literals, verbatim } = state
  if (channel === 'value')
    return call === null ? null : ValueFastPath.from(s, literals, call.textArguments, verbatim)
  // The first character of text decides on the verdicts that wait.
  if (hasWaiting(m) || (channel === 'text' && seeksCloser(m))) return null
  const emit = channel === 'text' && program.tracksLines ? indenting(m, output.emit) : output.emit
  const hints = channel === 'text' ? hintsFor(m) : null
  const scan =
    hints === null ? new LiteralScan(s, literals, watchOf(m, state)) : HintedScan.from(s, literals, hints)
  return scan && output.fastPath(channel, scan, emit)
}

/** Emits text that passes, and counts the spaces that it ends with: a fence may follow them. */
function indenting(m: Machine, emit: Sink): Sink {
  return (event) => {
    if (event.type === 'text-delta') m.s.indent = indentBehind(event.delta, indentOf(m))
    emit(event)
  }
}
