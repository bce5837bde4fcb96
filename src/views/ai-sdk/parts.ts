/**
 * The AI SDK's parts, as far as they are read or written here. The same words in three majors (V2, V3 and V4 of
 * its interface for language models) mean the same thing, apart from a few fields; so each type here holds what
 * all of them have, and every major's own type can be given where one of these is wanted.
 */

import type { FailedCallMetadata } from './failures.ts'

/** Anything in a model's stream or content: it is known by its type, and passes untouched when it is not ours. */
export interface PartLike {
  readonly type: string
}

/** A part that begins, grows or ends a span of text, or of reasoning. */
export interface TextLikePart extends PartLike {
  readonly id: string
  readonly delta?: string
  readonly providerMetadata?: unknown
  readonly citations?: unknown
}

/** A call as the AI SDK takes it from a model. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  /** JSON text; of a call that cannot run, its source and the reason. */
  readonly input: string
  /** About a call that cannot run. */
  readonly providerMetadata?: FailedCallMetadata
}

/** A part that begins, grows or ends a block that the view emits. */
export type TextPart =
  | {
      readonly type: 'text-start' | 'reasoning-start'
      readonly id: string
      readonly providerMetadata?: unknown
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta'
      readonly id: string
      readonly delta: string
      readonly providerMetadata?: unknown
    }
  | {
      readonly type: 'text-end' | 'reasoning-end'
      readonly id: string
      readonly providerMetadata?: unknown
      readonly citations?: unknown
    }

/** What the view itself emits. */
export type EmittedPart =
  | TextPart
  | { readonly type: 'tool-input-start'; readonly id: string; readonly toolName: string }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool-input-end'; readonly id: string }
  | ToolCallPart
  | FailedCallPart

/**
 * The end of an input that was announced and became no call. It is an error of something that the provider ran,
 * because the AI SDK takes an answer from a model only as that: nothing runs, nothing is repaired, and a page shows
 * that the input failed.
 */
export interface FailedCallPart {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly result: string
  readonly isError: true
  readonly providerExecuted: true
}

/** V2 has the reason as a word, the others in a word of their own and the provider's. */
export type FinishReasonLike = string | { readonly unified: string; readonly raw?: string | undefined }

export interface MessageLike {
  readonly role: string
  readonly content: string | readonly PartLike[]
}

export interface FunctionToolLike extends PartLike {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
}

export interface ToolChoiceLike {
  readonly type: string
  readonly toolName?: string
}

/** What `doGenerate` and `doStream` are called with. */
export interface CallOptionsLike {
  readonly prompt: readonly MessageLike[]
  readonly tools?: readonly PartLike[] | undefined
  readonly toolChoice?: ToolChoiceLike | undefined
  readonly providerOptions?: object | undefined
}

export interface GenerateResultLike {
  readonly content: readonly PartLike[]
  readonly finishReason: FinishReasonLike
  readonly usage?: unknown
  readonly warnings?: readonly unknown[] | undefined
  readonly providerMetadata?: unknown
  readonly request?: object | undefined
  readonly response?: object | undefined
}

export interface StreamResultLike {
  readonly stream: ReadableStream<PartLike>
}

/**
 * The reason as it is when calls were found: they are why the model stopped, unless it was stopped. What the
 * provider called it stays.
 */
export function withCalls<Reason extends FinishReasonLike>(reason: Reason): Reason {
  const given: FinishReasonLike = reason
  const isWord = typeof given === 'string'
  const word = isWord ? given : given?.unified
  if (word !== 'stop' && word !== 'other' && word !== 'unknown') return reason
  return (isWord ? 'tool-calls' : { ...given, unified: 'tool-calls' }) as Reason
}
