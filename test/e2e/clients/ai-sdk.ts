/** The AI SDK with its adapters. Its chunks are the parts of `fullStream`. */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, type LanguageModel, streamText, type ToolSet } from 'ai6'
import type { Client } from './client.ts'
import { type Called, tokens } from './said.ts'

const toolSet = (names: readonly string[]): ToolSet =>
  Object.fromEntries(names.map((name) => [name, { inputSchema: jsonSchema({}) }]))

function aiSdk(name: string, model: (url: string) => Exclude<LanguageModel, string>): Client {
  const stream = (url: string, tools: readonly string[] = ['get_weather']) =>
    streamText({
      model: model(url),
      prompt: 'Hello',
      tools: toolSet(tools),
      maxRetries: 0,
      // Errors are parts of the stream, and need not be printed, too.
      onError: () => {},
    })
  return {
    name: `ai with ${name}`,
    provider: 'ai-sdk',
    chunks: (url) => stream(url).fullStream,
    async message(url) {
      let text = ''
      const rest: unknown[] = []
      for await (const part of stream(url).fullStream) {
        if (part.type === 'error') throw part.error
        if (part.type === 'text-delta' || part.type === 'reasoning-delta') text += part.text
        if ('providerMetadata' in part) rest.push(part.providerMetadata)
        if (!part.type.endsWith('-delta') && part.type !== 'raw' && part.type !== 'finish-step')
          rest.push(part)
      }
      return [text, rest]
    },
    async assemble(url, tools) {
      const result = stream(url, tools)
      for await (const part of result.fullStream) if (part.type === 'error') throw part.error
      const { inputTokens, outputTokens } = await result.usage
      return {
        text: await result.text,
        reasoning: (await result.reasoningText) ?? '',
        calls: (await result.toolCalls).flatMap((call): Called[] =>
          call.invalid || call.providerExecuted ? [] : [[call.toolCallId, call.toolName, call.input]],
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
