/** What a client sends is read, and goes back as it came. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import {
  FunctionCallingConfigMode,
  type GenerateContentParameters,
  GoogleGenAI,
  ThinkingLevel,
  Type,
} from '@google/genai'
import { DefaultChatTransport as Transport5 } from 'ai5'
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  DefaultChatTransport as Transport6,
} from 'ai6'
import { DefaultChatTransport as Transport7 } from 'ai7'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aiSdkUiRequest,
  anthropicRequest,
  geminiRequest,
  ollamaRequest,
  openaiChatRequest,
  openaiResponsesRequest,
  type RequestFormat,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { NO_KEY } from './client.ts'

interface Sent {
  readonly path: string
  readonly body: Record<string, unknown>
}

let server: Server
let url: string
let sent: Sent | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      sent = { path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) as Sent['body'] }
      // Only the request counts.
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"Seen"}}')
    })
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

async function sentBy(ask: () => PromiseLike<unknown>): Promise<Sent> {
  sent = undefined
  await expect(Promise.resolve(ask())).rejects.toThrow()
  return sent!
}

/** Reads what was sent and writes it again. */
function again(format: RequestFormat, { path, body }: Sent) {
  const { request, diagnostics } = readRequest(format, body, { path })
  expect(diagnostics).toEqual([])
  expect(format.detect(body)).toBe(true)
  const written = writeRequest(format, request)
  expect(written).toMatchObject({ path, diagnostics: [] })
  return { request, body: written.body }
}

function expectReturned(format: RequestFormat, got: Sent) {
  const { request, body } = again(format, got)
  expect(body).toEqual(got.body)
  return request
}

// ── the providers' own clients ───────────────────────────────────────────────────────────────────

describe('openai', () => {
  const openai = () => new OpenAI({ ...NO_KEY, baseURL: `${url}/v1` })

  test('Chat Completions', async () => {
    const got = await sentBy(() =>
      openai().chat.completions.create({
        model: 'o3',
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'assistant', content: 'Hi.', refusal: null },
          { role: 'user', content: 'Hi' },
        ],
        max_completion_tokens: 9,
        reasoning_effort: 'low',
        response_format: { type: 'json_object' },
        stream: false,
        verbosity: 'low',
      }),
    )
    const { body } = again(openaiChatRequest, got)
    expect(withoutNull(body)).toEqual(withoutNull(got.body))
  })

  test('Responses', async () => {
    const got = await sentBy(() =>
      openai().responses.create({
        model: 'gpt-5',
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' },
          { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'a' },
        ],
        tools: [
          { type: 'function', name: 'ls', parameters: { type: 'object' }, strict: false },
          { type: 'web_search' },
        ],
        tool_choice: { type: 'function', name: 'ls' },
        text: { format: { type: 'json_object' } },
        reasoning: { effort: 'low', summary: 'auto' },
        store: false,
        stream: true,
      }),
    )
    expectReturned(openaiResponsesRequest, got)
  })
})

/** A field that is null says as much as one that is not there. */
function withoutNull(body: object): unknown {
  return JSON.parse(JSON.stringify(body, (_, value: unknown) => (value === null ? undefined : value)))
}

test('@anthropic-ai/sdk', async () => {
  const got = await sentBy(() =>
    new Anthropic({ ...NO_KEY, baseURL: url }).messages.create({
      model: 'claude-opus-4-5',
      max_tokens: 4000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'cmVk' },
            { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ type: 'text', text: 'No' }],
              is_error: true,
            },
          ],
        },
      ],
      tools: [
        { name: 'look', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 2000 },
      metadata: { user_id: 'u1' },
      stream: true,
    }),
  )
  expectReturned(anthropicRequest, got)
})

const TO_GOOGLE: GenerateContentParameters = {
  model: 'gemini-3-flash',
  contents: [
    { role: 'user', parts: [{ text: 'Hello' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } }] },
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true },
        { functionCall: { id: 'a', name: 'ls', args: { path: '.' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'ls', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'a', name: 'ls', response: { output: 'a.txt' } } },
        { functionResponse: { name: 'ls', response: { files: ['a.txt'] } } },
      ],
    },
  ],
  config: {
    systemInstruction: 'Be brief.',
    tools: [
      {
        functionDeclarations: [
          { name: 'ls', parameters: { type: Type.OBJECT, properties: { path: { type: Type.STRING } } } },
        ],
      },
      { googleSearch: {} },
    ],
    toolConfig: {
      functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['ls'] },
    },
    temperature: 0.5,
    maxOutputTokens: 100,
    stopSequences: ['END'],
    responseMimeType: 'application/json',
    responseSchema: { type: Type.OBJECT, properties: { a: { type: Type.NUMBER } } },
    thinkingConfig: { thinkingLevel: ThinkingLevel.LOW, includeThoughts: true },
  },
}

test.each(['generateContent', 'generateContentStream'] as const)('@google/genai, %s', async (method) => {
  const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
  const got = await sentBy(() => google.models[method](TO_GOOGLE))
  expect(expectReturned(geminiRequest, got)).toMatchObject({
    model: 'gemini-3-flash',
    toolChoice: { toolName: 'ls' },
    settings: { temperature: 0.5, maxOutputTokens: 100, reasoning: { effort: 'low' } },
  })
})

