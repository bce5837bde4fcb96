import { describe, expect, test } from 'vitest'
import { openaiChat, readProvider } from '../../../src/providers/index.ts'
import {
  anthropicRequest,
  appendResponse,
  type ConversationMessage,
  type ModelRequest,
  openaiChatRequest,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'

const read = (body: object) => readRequest(openaiChatRequest, body).request
const again = (body: object) => writeRequest(openaiChatRequest, read(body))
const write = (request: ModelRequest) => writeRequest(openaiChatRequest, request)
const messagesOf = (...messages: ConversationMessage[]) =>
  write({ messages }).body.messages as Record<string, unknown>[]
const codes = (request: ModelRequest) => write(request).diagnostics.map(({ code }) => code)
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const

/** What clients send, with everything that must come back as it was. */
const BODY = {
  model: 'gpt-5',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }] },
    {
      role: 'user',
      name: 'ada',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://example.com/b.png' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'input_audio', input_audio: { data: 'ZkxhQw==', format: 'flac' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'video_url', video_url: { url: 'https://example.com/c.mp4' } },
        { type: 'imported', source: 7 },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Two looks.',
      tool_calls: [
        {
          id: 'functions.look:0',
          type: 'function',
          function: { name: 'look', arguments: '{"at": "image", "zoom": 1.0}' },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
        { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{"at":"file"}' } },
        { id: 'call_3', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
        { id: 'call_4', type: 'function', function: { name: 'look', arguments: '{"at":' } },
      ],
    },
    { role: 'tool', tool_call_id: 'functions.look:0', content: 'A cat.' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'A page.' }], name: 'look' },
    { role: 'tool', tool_call_id: 'call_3', content: '' },
    {
      role: 'tool',
      tool_call_id: 'call_4',
      content: [{ type: 'image_url', image_url: { url: 'https://example.com/d.png' } }],
    },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_5', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_5', content: 'a.ts' },
    {
      role: 'assistant',
      content: 'A cat.',
      reasoning: 'It purrs.',
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: 'It purrs.',
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          index: 0,
        },
        { type: 'reasoning.encrypted', data: 'ZW5j', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
      ],
      audio: { id: 'audio_1' },
      annotations: [],
    },
    { role: 'user', content: [{ type: 'text', text: 'Do harm.' }] },
    { role: 'assistant', content: null, refusal: 'No.' },
    { role: 'user', content: 'Thanks.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'You ' },
        { type: 'text', text: 'are welcome.' },
        { type: 'refusal', refusal: 'No more.' },
      ],
    },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: {} },
        strict: true,
      },
      cache_control: { type: 'ephemeral' },
    },
    { type: 'function', function: { name: 'ls', parameters: { type: 'object' }, returns: 'text' } },
    { type: 'custom', custom: { name: 'patch', description: 'Patches.', format: { type: 'text' } } },
    { type: 'builtin_function', function: { name: '$web_search' } },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  stream: true,
  stream_options: { include_usage: true, include_obfuscation: false },
  max_completion_tokens: 2048,
  temperature: 0.2,
  top_p: 0.9,
  top_k: 40,
  n: 2,
  seed: 7,
  presence_penalty: 0.1,
  frequency_penalty: 0.2,
  stop: 'END',
  logprobs: true,
  top_logprobs: 3,
  reasoning_effort: 'high',
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'pet', description: 'A pet.', schema: { type: 'object' }, strict: true },
  },
  logit_bias: { '50256': -100 },
  user: 'u1',
  metadata: { run: '1' },
  chat_template_kwargs: { enable_thinking: true },
}

