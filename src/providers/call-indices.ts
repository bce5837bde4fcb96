/**
 * Gives calls that a protocol knows by names an index. Where the names of a protocol can be trusted, a piece belongs to the
 * call it names and to no other, even if that call has not begun: a call by its index is found in the same way.
 */

import { count, map, type StateOf } from '../base/declared-state.ts'
import { MOST_IDS } from '../base/limits.ts'
import { isCount, isString } from '../base/plain-state.ts'

/** What a reader keeps of them: `count` is how many calls there were. */
export const CALL_INDICES = { indices: map(isString, isCount), count }
type CallIndices = StateOf<typeof CALL_INDICES>

/** The calls that are over, where a reader knows that. The names of the others are never forgotten. */
type Over = Pick<ReadonlySet<number>, 'has'>
const UNKNOWN: Over = { has: () => true }

/** The index of the call with this name. */
export function callIndex(calls: CallIndices, name: string, over?: Over): number {
  return calls.indices.get(name) ?? newCallIndex(calls, name, over)
}

/** From here on the name is that of another call. */
export function newCallIndex(calls: CallIndices, name: string, over = UNKNOWN): number {
  const { indices } = calls
  const index = calls.count++
  indices.set(name, index)
  if (indices.size > MOST_IDS) {
    const [oldest, other] = indices.entries().next().value!
    indices.delete(oldest)
    if (!over.has(other)) indices.set(oldest, other)
  }
  return index
}
