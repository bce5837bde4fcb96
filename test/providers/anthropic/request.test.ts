import { describe, expect, test } from 'vitest'
import {
  anthropicRequest,
  type ConversationMessage,
  type ModelRequest,
  openaiChatRequest,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'

const read = (body: object): ModelRequest => readRequest(anthropicRequest, body).request
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const

/** What a client sends to the Messages API, with everything that must come back as it was. */
const BODY = {
  model: 'claude-sonnet-4-5',
  max_tokens: 2048,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } },
        { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' }, title: 'A' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'cmVk' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'image' } },
        { type: 'tool_use', id: 'toolu_2', name: 'look', input: { at: 'document' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A cat.' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/b.png' } }],
          is_error: true,
          cache_control: { type: 'ephemeral' },
        },
        { type: 'text', text: 'And now?' },
        {
          type: 'search_result',
          source: 'https://example.com',
          title: 'C',
          content: [{ type: 'text', text: 'c' }],
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'cats' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [{ type: 'web_search_result', url: 'https://example.com', encrypted_content: 'ZW5j' }],
        },
        { type: 'text', text: 'Cats are small.', citations: [{ type: 'web_search_result_location' }] },
      ],
    },
    { role: 'user', content: 'Thanks.' },
  ],
  tools: [
    { name: 'look', input_schema: { type: 'object', properties: {} }, cache_control: { type: 'ephemeral' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  stream: true,
  top_k: 40,
  stop_sequences: ['END'],
  metadata: { user_id: 'u1' },
}

describe("a request of Anthropic's", () => {
  test('goes back to Anthropic as it came', () => {
    const { body, path, diagnostics } = writeRequest(anthropicRequest, read(BODY))
    expect(body).toEqual(BODY)
    expect(path).toBe('/v1/messages')
    expect(diagnostics).toEqual([])
  })

  test('is read into parts, with results as a message of their own', () => {
    const { messages, tools, settings, toolChoice, providerOptions } = read(BODY)
    expect(messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'user', 'assistant', 'user'],
    ])
    expect(messages[2]!.parts).toEqual([
      { type: 'reasoning', text: 'Let me look.', metadata: { anthropic: { signature: 'c2ln' } } },
      { type: 'reasoning', text: '', metadata: { anthropic: { redactedData: 'cmVk' } } },
      { type: 'call', id: 'toolu_1', toolName: 'look', input: { at: 'image' } },
      { type: 'call', id: 'toolu_2', toolName: 'look', input: { at: 'document' } },
    ])
    expect(messages[3]!.parts[0]).toEqual({ type: 'result', id: 'toolu_1', content: 'A cat.' })
    expect(tools).toEqual([
      {
        name: 'look',
        inputSchema: { type: 'object', properties: {} },
        metadata: { anthropic: { cache_control: { type: 'ephemeral' } } },
      },
      {
        type: 'provider',
        provider: 'anthropic',
        definition: { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      },
    ])
    expect(settings).toEqual({
      maxOutputTokens: 2048,
      topK: 40,
      stopSequences: ['END'],
      parallelToolCalls: false,
    })
    expect(toolChoice).toBe('auto')
    expect(providerOptions).toEqual({ anthropic: { metadata: { user_id: 'u1' } } })
  })

  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { reasoning: { budgetTokens: 1024 } }],
    [{ thinking: { type: 'disabled' } }, { reasoning: { effort: 'none' } }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      { reasoning: { effort: 'high' } },
    ],
    [{ thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'low' } }, {}],
    [{ output_config: { effort: 'low' } }, {}],
    [
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      { output: { schema: { type: 'object' } } },
    ],
  ])('%j is read and written back', (fields, settings) => {
    const body = { max_tokens: 4096, messages: [{ role: 'user', content: 'Hello' }], ...fields }
    expect(read(body).settings).toEqual({ maxOutputTokens: 4096, ...settings })
    expect(writeRequest(anthropicRequest, read(body)).body).toEqual(body)
  })
})

