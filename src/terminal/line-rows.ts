/** The rows of a text's lines, coloured. A line that is complete is in many frames, and its row is made once. */

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

export function lineRow(lines: GrowingLines, index: number, style: LineStyle): Row {
  if (index >= lines.completeCount) return made(lines.line(index), style)
  let known = kept.get(lines)
  if (known?.style !== style) {
    known = { style, rows: new Map() }
    kept.set(lines, known)
  }
  const { rows } = known
  let row = rows.get(index)
  if (row === undefined) {
    row = { ...made(lines.line(index), style), wrapped: new Map() }
    rows.set(index, row)
    // The oldest is above the window by now.
    if (rows.size > MOST_KEPT) rows.delete(rows.keys().next().value!)
  }
  return row
}

function made(line: string, style: LineStyle): Row {
  return { gutter: GUTTER, spans: style === 'dim' ? [span(line, 'dim')] : coloured(line, style) }
}
