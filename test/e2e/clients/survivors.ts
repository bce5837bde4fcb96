/** Streams of every provider, with all that it can send: what of it arrives at the clients of another format. */

import type { SluiceEvent } from '../../../src/base/event.ts'

/** Each is a string that stands nowhere else. */
const MARKS = {
  text: ['Hello there.'],
  reasoning: ['Let me think.'],
  signature: ['c2lnbmVk'],
  call: ['Paris'],
  result: ['eleven degrees'],
  citation: ['https://cited.example'],
  usage: ['8117', '4313'],
} as const

export type Mark = keyof typeof MARKS
const ALL = Object.keys(MARKS) as Mark[]

/** The marks that a value holds, in whatever place. */
export function marksIn(value: unknown): Mark[] {
  const json = JSON.stringify(value)
  return ALL.filter((mark) => MARKS[mark].every((text) => json.includes(text)))
}

/** The same of events, whose deltas are pieces. */
export function marksOf(events: readonly SluiceEvent[]): Mark[] {
  const joined = events.map((event) => ('delta' in event ? event.delta : '')).join('')
  return marksIn([joined, events])
}

// ── the streams ──────────────────────────────────────────────────────────────────────────────────

const chat = (delta: object, more: object = {}): object => ({ choices: [{ index: 0, delta, ...more }] })
const response = (type: string, fields: object): object => ({ type: `response.${type}`, ...fields })
const item = (output_index: number, fields: object): object[] => [
  response('output_item.added', { output_index, item: { ...fields, status: 'in_progress' } }),
  response('output_item.done', { output_index, item: fields }),
]
const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const parts = (...list: object[]): object => ({ candidates: [{ content: { parts: list }, index: 0 }] })
const step = (index: number, fields: object): object[] => [
  { event_type: 'step.start', index, step: fields },
  { event_type: 'step.stop', index },
]
const converse = (contentBlockIndex: number, delta: object): object => ({
  contentBlockDelta: { contentBlockIndex, delta },
})
const cohereEvent = (type: string, message: object, index = 0): object => ({
  type,
  index,
  delta: { message },
})

const agentCall = (toolCallId: string, toolCallName: string, delta: string): object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta },
  { type: 'TOOL_CALL_END', toolCallId },
]
const spoken = (content_block: object): object => ({
  type: 'assistant',
  session_id: 's',
  parent_tool_use_id: null,
  message: { id: 'm', type: 'message', role: 'assistant', content: [content_block] },
})
const messageChunk = (fields: object): object => ({
  type: 'AIMessageChunk',
  id: 'run',
  content: '',
  additional_kwargs: {},
  response_metadata: {},
  tool_call_chunks: [],
  ...fields,
})

const CALL = '{"city":"Paris"}'

