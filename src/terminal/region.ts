/**
 * The rows at the bottom of a terminal that are drawn again and again. Nobody else moves the cursor, and before anything
 * else is written, the region is erased.
 *
 * Between two frames the cursor rests at the beginning of the first row. A terminal that is resized breaks or joins rows
 * and keeps the cursor where it is in the text, before anyone is told. So the region is always what lies below the cursor,
 * and nobody has to know how many rows that is. The one exception is xterm.js, the terminal of VS Code: a row that it breaks
 * below the cursor moves the cursor down.
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
/**
 * Erases the rows below the cursor's, which is at the beginning of its row: tmux takes the erasing of a whole screen for a wish to keep it,
 * and puts it into the scrollback. On the last row of the screen there is nothing below, and the cursor stays.
 */
const ERASE_BELOW = '\x1b7\x1b[B\x1b[J\x1b8'

interface DrawnRow {
  readonly text: string
  readonly painted: string
}

export class Region {
  private readonly driftsDown: boolean
  private drawn: readonly DrawnRow[] = []
  private columns = 0

  /** `driftsDown`: the terminal is xterm.js. */
  constructor(driftsDown: boolean) {
    this.driftsDown = driftsDown
  }

  get isEmpty(): boolean {
    return this.drawn.length === 0
  }

  /** What removes the region; nothing where there is none. `columns`: the width that the terminal has now. */
  erase(columns: number): string {
    if (this.drawn.length === 0) return ''
    const drift = this.drift(columns)
    this.drawn = []
    return `${drift > 0 ? `\x1b[${drift}A` : ''}\r${ERASE_LINE}${ERASE_BELOW}`
  }

  /** What draws these rows in place of those that are there. */
  draw(lines: readonly (readonly Span[])[], columns: number, colour: boolean): string {
    const next = lines.map((line) => ({ text: textOfSpans(line), painted: paint(line, colour) }))
    const isDrawnOver = columns === this.columns && next.length >= this.drawn.length
    const erased = isDrawnOver ? '' : this.erase(columns)
    this.columns = columns
    if (next.length === 0) return erased
    const before = this.drawn
    const isSame = (row: DrawnRow, index: number): boolean => row.painted === before[index]?.painted
    if (before.length === next.length && next.every(isSame)) return erased
    this.drawn = next
    let frame = `\r${NO_WRAP}`
    for (const [index, row] of next.entries()) {
      if (index > 0) frame += '\r\n'
      if (!isSame(row, index)) frame += `${row.painted}${ERASE_LINE}`
    }
    const up = next.length > 1 ? `\x1b[${next.length - 1}A` : ''
    return `${erased}${frame}${WRAP}${up}\r`
  }

  /** Rows by which the cursor was moved: those that were broken off below it. */
  private drift(columns: number): number {
    if (!this.driftsDown || columns >= this.columns) return 0
    return this.drawn.slice(1).reduce((sum, { text }) => sum + rowsOf(text, columns) - 1, 0)
  }
}
