/** The items of a response as they are written: messages, reasoning, calls and their outputs. */

import type { JsonValue, Metadata, Usage } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { Rope } from '../../base/rope.ts'
import { writeJson } from '../../values/numbers/written.ts'
import { ofProvider } from '../metadata.ts'
import { answerOf, fieldsOf, present, wordOf } from '../payload-fields.ts'
import { openaiReasoning, serverOf } from '../signatures.ts'
import type { Payload } from '../wire-format.ts'
import type { WrittenCall } from '../written-calls.ts'
import type { WrittenResult } from '../written-results.ts'
import { DESCRIBED, HOSTED, isUnlinked, OUTPUTS, REQUIRED } from './item-types.ts'
import { keptIn } from './kept-fields.ts'

export const NAME = 'openai-responses'

/** An item of text or reasoning while it grows, part by part. */
export interface OpenItem {
  readonly index: number
  readonly id: string
  readonly kind: 'text' | 'refusal' | 'reasoning'
  /** The parts that are whole. */
  readonly parts: Payload[]
  /** The part that grows. */
  content: Rope
  annotations: unknown[]
  metadata: Metadata | undefined
}

export const partName = (kind: OpenItem['kind']): string =>
  kind === 'reasoning' ? 'reasoning_summary_part' : 'content_part'
export const textName = (kind: OpenItem['kind']): string =>
  kind === 'reasoning' ? 'reasoning_summary_text' : kind === 'refusal' ? 'refusal' : 'output_text'

export function partOf(kind: OpenItem['kind'], text: string, annotations: readonly unknown[] = []): Payload {
  if (kind === 'reasoning') return { type: 'summary_text', text }
  return kind === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations }
}

export function itemOf({ id, kind, metadata, parts }: OpenItem): Payload {
  if (kind !== 'reasoning') {
    const kept = keptIn(ofProvider(metadata, NAME))
    return { type: 'message', id, status: 'completed', role: 'assistant', content: parts, ...kept }
  }
  // The id may come with what is encrypted, at the end.
  const { encryptedContent, itemId = id } = openaiReasoning(metadata)
  const encrypted = encryptedContent === undefined ? {} : { encrypted_content: encryptedContent }
  return { type: 'reasoning', id: itemId, summary: parts, ...encrypted }
}

/**
 * The type of the item that a call is written as: its own, if it was read as one. What another provider ran is a call of
 * an MCP server, which is the form that has a name, arguments and an output.
 */
export function typeOf({ isText, providerExecuted, metadata }: WrittenCall): string {
  const own = wordOf(ofProvider(metadata, NAME).type)
  if (own !== undefined && (Object.hasOwn(HOSTED, own) || Object.hasOwn(DESCRIBED, own))) return own
  return providerExecuted ? 'mcp_call' : isText ? 'custom_tool_call' : 'function_call'
}

/** Whether the input of an item is written as it grows. That of all other types is a value. */
export const isGrowing = (type: string): boolean => Object.hasOwn(GROWING, type)

/** Types of items whose input is text: the event that it grows by, and the beginning of their ids. */
const GROWING: Readonly<Record<string, { readonly event: string; readonly prefix: string }>> = {
  function_call: { event: 'function_call_arguments', prefix: 'fc' },
  custom_tool_call: { event: 'custom_tool_call_input', prefix: 'ctc' },
  mcp_call: { event: 'mcp_call_arguments', prefix: 'mcp' },
}

export const inputEvent = (type: string): string => GROWING[type]?.event ?? ''
export const idPrefix = (type: string): string => GROWING[type]?.prefix ?? type.replace(/_call$/, '')

