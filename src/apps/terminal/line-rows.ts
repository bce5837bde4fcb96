/** The rows of a text's lines, coloured. */

import { isLowSurrogate } from '../../base/surrogates.ts'
import { coloured, type Language } from './code.ts'
import type { GrowingLines } from './growing-lines.ts'
import { type Row, span } from './row.ts'

const GUTTER = span('  │ ', 'dim')

export type LineStyle = Language | 'dim'

interface KeptRows {
  readonly style: LineStyle
  readonly rows: Map<number, Row>
}

/** More than a window shows. */
const MOST_KEPT = 64

const kept = new WeakMap<GrowingLines, KeptRows>()

/**
 * The row of a line in a window. A line that is complete is in many frames, and its row is made once. `rows`: of a line
 * that still grows, no more is wanted than fills so many rows of the terminal.
 */
export function rowInWindow(lines: GrowingLines, index: number, style: LineStyle, rows?: number): Row {
  if (index >= lines.completeCount) return lineRow(endOf(lines.line(index), rows), style)
  let known = kept.get(lines)
  if (known?.style !== style) {
    known = { style, rows: new Map() }
    kept.set(lines, known)
  }
  const keptRows = known.rows
  let row = keptRows.get(index)
  if (row === undefined) {
    row = { ...lineRow(lines.line(index), style), wrapped: new Map() }
    keptRows.set(index, row)
    // The oldest is above the window by now.
    if (keptRows.size > MOST_KEPT) keptRows.delete(keptRows.keys().next().value!)
  }
  return row
}

export function lineRow(line: string, style: LineStyle): Row {
  return {
    gutter: GUTTER,
    isText: true,
    spans: style === 'dim' ? [span(line, 'dim')] : coloured(line, style),
  }
}

/** Few terminals have more columns. */
const WIDEST = 200

/**
 * The end of a line, as much as fills so many rows, or up to twice of that: if it began somewhere else with each character
 * that comes, all of it would move in each frame.
 */
export function endOf(line: string, rows = Number.POSITIVE_INFINITY): string {
  const most = rows * WIDEST
  if (line.length <= most) return line
  const from = Math.floor((line.length - most) / most) * most
  return line.slice(isLowSurrogate(line.charCodeAt(from)) ? from + 1 : from)
}