describe('a request of Chat Completions', () => {
  test('goes back as it came', () => {
    const { body, path, diagnostics } = again(BODY)
    expect(body).toEqual(BODY)
    expect(path).toBe('/v1/chat/completions')
    expect(diagnostics).toEqual([])
  })

  test('is recognised, and not one of Anthropic', () => {
    expect(openaiChatRequest.detect(BODY)).toBe(true)
    expect(anthropicRequest.detect(BODY)).toBe(false)
    expect(openaiChatRequest.detect({ messages: [], system: 'Be brief.' })).toBe(false)
    expect(openaiChatRequest.detect({ prompt: 'Hello' })).toBe(false)
  })

  test('is read into parts', () => {
    const { messages, tools, settings, toolChoice, providerOptions } = read(BODY)
    expect(messages.map(({ role }) => role)).toEqual([
      ...['system', 'system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
      ...['assistant', 'user', 'assistant', 'user', 'assistant'],
    ])
    expect(messages[2]!.parts.slice(1, 7)).toEqual([
      {
        type: 'file',
        mediaType: 'image/png',
        content: { base64: 'iVBORw0=' },
        metadata: { 'openai-chat': { image_url: { detail: 'low' } } },
      },
      { type: 'file', mediaType: 'image/*', content: { url: 'https://example.com/b.png' } },
      { type: 'file', mediaType: 'audio/wav', content: { base64: 'UklGRg==' } },
      {
        type: 'file',
        mediaType: 'audio/flac',
        content: { base64: 'ZkxhQw==' },
        metadata: { 'openai-chat': { input_audio: { format: 'flac' } } },
      },
      { type: 'file', mediaType: 'application/pdf', content: { base64: 'JVBERi0=' }, name: 'a.pdf' },
      { type: 'file', mediaType: 'application/pdf', content: { id: 'file-1', provider: 'openai-chat' } },
    ])
    expect(messages[3]!.parts).toEqual([
      { type: 'reasoning', text: 'Two looks.' },
      {
        type: 'call',
        id: 'functions.look:0',
        toolName: 'look',
        input: { at: 'image', zoom: 1 },
        inputText: '{"at": "image", "zoom": 1.0}',
        raw: '{"at": "image", "zoom": 1.0}',
        metadata: {
          'openai-chat': { extra_content: { google: { thought_signature: 'c2ln' } } },
          gemini: { thoughtSignature: 'c2ln' },
        },
      },
      { type: 'call', id: 'call_2', toolName: 'look', input: { at: 'file' } },
      { type: 'call', id: 'call_3', toolName: 'patch', input: '*** Begin' },
      { type: 'call', id: 'call_4', toolName: 'look', input: '{"at":', raw: '{"at":' },
    ])
    expect(tools?.slice(1)).toEqual([
      {
        name: 'ls',
        inputSchema: { type: 'object' },
        metadata: { 'openai-chat': { function: { returns: 'text' } } },
      },
      {
        type: 'custom',
        name: 'patch',
        description: 'Patches.',
        metadata: { 'openai-chat': { custom: { format: { type: 'text' } } } },
      },
      {
        type: 'provider',
        provider: 'openai-chat',
        definition: { type: 'builtin_function', function: { name: '$web_search' } },
      },
    ])
    expect(toolChoice).toBe('auto')
    expect(settings).toEqual({
      maxOutputTokens: 2048,
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      candidates: 2,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ['END'],
      logprobs: 3,
      reasoning: { effort: 'high' },
      output: { schema: { type: 'object' }, name: 'pet', description: 'A pet.', strict: true },
      parallelToolCalls: false,
      includeUsage: true,
    })
    expect(providerOptions).toEqual({
      'openai-chat': {
        top_k: 40,
        stop: 'END',
        stream_options: { include_usage: true, include_obfuscation: false },
        logit_bias: { '50256': -100 },
        user: 'u1',
        metadata: { run: '1' },
        chat_template_kwargs: { enable_thinking: true },
      },
    })
  })

  const TOOLS = [
    { type: 'function', function: { name: 'ls', parameters: { type: 'object' } } },
    { type: 'custom', custom: { name: 'patch' } },
  ]
  test.each<[fields: object, says: object]>([
    [{ model: 'gpt-5', max_tokens: 9 }, { settings: { maxOutputTokens: 9 } }],
    [{ model: 'deepseek-chat', max_completion_tokens: 9 }, { settings: { maxOutputTokens: 9 } }],
    [{ max_tokens: 8, max_completion_tokens: 9 }, { settings: { maxOutputTokens: 9 } }],
    [{ stop: ['A', 'B'] }, { settings: { stopSequences: ['A', 'B'] } }],
    [{ stop: ['A', 'B', 'C', 'D', 'E'] }, { settings: { stopSequences: ['A', 'B', 'C', 'D', 'E'] } }],
    [{ min_p: 0.1 }, { settings: { minP: 0.1 } }],
    [{ logprobs: true }, { settings: { logprobs: true } }],
    [{ logprobs: false }, { settings: { logprobs: false } }],
    [{ reasoning_effort: 'none' }, { settings: { reasoning: { effort: 'none' } } }],
    [{ reasoning: { effort: 'low', exclude: true } }, { settings: { reasoning: { effort: 'low' } } }],
    [{ reasoning: { max_tokens: 2000 } }, { settings: { reasoning: { budgetTokens: 2000 } } }],
    [{ reasoning: { enabled: false } }, { settings: { reasoning: { effort: 'none' } } }],
    [{ thinking: { type: 'enabled' } }, {}],
    [{ response_format: { type: 'text' } }, {}],
    [{ response_format: { type: 'json_object' } }, { settings: { output: {} } }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'array' } } } },
      { settings: { output: { name: 'a', schema: { type: 'array' } } } },
    ],
    [{ stream: false }, { stream: false }],
    [
      { stream: true, stream_options: { include_usage: false } },
      { stream: true, settings: { includeUsage: false } },
    ],
    [{ tools: TOOLS, tool_choice: 'none' }, { toolChoice: 'none' }],
    [{ tools: TOOLS, tool_choice: 'required' }, { toolChoice: 'required' }],
    [{ tools: TOOLS, tool_choice: 'any' }, { toolChoice: 'required' }],
    [
      { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'ls' } } },
      { toolChoice: { toolName: 'ls' } },
    ],
    [
      { tools: TOOLS, tool_choice: { type: 'custom', custom: { name: 'patch' } } },
      { toolChoice: { toolName: 'patch' } },
    ],
    [
      {
        tools: TOOLS,
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: [
              { type: 'function', function: { name: 'ls' } },
              { type: 'custom', custom: { name: 'patch' } },
            ],
          },
        },
      },
      { toolChoice: { toolNames: ['ls', 'patch'], mode: 'required' } },
    ],
    [{ tools: TOOLS, parallel_tool_calls: true }, { settings: { parallelToolCalls: true } }],
    [
      { functions: [{ name: 'ls', parameters: { type: 'object' } }], function_call: { name: 'ls' } },
      { tools: [{ name: 'ls', inputSchema: { type: 'object' } }], toolChoice: { toolName: 'ls' } },
    ],
    [
      { functions: [{ name: 'ls' }], function_call: 'auto' },
      { tools: [{ name: 'ls' }], toolChoice: 'auto' },
    ],
  ])('%j is read and written back', (fields, says) => {
    const body = { messages: [{ role: 'user', content: 'Hello' }], ...fields }
    const { settings, toolChoice, stream, tools } = read(body)
    const said = { settings, toolChoice, stream, ...('tools' in says && { tools }) }
    expect(JSON.parse(JSON.stringify(said))).toEqual(says)
    expect(again(body).body).toEqual(body)
    expect(again(body).diagnostics).toEqual([])
  })

  test('a setting that was changed goes back in the spelling that it came in', () => {
    const { model, messages, settings, providerOptions } = read({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Hello' }],
      ...{ max_tokens: 9, top_k: 4, stop: 'A', reasoning: { max_tokens: 2000, exclude: true } },
    })
    const changed = {
      ...settings,
      ...{ maxOutputTokens: 10, topK: 5, stopSequences: ['B'], reasoning: { budgetTokens: 3000 } },
    }
    const written = write({ model: model!, messages, settings: changed, providerOptions: providerOptions! })
    expect(written.body).toEqual({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Hello' }],
      ...{ max_tokens: 10, top_k: 5, stop: ['B'], reasoning: { max_tokens: 3000, exclude: true } },
    })
  })

  test('calls and results from before there were tools', () => {
    const messages = [
      { role: 'assistant', content: null, function_call: { name: 'ls', arguments: '{"path":"."}' } },
      { role: 'function', name: 'ls', content: 'a.ts' },
      { role: 'assistant', content: null, function_call: { name: 'ls', arguments: '{}' } },
      { role: 'function', name: 'ls', content: 'b.ts' },
    ]
    const request = read({ messages })
    expect(request.messages.flatMap(({ parts }) => parts.map((part) => 'id' in part && part.id))).toEqual([
      ...['function_call_1', 'function_call_1', 'function_call_2', 'function_call_2'],
    ])
    expect(again({ messages }).body).toEqual({ messages })
  })
})