describe('what Anthropic enforces', () => {
  test('each call has a result, in order, and no result is without a call', () => {
    const { body, diagnostics } = writeRequest(anthropicRequest, {
      messages: [
        hello,
        {
          role: 'assistant',
          parts: [
            { type: 'call', id: 'a', toolName: 'ls', input: {} },
            { type: 'call', id: 'b', toolName: 'ls', input: {} },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'result', id: 'b', content: 'B' },
            { type: 'result', id: 'x', content: 'X' },
          ],
        },
      ],
    })
    expect(body.messages).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'ls', input: {} },
          { type: 'tool_use', id: 'b', name: 'ls', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: 'No result: the call was not run.',
            is_error: true,
          },
          { type: 'tool_result', tool_use_id: 'b', content: 'B' },
        ],
      },
    ])
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'result-without-call',
      'call-without-result',
      'setting-changed',
    ])
  })

  test('an id that comes again is made different, for the call and for its result', () => {
    const round = (content: string) =>
      [
        { role: 'assistant', parts: [{ type: 'call', id: 'call-1', toolName: 'ls', input: {} }] },
        { role: 'tool', parts: [{ type: 'result', id: 'call-1', content }] },
      ] as const
    const { body } = writeRequest(anthropicRequest, { messages: [hello, ...round('one'), ...round('two')] })
    const blocks = (body.messages as { content: { id?: string; tool_use_id?: string; content?: string }[] }[])
      .slice(1)
      .map(({ content: [block] }) => block?.id ?? [block?.tool_use_id, block?.content])
    expect(blocks).toEqual(['call-1', ['call-1', 'one'], 'call-1_2', ['call-1_2', 'two']])
  })

  test('thinking comes first, without a signature not at all', () => {
    const { body, diagnostics } = writeRequest(anthropicRequest, {
      settings: { maxOutputTokens: 10 },
      messages: [
        hello,
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'Well.' },
            { type: 'reasoning', text: 'signed', metadata: { anthropic: { signature: 's' } } },
            { type: 'reasoning', text: 'of another model' },
          ],
        },
        hello,
      ],
    })
    expect((body.messages as unknown[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'signed', signature: 's' },
        { type: 'text', text: 'Well.' },
      ],
    })
    expect(diagnostics).toEqual([
      { code: 'part-left-out', message: "Reasoning without a signature of 'anthropic' is left out." },
    ])
  })

  describe('that it would refuse', () => {
    const call = { type: 'call', id: 'a', toolName: 'ls', input: {} } as const
    const image = { type: 'file', mediaType: 'image/*', content: { base64: 'iVBORw0=' } } as const
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } }
    const use = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
    const thought = { type: 'reasoning', text: 'Hm.', metadata: { anthropic: { signature: 's' } } } as const

    test.each<[string, ConversationMessage[], object[], string[]]>([
      [
        'text of white space is left out',
        [hello, { role: 'assistant', parts: [{ type: 'text', text: '\n\n' }, call] }],
        [{ role: 'assistant', content: [use] }],
        ['call-without-result'],
      ],
      [
        'thoughts that nothing follows are left out',
        [hello, { role: 'assistant', parts: [thought] }, hello],
        [],
        ['part-left-out'],
      ],
      [
        'a file of the model is left out',
        [hello, { role: 'assistant', parts: [image, { type: 'text', text: 'So.' }] }],
        [{ role: 'assistant', content: 'So.' }],
        ['part-left-out'],
      ],
      [
        'an image in an error is moved behind it',
        [
          hello,
          { role: 'assistant', parts: [call] },
          {
            role: 'tool',
            parts: [
              { type: 'result', id: 'a', isError: true, content: [{ type: 'text', text: 'No' }, image] },
            ],
          },
        ],
        [
          { role: 'assistant', content: [use] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: 'No', is_error: true },
              { type: 'text', text: "The files in the result of the call 'a' of 'ls':" },
              picture,
            ],
          },
        ],
        ['message-moved'],
      ],
      [
        'parts of another provider in a result are left out',
        [
          hello,
          { role: 'assistant', parts: [call] },
          {
            role: 'tool',
            parts: [
              {
                type: 'result',
                id: 'a',
                content: [{ type: 'custom', kind: 'tool_use', value: { type: 'tool_use' } }],
              },
            ],
          },
        ],
        [
          { role: 'assistant', content: [use] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [] }] },
        ],
        ['part-left-out'],
      ],
    ])('%s', (_, messages, wanted, codes) => {
      const { body, diagnostics } = writeRequest(anthropicRequest, {
        settings: { maxOutputTokens: 9 },
        messages,
      })
      const written = body.messages as object[]
      expect(written.slice(1, 1 + wanted.length)).toEqual(wanted)
      expect(diagnostics.map(({ code }) => code)).toEqual(codes)
    })

    test('a conversation that the model begins gets a beginning', () => {
      const { body, diagnostics } = writeRequest(anthropicRequest, {
        settings: { maxOutputTokens: 9 },
        messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'Hi.' }] }, hello],
      })
      expect((body.messages as object[])[0]).toEqual({ role: 'user', content: '…' })
      expect(diagnostics.map(({ code }) => code)).toEqual(['message-added'])
    })

    test.each([
      [
        'thought about',
        [thought, call],
        { type: 'enabled', budget_tokens: 2000 },
        undefined,
        ['setting-left-out'],
      ],
      ['begun by another model', [call], undefined, 0.5, ['setting-changed']],
    ])('a turn that was %s', (_, parts, thinking, temperature, codes) => {
      const { body, diagnostics } = writeRequest(anthropicRequest, {
        settings: { maxOutputTokens: 5000, reasoning: { budgetTokens: 2000 }, temperature: 0.5 },
        messages: [
          hello,
          { role: 'assistant', parts },
          { role: 'tool', parts: [{ type: 'result', id: 'a', content: '' }] },
        ],
      })
      expect(body.thinking).toEqual(thinking)
      expect(body.temperature).toBe(temperature)
      expect(diagnostics.map(({ code }) => code)).toEqual(codes)
    })
  })

  test('a name that it does not take is replaced everywhere, and the answer says by which', () => {
    const { body, toolNames } = writeRequest(anthropicRequest, {
      messages: [
        hello,
        { role: 'assistant', parts: [{ type: 'call', id: 'a', toolName: 'fs.read', input: {} }] },
        { role: 'tool', parts: [{ type: 'result', id: 'a', content: '' }] },
      ],
      tools: [{ name: 'fs.read' }, { name: 'fs_read' }],
      toolChoice: { toolName: 'fs.read' },
    })
    expect(toolNames).toEqual({ fs_read_2: 'fs.read' })
    expect(body.tool_choice).toEqual({ type: 'tool', name: 'fs_read_2' })
    expect((body.tools as { name: string }[]).map(({ name }) => name)).toEqual(['fs_read_2', 'fs_read'])
    expect((body.messages as { content: unknown }[])[1]!.content).toEqual([
      { type: 'tool_use', id: 'a', name: 'fs_read_2', input: {} },
    ])
  })

  test.each([
    ['a limit', { temperature: 0.5 }, { max_tokens: 4096, temperature: 0.5 }],
    [
      'a limit above the budget',
      { reasoning: { budgetTokens: 5000 }, maxOutputTokens: 100 },
      { max_tokens: 5100 },
    ],
    [
      'no temperature while it thinks',
      { reasoning: { effort: 'low' }, temperature: 0, maxOutputTokens: 9 },
      {},
    ],
  ] as const)('%s', (_, settings, wanted) => {
    const { body, diagnostics } = writeRequest(anthropicRequest, { messages: [hello], settings })
    expect(body).toMatchObject(wanted)
    expect(body.temperature).toBe('temperature' in wanted ? wanted.temperature : undefined)
    expect(diagnostics).toHaveLength(1)
  })

  test('a conversation that another server keeps cannot be written', () => {
    expect(() => writeRequest(anthropicRequest, { messages: [hello], previousResponseId: 'resp_1' })).toThrow(
      "'anthropic' cannot go on from the response 'resp_1', which another server has kept; send the messages themselves.",
    )
  })
})

test.each([
  [{}, "'messages' must be a list."],
  [{ messages: [7] }, "'messages[0]' must be an object."],
  [{ messages: [{ role: 'tool', content: '' }] }, '\'role\' of a message is user or assistant, not "tool".'],
])('%j is refused with a sentence', (body, message) => {
  expect(() => read(body)).toThrow(message)
})

describe('a document of another source than data, an address or a file', () => {
  test.each([
    [{ type: 'content', content: [{ type: 'text', text: 'inner' }] }],
    [{ type: 'cloud', bucket: 'b' }],
  ])('goes back as it came, and to nobody else: %j', (source) => {
    const messages = [{ role: 'user', content: [{ type: 'document', source, title: 'A' }] }]
    const request = read({ model: 'm', max_tokens: 5, messages })
    expect(writeRequest(anthropicRequest, request)).toMatchObject({ body: { messages }, diagnostics: [] })
    const { body, diagnostics } = writeRequest(openaiChatRequest, request)
    expect(JSON.stringify(body)).not.toMatch(/pdf|file/)
    expect(diagnostics.map(({ code }) => code)).toContain('part-left-out')
  })
})
