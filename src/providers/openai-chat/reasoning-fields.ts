/** The fields that compatible servers send plain reasoning in. Each server wants it back in its own. */

import type { Metadata } from '../../base/event.ts'

export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

export type ReasoningField = (typeof REASONING_FIELDS)[number]

export const isReasoningField = (value: unknown): value is ReasoningField =>
  REASONING_FIELDS.some((field) => field === value)

const named = (field: ReasoningField): Metadata => ({ 'openai-chat': { field } })

/** The metadata that names the field of a span. Made once: it comes with every token. */
export const FIELD_METADATA: { readonly [Field in ReasoningField]: Metadata } = {
  reasoning_content: named('reasoning_content'),
  reasoning: named('reasoning'),
  reasoning_text: named('reasoning_text'),
  thinking: named('thinking'),
}
