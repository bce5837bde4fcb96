/** Calls of the AI SDK's streams, which are known by an id: pieces of the input, then the call, then its result. */

import type { Metadata } from '../event.ts'
import { type Fields, isFields } from '../fields.ts'
import { isCount, isRecord, isString, mapOf, resumedState, type Shape, setOf } from '../plain-state.ts'
import type { ReasonTable } from './finish-reasons.ts'
import type { Output } from './output.ts'
import { contentOf, textOf, wordOf } from './payload-fields.ts'

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
  /** The tools of the calls, for their results. */
  readonly names: Map<string, string>
  count: number
  readonly ended: Set<number>
  /** Calls of which some input came in pieces. */
  readonly received: Set<number>
  /** Calls whose input is free text. */
  readonly free: Set<number>
  /** Calls that began under the id of one that is over, until some input of theirs comes. */
  readonly again: Map<string, Fields>
}

const begin = (): SdkCallsState => ({
  indices: new Map(),
  names: new Map(),
  count: 0,
  ended: new Set(),
  received: new Set(),
  free: new Set(),
  again: new Map(),
})

const shape = (): Shape<SdkCallsState> => ({
  indices: mapOf(isString, isCount),
  names: mapOf(isString, isString),
  count: isCount,
  ended: setOf(isCount),
  received: setOf(isCount),
  free: setOf(isCount),
  again: mapOf(isString, isRecord),
})

export class SdkCalls {
  readonly state: SdkCallsState
  private readonly out: Output

  constructor(out: Output, saved?: unknown) {
    this.out = out
    this.state = resumedState(saved, shape, begin)
  }

  private indexOf(id: string): number {
    return this.state.indices.get(id) ?? this.next(id)
  }

  private next(id: string): number {
    const { state } = this
    const index = state.count++
    state.indices.set(id, index)
    return index
  }

  private isOver(id: string): boolean {
    return this.state.ended.has(this.state.indices.get(id) ?? -1)
  }

  /** A call that begins under the id of one that is over was sent again, unless input of its own follows. */
  startOnce(id: string, part: Fields): void {
    if (this.isOver(id)) this.state.again.set(id, part)
    else this.start(id, part)
  }

  private start(id: string, part: Fields): void {
    const { state } = this
    // A call that begins after the end of another one is not that one, although it has its id.
    const index = this.isOver(id) ? this.next(id) : this.indexOf(id)
    this.name(id, part)
    const common = { id, name: wordOf(part.toolName), providerExecuted: part.providerExecuted === true }
    const metadata = metadataOf(part)
    if (part.inputEncoding !== 'text') {
      this.out.call({ index, ...common, metadata })
      return
    }
    state.free.add(index)
    this.out.textCall({ key: index, ...common, metadata })
  }

  private name(id: string, { toolName }: Fields): void {
    const name = wordOf(toolName)
    if (name !== undefined) this.state.names.set(id, name)
  }

  delta(id: string, delta: string): void {
    const { state } = this
    const begun = state.again.get(id)
    if (begun !== undefined) {
      state.again.delete(id)
      this.start(id, begun)
    }
    const index = this.indexOf(id)
    if (delta !== '') state.received.add(index)
    if (!state.free.has(index)) {
      this.out.call({ index, id, arguments: delta })
      return
    }
    this.out.textCall({ key: index, text: delta })
  }

  /** No more parts come: a call that began, and of which nothing came, was cut off. */
  end(): void {
    const { ended, free, indices, received } = this.state
    for (const index of indices.values()) {
      if (ended.has(index) || received.has(index)) continue
      if (free.has(index)) this.out.endTextCall(index, true)
      else this.out.endCall(index, 'cut')
    }
  }

  /** The whole call: as text from the model's provider, and as a value further on. */
  whole(id: string, part: Fields): void {
    const index = this.take(id, part, false)
    if (index === undefined) return
    if (this.state.free.has(index)) this.out.endTextCall(index)
    else this.out.endCall(index)
  }

  /** A call that the SDK could not read, or would not run. A value that it gives is what it made of the text. */
  refused(id: string, part: Fields, reason: unknown): void {
    const index = this.take(id, part, true)
    if (index !== undefined) this.out.refuseCall(index, contentOf(reason) || 'The AI SDK refused the call.')
  }

  /** The verdict on a call at its end; undefined if it was over before. */
  private take(id: string, part: Fields, isRefused: boolean): number | undefined {
    const { out, state } = this
    const { input } = part
    const index = this.indexOf(id)
    if (state.ended.has(index)) return undefined
    state.ended.add(index)
    this.name(id, part)
    const hasDeltas = state.received.has(index)
    const metadata = metadataOf(part)
    if (state.free.has(index)) {
      out.textCall({ key: index, text: hasDeltas ? '' : textOf(input), metadata })
      return index
    }
    const isUnused = isRefused && hasDeltas && typeof input !== 'string'
    out.call({
      index,
      id,
      name: wordOf(part.toolName),
      arguments: isUnused ? undefined : input,
      cumulative: typeof input === 'string',
      providerExecuted: part.providerExecuted === true,
      metadata,
    })
    return index
  }

  result(id: string, part: Fields, content: unknown, isError: boolean): void {
    const open = this.state.indices.get(id)
    // The call never came to its end. If it is answered with an error, it failed while it was written.
    if (open !== undefined && !this.state.ended.has(open))
      if (isError) this.refused(id, part, content)
      else this.whole(id, part)
    this.out.result({
      id,
      toolName: wordOf(part.toolName) ?? this.state.names.get(id),
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
