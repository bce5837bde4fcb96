/** The fast path through a long string: its text is what there is to copy, chunk by chunk. */

import { isHighSurrogate } from '../../../base/surrogates.ts'
import { unescaped, withoutEscapes } from './escapes.ts'
import { BACKSLASH, QUOTE, SPACE, STRING } from './grammar.ts'
import type { JsonState } from './json-state.ts'
import type { Scan } from './scan.ts'

// What is known of the open string, beside the repairs that were reported of it:
/** It has an escape that stands for another character: `\n`, `\u0041`. */
export const HAS_ESCAPE = 32
/** A backslash in it stood before a letter that it cannot escape, and was kept. */
export const KEEPS_BACKSLASH = 64

/**
 * Takes the usual chunk of a long string: plain text and escapes of one character from end to end. Returns what there
 * is to copy of it, and decodes that if it is wanted: a backslash at its end waits for the next one. Null, and nothing
 * was done, when there is anything else in it.
 *
 *     src/ma     in.rs\n     mod a;\|     n
 */
export function passOn(scan: Scan, chunk: string): string | null {
  const { state } = scan
  const { length } = chunk
  const wasInEscape = state.held.length > 0
  let isInEscape = false
  let at = wasInEscape ? 1 : 0
  let code = wasInEscape ? unescaped(chunk.charCodeAt(0)) : SPACE
  if (code === 0) return null
  let escapes = code < SPACE
  let isPlain = !wasInEscape && length < LONG
  if (length >= LONG) {
    const from = at
    at = endOfLongRun(chunk, from)
    if ((state.reported & HAS_ESCAPE) === 0) escapes ||= hasEscape(chunk, from, at)
    if (at > from) code = chunk.charCodeAt(at - 1)
  }
  for (; at < length; at++) {
    code = chunk.charCodeAt(at)
    if (code >= ASCII || IS_SPECIAL[code] === 0) continue
    if (code !== BACKSLASH) return null
    isPlain = false
    isInEscape = ++at === length
    if (isInEscape) break
    code = unescaped(chunk.charCodeAt(at))
    if (code === 0) return null
    if (code < SPACE) escapes = true
  }
  // The other half of a pair may be written as an escape, too.
  if (isHighSurrogate(isInEscape ? chunk.charCodeAt(length - 2) : code)) return null
  if (escapes) state.reported |= HAS_ESCAPE
  state.offset += length
  let passed = chunk
  if (isInEscape || wasInEscape) {
    state.held = isInEscape ? '\\' : ''
    if (isInEscape) passed = chunk.slice(0, -1)
    if (wasInEscape) passed = `\\${passed}`
  }
  if (state.decoding) scan.passed = isPlain ? passed : withoutEscapes(passed)
  return passed
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

const ASCII = 128
/** A quote, a backslash and control characters mean more than themselves in a string. */
const IS_SPECIAL = new Uint8Array(ASCII).fill(1, 0, SPACE)
IS_SPECIAL[QUOTE] = 1
IS_SPECIAL[BACKSLASH] = 1

/** Longer chunks are searched with a compiled pattern, which is faster. It never sees more than a chunk. */
const LONG = 16
const RUN = /[ !#-[\]-\uffff]*(?:\\["\\/bfnrt][ !#-[\]-\uffff]*)*/y

/** Where plain text and escapes of one character end. */
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
