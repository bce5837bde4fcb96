/**
 * The automaton of a text that holds none of some literals: the complement of the one by which the parser finds them
 * (`wire/literals.ts`).
 */

import { Literals } from '../wire/literals.ts'
import type { TextRule } from './grammar-rule.ts'

export class TextAutomaton {
  private readonly literals: Literals
  private readonly rule: TextRule
  private readonly escaped: ReadonlySet<string>

  constructor(rule: TextRule) {
    this.rule = rule
    this.literals = new Literals(rule.stops, {
      anchored: false,
      ignoreCase: rule.ignoreCase,
      spacedTags: rule.spacedTags,
    })
    this.escaped = new Set(
      rule.escapes.filter(({ isOptional }) => !isOptional).map(({ character }) => character),
    )
  }

  /** The state that the text begins in. */
  get start(): number {
    return this.after(0, this.rule.begun)
  }

  /** The state that a piece of text leads to; -1 where a stop would be in it. */
  after(state: number, piece: string): number {
    let node = state
    for (let at = 0; at < piece.length; at++) {
      node = this.literals.step(node, piece.charCodeAt(at))
      if (this.literals.found[node] !== -1) return -1
    }
    return node
  }

  /** Whether a character may stand for itself. */
  isPlain(character: string): boolean {
    return !this.escaped.has(character)
  }

  /** The characters that lead to different states; all others lead to the first one. */
  get alphabet(): string[] {
    const { stops, ignoreCase, spacedTags } = this.rule
    const all = new Set<string>(stops.join(''))
    if (ignoreCase)
      for (const one of [...all]) {
        all.add(one.toLowerCase())
        all.add(one.toUpperCase())
      }
    if (spacedTags) for (const space of ' \n\t\r') all.add(space)
    return [...all]
  }

  /** Whether the text may end in a state: what follows it must not complete a stop that began in the text. */
  mayEnd(state: number): boolean {
    const { follow } = this.rule
    let node = state
    for (let at = 0; at < follow.length; at++) {
      node = this.literals.step(node, follow.charCodeAt(at))
      if (this.literals.found[node] !== -1) return this.literals.length[node]! <= at + 1
    }
    return true
  }
}
