/**
 * What a reader of a protocol writes to. Each method takes what the provider sent. The output matches starts and ends,
 * keeps ids unique, and emits one finish.
 */

import type { FinishReason, Metadata, Usage } from '../base/event.ts'
import type { CallDelta, CallKey } from '../engine/calls/assembler.ts'

/** Options for a piece of text or reasoning. */
export interface SpanOptions {
  /** The position of the piece, such as the index of a block. Another position begins a new span. */
  readonly place?: number | string | undefined
  /** Data that the provider attached to the span. It is kept even if there is no text. */
  readonly metadata?: Metadata | undefined
  /**
   * The metadata only identifies the span, and comes with its start: if there is no text, or only calls, it is not
   * kept.
   */
  readonly isName?: boolean | undefined
}

/** A piece of a call with JSON arguments. */
export interface ProviderCallDelta extends CallDelta {
  /** It is not known yet who runs the call, so its verdict waits. Pass it with the id and the name. */
  readonly isTentative?: boolean | undefined
}

/** A call that arrives complete. */
export interface WholeCall {
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** A value, or JSON text. Without arguments the call does not run: they may be in an unknown field. */
  readonly arguments: unknown
  /** The provider marks the call as reasoning, so it does not run. */
  readonly isInReasoning?: boolean | undefined
  readonly providerExecuted?: boolean | undefined
  readonly metadata?: Metadata | undefined
  /** Tells a call without an id from a repetition, such as the time at which it was sent. */
  readonly sent?: string | undefined
  /** Why the call may not run, although it is complete. */
  readonly refusal?: string | undefined
}

/** A piece of a call whose input is free text and not JSON. */
export interface TextCallDelta {
  readonly key: CallKey
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly text?: string | undefined
  /** `text` repeats everything that came before. */
  readonly cumulative?: boolean | undefined
  /** The delta has an unknown field, which may be a piece of the text. */
  readonly isUnread?: boolean | undefined
  readonly providerExecuted?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

/** The result of a tool that the provider ran. */
export interface ProviderResult {
  /** The id of the call. */
  readonly id: string
  readonly toolName?: string | undefined
  readonly content: string
  readonly isError?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

/**
 * How a call without arguments ended: it needs none (`whole`), it was cut off (`cut`), or that is unknown until the
 * response continues or stops by itself (`unsure`), because the provider ends all calls alike. The same is true of
 * arguments that came as a value: half of them are an object, too. JSON text shows by itself whether it is complete.
 */
export type CallEnd = 'whole' | 'cut' | 'unsure'

/** Token counts, as far as the provider sends them. */
export type Figures = { readonly [Figure in keyof Usage]?: number | undefined }

/** What a whole message at the end of a stream may repeat. */
export type Channel = 'text' | 'reasoning' | 'call'

/** Takes the deltas that a provider's reader finds in its payloads. */
export interface Output {
  /** Whether the channel has content already: some servers repeat the whole message at the end of a stream. */
  has(channel: Channel): boolean
  /** The next piece of visible text. It is parsed with the dialect. */
  text(delta: string, options?: SpanOptions): void
  /** The next piece of a refusal: text that is not parsed for calls. `endText` ends it. */
  refusal(delta: string, options?: SpanOptions): void
  endText(metadata?: Metadata): void
  /** The next piece of reasoning. */
  reasoning(delta: string, options?: SpanOptions): void
  endReasoning(metadata?: Metadata): void
  /** The next piece of a call with JSON arguments. Fields may come in any order, late, twice or never. */
  call(delta: ProviderCallDelta): void
  /** A complete call. A repeated one is skipped. If its arguments are a value, it ends as `unsure`. */
  wholeCall(call: WholeCall): void
  /**
   * The call with this index or id is sent again as a whole, with its name and all its arguments as a value or JSON text. An
   * unknown or ended call is skipped; an open one that had another name or other arguments does not run.
   */
  confirmCall(key: CallKey, name: string | undefined, args: unknown): void
  /** The provider ends the call with this index or id, or the last one. */
  endCall(key?: CallKey, how?: CallEnd): void
  textCall(delta: TextCallDelta): void
  /** `isCut`: the response ended, and the text is not complete. */
  endTextCall(key: CallKey, isCut?: boolean): void
  /** Ends a call that may not run, even if it is complete. */
  refuseCall(key: CallKey, reason: string): void
  result(result: ProviderResult): void
  /** The provider runs the call with this id after the application has approved it: the response waits for an answer. */
  awaitApproval(id: string): void
  /** Content without its own event type. */
  custom(kind: string, value: unknown): void
  /** Token counts. Later ones replace earlier ones. */
  usage(usage: Figures): void
  /** Why the model stopped; whether it is `stop` or `tool-calls` is decided by the calls. */
  finish(reason: FinishReason, rawReason?: string): void
  /** The provider ended the response without a reason. */
  over(): void
  /** Data of the whole response: its id, the model. */
  metadata(metadata: Metadata | undefined): void
  error(error: Error): void
  /**
   * Something unknown, which is ignored and counted. It does not affect a call with arguments; a call without arguments
   * is `truncated`, because they may have been in it. `isBeside`: it cannot be a piece of a call.
   *
   * An unknown piece of a known call goes to `call` with `isUnread`.
   */
  unknown(what: string, value?: unknown, isBeside?: boolean): void
  /** Reports something unexpected as a diagnostic. */
  unexpected(message: string): void
}