test('ollama', async () => {
  const got = await sentBy(() =>
    new Ollama({ host: url }).chat({
      model: 'qwen3',
      messages: [
        { role: 'user', content: 'What is this?', images: [new Uint8Array([137, 80, 78, 71])] },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          tool_calls: [{ function: { name: 'look', arguments: { at: 1 } } }],
        },
        { role: 'tool', tool_name: 'look', content: 'A cat.' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
        },
      ],
      think: 'low',
      format: 'json',
      keep_alive: 60,
      options: { num_predict: 9, num_ctx: 4096 },
    }),
  )
  expectReturned(ollamaRequest, got)
})

// ── the AI SDK ───────────────────────────────────────────────────────────────────────────────────

const MESSAGES: ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0=' },
      { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', filename: 'a.pdf' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { at: 'image' } },
      { type: 'tool-call', toolCallId: 'call_2', toolName: 'look', input: { at: 'file' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'look',
        output: { type: 'json', value: { a: 1 } },
      },
      {
        type: 'tool-result',
        toolCallId: 'call_2',
        toolName: 'look',
        output: { type: 'error-text', value: 'No.' },
      },
    ],
  },
  { role: 'user', content: 'Thanks.' },
]
const TOOLS = {
  look: { description: 'Looks.', inputSchema: jsonSchema({ type: 'object', properties: {} }) },
}

const ask = (model: LanguageModel, messages: ModelMessage[] = MESSAGES, more: object = {}) =>
  generateText({
    ...{ model, messages, allowSystemInMessages: true, tools: TOOLS, maxRetries: 0 },
    ...more,
  } as Parameters<typeof generateText>[0])

const SAMPLING = { maxOutputTokens: 100, temperature: 0.5, stopSequences: ['END'], seed: 7 }

test.each<[name: string, format: RequestFormat, model: (url: string) => LanguageModel]>([
  [
    '@ai-sdk/openai',
    openaiChatRequest,
    (url) => createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-4.1'),
  ],
  [
    '@ai-sdk/openai-compatible',
    openaiChatRequest,
    (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('deepseek-chat'),
  ],
  [
    '@ai-sdk/anthropic',
    anthropicRequest,
    (url) => createAnthropic({ apiKey: 'none', baseURL: `${url}/v1` })('claude-opus-4-5'),
  ],
])('%s', async (_, format, model) => {
  const got = await sentBy(() => ask(model(url), MESSAGES, SAMPLING))
  const { body } = again(format, got)
  expect(expanded(body)).toEqual(expanded(got.body))
})

/** For Anthropic, a text is a block of text; the AI SDK writes the latter. */
function expanded(body: Sent['body']): Sent['body'] {
  const { system } = body
  return typeof system === 'string' ? { ...body, system: [{ type: 'text', text: system }] } : body
}

/** What the AI SDK's users have in their history. */
const HISTORY: ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'Hm.',
        providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } },
      },
      { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: 'msg_1' } } },
      {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'ls',
        input: { path: '.' },
        providerOptions: { openai: { itemId: 'fc_1' } },
      },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call_1', toolName: 'ls', output: { type: 'text', value: 'a' } },
    ],
  },
]

test.each([true, false])('@ai-sdk/openai with Responses that are kept: %s', async (store) => {
  const openai = createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` })
  const providerOptions = { openai: { store, reasoningEffort: 'low' } }
  const got = await sentBy(() =>
    ask(openai.responses('gpt-5'), HISTORY, { system: 'Be brief.', providerOptions }),
  )
  const { body } = again(openaiResponsesRequest, got)
  const types = ({ input }: Sent['body']) =>
    (input as { type?: string; role?: string; id?: string; call_id?: string }[]).map(
      ({ type, role, id, call_id }) => [role ?? type, id, call_id],
    )
  expect(types(body)).toEqual(types(got.body))
  expect({ ...body, input: [] }).toEqual({ ...got.body, input: [] })
})

const CHAT = {
  chatId: 'chat-1',
  trigger: 'submit-message',
  messageId: undefined,
  abortSignal: undefined,
} as const
const PAGE = [
  { id: 'm1', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] },
  {
    id: 'm2',
    role: 'assistant' as const,
    parts: [
      { type: 'step-start' as const },
      {
        type: 'tool-look' as const,
        toolCallId: 'c1',
        state: 'output-available' as const,
        input: {},
        output: { animal: 'cat' },
      },
      { type: 'step-start' as const },
      { type: 'text' as const, text: 'A cat.', state: 'done' as const },
    ],
  },
  { id: 'm3', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Thanks.' }] },
]

test.each<[name: string, post: (api: string) => Promise<unknown>]>([
  ['ai5', (api) => new Transport5({ api }).sendMessages({ ...CHAT, messages: PAGE })],
  ['ai6', (api) => new Transport6({ api }).sendMessages({ ...CHAT, messages: PAGE })],
  ['ai7', (api) => new Transport7({ api }).sendMessages({ ...CHAT, messages: PAGE })],
])('useChat of %s', async (_, post) => {
  expectReturned(aiSdkUiRequest, await sentBy(() => post(`${url}/api/chat`)))
})
