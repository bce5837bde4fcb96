import { describe, expect, test } from 'vitest'
import {
  appendResults,
  type ConversationMessage,
  type ModelRequest,
  ollamaRequest,
  openaiChatRequest,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'

const read = (body: object) => readRequest(ollamaRequest, body).request
const write = (request: ModelRequest) => writeRequest(ollamaRequest, request)
const messagesOf = (...messages: ConversationMessage[]) =>
  write({ messages }).body.messages as Record<string, unknown>[]
const codes = (request: ModelRequest) => write(request).diagnostics.map(({ code }) => code)
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const

/** What a client sends, with everything that must come back as it was. */
const BODY = {
  model: 'qwen3',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is this?', images: ['iVBORw0=', '/9j/4AA='] },
    {
      role: 'assistant',
      content: '',
      thinking: 'Two looks.',
      tool_calls: [
        { function: { index: 0, name: 'look', arguments: { at: 1 } } },
        { function: { index: 1, name: 'ls', arguments: {} } },
      ],
    },
    { role: 'tool', content: 'A cat.', tool_name: 'look', images: ['R0lGODs='] },
    { role: 'tool', content: 'a.ts', tool_name: 'ls' },
    {
      role: 'assistant',
      content: 'A cat.',
      tool_calls: [{ id: 'call_x', function: { name: 'ls', arguments: { path: '.' } } }],
    },
    { role: 'tool', content: 'b.ts', tool_name: 'ls', tool_call_id: 'call_x' },
    { role: 'user', content: 'Thanks.' },
  ],
  tools: [
    { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
    { type: 'function', function: { name: 'ls', parameters: { type: 'object', properties: {} } } },
  ],
  stream: true,
  format: { type: 'object' },
  think: true,
  keep_alive: '5m',
  logprobs: true,
  top_logprobs: 2,
  options: {
    ...{ num_predict: 100, temperature: 0.2, top_p: 0.9, top_k: 40, min_p: 0.1, seed: 7 },
    ...{ presence_penalty: 0.1, frequency_penalty: 0.2, stop: ['END'] },
    ...{ repeat_penalty: 1.1, num_ctx: 8192 },
  },
}

describe('a request of Ollama', () => {
  test('goes back as it came', () => {
    const { body, path, diagnostics } = write(read(BODY))
    expect(body).toEqual(BODY)
    expect(path).toBe('/api/chat')
    expect(diagnostics).toEqual([])
  })

  test('is recognised by what only Ollama has', () => {
    expect(ollamaRequest.detect(BODY)).toBe(true)
    expect(openaiChatRequest.detect(BODY)).toBe(false)
    expect(ollamaRequest.detect({ messages: [], temperature: 1 })).toBe(false)
    expect(ollamaRequest.detect({ messages: [{ role: 'user', content: [] }] })).toBe(false)
  })

  test('is read into parts, with an id for each call', () => {
    const { messages, settings, providerOptions, stream } = read(BODY)
    expect(messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'user'],
    ])
    expect(messages[1]!.parts.slice(1)).toEqual([
      { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
      { type: 'file', mediaType: 'image/jpeg', content: { base64: '/9j/4AA=' } },
    ])
    expect(messages[2]).toEqual({
      role: 'assistant',
      provider: 'ollama',
      parts: [
        { type: 'reasoning', text: 'Two looks.' },
        {
          type: 'call',
          id: 'call_1',
          toolName: 'look',
          input: { at: 1 },
          metadata: { ollama: { function: { index: 0 }, hasNoId: true } },
        },
        {
          type: 'call',
          id: 'call_2',
          toolName: 'ls',
          input: {},
          metadata: { ollama: { function: { index: 1 }, hasNoId: true } },
        },
      ],
    })
    expect(messages[3]!.parts[1]).toEqual({ type: 'result', id: 'call_2', toolName: 'ls', content: 'a.ts' })
    expect(settings).toEqual({
      ...{ maxOutputTokens: 100, temperature: 0.2, topP: 0.9, topK: 40, minP: 0.1, seed: 7 },
      ...{ presencePenalty: 0.1, frequencyPenalty: 0.2, stopSequences: ['END'] },
      ...{ output: { schema: { type: 'object' } }, reasoning: { effort: 'medium' }, logprobs: 2 },
    })
    expect(providerOptions).toEqual({
      ollama: { think: true, keep_alive: '5m', options: { repeat_penalty: 1.1, num_ctx: 8192 } },
    })
    expect(stream).toBe(true)
  })

  test.each<[fields: object, settings: object | undefined]>([
    [{ format: 'json' }, { output: {} }],
    [{ think: false }, { reasoning: { effort: 'none' } }],
    [{ think: 'high' }, { reasoning: { effort: 'high' } }],
    [{ options: { stop: 'END' } }, { stopSequences: ['END'] }],
    [{ options: { num_predict: -1 } }, undefined],
    [{ logprobs: true }, { logprobs: true }],
  ])('%j is read and written back', (fields, settings) => {
    const body = { messages: [{ role: 'user', content: 'Hello' }], stream: false, ...fields }
    expect(read(body).settings).toEqual(settings)
    expect(write(read(body)).body).toEqual(body)
  })

  test('asks for a stream, as long as it does not say otherwise', () => {
    expect(read({ messages: [] }).stream).toBe(true)
    expect(write({ messages: [hello] }).body.stream).toBe(false)
  })

  test('results find their calls by the name of the tool, or else in order', () => {
    const calls = ['a', 'b', 'a'].map((name) => ({ function: { name, arguments: {} } }))
    const answered = (...results: object[]) =>
      read({
        messages: [
          { role: 'assistant', content: '', tool_calls: calls },
          ...results.map((result) => ({ role: 'tool', content: '', ...result })),
        ],
      }).messages[1]!.parts.map((part) => part.type === 'result' && part.id)
    expect(answered({ tool_name: 'b' }, { tool_name: 'a' }, { tool_name: 'a' })).toEqual([
      ...['call_2', 'call_1', 'call_3'],
    ])
    expect(answered({}, {}, {})).toEqual(['call_1', 'call_2', 'call_3'])
  })

  test('a call that came without an id gets its result without one', () => {
    const request = read({
      messages: [
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'ls', arguments: {} } }] },
      ],
    })
    const { body } = write(appendResults(request, [{ id: 'call_1', content: 'a.ts' }]))
    expect((body.messages as unknown[])[1]).toEqual({ role: 'tool', tool_name: 'ls', content: 'a.ts' })
  })
})

