/** Calls of the AI SDK's streams, which are known by an id: pieces of the input, then the call, then its result. */

import { map, resumed, type StateOf, set } from '../base/declared-state.ts'
import type { Metadata } from '../base/event.ts'
import { type Fields, isFields } from '../base/fields.ts'
import { isCount, isRecord, isString } from '../base/plain-state.ts'
import { CALL_INDICES, callIndex, newCallIndex } from './call-indices.ts'
import type { ReasonTable } from './finish-reasons.ts'
import type { Output } from './output.ts'
import { contentOf, holdsOthers, textOf, wordOf } from './payload-fields.ts'

export const SDK_REASONS: ReasonTable = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'tool-calls',
  error: 'error',
  interrupted: 'aborted',
}

const STATE = {
  ...CALL_INDICES,
  /** The tools of the calls, for their results. */
  names: map(isString, isString),
  ended: set(isCount),
  /** Calls of which some input came in pieces. */
  received: set(isCount),
  /** Calls whose input is free text. */
  free: set(isCount),
  /** Calls that began under the id of one that is over, until some input of theirs comes. */
  again: map<string, Fields>(isString, isRecord),
}
export type SdkCallsState = StateOf<typeof STATE>

export class SdkCalls {
  readonly state: SdkCallsState
  private readonly out: Output

  constructor(out: Output, saved?: unknown) {
    this.out = out
    this.state = resumed(STATE, saved)
  }

  private indexOf(id: string): number {
    return callIndex(this.state, id, this.state.ended)
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
    this.leaveOpen(id)
    // A call that begins after the end of another one is not that one, although it has its id.
    const index = this.isOver(id) ? newCallIndex(state, id, state.ended) : this.indexOf(id)
    this.name(id, part)
    const common = { id, name: wordOf(part.toolName), providerExecuted: part.providerExecuted === true }
    const metadata = metadataOf(part)
    if (part.inputEncoding !== 'text') {
      this.out.call({ index, ...common, hasOwnEnd: true, metadata })
      return
    }
    state.free.add(index)
    this.out.textCall({ key: index, ...common, metadata })
  }

  /** A call begins under the id of one whose input came, and which never came itself: where ids are missing, all have one. */
  private leaveOpen(id: string): void {
    const { ended, indices, received } = this.state
    const index = indices.get(id)
    if (index === undefined || ended.has(index) || !received.has(index)) return
    ended.add(index)
    this.out.refuseCall(index, ONLY_INPUT)
  }

  private name(id: string, { toolName }: Fields): void {
    const name = wordOf(toolName)
    if (name !== undefined) this.state.names.set(id, name)
  }

  delta(id: string, given: unknown): void {
    const { state } = this
    const begun = state.again.get(id)
    if (begun !== undefined) {
      state.again.delete(id)
      this.start(id, begun)
    }
    const index = this.indexOf(id)
    const delta = textOf(given)
    const isUnread = given === undefined
    if (delta !== '') state.received.add(index)
    if (!state.free.has(index)) {
      this.out.call({ index, id, arguments: delta, isUnread, hasOwnEnd: true })
      return
    }
    this.out.textCall({ key: index, text: delta, isUnread })
  }

  /** A part that is not known names a call, and may have been a piece of its input. */
  missPiece(id: string): void {
    const index = this.state.indices.get(id)
    if (index === undefined || this.state.ended.has(index)) return
    if (this.state.free.has(index)) this.out.textCall({ key: index, isUnread: true })
    else this.out.call({ index, isUnread: true })
  }

  /**
   * No more parts come. The SDK runs what came as a whole call, and nothing else: a call that only began may have come under
   * another id, and would run twice.
   */
  end(): void {
    const { ended, free, indices, received } = this.state
    // Every open call is in `indices`, unless a snapshot is damaged; then `count` could be any number.
    const known = new Set([...indices.values(), ...received, ...free])
    for (const index of [...known].sort((one, other) => one - other)) {
      if (ended.has(index)) continue
      if (received.has(index)) this.out.refuseCall(index, ONLY_INPUT)
      else if (free.has(index)) this.out.endTextCall(index, true)
      else this.out.endCall(index, 'cut')
    }
  }

  /** The whole call: as text from the model's provider, and as a value further on. */
  whole(id: string, part: Fields): void {
    const index = this.take(id, part, false)
    if (index === undefined) return
    if (this.state.free.has(index)) this.out.endTextCall(index)
    // The SDK's providers end a call that was cut off before its arguments began like one that needs none.
    else this.out.endCall(index, part.input === '' ? 'unsure' : 'whole')
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
      isUnread: input === undefined && holdsOthers(part, FIELDS),
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

const ONLY_INPUT = 'Only the input of the call arrived, not the call itself.'

/** Those of a call, of a part of a message that is one, and of a result that comes in its place. */
const FIELDS = new Set(
  `type toolCallId toolName input providerExecuted providerMetadata callProviderMetadata resultProviderMetadata dynamic title
   toolMetadata state output errorText error result isError preliminary invalid approval rawInput`.split(
    /\s+/,
  ),
)

/** What the provider behind the SDK attached, as it came: it is under that provider's name already. */
export function metadataOf({ providerMetadata }: Fields): Metadata | undefined {
  return isFields(providerMetadata) ? providerMetadata : undefined
}
