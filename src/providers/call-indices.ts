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

/** The index of the call with this name. The names of calls that are not `over` are never forgotten. */
export function callIndex(calls: CallIndices, name: string, over?: ReadonlySet<number>): number {
  return calls.indices.get(name) ?? newCallIndex(calls, name, over)
}

/** From here on the name is that of another call. */
export function newCallIndex(calls: CallIndices, name: string, over?: ReadonlySet<number>): number {
  const { indices } = calls
  const index = calls.count++
  indices.set(name, index)
  if (indices.size > MOST_IDS) {
    const [oldest, other] = indices.entries().next().value!
    indices.delete(oldest)
    if (over?.has(other) === false) indices.set(oldest, other)
  }
  return index
}
