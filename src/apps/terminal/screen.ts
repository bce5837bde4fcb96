/**
 * The one owner of a terminal's screen. What will not change any more is printed, visible text to stdout and everything
 * else to stderr; what still grows is drawn below it, on stderr, at most 30 times a second.
 *
 * Where stderr is no terminal, or nobody wants control characters, everything is printed as plain lines.
 */

import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'
import { type Clock, systemClock } from '../../runs/recording/clock.ts'
import type { TurnEvent } from '../../turn/turn-event.ts'
import type { Approval, ApprovalRequest } from '../../turn/turn-options.ts'
import { Approvals } from './approval.ts'
import { inOneLine } from './card-arguments.ts'
import { attendKeys, type KeyInput } from './keys.ts'
import { Page, type PageOptions } from './page.ts'
import { Paper, Printer, type PrinterOutput } from './printer.ts'
import { BEGIN_FRAME, END_FRAME, Region } from './region.ts'
import { Line, type Row, span, wrapRow } from './row.ts'
import { PAGE_OPTIONS, type TerminalView } from './view.ts'

/** `process.stdout` and `process.stderr` have this shape. */
export interface TerminalOutput {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  write(text: string): unknown
}

/** Options of `createTerminal`. */
export interface TerminalOptions extends PageOptions {
  /** Gets the visible text. */
  readonly stdout: TerminalOutput
  /** Gets everything else. */
  readonly stderr: TerminalOutput
  /** `NO_COLOR` and `TERM=dumb` turn control characters off. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Lines of a growing argument that are shown at most. Default 12. */
  readonly windowLines?: number
  /** Lines that the program itself has printed before, and that stand above. Default 0. */
  readonly linesAbove?: number
  readonly clock?: Clock
  /** The time that is shown on cards, where it is not that of the clock: a recording that is played can stand still. */
  readonly now?: () => number
  /** Stops the generation: the first Ctrl-C. */
  readonly onStop?: () => void
  /** Leaves: the second Ctrl-C. The screen is in order by then. */
  readonly onLeave?: () => void
}

const OPTIONS: KnownOptions<TerminalOptions> = {
  ...PAGE_OPTIONS,
  stdout: 'object',
  stderr: 'object',
  env: 'object',
  windowLines: 'number',
  linesAbove: 'number',
  clock: 'object',
  now: 'function',
  onStop: 'function',
  onLeave: 'function',
}

/** Draws a response in a terminal, and asks for approval there. */
export interface Terminal extends TerminalView {
  /** Asks the person at the terminal, where there is one: for the `approve` of a turn. Reading goes on meanwhile. */
  approve(request: ApprovalRequest): Promise<Approval>
  /** Reads keys, such as those of `process.stdin`, and can ask from then on. Answers what gives the keyboard back. */
  listen(input: KeyInput): () => void
  /** A key that was pressed. Answers whether it meant anything. */
  key(key: string): boolean
  /** Ctrl-C: stops the generation first, and leaves the second time. */
  interrupt(): void
  /** A line at the bottom, or none. */
  status(text: string): void
  /** Draws what is new now, without waiting for the next frame. */
  flush(): void
}

/** 30 frames a second. */
const FRAME = 1000 / 30
/** How often the time on cards goes on. */
const TICK = 100
const FRAMES_BETWEEN_TRIES = 10
/** Windows that are tried where the largest does not fit. */
const SMALLER = [10, 8, 7, 6, 5, 4, 3, 2, 1, 0]

/**
 * Opens a screen on a terminal.
 *
 *     const terminal = createTerminal({ stdout: process.stdout, stderr: process.stderr, env: process.env, tools })
 *     for await (const event of sluice(source, { dialect })) terminal.add(event)
 *     terminal.end()
 */
export function createTerminal(options: TerminalOptions): Terminal {
  checkOptions(options, OPTIONS)
  checkOption('stdout', options.stdout, 'object')
  checkOption('stderr', options.stderr, 'object')
  return new Screen(options)
}

