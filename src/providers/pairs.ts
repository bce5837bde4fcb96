/** Keeps pairs of surrogates together: the first half of one waits for the second, in whichever delta it comes. */

import { isHighSurrogate } from '../surrogates.ts'

export interface HalfPair {
  /** The half that waits, or nothing. */
  half: string
}

/** What may be said now of a piece. */
export function withoutHalf(state: HalfPair, piece: string): string {
  const text = state.half + piece
  const isHalf = isHighSurrogate(text.charCodeAt(text.length - 1))
  state.half = isHalf ? text.slice(-1) : ''
  return isHalf ? text.slice(0, -1) : text
}

/** No second half comes: what waited for it. */
export function lastHalf(state: HalfPair): string {
  const { half } = state
  state.half = ''
  return half
}
