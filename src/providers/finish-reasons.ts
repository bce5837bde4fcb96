/** The providers' words for why a model stopped, and ours. */

import type { FinishReason, Metadata } from '../base/event.ts'
import type { Output } from './output.ts'
import { fieldsOf, wordOf } from './payload-fields.ts'

export type ReasonTable = Readonly<Record<string, FinishReason>>

/** Unknown words are `other`; the raw reason has the word. */
export function normaliseReason(raw: string, table: ReasonTable): FinishReason {
  return Object.hasOwn(table, raw) ? table[raw]! : 'other'
}

/**
 * Whether this is a provider's word for a stop sequence of the request. What the model had begun is not whole then, although
 * no limit was reached. Most servers say `stop` and nothing else, which tells nothing.
 */
export function isStopSequence(raw: string | null | undefined): boolean {
  return raw?.toLowerCase() === 'stop_sequence'
}

/** Whether metadata names a stop sequence, other than one that ends a turn: a server may be told to stop there, too. */
export function namesStopSequence(metadata: Metadata | null, endOfTurn: readonly string[]): boolean {
  return Object.values(metadata ?? {}).some((about) => {
    const { stopSequence } = fieldsOf(about)
    return typeof stopSequence === 'string' && !endOfTurn.includes(stopSequence)
  })
}

/** Reports why the model stopped, if this is a provider's word for it. */
export function reportReason(given: unknown, table: ReasonTable, out: Output): void {
  const raw = wordOf(given)
  if (raw !== undefined) out.finish(normaliseReason(raw, table), raw)
}

/** The same where the provider behind it is not known. */
export function reportAnyReason(given: unknown, out: Output): void {
  const raw = wordOf(given)
  if (raw !== undefined) out.finish(normaliseReason(raw.toLowerCase(), OF_ANY), raw)
}

/** Whether the model stopped by itself, and not because of a limit or a word of the request. */
export function isOwnStop(given: unknown): boolean {
  const raw = wordOf(given)?.toLowerCase() ?? ''
  const reason = normaliseReason(raw, OF_ANY)
  return (reason === 'stop' || reason === 'tool-calls') && !isStopSequence(raw)
}

/** The words of Anthropic, which Bedrock has, too. */
export const CLAUDE_REASONS: ReasonTable = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
}

/** A format's words for why a model stopped, for its writer. */
export interface ReasonWords {
  readonly words: Readonly<Partial<Record<FinishReason, string>>>
  /** For reasons that it has no word for. */
  readonly otherwise: string
  /** Words that are written again as they came. */
  readonly own: ReadonlySet<string>
}

export function reasonWord(
  { words, otherwise, own }: ReasonWords,
  reason: FinishReason,
  rawReason: string | undefined,
): string {
  return rawReason !== undefined && own.has(rawReason) ? rawReason : (words[reason] ?? otherwise)
}

/** The words of OpenAI, and those of others: compatible servers and frameworks pass them on as they are. */
const OF_ANY: ReasonTable = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  tool_call: 'tool-calls',
  tool_use: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  content_filtered: 'content-filter',
  guardrail_intervened: 'content-filter',
  safety: 'content-filter',
  recitation: 'content-filter',
  prohibited_content: 'content-filter',
  blocklist: 'content-filter',
  sensitive: 'content-filter',
  refusal: 'content-filter',
  error: 'error',
  network_error: 'error',
  malformed_function_call: 'error',
  insufficient_system_resource: 'error',
  abort: 'aborted',
}
