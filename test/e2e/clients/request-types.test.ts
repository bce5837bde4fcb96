/** What is written has the shape that the types of each protocol's own client demand, and passes their published checks. */

import { readFileSync } from 'node:fs'
import { safeValidateUIMessages as validate5 } from 'ai5'
import { safeValidateUIMessages as validate6 } from 'ai6'
import { safeValidateUIMessages as validate7 } from 'ai7'
import { expect, test } from 'vitest'
import { foldEvents } from '../../../src/engine/message.ts'
import {
  aiSdkUiRequest,
  anthropicRequest,
  appendResponse,
  appendResults,
  geminiRequest,
  type ModelRequest,
  ollamaRequest,
  openaiChatRequest,
  openaiResponsesRequest,
  type RequestFormat,
  type ToolChoice,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { eventsOf } from '../../providers/told.ts'
import { type Checked, typeErrors } from './type-check.ts'

/** A conversation with something of everything that the plain form has, which begins with Anthropic. */
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
        { type: 'reasoning', text: '', metadata: { anthropic: { redactedData: 'cmVk' } } },
        { type: 'text', text: 'I look.' },
        { type: 'call', id: 'toolu_1', toolName: 'fs.look', input: { at: 'image' } },
        { type: 'call', id: 'toolu_2', toolName: 'patch', input: '*** Begin' },
        { type: 'call', id: 'toolu_3', toolName: 'fs.look', input: {} },
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
    { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Thanks. And the weather?' }] },
  ],
  tools: [
    {
      name: 'fs.look',
      description: 'Looks.',
      inputSchema: { type: 'object', properties: { at: { const: 'image' } }, additionalProperties: false },
    },
    { type: 'custom', name: 'patch', description: 'Patches.' },
    { name: 'get_weather', strict: true, inputSchema: { type: 'object', properties: {} } },
  ],
  toolChoice: { toolNames: ['fs.look', 'patch'], mode: 'required' },
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
    output: { schema: { type: 'object', properties: {} }, name: 'an answer' },
    parallelToolCalls: false,
    candidates: 1,
    logprobs: 3,
    includeUsage: true,
  },
}

const fixture = (name: string) => readFileSync(new URL(`../../providers/fixtures/${name}`, import.meta.url))

const bodyOf = (format: RequestFormat, request: ModelRequest = REQUEST) => writeRequest(format, request).body

/** The same, with a response of the provider's own and the results of its calls. */
function answered(format: RequestFormat, stream: string, request = REQUEST): ReturnType<typeof bodyOf> {
  const response = foldEvents(eventsOf([fixture(stream)]))
  const results = response.toolCalls.map(({ id }) => ({ id, content: 'Sun' }))
  return bodyOf(format, appendResults(appendResponse(request, response), results))
}

/** The API takes sounds, which are not among the parts that its client knows. */
const WITHOUT_SOUND: ModelRequest = {
  ...REQUEST,
  messages: REQUEST.messages.map((message) => ({
    ...message,
    parts: message.parts.filter((part) => part.type !== 'file' || !part.mediaType.startsWith('audio/')),
  })),
}

/** Older models take these, of which the client knows nothing any more. */
const { temperature, topP, topK, ...settings } = REQUEST.settings!
const WITHOUT_SAMPLING: ModelRequest = { ...REQUEST, settings }

