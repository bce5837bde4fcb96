/** The blocks of a page. One empty line stands between two of them. */

import type { Card } from './card.ts'
import { Rows, written } from './card.ts'
import { inOneLine } from './card-arguments.ts'
import { counted, GrowingLines, TrimmedText } from './growing-lines.ts'
import { endOf } from './line-rows.ts'
import { type Row, span } from './row.ts'

export type Block = TextBlock | RowsBlock

/** Visible text: it is appended as it comes, and the terminal wraps it. */
export class TextBlock {
  readonly kind = 'text'
  isOver = false
  private readonly text = new TrimmedText('strip')
  /** What has come since someone looked. */
  private arrived = ''
  /** What can be shown and was not taken yet. */
  private waiting = ''

  push(delta: string): void {
    this.arrived += delta
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.takeIn()
    this.waiting += this.text.end()
  }

  get isEmpty(): boolean {
    return this.takeIn() === ''
  }

  take(): string {
    const waiting = this.takeIn()
    this.waiting = ''
    return waiting
  }

  private takeIn(): string {
    if (this.arrived !== '') this.waiting += this.text.push(this.arrived)
    this.arrived = ''
    return this.waiting
  }

  /** The last lines of what waits, for a block that stands behind one that still grows. */
  preview(lines: number): Row[] {
    return endOf(this.takeIn(), lines)
      .split('\n')
      .slice(-lines)
      .map((line) => ({ gutter: span(''), spans: [span(line)], isProse: true, isText: true }))
  }
}

/** A block whose rows are made here, behind a gutter. */
export interface RowsBlock {
  readonly kind: 'card' | 'reasoning' | 'result' | 'notes'
  readonly isOver: boolean
  readonly isHidden: boolean
  /** The rows that will not change any more, from the row of this number on; the last may grow at its end. */
  settled(from: number): Row[]
  /**
   * The rows as they are now: at most so many lines of a text that grows, and none before the row of that number. More than
   * `most` are not needed.
   */
  growing(now: number, lines: number, from: number, most: number): Row[]
}

export class CardBlock implements RowsBlock {
  readonly kind = 'card'
  readonly card: Card

  constructor(card: Card) {
    this.card = card
  }

  get isOver(): boolean {
    return this.card.isOver
  }

  get isHidden(): boolean {
    return this.card.display.hidden === true
  }

  settled(from: number): Row[] {
    return this.card.settled(from)
  }

  growing(now: number, lines: number, _from: number, most: number): Row[] {
    return this.card.growing(now, lines, most)
  }
}

type LinesOptions =
  | { readonly kind: 'reasoning'; readonly isFolded: boolean }
  | {
      readonly kind: 'result'
      readonly toolName: string
      readonly results: 'full' | 'off' | 'hidden' | number
    }

/** Reasoning, and results of tools that stand in the response. */
export class LinesBlock implements RowsBlock {
  readonly kind: 'reasoning' | 'result'
  isOver = false
  private readonly options: LinesOptions
  private readonly lines = new GrowingLines('strip', true)
  private hasFailed = false

  constructor(options: LinesOptions) {
    this.kind = options.kind
    this.options = options
  }

  push(delta: string): void {
    this.lines.push(delta)
  }

  fail(): void {
    this.hasFailed = true
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.lines.end()
  }

  /** Empty space is not shown. */
  get isHidden(): boolean {
    const { options } = this
    if (options.kind === 'result')
      return options.results === 'hidden' || (this.isOver && this.isEmpty && !this.hasFailed)
    return this.isOver && this.isEmpty
  }

  private get isEmpty(): boolean {
    return this.lines.count === 0
  }

  settled(from: number): Row[] {
    const { options } = this
    const isCollapsed = options.kind === 'reasoning' ? options.isFolded : options.results !== 'full'
    if (!this.isOver && (isCollapsed || this.isEmpty)) return []
    const rows = new Rows(from)
    if (options.kind === 'reasoning') {
      if (options.isFolded) rows.add(reasoningRow(`Reasoning: ${counted(this.lines.count, 'line')}`))
      else this.reasoning(rows, 0)
      return rows.taken
    }
    rows.add(this.title())
    if (options.results === 'full') written(rows, this.lines, 'dim', null)
    else if (typeof options.results === 'number')
      written(rows, this.lines, 'dim', { lines: options.results, at: 'start' })
    if (this.hasFailed) rows.add({ gutter: span('  '), spans: [span('✗ the tool failed', 'red')] })
    return rows.taken
  }

  growing(_now: number, lines: number, from: number): Row[] {
    const rows = new Rows(0)
    if (this.options.kind === 'reasoning')
      this.reasoning(rows, Math.max(from, this.lines.count - lines), from, lines)
    else {
      rows.add(this.title())
      if (this.options.results !== 'off') written(rows, this.lines, 'dim', { lines, at: 'end' })
    }
    return rows.taken
  }

  private reasoning(rows: Rows, from: number, printed = from, window?: number): void {
    const { lines } = this
    if (from > printed) rows.add(reasoningRow('⋮'))
    rows.addAll(lines.count - from, (index) => reasoningRow(endOf(lines.line(from + index), window)))
  }

  private title(): Row {
    const toolName = this.options.kind === 'result' ? this.options.toolName : ''
    const text = toolName === '' ? 'result' : `result of ${inOneLine(toolName)}`
    return { gutter: span('◂ ', 'dim'), spans: [span(text, 'dim')] }
  }
}

const reasoningRow = (line: string): Row => ({
  gutter: span('┊ ', 'dim'),
  spans: [span(line, 'dim')],
  isProse: true,
  isText: true,
})

/** Remarks, and failures. */
export class NotesBlock implements RowsBlock {
  readonly kind = 'notes'
  readonly isOver = true
  readonly isHidden = false
  private readonly rows: readonly Row[]

  constructor(rows: readonly Row[]) {
    this.rows = rows
  }

  settled(from: number): Row[] {
    return this.rows.slice(from)
  }

  growing(): Row[] {
    return [...this.rows]
  }
}