class Screen implements Terminal {
  private readonly options: TerminalOptions
  private readonly clock: Clock
  private readonly page: Page
  private readonly printer: Printer
  private readonly region: Region
  private readonly approvals = new Approvals(() => this.schedule())
  /** The region is drawn, and control characters may be written. */
  private readonly isLive: boolean
  private readonly paper: Paper
  /** What tmux does to a screen that becomes narrower. */
  private readonly isTmux: boolean
  private readonly colour: boolean
  private writes: { readonly output: TerminalOutput; text: string }[] = []
  private lastFrame = Number.NEGATIVE_INFINITY
  private timer: AbortController | null = null
  /** Deltas that came since the last frame: they are read when the next one is drawn. */
  private deltas: TurnEvent[] = []
  /** Something came that is not drawn yet. */
  private isNew = false
  private footer = ''
  private interrupts = 0
  private isOver = false
  /** Lines of each growing text that are tried until everything fits. */
  private readonly windows: readonly number[]
  /** The number of the window that fitted last. */
  private fitting = 0
  private frames = 0
  private askedInLines: ApprovalRequest | null = null

  constructor(options: TerminalOptions) {
    const { stdout, stderr, env = {}, clock = systemClock } = options
    this.options = options
    this.clock = clock
    const most = options.windowLines ?? 12
    this.windows = [most, ...SMALLER.filter((smaller) => smaller < most)]
    const isPlain = Boolean(env.NO_COLOR) || env.TERM === 'dumb'
    const isShared = stdout === stderr || (stdout.isTTY === true && stderr.isTTY === true)
    this.isLive = stderr.isTTY === true && !isPlain
    this.colour = this.isLive
    this.region = new Region(env.TERM_PROGRAM === 'vscode')
    this.isTmux = Boolean(env.TMUX)
    this.paper = new Paper()
    const text = this.outputTo(stdout, isShared ? this.paper : new Paper(), stdout.isTTY === true && !isPlain)
    this.printer = new Printer({ text, rest: this.outputTo(stderr, this.paper, this.colour) })
    this.page = new Page(options, this.isLive)
  }

  private outputTo(output: TerminalOutput, paper: Paper, colour: boolean): PrinterOutput {
    return {
      paper,
      colour,
      write: (text) => {
        paper.lines += text.split('\n').length - 1
        this.write(output, text)
      },
    }
  }

  /** Collects what a frame writes; what goes to one output in a row is one piece. */
  private write(output: TerminalOutput, text: string): void {
    if (text === '') return
    const last = this.writes.at(-1)
    if (last?.output === output) last.text += text
    else this.writes.push({ output, text })
  }

  // ── what comes in ──────────────────────────────────────────────────────────────────────────────

  add(event: TurnEvent): void {
    // No delta says when anything began, so that it does not matter when it is read.
    if ('delta' in event) this.deltas.push(event)
    else {
      this.readDeltas()
      this.page.add(event, this.now())
    }
    this.schedule()
  }

  private readDeltas(): void {
    const { deltas } = this
    if (deltas.length === 0) return
    this.deltas = []
    const now = this.now()
    for (const delta of deltas) this.page.add(delta, now)
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.footer = ''
    this.approvals.close()
    this.readDeltas()
    this.page.end()
    this.timer?.abort()
    this.flush()
  }

  status(text: string): void {
    this.footer = text
    this.schedule()
  }

  approve(request: ApprovalRequest): Promise<Approval> {
    return this.approvals.ask(request)
  }

  listen(input: KeyInput): () => void {
    const release = attendKeys(input, (key) => this.key(key))
    this.approvals.canBeAsked = release !== undefined
    return () => {
      this.approvals.canBeAsked = false
      this.approvals.close()
      release?.()
    }
  }

  key(key: string): boolean {
    if (key === '\x03') {
      this.interrupt()
      return true
    }
    const { current } = this.approvals
    if (key === 'r') {
      this.readDeltas()
      this.page.foldsReasoning = !this.page.foldsReasoning
    } else if (current === undefined) return false
    else if (key === 'y') this.approvals.answer(true, this.clock.now())
    else if (key === 'n') this.approvals.answer(false, this.clock.now())
    else if (key === 'v') this.showWhole(current)
    else return false
    this.schedule()
    return true
  }

