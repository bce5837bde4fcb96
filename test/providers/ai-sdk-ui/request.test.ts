import { convertToModelMessages, safeValidateUIMessages, type UIMessage } from 'ai6'
import { describe, expect, test } from 'vitest'
import {
  aiSdkUiRequest,
  anthropicRequest,
  appendResponse,
  appendResults,
  type ConversationMessage,
  type ModelRequest,
  openaiChatRequest,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'

const read = (body: object) => readRequest(aiSdkUiRequest, body).request
const write = (request: ModelRequest) => writeRequest(aiSdkUiRequest, request)
const messagesOf = (...messages: ConversationMessage[]) => write({ messages }).body.messages
const codes = (request: ModelRequest) => write(request).diagnostics.map(({ code }) => code)
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const

/** Whether the AI SDK takes the messages. */
async function validated(messages: unknown): Promise<unknown> {
  const result = await safeValidateUIMessages({ messages })
  return result.success ? 'valid' : result.error.message
}

const tool = (name: string, toolCallId: string, state: string, more: object = {}) => ({
  type: `tool-${name}`,
  toolCallId,
  state,
  input: { at: toolCallId },
  ...more,
})

/** What `useChat` posts, with everything that must come back as it was. */
const BODY = {
  id: 'chat-1',
  trigger: 'submit-message',
  messageId: 'm3',
  model: 'gpt-5',
  webSearch: true,
  messages: [
    { id: 'm0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      id: 'm1',
      role: 'user',
      metadata: { createdAt: 7 },
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,iVBORw0=' },
        { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
        { type: 'data-place', id: 'd1', data: { city: 'Oslo' } },
      ],
    },
    {
      id: 'm2',
      role: 'assistant',
      metadata: { model: 'x' },
      parts: [
        { type: 'step-start' },
        {
          type: 'reasoning',
          text: 'Let me look.',
          state: 'done',
          providerMetadata: { anthropic: { signature: 'c2ln' } },
        },
        { type: 'text', text: 'I look.', state: 'done' },
        tool('look', 'c1', 'output-available', {
          output: { animal: 'cat' },
          callProviderMetadata: { gemini: { thoughtSignature: 'c2ln' } },
          resultProviderMetadata: { mcp: { server: 's' } },
        }),
        tool('look', 'c2', 'output-error', { errorText: 'Too dark.', title: 'Looks' }),
        {
          ...tool('', 'c3', 'output-available'),
          type: 'dynamic-tool',
          toolName: 'fs.read',
          output: '{"a":1}',
        },
        tool('look', 'c4', 'output-denied', { approval: { id: 'a4', approved: false, reason: 'Not now.' } }),
        tool('web_search', 'c5', 'output-available', { providerExecuted: true, output: [{ url: 'u' }] }),
        tool('look', 'c6', 'output-available', { output: 5, preliminary: true }),
        tool('look', 'c7', 'output-available', { output: null }),
        tool('look', 'c8', 'output-available', {
          output: {
            content: [
              { type: 'text', text: 'A cat:' },
              { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' },
            ],
          },
          approval: { id: 'a8', approved: true },
        }),
        {
          type: 'tool-look',
          toolCallId: 'c9',
          state: 'output-error',
          rawInput: '{"at":',
          errorText: 'No JSON.',
        },
        { type: 'source-url', sourceId: 's1', url: 'https://example.com' },
        { type: 'step-start' },
        { type: 'text', text: 'A cat.', state: 'done' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0=' },
        tool('look', 'c10', 'approval-requested', { approval: { id: 'a10' } }),
        tool('look', 'c11', 'approval-responded', { approval: { id: 'a11', approved: true } }),
        tool('look', 'c12', 'approval-responded', { approval: { id: 'a12', approved: false } }),
        tool('look', 'c13', 'input-available'),
        tool('look', 'c14', 'input-streaming'),
      ],
    },
    { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
    { id: 'm4', role: 'assistant', parts: [{ type: 'text', text: 'You are' }] },
    { id: 'm5', role: 'assistant', parts: [] },
  ],
}

describe('a request of useChat', () => {
  test('goes back as it came', async () => {
    const { body, path, diagnostics } = write(read(BODY))
    expect(body).toEqual(BODY)
    expect(path).toBe('/api/chat')
    expect(diagnostics).toEqual([])
    // The fixture itself is what the AI SDK takes; it wants no message to be empty.
    expect(await validated(BODY.messages.slice(0, -1))).toBe('valid')
  })

  test('may have a call whose output is nothing at all, which is plain data, too', () => {
    const parts = [{ type: 'tool-look', toolCallId: 'c', state: 'output-available', input: {} }]
    const body = { messages: [{ id: 'm', role: 'assistant', parts }] }
    const request = read(body)
    expect(JSON.parse(JSON.stringify(request))).toStrictEqual(request)
    expect(write(request).body).toStrictEqual(body)
    const [, { parts: results } = { parts: [] }] = request.messages
    expect(results).toEqual([
      { type: 'result', id: 'c', toolName: 'look', content: '', metadata: { 'ai-sdk-ui': { output: [] } } },
    ])
  })

  test.each(['user', 'system'])('leaves out a message of the %s of which nothing is left', (role) => {
    const { body, diagnostics } = write(read({ messages: [{ id: 'm', role, parts: [{}] }] }))
    expect(body).toEqual({ messages: [] })
    expect(diagnostics.map(({ code }) => code)).toEqual(['part-left-out'])
  })

  test('is the same when it is written again, although a message between two of the model is left out', () => {
    const empty = { id: 'm', role: 'assistant', parts: [] }
    const first = write(read({ messages: [empty, { role: 'user', parts: ['t'] }, empty] })).body
    expect(first).toEqual({ messages: [empty] })
    expect(write(read(first)).body).toEqual(first)
  })

  test('is recognised by its parts', () => {
    expect(aiSdkUiRequest.detect(BODY)).toBe(true)
    expect(openaiChatRequest.detect(BODY)).toBe(false)
    expect(anthropicRequest.detect(BODY)).toBe(false)
    expect(aiSdkUiRequest.detect({ messages: [{ role: 'user', content: 'Hello' }] })).toBe(false)
  })

  test('is read as messages of the model and results, step by step', () => {
    const { messages, model, providerOptions, stream } = read(BODY)
    expect(messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'user', 'assistant', 'assistant'],
    ])
    expect(model).toBe('gpt-5')
    expect(stream).toBe(true)
    expect(providerOptions).toEqual({
      'ai-sdk-ui': { id: 'chat-1', trigger: 'submit-message', messageId: 'm3', webSearch: true },
    })
    expect(messages[2]!.parts.slice(0, 3)).toEqual([
      {
        type: 'reasoning',
        text: 'Let me look.',
        metadata: { anthropic: { signature: 'c2ln' }, 'ai-sdk-ui': { state: 'done' } },
      },
      { type: 'text', text: 'I look.', metadata: { 'ai-sdk-ui': { state: 'done' } } },
      {
        type: 'call',
        id: 'c1',
        toolName: 'look',
        input: { at: 'c1' },
        metadata: { gemini: { thoughtSignature: 'c2ln' } },
      },
    ])
    const results = messages[3]!.parts.map(
      (part) => part.type === 'result' && [part.id, part.content, part.isError],
    )
    expect(results).toEqual([
      ['c1', '{"animal":"cat"}', undefined],
      ['c2', 'Too dark.', true],
      ['c3', '{"a":1}', undefined],
      ['c4', 'Not now.', true],
      ['c6', '5', undefined],
      ['c7', '', undefined],
      [
        'c8',
        [
          { type: 'text', text: 'A cat:' },
          { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
        ],
        undefined,
      ],
      ['c9', 'No JSON.', true],
    ])
    // Only what was denied has a result: the others wait.
    expect(messages[5]!.parts).toEqual([
      {
        type: 'result',
        id: 'c12',
        toolName: 'look',
        content: 'The call was denied.',
        isError: true,
        metadata: { 'ai-sdk-ui': { state: 'approval-responded' } },
      },
    ])
    expect(messages[4]!.parts.map(({ type }) => type)).toEqual([
      ...['text', 'file', 'call', 'call', 'call', 'call', 'custom'],
    ])
  })

  test('signatures reach the provider that signed', () => {
    const { body } = writeRequest(anthropicRequest, read(BODY))
    const [, assistant] = body.messages as { content: unknown[] }[]
    expect(assistant!.content[0]).toEqual({ type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' })
  })

  test('a call that waits is answered with an error for another provider, and one that grows is no call', () => {
    const { body, diagnostics } = writeRequest(openaiChatRequest, read(BODY))
    const sent = body.messages as { role: string; tool_call_id?: string; content: unknown }[]
    expect(sent.find(({ tool_call_id }) => tool_call_id === 'c10')?.content).toBe(
      'No result: the call was not run.',
    )
    expect(sent.find(({ tool_call_id }) => tool_call_id === 'c14')).toBeUndefined()
    expect(diagnostics).toContainEqual({
      code: 'part-left-out',
      message: "A part of the kind 'tool-look' is left out: 'openai-chat' has no place for it.",
    })
  })

  test('what the user says while the model works stands between its steps', () => {
    const steering = { type: 'steering-message', id: 's1', parts: [{ type: 'text', text: 'Faster.' }] }
    const parts = [
      { type: 'step-start' },
      tool('ls', 'c1', 'output-available', { output: 'a.ts' }),
      steering,
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
    ]
    const body = { messages: [{ id: 'm1', role: 'assistant', parts }] }
    expect(read(body).messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant'])
    expect(write(read(body)).body).toEqual(body)
  })
})

describe('a conversation from elsewhere', () => {
  const called: ConversationMessage = {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'call', id: 'c1', toolName: 'look', input: {} },
      { type: 'call', id: 'c2', toolName: 'look', input: {} },
    ],
  }
  const image = { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } } as const

  test('is one message for all steps of a turn, which the AI SDK takes', async () => {
    const written = messagesOf(
      hello,
      called,
      {
        role: 'tool',
        parts: [
          { type: 'result', id: 'c1', content: [{ type: 'text', text: 'A cat:' }, image] },
          { type: 'result', id: 'c2', content: 'Too dark.', isError: true },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'A cat.' }] },
    )
    expect(written).toEqual([
      { id: 'message-1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      {
        id: 'message-2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'I look.' },
          {
            type: 'tool-look',
            toolCallId: 'c1',
            state: 'output-available',
            input: {},
            output: {
              content: [
                { type: 'text', text: 'A cat:' },
                { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' },
              ],
            },
          },
          { type: 'tool-look', toolCallId: 'c2', state: 'output-error', input: {}, errorText: 'Too dark.' },
          { type: 'step-start' },
          { type: 'text', text: 'A cat.' },
        ],
      },
    ])
    expect(await validated(written)).toBe('valid')
    const forModel = await convertToModelMessages(written as UIMessage[])
    expect(forModel.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  test('goes on in the message that the page has', () => {
    const page = {
      messages: [
        {
          id: 'm1',
          role: 'assistant',
          parts: [tool('ls', 'c1', 'approval-requested', { approval: { id: 'a1' } })],
        },
      ],
    }
    const run = appendResults(read(page), [{ id: 'c1', content: 'a.ts' }])
    const finish = { type: 'finish', reason: 'stop' } as const
    const done = appendResponse(run, { parts: [{ type: 'text', text: 'One file.' }], finish })
    expect(write(done).body.messages).toEqual([
      {
        id: 'm1',
        role: 'assistant',
        parts: [
          tool('ls', 'c1', 'output-available', { output: 'a.ts' }),
          { type: 'step-start' },
          { type: 'text', text: 'One file.' },
        ],
      },
    ])
  })

  test('a call without a result waits', () => {
    expect(messagesOf(called)).toMatchObject([
      { parts: [{}, {}, { state: 'input-available' }, { state: 'input-available' }] },
    ])
    expect(codes({ messages: [called] })).toEqual([])
  })

  test('text that reads as JSON is an object only if it is written as one again', () => {
    const outputs = ['{"a":1}', '{ "a": 1 }', '[', '7'].map((content) => {
      const [message] = messagesOf(
        { role: 'assistant', parts: [{ type: 'call', id: 'c1', toolName: 'ls', input: {} }] },
        { role: 'tool', parts: [{ type: 'result', id: 'c1', content }] },
      ) as { parts: { output?: unknown }[] }[]
      return message!.parts[1]!.output
    })
    expect(outputs).toEqual([{ a: 1 }, '{ "a": 1 }', '[', '7'])
  })

  test.each<[what: string, request: ModelRequest, codes: string[]]>([
    ['tools', { messages: [hello], tools: [{ name: 'ls' }] }, ['tool-left-out']],
    [
      'settings',
      { messages: [hello], settings: { temperature: 1, topK: 2 } },
      ['setting-left-out', 'setting-left-out'],
    ],
    [
      'a file that another provider has',
      {
        messages: [
          {
            role: 'user',
            parts: [{ type: 'file', mediaType: 'image/png', content: { id: 'f', provider: 'anthropic' } }],
          },
        ],
      },
      ['part-left-out'],
    ],
    [
      'a part of another protocol',
      { messages: [{ role: 'user', parts: [{ type: 'custom', kind: 'logprobs', value: {} }] }] },
      ['part-left-out'],
    ],
    [
      'data that is not to be kept',
      {
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'custom', kind: 'data-x', value: { type: 'data-x', transient: true } }],
          },
        ],
      },
      ['part-left-out'],
    ],
  ])('%s cannot be carried, which is said', (_, request, wanted) => {
    expect(codes(request)).toEqual(wanted)
  })

  test('a conversation that another server keeps cannot be written', () => {
    expect(() => write({ messages: [hello], previousResponseId: 'resp_1' })).toThrow(
      "'ai-sdk-ui' cannot go on",
    )
  })
})

test.each([
  [{}, "'messages' must be a list."],
  [{ messages: [{ role: 'user', content: 'Hello' }] }, "'parts' of a message must be a list."],
  [
    { messages: [{ role: 'bot', parts: [] }] },
    '\'role\' of a message is system, user or assistant, not "bot".',
  ],
])('%j is refused with a sentence', (body, message) => {
  expect(() => read(body)).toThrow(message)
})
