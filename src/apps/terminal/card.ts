/**
 * A call on the page, from its name to the verdict, and where it is run to its result.
 *
 *     ▸ write_file  src/rate-limit.ts
 *       │ export class RateLimit {
 *       │ }
 *       ✓ complete · 2 lines, 28 characters
 *
 * While it grows, its longest part is shown through a window, and the last row says how far it is. What depends on time
 * is not on the finished card.
 */

import type { ToolCall } from '../../base/event.ts'
import type { ToolPresentation } from '../../engine/calls/tools.ts'
import { type CardArgument, CardArguments, inOneLine } from './card-arguments.ts'
import { languageOf } from './code.ts'
import { counted, GrowingLines } from './growing-lines.ts'
import { type LineStyle, lineRow, rowInWindow } from './line-rows.ts'
import { type Row, type Span, type Style, span } from './row.ts'
import type { ToolDisplay } from './tool-display.ts'

const INDENT = span('  ')
const HANGING = span('    ')
/** Arguments behind the name: the row is made anew for each of them. */
const MOST_BESIDE = 20

/** Where a call stands: it is written, waits, runs, or is over. */
export type CardState = 'receiving' | 'judged' | 'queued' | 'asking' | 'running' | 'over'

/** How a call ended that was run, or was not. */
interface Outcome {
  readonly mark: string
  readonly style: Style
  readonly words: string
  readonly result?: GrowingLines
}

export class Card {
  readonly id: string
  readonly toolName: string
  readonly display: ToolDisplay
  arguments: CardArguments
  state: CardState = 'receiving'
  private readonly presentation: ToolPresentation
  private readonly startedAt: number
  private runningSince = 0
  private verdict: ToolCall | null = null
  private outcome: Outcome | null = null
  /** What a tool reports while it runs. */
  private report = ''
  /** Why someone is asked. */
  private question = ''
  /** The first argument that is not printed yet, and the rows before it. */
  private unprinted: { readonly index: number; readonly rows: number } | null = null

  constructor(
    call: { readonly id: string; readonly toolName: string },
    presentation: ToolPresentation,
    display: ToolDisplay,
    now: number,
  ) {
    this.id = call.id
    this.toolName = call.toolName
    this.display = display
    this.presentation = presentation
    this.arguments = new CardArguments(presentation)
    this.startedAt = now
  }

  // ── what happens to it ─────────────────────────────────────────────────────────────────────────

  /** `isRedrawn`: the card is drawn anew, and shows what the verdict says and nothing else. */
  judge(call: ToolCall, isRedrawn: boolean): void {
    if (this.verdict !== null) return
    this.verdict = call
    // Of an input that was not kept, what was announced is all there is.
    if (isRedrawn && call.input !== null) this.arguments = new CardArguments(this.presentation)
    this.arguments.settle(call)
    this.state = 'judged'
  }

  ask(reason: string): void {
    this.state = 'asking'
    this.question = reason
  }

  run(now: number): void {
    this.state = 'running'
    this.runningSince = now
  }

  progress(report: string): void {
    this.report = report
  }

  /** It was run: this is its result. */
  succeed(content: string): void {
    const result = new GrowingLines('strip', true)
    result.push(content)
    result.end()
    this.end({ mark: '✓', style: 'green', words: 'done', result })
  }

  /** It was not run, or ended badly. */
  fail(words: string, reason: string): void {
    this.end({ mark: '✗', style: 'red', words: reason === '' ? words : `${words} · ${reason}` })
  }

  /** Nothing more will come. */
  close(): void {
    this.state = 'over'
  }

  private end(outcome: Outcome): void {
    this.outcome ??= outcome
    this.state = 'over'
  }

  get isOver(): boolean {
    return this.state === 'over'
  }

  // ── what is shown of it ────────────────────────────────────────────────────────────────────────

  /** The rows of the card when it is over, from the row of this number on. */
  finished(from = 0): Row[] {
    const limit = this.display.argumentLines ?? 'all'
    const rows = new Rows(from)
    this.body(rows, limit === 'all' ? null : { lines: limit, at: 'start' }, false)
    for (const row of this.ends()) rows.add(row)
    return rows.taken
  }

  /** The rows that will not change any more, from the row of this number on; the first one may grow at its end. */
  settled(from: number): Row[] {
    if (this.isOver) return this.finished(from)
    const rows = new Rows(from)
    if (this.isStreamable()) this.body(rows, null, true)
    return rows.taken
  }

  /**
   * The rows of the card while it grows: at most so many lines of each argument, and how far it is. No argument is shown
   * behind `most` rows or arguments.
   */
  growing(now: number, lines: number, most: number): Row[] {
    const rows = new Rows(0, most)
    this.body(rows, { lines, at: 'end' }, false)
    if (this.isOver) for (const row of this.ends(lines)) rows.add(row)
    else {
      if (this.verdict !== null) rows.add(this.verdictRow(this.verdict))
      rows.add(this.status(now))
    }
    return rows.taken
  }

