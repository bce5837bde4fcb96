/** A pattern as a machine that may be in several states at once (Thompson's construction). */

import { type Characters, NEWLINES, WORDS } from './characters.ts'
import { type Assertion, type Part, unsafe } from './syntax.ts'

/** One character leads on, some ways lead on without one, or it is over. */
export type State =
  | { readonly type: 'one'; readonly set: number; readonly next: number }
  | { readonly type: 'place'; readonly is: Assertion; readonly next: number }
  | { readonly type: 'fork'; readonly next: readonly number[] }
  | { readonly type: 'match' }

const MAX_STATES = 4000

export class StateMachine {
  readonly states: State[] = [{ type: 'match' }]
  readonly sets: Characters[] = []
  readonly start: number
  /** Which neighbours of a place matter. */
  readonly asksForWords: boolean
  readonly asksForLines: boolean

  private readonly expression: RegExp
  private readonly setNumbers = new Map<string, number>()

  constructor(expression: RegExp, pattern: Part) {
    this.expression = expression
    this.start = this.build(pattern, 0)
    const places = new Set(this.states.flatMap((state) => (state.type === 'place' ? state.is : [])))
    this.asksForWords = places.has('word-boundary') || places.has('no-word-boundary')
    this.asksForLines = places.has('line-start') || places.has('line-end')
    if (this.asksForWords) this.setNumber(WORDS)
    if (this.asksForLines) this.setNumber(NEWLINES)
  }

  /** The state in which the part begins that goes on at `next`. As deep as the pattern's own brackets. */
  private build(part: Part, next: number): number {
    switch (part.type) {
      case 'one':
        return this.add({ type: 'one', set: this.setNumber(part.of), next })
      case 'place':
        return this.add({ type: 'place', is: part.is, next })
      case 'sequence':
        return part.parts.reduceRight((after, one) => this.build(one, after), next)
      case 'choice':
        return this.add({ type: 'fork', next: part.options.map((option) => this.build(option, next)) })
      case 'repeat':
        return this.buildRepeat(part, next)
    }
  }

  private buildRepeat({ part, min, max }: Part & { type: 'repeat' }, next: number): number {
    let at = next
    if (max === Infinity) {
      const ways = [next]
      at = this.add({ type: 'fork', next: ways })
      ways.push(this.build(part, at))
    } else
      for (let copy = min; copy < max; copy++)
        at = this.add({ type: 'fork', next: [this.build(part, at), next] })
    for (let copy = 0; copy < min; copy++) at = this.build(part, at)
    return at
  }

  private add(state: State): number {
    if (this.states.length >= MAX_STATES)
      throw unsafe(this.expression, 'repeats too much: its counted repetitions multiply. Count less.')
    return this.states.push(state) - 1
  }

  private setNumber(set: Characters): number {
    const key = set.join(';')
    const number = this.setNumbers.get(key) ?? this.sets.push(set) - 1
    this.setNumbers.set(key, number)
    return number
  }
}
