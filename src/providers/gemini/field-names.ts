/**
 * Gemini takes its fields in camel case and in snake case: `functionCall` and `function_call`. Only names that belong to
 * the protocol are changed, never the keys of arguments, schemas and fields that are not known.
 */

import type { Fields } from '../../base/fields.ts'

const NAMES = `
  systemInstruction toolConfig generationConfig cachedContent safetySettings
  inlineData fileData functionCall functionResponse thoughtSignature executableCode codeExecutionResult
  mimeType fileUri displayName functionDeclarations parametersJsonSchema responseJsonSchema
  functionCallingConfig allowedFunctionNames maxOutputTokens topP topK presencePenalty frequencyPenalty stopSequences
  candidateCount responseLogprobs responseMimeType responseSchema thinkingConfig thinkingBudget thinkingLevel
`

const CAMEL = new Map(
  NAMES.trim()
    .split(/\s+/)
    .map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
)

/** The fields with the names that they have in camel case. */
export function camelFields(fields: Fields): Fields {
  const isCamel = Object.keys(fields).every((key) => !CAMEL.has(key))
  if (isCamel) return fields
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [CAMEL.get(key) ?? key, value]))
}
