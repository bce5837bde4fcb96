/**
 * Whole calls that came already. Servers and proxies that try again send a payload a second time, and a call must not run
 * twice: one with the id, the tool and the input of an earlier one is that one. An id alone says nothing, because some
 * servers give all calls the same.
 */

import { type Fields, isFields } from '../fields.ts'
import { MOST_IDS } from '../limits.ts'
import { isString, setOf } from '../plain-state.ts'
import { contentOf } from './payload-fields.ts'

/** What is remembered of the calls: their ids, each with a digest of the rest. Plain data, for the state of a reader. */
export type SeenCalls = Set<string>

export const isSeenCalls = setOf(isString)

/** Whether the call came already. One without an id is never known. */
export function isRepeated(
  seen: SeenCalls,
  id: string | undefined,
  name: string | undefined,
  input: Fields | string | undefined,
): boolean {
  if (id === undefined) return false
  const digest = digestOf(`${name ?? ''} ${isFields(input) ? contentOf(input) : (input ?? '')}`)
  const key = `${digest} ${id}`
  if (seen.has(key)) return true
  if (seen.size < MOST_IDS) seen.add(key)
  return false
}

/** Of two texts with the same digest one is nearly always the other: 2^53 of them, as in `cyrb53`. */
function digestOf(text: string): number {
  let [low, high] = [0xdeadbeef ^ text.length, 0x41c6ce57 ^ text.length]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 2_654_435_761)
    high = Math.imul(high ^ code, 1_597_334_677)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
