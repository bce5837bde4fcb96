/**
 * Events as blocks: the two callbacks, the same whatever wire the events came over.
 *
 *     block_start 0 text · "Let me " · "check." · block_complete 0 · block_start 1 tool_call · …
 *
 * One block is open at a time, and blocks are counted over all responses that are added: a turn with tools is
 * one sequence. Where a provider lets its calls interleave, one of them has its turn and the others wait.
 */

import type { SluiceEvent, TextDelta, ToolCall } from '../../../base/event.ts'
import { FIXED_LIMITS } from '../../../base/limits.ts'
import { checkOptions, type KnownOptions, wrongOption } from '../../../base/options.ts'
import { Rope } from '../../../base/rope.ts'
import { stringify } from '../../../values/numbers/stringify.ts'
import { Block, type Opening } from './block.ts'
import { textOfResult } from './tool-result.ts'
import type { ChunkMeta, MembraneBlockType, OnChunkCallback, StreamOptions, ToolResult } from './types.ts'

/** Options of `createBlocksView`. */
export interface BlocksViewOptions
  extends Pick<StreamOptions, 'onChunk' | 'onBlock' | 'onContentBlockUpdate'> {
  /** Each block is one chunk: for responses that came whole. */
  readonly whole?: boolean
  /** The results are read from text in which `formatToolResultsXml` has escaped them. */
  readonly escapedResults?: boolean
}

const OPTIONS: KnownOptions<BlocksViewOptions> = {
  onChunk: 'function',
  onBlock: 'function',
  onContentBlockUpdate: 'function',
  whole: 'boolean',
  escapedResults: 'boolean',
}

const LOOP_OPTIONS: ReadonlySet<string> = new Set<Exclude<keyof StreamOptions, keyof BlocksViewOptions>>([
  'onToolCalls',
  'onPreToolContent',
  'onUsage',
  'maxToolDepth',
  'toolTimeoutMs',
])

/** Shows events as blocks. */
export interface BlocksView {
  add(event: SluiceEvent): void
  /** A tool's answer, as one block. */
  addResult(result: ToolResult): void
  /** Nothing more comes: what is still open is complete as it is. A `finish` event does the same. */
  end(): void
  /** The block that is open, or else the next one. */
  readonly blockIndex: number
  /** What the open block is; nothing between two blocks. */
  readonly blockType: MembraneBlockType | undefined
}

/**
 * Turns events into blocks and chunks.
 *
 *     const view = createBlocksView({ onChunk: (chunk, meta) => meta.visible && show(chunk) })
 *     for await (const event of sluice(source, { dialect })) view.add(event)
 */
export function createBlocksView(options: BlocksViewOptions): BlocksView {
  for (const name of Object.keys(Object(options)))
    if (LOOP_OPTIONS.has(name))
      throw wrongOption(
        `'${name}' is for runTurn of 'sluice/turn', which sends requests and runs tools; a view of blocks only takes ${Object.keys(OPTIONS).join(', ')}.`,
      )
  checkOptions(options, OPTIONS)
  return new TurnOfBlocks(options)
}

const ignoreChunk: OnChunkCallback = () => {}

class TurnOfBlocks implements BlocksView {
  private readonly options: BlocksViewOptions
  private readonly onChunk: OnChunkCallback
  private readonly isStreaming: boolean
  private readonly keepsContent: boolean
  private next = 0
  /** The block whose chunks are emitted now. */
  private open: Block | null = null
  /** Blocks that wait, in the order of their starts; beyond the limit, open blocks besides the first. */
  private readonly others = new Set<Block>()
  /** Those of them that still grow, by what they are and their id. */
  private readonly growing = new Map<string, Block>()
  private waiting = 0
  /** The tools of the calls that results may still answer: of this response, and of the one before. */
  private tools = new Map<string, string>()
  private toolsBefore = new Map<string, string>()

  constructor(options: BlocksViewOptions) {
    this.options = options
    this.onChunk = options.onChunk ?? ignoreChunk
    this.isStreaming = !(options.whole ?? false)
    this.keepsContent = options.onBlock !== undefined || options.onContentBlockUpdate !== undefined
  }

  get blockIndex(): number {
    return this.open?.index ?? this.next
  }

  get blockType(): MembraneBlockType | undefined {
    return this.open?.type
  }

  add(event: SluiceEvent): void {
    const { open } = this
    // Nearly all events are the next piece of the open block, and this is all that they cost.
    if (open !== null && event.type === open.delta && this.isStreaming && isOf(event, open.id)) {
      if (event.delta !== '') this.emitChunk(open, event.delta)
      return
    }
    switch (event.type) {
      // Text begins with its first character.
      case 'text-delta':
        this.grow('text', event.id, event.delta)
        break
      case 'reasoning-delta':
        this.grow('thinking', event.id, event.delta)
        break
      case 'tool-input-delta':
        this.grow('tool_call', event.id, event.delta)
        break
      case 'tool-result-delta':
        this.grow('tool_result', event.id, event.delta)
        break
      case 'text-end':
        this.close('text', event.id)
        break
      case 'reasoning-start':
        this.begin('thinking', event)
        break
      case 'reasoning-end':
        this.close('thinking', event.id)
        break
      case 'tool-input-start':
        this.tools.set(event.id, event.toolName)
        this.begin('tool_call', event)
        break
      case 'tool-call':
        this.judge(event)
        break
      case 'tool-result-start':
        this.beginResult(event, this.options.escapedResults)
        break
      case 'tool-result-end':
        this.close('tool_result', event.id, event.isError)
        break
      case 'finish':
        this.end()
        this.toolsBefore = this.tools
        this.tools = new Map()
        break
    }
  }

