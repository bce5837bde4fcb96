/**
 * Calls that came already. Servers and proxies that try again send a payload or a whole response a second time, and a call
 * must not run twice.
 *
 * - A call with the id, the tool and the input of an earlier one is that one. An id alone says nothing, because some
 *   servers give all calls the same.
 * - A call without an id may be meant twice, but not once the response was over: what comes then is the response again.
 */

import { MOST_IDS } from '../base/limits.ts'
import { parseWritten, writeJson } from '../values/numbers/written.ts'

/** What is known of a call when it is whole. */
export interface KnownCall {
  /** What the provider calls it. */
  readonly id: string | undefined
  readonly name: string | undefined
  /** Its input as text. */
  readonly input: string
  /** It began when the response was over. */
  readonly isLate: boolean
}

/** Whether the call came already; if not, it is remembered. `seen`: digests of the calls up to now, with their ids. */
export function isRepeated(seen: Set<string>, { id, name = '', input, isLate }: KnownCall): boolean {
  const digest = digestOf(`${name} ${canonical(input)}`)
  const key = id === undefined ? `${digest}` : `${digest} ${id}`
  if (seen.has(key)) return id !== undefined || isLate
  if (seen.size < MOST_IDS) seen.add(key)
  return false
}

/** The same value in one form: a call that came as a value may come again as text, with spaces in it. */
function canonical(input: string): string {
  try {
    return writeJson(parseWritten(input || '{}'))
  } catch {
    return input
  }
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
