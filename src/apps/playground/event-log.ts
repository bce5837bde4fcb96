/** The events of a stream, adjacent deltas joined, with the position at which each came, so that any moment can be shown. */

import type { SluiceEvent } from '../../base/event.ts'
import { Rope } from '../../base/rope.ts'
import { Growth, lastIndexUpTo } from './growth.ts'

type DeltaEvent = Extract<SluiceEvent, { readonly delta: string }>

/** An event, or adjacent deltas of one thing. */
export interface LogEntry {
  readonly index: number
  /** How many characters of the wire had arrived when it came. */
  readonly at: number
  /** Of deltas, the first. */
  readonly event: SluiceEvent
  /** Of deltas: their text, and when it was how long. */
  readonly text?: Rope
  readonly growth?: Growth
}

export class EventLog {
  readonly entries: LogEntry[] = []

  /** Gives the entry that the event is in. */
  add(event: SluiceEvent, at: number): LogEntry {
    const last = this.entries.at(-1)
    if (isDelta(event) && last?.text !== undefined && continues(last.event as DeltaEvent, event)) {
      last.text.add(event.delta)
      last.growth!.reach(at, last.text.length)
      return last
    }
    const entry = { index: this.entries.length, at, event, ...(isDelta(event) && grown(event.delta, at)) }
    this.entries.push(entry)
    return entry
  }

  /** How many entries there are at a position. The last of them may still grow. */
  countAt(position: number): number {
    return lastIndexUpTo(this.entries, position, ({ at }) => at) + 1
  }

  /** An entry as it is at a position, as one event. */
  eventAt(entry: LogEntry, position: number): SluiceEvent {
    if (entry.text === undefined) return entry.event
    const delta = entry.text.toString().slice(0, entry.growth!.lengthAt(position))
    return { ...entry.event, delta } as SluiceEvent
  }

  /** All events up to a position, adjacent deltas joined. */
  eventsAt(position: number): SluiceEvent[] {
    return this.entries.slice(0, this.countAt(position)).map((entry) => this.eventAt(entry, position))
  }
}

function grown(delta: string, at: number): Pick<Required<LogEntry>, 'text' | 'growth'> {
  const growth = new Growth()
  growth.reach(at, delta.length)
  return { text: new Rope(delta), growth }
}

function isDelta(event: SluiceEvent): event is DeltaEvent {
  return 'delta' in event && typeof event.delta === 'string'
}

/** Whether two deltas that follow each other are of one thing. */
function continues(one: DeltaEvent, other: DeltaEvent): boolean {
  return one.type === other.type && one.id === other.id && pathOf(one) === pathOf(other)
}

function pathOf(event: SluiceEvent): string {
  return 'path' in event ? JSON.stringify(event.path) : ''
}
