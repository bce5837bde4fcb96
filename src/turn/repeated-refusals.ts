/** Counts refusals that repeat, so that a model that never learns does not keep a turn running. */

import type { TurnCall } from './turn-call.ts'

export class RepeatedRefusals {
  private counts = new Map<string, number>()
  private round = new Map<string, number>()

  /** A call was refused. Answers in how many rounds in a row that has happened. */
  add(one: TurnCall, message: string): number {
    const key = keyOf(one, message)
    const count = (this.counts.get(key) ?? 0) + 1
    this.round.set(key, count)
    return count
  }

  /** The round is over. Answers how often its most frequent refusal came in a row, if nothing else came. */
  endRound(started: number): number {
    this.counts = this.round
    this.round = new Map()
    return started > 0 || this.counts.size === 0 ? 0 : Math.max(...this.counts.values())
  }
}

/** A call that was cut off ends elsewhere each time; any other that is refused again is the same call again. */
function keyOf({ call, refusal }: TurnCall, message: string): string {
  if (call.status === 'truncated') return `cut-off ${call.toolName}`
  return refusal === undefined
    ? `${call.toolName} ${JSON.stringify(call.input)}`
    : `${call.toolName} ${message}`
}
