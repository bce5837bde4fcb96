/** A row of the page: styled pieces of text behind a gutter, and how it is painted and wrapped. */

import { widthOf } from './width.ts'

export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'inverse'

export interface Span {
  readonly text: string
  readonly style: Style
}

export interface Row {
  /** What stands before the text in its first line, and in those it is wrapped into. */
  readonly gutter: Span
  readonly hanging?: Span
  readonly spans: readonly Span[]
  /** Prose is broken between words, everything else anywhere. */
  readonly isProse?: boolean
  /** A line of a text that grows: where the window is lower than the line, its end is shown. */
  readonly isText?: boolean
  /** The lines of a row that is in many frames, by the columns of the terminal. */
  readonly wrapped?: Map<number, readonly Line[]>
}

export const span = (text: string, style: Style = 'plain'): Span => ({ text, style })

const NO_GUTTER: Span = span('')

/** Numbers of SGR: what begins the style and what ends it. */
const STYLES: Record<Exclude<Style, 'plain'>, readonly [begin: number, end: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

/**
 * As it is written to a terminal. Each piece takes its style back at once, so that a stream that stops anywhere leaves
 * the terminal as it was.
 */
export function paint(spans: readonly Span[], colour: boolean): string {
  let painted = ''
  for (const { text, style } of spans)
    if (!colour || style === 'plain' || text === '') painted += text
    else painted += `\x1b[${STYLES[style][0]}m${text}\x1b[${STYLES[style][1]}m`
  return painted
}

/** A line on a terminal, painted once for all frames it is in. */
export class Line {
  readonly spans: readonly Span[]
  readonly text: string
  /** In cells. */
  readonly width: number
  private knownPaint: string | null = null

  constructor(spans: readonly Span[]) {
    this.spans = spans
    this.text = textOfSpans(spans)
    this.width = widthOf(this.text)
  }

  /** As it is written to a terminal with colours. */
  get painted(): string {
    this.knownPaint ??= paint(this.spans, true)
    return this.knownPaint
  }
}

/** The row with its gutter, which has no trailing space where nothing follows. */
export function withGutter({ gutter, spans }: Row): Span[] {
  const isEmpty = spans.every(({ text }) => text === '')
  return [isEmpty ? { ...gutter, text: gutter.text.trimEnd() } : gutter, ...spans]
}

/** What is left behind so many characters. */
export function sliceSpans(spans: readonly Span[], from: number): Span[] {
  const rest: Span[] = []
  for (const { text, style } of spans) {
    if (from < text.length) rest.push({ text: text.slice(Math.max(0, from)), style })
    from -= text.length
  }
  return rest
}

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + text.length, 0)
}

export function textOfSpans(spans: readonly Span[]): string {
  let all = ''
  for (const { text } of spans) all += text
  return all
}

// ── wrapping ─────────────────────────────────────────────────────────────────────────────────────

const TAB_STOP = 4
/** Narrower than this nothing can be read; the terminal may clip it. */
const LEAST_CELLS = 4

/** The lines of a row on a terminal of so many columns, each with its gutter. Tabs become spaces. */
export function wrapRow(row: Row, columns: number): readonly Line[] {
  const known = row.wrapped?.get(columns)
  if (known !== undefined) return known
  const isNarrow = columns - indentOf(row) < LEAST_CELLS
  // Most rows are short.
  const whole = isNarrow ? null : unbroken(row, columns)
  const lines = whole === null ? broken(row, columns, isNarrow) : [whole]
  row.wrapped?.set(columns, lines)
  return lines
}

/** Cells of the wider gutter. */
function indentOf({ gutter, hanging = gutter }: Row): number {
  const width = widthOf(gutter.text)
  return hanging === gutter ? width : Math.max(width, widthOf(hanging.text))
}

/** The row as one line; null where it does not fit into one. */
function unbroken(row: Row, columns: number): Line | null {
  const line = new Line(withGutter(row))
  return line.width <= columns && !line.text.includes('\t') ? line : null
}

function broken(row: Row, columns: number, isNarrow: boolean): Line[] {
  const gutters = isNarrow ? [NO_GUTTER, NO_GUTTER] : [row.gutter, row.hanging ?? row.gutter]
  const lines: Line[] = []
  let cells: Cell[] = []
  let width = 0
  const roomIn = (): number => Math.max(1, columns - widthOf(gutters[lines.length === 0 ? 0 : 1]!.text))
  let room = roomIn()
  const flush = (count: number): void => {
    const kept = cells.slice(count)
    const gutter = gutters[lines.length === 0 ? 0 : 1]!
    lines.push(new Line(withGutter({ gutter, spans: joined(cells.slice(0, count)) })))
    cells = kept
    width = kept.reduce((sum, cell) => sum + cell.width, 0)
    room = roomIn()
  }
  const narrowest = columns - Math.max(...gutters.map(({ text }) => widthOf(text)))
  for (const cell of cellsIn(row.spans, narrowest)) {
    while (width + cell.width > room && cells.length > 0) {
      const at = row.isProse && cell.text !== ' ' ? lastSpace(cells) : -1
      flush(at < 0 ? cells.length : at)
    }
    // The space at which a line of prose is broken is not carried over to the next.
    if (row.isProse && cells.length === 0 && lines.length > 0 && cell.text === ' ') continue
    cells.push(cell)
    width += cell.width
  }
  if (cells.length > 0 || lines.length === 0) flush(cells.length)
  return lines
}

interface Cell {
  readonly text: string
  readonly style: Style
  readonly width: number
}

function* cellsIn(spans: readonly Span[], room: number): Generator<Cell> {
  let column = 0
  for (const { text, style } of spans)
    for (const part of JOINED.test(text) ? graphemesIn(text, room) : text) {
      if (part === '\t')
        for (let left = TAB_STOP - (column % TAB_STOP); left > 0; left--, column++)
          yield { text: ' ', style, width: 1 }
      else {
        const width = widthOf(part)
        column += width
        yield { text: part, style, width }
      }
    }
}

/** What joins emoji: a joiner, the letters of flags, the tones of skin. */
const JOINED = /[\u200d\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u

/** No line ends within a family or a flag, as long as a line has room for it. */
function* graphemesIn(text: string, room: number): Generator<string> {
  for (const { segment } of new Intl.Segmenter('en').segment(text))
    if (widthOf(segment) <= room) yield segment
    else yield* segment
}

/** Behind the last space of a line that leaves something before it; -1 where there is none. */
function lastSpace(cells: readonly Cell[]): number {
  for (let index = cells.length - 1; index > 0; index--) if (cells[index]!.text === ' ') return index + 1
  return -1
}

function joined(cells: readonly Cell[]): Span[] {
  const spans: { text: string; style: Style }[] = []
  for (const { text, style } of cells) {
    const last = spans.at(-1)
    if (last?.style === style) last.text += text
    else spans.push({ text, style })
  }
  return spans
}
