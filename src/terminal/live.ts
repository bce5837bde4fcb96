/**
 * A response as a person at a terminal sees it: text as it comes, reasoning behind a gutter, and calls whose
 * arguments grow line by line.
 *
 * It only ever appends, so it works on a terminal, in a pipe and in a log alike. Calls that interleave are
 * shown one after the other: the page belongs to one of them, and the events of the others are queued.
 */

import { createToolTable, type ToolDefinitions, type ToolTable } from '../calls/tools.ts'
import { withArguments } from '../calls/with-arguments.ts'
import type { SluiceEvent, ToolCall } from '../event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../options.ts'
import { CallBlock, inOneLine } from './call-block.ts'
import { Lines, type LinesOptions } from './lines.ts'
import { Page } from './page.ts'

export interface TerminalViewOptions {
  /** Colours; without them the view writes no control characters but newlines. */
  readonly colour: boolean
  readonly write: (text: string) => void
  /** Which argument of a tool is shown while it grows (`streams`), and which are its headline (`headlines`). */
  readonly tools?: ToolDefinitions
}

const OPTIONS: KnownOptions<TerminalViewOptions> = { colour: 'boolean', write: 'function', tools: 'any' }

export interface TerminalView {
  add(event: SluiceEvent): void
  /** Nothing more will come; the line that was being written is ended. */
  end(): void
}

/**
 * Shows events to a person. Arguments are shown while they grow if the parser emits them.
 *
 *     const view = createTerminalView({ colour: true, write: (text) => process.stdout.write(text) })
 *     for await (const event of sluice(source, { dialect, emit: { arguments: true } })) view.add(event)
 *     view.end()
 */
export function createTerminalView(options: TerminalViewOptions): TerminalView {
  checkOptions(options, OPTIONS)
  checkOption('write', options.write, 'function')
  return new LiveView(options)
}

/** The block that writes to the page, and the source of its events. */
interface Writer {
  readonly owner: string
  readonly block: Lines | CallBlock
}

const NO_OWNER = ''

class LiveView implements TerminalView {
  private readonly page: Page
  private readonly tools: ToolTable
  private writer: Writer | null = null
  /** Events by the owner they belong to, in the order in which the owners came. */
  private readonly queues = new Map<string, SluiceEvent[]>()
  /** Remarks wait for the end of the block they would otherwise cut in two. */
  private remarks: string[] = []
  private lastIsRemark = false
  private hasFailed = false

  constructor({ colour, write, tools }: TerminalViewOptions) {
    this.page = new Page(write, colour)
    this.tools = createToolTable(tools)
  }

  readonly add = withArguments((event) => this.take(event))

  private take(event: SluiceEvent): void {
    if (event.type === 'diagnostic') this.remark(`${event.code}: ${event.message}`)
    else if (event.type === 'finish' || event.type === 'error') {
      this.clearPage()
      this.perform(event)
    } else this.offer(event)
    this.page.flush()
  }

  end(): void {
    this.clearPage()
    this.page.startLine()
    this.page.flush()
  }

  // ── the order of blocks ────────────────────────────────────────────────────────────────────────

  private offer(event: SluiceEvent): void {
    const owner = ownerOf(event)
    if (this.writer === null || this.writer.owner === owner) this.perform(event)
    else if (this.queues.has(owner)) this.queues.get(owner)!.push(event)
    else this.queues.set(owner, [event])
    while (this.writer === null && this.queues.size > 0) this.performNext()
  }

  /** The owner that waits longest gets the page, at least for its queued events. */
  private performNext(): void {
    const [owner, events] = this.queues.entries().next().value!
    this.queues.delete(owner)
    for (const event of events) this.perform(event)
  }

  private enter(owner: string, block: Lines | CallBlock): void {
    this.writer = { owner, block }
  }

  private leave(): void {
    if (this.writer?.block instanceof Lines) this.writer.block.end()
    else this.writer?.block.leave()
    this.writer = null
    this.printRemarks()
  }

  /** Everyone leaves, because nothing more will come. */
  private clearPage(): void {
    this.leave()
    while (this.queues.size > 0) {
      this.performNext()
      this.leave()
    }
  }

  // ── what is shown ──────────────────────────────────────────────────────────────────────────────

