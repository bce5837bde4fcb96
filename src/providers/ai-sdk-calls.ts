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

export class SdkCalls {
  private readonly out: Output
  private readonly indices = new Map<string, number>()
  private count = 0
  private readonly ended = new Set<number>()
  /** Calls of which some input came in pieces. */
  private readonly heard = new Set<number>()
  /** Calls whose input is free text. */
  private readonly free = new Set<number>()

  constructor(out: Output) {
    this.out = out
  }

  private indexOf(id: string): number {
    return this.indices.get(id) ?? this.next(id)
  }

  private next(id: string): number {
    const index = this.count++
    this.indices.set(id, index)
    return index
  }

  start(id: string, part: Fields): void {
    const known = this.indexOf(id)
    // A call that begins after the end of another one is not that one, although it has its id.
    const index = this.ended.has(known) ? this.next(id) : known
    const common = { id, name: wordOf(part.toolName), providerExecuted: part.providerExecuted === true }
    const metadata = metadataOf(part)
    if (part.inputEncoding !== 'text') {
      this.out.call({ index, ...common, metadata })
      return
    }
    this.free.add(index)
    this.out.textCall({ key: index, ...common, metadata })
  }

  delta(id: string, delta: string): void {
    const index = this.indexOf(id)
    if (delta !== '') this.heard.add(index)
    if (!this.free.has(index)) {
      this.out.call({ index, id, arguments: delta })
      return
    }
    this.out.textCall({ key: index, text: delta })
  }

  /** The whole call: as text, where the model's provider says it, and as a value further on. */
  whole(id: string, part: Fields): void {
    this.end(id, part, false)
  }

  /** A call that the SDK could not read. A value that it gives is what it made of the text, and no more whole. */
  refused(id: string, part: Fields): void {
    this.end(id, part, true)
  }

  private end(id: string, part: Fields, isRefused: boolean): void {
    const { out } = this
    const { input } = part
    const index = this.indexOf(id)
    if (this.ended.has(index)) return
    this.ended.add(index)
    const isHeard = this.heard.has(index)
    const metadata = metadataOf(part)
    if (this.free.has(index)) {
      out.textCall({ key: index, text: isHeard ? '' : textOf(input), metadata })
      out.endTextCall(index, isRefused)
      return
    }
    const isValue = isFields(input) && !(isRefused && isHeard)
    out.call({
      index,
      id,
      name: wordOf(part.toolName),
      arguments: typeof input === 'string' || isValue ? input : undefined,
      cumulative: typeof input === 'string',
      providerExecuted: part.providerExecuted === true,
      metadata,
    })
    out.endCall(index, isRefused ? 'cut' : 'whole')
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
