/** The lanes of the timeline: one for the text, one for reasoning, one for each call, by columns of the picture. */

import type { SluiceEvent } from '../../base/event.ts'
import type { Timeline } from './timeline.ts'
import type { WireRun } from './wire-map.ts'

/** What a lane has in a column: something that was shown, or something that was held back first. */
export type LaneMark = 'shown' | 'held' | 'span'

export interface LaneBar {
  /** Columns. */
  readonly from: number
  readonly to: number
  readonly mark: LaneMark
}

export interface Lane {
  readonly kind: 'text' | 'reasoning' | 'result' | 'call'
  readonly title: string
  readonly bars: readonly LaneBar[]
  /** Of a call: its id, and the moments of its start and of its verdict. */
  readonly id?: string
  readonly from?: number
  readonly to?: number
  readonly status?: string
}

/** More calls than that share the last lane. */
const MOST_CALLS = 6

/** Draws at most so many columns, however long the stream is. */
export function lanesOf(timeline: Timeline, columns: number): Lane[] {
  const { log, map, end } = timeline
  const column = (position: number): number => Math.floor((position / Math.max(1, end)) * columns)
  const runs = new Map<string, WireRun[]>()
  for (const run of map.runs) {
    const lane = laneOf(log.entries[run.entry]?.event, run)
    if (lane === undefined) continue
    const list = runs.get(lane)
    if (list === undefined) runs.set(lane, [run])
    else list.push(run)
  }
  const calls = callsIn(timeline)
  const bars = (key: string): LaneBar[] => barsOf(runs.get(key) ?? [], column, columns, timeline.hasFrames)
  const lanes: Lane[] = PROSE.flatMap(({ kind, title }) => {
    const found = bars(kind)
    return found.length === 0 ? [] : [{ kind, title, bars: found }]
  })
  for (const call of calls.slice(0, MOST_CALLS)) {
    const span: LaneBar = {
      from: column(call.from),
      to: Math.max(column(call.to), column(call.from) + 1),
      mark: 'span',
    }
    lanes.push({ kind: 'call', ...call, bars: [span, ...bars(`call ${call.id}`)] })
  }
  const others = calls.slice(MOST_CALLS)
  if (others.length > 0)
    lanes.push({
      kind: 'call',
      title: `${others.length} more calls`,
      bars: [{ from: column(others[0]!.from), to: column(others.at(-1)!.to) + 1, mark: 'span' }],
    })
  return lanes
}

const PROSE = [
  { kind: 'reasoning', title: 'reasoning' },
  { kind: 'text', title: 'text' },
  { kind: 'result', title: 'results' },
] as const

interface CallSpan {
  readonly id: string
  readonly title: string
  readonly from: number
  to: number
  status?: string
}

function callsIn({ log, end }: Timeline): CallSpan[] {
  const calls = new Map<string, CallSpan>()
  for (const { event, at } of log.entries) {
    if (event.type === 'tool-input-start')
      calls.set(event.id, { id: event.id, title: event.toolName, from: at, to: end })
    if (event.type !== 'tool-call') continue
    const call = calls.get(event.id) ?? { id: event.id, title: event.toolName, from: at, to: at }
    call.to = at
    call.status = event.status
    calls.set(event.id, call)
  }
  return [...calls.values()]
}

function laneOf(event: SluiceEvent | undefined, { kind }: WireRun): string | undefined {
  if (kind === 'text' || kind === 'reasoning' || kind === 'result') return kind
  return kind === 'value' && event !== undefined && 'id' in event ? `call ${event.id}` : undefined
}

/** What was held back is drawn as a gap where it waited. In a column that has both, what was shown counts. */
function barsOf(
  runs: readonly WireRun[],
  column: (position: number) => number,
  columns: number,
  hasFrames: boolean,
): LaneBar[] {
  const marks = new Uint8Array(columns + 1)
  for (const { from, to, settledAt } of runs) {
    // A frame always waits for its end, which says nothing about what is in it.
    const mark = settledAt > 0 && !hasFrames ? HELD : SHOWN
    for (let at = column(from); at < Math.max(column(to), column(from) + 1); at++)
      marks[at] = Math.max(marks[at]!, mark)
  }
  const bars: LaneBar[] = []
  for (let from = 0, to = 0; from < marks.length; from = to) {
    while (to < marks.length && marks[to] === marks[from]) to++
    if (marks[from] !== NOTHING) bars.push({ from, to, mark: marks[from] === HELD ? 'held' : 'shown' })
  }
  return bars
}

const NOTHING = 0
const HELD = 1
const SHOWN = 2

/** The columns in which chunks end. */
export function ticksOf({ chunks, end }: Timeline, columns: number): number[] {
  return [...new Set(chunks.map(({ to }) => Math.floor((to / Math.max(1, end)) * columns)))]
}
