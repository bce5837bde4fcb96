/** Models behind the usual APIs. */

import { anthropic } from '../providers/anthropic/read.ts'
import { anthropicRequest } from '../providers/anthropic/request.ts'
import { gemini } from '../providers/gemini/read.ts'
import { geminiRequest } from '../providers/gemini/request.ts'
import { ollama } from '../providers/ollama/read.ts'
import { ollamaRequest } from '../providers/ollama/request.ts'
import { openaiChat } from '../providers/openai-chat/read.ts'
import { openaiChatRequest } from '../providers/openai-chat/request.ts'
import { openaiResponses } from '../providers/openai-responses/read.ts'
import { openaiResponsesRequest } from '../providers/openai-responses/request.ts'
import { type EndpointOptions, endpointModel, type Protocol } from './endpoint.ts'
import type { Model } from './model.ts'

const bearer = (apiKey: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${apiKey}` })

const OPENAI_CHAT: Protocol = {
  format: openaiChatRequest,
  provider: openaiChat,
  baseUrl: 'https://api.openai.com',
  authorise: bearer,
  settings: { includeUsage: true },
}

const OPENAI_RESPONSES: Protocol = {
  format: openaiResponsesRequest,
  provider: openaiResponses,
  baseUrl: 'https://api.openai.com',
  authorise: bearer,
}

const ANTHROPIC: Protocol = {
  format: anthropicRequest,
  provider: anthropic,
  baseUrl: 'https://api.anthropic.com',
  authorise: (apiKey) => ({ 'x-api-key': apiKey }),
  headers: { 'anthropic-version': '2023-06-01' },
}

const GEMINI: Protocol = {
  format: geminiRequest,
  provider: gemini,
  baseUrl: 'https://generativelanguage.googleapis.com',
  authorise: (apiKey) => ({ 'x-goog-api-key': apiKey }),
}

const OLLAMA: Protocol = {
  format: ollamaRequest,
  provider: ollama,
  baseUrl: 'http://127.0.0.1:11434',
  authorise: bearer,
}

/**
 * Chat Completions of OpenAI and compatible servers.
 *
 *     const model = openaiChatModel({ model: 'gpt-5', apiKey })
 *     const local = openaiChatModel({ model: 'qwen3', baseUrl: 'http://127.0.0.1:8000' })
 */
export const openaiChatModel = (options: EndpointOptions = {}): Model => endpointModel(OPENAI_CHAT, options)

/** OpenAI's Responses API. */
export const openaiResponsesModel = (options: EndpointOptions = {}): Model =>
  endpointModel(OPENAI_RESPONSES, options)

/** Anthropic's Messages API. */
export const anthropicModel = (options: EndpointOptions = {}): Model => endpointModel(ANTHROPIC, options)

/** Gemini's `generateContent`. */
export const geminiModel = (options: EndpointOptions = {}): Model => endpointModel(GEMINI, options)

/** Ollama's own API. */
export const ollamaModel = (options: EndpointOptions = {}): Model => endpointModel(OLLAMA, options)
