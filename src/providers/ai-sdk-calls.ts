/** Calls of the AI SDK's streams, which are known by an id: pieces of the input, then the call, then its result. */

import type { Metadata } from '../event.ts'
import { contentOf, type Fields, isFields, textOf, wordOf } from './fields.ts'
import type { ReasonTable } from './finish-reasons.ts'
import type { Output } from './output.ts'

export const SDK_REASONS: ReasonTable = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'tool-calls',
  error: 'error',
  interrupted: 'aborted',
}

export interface SdkCallsState {
  readonly indices: Map<string, number>
  readonly ended: Set<number>
  /** Calls whose input is free text, and those of them of which some came. */
  readonly free: Map<number, { hasText: boolean }>
}

export class SdkCalls {
  readonly state: SdkCallsState
  private readonly out: Output

  constructor(out: Output, state: SdkCallsState = { indices: new Map(), ended: new Set(), free: new Map() }) {
    this.out = out
    this.state = state
  }

  private indexOf(id: string): number {
    const { state } = this
    const index = state.indices.get(id) ?? state.indices.size
    state.indices.set(id, index)
    return index
  }

  start(id: string, part: Fields): void {
    const index = this.indexOf(id)
    const common = { id, name: wordOf(part.toolName), providerExecuted: part.providerExecuted === true }
    const metadata = metadataOf(part)
    if (part.inputEncoding !== 'text') {
      this.out.call({ index, ...common, metadata })
      return
    }
    this.state.free.set(index, { hasText: false })
    this.out.textCall({ key: index, ...common, metadata })
  }

  delta(id: string, delta: string): void {
    const index = this.indexOf(id)
    const free = this.state.free.get(index)
    if (free === undefined) {
      this.out.call({ index, id, arguments: delta })
      return
    }
    free.hasText ||= delta !== ''
    this.out.textCall({ key: index, text: delta })
  }

  /** The whole call: as text, where the model's provider says it, and as a value further on. */
  whole(id: string, part: Fields): void {
    const { out, state } = this
    const index = this.indexOf(id)
    if (state.ended.has(index)) return
    state.ended.add(index)
    const free = state.free.get(index)
    if (free !== undefined) {
      const text = free.hasText ? '' : textOf(part.input)
      out.textCall({ key: index, text, metadata: metadataOf(part) })
      out.endTextCall(index)
      return
    }
    out.call({
      index,
      id,
      name: wordOf(part.toolName),
      arguments: typeof part.input === 'string' || isFields(part.input) ? part.input : undefined,
      cumulative: typeof part.input === 'string',
      providerExecuted: part.providerExecuted === true,
      metadata: metadataOf(part),
    })
    out.endCall(index)
  }

  result(id: string, part: Fields, content: unknown, isError: boolean): void {
    this.out.result({
      id,
      toolName: wordOf(part.toolName),
      content: contentOf(content),
      isError,
      metadata: metadataOf(part),
    })
  }
}

/** What the provider behind the SDK attached, as it came: it is under that provider's name already. */
export function metadataOf({ providerMetadata }: Fields): Metadata | undefined {
  return isFields(providerMetadata) ? providerMetadata : undefined
}