  addResult(result: ToolResult): void {
    const { toolUseId: id, isError } = result
    const delta = textOfResult(result)
    this.beginResult({ id, ...(isError && { isError }) })
    this.grow('tool_result', id, delta)
    this.close('tool_result', id)
  }

  private beginResult(opening: Opening, isEscaped = false): void {
    this.begin('tool_result', {
      ...opening,
      toolName: opening.toolName ?? this.toolOf(opening.id),
      isEscaped,
    })
  }

  end(): void {
    for (const block of this.others) block.isOver = true
    this.growing.clear()
    if (this.open !== null) this.finish(this.open)
  }

  private toolOf(id: string): string | undefined {
    return this.tools.get(id) ?? this.toolsBefore.get(id)
  }

  // ── what events do to blocks ───────────────────────────────────────────────────────────────────

  private begin(type: MembraneBlockType, opening: Opening): Block {
    const block = new Block(type, opening, this.keepsContent)
    if (this.open === null) this.start(block)
    else {
      this.others.add(block)
      this.growing.set(keyOf(block), block)
    }
    return block
  }

  private find(type: MembraneBlockType, id: string): Block | undefined {
    const { open } = this
    if (open !== null && open.id === id && open.type === type) return open
    return this.growing.size === 0 ? undefined : this.growing.get(keyOf({ type, id }))
  }

  private grow(type: MembraneBlockType, id: string, delta: string): void {
    if (delta === '') return
    const block = this.find(type, id) ?? this.begin(type, { id })
    this.append(block, block.entities?.push(delta) ?? delta)
  }

  private append(block: Block, delta: string): void {
    if (delta === '') return
    if (block.index !== -1 && this.isStreaming) this.emitChunk(block, delta)
    else this.hold(block, delta)
  }

  private emitChunk(block: Block, delta: string): void {
    block.hasInput = true
    if (block.content !== null) block.content.add(delta)
    this.onChunk(delta, block.meta)
  }

  private hold(block: Block, delta: string): void {
    block.hasInput = true
    block.content?.add(delta)
    block.buffered ??= new Rope()
    block.buffered.add(delta)
    if (block === this.open || !this.isStreaming) return
    this.waiting += delta.length
    if (this.waiting > FIXED_LIMITS.blocksWaiting) this.interleave()
  }

  private judge(call: ToolCall): void {
    this.tools.set(call.id, call.toolName)
    const block = this.find('tool_call', call.id) ?? this.begin('tool_call', call)
    block.verdict = call
    // Without JSON text among the events, the input comes in one piece.
    if (!block.hasInput && call.input !== null && call.error === undefined)
      this.grow('tool_call', call.id, stringify(call.input))
    this.finish(block)
  }

  private close(type: MembraneBlockType, id: string, isError = false): void {
    const block = this.find(type, id)
    if (block === undefined) return
    if (isError) block.isError = true
    this.append(block, block.entities?.end() ?? '')
    this.finish(block)
  }

  private finish(block: Block): void {
    block.isOver = true
    if (block !== this.open) this.growing.delete(keyOf(block))
    if (block !== this.open && block.index === -1) return
    this.complete(block)
    for (const next of this.others) {
      if (this.open !== null) break
      this.others.delete(next)
      if (this.growing.get(keyOf(next)) === next) this.growing.delete(keyOf(next))
      if (this.isStreaming) this.waiting -= next.buffered?.length ?? 0
      if (next.index === -1) this.start(next)
      else this.open = next
      if (next.isOver) this.complete(next)
    }
  }

  // ── callbacks ──────────────────────────────────────────────────────────────────────────────────

  private start(block: Block): void {
    this.open = block
    this.announce(block)
  }

  private announce(block: Block): void {
    const { type, id, toolName } = block
    block.take(this.next++)
    const { index, meta } = block
    this.options.onBlock?.({ event: 'block_start', index, block: { type } })
    this.options.onContentBlockUpdate?.(index, { type })
    if (type === 'tool_call') {
      const part = (toolCallPart: 'name' | 'id'): ChunkMeta => ({ ...meta, toolCallPart })
      if (toolName !== undefined && toolName !== '') this.onChunk(toolName, part('name'))
      if (id !== '') this.onChunk(id, part('id'))
    }
    if (this.isStreaming) this.flush(block)
  }

  private flush(block: Block): void {
    const { buffered } = block
    block.buffered = null
    if (buffered !== null) this.onChunk(buffered.toString(), block.meta)
  }

  private complete(block: Block): void {
    if (this.open === block) this.open = null
    else this.others.delete(block)
    this.flush(block)
    if (!this.keepsContent) return
    const { index } = block
    const whole = block.whole()
    this.options.onBlock?.({ event: 'block_complete', index, block: whole })
    this.options.onContentBlockUpdate?.(index, whole)
  }

  /** The limit of the waiting text is reached: from now on blocks interleave. */
  private interleave(): void {
    this.waiting = 0
    for (const block of [...this.others]) {
      if (block.index !== -1) continue
      this.announce(block)
      if (block.isOver) this.complete(block)
    }
  }
}

/** The one cast that the compiler cannot be spared: the type of the event was compared already. */
function isOf(event: SluiceEvent, id: string): event is TextDelta {
  return (event as TextDelta).id === id
}

/** Ids are unique among their own kind only. */
function keyOf({ type, id }: Pick<Block, 'type' | 'id'>): string {
  return `${type} ${id}`
}
