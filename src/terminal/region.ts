/**
 * The rows at the bottom of a terminal that are drawn again and again. It knows which rows it drew, and nobody else
 * moves the cursor: before anything else is written, the region is erased.
 *
 * The cursor rests on the line below the region, so that whatever follows begins on a line of its own.
 */

import { paint, type Span, textOfSpans } from './row.ts'
import { rowsOf } from './width.ts'

/** The terminal shows what is between these at once. */
export const BEGIN_FRAME = '\x1b[?2026h'
export const END_FRAME = '\x1b[?2026l'
/** A row that is wider than we think is clipped, and does not take the place of the next one. */
const NO_WRAP = '\x1b[?7l'
const WRAP = '\x1b[?7h'
const ERASE_LINE = '\x1b[K'
const ERASE_BELOW = '\x1b[J'

interface DrawnRow {
  readonly text: string
  readonly painted: string
}

export class Region {
  private drawn: readonly DrawnRow[] = []
  private columns = 0

  get isEmpty(): boolean {
    return this.drawn.length === 0
  }

  /** What removes the region; nothing where there is none. `columns`: the width that the terminal has now. */
  erase(columns: number): string {
    if (this.drawn.length === 0) return ''
    const up = this.height(columns)
    this.drawn = []
    return `\x1b[${up}A\r${ERASE_BELOW}`
  }

  /** What draws these rows in place of those that are there. */
  draw(lines: readonly (readonly Span[])[], columns: number, colour: boolean): string {
    const next = lines.map((line) => ({ text: textOfSpans(line), painted: paint(line, colour) }))
    let frame = ''
    if (columns !== this.columns) frame += this.erase(columns)
    this.columns = columns
    if (isSame(this.drawn, next)) return frame
    const before = this.drawn
    if (before.length > 0) frame += `\x1b[${before.length}A`
    frame += `\r${NO_WRAP}`
    for (const [index, row] of next.entries()) {
      if (before[index]?.painted !== row.painted) frame += `${row.painted}${ERASE_LINE}`
      frame += '\r\n'
    }
    if (before.length > next.length) frame += ERASE_BELOW
    frame += WRAP
    this.drawn = next
    return frame
  }

  /** Rows that the region takes now: a terminal that was made narrower has broken those that no longer fit. */
  private height(columns: number): number {
    if (columns >= this.columns) return this.drawn.length
    return this.drawn.reduce((sum, { text }) => sum + rowsOf(text, columns), 0)
  }
}

function isSame(before: readonly DrawnRow[], next: readonly DrawnRow[]): boolean {
  return before.length === next.length && before.every((row, index) => row.painted === next[index]!.painted)
}
