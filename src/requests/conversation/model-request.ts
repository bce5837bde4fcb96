/**
 * A request to a model as plain data, whatever protocol it came in or goes out in. Its messages are made of the parts
 * that `parse` and `MessageFold` give, so that a response can be appended as it is.
 */

import type { Metadata } from '../../base/event.ts'
import type { Fields } from '../../base/fields.ts'
import type { CallPart, CustomPart, ReasoningPart, ResultPart, TextPart } from '../../base/part.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'

/**
 * Where a file's content is: in the request, at an address, or at a provider that was given it before. A provider's id
 * means nothing to other providers.
 */
export type FileContent =
  | { readonly base64: string }
  | { readonly text: string }
  | { readonly url: string }
  | { readonly id: string; readonly provider: string }

/** An image, a document, a sound. */
export interface FilePart {
  readonly type: 'file'
  /** Such as `image/png`; `image/*` where only its kind is known. */
  readonly mediaType: string
  readonly content: FileContent
  readonly name?: string
  readonly metadata?: Metadata
}

/** What a tool answered: text, or text and files. */
export interface AnswerPart extends Omit<ResultPart, 'content'> {
  readonly content: string | readonly (TextPart | FilePart | CustomPart)[]
}

/** One part of a message: text, reasoning, a call, a result, a file, or something that only its provider knows. */
export type ConversationPart = TextPart | ReasoningPart | CallPart | AnswerPart | FilePart | CustomPart

/** `tool`: the results of the calls in the message before. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/**
 * One message of a conversation.
 *
 *     { role: 'user', parts: [{ type: 'text', text: 'What is in a.ts?' }] }
 */
export interface ConversationMessage {
  readonly role: Role
  readonly parts: readonly ConversationPart[]
  /** The provider whose message it is. It gets back what others do not take, such as reasoning without a signature. */
  readonly provider?: string
  /** The model that wrote it, as far as that is known. */
  readonly model?: string
  /** Under a provider's name: fields of its message that have no name here. Only that provider gets them back. */
  readonly metadata?: Metadata
  /** The text that the parts were read from. Prompted in the same dialect, the model gets its calls back as it wrote them. */
  readonly source?: WrittenSource
}

/** A call exactly as the model wrote it, in the dialect it wrote it in. Later requests repeat it byte for byte. */
export interface WrittenSource {
  /** The name of the dialect. */
  readonly dialect: string
  readonly text: string
}

/** A tool that the application runs. `type: 'custom'`: its input is free text. */
export interface FunctionTool {
  readonly type?: 'function' | 'custom'
  readonly name: string
  readonly description?: string
  readonly inputSchema?: JsonSchema
  /** The provider constrains the model to the schema. */
  readonly strict?: boolean
  readonly metadata?: Metadata
}

/** A tool that a provider runs, as that provider declares it. No other provider gets it. */
export interface ProviderTool {
  readonly type: 'provider'
  readonly provider: string
  readonly definition: Fields
}

/** A tool in a request: a function of yours, or a tool that the provider runs. */
export type RequestTool = FunctionTool | ProviderTool

/** Whether the model may call tools, must call one, must not, or must call certain tools. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly toolName: string }
  | { readonly toolNames: readonly string[]; readonly mode: 'auto' | 'required' }

/** How much a model thinks. `effort` is a word such as `low`; `none` turns thinking off. */
export interface ReasoningSettings {
  readonly effort?: string
  readonly budgetTokens?: number
}

/**
 * The settings of a request that providers share. A setting that a provider does not have is left out, with a
 * diagnostic.
 */
export interface Settings {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly stopSequences?: readonly string[]
  readonly reasoning?: ReasoningSettings
  /** The answer is JSON; with a schema, JSON of that form. */
  readonly output?: {
    readonly schema?: JsonSchema
    readonly name?: string
    readonly description?: string
    readonly strict?: boolean
  }
  readonly parallelToolCalls?: boolean
  /** How many answers there are to be. */
  readonly candidates?: number
  /** The log probability of each token; a number: also those of so many other tokens in its place. */
  readonly logprobs?: boolean | number
  /** A stream ends with its usage. */
  readonly includeUsage?: boolean
}

/**
 * A conversation, and what the model is to do with it.
 *
 *     const request = { model: 'gpt-5', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }] }
 */
export interface ModelRequest<Tools = ToolDefinitions | readonly RequestTool[]> {
  readonly model?: string
  readonly messages: readonly ConversationMessage[]
  readonly tools?: Tools
  readonly toolChoice?: ToolChoice
  readonly settings?: Settings
  readonly stream?: boolean
  /** The conversation goes on from a response that the provider has kept; only its own protocol can ask for that. */
  readonly previousResponseId?: string
  /** Fields of the body for one provider, which are written as they are: `{ anthropic: { container: 'c_1' } }`. */
  readonly providerOptions?: { readonly [provider: string]: Fields }
}