describe('reasoning', () => {
  const said = (provider: string, metadata?: object): ConversationMessage => ({
    role: 'assistant',
    provider,
    parts: [
      { type: 'reasoning', text: 'Hm.', ...(metadata && { metadata: { 'openai-chat': metadata } }) },
      { type: 'text', text: 'Hi.' },
    ],
  })

  test.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])(
    '%s goes back as it came',
    (field) => {
      const messages = [{ role: 'assistant', [field]: 'Hm.', content: 'Hi.' }]
      expect(again({ messages }).body).toEqual({ messages })
    },
  )

  test('of the same provider goes back', () => {
    expect(messagesOf(said('openai-chat'))[0]).toEqual({
      role: 'assistant',
      reasoning_content: 'Hm.',
      content: 'Hi.',
    })
  })

  test('of another provider is left out, with a note', () => {
    expect(messagesOf(said('anthropic'))).toEqual([{ role: 'assistant', content: 'Hi.' }])
    expect(write({ messages: [said('anthropic')] }).diagnostics).toEqual([
      {
        code: 'part-left-out',
        message: "Reasoning is left out: 'openai-chat' takes only what the same server wrote.",
      },
    ])
  })

  test.each(['role', 'content', 'tool_calls', '__proto__', 'name'])(
    'goes back in no field that is not one of reasoning: %s',
    (field) => {
      expect(messagesOf(said('openai-chat', { field }))[0]).toEqual({
        role: 'assistant',
        reasoning_content: 'Hm.',
        content: 'Hi.',
      })
    },
  )

  test("of another server's model is left out for OpenAI's own, which refuses such fields", () => {
    const message = { ...said('openai-chat', { field: 'reasoning' }), model: 'deepseek-reasoner' }
    expect(write({ model: 'gpt-5', messages: [message] })).toMatchObject({
      body: { messages: [{ role: 'assistant', content: 'Hi.' }] },
      diagnostics: [{ code: 'part-left-out' }],
    })
    expect(write({ model: 'gpt-5', messages: [message] }).body.messages).not.toHaveProperty('[0].reasoning')
    for (const model of ['openai/gpt-5', 'gpt-oss-20b', 'deepseek-chat'])
      expect(write({ model, messages: [message] }).body.messages).toHaveProperty('[0].reasoning', 'Hm.')
    // A proxy that has given reasoning of the same model gets it back.
    const same = { ...message, model: 'gpt-5' }
    expect(write({ model: 'gpt-5', messages: [same] }).body.messages).toHaveProperty('[0].reasoning', 'Hm.')
  })

  test('that this provider marked goes back, whoever had it in between', () => {
    const details = [{ type: 'reasoning.text', signature: 'c2ln' }]
    const [message] = messagesOf(said('ai-sdk-ui', { reasoning_details: details }))
    expect(message!.reasoning_details).toEqual([{ type: 'reasoning.text', signature: 'c2ln', text: 'Hm.' }])
    expect(messagesOf(said('ai-sdk-ui', { field: 'reasoning' }))[0]!.reasoning).toBe('Hm.')
    expect(messagesOf(said('ai-sdk-ui', { reasoning_opaque: 'b3Bx' }))[0]).toEqual({
      role: 'assistant',
      reasoning_text: 'Hm.',
      reasoning_opaque: 'b3Bx',
      content: 'Hi.',
    })
  })

  test('whose blocks are sealed stands beside them', () => {
    const messages = [
      {
        role: 'assistant',
        content: 'Hi.',
        reasoning: 'Hm.',
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'ZW5j', index: 0 },
          { type: 'reasoning.encrypted', data: 'bW9yZQ==', index: 1 },
        ],
      },
    ]
    expect(again({ messages }).body).toEqual({ messages })
  })

  test('that a provider behind the server signed is signed for that provider, too', () => {
    const { messages } = read({
      messages: [
        {
          role: 'assistant',
          content: 'Hi.',
          reasoning_details: [
            { type: 'reasoning.text', text: 'Hm.', signature: 'c2ln', format: 'anthropic-claude-v1' },
            { type: 'reasoning.encrypted', data: 'cmVk', format: 'anthropic-claude-v1' },
          ],
        },
      ],
    })
    const { body } = writeRequest(anthropicRequest, { messages: [hello, ...messages, hello] })
    expect((body.messages as unknown[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'cmVk' },
        { type: 'text', text: 'Hi.' },
      ],
    })
  })
})

