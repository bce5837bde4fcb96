/** Each protocol with its own client, which sends what is written and reads the answer. */

import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { DefaultChatTransport, type UIMessage } from 'ai6'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { type Fields, isFields } from '../../../src/base/fields.ts'
import type { Provider } from '../../../src/providers/index.ts'
import * as providers from '../../../src/providers/index.ts'
import type { ModelRequest, RequestFormat, WrittenRequest } from '../../../src/providers/requests.ts'
import * as requests from '../../../src/providers/requests.ts'
import { NO_KEY } from '../clients/client.ts'
import type { PageApp } from './page-app.ts'
import type { StrictServer } from './strict-server.ts'

export interface Servers {
  readonly strict: StrictServer
  readonly page: PageApp
}

export interface Protocol {
  readonly name: string
  readonly format: RequestFormat
  readonly provider: Provider
  /** What a request needs besides its conversation. */
  readonly about: Pick<ModelRequest, 'model' | 'settings' | 'providerOptions'>
  send(servers: Servers, written: Pick<WrittenRequest, 'body' | 'path'>): Promise<AsyncIterable<unknown>>
}

const openai = (url: string, name: string) => new OpenAI({ ...NO_KEY, baseURL: `${url}/${name}/v1` })

/** A server that speaks Chat Completions; `field` as Sluice wants it named is the same for all. */
function chat(name: string, server: string, about: Protocol['about']): Protocol {
  return {
    name,
    format: requests.openaiChatRequest,
    provider: providers.openaiChat,
    about,
    send: ({ strict }, { body }) =>
      openai(strict.url, server).chat.completions.create(
        body as unknown as OpenAI.ChatCompletionCreateParamsStreaming,
      ),
  }
}

export const PROTOCOLS: readonly Protocol[] = [
  chat('Chat Completions', 'openai', {
    model: 'gpt-5',
    settings: { maxOutputTokens: 5000, reasoning: { effort: 'low' } },
  }),
  chat('Chat Completions of OpenRouter', 'openrouter', {
    model: 'anthropic/claude-sonnet-4.5',
    settings: { maxOutputTokens: 5000, reasoning: { effort: 'low' } },
  }),
  chat('Chat Completions of DeepSeek', 'deepseek', {
    model: 'deepseek-reasoner',
    settings: { maxOutputTokens: 5000 },
  }),
  {
    name: 'Responses',
    format: requests.openaiResponsesRequest,
    provider: providers.openaiResponses,
    about: {
      model: 'gpt-5',
      settings: { maxOutputTokens: 5000, reasoning: { effort: 'low' } },
      providerOptions: { 'openai-responses': { store: false, include: ['reasoning.encrypted_content'] } },
    },
    send: ({ strict }, { body }) =>
      openai(strict.url, 'openai').responses.create(
        body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming,
      ),
  },
  {
    name: 'Anthropic Messages',
    format: requests.anthropicRequest,
    provider: providers.anthropic,
    about: {
      model: 'claude-opus-4-5',
      settings: { maxOutputTokens: 5000, reasoning: { budgetTokens: 2000 } },
    },
    send: ({ strict }, { body }) =>
      new Anthropic({ ...NO_KEY, baseURL: `${strict.url}/anthropic` }).messages.create(
        body as unknown as Anthropic.MessageCreateParamsStreaming,
      ),
  },
  {
    name: 'Gemini generateContent',
    format: requests.geminiRequest,
    provider: providers.gemini,
    about: {
      model: 'gemini-3-flash',
      settings: { maxOutputTokens: 5000, reasoning: { effort: 'low' } },
    },
    // The client has the fields of the body in a place of their own.
    send({ strict }, { body, path }) {
      const { contents, generationConfig, ...rest } = body
      const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `${strict.url}/gemini` } })
      return google.models.generateContentStream({
        model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
        contents: contents as [],
        config: { ...rest, ...(isFields(generationConfig) && generationConfig) },
      })
    },
  },
  {
    name: 'Ollama chat',
    format: requests.ollamaRequest,
    provider: providers.ollama,
    about: { model: 'qwen3', settings: { maxOutputTokens: 5000, reasoning: { effort: 'low' } } },
    send: ({ strict }, { body }) =>
      new Ollama({ host: `${strict.url}/ollama` }).chat(body as unknown as { model: string; stream: true }),
  },
  {
    name: 'AI SDK UI messages',
    format: requests.aiSdkUiRequest,
    provider: providers.aiSdkUi,
    about: {},
    async send({ page }, { body }) {
      const { messages, ...rest } = body as Fields & { messages: UIMessage[] }
      const stream = await new DefaultChatTransport({ api: page.url }).sendMessages({
        ...{ chatId: 'chat-1', messageId: undefined, abortSignal: undefined, trigger: 'submit-message' },
        messages,
        body: rest,
      })
      return stream as unknown as AsyncIterable<unknown>
    },
  },
]
