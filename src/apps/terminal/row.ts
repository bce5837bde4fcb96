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

/** What is left after so many characters. */
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

/** The row cut into lines. Where it is cut is found in its text, and the spans are cut there. */
function broken(row: Row, columns: number, isNarrow: boolean): Line[] {
  const gutters = isNarrow ? [NO_GUTTER, NO_GUTTER] : [row.gutter, row.hanging ?? row.gutter]
  const rooms = gutters.map(({ text }) => Math.max(1, columns - widthOf(text)))
  const spans = withoutTabs(row.spans)
  const text = textOfSpans(spans)
  const lines: Line[] = []
  /** The line that is being filled: where it begins and ends in the text, and its cells. */
  let start = 0
  let end = 0
  let width = 0
  /** The span that is cut next, and where it begins in the text: each is looked at once, however many lines there are. */
  let next = 0
  let nextStart = 0
  const spansTo = (to: number): Span[] => {
    const cut: Span[] = []
    while (next < spans.length && nextStart < to) {
      const { text: whole, style } = spans[next]!
      const part = whole.slice(Math.max(0, start - nextStart), to - nextStart)
      if (part !== '') cut.push({ text: part, style })
      if (nextStart + whole.length > to) break
      nextStart += whole.length
      next++
    }
    return cut
  }
  const flush = (to: number): void => {
    const gutter = gutters[lines.length === 0 ? 0 : 1]!
    lines.push(new Line(withGutter({ gutter, spans: spansTo(to) })))
    start = to
    width = widthOf(text.slice(to, end))
  }
  for (const part of JOINED.test(text) ? graphemesIn(text, Math.min(...rooms)) : text) {
    const cells = widthOf(part)
    while (width + cells > rooms[lines.length === 0 ? 0 : 1]! && end > start) {
      // Behind the last space, if it leaves something before it.
      const space = row.isProse && part !== ' ' ? text.slice(start, end).lastIndexOf(' ') : -1
      flush(space > 0 ? start + space + 1 : end)
    }
    // The space at which a line of prose is broken is not carried over to the next.
    if (row.isProse && end === start && lines.length > 0 && part === ' ') start++
    else width += cells
    end += part.length
  }
  if (end > start || lines.length === 0) flush(end)
  return lines
}

/** Each tab is as many spaces as there are up to the next stop. */
function withoutTabs(spans: readonly Span[]): readonly Span[] {
  if (!spans.some(({ text }) => text.includes('\t'))) return spans
  let column = 0
  return spans.map(({ text, style }) => {
    const [first, ...others] = text.split('\t')
    let spaced = first!
    column += widthOf(first!)
    for (const other of others) {
      const stop = TAB_STOP - (column % TAB_STOP)
      spaced += ' '.repeat(stop) + other
      column += stop + widthOf(other)
    }
    return { text: spaced, style }
  })
}

/** What joins emoji: a joiner, the letters of flags, the tones of skin. */
const JOINED = /[\u200d\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u

/** No line ends within a family or a flag, as long as a line has room for it. */
function* graphemesIn(text: string, room: number): Generator<string> {
  for (const { segment } of new Intl.Segmenter('en').segment(text))
    if (widthOf(segment) <= room) yield segment
    else yield* segment
}
