/**
 * A pattern as a table: where each character leads from each state, and what is certain there.
 *
 * The states of a `StateMachine` are joined into sets beforehand, so that reading a character is one look into a
 * table, however the pattern is written. For each set it is known whether every text that goes on from there
 * matches, or none does: that is the first moment at which anything can be said for certain.
 */

import { Alphabet } from './alphabet.ts'
import { holds, NEWLINES, WORDS } from './characters.ts'
import { StateMachine } from './states.ts'
import { type Assertion, readPattern, unsafe } from './syntax.ts'

export type Certainty = 'yes' | 'no' | 'not-yet'

/** What stands beside a place. */
type Neighbour = 'edge' | 'word' | 'newline' | 'other'

/** Sets of states, kinds of characters in each, and steps to find them all: a pattern beyond this is refused. */
const MAX_TABLE = 50_000
const MAX_STEPS = 500_000

/** The set from which everything matches, because something has matched already. */
const MATCHED = 0

export class Automaton {
  /** How many sets of states there are. */
  readonly size: number
  readonly start: number

  private readonly alphabet: Alphabet
  private readonly table: Int32Array
  private readonly certainties: readonly Certainty[]
  private readonly accepts: readonly boolean[]

  constructor(expression: RegExp) {
    const machine = new StateMachine(expression, readPattern(expression))
    this.alphabet = new Alphabet(machine.sets)
    const { rows, accepts, start } = new Joiner(expression, machine, this.alphabet).join()
    this.size = rows.length
    this.start = start
    this.accepts = accepts
    this.table = Int32Array.from(rows.flat())
    this.certainties = certaintiesOf(rows, accepts)
  }

  /** The state after a character. */
  next(state: number, code: number): number {
    return this.table[state * this.alphabet.examples.length + this.alphabet.kindOf(code)]!
  }

  /** What can be said of every text that goes on from here. */
  certainty(state: number): Certainty {
    return this.certainties[state]!
  }

  /** Whether a text that ends here matches. */
  isMatch(state: number): boolean {
    return this.accepts[state]!
  }
}

interface Joined {
  readonly rows: number[][]
  readonly accepts: boolean[]
  readonly start: number
}

/** Finds all sets of states that a text can lead to. */
class Joiner {
  private readonly expression: RegExp
  private readonly machine: StateMachine
  private readonly alphabet: Alphabet
  /** What each kind of character is to the place before it. */
  private readonly neighbours: readonly Neighbour[]
  private readonly numbers = new Map<string, number>()
  private readonly found: { readonly states: readonly number[]; readonly before: Neighbour }[] = []
  private steps = 0

  constructor(expression: RegExp, machine: StateMachine, alphabet: Alphabet) {
    this.expression = expression
    this.machine = machine
    this.alphabet = alphabet
    this.neighbours = alphabet.examples.map((code) => {
      if (machine.asksForWords && holds(WORDS, code)) return 'word'
      return machine.asksForLines && holds(NEWLINES, code) ? 'newline' : 'other'
    })
  }

  join(): Joined {
    const { examples } = this.alphabet
    this.found.push({ states: [], before: 'other' })
    const rows: number[][] = [examples.map(() => MATCHED)]
    const accepts = [true]
    const start = this.numberOf([this.machine.start], 'edge')
    for (let number = start; number < this.found.length; number++) {
      const { states, before } = this.found[number]!
      // What follows a place decides whether it may stand there, so each kind of neighbour has its own ways.
      const ways = new Map<Neighbour, number[] | undefined>()
      const waysTo = (after: Neighbour): number[] | undefined => {
        if (!ways.has(after)) ways.set(after, this.waysFrom(states, before, after))
        return ways.get(after)
      }
      rows[number] = examples.map((code, kind) => this.step(waysTo(this.neighbours[kind]!), code, kind))
      accepts[number] = waysTo('edge') === undefined
      if (rows.length * examples.length > MAX_TABLE) throw this.tooMuch()
    }
    return { rows, accepts, start }
  }

  private step(ways: readonly number[] | undefined, code: number, kind: number): number {
    if (ways === undefined) return MATCHED
    // A match may begin anywhere.
    const next = new Set([this.machine.start])
    for (const way of ways) {
      const state = this.machine.states[way]!
      if (state.type === 'one' && holds(this.machine.sets[state.set]!, code)) next.add(state.next)
    }
    this.count(ways.length)
    return this.numberOf([...next], this.neighbours[kind]!)
  }

  /** The states that wait for a character; undefined if the pattern has matched. */
  private waysFrom(from: readonly number[], before: Neighbour, after: Neighbour): number[] | undefined {
    const seen = new Set(from)
    const ways: number[] = []
    for (const number of seen) {
      const state = this.machine.states[number]!
      if (state.type === 'match') return undefined
      if (state.type === 'one') ways.push(number)
      else if (state.type === 'fork') for (const next of state.next) seen.add(next)
      else if (isPlace(state.is, before, after)) seen.add(state.next)
    }
    this.count(seen.size)
    return ways
  }

  private numberOf(states: number[], before: Neighbour): number {
    const key = `${before} ${states.sort((a, b) => a - b).join(' ')}`
    const number = this.numbers.get(key) ?? this.found.push({ states, before }) - 1
    this.numbers.set(key, number)
    return number
  }

  private count(steps: number): void {
    this.steps += steps + 1
    if (this.steps > MAX_STEPS) throw this.tooMuch()
  }

  private tooMuch(): Error {
    return unsafe(this.expression, 'has to remember too much of a text to be followed. Make it simpler.')
  }
}

function isPlace(is: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (is) {
    case 'start':
      return before === 'edge'
    case 'end':
      return after === 'edge'
    case 'line-start':
      return before === 'edge' || before === 'newline'
    case 'line-end':
      return after === 'edge' || after === 'newline'
    case 'word-boundary':
      return (before === 'word') !== (after === 'word')
    case 'no-word-boundary':
      return (before === 'word') === (after === 'word')
  }
}

/** `yes` from where only matches can be reached, `no` from where none can. */
function certaintiesOf(rows: readonly number[][], accepts: readonly boolean[]): Certainty[] {
  const before: number[][] = rows.map(() => [])
  for (const [state, row] of rows.entries()) for (const next of new Set(row)) before[next]!.push(state)
  const mayMatch = reaching(before, (state) => accepts[state]!)
  const mayFail = reaching(before, (state) => !accepts[state])
  return rows.map((_, state) => (!mayMatch.has(state) ? 'no' : mayFail.has(state) ? 'not-yet' : 'yes'))
}

/** All states from which one can be reached that is wanted. */
function reaching(before: readonly number[][], isWanted: (state: number) => boolean): Set<number> {
  const reached = new Set(before.keys())
  for (const state of before.keys()) if (!isWanted(state)) reached.delete(state)
  for (const state of reached) for (const earlier of before[state]!) reached.add(earlier)
  return reached
}