  interrupt(): void {
    this.interrupts++
    if (this.interrupts === 1 && this.options.onStop !== undefined) {
      this.status('Stopping. Press Ctrl-C again to exit.')
      this.options.onStop()
      return
    }
    this.end()
    this.options.onLeave?.()
  }

  private now(): number {
    return (this.options.now ?? this.clock.now)()
  }

  // ── frames ─────────────────────────────────────────────────────────────────────────────────────

  /** Draws now, or when the next frame is due. */
  private schedule(): void {
    if (this.isOver) return
    this.isNew = true
    const wait = this.lastFrame + FRAME - this.clock.now()
    if (wait <= 0) this.flush()
    else this.drawIn(wait)
  }

  /**
   * Draws after so long, unless a timer runs already. One that is early, because a frame was drawn meanwhile, waits for the
   * rest: to stop a timer with each frame would cost more than the frame.
   */
  private drawIn(milliseconds: number): void {
    if (this.timer !== null) return
    const timer = new AbortController()
    this.timer = timer
    this.clock.wait(milliseconds, timer.signal).then(
      () => {
        this.timer = null
        if (!this.isNew && this.region.isEmpty) return
        const wait = this.lastFrame + (this.isNew ? FRAME : TICK) - this.clock.now()
        if (wait > 0) this.drawIn(wait)
        else this.flush()
      },
      // Everything is over.
      () => {},
    )
  }

  flush(): void {
    this.readDeltas()
    this.isNew = false
    this.lastFrame = this.clock.now()
    if (!this.isLive) {
      this.printer.print(this.page.blocks, null)
      this.askInLines()
      this.hand()
      return
    }
    const { stderr } = this.options
    const columns = columnsOf(stderr)
    this.printer.print(this.page.blocks, columns)
    const printed = this.writes
    this.writes = []
    const { paper } = this
    const isPrinted = printed.some(({ output }) => output.isTTY === true)
    const erased = isPrinted ? this.region.erase(columns) : ''
    if (erased !== '') this.write(stderr, BEGIN_FRAME + erased)
    for (const { output, text } of printed) this.write(output, text)
    // While a line of text grows, the cursor stands in it.
    const lines = paper.isLineStart ? this.drawn(columns) : []
    const drawn = this.region.draw(lines, columns)
    if (erased !== '') this.write(stderr, drawn + END_FRAME)
    else if (drawn !== '') this.write(stderr, BEGIN_FRAME + drawn + END_FRAME)
    this.hand()
    if (!this.region.isEmpty && !this.isOver) this.drawIn(TICK)
  }

  /** Where nothing is drawn, a question is a line of its own, once. */
  private askInLines(): void {
    const { current } = this.approvals
    if (current === undefined || current === this.askedInLines) return
    this.askedInLines = current
    this.printer.insert(this.approvals.rows(this.clock.now()), Number.POSITIVE_INFINITY)
  }

  private hand(): void {
    const { writes } = this
    this.writes = []
    for (const { output, text } of writes) output.write(text)
  }

  // ── the region ─────────────────────────────────────────────────────────────────────────────────

  /**
   * The rows of what still grows. When tmux breaks rows, it scrolls the first rows of the screen away, even if the last
   * ones are empty. That must not be the region: where more rows may be broken than stand above it, it takes half the
   * width, and none is broken.
   */
  private drawn(columns: number): Line[] {
    const lines = this.drawnIn(columns, columns)
    const above = this.paper.lines + (this.options.linesAbove ?? 0)
    const broken = brokenRows(lines, columns) - lines.length
    return this.isTmux && above < broken ? this.drawnIn(halfOf(columns), columns) : lines
  }