describe('what Ollama enforces', () => {
  const image = { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } } as const

  test('arguments are objects, and results have the name of the tool', () => {
    expect(
      messagesOf(
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'One, ' },
            { type: 'text', text: 'two.' },
            { type: 'call', id: 'c1', toolName: 'patch', input: '*** Begin' },
          ],
        },
        {
          role: 'tool',
          parts: [{ type: 'result', id: 'c1', content: [{ type: 'text', text: 'ok' }, image] }],
        },
      ),
    ).toEqual([
      {
        role: 'assistant',
        content: 'One, two.',
        tool_calls: [{ id: 'c1', function: { name: 'patch', arguments: { input: '*** Begin' } } }],
      },
      { role: 'tool', tool_name: 'patch', tool_call_id: 'c1', content: 'ok' },
      {
        role: 'user',
        content: "The files in the result of the call 'c1' of 'patch':",
        images: ['iVBORw0='],
      },
    ])
  })

  test('what may not be called is not offered, and nothing is forced', () => {
    const tools = [{ name: 'ls' }, { name: 'cat', strict: true }]
    const offered = (toolChoice: ModelRequest['toolChoice']) => {
      const { body, diagnostics } = write({ messages: [hello], tools, toolChoice: toolChoice! })
      const names = ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name)
      return [names, diagnostics.map(({ message }) => message)]
    }
    const forced = "The choice of a tool is left to the model: 'ollama' forces none."
    const strict = "'strict' of tools is left out: 'ollama' does not have it."
    expect(offered('auto')).toEqual([['ls', 'cat'], [strict]])
    expect(offered('none')).toEqual([[], []])
    expect(offered('required')).toEqual([
      ['ls', 'cat'],
      [forced, strict],
    ])
    expect(offered({ toolName: 'ls' })).toEqual([['ls'], [forced]])
    expect(offered({ toolNames: ['ls'], mode: 'auto' })).toEqual([['ls'], []])
  })

  test.each<[settings: object, body: object, codes: string[]]>([
    [{ maxOutputTokens: 9, topK: 4 }, { options: { num_predict: 9, top_k: 4 } }, []],
    [{ reasoning: { effort: 'none' } }, { think: false }, []],
    [{ reasoning: { effort: 'minimal' } }, { think: 'low' }, ['setting-changed']],
    [{ reasoning: { budgetTokens: 1024 } }, { think: true }, ['setting-changed']],
    [{ output: { schema: { type: 'object' }, name: 'pet' } }, { format: { type: 'object' } }, []],
    [{ candidates: 2, parallelToolCalls: false }, {}, ['setting-left-out', 'setting-left-out']],
    [{ candidates: 1, parallelToolCalls: true, includeUsage: true }, {}, []],
  ])('%j', (settings, body, wanted) => {
    const request: ModelRequest = { messages: [hello], settings }
    expect(write(request).body).toEqual({
      messages: [{ role: 'user', content: 'Hello' }],
      stream: false,
      ...body,
    })
    expect(codes(request)).toEqual(wanted)
  })

  test.each<[what: string, message: ConversationMessage, written: object[]]>([
    [
      'an image at an address',
      { role: 'user', parts: [hello.parts[0], { ...image, content: { url: 'https://example.com/a.png' } }] },
      [{ role: 'user', content: 'Hello' }],
    ],
    [
      'a document',
      { role: 'user', parts: [hello.parts[0], { ...image, mediaType: 'application/pdf' }] },
      [{ role: 'user', content: 'Hello' }],
    ],
    [
      'reasoning of another provider',
      {
        role: 'assistant',
        provider: 'anthropic',
        parts: [{ type: 'reasoning', text: 'Hm.' }, hello.parts[0]],
      },
      [{ role: 'assistant', content: 'Hello' }],
    ],
    [
      'a call that a provider ran',
      {
        role: 'assistant',
        provider: 'anthropic',
        parts: [{ type: 'call', id: 'a', toolName: 'web_search', input: {}, providerExecuted: true }],
      },
      [],
    ],
  ])('%s is left out, with a note', (_, message, written) => {
    expect(messagesOf(message)).toEqual(written)
    expect(codes({ messages: [message] })).toEqual(['part-left-out'])
  })

  test('a file of text is text', () => {
    const file = {
      type: 'file',
      mediaType: 'text/plain',
      content: { text: 'Buy milk.' },
      name: 'todo',
    } as const
    expect(messagesOf({ role: 'user', parts: [hello.parts[0], file] })[0]!.content).toBe(
      'Hello\ntodo:\nBuy milk.',
    )
  })

  test('a conversation that another server keeps cannot be written', () => {
    expect(() => write({ messages: [hello], previousResponseId: 'resp_1' })).toThrow("'ollama' cannot go on")
  })
})

test('a role that there is not is refused with a sentence', () => {
  expect(() => read({ messages: [{ role: 'bot', content: '' }] })).toThrow(
    '\'role\' of a message is system, user, assistant or tool, not "bot".',
  )
})
