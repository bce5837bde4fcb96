/** The fast path through a long string: its text is what there is to copy, chunk by chunk. */

import { isHighSurrogate } from '../../surrogates.ts'
import { unescaped } from './escapes.ts'
import { BACKSLASH, QUOTE, SPACE, STRING } from './grammar.ts'
import type { JsonState } from './state.ts'

// What is known of the open string, beside the repairs that were reported of it:
/** It has an escape that stands for another character: `\n`, `\u0041`. */
export const HAS_ESCAPE = 32
/** A backslash in it stood before a letter that it cannot escape, and was kept. */
export const KEEPS_BACKSLASH = 64

/**
 * Takes the usual chunk of a long string: plain text and escapes of one character from end to end. Returns what there
 * is to copy of it: a backslash at its end waits for the next one. Null, and nothing was done, when there is anything
 * else in it.
 *
 *     src/ma     in.rs\n     mod a;\|     n
 */
export function passOn(state: JsonState, chunk: string): string | null {
  const { length } = chunk
  const wasInEscape = state.held !== ''
  const first = wasInEscape ? unescaped(chunk.charCodeAt(0)) : SPACE
  if (first === 0) return null
  const from = wasInEscape ? 1 : 0
  const end = length < LONG ? endOfRun(chunk, from) : endOfLongRun(chunk, from)
  if (first < SPACE || ((state.reported & HAS_ESCAPE) === 0 && hasEscape(chunk, from, end)))
    state.reported |= HAS_ESCAPE
  const isInEscape = end === length - 1 && chunk.charCodeAt(end) === BACKSLASH
  if (end < length && !isInEscape) return null
  if (isHighSurrogate(chunk.charCodeAt(end - 1))) return null
  state.offset += length
  if (!isInEscape && !wasInEscape) return chunk
  state.held = isInEscape ? '\\' : ''
  const passed = isInEscape ? chunk.slice(0, end) : chunk
  return wasInEscape ? `\\${passed}` : passed
}

/** Whether `passOn` may be tried: inside a string value that is as it should be, with nothing else half read. */
export function mayPassOn(state: JsonState): boolean {
  return (
    state.mode === STRING &&
    state.status === 'open' &&
    state.quote === QUOTE &&
    (state.held === '' || state.held === '\\') &&
    (state.reported & KEEPS_BACKSLASH) === 0 &&
    !state.uncertain
  )
}

/** Longer chunks are searched with a compiled pattern, which is faster. It never sees more than a chunk. */
const LONG = 16
const RUN = /[ !#-[\]-\uffff]*(?:\\["\\/bfnrt][ !#-[\]-\uffff]*)*/y

/** Where plain text and escapes of one character end. */
function endOfRun(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === BACKSLASH) {
      if (at + 1 === text.length || unescaped(text.charCodeAt(at + 1)) === 0) return at
      at++
    } else if (c < SPACE || c === QUOTE) return at
  }
  return at
}

function endOfLongRun(text: string, from: number): number {
  RUN.lastIndex = from
  RUN.test(text)
  return RUN.lastIndex
}

/** Whether an escape in `text[from, to)`, where all are of one character, stands for another character. */
function hasEscape(text: string, from: number, to: number): boolean {
  for (let at = text.indexOf('\\', from); at !== -1 && at + 1 < to; at = text.indexOf('\\', at + 2))
    if (unescaped(text.charCodeAt(at + 1)) < SPACE) return true
  return false
}
