/**
 * The canonical text of a value, which is copied while the value is read: valid JSON verbatim, everything else
 * rewritten, and at any moment *completable*, which means that what was handed out plus some closers is valid JSON.
 *
 *     {"path":"src/ma|            handed out: {"path":"src/ma     completion: "}
 *     {"path":"src/main.rs","ti|  handed out: {"path":"src/main.rs"     uncertain: ,"ti
 *
 * It works on indices of the current chunk, so that valid text costs one slice per chunk:
 *
 *     certain  +  uncertain  +  chunk[mark … committed … now]
 *     └───────── certain ──────────────────┘└─ uncertain ─┘
 *
 * `uncertain` is part of the state; null means that nothing is copied.
 */

import type { Scan } from './scan.ts'

const NOTHING = -1

/** A chunk is read from `from` on. */
export function enterChunk(scan: Scan, chunk: string, from: number): void {
  scan.chunk = chunk
  scan.certain = ''
  scan.mark = from
  scan.committed = NOTHING
}

/** Copies from the start of the announced value. Before a chunk is read: copies everything. */
export function startCopy(scan: Scan): void {
  scan.state.uncertain = ''
  scan.certain = scan.startText
  scan.mark = scan.startMark
  scan.committed = NOTHING
}

/** Copies no longer. Returns the rest of the text. */
export function stopCopy(scan: Scan): string {
  const rest = takeCertain(scan)
  scan.state.uncertain = null
  return rest
}

/** Everything before `index` is certain. */
export function commit(scan: Scan, index: number): void {
  scan.committed = index
}

/** The chunk's text from `from` to `to` is written as `canonical` instead. */
export function rewrite(scan: Scan, from: number, to: number, canonical: string): void {
  const { state } = scan
  if (state.uncertain === null) return
  settle(scan)
  if (from > scan.mark) state.uncertain += scan.chunk.slice(scan.mark, from)
  state.uncertain += canonical
  scan.mark = to
}

/** The uncertain text is left out: a trailing comma, the space before the root. */
export function drop(scan: Scan, index: number): void {
  if (scan.state.uncertain === null) return
  settle(scan)
  scan.state.uncertain = ''
  scan.mark = index
}

/** From `index` on the chunk's text is not copied, until `resume`. */
export function park(scan: Scan, index: number): void {
  rewrite(scan, index, index, '')
}

export function resume(scan: Scan, index: number): void {
  scan.mark = index
}

/** The chunk ends at `index`. Returns what can be handed out. */
export function leaveChunk(scan: Scan, index: number, isParked: boolean): string {
  const { state } = scan
  const certain = takeCertain(scan)
  if (state.uncertain !== null && !isParked && index > scan.mark)
    state.uncertain += scan.chunk.slice(scan.mark, index)
  scan.chunk = ''
  return certain
}

/** What can be handed out while the chunk goes on. */
export function takeCertain(scan: Scan): string {
  if (scan.state.uncertain === null) return ''
  settle(scan)
  const { certain } = scan
  scan.certain = ''
  return certain
}

function settle(scan: Scan): void {
  if (scan.committed < 0) return
  const { state } = scan
  const slice = scan.chunk.slice(scan.mark, scan.committed)
  scan.certain += state.uncertain === '' ? slice : state.uncertain + slice
  state.uncertain = ''
  scan.mark = scan.committed
  scan.committed = NOTHING
}
