/**
 * Writes Chat Completions.
 *
 * Reasoning is in the field that it was read from, or in `reasoning_content`, and what signs it in `reasoning_details`, as
 * compatible servers have it. There is no place for tools that a provider ran, nor for their results. Free text is
 * written when the call is judged: any part of it is a whole input.
 */

import type { Metadata, SluiceEvent, Usage } from '../../base/event.ts'
import { sourcesOf } from '../citations.ts'
import { type ReasonWords, reasonWord } from '../finish-reasons.ts'
import { isRefusal, ofProvider } from '../metadata.ts'
import { fieldsIn, present } from '../payload-fields.ts'
import { claudeReasoning, geminiSignature, openaiReasoning } from '../signatures.ts'
import {
  asEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { unquoted, type WrittenCall } from '../written-calls.ts'
import { isOfTool, WrittenTools } from '../written-tools.ts'
import { isReasoningField, type ReasoningField } from './reasoning-fields.ts'

/** Writes Chat Completions. */
export const openaiChatWriter: WireFormat<'openai-chat'> = {
  name: 'openai-chat',
  contentType: 'text/event-stream',
  frame: asEvent,
  end: 'data: [DONE]\n\n',
  refuse: ({ message, code }) =>
    asRefusal({ error: { message, type: code ?? 'server_error', param: null, code: code ?? null } }),
  open: (about) => new ChatWriter(about),
}

const REASONS: ReasonWords = {
  words: { 'tool-calls': 'tool_calls', length: 'length', 'content-filter': 'content_filter' },
  otherwise: 'stop',
  own: new Set(['stop', 'length', 'content_filter']),
}
/** Kinds of `custom` that have a field of the same name in a delta, and those that stand beside the choices. */
const FIELDS = new Set(['annotations', 'audio', 'images', 'executed_tools'])
const BESIDE = new Set(['citations', 'search_results', 'related_questions', 'videos'])

class ChatWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly tools: WrittenTools
  /** How many calls were written. */
  private count = 0
  private isFirst = true
  /** The length of the text so far. */
  private length = 0
  private hasFailed = false
  private readonly refusals = new Set<string>()
  /** The field of the reasoning that is being written: the one that it came in. */
  private field: ReasoningField = 'reasoning_content'
  /** What stands beside the reasoning that is being written, and how many blocks of it have something. */
  private detail: Payload = {}
  private opaque: unknown
  private details = 0
  /** Calls whose signature was written. */
  private readonly signed = new Set<string>()

  constructor(about: Required<WriterOptions>) {
    this.about = about
    this.tools = new WrittenTools(
      { allow: about.allow, holdsText: true },
      {
        begin: ({ providerExecuted }) => (providerExecuted ? undefined : []),
        input: (call, piece) => this.input(call, piece),
        // A call that may not run stays open: its arguments never parse.
        judge: ({ call, rest, isGood }, { metadata }) => (isGood ? this.input(call, rest, metadata) : []),
      },
    )
  }

  write(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
        if (isRefusal(event.metadata)) this.refusals.add(event.id)
        return []
      case 'text-delta':
        this.length += event.delta.length
        return [this.delta({ [this.refusals.has(event.id) ? 'refusal' : 'content']: event.delta })]
      case 'reasoning-start': {
        const { field } = ofProvider(event.metadata, 'openai-chat')
        this.field = isReasoningField(field) ? field : 'reasoning_content'
        this.detail = {}
        this.learn(event.metadata)
        return []
      }
      case 'reasoning-delta':
        return [this.delta({ [this.field]: event.delta, ...this.textDetail(event.delta) })]
      case 'reasoning-end':
        return this.sign(event.metadata)
      case 'custom':
        return this.writeCustom(event.kind, event.value)
      case 'error':
        return this.fail(event.error.message, event.error.code)
      case 'finish':
        return this.finish(event)
      default:
        return isOfTool(event) ? this.tools.write(event) : []
    }
  }

  private chunk(choices: readonly unknown[], more: Payload = {}): Payload {
    const { id, created, model } = this.about
    return { id, object: 'chat.completion.chunk', created, model, choices, ...more }
  }

  private delta(delta: Payload, end: Payload = { finish_reason: null }): Payload {
    const role = this.isFirst ? { role: 'assistant' } : {}
    this.isFirst = false
    return this.chunk([{ index: 0, delta: { ...role, ...delta }, ...end }])
  }

  private writeCustom(kind: string, value: unknown): Payload[] {
    if (FIELDS.has(kind)) return [this.delta({ [kind]: value })]
    if (BESIDE.has(kind)) return [{ ...this.delta({}), [kind]: value }]
    const place = { start_index: this.length, end_index: this.length }
    const annotations = sourcesOf(kind, value).map((source) => ({
      type: 'url_citation',
      url_citation: { ...source, ...place },
    }))
    return annotations.length === 0 ? [] : [this.delta({ annotations })]
  }

  /** What must be sent back with reasoning. A block has one number, so that nothing is taken for that of another. */
  private learn(metadata: Metadata | undefined): void {
    const { reasoning_opaque, reasoning_details: own } = ofProvider(metadata, 'openai-chat')
    this.opaque = reasoning_opaque ?? this.opaque
    const [detail] = reasoningDetails(metadata)
    if (detail === undefined) return
    const isNew = Object.keys(this.detail).length === 0
    this.detail = {
      ...(isNew && own === undefined && { index: this.details++ }),
      ...this.detail,
      ...detail,
    }
  }

  /** Written behind the text that it signs: some clients keep the last piece alone. */
  private sign(metadata: Metadata | undefined): Payload[] {
    this.learn(metadata)
    const { detail, opaque: reasoning_opaque } = this
    this.opaque = undefined
    const isSigned = detail.signature !== undefined || detail.data !== undefined
    const fields = present({ reasoning_opaque, reasoning_details: isSigned ? [detail] : undefined })
    return fields === undefined ? [] : [this.delta(fields)]
  }

  /** Servers that number blocks have their text in them, too. */
  private textDetail(text: string): Payload {
    const { signature: _, data, ...detail } = this.detail
    if (detail.type === undefined || data !== undefined) return {}
    const field = detail.type === 'reasoning.summary' ? 'summary' : 'text'
    return { reasoning_details: [{ ...detail, [field]: text }] }
  }

  /** A call is announced with the first piece of its input, which shows whether it is JSON or free text. */
  private input(call: WrittenCall, piece: string, metadata?: Metadata): Payload[] {
    const { id, toolName: name, isText } = call
    const isNew = call.index === undefined
    call.index ??= this.count++
    const { index } = call
    const input = isText ? { input: unquoted(piece) } : { arguments: piece }
    const key = isText ? 'custom' : 'function'
    const extra = this.extraOf(id, metadata ?? call.metadata)
    const written = isNew ? { index, id, type: key, [key]: { name, ...input } } : { index, [key]: input }
    return [this.delta({ tool_calls: [{ ...written, ...extra }] })]
  }

  /** What signs a call, once. */
  private extraOf(id: string, metadata: Metadata | undefined): Payload {
    const signature = geminiSignature(metadata)
    const own = ofProvider(metadata, 'openai-chat').extra_content
    if ((signature === undefined && own === undefined) || this.signed.has(id)) return {}
    this.signed.add(id)
    return { extra_content: own ?? { google: { thought_signature: signature } } }
  }

  private fail(message: string, code = 'server_error'): Payload[] {
    this.hasFailed = true
    return [{ error: { message, type: code } }]
  }

  private finish({ reason, rawReason, usage, metadata }: SluiceEvent & { type: 'finish' }): Payload[] {
    if (this.hasFailed) return []
    if (reason === 'error' || reason === 'aborted') return this.fail('The response broke off.')
    const own = reasonWord(REASONS, reason, rawReason)
    const finish_reason = reason !== 'tool-calls' ? own : this.count > 0 ? 'tool_calls' : 'stop'
    const { stopSequence: stop_reason } = ofProvider(metadata, 'openai-chat')
    const last = this.delta({}, { finish_reason, ...(stop_reason !== undefined && { stop_reason }) })
    return usage === undefined ? [last] : [last, this.chunk([], { usage: usageOf(usage) })]
  }
}

