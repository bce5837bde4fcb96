/**
 * The parser of the prefill mode under its published name: text with tags in, chunks and block events out.
 *
 * It holds no grammar of its own. The text is read by the engine with the dialect `function-calls`, or another
 * one, and what that says is shown as blocks.
 */

import { functionCalls } from '../../../dialects/function-calls.ts'
import { createSinkParser, type ParserOptions, type SinkParser } from '../../../engine/parser.ts'
import { type BlocksView, createBlocksView } from './blocks-view.ts'
import type { BlockEvent, ChunkMeta, ChunkType } from './types.ts'

/** What a piece of text gave. A chunk belongs between the start and the end of the block with its index. */
export interface ParsedChunk {
  readonly content: ParsedContent[]
  readonly blockEvents: BlockEvent[]
}

interface ParsedContent {
  readonly text: string
  readonly meta: ChunkMeta
}

/**
 *     const parser = new IncrementalXmlParser()
 *     parser.processChunk('Hello <thin').content          // 'Hello ', visible
 *     parser.processChunk('king>hm</thinking>').content   // 'hm', not visible
 *     parser.flush()
 *
 * The options are those of any parser: `start` where the prefill has opened something, `stop`, `tools` and so on.
 */
export class IncrementalXmlParser {
  private readonly options: ParserOptions
  private readonly view: BlocksView
  private parser: SinkParser | null
  private content: ParsedContent[] | null = null
  private blockEvents: BlockEvent[] | null = null
  private ids = 0

  constructor(options: ParserOptions = {}) {
    this.view = createBlocksView({
      escapedResults: true,
      // Most pieces give one chunk, and a list that is made with it is smaller than one that grows.
      onChunk: (text, meta) => {
        if (this.content === null) this.content = [{ text, meta }]
        else this.content.push({ text, meta })
      },
      onBlock: (event) => {
        this.blockEvents ??= []
        this.blockEvents.push(event)
      },
    })
    // Ids stay distinct over several responses.
    this.options = {
      dialect: functionCalls,
      start: 'text',
      generateId: (kind) => `${kind}-${++this.ids}`,
      ...options,
    }
    this.parser = this.open(this.options)
  }

  private open(options: ParserOptions): SinkParser {
    return createSinkParser((event) => this.view.add(event), options)
  }

  /** Reads a piece of the response. */
  processChunk(chunk: string): ParsedChunk {
    // After a flush another response begins, and nothing is prefilled any more.
    this.parser ??= this.open({ ...this.options, start: 'text' })
    this.parser.push(chunk)
    return this.taken()
  }

  /** Reads a piece where only the blocks matter, such as results that were written into the prompt. */
  push(chunk: string): BlockEvent[] {
    return this.processChunk(chunk).blockEvents
  }

  /** The response is over: what was held back is text, and the open block is complete. */
  flush(): ParsedChunk {
    this.parser?.end()
    this.parser = null
    return this.taken()
  }

  getCurrentBlockType(): ChunkType {
    return this.view.blockType ?? 'text'
  }

  /** 1 inside a call or a result, 0 outside. */
  getToolDepth(): number {
    const type = this.getCurrentBlockType()
    return type === 'tool_call' || type === 'tool_result' ? 1 : 0
  }

  /** The block that is open, or else the next one. */
  getBlockIndex(): number {
    return this.view.blockIndex
  }

  /** Inside a thought, a call or a result: what comes is not for a person. */
  isInsideBlock(): boolean {
    return this.getCurrentBlockType() !== 'text'
  }

  private taken(): ParsedChunk {
    const { content, blockEvents } = this
    this.content = null
    this.blockEvents = null
    return { content: content ?? [], blockEvents: blockEvents ?? [] }
  }
}
