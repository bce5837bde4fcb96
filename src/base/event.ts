/**
 * The one vocabulary every stage speaks. Names follow the AI SDK wherever it has a name.
 *
 * Per id: `start delta* end`. Deltas are never empty. Text is closed before a call starts. One `finish`,
 * and it is last. Nothing that was said is ever taken back.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** What a provider attached for itself (signatures, encrypted reasoning, its ids): opaque, kept as it came. */
export type Metadata = Readonly<Record<string, unknown>>

/** UTF-16 offsets in the text that was pushed, from the first character to behind the last. Never empty. */
export interface Span {
  readonly start: number
  readonly end: number
}

// ── what a person may see, and what the model thought ────────────────────────────────────────────

/** Visible text begins. */
export interface TextStart {
  readonly type: 'text-start'
  readonly id: string
  readonly metadata?: Metadata
}
/** The next piece of visible text. */
export interface TextDelta {
  readonly type: 'text-delta'
  readonly id: string
  readonly delta: string
}
/** Visible text ends. */
export interface TextEnd {
  readonly type: 'text-end'
  readonly id: string
  readonly metadata?: Metadata
}

/** Reasoning begins. */
export interface ReasoningStart {
  readonly type: 'reasoning-start'
  readonly id: string
  readonly metadata?: Metadata
}
/** The next piece of reasoning. It is never visible text. */
export interface ReasoningDelta {
  readonly type: 'reasoning-delta'
  readonly id: string
  readonly delta: string
}
/** Reasoning ends. */
export interface ReasoningEnd {
  readonly type: 'reasoning-end'
  readonly id: string
  readonly metadata?: Metadata
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

/** A call has begun and its name is certain. */
export interface ToolInputStart {
  readonly type: 'tool-input-start'
  readonly id: string
  readonly toolName: string
  /**
   * The call stands inside reasoning: its `tool-call` waits until it is known whether the model stopped behind it, and
   * may come after the start of another call.
   */
  readonly tentative?: true
  /** The provider runs this tool itself; it is never ours to run. */
  readonly providerExecuted?: boolean
  readonly metadata?: Metadata
}
/** The next piece of the input as JSON text, append-only, whatever the dialect wrote. */
export interface ToolInputDelta {
  readonly type: 'tool-input-delta'
  readonly id: string
  readonly delta: string
}
/** The input of a call ends. Its verdict follows as `tool-call`. */
export interface ToolInputEnd {
  readonly type: 'tool-input-end'
  readonly id: string
  readonly metadata?: Metadata
}

/** Where a value stands inside a call's input: keys and indices, from the outside in. `pointer` writes it as a JSON pointer. */
export type ArgumentPath = readonly (string | number)[]

/** The kind of a value in a call's input. A scalar is a number, a boolean or null. */
export type ArgumentKind = 'object' | 'array' | 'string' | 'scalar'

/** A value inside the input began. */
export interface ArgumentStart {
  readonly type: 'argument-start'
  readonly id: string
  readonly path: ArgumentPath
  readonly kind: ArgumentKind
}
/** A string value grew by this decoded text. */
export interface ArgumentDelta {
  readonly type: 'argument-delta'
  readonly id: string
  readonly path: ArgumentPath
  readonly delta: string
}
/** A value is complete and will not change. */
export interface ArgumentEnd {
  readonly type: 'argument-end'
  readonly id: string
  readonly path: ArgumentPath
  readonly value: JsonValue
}

/** The construct's own source text, from the moment it is certain. On request. */
export interface ToolSourceDelta {
  readonly type: 'tool-source-delta'
  readonly id: string
  readonly delta: string
}

/** `complete` as written, `repaired` and then complete, `truncated` by the end, or `invalid`. */
export type CallStatus = 'complete' | 'repaired' | 'truncated' | 'invalid'

/** Whether a repair could have changed what was meant. */
export type RepairClass = 'lossless' | 'guess' | 'lossy'

/** A deviation in a call's input that was repaired. */
export interface Repair {
  readonly code: string
  readonly class: RepairClass
  /** Where: an offset in the text channel, or in the arguments of a native call. */
  readonly offset: number
}

/** Why a call failed, for people and for the model. */
export interface CallError {
  readonly code: string
  readonly message: string
  readonly offset: number
  /** The argument that was in flight, as a JSON pointer; absent when none was. */
  readonly path?: string
}

/** The verdict on a call. It does not depend on what the provider's finish reason says. */
export interface ToolCall {
  readonly type: 'tool-call'
  readonly id: string
  readonly toolName: string
  /** A value, never a string of JSON. For a failed call: what was certain when it failed. Null: it was not kept. */
  readonly input: JsonValue
  /**
   * The input as JSON text, where `input` cannot say what was written: a number that loses its form or its digits as a
   * JavaScript number, such as `1.0` or `9007199254740993`.
   */
  readonly inputText?: string
  readonly status: CallStatus
  readonly repairs: readonly Repair[]
  /** The source. Always there for a failed call, for others on request. */
  readonly raw?: string
  /** Where it stands in the text, without closing markers behind it. Absent for a native call. */
  readonly span?: Span
  /** Only when `status` is `truncated` or `invalid`. */
  readonly error?: CallError
  /** The id the wire gave, where it came too late to be `id`. */
  readonly wireId?: string
  readonly providerExecuted?: boolean
  readonly metadata?: Metadata
}

// ── results ──────────────────────────────────────────────────────────────────────────────────────

/** A tool's result begins. */
export interface ToolResultStart {
  readonly type: 'tool-result-start'
  readonly id: string
  readonly toolName?: string
  readonly isError?: boolean
  /** The markup that opened it in the text. On request. */
  readonly raw?: string
  readonly metadata?: Metadata
}
/** The next piece of a tool's result. */
export interface ToolResultDelta {
  readonly type: 'tool-result-delta'
  readonly id: string
  readonly delta: string
}
/** A tool's result ends. */
export interface ToolResultEnd {
  readonly type: 'tool-result-end'
  readonly id: string
  readonly isError?: boolean
  /** The markup that closed it in the text. On request. */
  readonly raw?: string
  readonly metadata?: Metadata
}

// ── everything else ──────────────────────────────────────────────────────────────────────────────

/** What a provider sent that has no name here, untouched and in order. */
export interface Custom {
  readonly type: 'custom'
  readonly kind: string
  readonly value: unknown
}

/** The stable codes of `diagnostic` events. */
export type DiagnosticCode =
  | 'arguments-as-string'
  | 'arguments-repaired'
  | 'call-dropped'
  | 'call-without-wrapper'
  | 'dialect-detected'
  | 'duplicate-key'
  | 'empty-arguments'
  | 'empty-call'
  | 'inside-reasoning'
  | 'json-repaired'
  | 'limit-reached'
  | 'malformed-call'
  | 'missing-closer'
  | 'missing-name'
  | 'missing-opener'
  | 'missing-token'
  | 'new-call-before-end'
  | 'not-a-call'
  | 'reasoning-not-closed'
  | 'repeated-call'
  | 'repeated-opener'
  | 'stray-closer'
  | 'stray-markup'
  | 'stripped-tokens'
  | 'text-after-stop'
  | 'text-behind-call'
  | 'truncated-call'
  | 'unexpected-text'
  | 'unknown-tool'
  | 'alternative-key'
  | 'provider-payload'
  | 'looks-like-a-call'
  | 'truncated-stream'

/** Something unexpected: a recovery, a repair, an unknown tool, a limit. */
export interface Diagnostic {
  readonly type: 'diagnostic'
  readonly code: DiagnosticCode
  readonly message: string
  /** Where, in the text. Absent if it is about something else, such as a native call or a payload. */
  readonly span?: Span
  /** The call it is about. */
  readonly id?: string
  /** The marker with which `span` begins: with `not-a-call`, `dialect-detected` and `looks-like-a-call`. */
  readonly opener?: string
  /**
   * With `dialect-detected`: the dialect that is read, and those that would read the response alike so far. With
   * `looks-like-a-call`: those whose calls begin with `opener`.
   */
  readonly dialects?: readonly string[]
}

/** Why a response ended. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'aborted' | 'other'

/** The tokens that a response used, as far as its provider reports them. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly totalTokens?: number
  readonly reasoningTokens?: number
  /** Input that was read from a cache. */
  readonly cachedInputTokens?: number
  /** Input that was written to a cache. */
  readonly cacheWriteInputTokens?: number
  /** What the provider charges, in its own currency unit. */
  readonly cost?: number
}

