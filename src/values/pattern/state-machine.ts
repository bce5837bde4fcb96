/**
 * A pattern as a machine that may be in several states at once (Thompson's construction), made as far as it is
 * walked: counted repetitions are many states, and few texts see them all.
 */

import type { Part } from './syntax.ts'

/** Here the part begins; behind it the machine goes on at `next`. The state without a part is the end. */
export interface State {
  readonly number: number
  readonly part: Part | undefined
  /** How much of the part is over: parts of a sequence, or rounds of a repetition. */
  readonly done: number
  readonly next: State | undefined
  /** Where it goes on without a character. */
  ways: readonly State[] | undefined
  /** The last time that it was met. */
  round: number
}

export class StateMachine {
  readonly start: State
  /** How many states were made so far. */
  size = 0

  constructor(pattern: Part) {
    this.start = this.add(pattern, 0, this.add(undefined, 0, undefined))
  }

  /**
   * Where a state leads without a character, the preferred way first. Those of a place may be taken only if it is one, and
   * so on for other parts that ask for something.
   */
  waysFrom(state: State): readonly State[] {
    state.ways ??= this.find(state)
    return state.ways
  }

  private find(state: State): readonly State[] {
    const { part, done, next } = state
    if (part === undefined || next === undefined || part.type === 'one') return []
    switch (part.type) {
      case 'place':
      case 'mark':
      case 'look':
      case 'back':
        return [next]
      case 'choice':
        return part.options.map((option) => this.add(option, 0, next))
      case 'sequence': {
        const first = part.parts[done]
        if (first === undefined) return [next]
        const isLast = done === part.parts.length - 1
        return [this.add(first, 0, isLast ? next : this.add(part, done + 1, next))]
      }
      case 'repeat': {
        if (done >= part.max) return [next]
        const isEndless = part.max === Infinity && done >= part.min
        const round = this.add(part.part, 0, isEndless ? state : this.add(part, done + 1, next))
        if (done < part.min) return [round]
        return part.isLazy ? [next, round] : [round, next]
      }
    }
  }

  private add(part: Part | undefined, done: number, next: State | undefined): State {
    return { number: this.size++, part, done, next, ways: undefined, round: 0 }
  }
}
