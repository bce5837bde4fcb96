/** What a provider's stream says in one step, whichever provider it is. */

import type { CallDelta } from '../../../engine/calls/assembler.ts'

/** A piece of a native call. `index` says which one. */
export interface ToolCallDelta {
  readonly index: number
  readonly call_id?: string | null
  readonly name?: string | null
  /** The next piece of the arguments as JSON text, or all of them as an object. */
  readonly arguments_delta?: string | object | null
}

/** The fields of a `ChunkResponse`. */
export interface ChunkResponseFields {
  readonly content?: string | null
  readonly reasoning?: string | null
  readonly tool_calls?: readonly ToolCallDelta[] | null
  readonly is_complete?: boolean
  readonly usage?: unknown
}

/**
 *     new ChunkResponse({ content: 'Let me look.' })
 *     new ChunkResponse({ tool_calls: [{ index: 0, call_id: 'c1', name: 'ls', arguments_delta: '{}' }] })
 */
export class ChunkResponse {
  readonly content: string
  readonly reasoning: string | null
  readonly tool_calls: readonly ToolCallDelta[] | null
  readonly is_complete: boolean
  readonly usage: unknown

  constructor({ content, reasoning, tool_calls, is_complete, usage }: ChunkResponseFields = {}) {
    this.content = content ?? ''
    this.reasoning = reasoning ?? null
    this.tool_calls = tool_calls ?? null
    this.is_complete = is_complete ?? false
    this.usage = usage ?? null
  }
}

/** The same in the words of the engine. */
export function callDelta({ index, call_id, name, arguments_delta }: ToolCallDelta): CallDelta {
  return { index, id: call_id, name, arguments: arguments_delta }
}
