/** The lanes of the timeline: one for the text, one for reasoning, one for each call, by columns of the picture. */

import type { SluiceEvent } from '../event.ts'
import type { Timeline } from './timeline.ts'
import type { WireRun } from './wire-map.ts'

/** What a lane has in a column: something that was shown, or something that was held back first. */
export type LaneMark = 'shown' | 'held' | 'span'

export interface LaneBar {
  /** Columns. */
  readonly from: number
  to: number
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
  const bars = (key: string): LaneBar[] => barsOf(runs.get(key) ?? [], column)
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
      bars: joined(
        others.map(({ from, to }) => ({
          from: column(from),
          to: Math.max(column(to), column(from) + 1),
          mark: 'span',
        })),
      ),
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

/** What was held back is drawn as a gap where it waited. */
function barsOf(runs: readonly WireRun[], column: (position: number) => number): LaneBar[] {
  return joined(
    runs.map(({ from, to, settledAt }) => ({
      from: column(from),
      to: Math.max(column(to), column(from) + 1),
      mark: settledAt > 0 ? 'held' : 'shown',
    })),
  )
}

/** Bars that touch or overlap become one. In a column that has both, what was shown hides what was held back. */
function joined(bars: readonly LaneBar[]): LaneBar[] {
  const result: LaneBar[] = []
  for (const bar of bars) {
    const last = result.at(-1)
    if (last === undefined || bar.from > last.to || (bar.mark !== last.mark && bar.from >= last.to))
      result.push({ ...bar })
    else if (bar.mark === last.mark) last.to = Math.max(last.to, bar.to)
    else if (bar.to > last.to) result.push({ from: last.to, to: bar.to, mark: bar.mark })
  }
  return result
}

/** The columns in which chunks end. */
export function ticksOf({ chunks, end }: Timeline, columns: number): number[] {
  return [...new Set(chunks.map(({ to }) => Math.floor((to / Math.max(1, end)) * columns)))]
}
