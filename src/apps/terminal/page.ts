/**
 * The page that events add up to: a list of blocks in the order in which they began. A block that is over does not
 * change any more, and the page of a finished message is the same however and whenever its events came. Where it is only
 * appended to, what was printed of a call that failed stays.
 *
 * Remarks come when the response is over, behind everything it said.
 */

import type { Diagnostic, SluiceEvent, ToolCall } from '../../base/event.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../../engine/calls/tools.ts'
import { withArguments } from '../../engine/calls/with-arguments.ts'
import { textOfContent } from '../../turn/tool-output.ts'
import { isSluiceEvent, type TurnEvent } from '../../turn/turn-event.ts'
import { Card } from './card.ts'
import { inOneLine } from './card-arguments.ts'
import { type Block, CardBlock, LinesBlock, NotesBlock, TextBlock } from './page-block.ts'
import { type Row, span } from './row.ts'
import { type Displays, displayOf } from './tool-display.ts'

/** How the text, the reasoning and the calls of a response look in a terminal. */
export interface PageOptions {
  /** Which argument of a tool is shown while it grows (`streams`), and which are its headline (`headlines`). */
  readonly tools?: ToolDefinitions
  /** How the calls of each tool are shown. */
  readonly display?: Displays
  /** Reasoning is one row when it is over, which says how much there was. Default false. */
  readonly foldReasoning?: boolean
}

const UNUSUAL_ENDS: ReadonlySet<string> = new Set(['length', 'content-filter', 'error', 'aborted'])

export class Page {
  /** Those that are not committed yet, oldest first. */
  readonly blocks: Block[] = []
  foldsReasoning: boolean
  private readonly isRedrawn: boolean
  private readonly tools: ToolTable
  private readonly displays: Displays | undefined
  /** Blocks of text that still grow, by channel and id. */
  private readonly open = new Map<string, TextBlock | LinesBlock>()
  private readonly cards = new Map<string, CardBlock>()
  private diagnostics: Diagnostic[] = []
  private remarks: string[] = []
  private failure: string | null = null
  /** Messages that stand on a card already. */
  private readonly saidByCards = new Set<string>()
  /** A turn runs the calls, so that a verdict is not the end of a card. */
  private isTurn = false
  private now = 0

  /** `isRedrawn`: a card is printed when it is over, and not as it grows. */
  constructor(options: PageOptions, isRedrawn: boolean) {
    this.isRedrawn = isRedrawn
    this.tools = createToolTable(options.tools)
    this.displays = options.display
    this.foldsReasoning = options.foldReasoning ?? false
  }

  /** `now`: the time at which the event came, for what is shown of cards while they grow. */
  add(event: TurnEvent, now: number): void {
    this.now = now
    if (isSluiceEvent(event)) this.take(event)
    else this.turn(event)
  }

  /** Nothing more will come. */
  end(): void {
    this.closeTexts()
    for (const { card } of this.cards.values()) card.close()
    this.cards.clear()
    this.note()
  }

  /** The calls that someone is asked about, in order. */
  get asked(): readonly Card[] {
    return [...this.cards.values()].flatMap(({ card }) => (card.state === 'asking' ? [card] : []))
  }

  private readonly take = withArguments((event) => this.show(event))

