/** The items of a response as they are written: messages, reasoning and calls. */

import type { Metadata, Usage } from '../../event.ts'
import type { Rope } from '../../rope.ts'
import { ofProvider } from '../metadata.ts'
import type { Payload } from '../wire-format.ts'
import type { WrittenCall } from '../written-calls.ts'

export const NAME = 'openai-responses'

/** An item of text or reasoning while it grows. */
export interface OpenItem {
  readonly index: number
  readonly id: string
  readonly kind: 'text' | 'refusal' | 'reasoning'
  readonly content: Rope
  metadata: Metadata | undefined
}

export const partName = (kind: OpenItem['kind']): string =>
  kind === 'reasoning' ? 'reasoning_summary_part' : 'content_part'
export const textName = (kind: OpenItem['kind']): string =>
  kind === 'reasoning' ? 'reasoning_summary_text' : kind === 'refusal' ? 'refusal' : 'output_text'

export function partOf(kind: OpenItem['kind'], text: string): Payload {
  if (kind === 'reasoning') return { type: 'summary_text', text }
  return kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [] }
}

export function itemOf({ id, kind, metadata }: OpenItem, text: string): Payload {
  const part = partOf(kind, text)
  if (kind !== 'reasoning')
    return { type: 'message', id, status: 'completed', role: 'assistant', content: [part] }
  const { encryptedContent, itemId: own } = ofProvider(metadata, NAME)
  const encrypted = encryptedContent === undefined ? {} : { encrypted_content: encryptedContent }
  return { type: 'reasoning', id: own ?? id, summary: text === '' ? [] : [part], ...encrypted }
}

export const itemId = ({ index }: WrittenCall): string => `item_${index}`
export const inputName = ({ isText, providerExecuted }: WrittenCall): string =>
  providerExecuted ? 'mcp_call_arguments' : isText ? 'custom_tool_call_input' : 'function_call_arguments'

export function callItem(call: WrittenCall): Payload {
  const { id, toolName: name, isText, providerExecuted } = call
  if (providerExecuted) return { type: 'mcp_call', id, name, server_label: 'provider', arguments: '' }
  if (isText) return { type: 'custom_tool_call', id: itemId(call), call_id: id, name, input: '' }
  return { type: 'function_call', id: itemId(call), call_id: id, name, arguments: '' }
}

export function usageOf(usage: Usage): Payload {
  const { inputTokens = 0, outputTokens = 0, totalTokens, reasoningTokens = 0, cachedInputTokens = 0 } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: totalTokens ?? inputTokens + outputTokens,
  }
}
