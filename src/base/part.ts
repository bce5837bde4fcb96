/**
 * What a message is made of. `parse` gives these parts, a message that grows holds them, and `render` takes them.
 *
 * Parts are plain data and never change: a part that grows is replaced by another. Written by hand, a part needs only
 * what its type does not mark as optional.
 */

import type { Metadata, ToolCall } from './event.ts'

/** `streaming`: more of it may come. Absent once it is whole. */
type PartState = 'streaming'

/** What a person may see. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly state?: PartState
  readonly metadata?: Metadata
}

/** What the model thought. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly state?: PartState
  /** What the provider signed, or encrypted. Then the text may be empty. */
  readonly metadata?: Metadata
}

/**
 * A call, with its verdict once there is one: `status`, `repairs`, and for a call that failed `error` and `raw`. It
 * stands where it began, which is not where its verdict came.
 */
export interface CallPart
  extends Pick<ToolCall, 'toolName'>,
    Partial<Omit<ToolCall, 'type' | 'toolName' | 'input'>> {
  readonly type: 'call'
  /** While the call grows: what is certain of it, and null as long as nothing is. */
  readonly input: ToolCall['input']
  /** Absent once the call has its verdict. */
  readonly state?: PartState
  /** The call grows inside reasoning, and may turn out to be only a mention of one. */
  readonly tentative?: true
}

/** What a tool answered. */
export interface ResultPart {
  readonly type: 'result'
  /** The id of the call. */
  readonly id?: string
  readonly toolName?: string
  readonly content: string
  readonly isError?: boolean
  readonly state?: PartState
  readonly metadata?: Metadata
}

/** What a provider sent that has no name here. */
export interface CustomPart {
  readonly type: 'custom'
  readonly kind: string
  readonly value: unknown
}

/** One span of a message. */
export type Part = TextPart | ReasoningPart | CallPart | ResultPart | CustomPart
