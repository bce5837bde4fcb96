/** One JSON text while it is read: what the functions of this folder work on. */

import type { RepairClass } from '../../../base/event.ts'
import type { JsonErrorCode, JsonHandler, JsonLimits, JsonRepairCode } from '../handler.ts'
import type { JsonRules } from '../rules.ts'
import { takeCertain } from './canonical-copy.ts'
import type { JsonState } from './json-state.ts'

export interface Scan {
  readonly limits: Readonly<JsonLimits>
  readonly rules: JsonRules
  readonly state: JsonState
  /** The markers around the text, which end a comment that is not closed; null: there are none. */
  readonly markers: (() => MarkerSearch) | null

  // Only while a chunk is read:
  handler: JsonHandler
  chunk: string
  /** Decoded text of the open string that the handler has not received yet. */
  decoded: string
  /** The last chunk that took the fast path, decoded. */
  passed: string
  /** The UTF-16 unit of the last escape; -1 if it is none. */
  unit: number
  /** Absolute offset of the end of the announced token. */
  tokenEnd: number
  // How the announced value is copied: its opening token, and the chunk from this index on.
  startText: string
  startMark: number
  // The canonical text of the chunk, see `canonical.ts`.
  certain: string
  mark: number
  committed: number
  /** The marker at which it failed, because a comment was not closed. All of it was taken. */
  marker: string
}

/** Looks for markers in text that passes in pieces. */
export interface MarkerSearch {
  /**
   * Reads `text[from, to)`, which follows on `before`. Gives the first marker and the index behind it, or else `rest`,
   * the end of the text that may become one.
   */
  search(
    before: string,
    text: string,
    from: number,
    to: number,
  ): { readonly marker: string; readonly end: number } | { readonly rest: string }
}

/** Thrown where the text became impossible in the middle of something, and caught where the chunk was begun. */
export class Stop {
  readonly at: number

  constructor(at: number) {
    this.at = at
  }
}

/** What begins at `i` can be told only with the next chunk: it is read again then. */
export function hold(scan: Scan, text: string, i: number): number {
  scan.state.held = text.slice(i)
  return text.length
}

/** Reports a repair of what begins at `offset`, which shows at `i`. The rules may make it an error. */
export function repair(
  scan: Scan,
  code: JsonRepairCode,
  repairClass: RepairClass,
  i: number,
  offset: number = scan.state.offset + i,
): void {
  const { rules, state } = scan
  const error = rules.errors[code] ?? rules.errors.other
  if (error !== undefined) stop(scan, error, i)
  if (state.repairs >= scan.limits.repairs) stop(scan, 'repairs', i)
  state.repairs++
  scan.handler.repair(code, repairClass, offset)
}

/** The character at `i` makes the text impossible: nothing more is read. */
export function fail(scan: Scan, code: JsonErrorCode, i: number): number {
  scan.state.status = 'failed'
  handOut(scan, takeCertain(scan))
  scan.handler.error(code, scan.state.offset + i)
  return i
}

/** The same from the inside of something, which must not be finished. */
export function stop(scan: Scan, code: JsonErrorCode, i: number): never {
  throw new Stop(fail(scan, code, i))
}

/** Nothing more is read. A handler may have stopped the scanner, too. */
export function hasFailed({ state }: Scan): boolean {
  return state.status === 'failed'
}

export function handOut(scan: Scan, text: string): void {
  if (text !== '') scan.handler.text(text)
}

/** A value begins with a token from `from` to `to`; `text` and the chunk from `mark` on are how it is copied. */
export function announce(scan: Scan, text: string, mark: number, from: number, to: number): void {
  scan.startText = text
  scan.startMark = mark
  scan.tokenEnd = to
  scan.state.tokenStart = from
}