export const STREAMS: Readonly<Record<string, readonly object[]>> = {
  'openai-chat': [
    chat({ reasoning: 'Let me ', reasoning_details: [detail({ text: 'Let me ' })] }),
    chat({ reasoning: 'think.', reasoning_details: [detail({ text: 'think.' })] }),
    chat({ reasoning_details: [detail({ signature: 'c2lnbmVk' })] }),
    { ...chat({ content: 'Hello ' }), citations: ['https://cited.example'] },
    chat({ content: 'there.' }),
    chat({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'get_weather', arguments: CALL } }] }),
    chat({}, { finish_reason: 'tool_calls' }),
    { choices: [], usage: { prompt_tokens: 8117, completion_tokens: 4313 } },
  ],
  'openai-responses': [
    ...item(0, {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Let me think.' }],
      encrypted_content: 'c2lnbmVk',
    }),
    ...item(1, {
      type: 'mcp_call',
      id: 'mcp_1',
      name: 'ask',
      server_label: 'weather',
      arguments: '{}',
      output: 'eleven degrees',
    }),
    response('output_item.added', { output_index: 2, item: { type: 'message', id: 'msg_1', content: [] } }),
    response('output_text.delta', { output_index: 2, content_index: 0, delta: 'Hello there.' }),
    response('output_text.annotation.added', {
      output_index: 2,
      content_index: 0,
      annotation: {
        type: 'url_citation',
        url: 'https://cited.example',
        title: 't',
        start_index: 0,
        end_index: 5,
      },
    }),
    response('output_item.done', { output_index: 2, item: { type: 'message', id: 'msg_1', content: [] } }),
    ...item(3, {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'get_weather',
      arguments: CALL,
    }),
    response('completed', {
      response: { status: 'completed', usage: { input_tokens: 8117, output_tokens: 4313 } },
    }),
  ],
  anthropic: [
    { type: 'message_start', message: { usage: { input_tokens: 8117, output_tokens: 1 } } },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Let me ' },
      { type: 'thinking_delta', thinking: 'think.' },
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ),
    ...block(1, { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'weather', input: {} }),
    ...block(2, {
      type: 'mcp_tool_result',
      tool_use_id: 'mcptoolu_1',
      is_error: false,
      content: [{ type: 'text', text: 'eleven degrees' }],
    }),
    ...block(
      3,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'Hello there.' },
      {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          url: 'https://cited.example',
          title: 't',
          encrypted_index: 'e',
          cited_text: 'c',
        },
      },
    ),
    ...block(
      4,
      { type: 'tool_use', id: 'call_1', name: 'get_weather', input: {} },
      { type: 'input_json_delta', partial_json: CALL },
    ),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4313 } },
    { type: 'message_stop' },
  ],
  gemini: [
    parts({ text: 'Let me ', thought: true }),
    parts({ text: 'think.', thought: true }),
    parts({ executableCode: { language: 'PYTHON', code: '1' } }),
    parts({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'eleven degrees' } }),
    parts({ text: 'Hello there.' }),
    parts({
      functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Paris' } },
      thoughtSignature: 'c2lnbmVk',
    }),
    {
      candidates: [
        {
          finishReason: 'STOP',
          groundingMetadata: { groundingChunks: [{ web: { uri: 'https://cited.example' } }] },
        },
      ],
      usageMetadata: { promptTokenCount: 8117, candidatesTokenCount: 4313 },
    },
  ],
  'gemini interactions': [
    ...step(0, {
      type: 'thought',
      summary: [{ type: 'text', text: 'Let me think.' }],
      signature: 'c2lnbmVk',
    }),
    ...step(1, { type: 'google_search_call', id: 'g1', arguments: { queries: ['x'] } }),
    ...step(2, { type: 'google_search_result', call_id: 'g1', result: [{ snippet: 'eleven degrees' }] }),
    { event_type: 'step.start', index: 3, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 3, delta: { type: 'text', text: 'Hello there.' } },
    {
      event_type: 'step.delta',
      index: 3,
      delta: { type: 'text_annotation_delta', annotations: [{ url: 'https://cited.example' }] },
    },
    { event_type: 'step.stop', index: 3 },
    ...step(4, { type: 'function_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } }),
    {
      event_type: 'interaction.completed',
      interaction: {
        status: 'requires_action',
        usage: { total_input_tokens: 8117, total_output_tokens: 4313 },
      },
    },
  ],
  ollama: [
    { message: { role: 'assistant', content: '', thinking: 'Let me ' }, done: false },
    { message: { role: 'assistant', content: '', thinking: 'think.' }, done: false },
    { message: { role: 'assistant', content: 'Hello there.' }, done: false },
    {
      message: {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'get_weather', arguments: { city: 'Paris' } } }],
      },
      done: false,
    },
    { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 8117, eval_count: 4313 },
  ],
  bedrock: [
    converse(0, { reasoningContent: { text: 'Let me ' } }),
    converse(0, { reasoningContent: { text: 'think.' } }),
    converse(0, { reasoningContent: { signature: 'c2lnbmVk' } }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    converse(1, { text: 'Hello there.' }),
    converse(1, { citation: { location: { web: { url: 'https://cited.example' } } } }),
    { contentBlockStop: { contentBlockIndex: 1 } },
    {
      contentBlockStart: {
        contentBlockIndex: 2,
        start: { toolUse: { toolUseId: 'call_1', name: 'get_weather' } },
      },
    },
    converse(2, { toolUse: { input: CALL } }),
    { contentBlockStop: { contentBlockIndex: 2 } },
    { messageStop: { stopReason: 'tool_use' } },
    { metadata: { usage: { inputTokens: 8117, outputTokens: 4313 } } },
  ],
  cohere: [
    cohereEvent('tool-plan-delta', { tool_plan: 'Let me ' }),
    cohereEvent('tool-plan-delta', { tool_plan: 'think.' }),
    cohereEvent('content-delta', { content: { text: 'Hello there.' } }),
    cohereEvent('citation-start', { citations: { sources: [{ id: 'https://cited.example' }] } }),
    cohereEvent('content-end', {}),
    cohereEvent('tool-call-start', {
      tool_calls: { id: 'call_1', function: { name: 'get_weather', arguments: '' } },
    }),
    cohereEvent('tool-call-delta', { tool_calls: { function: { arguments: CALL } } }),
    { type: 'tool-call-end', index: 0 },
    {
      type: 'message-end',
      delta: { finish_reason: 'TOOL_CALL', usage: { tokens: { input_tokens: 8117, output_tokens: 4313 } } },
    },
  ],
  'ag-ui': [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'REASONING_START', messageId: 'rs' },
    { type: 'REASONING_MESSAGE_START', messageId: 'rs', role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'rs', delta: 'Let me think.' },
    { type: 'REASONING_MESSAGE_END', messageId: 'rs' },
    {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId: 'rs',
      encryptedValue: 'c2lnbmVk',
    },
    { type: 'REASONING_END', messageId: 'rs' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hello there.' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    { type: 'CUSTOM', name: 'citation', value: { url: 'https://cited.example', title: 't' } },
    ...agentCall('s', 'ask', '{}'),
    { type: 'TOOL_CALL_RESULT', messageId: 'a', toolCallId: 's', content: 'eleven degrees' },
    ...agentCall('call_1', 'get_weather', CALL),
    {
      type: 'RUN_FINISHED',
      threadId: 't',
      runId: 'r',
      outcome: { type: 'success', pendingToolCallIds: ['call_1'] },
      usage: [{ inputTokens: 8117, outputTokens: 4313 }],
    },
  ],
  'claude-code': [
    { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] },
    spoken({ type: 'thinking', thinking: 'Let me think.', signature: 'c2lnbmVk' }),
    spoken({
      type: 'text',
      text: 'Hello there.',
      citations: [
        {
          type: 'web_search_result_location',
          url: 'https://cited.example',
          title: 't',
          encrypted_index: 'e',
          cited_text: 'c',
        },
      ],
    }),
    spoken({ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } }),
    {
      type: 'user',
      session_id: 's',
      parent_tool_use_id: null,
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'eleven degrees' }],
      },
    },
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      session_id: 's',
      result: 'Hello there.',
      stop_reason: 'end_turn',
      usage: { input_tokens: 8117, output_tokens: 4313 },
    },
  ],
  codex: [
    { type: 'thread.started', thread_id: 't' },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'Let me think.' } },
    { type: 'item.completed', item: { id: 'i1', type: 'agent_message', text: 'Hello there.' } },
    {
      type: 'item.completed',
      item: {
        id: 'call_1',
        type: 'mcp_tool_call',
        server: 'weather',
        tool: 'get_weather',
        arguments: { city: 'Paris' },
        result: { content: [{ type: 'text', text: 'eleven degrees' }], structured_content: null },
        error: null,
        status: 'completed',
      },
    },
    { type: 'turn.completed', usage: { input_tokens: 8117, output_tokens: 4313 } },
  ],
  langchain: [
    messageChunk({
      content: [{ type: 'thinking', thinking: 'Let me think.', signature: 'c2lnbmVk', index: 0 }],
    }),
    messageChunk({
      content: [
        { type: 'server_tool_call', id: 's', name: 'ask', args: {} },
        { type: 'server_tool_call_result', tool_call_id: 's', status: 'success', output: 'eleven degrees' },
      ],
    }),
    messageChunk({
      content: [
        {
          type: 'text',
          text: 'Hello there.',
          annotations: [{ type: 'citation', url: 'https://cited.example', title: 't' }],
        },
      ],
    }),
    messageChunk({
      tool_call_chunks: [
        { type: 'tool_call_chunk', index: 0, id: 'call_1', name: 'get_weather', args: CALL },
      ],
    }),
    messageChunk({
      response_metadata: { finish_reason: 'tool_calls' },
      usage_metadata: { input_tokens: 8117, output_tokens: 4313 },
    }),
  ],
  'ai-sdk': [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', text: 'Let me think.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'c2lnbmVk' } } },
    { type: 'tool-call', toolCallId: 's', toolName: 'ask', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'ask', output: 'eleven degrees' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', text: 'Hello there.' },
    { type: 'text-end', id: 't' },
    { type: 'source', sourceType: 'url', id: 'u', url: 'https://cited.example' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Paris' } },
    { type: 'finish', finishReason: 'tool-calls', totalUsage: { inputTokens: 8117, outputTokens: 4313 } },
  ],
  'ai-sdk-ui': [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Let me think.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'c2lnbmVk' } } },
    { type: 'tool-input-available', toolCallId: 's', toolName: 'ask', input: {}, providerExecuted: true },
    { type: 'tool-output-available', toolCallId: 's', output: 'eleven degrees' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hello there.' },
    { type: 'text-end', id: 't' },
    { type: 'source-url', sourceId: 'u', url: 'https://cited.example' },
    { type: 'tool-input-available', toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Paris' } },
    { type: 'finish', finishReason: 'tool-calls' },
  ],
}

function detail(fields: object): object {
  return { type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', ...fields }
}
