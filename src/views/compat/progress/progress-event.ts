/** The published events: the progress of a call's arguments, and the request at the end. */

import type { JsonValue } from '../../../base/event.ts'

/** A top-level argument is complete: a string at its closing quote, a list or an object at its bracket. */
export interface ArgumentParsed {
  readonly type: 'ArgumentParsed'
  readonly toolCallId: string
  readonly toolName: string
  readonly key: string
  readonly value: JsonValue
}

/** The arguments are not an object, so that there is no progress before the request. Emitted once. */
export interface NotAnObject {
  readonly type: 'NotAnObject'
  readonly toolCallId: string
}

/** For the eyes only: it is never persisted, and nothing is ever run because of it. */
export type ToolCallArgumentProgress = ArgumentParsed | NotAnObject

/** The next piece of JSON text of the call at an index. */
export interface ToolCallArgumentChunk {
  readonly type: 'ToolCallArgumentChunk'
  readonly index: number
  readonly chunk: string
}

/**
 * A call that may be run. As a part of a stream it also announces one, with arguments that are still empty.
 *
 *     { type: 'ToolCallRequest', id: 'call_9', name: 'fs_create_file', arguments: { path: 'src/main.rs' } }
 */
export interface ToolCallRequest {
  readonly type: 'ToolCallRequest'
  readonly id: string
  readonly name: string
  readonly arguments: JsonValue
}

/** A call that must not be run. It has no arguments that anyone could run it with. */
export interface ToolCallFailed {
  readonly type: 'ToolCallFailed'
  readonly id: string
  readonly name: string
  readonly status: 'truncated' | 'invalid'
  /** One sentence for people. */
  readonly message: string
  /** What came for it, as it came. */
  readonly raw: string
}

/** A part of a stream that is text or reasoning. */
export interface TextEventPart {
  readonly type: 'Message' | 'Reasoning'
  readonly text: string
}

/** A piece of what is at an index: one index is one thing of one type. */
export type EventPart = TextEventPart | ToolCallRequest

/** What is kept of a turn. Progress is none of it. */
export type ConversationEvent = TextEventPart | ToolCallRequest

/** What a provider's stream is turned into. */
export type StreamingEvent =
  | { readonly type: 'Part'; readonly index: number; readonly part: EventPart }
  | ToolCallArgumentChunk
  | { readonly type: 'Flush'; readonly index: number }
  | { readonly type: 'Finished'; readonly reason: FinishedReason }

/** Why a stream ended. */
export type FinishedReason = 'completed' | 'max-tokens' | 'refused' | 'other'
