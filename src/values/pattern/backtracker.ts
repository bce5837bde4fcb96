/**
 * Matches a pattern that looks around or back, one way after the other.
 *
 *     ^(?!rm )[a-z ]+$
 *     ^(['"]).*\1$
 *
 * Every step comes out of a budget, so that time is limited whatever the pattern and the text are. Without backreferences
 * it does not matter how a state was reached, so that none is tried twice at one place of the text. With them, some patterns
 * take exponentially many steps, and use up the budget.
 */

import { isHighSurrogate, isLowSurrogate } from '../../base/surrogates.ts'
import { Alphabet } from './alphabet.ts'
import type { Budget } from './automaton.ts'
import { isPlace, type Neighbour, neighbourOf } from './places.ts'
import { type PartState, type State, StateMachine } from './state-machine.ts'
import { type LookPart, type PatternSyntax, type RepeatPart, unsafe } from './syntax.ts'

/** What a step costs, in those of the automaton: it takes more time, and is remembered. */
const STEP_COST = 8
/** Slots that are copied, or characters that are compared, in the time of a step of the automaton. */
const LOOKS_PER_STEP = 8

/**
 * Where the groups begin and end, at twice their numbers, and behind them where the latest rounds of repetitions began; -1
 * for nowhere. Empty where there are no backreferences.
 */
type Slots = readonly number[]

/** A state at a place of the text. */
interface Visit {
  readonly state: State
  readonly at: number
  readonly slots: Slots
  readonly previous: Visit | undefined
}

/** The whole pattern, or a part of it that looks around. */
interface Walk {
  readonly machine: StateMachine
  readonly isBehind: boolean
  /** Whether the end can be reached, by state and place. Undefined where that depends on what the groups have matched. */
  readonly known: Map<number, boolean> | undefined
}

export class Backtracker {
  private readonly expression: RegExp
  private readonly syntax: PatternSyntax
  private readonly budget: Budget
  private readonly alphabet: Alphabet
  private readonly neighbours: readonly Neighbour[]
  private readonly whole: Walk
  private readonly looks = new Map<LookPart, Walk>()
  private readonly noSlots: Slots
  private text = ''

  constructor(expression: RegExp, budget: Budget, syntax: PatternSyntax) {
    this.expression = expression
    this.syntax = syntax
    this.budget = budget
    this.alphabet = new Alphabet(syntax.sets, expression.unicode)
    this.neighbours = this.alphabet.setsOf.map((sets) => neighbourOf(sets, syntax))
    const { hasBackreferences, groups, loops } = syntax
    this.noSlots = hasBackreferences ? new Array<number>(2 * (groups + 1) + loops).fill(-1) : []
    this.whole = this.walk(new StateMachine(syntax.part), false)
  }

  /** Throws when the budget is used up. */
  matches(text: string): boolean {
    this.text = text
    for (const { known } of [this.whole, ...this.looks.values()]) known?.clear()
    for (let at = 0; at <= text.length; at += this.sizeFrom(at) || 1)
      if (this.run(this.whole, at, this.noSlots) !== undefined) return true
    return false
  }

  private walk(machine: StateMachine, isBehind: boolean): Walk {
    return { machine, isBehind, known: this.syntax.hasBackreferences ? undefined : new Map() }
  }

