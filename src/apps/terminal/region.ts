/**
 * The rows at the bottom of a terminal that are drawn again and again. Nobody else moves the cursor, and before anything
 * else is written, the region is erased.
 *
 * Between two frames the cursor rests at the beginning of the first row. A terminal that is resized breaks or joins rows
 * and keeps the cursor where it is in the text, before anyone is told. So the region is always what lies below the cursor,
 * and nobody has to know how many rows that is. The one exception is xterm.js, the terminal of VS Code: it moves the cursor
 * down by each row that it breaks, wherever that is, but for the cursor's own, which it leaves as it is; and if the screen
 * becomes lower, it removes rows below the cursor. There the cursor rests in the last row, and the first is as far above it
 * as there are rows now.
 */

import type { Line } from './row.ts'
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

export class Region {
  private readonly restsBelow: boolean
  private drawn: readonly Line[] = []
  private columns = 0

  /** `restsBelow`: the terminal is xterm.js. */
  constructor(restsBelow: boolean) {
    this.restsBelow = restsBelow
  }

  get isEmpty(): boolean {
    return this.drawn.length === 0
  }

  /** What removes the region; nothing where there is none. `columns`: the width that the terminal has now. */
  erase(columns: number): string {
    if (this.drawn.length === 0) return ''
    // The terminal may have been resized, and may have broken rows.
    const first = this.restsBelow
      ? up(this.drawn.slice(0, -1).reduce((sum, { text }) => sum + rowsOf(text, columns), 0))
      : ''
    this.drawn = []
    return `${first}\r${ERASE_LINE}${ERASE_BELOW}`
  }

  /** What draws these rows in place of those that are there. */
  draw(next: readonly Line[], columns: number): string {
    const isDrawnOver = columns === this.columns && next.length >= this.drawn.length
    const erased = isDrawnOver ? '' : this.erase(columns)
    this.columns = columns
    if (next.length === 0) return erased
    const before = this.drawn
    let isChanged = before.length !== next.length
    let rows = ''
    for (let index = 0; index < next.length; index++) {
      const line = next[index]!
      if (index > 0) rows += '\r\n'
      if (line.painted === before[index]?.painted) continue
      isChanged = true
      // Behind a row that fills the terminal, the cursor may stand in its last cell, which would be erased.
      rows += line.width < columns ? `${line.painted}${ERASE_LINE}` : `${ERASE_LINE}${line.painted}`
    }
    if (!isChanged) return erased
    this.drawn = next
    // No row is wider than the terminal.
    const [first, rest] = this.restsBelow ? [up(before.length - 1), ''] : ['', up(next.length - 1)]
    return `${erased}${first}\r${NO_WRAP}${rows}${WRAP}${rest}\r`
  }
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '')
