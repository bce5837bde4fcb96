/** The AI SDK with its adapters. Its chunks are the parts of `fullStream`. */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, type LanguageModel, streamText, type ToolSet } from 'ai6'
import type { Client } from './client.ts'
import { type Called, tokens } from './said.ts'

const TOOLS: ToolSet = {
  get_weather: {
    inputSchema: jsonSchema({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
    }),
  },
}

function aiSdk(name: string, model: (url: string) => Exclude<LanguageModel, string>): Client {
  const stream = (url: string) =>
    // Errors are parts of the stream, and need not be printed, too.
    streamText({ model: model(url), prompt: 'Hello', tools: TOOLS, maxRetries: 0, onError: () => {} })
  return {
    name: `ai with ${name}`,
    provider: 'ai-sdk',
    chunks: (url) => stream(url).fullStream,
    async assemble(url) {
      const result = stream(url)
      for await (const part of result.fullStream) if (part.type === 'error') throw part.error
      const { inputTokens, outputTokens } = await result.usage
      return {
        text: await result.text,
        reasoning: (await result.reasoningText) ?? '',
        calls: (await result.toolCalls).flatMap((call): Called[] =>
          call.invalid ? [] : [[call.toolCallId, call.toolName, call.input]],
        ),
        reason: await result.rawFinishReason,
        usage: tokens(inputTokens, outputTokens),
      }
    },
  }
}

const openaiOf = (url: string) => createOpenAI({ apiKey: 'none', baseURL: url })

export const sdkOpenaiChat = aiSdk('@ai-sdk/openai (chat)', (url) => openaiOf(url).chat('m'))
export const sdkOpenaiResponses = aiSdk('@ai-sdk/openai', (url) => openaiOf(url).responses('gpt-5'))
export const sdkAnthropic = aiSdk('@ai-sdk/anthropic', (url) =>
  createAnthropic({ apiKey: 'none', baseURL: url })('claude-sonnet-4-5'),
)
export const sdkCompatible = aiSdk('@ai-sdk/openai-compatible', (url) =>
  createOpenAICompatible({ name: 'local', baseURL: url, includeUsage: true })('m'),
)
