/**
 * The providers' own clients: for each, the chunks that it yields, and the message that it puts together. Where a
 * client leaves that to its user, the message is what its documented fields add up to.
 */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { jsonSchema, type LanguageModel, streamText, type ToolSet } from 'ai6'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { type Called, inputOf, type Said, tokens } from './said.ts'

export interface Client {
  readonly name: string
  /** Whose chunks they are, for Sluice. */
  readonly provider: string
  chunks(url: string): Promise<AsyncIterable<unknown>> | AsyncIterable<unknown>
  assemble(url: string): Promise<Said>
}

const NO_KEY = { apiKey: 'none', maxRetries: 0 }

// ── openai ───────────────────────────────────────────────────────────────────────────────────────

const chatRequest = { model: 'm', messages: [] }

export const openaiChat: Client = {
  name: 'openai',
  provider: 'openai-chat',
  chunks: (url) =>
    new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.create({ ...chatRequest, stream: true }),
  async assemble(url) {
    const stream = new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.stream(chatRequest)
    const { choices, usage } = await stream.finalChatCompletion()
    const { message, finish_reason } = choices[0]!
    // Compatible servers send what OpenAI has no type for.
    const { reasoning_content } = message as { reasoning_content?: string }
    return {
      text: message.content ?? message.refusal ?? '',
      reasoning: reasoning_content ?? '',
      calls: (message.tool_calls ?? []).map(
        (call): Called => [call.id, call.function.name, inputOf(call.function.arguments)],
      ),
      reason: finish_reason,
      usage: tokens(usage?.prompt_tokens, usage?.completion_tokens),
    }
  },
}

/** The chunks that the helper hands on, which keeps a message of its own beside them. */
export const openaiChatHelper: Client = {
  ...openaiChat,
  name: 'openai, its helper',
  chunks: (url) => new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.stream(chatRequest),
}

export const openaiResponses: Client = {
  name: 'openai',
  provider: 'openai-responses',
  chunks: (url) =>
    new OpenAI({ ...NO_KEY, baseURL: url }).responses.create({ model: 'm', input: '', stream: true }),
  async assemble(url) {
    const stream = new OpenAI({ ...NO_KEY, baseURL: url }).responses.stream({ model: 'm', input: '' })
    const { output, output_text, status, incomplete_details, usage } = await stream.finalResponse()
    return {
      text: output_text,
      reasoning: output
        .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
        .map(({ text }) => text)
        .join(''),
      calls: output.flatMap((item): Called[] => {
        if (item.type === 'custom_tool_call') return [[item.call_id, item.name, item.input]]
        return item.type === 'function_call' ? [[item.call_id, item.name, inputOf(item.arguments)]] : []
      }),
      reason: incomplete_details?.reason ?? status,
      usage: tokens(usage?.input_tokens, usage?.output_tokens),
    }
  },
}

export const openaiResponsesHelper: Client = {
  ...openaiResponses,
  name: 'openai, its helper',
  chunks: (url) => new OpenAI({ ...NO_KEY, baseURL: url }).responses.stream({ model: 'm', input: '' }),
}

// ── anthropic ────────────────────────────────────────────────────────────────────────────────────

const messagesRequest = { model: 'm', max_tokens: 1000, messages: [] }

export const anthropic: Client = {
  name: '@anthropic-ai/sdk',
  provider: 'anthropic',
  chunks: (url) =>
    new Anthropic({ ...NO_KEY, baseURL: url }).messages.create({ ...messagesRequest, stream: true }),
  async assemble(url) {
    const stream = new Anthropic({ ...NO_KEY, baseURL: url }).messages.stream(messagesRequest)
    const { content, stop_reason, usage } = await stream.finalMessage()
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: content.flatMap((block): Called[] =>
        block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [],
      ),
      reason: stop_reason ?? undefined,
      usage: tokens(
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        usage.output_tokens,
      ),
    }
  },
}

export const anthropicHelper: Client = {
  ...anthropic,
  name: '@anthropic-ai/sdk, its helper',
  chunks: (url) => new Anthropic({ ...NO_KEY, baseURL: url }).messages.stream(messagesRequest),
}

// ── gemini ───────────────────────────────────────────────────────────────────────────────────────

const geminiChunks = (url: string) =>
  new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }).models.generateContentStream({
    model: 'm',
    contents: 'Hello',
  })

export const gemini: Client = {
  name: '@google/genai',
  provider: 'gemini',
  chunks: geminiChunks,
  async assemble(url) {
    let text = ''
    let reasoning = ''
    const calls: Called[] = []
    let reason: string | undefined
    let usage: Said['usage']
    for await (const chunk of await geminiChunks(url)) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? [])
        if (part.thought) reasoning += part.text ?? ''
        else text += part.text ?? ''
      for (const { id, name, args } of chunk.functionCalls ?? []) calls.push([id ?? '', name ?? '', args])
      reason = chunk.candidates?.[0]?.finishReason ?? reason
      const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = chunk.usageMetadata ?? {}
      usage = tokens(promptTokenCount, candidatesTokenCount + thoughtsTokenCount) ?? usage
    }
    return { text, reasoning, calls, reason, usage }
  },
}

// ── ollama ───────────────────────────────────────────────────────────────────────────────────────

const ollamaChunks = (url: string) =>
  new Ollama({ host: url }).chat({ model: 'm', messages: [], stream: true })

export const ollama: Client = {
  name: 'ollama',
  provider: 'ollama',
  chunks: ollamaChunks,
  async assemble(url) {
    let text = ''
    let reasoning = ''
    const calls: Called[] = []
    let reason: string | undefined
    let usage: Said['usage']
    for await (const { message, done, done_reason, prompt_eval_count, eval_count } of await ollamaChunks(
      url,
    )) {
      text += message.content
      reasoning += message.thinking ?? ''
      for (const call of message.tool_calls ?? [])
        calls.push([(call as { id?: string }).id ?? '', call.function.name, call.function.arguments])
      if (done) {
        reason = done_reason
        usage = tokens(prompt_eval_count, eval_count)
      }
    }
    return { text, reasoning, calls, reason, usage }
  },
}

// ── the AI SDK ───────────────────────────────────────────────────────────────────────────────────

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
