/**
 * What signs reasoning or calls. The same model is reached through several formats, each with a place of its own for what
 * the model wants back: a writer takes it from wherever it was read.
 */

import type { Metadata } from '../event.ts'
import type { Fields } from '../fields.ts'
import { ofProvider } from './metadata.ts'
import { fieldsIn, fieldsOf, wordOf } from './payload-fields.ts'

/** The blocks that OpenRouter has for reasoning, of the makers whose format begins like this. */
function detailOf(metadata: Metadata | undefined, maker: string): Fields {
  const details = fieldsIn(ofProvider(metadata, 'openai-chat').reasoning_details)
  return details.find(({ format }) => typeof format === 'string' && format.startsWith(maker)) ?? {}
}

/** Claude signs what it thought, or hides it. */
export function claudeReasoning(metadata: Metadata | undefined): {
  readonly signature: string | undefined
  readonly redactedData: string | undefined
} {
  const own = ofProvider(metadata, 'anthropic')
  const bedrock = ofProvider(metadata, 'bedrock')
  const detail = detailOf(metadata, 'anthropic')
  return {
    signature: wordOf(own.signature) ?? wordOf(bedrock.signature) ?? wordOf(detail.signature),
    redactedData:
      wordOf(own.redactedData) ??
      wordOf(bedrock.redactedData) ??
      wordOf(bedrock.redactedContent) ??
      wordOf(detail.data),
  }
}

/** OpenAI's models keep what they thought under an id, or give it encrypted. */
export function openaiReasoning(metadata: Metadata | undefined): {
  readonly itemId: string | undefined
  readonly encryptedContent: string | undefined
} {
  const own = ofProvider(metadata, 'openai-responses')
  const sdk = ofProvider(metadata, 'openai')
  const detail = detailOf(metadata, 'openai')
  return {
    itemId: wordOf(own.itemId) ?? wordOf(sdk.itemId) ?? wordOf(detail.id),
    encryptedContent:
      wordOf(own.encryptedContent) ?? wordOf(sdk.reasoningEncryptedContent) ?? wordOf(detail.data),
  }
}

/** Gemini signs parts of all kinds. */
export function geminiSignature(metadata: Metadata | undefined): string | undefined {
  const { google } = fieldsOf(ofProvider(metadata, 'openai-chat').extra_content)
  return (
    wordOf(ofProvider(metadata, 'gemini').thoughtSignature) ??
    wordOf(ofProvider(metadata, 'google').thoughtSignature) ??
    wordOf(fieldsOf(google).thought_signature)
  )
}

/** The server that ran a tool: the one that the provider names, or else the provider itself. */
export function serverOf(metadata: Metadata | undefined): string {
  const named =
    wordOf(ofProvider(metadata, 'anthropic').serverName) ??
    wordOf(ofProvider(metadata, 'openai-responses').serverLabel) ??
    wordOf(ofProvider(metadata, 'codex').server)
  return named ?? Object.keys(metadata ?? {})[0] ?? 'provider'
}
