/** What is known of each mutant. One record in a process, however often this file is loaded. */

import { MUTANTS } from './decisive.ts'
import type { Repeatable } from './mutant-runner.ts'

interface Mutation {
  /** The number of the mutant that the code behaves as; -1: as it is. */
  active: number
  /** How often the code came across a mutant, and how often it may: a test that never ends is stopped. */
  calls: number
  mostCalls: number
  /** 1 for each mutant that the code came across since this was cleared. */
  readonly reached: Uint8Array
  /** The name of the test that noticed it. */
  readonly killedBy: Map<number, string>
  /** Tests that fail when they are run twice, so that they say nothing of a mutant. */
  readonly skipped: string[]
  /** The tests that reach a mutant. */
  readonly tests: Repeatable[]
  /** Which attempt this is: what one of them remembers, the next does not know. 0: files are loaded, for all of them. */
  attempt: number
}

const known = globalThis as { sluiceMutation?: Mutation; __mutant?: (number: number) => boolean }

if (known.sluiceMutation === undefined) {
  const state: Mutation = {
    active: -1,
    calls: 0,
    mostCalls: Number.POSITIVE_INFINITY,
    reached: new Uint8Array(MUTANTS.length),
    killedBy: new Map(),
    skipped: [],
    tests: [],
    attempt: 0,
  }
  known.sluiceMutation = state
  known.__mutant = (number) => {
    if (++state.calls > state.mostCalls) throw new Error('The mutant does not end.')
    if (number === state.active) return true
    state.reached[number] = 1
    return false
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
