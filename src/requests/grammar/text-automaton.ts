/**
 * The automaton of a text that holds none of some literals: the complement of the one by which the parser finds them
 * (`engine/wire/literals.ts`). Where the length of the text is limited, a state also counts its characters.
 */

import { Literals } from '../../engine/wire/literals.ts'
import type { TextRule } from './grammar-rule.ts'

export class TextAutomaton {
  private readonly literals: Literals
  private readonly rule: TextRule
  private readonly escaped: ReadonlySet<string>
  /** The highest number of characters that matters. */
  private readonly highest: number

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
    this.highest = rule.most ?? rule.least ?? 0
  }

  /** How many states there are. */
  get size(): number {
    return this.literals.found.length * (this.highest + 1)
  }

  /** The state that the text begins in. */
  get start(): number {
    return this.state(this.nodeAfter(0, this.rule.begun), 0)
  }

  /** The state behind one more character, as it is written; -1 where a stop would be in the text, or it is too long. */
  after(state: number, written: string): number {
    const count = this.countOf(state)
    if (count === this.rule.most) return -1
    const node = this.nodeAfter(this.nodeOf(state), written)
    if (node === -1) return -1
    const next = this.state(node, Math.min(count + 1, this.highest))
    // A text that is as long as it may be has to be one that may end.
    return count + 1 === this.rule.most && !this.mayEnd(next) ? -1 : next
  }

  /** Whether no stop has begun in a state. */
  isPlainState(state: number): boolean {
    return this.nodeOf(state) === 0
  }

  private nodeAfter(from: number, text: string): number {
    let node = from
    for (let at = 0; at < text.length; at++) {
      node = this.literals.step(node, text.charCodeAt(at))
      if (this.literals.found[node] !== -1) return -1
    }
    return node
  }

  private state(node: number, count: number): number {
    return node * (this.highest + 1) + count
  }

  private nodeOf(state: number): number {
    return Math.floor(state / (this.highest + 1))
  }

  private countOf(state: number): number {
    return state % (this.highest + 1)
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
    const { follow, least = 0 } = this.rule
    if (this.countOf(state) < least) return false
    let node = this.nodeOf(state)
    for (let at = 0; at < follow.length; at++) {
      node = this.literals.step(node, follow.charCodeAt(at))
      if (this.literals.found[node] !== -1) return this.literals.length[node]! <= at + 1
    }
    return true
  }
}
