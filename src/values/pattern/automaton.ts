/**
 * A pattern as a table: where each character leads from each state.
 *
 * The states of a `StateMachine` that a text can be in at once are joined into sets, and a set that was met is kept,
 * so that reading a character is one look into a table, however the pattern is written. The table is made as far
 * as texts need it. What that takes is counted, and comes out of a budget that several patterns may share.
 */

import { Alphabet } from './alphabet.ts'
import { isPlace, type Neighbour, neighbourOf } from './places.ts'
import { type State, StateMachine } from './state-machine.ts'
import { readPattern, unsafe } from './syntax.ts'

/** Steps that may still be taken. One is a look at one state; a character that is only looked up takes none. */
export interface Budget {
  left: number
}

/** What a new state costs in steps, because it takes room. */
const STATE_COST = 8
/** Steps that one table may have taken. Beyond it a new one is begun, so that it does not grow with the text. */
const MAX_SPENT = 1_000_000
/** The set from which everything matches, because something has matched already; and the one from which nothing does. */
const MATCHED = 0
const FAILED = 1
const NOT_FOUND = -1

interface StateSet {
  readonly states: readonly State[]
  readonly before: Neighbour
  /** Where it goes on with a character, by what that is; undefined if the pattern has matched. */
  readonly ways: Map<Neighbour, readonly Way[] | undefined>
}

/** A character of this set leads to a state. */
interface Way {
  readonly set: number
  readonly next: State
}

export class Automaton {
  readonly start = 2
  /** How many kinds of characters there are. */
  readonly kinds: number

  private readonly expression: RegExp
  private readonly isUnicode: boolean
  private readonly budget: Budget
  private readonly machine: StateMachine
  private readonly alphabet: Alphabet
  /** What each kind of character is to the place before it. */
  private readonly neighbours: readonly Neighbour[]
  /** Whether a match can begin behind the first character. */
  private readonly canBeginLater: boolean

  private sets: StateSet[] = []
  private table: number[] = []
  private numbers = new Map<string, number>()
  private spent = 0
  private round = 0
  /** The last round in which each state was met. */
  private readonly rounds: number[] = []

  /** Throws for a pattern that is not understood or looks around or back, and whenever the budget is used up. */
  constructor(expression: RegExp, budget: Budget, syntax = readPattern(expression)) {
    this.expression = expression
    this.isUnicode = expression.unicode
    this.budget = budget
    if (syntax.hasLooks)
      throw unsafe(expression, 'uses lookaround, which cannot be decided while the text still grows.')
    if (syntax.hasBackreferences)
      throw unsafe(expression, 'uses a backreference, which can take exponential time to match.')
    this.machine = new StateMachine(syntax.part)
    this.alphabet = new Alphabet(syntax.sets, this.isUnicode)
    this.kinds = this.alphabet.setsOf.length
    this.neighbours = this.alphabet.setsOf.map((sets) => neighbourOf(sets, syntax))
    const neighbours = [...new Set(this.neighbours)]
    this.canBeginLater = neighbours.some((before) =>
      [...neighbours, 'edge' as const].some(
        (after) => this.close([this.machine.start], before, after)?.length !== 0,
      ),
    )
    this.forget()
  }

  /** How many sets of states were met. */
  get size(): number {
    return this.sets.length
  }

  matches(text: string): boolean {
    let state: number = this.start
    for (let at = 0; at < text.length && state > FAILED; at++) {
      const code = this.isUnicode ? text.codePointAt(at)! : text.charCodeAt(at)
      if (code > 0xffff) at++
      state = this.next(state, this.alphabet.kindOf(code))
    }
    return this.isMatch(state)
  }

  kindOf(code: number): number {
    return this.alphabet.kindOf(code)
  }

  /** The state after a character of this kind. */
  next(state: number, kind: number): number {
    const known = this.table[state * this.kinds + kind]!
    return known === NOT_FOUND ? this.find(state, kind) : known
  }

  /** Whether a text that ends here matches. */
  isMatch(state: number): boolean {
    return state === MATCHED || this.waysFrom(state, 'edge') === undefined
  }

  private find(from: number, kind: number): number {
    const states = this.step(from, kind)
    if (this.spent <= MAX_SPENT) {
      const to = this.numberOf(states, kind)
      this.table[from * this.kinds + kind] = to
      return to
    }
    this.forget()
    return this.numberOf(states, kind)
  }

  /** The states after a character of this kind; undefined if the pattern has matched before it. */
  private step(from: number, kind: number): readonly State[] | undefined {
    const ways = this.waysFrom(from, this.neighbours[kind]!)
    if (ways === undefined) return undefined
    const states: State[] = []
    this.round++
    if (this.canBeginLater) this.meet(this.machine.start, states)
    const sets = this.alphabet.setsOf[kind]!
    for (const { set, next } of ways) if (sets.has(set)) this.meet(next, states)
    this.spend(ways.length)
    return states
  }

  private waysFrom(number: number, after: Neighbour): readonly Way[] | undefined {
    const { states, before, ways } = this.sets[number]!
    if (!ways.has(after)) ways.set(after, this.close(states, before, after))
    return ways.get(after)
  }

  /** Where it goes on with a character, from here or without one from here; undefined if the pattern has matched. */
  private close(from: readonly State[], before: Neighbour, after: Neighbour): Way[] | undefined {
    const met: State[] = []
    const ways: Way[] = []
    this.round++
    for (const state of from) this.meet(state, met)
    for (const state of met) {
      if (state.part === undefined) return undefined
      const { part, next } = state
      const sizeBefore = this.machine.size
      if (part.type === 'one') ways.push({ set: part.set, next })
      else if (part.type !== 'place' || isPlace(part.is, before, after))
        for (const one of this.machine.waysFrom(state)) this.meet(one, met)
      this.spend(1 + STATE_COST * (this.machine.size - sizeBefore))
    }
    return ways
  }

  /** Adds a state that was not met in this round. */
  private meet(state: State, met: State[]): void {
    if (this.rounds[state.number] === this.round) return
    this.rounds[state.number] = this.round
    met.push(state)
  }

  private numberOf(states: readonly State[] | undefined, kind: number): number {
    if (states === undefined) return MATCHED
    if (states.length === 0) return FAILED
    const before = this.neighbours[kind]!
    const numbers = states.map(({ number }) => number).sort((a, b) => a - b)
    const key = `${before} ${numbers.join(' ')}`
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const number = this.add(states, before)
    this.numbers.set(key, number)
    return number
  }

  private add(states: readonly State[], before: Neighbour): number {
    this.spend(states.length + this.kinds)
    for (let kind = 0; kind < this.kinds; kind++) this.table.push(NOT_FOUND)
    return this.sets.push({ states, before, ways: new Map() }) - 1
  }

  /** Begins a new table. */
  private forget(): void {
    this.sets = []
    this.table = []
    this.numbers = new Map()
    this.spent = 0
    for (const number of [MATCHED, FAILED]) this.table.fill(number, this.add([], 'other') * this.kinds)
    this.add([this.machine.start], 'edge')
  }

  private spend(steps: number): void {
    this.spent += steps
    this.budget.left -= steps
    if (this.budget.left < 0) throw unsafe(this.expression, 'needs too many states. Make it simpler.')
  }
}
