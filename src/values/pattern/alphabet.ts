/** Sorts all characters into the few kinds that a pattern tells apart. */

import type { Characters } from './characters.ts'

const COMMON = 128

export class Alphabet {
  /** For each kind, the numbers of the sets it is in. */
  readonly setsOf: readonly ReadonlySet<number>[]
  /** The kinds of the characters that most texts are made of. */
  private readonly common = new Uint16Array(COMMON)
  /** Where each run of one kind begins, and which kind that is. */
  private readonly starts: readonly number[]
  private readonly kinds: readonly number[]

  /** With the `u` flag, characters are code points, and without it UTF-16 code units. */
  constructor(sets: readonly Characters[], isUnicode: boolean) {
    const last = isUnicode ? 0x10ffff : 0xffff
    const bounds = new Set([0, ...sets.flatMap((set) => set.flatMap(([from, to]) => [from, to + 1]))])
    this.starts = [...bounds].filter((bound) => bound <= last).sort((a, b) => a - b)

    const runs = this.starts.map((): number[] => [])
    const runAt = new Map(this.starts.map((start, run) => [start, run]))
    for (const [number, set] of sets.entries())
      for (const [from, to] of set)
        for (let run = runAt.get(from) ?? runs.length; this.starts[run]! <= to; run++) runs[run]!.push(number)

    const numbers = new Map<string, number>()
    const setsOf: ReadonlySet<number>[] = []
    this.kinds = runs.map((run) => {
      const key = run.join(' ')
      const kind = numbers.get(key) ?? setsOf.push(new Set(run)) - 1
      numbers.set(key, kind)
      return kind
    })
    this.setsOf = setsOf
    for (const [run, start] of this.starts.entries()) this.common.fill(this.kinds[run]!, start)
  }

  kindOf(code: number): number {
    return code < COMMON ? this.common[code]! : this.find(code)
  }

  private find(code: number): number {
    let low = 0
    let high = this.starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.starts[middle]! <= code) low = middle
      else high = middle
    }
    return this.kinds[low]!
  }
}