  private perform(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-start':
      case 'text-delta':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'tool-result-start':
      case 'tool-result-delta':
        this.showLines(event)
        break
      case 'text-end':
      case 'reasoning-end':
        this.leave()
        break
      case 'tool-result-end':
        if (event.isError) this.showFailure()
        this.leave()
        break
      case 'tool-input-start':
        this.enter(ownerOf(event), this.openCall(event.toolName))
        break
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end':
        this.showArgument(event)
        break
      case 'tool-call':
        this.showVerdict(event)
        break
      case 'custom':
        this.remark(`custom: ${event.kind}`)
        break
      case 'error':
        this.hasFailed = true
        this.statement(`✗ The stream failed: ${event.error.message}`)
        break
      case 'finish':
        if (UNUSUAL_ENDS.has(event.reason) && !this.hasFailed) this.remark(`ended: ${event.reason}`)
        break
    }
  }

  private showLines(event: LinesEvent): void {
    if (this.writer === null) this.enter(ownerOf(event), this.openLines(event))
    if ('delta' in event && this.writer?.block instanceof Lines) this.writer.block.add(event.delta)
  }

  private openLines(event: LinesEvent): Lines {
    const startBlock = (): void => this.startBlock()
    if (event.type === 'text-start' || event.type === 'text-delta')
      return new Lines(this.page, { ...PROSE, gutter: '', style: 'plain', open: startBlock })
    if (event.type === 'reasoning-start' || event.type === 'reasoning-delta')
      return new Lines(this.page, { ...PROSE, gutter: '┊ ', style: 'dim', open: startBlock })
    const toolName = event.type === 'tool-result-start' ? event.toolName : undefined
    const open = (): void => {
      this.startBlock()
      this.page.print(toolName === undefined ? '◂ result' : `◂ result of ${inOneLine(toolName)}`, 'dim')
      this.page.newline()
    }
    return new Lines(this.page, { ...PROSE, gutter: '  │ ', style: 'dim', open })
  }

  private showFailure(): void {
    this.page.startLine()
    this.page.print('  ✗ the tool failed', 'red')
  }

  private openCall(toolName: string): CallBlock {
    this.lastIsRemark = false
    return new CallBlock(this.page, toolName, this.tools.get(toolName))
  }

  /** Only the arguments themselves; what lies deeper is shown with the argument it is part of. */
  private showArgument(event: SluiceEvent & { type: `argument-${string}` }): void {
    const block = this.writer?.block
    if (!(block instanceof CallBlock) || event.path.length !== 1) return
    const key = String(event.path[0])
    if (event.type === 'argument-start') block.start(key)
    else if (event.type === 'argument-delta') block.grow(key, event.delta)
    else block.complete(key, event.value)
  }

  private showVerdict(call: ToolCall): void {
    const block = this.writer?.block instanceof CallBlock ? this.writer.block : this.openCall(call.toolName)
    block.verdict(call)
    // The verdict has reported it already.
    this.remarks = this.remarks.filter(
      (remark) => call.error === undefined || !remark.endsWith(call.error.message),
    )
    this.leave()
  }

  private startBlock(): void {
    this.page.startBlock()
    this.lastIsRemark = false
  }

  private statement(text: string): void {
    this.startBlock()
    this.page.print(inOneLine(text), 'red')
  }

  private remark(text: string): void {
    this.remarks.push(text)
    if (this.writer === null) this.printRemarks()
  }

  private printRemarks(): void {
    for (const remark of this.remarks) {
      if (this.lastIsRemark) this.page.startLine()
      else this.page.startBlock()
      this.lastIsRemark = true
      this.page.print(`· ${inOneLine(remark)}`, 'dim')
    }
    this.remarks = []
  }
}

type LinesEvent = SluiceEvent & {
  type: `${'text' | 'reasoning' | 'tool-result'}-${'start' | 'delta'}`
}

/** Escape sequences in prose are decoration at best; a person loses nothing by not seeing them. */
const PROSE: Pick<LinesOptions, 'sanitise' | 'trims'> = { sanitise: 'strip', trims: true }

const UNUSUAL_ENDS: ReadonlySet<string> = new Set(['length', 'content-filter', 'error', 'aborted'])

/** Events of one owner stand together on the page. Ids are unique among their own kind only. */
function ownerOf(event: SluiceEvent): string {
  if (!('id' in event) || event.id === undefined) return NO_OWNER
  if (event.type.startsWith('text-')) return `text ${event.id}`
  if (event.type.startsWith('reasoning-')) return `reasoning ${event.id}`
  return event.type.startsWith('tool-result-') ? `result ${event.id}` : `call ${event.id}`
}