/** The client knows little of JSON Schema. */
const PLAIN_TOOLS: ModelRequest = {
  ...REQUEST,
  toolChoice: 'auto',
  tools: [{ name: 'get_weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }],
}

// ── the types of each client ─────────────────────────────────────────────────────────────────────

const chat = (value: unknown): Checked => ({
  type: 'ChatCompletionCreateParams',
  from: 'openai/resources/chat/completions',
  value,
})
const chosen = (toolChoice: ToolChoice): Checked =>
  chat(bodyOf(openaiChatRequest, { ...REQUEST, toolChoice }))
const responses = (value: unknown): Checked => ({
  type: 'ResponseCreateParams',
  from: 'openai/resources/responses/responses',
  value,
})
const anthropic = (value: unknown): Checked => ({
  type: 'MessageCreateParams',
  from: '@anthropic-ai/sdk/resources/messages',
  value,
})
const ollama = (value: unknown): Checked => ({ type: 'ChatRequest', from: 'ollama', value })
const page = (from: string, value: unknown): Checked => ({ type: 'UIMessage', from, value })
const google = (value: unknown): Checked => ({ type: 'Body', from: GOOGLE, value })

/** Google's types have enumerations where the protocol has their words. */
const GOOGLE = [
  "import type { Content, GenerationConfig, Tool, ToolConfig } from '@google/genai'",
  'type Words<T> = T extends string ? (string extends T ? T : `${T}`)',
  '  : T extends readonly (infer One)[] ? Words<One>[]',
  '  : T extends object ? { [Field in keyof T]: Words<T[Field]> } : T',
  'interface Body {',
  '  contents: Words<Content>[]; systemInstruction?: Words<Content>; tools?: Words<Tool>[]',
  '  toolConfig?: Words<ToolConfig>; generationConfig?: Words<GenerationConfig>',
  '}',
]

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

test('what is written is of the types of those who speak the formats', () => {
  const messages = bodyOf(aiSdkUiRequest).messages as unknown[]
  const good: Record<string, Checked> = {
    'a choice among some tools': chosen(REQUEST.toolChoice!),
    'a choice of a function': chosen({ toolName: 'fs.look' }),
    'a choice of a tool of free text': chosen({ toolName: 'patch' }),
    'a choice as a word': chosen('required'),
    Responses: responses(answered(openaiResponsesRequest, 'openai-responses.sse', WITHOUT_SOUND)),
    Anthropic: anthropic(answered(anthropicRequest, 'anthropic.sse', WITHOUT_SAMPLING)),
    'Anthropic, with a budget': anthropic(
      bodyOf(anthropicRequest, { ...REQUEST, settings: { reasoning: { budgetTokens: 2000 } } }),
    ),
    Gemini: google(answered(geminiRequest, 'gemini.sse')),
    Ollama: ollama(withoutIds(answered(ollamaRequest, 'ollama.ndjson', PLAIN_TOOLS))),
    ...Object.fromEntries(
      ['ai5', 'ai6', 'ai7'].flatMap((name) =>
        messages.map((message, index) => [`${name}, message ${index}`, page(name, message)]),
      ),
    ),
  }
  const body = bodyOf(openaiChatRequest)
  const answer = { type: 'function_call_output', id: 'call_1', content: 'Sun' }
  const bad: Record<string, Checked> = {
    'a number as a stop sequence': chat({ ...body, stop: 7 }),
    'a field that there is not': chat({ ...body, stopSequences: [] }),
    'a body of Anthropic': chat(bodyOf(anthropicRequest)),
    'a body of OpenAI for Anthropic': anthropic(body),
    'thinking without a signature': anthropic({
      ...bodyOf(anthropicRequest),
      messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }] }],
    }),
    'a body of OpenAI for Ollama': ollama(body),
    'an output without its call': responses({
      ...bodyOf(openaiResponsesRequest, WITHOUT_SOUND),
      input: [answer],
    }),
    'a choice of another API': responses({
      ...bodyOf(openaiResponsesRequest, WITHOUT_SOUND),
      tool_choice: { name: 'look' },
    }),
    'a call in other letters': google({
      ...bodyOf(geminiRequest),
      contents: [{ role: 'model', parts: [{ function_call: {} }] }],
    }),
    'a setting of another API': google({ ...bodyOf(geminiRequest), generationConfig: { max_tokens: 1 } }),
    'text without text': page('ai6', { id: 'm', role: 'user', parts: [{ type: 'text' }] }),
  }
  const names = [...Object.keys(good), ...Object.keys(bad)]
  const errors = typeErrors([...Object.values(good), ...Object.values(bad)])
  const wrong = names.filter((_, index) => errors[index]!.length > 0)
  expect(wrong, errors.flat().join('\n')).toEqual(Object.keys(bad))
})

// The AI SDK is the only one of them that publishes a schema of what it is sent.
type Validate = (options: { messages: unknown }) => Promise<{ readonly success: boolean }>

test.each<[string, Validate]>([
  ['ai5', validate5],
  ['ai6', validate6],
  ['ai7', validate7],
])('what is written passes the own check of %s', async (_, validate) => {
  const { messages } = bodyOf(aiSdkUiRequest)
  expect(await validate({ messages })).toMatchObject({ success: true })
  const [first, ...rest] = messages as { role: string }[]
  expect(await validate({ messages: [{ ...first, role: 'tool' }, ...rest] })).toMatchObject({
    success: false,
  })
})