/** Exactly one, and the last event. */
export interface Finish {
  readonly type: 'finish'
  readonly reason: FinishReason
  readonly rawReason?: string
  readonly usage?: Usage
  readonly metadata?: Metadata
}

/** An error as plain data. It never holds the body of an answer: that may hold what only the server may know. */
export interface ErrorRecord {
  /** Its class, such as `ResponseError`, `ProviderError` or `TypeError`. */
  readonly name: string
  readonly message: string
  /** The word that the provider, the system or the library has for it. */
  readonly code?: string
  /** The status of the server's answer. */
  readonly status?: number
}

/** The stream itself failed. One `finish` still follows. */
export interface StreamError {
  readonly type: 'error'
  readonly error: ErrorRecord
}

/**
 * An event of a response. Events are plain data and survive JSON.
 *
 *     for await (const event of sluice(source)) if (event.type === 'text-delta') show(event.delta)
 */
export type SluiceEvent =
  | TextStart
  | TextDelta
  | TextEnd
  | ReasoningStart
  | ReasoningDelta
  | ReasoningEnd
  | ToolInputStart
  | ToolInputDelta
  | ToolInputEnd
  | ArgumentStart
  | ArgumentDelta
  | ArgumentEnd
  | ToolSourceDelta
  | ToolCall
  | ToolResultStart
  | ToolResultDelta
  | ToolResultEnd
  | Custom
  | Diagnostic
  | Finish
  | StreamError

/** Where events go. A function, so that a consumer costs one call per event and nothing else. */
export type Sink = (event: SluiceEvent) => void
