/**
 * Holds tentative calls back until their verdicts, for formats that cannot say a verdict late: all that is said of such
 * a call comes in one piece, directly before its `tool-call`, and in between nothing else.
 *
 *     start 1   end 1   start 2   end 2   call 1   call 2          as the engine says it
 *     start 1   end 1   call 1   start 2   end 2   call 2          as it is passed on
 */

import type { Event, Sink, ToolCall } from '../event.ts'

/**
 *     const sink = holdTentative((event) => view.add(event))
 *
 * How much waits is limited by the engine, which lets only so many calls wait. `accepts`: nothing is passed on of
 * tentative calls for which it answers false.
 */
export function holdTentative(sink: Sink, accepts: (call: ToolCall) => boolean = () => true): Sink {
  const held = new Map<string, Event[]>()
  return (event) => {
    if (event.type === 'tool-input-start' && event.tentative) {
      held.set(event.id, [event])
      return
    }
    const events = 'id' in event && event.id !== undefined ? held.get(event.id) : undefined
    if (events === undefined) sink(event)
    else if (event.type !== 'tool-call') add(events, event)
    else {
      held.delete(event.id)
      if (!accepts(event)) return
      for (const one of events) sink(one)
      sink(event)
    }
  }
}

/** Deltas of one thing that follow each other are kept as one. */
function add(events: Event[], event: Event): void {
  const last = events.at(-1)
  const isMore =
    'delta' in event &&
    last !== undefined &&
    'delta' in last &&
    event.type === last.type &&
    (!('path' in event) || !('path' in last) || event.path === last.path)
  if (isMore) events[events.length - 1] = { ...event, delta: last.delta + event.delta }
  else events.push(event)
}
