/** Chance that can be repeated: the same seed gives the same choices. */

export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** A whole number from 0 up to, and without, the end. (mulberry32) */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  of<One>(list: readonly One[]): One {
    return list[this.below(list.length)]!
  }

  /** True once in so many times. */
  onceIn(times: number): boolean {
    return this.below(times) === 0
  }
}
