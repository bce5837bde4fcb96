/**
 * What signs reasoning or calls. The same model is reached through several formats, each with a place of its own for what
 * the model wants back: a writer takes it from wherever it was read.
 */

import type { Metadata } from '../base/event.ts'
import type { Fields } from '../base/fields.ts'
import { ofProvider } from './metadata.ts'
import { fieldsIn, fieldsOf, firstWord } from './payload-fields.ts'

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
    signature: firstWord(own.signature, bedrock.signature, detail.signature),
    redactedData: firstWord(own.redactedData, bedrock.redactedData, bedrock.redactedContent, detail.data),
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
    itemId: firstWord(own.itemId, sdk.itemId, detail.id),
    encryptedContent: firstWord(own.encryptedContent, sdk.reasoningEncryptedContent, detail.data),
  }
}

/** Gemini signs parts of all kinds. */
export function geminiSignature(metadata: Metadata | undefined): string | undefined {
  const { google } = fieldsOf(ofProvider(metadata, 'openai-chat').extra_content)
  return firstWord(
    ofProvider(metadata, 'gemini').thoughtSignature,
    ofProvider(metadata, 'google').thoughtSignature,
    fieldsOf(google).thought_signature,
  )
}

/** The server that ran a tool: the one that the provider names, or else the provider itself. */
export function serverOf(metadata: Metadata | undefined): string {
  const named = firstWord(
    ofProvider(metadata, 'anthropic').serverName,
    ofProvider(metadata, 'openai-responses').serverLabel,
    ofProvider(metadata, 'codex').server,
  )
  return named ?? Object.keys(metadata ?? {})[0] ?? 'provider'
}