  /** Some displays need the whole input, or show only a part of it. */
  private isStreamable(): boolean {
    const { arguments: style = 'card', argumentLines = 'all' } = this.display
    return style === 'card' && argumentLines === 'all'
  }

  private body(rows: Rows, window: Window | null, onlySettled: boolean): void {
    const { arguments: style = 'card' } = this.display
    if (style === 'off') rows.add(this.header([]))
    else if (style === 'call') rows.add(this.asCall(rows.most))
    else if (style === 'card' || this.verdict === null) this.asCard(rows, window, onlySettled)
    else {
      rows.add(this.header([]))
      written(rows, this.inOwnWords(style), 'text', window)
    }
  }

  private inOwnWords(style: 'json' | ((input: ToolCall['input']) => string)): GrowingLines {
    const input = this.verdict?.input ?? null
    let text = JSON.stringify(input, null, 2)
    if (typeof style === 'function')
      try {
        text = style(input)
      } catch (error) {
        text = `${text}\n(The display of this tool failed: ${String(error)})`
      }
    const isEmpty = style === 'json' && (text === '{}' || text === '[]' || text === 'null')
    const lines = new GrowingLines('visualise', false)
    lines.push(isEmpty ? '' : text)
    lines.end()
    return lines
  }

  private header(inline: readonly Span[]): Row {
    return {
      gutter: span('▸ ', 'dim'),
      hanging: HANGING,
      spans: [span(inOneLine(this.toolName), 'bold'), ...inline],
    }
  }

  private asCall(most: number): Row {
    const { all } = this.arguments
    const parts = all
      .slice(0, most)
      .flatMap((argument, index): Span[] => [
        span(index === 0 ? '' : ', '),
        ...(argument.key === '' ? [] : [span(`${inOneLine(argument.key)}: `, 'dim')]),
        span(this.inCall(argument)),
      ])
    const isOpen = this.verdict === null || all.length > most
    return this.header([span('('), ...parts, span(isOpen ? '…' : ')')])
  }

  private inCall({ key, isDone, text, lines }: CardArgument): string {
    const { input } = this.verdict ?? {}
    if (input !== null && typeof input === 'object' && Object.hasOwn(input, key))
      return inOneLine(JSON.stringify((input as Record<string, unknown>)[key]))
    return isDone && lines === null ? inOneLine(JSON.stringify(text)) : '…'
  }

  private asCard(rows: Rows, window: Window | null, onlySettled: boolean): void {
    const { all, streamed, path } = this.arguments
    const { unprinted } = this
    let index = 0
    if (onlySettled && unprinted !== null) {
      index = unprinted.index
      rows.pass(unprinted.rows)
    } else {
      const beside: Span[] = []
      for (; index < Math.min(all.length, MOST_BESIDE) && all[index]!.lines === null; index++)
        beside.push(...this.inline(all[index]!, true, onlySettled))
      rows.add(this.header(beside))
    }
    const end = Math.min(all.length, index + rows.most)
    for (; index < end && !rows.isFull; index++) {
      const argument = all[index]!
      const { key, lines, isDone } = argument
      // A row that was asked for is the last one, which may still grow, and is made again.
      if (onlySettled && rows.taken.length === 0 && all[index - 1]?.isDone)
        this.unprinted = { index, rows: rows.passed }
      if (lines === null) {
        const [indent, ...spans] = this.inline(argument, false, onlySettled)
        if (indent !== undefined) rows.add({ gutter: indent, hanging: HANGING, spans })
        continue
      }
      if (argument !== streamed && !isLow(window))
        rows.add({ gutter: INDENT, hanging: HANGING, spans: [span(`${inOneLine(key)}:`, 'dim')] })
      const language = languageOf(key, path, lines.line(0))
      written(rows, lines, language, window, onlySettled && !isDone)
    }
  }

  /** Two spaces, the key unless the name needs none, and the value. Nothing of one that has just begun. */
  private inline(
    { key, text, isDone, isCut }: CardArgument,
    isHeader: boolean,
    onlySettled: boolean,
  ): Span[] {
    if (onlySettled && !isDone) return []
    if (text === '' && (isDone || this.verdict !== null)) return []
    const needsNoKey = key === '' || (isHeader && this.arguments.isHeadline(key))
    const label = needsNoKey ? [] : [span(`${inOneLine(key)}: `, 'dim')]
    const isOpen = !isDone || isCut
    return [INDENT, ...label, span(`${inOneLine(text)}${isOpen ? '…' : ''}`)]
  }

