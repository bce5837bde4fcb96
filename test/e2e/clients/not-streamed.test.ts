/**
 * Responses that were not streamed, as the object that each provider's own client makes of them: some rename fields, some
 * add their own, and all of them say what was sent.
 */

import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import { CohereClientV2 } from 'cohere-ai'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyProvider, findProvider } from '../../../src/providers/any.ts'
import { readProvider } from '../../../src/providers/read-provider.ts'
import { bedrockOf } from './bedrock.ts'
import { NO_KEY } from './client.ts'
import { saidBySluice, saidInFull, WEATHER } from './said.ts'
import { LocalServer } from './server.ts'

const body = (file: string): Uint8Array =>
  readFileSync(new URL(`../../providers/fixtures/whole/${file}.json`, import.meta.url))

let server: LocalServer
beforeAll(async () => {
  server = await LocalServer.open()
})
afterAll(() => server.close())

const messages = [{ role: 'user' as const, content: 'Hello' }]
/** Mistral has thoughts as a part of the content, and no field for them. */
function mistralBody(): string {
  const response = JSON.parse(new TextDecoder().decode(body('openai-chat'))) as {
    choices: { message: { content: unknown; reasoning_content?: string } }[]
  }
  const { message } = response.choices[0]!
  const thinking = [{ type: 'text', text: message.reasoning_content }]
  message.content = [
    { type: 'thinking', thinking },
    { type: 'text', text: message.content },
  ]
  delete message.reasoning_content
  return JSON.stringify(response)
}

test.each<[client: string, file: string, provider: string, ask: (url: string) => PromiseLike<unknown>]>([
  [
    'openai',
    'openai-chat',
    'openai-chat',
    (url) => new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.create({ model: 'm', messages }),
  ],
  [
    '@mistralai/mistralai',
    'mistral',
    'openai-chat',
    (url) => new Mistral({ apiKey: 'none', serverURL: url }).chat.complete({ model: 'm', messages }),
  ],
  [
    'openai',
    'openai-responses',
    'openai-responses',
    (url) => new OpenAI({ ...NO_KEY, baseURL: url }).responses.create({ model: 'm', input: 'Hello' }),
  ],
  [
    '@anthropic-ai/sdk',
    'anthropic',
    'anthropic',
    (url) =>
      new Anthropic({ ...NO_KEY, baseURL: url }).messages.create({ model: 'm', max_tokens: 9, messages }),
  ],
  [
    '@google/genai',
    'gemini',
    'gemini',
    (url) =>
      new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }).models.generateContent({
        model: 'm',
        contents: 'Hello',
      }),
  ],
  [
    '@google/genai (Interactions)',
    'gemini-interactions',
    'gemini',
    (url) =>
      new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }).interactions.create({
        model: 'm',
        input: 'Hello',
      }),
  ],
  ['ollama', 'ollama', 'ollama', (url) => new Ollama({ host: url }).chat({ model: 'm', messages })],
  [
    'cohere-ai',
    'cohere',
    'cohere',
    (url) =>
      new CohereClientV2({ token: 'none', environment: url, maxRetries: 0 }).chat({ model: 'm', messages }),
  ],
  [
    '@aws-sdk/client-bedrock-runtime',
    'bedrock',
    'bedrock',
    (url) =>
      bedrockOf(url).send(
        new ConverseCommand({ modelId: 'm', messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }),
      ),
  ],
])('%s, of %s', async (_, file, provider, ask) => {
  const sent = file === 'mistral' ? mistralBody() : body(file)
  const answer = (await ask(server.serve({ body: sent, type: 'application/json' }))) as object
  for (const named of [findProvider(provider), anyProvider]) {
    const message = await readProvider(answer, { provider: named }).message()
    // Each provider has its own word for why it stopped.
    expect({ ...saidBySluice(message), reason: undefined }).toEqual(saidInFull(WEATHER))
    expect([message.finish.reason, message.diagnostics]).toEqual(['tool-calls', []])
  }
})
