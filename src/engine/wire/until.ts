/**
 * Text up to one of several literals, in pieces: what may be the beginning of a literal is held back, and no more.
 *
 *     let a = 1</ar|g>        `</ar` is held
 */

import { type Shape, scalarsLike } from '../../base/plain-state.ts'
import type { Literals } from './literals.ts'

/** Where the search stands between two pieces. */
export interface UntilState {
  /** The text that is held back, and the node of the literals that it leads to. */
  held: string
  node: number
  /** The index of the literal that ended the text, or -1. */
  found: number
}

export const untilStart = (): UntilState => ({ held: '', node: 0, found: -1 })

export const UNTIL: Shape<UntilState> = scalarsLike(untilStart())

/**
 * Reads `text[from, to)` and returns the index behind the last character taken, which is that of a literal if one is
 * `found`. `write` gets the text before it.
 */
export function until(
  state: UntilState,
  literals: Literals,
  text: string,
  from: number,
  to: number,
  write: (text: string) => void,
): number {
  // Not the node of the record: what was restored may hold one of other literals.
  let node = literals.after(state.held)
  let at = from
  let found = -1
  while (at < to && found === -1) {
    if (node === 0) at = literals.skip(text, at, to)
    if (at === to) break
    node = literals.step(node, text.charCodeAt(at++))
    found = literals.found[node]!
  }
  const held = found === -1 ? literals.depth[node]! : literals.length[node]!
  const read = state.held + text.slice(from, at)
  const certain = read.length - held
  state.node = found === -1 ? node : 0
  state.held = found === -1 ? read.slice(certain) : ''
  state.found = found
  if (certain > 0) write(certain === read.length ? read : read.slice(0, certain))
  return at
}

/** No more text comes: what was held is text. */
export function untilEnd(state: UntilState, write: (text: string) => void): void {
  const { held } = state
  state.held = ''
  state.node = 0
  if (held !== '') write(held)
}
