/**
 * Writes Chat Completions.
 *
 * Reasoning is `reasoning_content`, and what signs it `reasoning_details`, as compatible servers have it. There
 * is no place for tools that a provider ran, nor for their results. Free text is written when the call is judged:
 * any part of it is a whole input.
 */

import type { FinishReason, Metadata, SluiceEvent, ToolCall, Usage } from '../../event.ts'
import { isRefusal, ofProvider } from '../metadata.ts'
import {
  asEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { unquoted, type WrittenCall, WrittenCalls } from '../written-calls.ts'

export const openaiChatWriter: WireFormat<'openai-chat'> = {
  name: 'openai-chat',
  contentType: 'text/event-stream',
  frame: asEvent,
  end: 'data: [DONE]\n\n',
  refuse: ({ message, code }) =>
    asRefusal({ error: { message, type: code ?? 'server_error', param: null, code: code ?? null } }),
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
  private readonly calls: WrittenCalls
  /** How many calls were written. */
  private count = 0
  private isFirst = true
  private hasFailed = false
  private readonly refusals = new Set<string>()

  constructor(about: Required<WriterOptions>) {
    this.about = about
    this.calls = new WrittenCalls({ allow: about.allow, holdsText: true })
  }

  write(event: SluiceEvent): readonly Payload[] {
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
        if (!event.providerExecuted) this.calls.begin(event)
        return []
      case 'tool-input-delta': {
        const grown = this.calls.grow(event)
        return grown === undefined || grown.text === '' ? [] : this.input(grown.call, grown.text)
      }
      case 'tool-call':
        return this.judge(event)
      case 'custom':
        return FIELDS.has(event.kind) ? [this.delta({ [event.kind]: event.value })] : []
      case 'error':
        return this.fail(event.error.message, event.error.code)
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

  /** A call is announced with the first piece of its input, which shows whether it is JSON or free text. */
  private input(call: WrittenCall, piece: string, metadata?: Metadata): Payload[] {
    const { id, toolName: name, isText } = call
    const isNew = call.index === undefined
    call.index ??= this.count++
    const { index } = call
    const input = isText ? { input: unquoted(piece) } : { arguments: piece }
    const key = isText ? 'custom' : 'function'
    const signed = ofProvider(metadata, 'gemini').thoughtSignature
    const written = isNew ? { index, id, type: key, [key]: { name, ...input } } : { index, [key]: input }
    const extra = signed === undefined ? {} : { extra_content: { google: { thought_signature: signed } } }
    return [this.delta({ tool_calls: [{ ...written, ...extra }] })]
  }

  /** A call that may not run stays open: its arguments never parse. */
  private judge(event: ToolCall): Payload[] {
    const judged = this.calls.end(event)
    return judged?.isGood ? this.input(judged.call, judged.rest, event.metadata) : []
  }

  private fail(message: string, code = 'server_error'): Payload[] {
    this.hasFailed = true
    return [{ error: { message, type: code } }]
  }

  private finish({ reason, rawReason, usage }: SluiceEvent & { type: 'finish' }): Payload[] {
    if (this.hasFailed) return []
    if (reason === 'error' || reason === 'aborted') return this.fail('The response broke off.')
    const own = rawReason !== undefined && OWN.has(rawReason) ? rawReason : REASONS[reason]
    const last = this.delta({}, reason !== 'tool-calls' ? own : this.count > 0 ? 'tool_calls' : 'stop')
    return usage === undefined ? [last] : [last, this.chunk([], { usage: usageOf(usage) })]
  }
}

const OWN = new Set(['stop', 'length', 'content_filter'])

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
