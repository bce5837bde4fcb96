/**
 * What several readings of the same text say alike.
 *
 *     [TOOL_CALLS]ls{"path": "src"}      mistral-array and mistral-v11: the same call
 *     <function=ls>|{"path": "src"}      functionary-v31 and qwen3-coder up to here, then only the first
 */

import type { SluiceEvent } from '../../../base/event.ts'
import { isDelta, isMore, type Reading } from './reading.ts'

/** Moves what all of them said to `agreed`, and answers whether they contradict each other. Diagnostics stay. */
export function passOnAgreed(readings: readonly Reading[], agreed: SluiceEvent[]): boolean {
  for (;;) {
    // Set aside, so that no step looks at all of them again.
    for (const { events, diagnostics } of readings)
      while (events[0]?.type === 'diagnostic') diagnostics.push(events.shift()!)
    const heads = readings.flatMap(({ events }) => events.slice(0, 1))
    if (heads.length < readings.length) return false
    const shared = sharedPart(heads)
    if (shared === null) return true
    agreed.push(shared)
    readings.forEach(({ events }, index) => {
      const head = heads[index]!
      if (isDelta(head) && isDelta(shared) && head.delta.length > shared.delta.length)
        events[0] = { ...head, delta: head.delta.slice(shared.delta.length) }
      else events.shift()
    })
  }
}

/** The event itself, or what all deltas begin with; null: they are not alike. */
function sharedPart([first, ...others]: readonly SluiceEvent[]): SluiceEvent | null {
  if (!isDelta(first!)) {
    const written = JSON.stringify(first)
    return others.every((other) => JSON.stringify(other) === written) ? first! : null
  }
  let { delta } = first
  for (const other of others) {
    if (!isDelta(other) || !isMore(first, other)) return null
    delta = commonStart(delta, other.delta)
  }
  return delta === '' ? null : { ...first, delta }
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
