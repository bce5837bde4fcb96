/**
 * Watches text for sentences that open reasoning in some candidates. They are prose in the others, so nothing waits for them.
 *
 *     Here is my thought process:|
 */

import { isCount, type Shape } from '../../../base/plain-state.ts'
import type { Literals } from '../literals.ts'

export interface SentenceState {
  /** How much was read of a sentence. */
  node: number
}

export const initialSentence = (): SentenceState => ({ node: 0 })

export const sentenceShape = ({ depth }: Literals): Shape<SentenceState> => ({
  node: (value): value is number => isCount(value) && value < depth.length,
})

/** Reads more text. Returns whether a sentence ends in it. */
export function findsSentence(state: SentenceState, sentences: Literals, text: string): boolean {
  if (sentences.starts.length === 0) return false
  let isFound = false
  for (let at = 0; at < text.length; at++) {
    if (state.node === 0) at = sentences.skip(text, at, text.length)
    state.node = at < text.length ? sentences.step(state.node, text.charCodeAt(at)) : 0
    if (sentences.found[state.node] !== -1) isFound = true
  }
  return isFound
}