/** What must be sent back with reasoning, in the form that compatible servers give it. */
function reasoningDetails(metadata: Metadata | undefined): readonly Payload[] {
  const own = fieldsIn(ofProvider(metadata, 'openai-chat').reasoning_details)
  if (own.length > 0) return own
  const { signature, redactedData } = claudeReasoning(metadata)
  const claude = { format: 'anthropic-claude-v1' }
  if (signature !== undefined) return [{ type: 'reasoning.text', signature, ...claude }]
  if (redactedData !== undefined) return [{ type: 'reasoning.encrypted', data: redactedData, ...claude }]
  const { encryptedContent, itemId } = openaiReasoning(metadata)
  if (encryptedContent !== undefined)
    return [
      { type: 'reasoning.encrypted', data: encryptedContent, id: itemId, format: 'openai-responses-v1' },
    ]
  const thought = geminiSignature(metadata)
  return thought === undefined
    ? []
    : [{ type: 'reasoning.encrypted', data: thought, format: 'google-gemini-v1' }]
}

function usageOf(usage: Usage): Payload {
  const { inputTokens = 0, outputTokens = 0, totalTokens, reasoningTokens, cost } = usage
  const { cachedInputTokens: cached_tokens, cacheWriteInputTokens: cache_write_tokens } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens ?? inputTokens + outputTokens,
    ...((cached_tokens ?? cache_write_tokens) !== undefined && {
      prompt_tokens_details: present({ cached_tokens, cache_write_tokens }),
    }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
    ...(cost !== undefined && { cost }),
  }
}
