/** Requests against those who speak the formats: what their clients send is read, and what is written fits their types. */

import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { DefaultChatTransport as Transport5, safeValidateUIMessages as validate5 } from 'ai5'
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  DefaultChatTransport as Transport6,
  safeValidateUIMessages as validate6,
} from 'ai6'
import { DefaultChatTransport as Transport7, safeValidateUIMessages as validate7 } from 'ai7'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import {
  aiSdkUiRequest,
  anthropicRequest,
  type ModelRequest,
  ollamaRequest,
  openaiChatRequest,
  type RequestFormat,
  readRequest,
  type ToolChoice,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { type Checked, typeErrors } from './type-check.ts'

/** A request with everything that the plain form has, for formats that it did not come from. */
const REQUEST: ModelRequest = {
  model: 'gpt-5',
  stream: true,
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
        { type: 'file', mediaType: 'image/*', content: { url: 'https://example.com/a.png' } },
        { type: 'file', mediaType: 'application/pdf', content: { base64: 'JVBERi0=' }, name: 'a.pdf' },
        { type: 'file', mediaType: 'audio/wav', content: { base64: 'UklGRg==' } },
        { type: 'file', mediaType: 'text/plain', content: { text: 'Buy milk.' } },
      ],
    },
    {
      role: 'assistant',
      provider: 'anthropic',
      parts: [
        { type: 'reasoning', text: 'Hm.', metadata: { anthropic: { signature: 'c2ln' } } },
        { type: 'text', text: 'I look.' },
        { type: 'call', id: 'toolu_1', toolName: 'look', input: { at: 'image' } },
        { type: 'call', id: 'toolu_2', toolName: 'patch', input: '*** Begin' },
        { type: 'call', id: 'toolu_3', toolName: 'look', input: {} },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'result', id: 'toolu_1', content: 'A cat.' },
        {
          type: 'result',
          id: 'toolu_2',
          content: [
            { type: 'text', text: 'Done:' },
            { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
          ],
        },
        { type: 'result', id: 'toolu_3', content: 'Too dark.', isError: true },
      ],
    },
    { role: 'assistant', parts: [{ type: 'text', text: 'A cat.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
  ],
  tools: [
    {
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
    },
    { type: 'custom', name: 'patch', description: 'Patches.' },
  ],
  toolChoice: { toolNames: ['look', 'patch'], mode: 'required' },
  settings: {
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    minP: 0.1,
    seed: 7,
    presencePenalty: 0.1,
    frequencyPenalty: 0.1,
    stopSequences: ['A', 'B', 'C', 'D', 'E'],
    reasoning: { effort: 'high' },
    output: { schema: { type: 'object' } },
    parallelToolCalls: false,
    candidates: 1,
    logprobs: 3,
    includeUsage: true,
  },
}

describe('what is written', () => {
  const bodyOf = (format: RequestFormat, request: ModelRequest = REQUEST) =>
    writeRequest(format, request).body
  const chat = (value: unknown): Checked => ({
    type: 'ChatCompletionCreateParams',
    from: 'openai/resources/chat/completions',
    value,
  })
  const chosen = (toolChoice: ToolChoice): Checked =>
    chat(bodyOf(openaiChatRequest, { ...REQUEST, toolChoice }))
  const ollama = (value: unknown): Checked => ({ type: 'ChatRequest', from: 'ollama', value })
  const page = (from: string, value: unknown): Checked => ({ type: 'UIMessage', from, value })

  /** Servers take ids, of which Ollama's client knows nothing yet. */
  function withoutIds({ messages, ...body }: Record<string, unknown>): object {
    const known = (messages as { tool_call_id?: string; tool_calls?: { id?: string }[] }[]).map(
      ({ tool_call_id: _, tool_calls, ...message }) => ({
        ...message,
        ...(tool_calls && { tool_calls: tool_calls.map(({ id: _, ...call }) => call) }),
      }),
    )
    return { ...body, messages: known }
  }

  test('is of the types of those who speak the formats', () => {
    const messages = bodyOf(aiSdkUiRequest).messages as unknown[]
    const good: Record<string, Checked> = {
      'a choice among some tools': chosen(REQUEST.toolChoice!),
      'a choice of a function': chosen({ toolName: 'look' }),
      'a choice of a tool of free text': chosen({ toolName: 'patch' }),
      'a choice as a word': chosen('required'),
      ollama: ollama(withoutIds(bodyOf(ollamaRequest))),
      ...Object.fromEntries(
        ['ai5', 'ai6', 'ai7'].flatMap((name) =>
          messages.map((message, index) => [`${name}, message ${index}`, page(name, message)]),
        ),
      ),
    }
    const body = bodyOf(openaiChatRequest)
    const bad: Record<string, Checked> = {
      'a number as a stop sequence': chat({ ...body, stop: 7 }),
      'a field that there is not': chat({ ...body, stopSequences: [] }),
      'a body of Anthropic': chat(bodyOf(anthropicRequest)),
      'a body of OpenAI for Ollama': ollama(body),
      'text without text': page('ai6', { id: 'm', role: 'user', parts: [{ type: 'text' }] }),
    }
    const names = [...Object.keys(good), ...Object.keys(bad)]
    const errors = typeErrors([...Object.values(good), ...Object.values(bad)])
    const wrong = names.filter((_, index) => errors[index]!.length > 0)
    expect(wrong, errors.flat().join('\n')).toEqual(Object.keys(bad))
  })

  test('passes the AI SDK’s own check', async () => {
    const { messages } = bodyOf(aiSdkUiRequest)
    expect(await validate5({ messages })).toMatchObject({ success: true })
    expect(await validate6({ messages })).toMatchObject({ success: true })
    expect(await validate7({ messages })).toMatchObject({ success: true })
  })
})

describe('what a client sends goes back as it came', () => {
  /** Keeps the body of a request, and answers nothing of use. */
  function recorder(answer: object) {
    const bodies: Record<string, unknown>[] = []
    const record = async (_: unknown, init?: { body?: unknown }) => {
      bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>)
      return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
    }
    return { bodies, fetch: record as typeof fetch }
  }

  function expectReturned(format: RequestFormat, [body]: readonly Record<string, unknown>[]): void {
    expect(body).toBeDefined()
    const { request, diagnostics } = readRequest(format, body)
    expect(diagnostics).toEqual([])
    const written = writeRequest(format, request)
    expect(written.body).toEqual(body)
    expect(written.diagnostics).toEqual([])
    expect(format.detect(body!)).toBe(true)
  }

  const COMPLETION = {
    id: 'c1',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  }
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

  test.each([
    [
      '@ai-sdk/openai',
      (fetch_: typeof fetch) => createOpenAI({ apiKey: 'none', fetch: fetch_ }).chat('gpt-4.1'),
    ],
    [
      '@ai-sdk/openai-compatible',
      (fetch_: typeof fetch) =>
        createOpenAICompatible({ name: 'local', baseURL: 'http://local', fetch: fetch_ })('deepseek-chat'),
    ],
  ])('%s', async (_, model) => {
    const { bodies, fetch } = recorder(COMPLETION)
    await generateText({
      model: model(fetch),
      messages: MESSAGES,
      allowSystemInMessages: true,
      tools: TOOLS,
      maxOutputTokens: 100,
      temperature: 0.5,
      stopSequences: ['END'],
      seed: 7,
      maxRetries: 0,
    } as Parameters<typeof generateText>[0])
    expectReturned(openaiChatRequest, bodies)
  })

  test('openai', async () => {
    const { bodies, fetch } = recorder(COMPLETION)
    const client = new OpenAI({ apiKey: 'none', maxRetries: 0, fetch })
    const { choices } = await client.chat.completions.create({ model: 'o3', messages: [] })
    bodies.length = 0
    await client.chat.completions.create({
      model: 'o3',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        choices[0]!.message,
        { role: 'user', content: 'Hi' },
      ],
      max_completion_tokens: 9,
      reasoning_effort: 'low',
      response_format: { type: 'json_object' },
      stream: false,
      verbosity: 'low',
    })
    expectReturned(openaiChatRequest, bodies)
  })

  test('ollama', async () => {
    const { bodies, fetch } = recorder({ message: { role: 'assistant', content: 'Hi.' }, done: true })
    await new Ollama({ fetch }).chat({
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
    })
    expectReturned(ollamaRequest, bodies)
  })

  const API = 'http://local/api/chat'
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

  test.each<[name: string, post: (fetch_: typeof fetch) => Promise<unknown>]>([
    ['ai5', (fetch) => new Transport5({ fetch, api: API }).sendMessages({ ...CHAT, messages: PAGE })],
    ['ai6', (fetch) => new Transport6({ fetch, api: API }).sendMessages({ ...CHAT, messages: PAGE })],
    ['ai7', (fetch) => new Transport7({ fetch, api: API }).sendMessages({ ...CHAT, messages: PAGE })],
  ])('useChat of %s', async (_, post) => {
    const { bodies, fetch } = recorder({})
    await post(fetch)
    expectReturned(aiSdkUiRequest, bodies)
  })
})
