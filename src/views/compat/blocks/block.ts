/** One block while it grows: its type, the meta of its chunks, and its content so far. */

import type { JsonValue, SluiceEvent, ToolCall } from '../../../base/event.ts'
import { Rope } from '../../../base/rope.ts'
import { explain, isExecutable, isWhole } from '../../../engine/calls/verdict.ts'
import { EntityDecoder } from '../../../values/xml/entities.ts'
import type { ChunkMeta, MembraneBlock, MembraneBlockType } from './types.ts'

/** What an event says about the block that it begins. */
export interface Opening {
  readonly id: string
  readonly toolName?: string | undefined
  readonly isError?: boolean | undefined
  /** Its text has entities. */
  readonly isEscaped?: boolean
}

export class Block {
  readonly type: MembraneBlockType
  readonly id: string
  readonly toolName: string | undefined
  isError: boolean
  /** The events that it grows by as they are. */
  readonly delta: SluiceEvent['type'] | null
  /** What decodes its text. */
  readonly entities: EntityDecoder | null
  index = -1
  /** Shared by all chunks, so that a chunk costs nothing but its call. Known once the block has its turn. */
  meta: ChunkMeta
  /** All that it held, for its end. Not of a call, whose verdict has the input. */
  readonly content: Rope | null
  /** The text of chunks that wait for the block's turn. */
  buffered: Rope | null = null
  hasInput = false
  verdict: ToolCall | undefined
  isOver = false

  constructor(type: MembraneBlockType, { id, toolName, isError, isEscaped }: Opening, keepsContent: boolean) {
    this.type = type
    this.id = id
    this.toolName = toolName
    this.isError = isError ?? false
    this.entities = isEscaped ? new EntityDecoder() : null
    this.delta = isEscaped ? null : DELTAS[type]
    this.content = keepsContent && type !== 'tool_call' ? new Rope() : null
    this.meta = NO_META
  }

  /** It is this block's turn, and this is its number. */
  take(index: number): void {
    const { type, id, toolName } = this
    const isTool = type === 'tool_call' || type === 'tool_result'
    this.index = index
    this.meta = {
      type,
      visible: type === 'text',
      depth: isTool ? 1 : 0,
      blockIndex: index,
      ...(type === 'tool_call' && { toolCallPart: 'input' as const }),
      ...(isTool && { toolId: id }),
      ...(isTool && toolName !== undefined && { toolName }),
    }
  }

  /** The block as `block_complete` carries it. */
  whole(): MembraneBlock {
    const { type, id, toolName, isError, content, verdict } = this
    if (type === 'tool_call')
      return { type, toolName: toolName ?? '', toolId: id, ...(verdict ? outcomeOf(verdict) : UNJUDGED) }
    const text = content?.toString() ?? ''
    if (type !== 'tool_result') return { type, content: text }
    return {
      type,
      content: text,
      toolId: id,
      ...(toolName !== undefined && { toolName }),
      ...(isError && { isError }),
    }
  }
}

const DELTAS: Readonly<Record<MembraneBlockType, SluiceEvent['type']>> = {
  text: 'text-delta',
  thinking: 'reasoning-delta',
  tool_call: 'tool-input-delta',
  tool_result: 'tool-result-delta',
}

const NO_META: ChunkMeta = { type: 'text', visible: false, blockIndex: -1 }

/** The events of the call stopped before its verdict came. */
const UNJUDGED = { isError: true, error: 'The call was cut off. It was not run.' }

/** A call that must not run is reported without its input. */
function outcomeOf(call: ToolCall): Pick<MembraneBlock, 'input' | 'isError' | 'error' | 'providerExecuted'> {
  if (call.providerExecuted)
    return { ...(isWhole(call) && call.input !== null && inputOf(call.input)), providerExecuted: true }
  // Without inputs on calls, the caller puts them together from the chunks.
  if (call.input === null) return isExecutable({ ...call, input: {} }) ? {} : mustNotRun(call)
  return isExecutable(call) ? inputOf(call.input) : mustNotRun(call)
}

function mustNotRun(call: ToolCall): Pick<MembraneBlock, 'isError' | 'error'> {
  return { isError: true, error: explain(call) }
}

function inputOf(input: JsonValue): Pick<MembraneBlock, 'input'> {
  return { input: input as Readonly<Record<string, unknown>> }
}
