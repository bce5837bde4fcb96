/**
 * A pattern as a machine that may be in several states at once (Thompson's construction), made as far as it is
 * walked: counted repetitions are many states, and few texts see them all.
 */

import type { Part } from './syntax.ts'

export type State = PartState | EndState

/** Here the part begins; behind it the machine goes on at `next`. */
export interface PartState {
  readonly number: number
  readonly part: Part
  /** How much of the part is over: parts of a sequence, or rounds of a repetition. */
  readonly done: number
  readonly next: State
  /** Where it goes on. */
  ways: readonly State[] | undefined
}

interface EndState {
  readonly number: number
  readonly part: undefined
}

export class StateMachine {
  readonly start: State
  /** How many states were made so far. */
  size = 0

  constructor(pattern: Part) {
    this.start = this.add(pattern, 0, { number: this.size++, part: undefined })
  }

  /**
   * Where a state leads, the preferred way first. Those of a character may be taken only behind one, those of a place only
   * if it is one, and so on for other parts that ask for something.
   */
  waysFrom(state: PartState): readonly State[] {
    state.ways ??= this.find(state)
    return state.ways
  }

  private find(state: PartState): readonly State[] {
    const { part, done, next } = state
    switch (part.type) {
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
      default:
        return [next]
    }
  }

  private add(part: Part, done: number, next: State): PartState {
    return { number: this.size++, part, done, next, ways: undefined }
  }
}