  /** As many rows as the terminal has room for, wrapped at so many of its columns. */
  private drawnIn(columns: number, allColumns: number): Line[] {
    const room = roomFor(this.options.stderr.rows || 24)
    const footer = this.footerRows().flatMap((row) => wrapRow(row, columns))
    const { windows } = this
    // The next frame is mostly like this one: the window that fitted, and now and then the next larger one.
    const isTried = this.frames++ % FRAMES_BETWEEN_TRIES === 0
    for (let index = Math.max(0, this.fitting - (isTried ? 1 : 0)); index < windows.length; index++) {
      const lines = [...this.growing(columns, windows[index]!, room), ...footer]
      this.fitting = index
      if (brokenRows(lines, allColumns) <= room) return lines
    }
    // Not even that fits: the names of the calls, and the end of the rest.
    const question = footer.slice(-room)
    const names = this.growing(columns, null, room)
    const isTooMuch = (): boolean => brokenRows([...names, ...question], allColumns) > room
    const isCut = isTooMuch()
    while (names.length > 0 && isTooMuch()) names.pop()
    if (isCut && names.length > 0) names.splice(-1, 1, new Line([span('⋮', 'dim')]))
    return [...names, ...question]
  }

  /** `window` null: one row for each block. Of a block that has more rows than there is room for, the others are not made. */
  private growing(columns: number, window: number | null, room: number): Line[] {
    const lines: Line[] = []
    const isTextShared = this.options.stdout.isTTY === true
    for (const block of this.page.blocks) {
      if (block.kind === 'text' ? block.isEmpty || !isTextShared : block.isHidden) continue
      const begun = this.printer.rowsOf(block)
      const rows =
        block.kind === 'text'
          ? block.preview(window ?? 1)
          : block.growing(this.now(), window ?? 0, begun, room + 1)
      if (rows.length === 0) continue
      const isFirst = lines.length === 0 ? this.paper.isEmpty || begun > 0 : false
      if (window !== null && !isFirst) lines.push(EMPTY)
      if (window === null) lines.push(throughWindow(rows[0]!, wrapRow(rows[0]!, columns), 0)[0]!)
      else for (const row of rows) lines.push(...throughWindow(row, wrapRow(row, columns), window))
    }
    return lines
  }

  private footerRows(): Row[] {
    const rows = this.approvals.rows(this.clock.now())
    if (this.footer !== '') rows.push({ gutter: span(''), spans: [span(inOneLine(this.footer), 'dim')] })
    return rows
  }

  /** Prints all of a call that is asked about: the card has only a window for it. */
  private showWhole({ toolName, input }: ApprovalRequest): void {
    const text = JSON.stringify(input, null, 2) ?? ''
    const rows: Row[] = [{ gutter: span('▸ ', 'dim'), spans: [span(inOneLine(toolName), 'bold')] }]
    for (const line of text.split('\n'))
      rows.push({ gutter: span('  │ ', 'dim'), spans: [span(inOneLine(line))] })
    const columns = columnsOf(this.options.stderr)
    if (this.isLive) this.write(this.options.stderr, this.region.erase(columns))
    this.printer.insert(rows, columns)
    this.hand()
  }
}

/** A terminal whose size nobody has set says 0. */
function columnsOf({ columns }: TerminalOutput): number {
  return Math.max(2, columns || 80)
}

/**
 * Rows that the region may take when the terminal was made half as wide: half the screen, so that it is still whole on it
 * after the terminal was made half as high at the same time. What has scrolled away cannot be erased.
 */
function roomFor(rows: number): number {
  return Math.max(1, Math.floor(rows / 2))
}

/** Rows that lines take on a terminal that was made half as wide, and has broken those that are wider in two. */
function brokenRows(lines: readonly Line[], columns: number): number {
  const half = halfOf(columns)
  let rows = 0
  for (const { width } of lines) rows += width > half ? 2 : 1
  return rows
}

const EMPTY = new Line([])

/** The end of a line that takes more rows than the window has. */
function throughWindow({ gutter, isText }: Row, lines: readonly Line[], window: number): readonly Line[] {
  const most = Math.max(1, window)
  if (!isText || lines.length <= most) return lines
  if (most < 3) return lines.slice(-most)
  return [new Line([{ ...gutter, text: gutter.text.replace(/\S/, '⋮').trimEnd() }]), ...lines.slice(1 - most)]
}

function halfOf(columns: number): number {
  return Math.max(2, Math.floor(columns / 2))
}
