/**
 * A pattern, and what is certain about a text that still grows.
 *
 * The whole table of the pattern is made beforehand. Then it is known of each state whether every text that goes on
 * from there matches, or none does: that is the first moment at which anything is certain.
 */

import { Automaton } from '../../values/pattern/automaton.ts'
import { unsafe } from '../../values/pattern/syntax.ts'

export type Certainty = 'yes' | 'no' | 'not-yet'

/** Steps to find all states. A pattern beyond this is refused. */
const MAX_STEPS = 1_000_000
/** Texts come in UTF-16 code units, which the `u` flag would join. */
const FLAGS = 'ims'

export class GrowingPattern {
  readonly start: number
  private readonly automaton: Automaton
  private readonly certainties: readonly Certainty[]

  constructor(expression: RegExp) {
    const unknown = [...expression.flags].find((flag) => !FLAGS.includes(flag))
    if (unknown !== undefined)
      throw unsafe(expression, `has the flag '${unknown}'. Only i, m and s are supported.`)
    this.automaton = new Automaton(expression, { left: MAX_STEPS })
    this.start = this.automaton.start
    this.certainties = certaintiesOf(this.automaton)
  }

  /** How many states there are. */
  get size(): number {
    return this.certainties.length
  }

  /** The state after a character. */
  next(state: number, code: number): number {
    return this.automaton.next(state, this.automaton.kindOf(code))
  }

  /** What is certain of every text that continues from here. */
  certainty(state: number): Certainty {
    return this.certainties[state]!
  }

  /** Whether a text that ends here matches. */
  isMatch(state: number): boolean {
    return this.automaton.isMatch(state)
  }
}

/** `yes` from where only matches can be reached, `no` from where none can. */
function certaintiesOf(automaton: Automaton): Certainty[] {
  const before: number[][] = []
  const matching: boolean[] = []
  // Others are met on the way.
  for (let state = 0; state < automaton.size; state++) {
    matching.push(automaton.isMatch(state))
    for (let kind = 0; kind < automaton.kinds; kind++) {
      const next = automaton.next(state, kind)
      before[next] ??= []
      before[next].push(state)
    }
  }
  const mayMatch = reaching(true, matching, before)
  const mayFail = reaching(false, matching, before)
  return matching.map((_, state) => (!mayMatch.has(state) ? 'no' : mayFail.has(state) ? 'not-yet' : 'yes'))
}

/** All states from which one can be reached that matches, or one that does not. */
function reaching(wanted: boolean, matching: readonly boolean[], before: readonly number[][]): Set<number> {
  const reached = new Set([...matching.keys()].filter((state) => matching[state] === wanted))
  for (const state of reached) for (const earlier of before[state] ?? []) reached.add(earlier)
  return reached
}
