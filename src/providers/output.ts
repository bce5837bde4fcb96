/**
 * What a reader of a protocol writes to. Each method takes what the provider sent as it is. The output sees to it that
 * starts and ends match, that ids are distinct, and that there is one finish.
 */

import type { CallDelta, CallKey } from '../calls/assembler.ts'
import type { FinishReason, Metadata, Usage } from '../event.ts'

/** What a provider says about a piece of text or reasoning. */
export interface SpanOptions {
  /** Where it stands, such as the index of a block. Another place begins a new span. */
  readonly place?: number | string | undefined
  /** What the provider attached to the span. It is kept even where there is no text. */
  readonly metadata?: Metadata | undefined
  /**
   * The metadata only names the span, and comes with its start: where there is no text, or all of it is calls, it is not
   * kept.
   */
  readonly isName?: boolean | undefined
}

/** A piece of a call with JSON arguments. */
export interface ProviderCallDelta extends CallDelta {
  /** Who runs the call shows later: its start says that the verdict waits. Given with the id and the name. */
  readonly isTentative?: boolean | undefined
}

/** A call that comes at once. */
export interface WholeCall {
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** All of them: a value, or JSON text. Without any the call does not run: they may be where nobody looked. */
  readonly arguments: unknown
  /** It is marked as a part of the reasoning, so that it does not run. */
  readonly isInReasoning?: boolean | undefined
  readonly providerExecuted?: boolean | undefined
  readonly metadata?: Metadata | undefined
  /** What tells a call without an id from the same one that is sent again, such as the time it was sent at. */
  readonly sent?: string | undefined
  /** Why it may not run, although it is whole. */
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
  /** It holds something that is not known, and that may be a piece of the text. */
  readonly isUnread?: boolean | undefined
  readonly providerExecuted?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

/** What a tool answered that the provider itself ran. */
export interface ProviderResult {
  /** The id of the call. */
  readonly id: string
  readonly toolName?: string | undefined
  readonly content: string
  readonly isError?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

/**
 * How a call ended of which no arguments came: it needs none (`whole`), it was cut off (`cut`), or that is
 * unknown until the response goes on or stops by itself (`unsure`), because the provider ends all calls alike. Where
 * arguments came, they show by themselves whether they are whole.
 */
export type CallEnd = 'whole' | 'cut' | 'unsure'

/** Figures as far as the provider has them. */
export type Figures = { readonly [Figure in keyof Usage]?: number | undefined }

/** What a whole message at the end of a stream may repeat. */
export type Channel = 'text' | 'reasoning' | 'call'

/** Takes the deltas that a provider's reader finds in its payloads. */
export interface Output {
  /** Whether something of the kind came already: servers that end a stream with the whole message send it again. */
  has(channel: Channel): boolean
  /** The next piece of text that a person may see. It goes through the dialect. */
  text(delta: string, options?: SpanOptions): void
  /** The next piece of what the model refuses with: text that is never read for calls. `endText` ends it. */
  refusal(delta: string, options?: SpanOptions): void
  endText(metadata?: Metadata): void
  /** The next piece of what the model thought. */
  reasoning(delta: string, options?: SpanOptions): void
  endReasoning(metadata?: Metadata): void
  /** The next piece of a call with JSON arguments. Fields may come in any order, late, twice or never. */
  call(delta: ProviderCallDelta): void
  /** A call with all its arguments. One that came already is passed over. */
  wholeCall(call: WholeCall): void
  /** The provider ends a call: that of this index or id, or the last. */
  endCall(key?: CallKey, how?: CallEnd): void
  textCall(delta: TextCallDelta): void
  /** `isCut`: it ends because the response does, and its text is not whole. */
  endTextCall(key: CallKey, isCut?: boolean): void
  /** The call was refused before it got here: it is over, and may not run, although it may be complete. */
  refuseCall(key: CallKey, reason: string): void
  result(result: ProviderResult): void
  /** The provider runs the call of this id once the application has approved it: the response waits for an answer. */
  awaitApproval(id: string): void
  /** Something that has no name of its own among the events. */
  custom(kind: string, value: unknown): void
  /** Figures. A later one takes the place of an earlier one. */
  usage(usage: Figures): void
  /** Why the model stopped; whether it is `stop` or `tool-calls` is decided by the calls. */
  finish(reason: FinishReason, rawReason?: string): void
  /** The provider ended the response without a reason. */
  over(): void
  /** What belongs to the whole response: its id, the model. */
  metadata(metadata: Metadata | undefined): void
  error(error: Error): void
  /**
   * Something that is not known here: it is ignored and counted. Protocols grow, so it changes no call whose arguments
   * came; one without any may lack what it held. `isBeside`: it stands beside the answer, and is a piece of no call.
   *
   * What is known to be a piece of one call goes to `call` with `isUnread`.
   */
  unknown(what: string, value?: unknown, isBeside?: boolean): void
  /** Something unexpected that was dealt with: a diagnostic. */
  unexpected(message: string): void
}