/** The item of a call. `id`: that of the item, for types that have one beside the id of the call. */
export function callItem(call: WrittenCall, id: string): Payload {
  const { id: call_id, toolName: name, metadata } = call
  const type = typeOf(call)
  const kept = { ...REQUIRED[type], ...keptIn(ofProvider(metadata, NAME)) }
  if (type === 'mcp_call')
    return { type, id: call_id, name, server_label: serverOf(metadata), arguments: '', ...kept }
  if (type === 'mcp_approval_request') return { type, id: call_id, name, ...kept }
  // Tools that OpenAI runs by itself have no id but that of their item.
  if (Object.hasOwn(HOSTED, type) && type !== 'program') return { type, id: call_id, ...kept }
  if (isUnlinked(type, metadata)) return { type, id: call_id, call_id: null, ...kept }
  const named = type === 'function_call' || type === 'custom_tool_call' ? { name } : {}
  return { type, id, call_id, ...named, ...kept }
}

/** What its output has to know of a call. */
export interface CalledItem {
  readonly type: string
  readonly isUnlinked: boolean
}

/** Whether an item is announced with its input: clients refuse one of these types without it. */
export const isAnnouncedWhole = (type: string): boolean => Object.hasOwn(DESCRIBED, type)

/** The fields that the input of a call is in an item whose input does not grow. */
export function inputFields(type: string, input: JsonValue): Fields {
  if (type === 'mcp_approval_request') return { arguments: writeJson(input) }
  const field = DESCRIBED[type]
  const isList = isFields(input) && Array.isArray(input.actions) && type === 'computer_call'
  if (field !== undefined && !isList) return { [field]: input }
  return isFields(input) ? input : {}
}

/** The fields that the answer of a tool is in the item of its call; undefined where the answer is an item of its own. */
export function resultFields(type: string, content: string, isError: boolean): Fields | undefined {
  const field = HOSTED[type]?.result[0]
  if (field === undefined) return undefined
  if (isError) return { error: content, status: 'failed' }
  return { [field]: field === 'output' || field === 'result' ? content : answerOf(content) }
}

/**
 * The item that answers a call: its own, if it was read as one; undefined where there is none. `newId`: the id of the item,
 * if it had none.
 */
export function outputItem(
  { type, isUnlinked }: CalledItem,
  newId: string,
  result: WrittenResult,
): Payload | undefined {
  const { itemId = newId, type: own, ...about } = ofProvider(result.metadata, NAME)
  const output = [own, `${type}_output`, type.replace(/_call$/, '_output')].find(
    (name): name is string => typeof name === 'string' && Object.hasOwn(OUTPUTS, name),
  )
  if (output === undefined) return undefined
  const isText = output === 'function_call_output' || output === 'custom_tool_call_output'
  const value = isText ? result.content : answerOf(result.content)
  // Only a patch can fail; what another tool answered says so by itself.
  const failed = output === 'apply_patch_call_output' ? 'failed' : 'incomplete'
  return {
    type: output,
    id: itemId,
    call_id: isUnlinked || itemId === result.id ? null : result.id,
    [OUTPUTS[output]!]: value,
    status: result.isError ? failed : 'completed',
    ...keptIn(about),
  }
}

/** An annotation as clients take it: some servers leave out where it stands and what the page is called. */
export function annotationOf(value: unknown, at: number): Fields | undefined {
  const annotation = fieldsOf(value)
  if (!ANNOTATIONS.has(String(annotation.type))) return undefined
  if (annotation.type !== 'url_citation') return annotation
  const { title = annotation.url, start_index = at, end_index = at } = present(annotation) ?? {}
  return { ...annotation, title, start_index, end_index }
}

const ANNOTATIONS = new Set(['url_citation', 'file_citation', 'container_file_citation', 'file_path'])

export function usageOf(usage: Usage): Payload {
  const {
    inputTokens = 0,
    outputTokens = 0,
    totalTokens,
    reasoningTokens = 0,
    cachedInputTokens = 0,
    cacheWriteInputTokens = 0,
    cost,
  } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: totalTokens ?? inputTokens + outputTokens,
    ...(cost !== undefined && { cost }),
  }
}
