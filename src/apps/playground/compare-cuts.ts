/** Checks that the events do not depend on how the text was cut. */

import { EventLog } from './event-log.ts'
import type { SampleChunk, Settings } from './settings.ts'
import type { Timeline } from './timeline.ts'
import { openReader } from './wire-reader.ts'

export interface CutComparison {
  readonly isEqual: boolean
  readonly chunks: number
  /** Events, adjacent deltas joined. */
  readonly events: number
  /** The first event that differs. */
  readonly firstDifference?: number
}

/** Reads the text in these chunks, and compares the events with those of the timeline. */
export function compareCuts(
  settings: Settings,
  timeline: Timeline,
  chunks: readonly SampleChunk[],
): CutComparison {
  const log = new EventLog()
  const reader = openReader(settings, (event) => log.add(event, 0))
  let from = 0
  for (const { to } of chunks) {
    reader.push(timeline.wire.slice(from, to))
    from = to
  }
  reader.end()
  const expected = timeline.log.eventsAt(timeline.end)
  const found = log.eventsAt(0)
  const count = Math.max(expected.length, found.length)
  const about = { chunks: chunks.length, events: expected.length }
  for (let index = 0; index < count; index++)
    if (JSON.stringify(expected[index]) !== JSON.stringify(found[index]))
      return { isEqual: false, ...about, firstDifference: index }
  return { isEqual: true, ...about }
}
