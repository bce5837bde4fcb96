/**
 * How long something was after each character of the wire. Most things grow by one character with each one that arrives,
 * so that a megabyte of it is one step.
 */

/** From `from` on, up to `to`, the length grows by one with each position, beginning with `length`. */
interface Step {
  readonly from: number
  readonly length: number
  to: number
}

export class Growth {
  private readonly steps: Step[] = []
  private last = 0

  /** It has this length at this position. Neither ever decreases. */
  reach(position: number, length: number): void {
    const step = this.steps.at(-1)
    if (step !== undefined && position === step.to + 1 && length === this.last + 1) step.to = position
    else {
      // The length at a position is the last one that was reached there.
      if (step !== undefined && position === step.to && step.from === step.to--) this.steps.pop()
      this.steps.push({ from: position, length, to: position })
    }
    this.last = length
  }

  lengthAt(position: number): number {
    const at = lastIndexUpTo(this.steps, position, ({ from }) => from)
    const step = this.steps[at]
    return step === undefined ? 0 : step.length + Math.min(position, step.to) - step.from
  }
}

/** The index of the last element whose key is at most `limit`; -1 if there is none. The keys never decrease. */
export function lastIndexUpTo<Element>(
  list: readonly Element[],
  limit: number,
  keyOf: (element: Element) => number,
): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyOf(list[middle]!) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