  private show(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'tool-result-start':
        this.begin(event)
        break
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-result-delta':
        ;(this.open.get(keyOf(event)) ?? this.begin(event))?.push(event.delta)
        break
      case 'text-end':
      case 'reasoning-end':
      case 'tool-result-end': {
        const block = this.open.get(keyOf(event))
        if (event.type === 'tool-result-end' && event.isError && block instanceof LinesBlock) block.fail()
        block?.end()
        this.open.delete(keyOf(event))
        break
      }
      case 'tool-input-start':
        this.cardOf(event)
        break
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end':
        this.argument(event)
        break
      case 'tool-call':
        this.judge(event)
        break
      case 'custom':
        this.remarks.push(`custom: ${event.kind}`)
        break
      case 'diagnostic':
        this.diagnostics.push(event)
        break
      case 'error':
        this.failure = event.error.message
        break
      case 'finish':
        this.finish(event.reason)
        break
    }
  }

  private begin(event: SluiceEvent & { readonly id: string }): TextBlock | LinesBlock | undefined {
    // A turn has shown the result on the card of its call.
    if (this.isTurn && event.type.startsWith('tool-result-') && this.cards.has(event.id)) return undefined
    const block = this.blockFor(event)
    this.open.get(keyOf(event))?.end()
    this.open.set(keyOf(event), block)
    this.blocks.push(block)
    return block
  }

  private blockFor(event: SluiceEvent): TextBlock | LinesBlock {
    if (event.type === 'text-start' || event.type === 'text-delta') return new TextBlock()
    if (event.type === 'reasoning-start' || event.type === 'reasoning-delta')
      return new LinesBlock({ kind: 'reasoning', isFolded: this.foldsReasoning })
    const toolName = event.type === 'tool-result-start' ? (event.toolName ?? '') : ''
    const { results = 'full', hidden = false } = displayOf(this.displays, toolName)
    return new LinesBlock({ kind: 'result', toolName, results: hidden ? 'hidden' : results })
  }

  private cardOf({ id, toolName }: { readonly id: string; readonly toolName: string }): CardBlock {
    const known = this.cards.get(id)
    if (known !== undefined) return known
    const display = displayOf(this.displays, toolName)
    const block = new CardBlock(new Card({ id, toolName }, this.tools.get(toolName) ?? {}, display, this.now))
    this.cards.set(id, block)
    this.blocks.push(block)
    return block
  }

  /** Only the arguments themselves; what lies deeper is shown with the argument it is part of. */
  private argument(event: SluiceEvent & { type: `argument-${string}` }): void {
    const card = this.cards.get(event.id)?.card
    if (card === undefined || card.state !== 'receiving' || event.path.length !== 1) return
    const key = String(event.path[0])
    if (event.type === 'argument-start') card.arguments.start(key)
    else if (event.type === 'argument-delta') card.arguments.grow(key, event.delta)
    else card.arguments.complete(key, event.value)
  }

  private judge(call: ToolCall): void {
    const { card } = this.cardOf(call)
    card.judge(call, this.isRedrawn)
    if (call.error !== undefined) this.saidByCards.add(call.error.message)
    if (!this.isTurn || call.providerExecuted) card.close()
  }

  private finish(reason: string): void {
    this.closeTexts()
    for (const { card } of this.cards.values())
      if (!this.isTurn || card.state === 'receiving' || card.state === 'judged') card.close()
    if (UNUSUAL_ENDS.has(reason) && this.failure === null) this.remarks.push(`ended: ${reason}`)
    this.note()
  }

  private closeTexts(): void {
    for (const block of this.open.values()) block.end()
    this.open.clear()
  }

  /** What there is to say about the response as a whole. */
  private note(): void {
    if (this.failure !== null)
      this.blocks.push(new NotesBlock([statement(`✗ The stream failed: ${this.failure}`)]))
    const said = [...this.saidByCards]
    const diagnostics = this.diagnostics
      .filter(({ message }) => !said.some((words) => message.endsWith(words)))
      .map(({ code, message }) => `${code}: ${message}`)
    const remarks = [...diagnostics, ...this.remarks].map(remark)
    if (remarks.length > 0) this.blocks.push(new NotesBlock(remarks))
    this.failure = null
    this.diagnostics = []
    this.remarks = []
    this.saidByCards.clear()
  }

  // ── the events of a turn ───────────────────────────────────────────────────────────────────────

  private turn(event: Exclude<TurnEvent, SluiceEvent>): void {
    switch (event.type) {
      case 'round-start':
        this.isTurn = true
        for (const { card } of this.cards.values()) card.close()
        this.cards.clear()
        break
      case 'retry':
        this.remarks.push(`sent again after ${event.delayMs} ms: ${event.error.message}`)
        this.note()
        break
      case 'turn-finish':
        if (event.error !== undefined) this.failure = event.error.message
        else if (event.reason !== 'stop') this.remarks.push(`the turn ended: ${event.reason}`)
        this.end()
        break
      case 'calls-waiting':
        for (const { id } of event.calls) this.cards.get(id)?.card.run(this.now)
        break
      default:
        if ('id' in event) this.call(event)
    }
  }

  private call(event: Extract<TurnEvent, { type: `call-${string}` }>): void {
    const { card } = this.cardOf(event)
    switch (event.type) {
      case 'call-requested':
      case 'call-approved':
        card.state = 'queued'
        break
      case 'call-approval-needed':
        card.ask(
          [event.isGuess ? 'what it means was guessed' : '', event.reason ?? ''].filter(Boolean).join(', '),
        )
        break
      case 'call-started':
        card.run(this.now)
        break
      case 'call-progress':
        card.progress(
          typeof event.progress === 'string' ? event.progress : (JSON.stringify(event.progress) ?? ''),
        )
        break
      case 'call-succeeded':
        card.succeed(textOfContent(event.content))
        break
      default:
        card.fail(ENDS[event.type], event.reason)
    }
  }
}

/** What is said of a call that ended badly, or was not run. */
const ENDS = {
  'call-failed': 'failed',
  'call-timed-out': 'timed out',
  'call-denied': 'denied',
  'call-cancelled': 'cancelled',
} as const

/** Ids are unique among their own kind only. */
function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type.slice(0, type.lastIndexOf('-'))} ${id}`
}

const remark = (text: string): Row => ({
  gutter: span('· ', 'dim'),
  hanging: span('  '),
  spans: [span(inOneLine(text), 'dim')],
  isProse: true,
})

const statement = (text: string): Row => ({
  gutter: span(''),
  spans: [span(inOneLine(text), 'red')],
  isProse: true,
})
