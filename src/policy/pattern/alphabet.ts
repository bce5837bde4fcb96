/** Sorts all characters into the few kinds that a pattern tells apart. */

import { type Characters, holds } from './characters.ts'

export class Alphabet {
  /** For each kind one character of it, to ask questions with. */
  readonly examples: readonly number[]
  /** The kinds of the characters that most texts are made of. */
  private readonly common = new Uint16Array(128)
  /** Where each run of one kind begins, and which kind that is. */
  private readonly starts: readonly number[]
  private readonly kinds: readonly number[]

  constructor(sets: readonly Characters[]) {
    const bounds = new Set([0])
    for (const set of sets)
      for (const [from, to] of set) {
        bounds.add(from)
        bounds.add(to + 1)
      }
    this.starts = [...bounds].filter((bound) => bound <= 0xffff).sort((a, b) => a - b)
    const examples: number[] = []
    const numbers = new Map<string, number>()
    this.kinds = this.starts.map((code) => {
      const signature = sets.map((set) => (holds(set, code) ? '1' : '0')).join('')
      const kind = numbers.get(signature) ?? examples.push(code) - 1
      numbers.set(signature, kind)
      return kind
    })
    this.examples = examples
    for (let code = 0; code < 128; code++) this.common[code] = this.find(code)
  }

  kindOf(code: number): number {
    return code < 128 ? this.common[code]! : this.find(code)
  }

  private find(code: number): number {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.starts[middle]! <= code) low = middle
      else high = middle - 1
    }
    return this.kinds[low]!
  }
}