  /** The verdict, and what became of the call. */
  private ends(most = Number.POSITIVE_INFINITY): Row[] {
    const rows: Row[] = []
    const { verdict, outcome } = this
    if (verdict !== null) rows.push(this.verdictRow(verdict))
    else if (outcome === null) rows.push(ending('✗', 'red', 'not finished', []))
    if (outcome === null) return rows
    const { mark, style, words, result } = outcome
    const { results = 'full' } = this.display
    const size = result === undefined || result.count === 0 ? [] : [counted(result.count, 'line')]
    rows.push(ending(mark, style, words, size))
    if (result === undefined || results === 'off') return rows
    const shown = new Rows(0)
    const lines = Math.min(most, results === 'full' ? result.count : results)
    written(shown, result, 'dim', { lines, at: 'start' })
    return [...rows, ...shown.taken]
  }

  private verdictRow(call: ToolCall): Row {
    const { mark, style } = MARKS[isGuessed(call) ? 'guessed' : call.status]
    const codes = [...new Set(call.repairs.map(({ code }) => code))].join(', ')
    const size = this.arguments.streamed?.lines?.inWords() ?? ''
    return ending(mark, style, call.status, [size, codes, call.error?.message ?? ''])
  }

  private status(now: number): Row {
    const { streamed } = this.arguments
    switch (this.state) {
      case 'receiving': {
        const elapsed = now - this.startedAt
        const lines = streamed?.lines ?? this.arguments.all.at(-1)?.lines
        const details = [
          lines?.inWords() ?? '',
          lines ? rateOf(lines.characters, elapsed) : '',
          seconds(elapsed),
        ]
        return ending('◦', 'yellow', 'receiving', details)
      }
      case 'asking':
        return ending('?', 'yellow', 'waits for approval', [this.question])
      case 'running':
        return ending('◦', 'yellow', 'running', [this.report, seconds(now - this.runningSince)])
      default:
        return ending('◦', 'yellow', 'queued', [])
    }
  }
}

export interface Window {
  readonly lines: number
  readonly at: 'start' | 'end'
}

/** Collects rows, and passes over those before a certain one without making them. */
export class Rows {
  readonly taken: Row[] = []
  /** How many are needed. */
  readonly most: number
  private readonly from: number
  private left: number

  constructor(from: number, most = Number.POSITIVE_INFINITY) {
    this.from = from
    this.left = from
    this.most = most
  }

  /** Rows that were passed over. */
  get passed(): number {
    return this.from - this.left
  }

  get isFull(): boolean {
    return this.taken.length >= this.most
  }

  pass(count: number): void {
    this.left -= count
  }

  add(row: Row): void {
    if (this.left > 0) this.left--
    else this.taken.push(row)
  }

  addAll(count: number, make: (index: number) => Row): void {
    for (let index = Math.min(this.left, count); index < count; index++) this.taken.push(make(index))
    this.left = Math.max(0, this.left - count)
  }
}

/** Lines behind the gutter, all of them or as many as the window has. */
export function written(
  rows: Rows,
  lines: GrowingLines,
  language: LineStyle,
  window: Window | null,
  onlyWhole = false,
): void {
  const count = onlyWhole ? lines.completeCount : lines.count
  const shown = Math.min(count, window?.lines ?? count)
  const from = window?.at === 'end' ? count - shown : 0
  if (shown < count && window?.at === 'end' && !isLow(window)) rows.add(moreLines(count - shown))
  rows.addAll(shown, (index) =>
    window === null
      ? lineRow(lines.line(index), language)
      : rowInWindow(lines, from + index, language, window.at === 'end' ? window.lines : undefined),
  )
  if (shown < count && window?.at === 'start') rows.add(moreLines(count - shown))
}

/** A growing text through so few lines has them for itself: how many there are is said below it. */
const isLow = (window: Window | null): boolean => window?.at === 'end' && window.lines < 3

const moreLines = (count: number): Row => ({
  gutter: span('  ⋮ ', 'dim'),
  spans: [span(counted(count, 'more line'), 'dim')],
})

function ending(mark: string, style: Style, words: string, details: readonly string[]): Row {
  const said = details.filter((detail) => detail !== '').map((detail) => ` · ${inOneLine(detail)}`)
  return {
    gutter: INDENT,
    hanging: HANGING,
    spans: [span(`${mark} ${inOneLine(words)}`, style), span(said.join(''), 'dim')],
    isProse: true,
  }
}

function rateOf(characters: number, milliseconds: number): string {
  if (milliseconds < 500) return ''
  return `${Math.round((characters * 1000) / milliseconds)}/s`
}

export function seconds(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const whole = Math.floor(milliseconds / 1000)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

const MARKS: Record<ToolCall['status'] | 'guessed', { readonly mark: string; readonly style: Style }> = {
  complete: { mark: '✓', style: 'green' },
  repaired: { mark: '✓', style: 'yellow' },
  guessed: { mark: '!', style: 'yellow' },
  truncated: { mark: '✗', style: 'red' },
  invalid: { mark: '✗', style: 'red' },
}

/** Repaired, but maybe not to what was meant. */
function isGuessed({ status, repairs }: ToolCall): boolean {
  return status === 'repaired' && repairs.some((repair) => repair.class !== 'lossless')
}
