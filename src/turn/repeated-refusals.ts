/** Counts refusals that repeat, so that a model that never learns does not keep a turn running. */

import type { ToolCall } from '../base/event.ts'
import { inputJson } from '../engine/calls/written-input.ts'

export class RepeatedRefusals {
  private counts = new Map<string, number>()
  private round = new Map<string, number>()

  /**
   * A call was refused, by the checks of the call itself or by others. Answers in how many rounds that has happened since a
   * tool ran last.
   */
  add(call: ToolCall, message: string, isByItself: boolean): number {
    const key = keyOf(call, message, isByItself)
    const count = (this.counts.get(key) ?? 0) + 1
    this.round.set(key, count)
    return count
  }

  /**
   * The round is over. Answers how often its most frequent refusal has come, if nothing else came. A model that alternates
   * between two calls gets no further than one that repeats a single call.
   */
  endRound(started: number): number {
    const { round } = this
    this.counts = started > 0 ? round : new Map([...this.counts, ...round])
    this.round = new Map()
    let most = 0
    // A response may have more calls than a function takes arguments.
    for (const count of round.values()) most = Math.max(most, count)
    return started > 0 ? 0 : most
  }
}

/** A call that was cut off ends elsewhere each time; any other that is refused again is the same call again. */
function keyOf(call: ToolCall, message: string, isByItself: boolean): string {
  const { status, toolName } = call
  if (status === 'truncated') return `cut-off ${toolName}`
  return `${toolName} ${isByItself ? message : inputJson(call)}`
}
