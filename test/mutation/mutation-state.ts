/** What is known of each mutant. One record in a process, however often this file is loaded. */

import { MUTANTS } from './decisive.ts'

interface Mutation {
  /** The number of the mutant that the code behaves as; -1: as it is. */
  active: number
  /** How often the active mutant was reached: one that never ends is stopped. */
  hits: number
  /** 1 for each mutant that the code came across since this was cleared. */
  readonly reached: Uint8Array
  /** The name of the test that noticed it. */
  readonly killedBy: Map<number, string>
  /** Tests that fail when they are run twice, so that they say nothing of a mutant. */
  readonly skipped: string[]
  /** Which attempt this is: what one of them remembers, the next does not know. 0: files are loaded, for all of them. */
  attempt: number
}

const MOST_HITS = 1e6

const known = globalThis as { sluiceMutation?: Mutation; __mutant?: (number: number) => boolean }

if (known.sluiceMutation === undefined) {
  const state: Mutation = {
    active: -1,
    hits: 0,
    reached: new Uint8Array(MUTANTS.length),
    killedBy: new Map(),
    skipped: [],
    attempt: 0,
  }
  known.sluiceMutation = state
  known.__mutant = (number) => {
    if (number !== state.active) {
      state.reached[number] = 1
      return false
    }
    if (++state.hits > MOST_HITS) throw new Error('The mutant does not end.')
    return true
  }
  globalThis.WeakMap = forgettingWeakMap(state)
}

export const mutation: Mutation = known.sluiceMutation

/** Tables that a module keeps for later are made anew in each attempt, or a mutant would work with those of others. */
function forgettingWeakMap(state: Mutation): typeof WeakMap {
  const Original = globalThis.WeakMap
  return class<Key extends WeakKey, Value> extends Original<Key, Value> {
    private readonly attemptOf = new Original<Key, number>()

    override get(key: Key): Value | undefined {
      return this.has(key) ? super.get(key) : undefined
    }

    override has(key: Key): boolean {
      const attempt = this.attemptOf.get(key)
      return super.has(key) && (attempt === 0 || attempt === state.attempt)
    }

    override set(key: Key, value: Value): this {
      this.attemptOf?.set(key, state.attempt)
      return super.set(key, value)
    }
  }
}
