/**
 * Holds tentative calls back until their verdicts, for formats that have no late verdicts: all events of such a call come
 * in one piece, directly before its `tool-call`. White space between such calls keeps its place.
 *
 *     start 1   end 1   start 2   end 2   call 1   call 2          as the engine emits them
 *     start 1   end 1   call 1   start 2   end 2   call 2          as they are passed on
 */

import type { Sink, SluiceEvent, ToolCall } from '../../base/event.ts'

/** A tentative call, or text between two of them. */
interface Held {
  readonly events: SluiceEvent[]
  /** A call: its verdict is there. */
  isDecided: boolean
}

/**
 *     const sink = holdTentative((event) => view.add(event))
 *
 * How much waits is limited by the engine, which lets only so many calls wait, and so much white space between them.
 * `accepts`: nothing is passed on of tentative calls for which it answers false.
 */
export function holdTentative(sink: Sink, accepts: (call: ToolCall) => boolean = () => true): Sink {
  const queue: Held[] = []
  const calls = new Map<string, Held>()

  const flush = (): void => {
    while (queue[0]?.isDecided) {
      const { events } = queue.shift()!
      const last = events.at(-1)!
      if (last.type !== 'tool-call' || accepts(last)) for (const event of events) sink(event)
    }
  }

  const holdText = (event: SluiceEvent): void => {
    const last = queue.at(-1)!
    if (last.events[0]!.type === 'tool-input-start') queue.push({ events: [event], isDecided: true })
    else add(last.events, event)
  }

  return (event) => {
    if (event.type === 'tool-input-start' && event.tentative) {
      const call: Held = { events: [event], isDecided: false }
      queue.push(call)
      calls.set(event.id, call)
      return
    }
    if (queue.length === 0) {
      sink(event)
      return
    }
    const call = 'id' in event && event.id !== undefined ? calls.get(event.id) : undefined
    if (call !== undefined) {
      add(call.events, event)
      if (event.type !== 'tool-call') return
      call.isDecided = true
      calls.delete(event.id)
      flush()
    } else if (isText(event)) holdText(event)
    else sink(event)
  }
}

function isText({ type }: SluiceEvent): boolean {
  return type === 'text-start' || type === 'text-delta' || type === 'text-end'
}

/** Deltas of one thing that follow each other are kept as one. */
function add(events: SluiceEvent[], event: SluiceEvent): void {
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