describe('what Chat Completions enforces', () => {
  const called = (...ids: string[]): ConversationMessage => ({
    role: 'assistant',
    parts: ids.map((id) => ({ type: 'call', id, toolName: 'look', input: {} })),
  })
  const image = { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } } as const

  test('results follow their calls, in order, each a message of its own', () => {
    const messages = messagesOf(hello, called('a', 'b'), hello, {
      role: 'tool',
      parts: [
        { type: 'result', id: 'b', content: 'B' },
        { type: 'result', id: 'a', content: 'A' },
      ],
    })
    expect(messages).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      { role: 'user', content: 'Hello' },
    ])
  })

  test('files of results are given by the user, behind all results', () => {
    const request: ModelRequest = {
      messages: [
        called('a', 'b'),
        {
          role: 'tool',
          parts: [
            { type: 'result', id: 'a', content: [{ type: 'text', text: 'A cat:' }, image] },
            { type: 'result', id: 'b', content: [image] },
          ],
        },
      ],
    }
    const { body, diagnostics } = write(request)
    const url = 'data:image/png;base64,iVBORw0='
    expect((body.messages as unknown[]).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'A cat:' },
      { role: 'tool', tool_call_id: 'b', content: 'The files of this result are in the next message.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: "The files in the result of the call 'a' of 'look':" },
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: "The files in the result of the call 'b' of 'look':" },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ])
    expect(diagnostics.map(({ code }) => code)).toEqual(['message-moved', 'message-moved'])
  })

  test('a list of texts is one string for servers that take nothing else', () => {
    const messages = messagesOf(called('a'), {
      role: 'tool',
      parts: [
        {
          type: 'result',
          id: 'a',
          content: [
            { type: 'text', text: 'one ' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
    })
    expect(messages[1]!.content).toBe('one two')
    const [assistant] = messagesOf({
      role: 'assistant',
      parts: [
        { type: 'text', text: 'one ' },
        { type: 'text', text: 'two' },
      ],
    })
    expect(assistant).toEqual({ role: 'assistant', content: 'one two' })
  })

  test('an id of another provider is cut to 40 characters; one of its own never', () => {
    const id = 'x'.repeat(50)
    const results: ConversationMessage = { role: 'tool', parts: [{ type: 'result', id, content: '' }] }
    expect(messagesOf(called(id), results)[1]!.tool_call_id).toBe('x'.repeat(40))
    expect(messagesOf({ ...called(id), provider: 'openai-chat' }, results)[1]!.tool_call_id).toBe(id)
  })

  test('a name that it does not take is replaced', () => {
    const { toolNames, body } = write({ messages: [hello], tools: [{ name: 'fs.read' }] })
    expect(toolNames).toEqual({ fs_read: 'fs.read' })
    expect(body.tools).toEqual([
      { type: 'function', function: { name: 'fs_read', parameters: { type: 'object', properties: {} } } },
    ])
  })

  test.each<[what: string, settings: ModelRequest['settings'], body: object, codes: string[]]>([
    [
      'four stop sequences',
      { stopSequences: ['1', '2', '3', '4', '5'] },
      { stop: ['1', '2', '3', '4'] },
      ['setting-left-out'],
    ],
    ['no top_k and no min_p', { topK: 4, minP: 0.1 }, {}, ['setting-left-out', 'setting-left-out']],
    [
      'no budget for thinking',
      { reasoning: { budgetTokens: 4096 } },
      { reasoning_effort: 'medium' },
      ['setting-changed'],
    ],
    ['no usage outside a stream', { includeUsage: true }, {}, []],
    ['no parallel calls without tools', { parallelToolCalls: false }, {}, []],
    [
      'a name for a schema',
      { output: { schema: { type: 'object' }, name: 'a b' } },
      { response_format: { type: 'json_schema', json_schema: { name: 'a_b', schema: { type: 'object' } } } },
      [],
    ],
    ['a limit', { maxOutputTokens: 9 }, { max_tokens: 9 }, []],
  ])('%s', (_, settings, body, wanted) => {
    const request: ModelRequest = { messages: [hello], settings: settings! }
    expect(write(request).body).toEqual({ messages: [{ role: 'user', content: 'Hello' }], ...body })
    expect(codes(request)).toEqual(wanted)
  })

  test.each([
    ['gpt-5-mini', 'max_completion_tokens'],
    ['o3', 'max_completion_tokens'],
    ['openai/gpt-4.1', 'max_completion_tokens'],
    ['gpt-oss-120b', 'max_tokens'],
    ['deepseek-chat', 'max_tokens'],
    ['mistral-large-latest', 'max_tokens'],
  ])('the limit of %s is %s', (model, field) => {
    const { body } = write({ model, messages: [hello], settings: { maxOutputTokens: 9 } })
    expect(body[field]).toBe(9)
  })

  test.each<[what: string, message: ConversationMessage, content: unknown]>([
    [
      'a file by an id of another provider',
      {
        role: 'user',
        parts: [{ type: 'file', mediaType: 'application/pdf', content: { id: 'f', provider: 'anthropic' } }],
      },
      undefined,
    ],
    [
      'a document at an address',
      {
        role: 'user',
        parts: [{ type: 'file', mediaType: 'application/pdf', content: { url: 'https://example.com/a' } }],
      },
      undefined,
    ],
    [
      'a sound that OpenAI does not take',
      { role: 'user', parts: [{ type: 'file', mediaType: 'audio/ogg', content: { base64: 'T2dn' } }] },
      undefined,
    ],
    ['an image of the system', { role: 'system', parts: [{ type: 'text', text: 'Look.' }, image] }, 'Look.'],
    [
      'an image of the model',
      { role: 'assistant', parts: [{ type: 'text', text: 'Look.' }, image] },
      'Look.',
    ],
    [
      'a part of another protocol',
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look.' },
          { type: 'custom', kind: 'data-x', value: { type: 'data-x' } },
        ],
      },
      'Look.',
    ],
    [
      'a call that a provider ran',
      {
        role: 'assistant',
        provider: 'anthropic',
        parts: [
          { type: 'text', text: 'Look.' },
          { type: 'call', id: 'a', toolName: 'web_search', input: {}, providerExecuted: true },
        ],
      },
      'Look.',
    ],
  ])('%s is left out, with a note', (_, message, content) => {
    expect(messagesOf(message).map((written) => written.content)).toEqual(
      content === undefined ? [] : [content],
    )
    expect(codes({ messages: [message] })).toEqual(['part-left-out'])
  })

  test('a file of text is text, and a document has a name', () => {
    const [message] = messagesOf({
      role: 'user',
      parts: [
        { type: 'file', mediaType: 'text/plain', content: { text: 'Buy milk.' }, name: 'todo.txt' },
        { type: 'file', mediaType: 'application/pdf', content: { base64: 'JVBERi0=' } },
        { type: 'file', mediaType: 'audio/mpeg', content: { base64: 'SUQz' } },
      ],
    })
    expect(message!.content).toEqual([
      { type: 'text', text: 'todo.txt:\nBuy milk.' },
      { type: 'file', file: { filename: 'file.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } },
    ])
  })

  test('free text for a tool that was asked for it elsewhere as an argument', () => {
    const parts = [{ type: 'call', id: 'a', toolName: 'patch', input: { input: '*** Begin' } }] as const
    const messages: ConversationMessage[] = [{ role: 'assistant', parts }]
    const patch = { type: 'custom', name: 'patch' } as const
    const [custom] = write({ messages, tools: [patch] }).body.messages as { tool_calls: unknown[] }[]
    expect(custom!.tool_calls[0]).toEqual({
      id: 'a',
      type: 'custom',
      custom: { name: 'patch', input: '*** Begin' },
    })
  })

  test('a conversation that another server keeps cannot be written', () => {
    expect(() => write({ messages: [hello], previousResponseId: 'resp_1' })).toThrow(
      "'openai-chat' cannot go on from the response 'resp_1', which another server has kept; send the messages themselves.",
    )
  })
})

test('a response with blocks of reasoning goes back block by block, with the text of each', async () => {
  const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 }
  const deltas = [
    { reasoning: 'It ', reasoning_details: [{ ...detail, text: 'It ' }] },
    { reasoning: 'purrs.', reasoning_details: [{ ...detail, text: 'purrs.' }] },
    { reasoning_details: [{ ...detail, signature: 'c2ln' }] },
    { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{"at":"cat"}' } }] },
  ]
  const payloads = [
    ...deltas.map((delta) => ({ id: 'r1', choices: [{ index: 0, delta, finish_reason: null }] })),
    { id: 'r1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ]
  const stream = payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('')
  const message = await readProvider(stream, { provider: openaiChat }).message()
  const request = appendResponse<ModelRequest>({ messages: [hello] }, message)
  expect(request.messages[1]!.provider).toBe('openai-chat')
  expect((write(request).body.messages as unknown[])[1]).toEqual({
    role: 'assistant',
    content: null,
    reasoning_details: [{ ...detail, text: 'It purrs.', signature: 'c2ln' }],
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"cat"}' } }],
  })
})

test('what a server attached to its response goes back: speech by its id, images, what it read in files', () => {
  const request = appendResponse(
    { messages: [hello] },
    {
      finish: { type: 'finish', reason: 'stop', metadata: { 'openai-chat': { id: 'r1' } } },
      parts: [
        { type: 'custom', kind: 'audio', value: { id: 'audio_1', data: 'UklG' } },
        { type: 'custom', kind: 'audio', value: { data: 'Rg==', expires_at: 7 } },
        { type: 'custom', kind: 'images', value: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
        { type: 'custom', kind: 'logprobs', value: {} },
      ],
    },
  )
  expect((write(request).body.messages as unknown[])[1]).toEqual({
    role: 'assistant',
    content: null,
    audio: { id: 'audio_1' },
    images: [{ type: 'image_url', image_url: { url: 'data:,' } }],
  })
  expect(codes(request)).toEqual(['part-left-out'])
})

test.each([
  [{}, "'messages' must be a list."],
  [{ messages: ['Hello'] }, "'messages[0]' must be an object."],
  [
    { messages: [{ role: 'bot', content: '' }] },
    '\'role\' of a message is system, developer, user, assistant or tool, not "bot".',
  ],
])('%j is refused with a sentence', (body, message) => {
  expect(() => read(body)).toThrow(message)
})
