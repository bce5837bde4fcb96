/** The published names of blocks: the arguments of the callbacks. */

import type { ToolCall, Usage } from '../../../base/event.ts'
import type { Part } from '../../../base/part.ts'

/** What a block is: text for a person, a thought, a call, or a tool's answer. */
export type MembraneBlockType = 'text' | 'thinking' | 'tool_call' | 'tool_result'

/** The kind of block that a chunk belongs to. */
export type ChunkType = MembraneBlockType

/** What is known of a chunk. All chunks of one part of a block share one object. */
export interface ChunkMeta {
  readonly type: ChunkType
  /** Only text is: `if (meta.visible) speak(chunk)`. */
  readonly visible: boolean
  /** 1 inside a call or a result, 0 outside. */
  readonly depth?: number
  /** The block, counted from 0 over the whole turn. */
  readonly blockIndex: number
  /** Which part of a call this is: its name and its id come whole, its input as pieces of JSON text. */
  readonly toolCallPart?: 'name' | 'id' | 'input'
  readonly toolId?: string
  readonly toolName?: string
}

/** A whole block. */
export interface MembraneBlock {
  readonly type: MembraneBlockType
  /** All chunks of a text, a thought or a result, joined. */
  readonly content?: string
  /** The call, or the call that a result answers. */
  readonly toolId?: string
  readonly toolName?: string
  /** The input of a call that may run. A call that was cut off or is not valid has none. */
  readonly input?: Readonly<Record<string, unknown>>
  /** The tool failed, or this call must not run. */
  readonly isError?: boolean
  /** Why the call must not run, in words for the model. */
  readonly error?: string
  /** The provider runs this call itself. */
  readonly providerExecuted?: boolean
}

/** Where a block begins and where it ends. What comes in between goes to `onChunk`. */
export type BlockEvent =
  | {
      readonly event: 'block_start'
      readonly index: number
      readonly block: { readonly type: MembraneBlockType }
    }
  | { readonly event: 'block_complete'; readonly index: number; readonly block: MembraneBlock }

/** Gets each piece of text, and the block it belongs to. */
export type OnChunkCallback = (chunk: string, meta: ChunkMeta) => void

/** Is told when a block begins and when it is complete. */
export type OnBlockCallback = (event: BlockEvent) => void

/**
 * A block began, or is complete.
 *
 * @deprecated `onBlock` says which of the two it is, and `onChunk` what comes in between.
 */
export type OnContentBlockCallback = (index: number, block: MembraneBlock) => void

/** A tool's answer to a call. */
export interface ToolResult {
  /** The id of the call. */
  readonly toolUseId: string
  /** Text as it is, anything else as JSON. A promise is awaited until the time of its call is up. */
  readonly content: unknown
  readonly isError?: boolean
}

/** A call that is to run: checked against the schema of its tool, and approved. */
export interface ApprovedToolCall extends ToolCall {
  readonly name: string
}

/** Where a turn stands when its tools are to run. */
export interface ToolContext {
  /** What the model wrote in this response, with the markers of thoughts and calls where it writes them in text. */
  readonly rawText: string
  /** The visible text before the first call of this response. */
  readonly preamble: string
  /**
   * The same of all responses of the turn, up to and with this one. Where the model writes its calls in text, the results
   * of earlier rounds stand between them, as the model reads them.
   */
  readonly accumulated: string
  /** The parts of this response, with everything that its provider wants back, such as signatures. */
  readonly roundContent: readonly Part[]
  /** Fires when the turn is aborted, or the time is up. */
  readonly signal: AbortSignal
  /** How many rounds of tools there were before this one. */
  readonly depth: number
  readonly previousResults: readonly ToolResult[]
}

/**
 * The options of a turn. `onChunk`, `onBlock` and `onContentBlockUpdate` are all that a view of blocks calls;
 * the others are for the code that runs the tools.
 */
export interface StreamOptions {
  readonly onChunk?: OnChunkCallback
  readonly onBlock?: OnBlockCallback
  /** @deprecated Use `onBlock` and `onChunk`. */
  readonly onContentBlockUpdate?: OnContentBlockCallback
  readonly onToolCalls?: (
    calls: readonly ApprovedToolCall[],
    context: ToolContext,
  ) => readonly ToolResult[] | Promise<readonly ToolResult[]>
  readonly onPreToolContent?: (content: string) => void | Promise<void>
  readonly onUsage?: (usage: Usage) => void
  readonly maxToolDepth?: number
  readonly toolTimeoutMs?: number
}