  /** The slots at the first end that is reached, or undefined. No recursion but for looks in looks. */
  private run(walk: Walk, from: number, slots: Slots): Slots | undefined {
    const { known } = walk
    const open: Visit[] = [{ state: walk.machine.start, at: from, slots, previous: undefined }]
    const met: number[] = []
    for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
      this.spend(STEP_COST)
      const key = this.keyOf(visit)
      const { state } = visit
      if (state.part === undefined || known?.get(key) === true) {
        // What was met beside the way to the end may lead to it, too: it was not tried again on that way.
        for (const other of met) known?.delete(other)
        for (let way: Visit | undefined = visit; way; way = way.previous) known?.set(this.keyOf(way), true)
        return visit.slots
      }
      if (known?.has(key)) continue
      known?.set(key, false)
      met.push(key)
      open.push(...this.after(visit, state, walk).reverse())
    }
    return undefined
  }

  private keyOf({ state, at }: Visit): number {
    return state.number * (this.text.length + 1) + at
  }

  /** Where it goes on, the preferred way first. */
  private after(visit: Visit, state: PartState, { machine, isBehind }: Walk): Visit[] {
    const { at, slots } = visit
    const { part } = state
    const on = (where = at, then = slots, next = state.next): Visit => ({
      ...{ state: next, at: where, slots: then, previous: visit },
    })
    switch (part.type) {
      case 'sequence':
      case 'choice':
        return machine.waysFrom(state).map((way) => on(at, slots, way))
      case 'one': {
        const where = isBehind ? at - this.sizeBefore(at) : at + this.sizeFrom(at)
        return where !== at && this.kindAt(Math.min(at, where)).has(part.set) ? [on(where)] : []
      }
      case 'place':
        return isPlace(part.is, this.neighbourAt(at - 1), this.neighbourAt(at)) ? [on()] : []
      case 'mark':
        return [on(at, this.with(slots, [part.slot, at]))]
      case 'look': {
        const found = this.run(this.walkOf(part), at, slots)
        if (part.isNegated) return found === undefined ? [on()] : []
        return found === undefined ? [] : [on(at, found)]
      }
      case 'back': {
        const repeated = this.textOf(part.groups, slots)
        this.spend(repeated.length / LOOKS_PER_STEP)
        const where = isBehind ? at - repeated.length : at + repeated.length
        return this.text.startsWith(repeated, Math.min(at, where)) && where >= 0 ? [on(where)] : []
      }
      case 'repeat':
        return this.rounds(part, state, visit, machine).map(([to, then]) => on(at, then, to))
    }
  }

  /** Another round, the end of the repetition, or both. */
  private rounds(
    { loop, groups, min }: RepeatPart,
    state: PartState,
    { at, slots }: Visit,
    machine: StateMachine,
  ): (readonly [State, Slots])[] {
    const ways = machine.waysFrom(state)
    const began = 2 * (this.syntax.groups + 1) + loop
    // A round that takes nothing is none, unless there have to be as many.
    if (slots[began] === at) return []
    const [from, to] = groups
    const cleared = Array.from({ length: 2 * (to - from + 1) }, (_, index) => [2 * from + index, -1] as const)
    return ways.map((way) => [
      way,
      way === state.next
        ? this.with(slots, [began, -1])
        : this.with(slots, [began, state.done < min ? -1 : at], ...cleared),
    ])
  }

  private with(slots: Slots, ...changes: readonly (readonly [slot: number, at: number])[]): Slots {
    if (slots.length === 0) return slots
    this.spend((slots.length + changes.length) / LOOKS_PER_STEP)
    const changed = [...slots]
    for (const [slot, at] of changes) changed[slot] = at
    return changed
  }

  private walkOf(part: LookPart): Walk {
    const known = this.looks.get(part)
    if (known !== undefined) return known
    const walk = this.walk(new StateMachine(part.part), part.isBehind)
    this.looks.set(part, walk)
    return walk
  }

  /** The text of the group that has matched, or nothing. */
  private textOf(groups: readonly number[], slots: Slots): string {
    for (const group of groups) {
      const [start, end] = [slots[2 * group]!, slots[2 * group + 1]!]
      if (start >= 0 && end >= 0) return this.text.slice(start, end)
    }
    return ''
  }

  // ── the text ───────────────────────────────────────────────────────────────────────────────────

  /** How long the character is that begins here; 0 at the end of the text. */
  private sizeFrom(at: number): number {
    return at >= this.text.length ? 0 : this.isPair(at) ? 2 : 1
  }

  /** How long the character is that ends here; 0 at the start of the text. */
  private sizeBefore(at: number): number {
    return at === 0 ? 0 : this.isPair(at - 2) ? 2 : 1
  }

  private isPair(at: number): boolean {
    const { text } = this
    return (
      this.expression.unicode &&
      isHighSurrogate(text.charCodeAt(at)) &&
      isLowSurrogate(text.charCodeAt(at + 1))
    )
  }

  /** The sets that the character here is in. */
  private kindAt(at: number): ReadonlySet<number> {
    const code = this.isPair(at) ? this.text.codePointAt(at)! : this.text.charCodeAt(at)
    return this.alphabet.setsOf[this.alphabet.kindOf(code)]!
  }

  private neighbourAt(at: number): Neighbour {
    const code = this.text.charCodeAt(at)
    return Number.isNaN(code) ? 'edge' : this.neighbours[this.alphabet.kindOf(code)]!
  }

  private spend(steps: number): void {
    this.budget.left -= steps
    if (this.budget.left < 0) throw unsafe(this.expression, 'takes too many steps on this text.')
  }
}
