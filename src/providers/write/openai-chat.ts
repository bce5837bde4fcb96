/**
 * Writes Chat Completions.
 *
 * Reasoning is `reasoning_content`, and what signs it `reasoning_details`, as compatible servers have it. There
 * is no place for tools that a provider ran, nor for their results.
 */

import type { Event, FinishReason, Metadata, ToolCall, Usage } from '../../event.ts'
import { asEvent, type Payload, type PayloadWriter, type WireFormat, type WriterOptions } from './format.ts'
import { codeOf, isRefusal, messageOf, ofProvider } from './opaque.ts'
import { unquoted, type WrittenCall, WrittenCalls } from './written-calls.ts'

export const openaiChatFormat: WireFormat = {
  name: 'openai-chat',
  contentType: 'text/event-stream',
  frame: asEvent,
  end: 'data: [DONE]\n\n',
  open: (about) => new ChatWriter(about),
}

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
  error: 'stop',
  aborted: 'stop',
  other: 'stop',
}
/** Kinds of `custom` that have a field of the same name. */
const FIELDS = new Set(['annotations', 'audio', 'images', 'citations', 'executed_tools'])

class ChatWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly calls = new WrittenCalls()
  private count = 0
  private isFirst = true
  private hasFailed = false
  private readonly refusals = new Set<string>()
  /** Calls of which something was written. */
  private readonly announced = new Set<string>()

  constructor(about: Required<WriterOptions>) {
    this.about = about
  }

  write(event: Event): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
        if (isRefusal(event.metadata)) this.refusals.add(event.id)
        return []
      case 'text-delta':
        return [this.delta({ [this.refusals.has(event.id) ? 'refusal' : 'content']: event.delta })]
      case 'reasoning-delta':
        return [this.delta({ reasoning_content: event.delta })]
      case 'reasoning-start':
      case 'reasoning-end':
        return this.details(event.metadata)
      case 'tool-input-start':
        return event.providerExecuted ? [] : this.begin(event)
      case 'tool-input-delta':
        return this.input(this.calls.grow(event), event.delta)
      case 'tool-call':
        return this.judge(event)
      case 'custom':
        return FIELDS.has(event.kind) ? [this.delta({ [event.kind]: event.value })] : []
      case 'error':
        return this.fail(messageOf(event.error), codeOf(event.error))
      case 'finish':
        return this.finish(event)
      default:
        return []
    }
  }

  private chunk(choices: readonly unknown[], more: Payload = {}): Payload {
    const { id, created, model } = this.about
    return { id, object: 'chat.completion.chunk', created, model, choices, ...more }
  }

  private delta(delta: Payload, finish_reason: string | null = null): Payload {
    const role = this.isFirst ? { role: 'assistant' } : {}
    this.isFirst = false
    return this.chunk([{ index: 0, delta: { ...role, ...delta }, finish_reason }])
  }

  private details(metadata: Metadata | undefined): Payload[] {
    const details = reasoningDetails(metadata)
    return details.length === 0 ? [] : [this.delta({ reasoning_details: details })]
  }

  /** Whether the tool takes JSON or free text shows with its first piece of input, and only then it is said. */
  private begin(event: Event & { type: 'tool-input-start' }): Payload[] {
    this.calls.begin(event, this.count++)
    return []
  }

  private input(call: WrittenCall | undefined, delta: string, metadata?: Metadata): Payload[] {
    if (call === undefined) return []
    const { index, id, toolName: name, isText } = call
    const isNew = !this.announced.has(id)
    const text = isText ? unquoted(delta) : delta
    // The quotes around free text are ours.
    if (isText && text === '' && !isNew) return []
    this.announced.add(id)
    const input = isText ? { input: text } : { arguments: text }
    const key = isText ? 'custom' : 'function'
    const signed = ofProvider(metadata, 'gemini').thoughtSignature
    const said = isNew ? { index, id, type: key, [key]: { name, ...input } } : { index, [key]: input }
    const extra = signed === undefined ? {} : { extra_content: { google: { thought_signature: signed } } }
    return [this.delta({ tool_calls: [{ ...said, ...extra }] })]
  }

  private judge(event: ToolCall): Payload[] {
    const ended = this.calls.end(event)
    if (ended === undefined) return []
    const isSaid = this.announced.has(event.id)
    const isSigned = ofProvider(event.metadata, 'gemini').thoughtSignature !== undefined
    if (isSaid && ended.rest === '' && !isSigned) return []
    return this.input(ended.call, ended.rest, event.metadata)
  }

  private fail(message: string, code = 'server_error'): Payload[] {
    this.hasFailed = true
    return [{ error: { message, type: code } }]
  }

  private finish({ reason, rawReason, usage }: Event & { type: 'finish' }): Payload[] {
    if (this.hasFailed) return []
    if (reason === 'error' || reason === 'aborted') return this.fail('The response broke off.')
    const own = rawReason !== undefined && OWN.has(rawReason) ? rawReason : REASONS[reason]
    const last = this.delta({}, reason === 'tool-calls' ? 'tool_calls' : own)
    return usage === undefined ? [last] : [last, this.chunk([], { usage: usageOf(usage) })]
  }
}

const OWN = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])

/** What must be sent back with reasoning, in the form that compatible servers give it. */
function reasoningDetails(metadata: Metadata | undefined): readonly unknown[] {
  const own = ofProvider(metadata, 'openai-chat').reasoning_details
  if (Array.isArray(own)) return own
  const { signature, redactedData } = ofProvider(metadata, 'anthropic')
  if (signature !== undefined) return [{ type: 'reasoning.text', signature, format: 'anthropic-claude-v1' }]
  if (redactedData !== undefined)
    return [{ type: 'reasoning.encrypted', data: redactedData, format: 'anthropic-claude-v1' }]
  const { encryptedContent, itemId } = ofProvider(metadata, 'openai-responses')
  if (encryptedContent === undefined) return []
  return [{ type: 'reasoning.encrypted', data: encryptedContent, id: itemId, format: 'openai-responses-v1' }]
}

function usageOf(usage: Usage): Payload {
  const { inputTokens = 0, outputTokens = 0, totalTokens, reasoningTokens, cachedInputTokens } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens ?? inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}
