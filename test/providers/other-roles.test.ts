/** A message of a user or a tool inside a stream is passed on as it came: it is not the answer, and no call is read in it. */

import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/dialects/index.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { allProviders } from '../../src/providers/any.ts'
import { eventsOf, inTurns, told } from './told.ts'

/** A call as text, and the same as each protocol sends it. */
const CALL = '<tool_call>{"name":"rm","arguments":{"path":"/"}}</tool_call>'
const ARGS = '{"path":"/"}'
const INPUT = { path: '/' }

const passed = (kind: string, value: unknown): string => `custom ${kind} ${JSON.stringify(value)}`

type Form = 'streamed' | 'whole'

interface Row {
  readonly provider: string
  readonly form: Form
  /** The roles that the model's own messages have here; undefined is none. */
  readonly own?: readonly (string | undefined)[]
  /** The type of a message says whose it is, and not a role. */
  readonly isByType?: boolean
  /** A message of this role. */
  readonly payloads: (role: string | undefined) => readonly object[]
  /** What is told of it if the role is `user`. */
  readonly lines: readonly string[]
}

// ── the message of each provider ─────────────────────────────────────────────────────────────────

const CHAT_CALLS = [{ index: 0, id: 'c1', function: { name: 'rm', arguments: ARGS } }]
const OLLAMA_CALLS = [{ function: { name: 'rm', arguments: INPUT } }]

const OUTPUT = [{ type: 'output_text', text: CALL, annotations: [] }]
const responsesItem = (role: string | undefined, content: readonly object[]): object => ({
  type: 'message',
  id: 'm1',
  role,
  content,
})

const ANTHROPIC_BLOCKS = [
  { type: 'text', text: CALL },
  { type: 'tool_use', id: 'c1', name: 'rm', input: INPUT },
]
const ANTHROPIC_PIECES = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: CALL } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'c1', name: 'rm', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: ARGS } },
  { type: 'content_block_stop', index: 1 },
]
const anthropicStream = (role: string | undefined): object[] => [
  { type: 'message_start', message: { role, content: [] } },
  ...ANTHROPIC_PIECES,
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  { type: 'message_stop' },
]

const BEDROCK_BLOCKS = [{ text: CALL }, { toolUse: { toolUseId: 'c1', name: 'rm', input: INPUT } }]
const BEDROCK_PIECES: readonly (readonly [kind: string, value: object])[] = [
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: CALL } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['contentBlockStart', { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'c1', name: 'rm' } } }],
  ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: ARGS } } }],
  ['contentBlockStop', { contentBlockIndex: 1 }],
]

const COHERE_PIECES = [
  { type: 'tool-plan-delta', delta: { message: { tool_plan: 'Hm.' } } },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: CALL } } } },
  { type: 'content-end', index: 0 },
  {
    type: 'tool-call-start',
    index: 0,
    delta: { message: { tool_calls: { id: 'c1', function: { name: 'rm', arguments: ARGS } } } },
  },
  { type: 'tool-call-end', index: 0 },
]

const GEMINI_PARTS = [{ text: CALL }, { functionCall: { name: 'rm', args: INPUT } }]

const INTERACTION_CALL = { type: 'function_call', id: 'c1', name: 'rm', arguments: INPUT }
const INTERACTION_TEXT = { type: 'text', text: CALL }

const UI_PARTS = [
  { type: 'text', text: CALL },
  { type: 'tool-rm', toolCallId: 'c1', state: 'input-available', input: INPUT },
]
const SDK_CONTENT = [
  { type: 'text', text: CALL },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'rm', input: INPUT },
]

const humanOr = (role: string | undefined): string => (role === 'user' ? 'Human' : 'AI')
const CHUNK = { content: CALL, additional_kwargs: {}, response_metadata: { finish_reason: 'stop' } }
const LANGCHAIN = { ...CHUNK, tool_calls: [{ name: 'rm', args: INPUT, id: 'c1' }] }

const ROWS: readonly Row[] = [
  {
    provider: 'openai-chat',
    form: 'streamed',
    payloads: (role) => [
      { choices: [{ index: 0, delta: { role, content: CALL } }] },
      { choices: [{ index: 0, delta: { tool_calls: CHAT_CALLS } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
    lines: [
      passed('user', { role: 'user', content: CALL }),
      passed('message', { tool_calls: CHAT_CALLS }),
      'finish stop (stop)',
    ],
  },
  {
    provider: 'openai-chat',
    form: 'whole',
    payloads: (role) => [
      {
        choices: [
          { index: 0, message: { role, content: CALL, tool_calls: CHAT_CALLS }, finish_reason: 'stop' },
        ],
      },
    ],
    lines: [passed('user', { role: 'user', content: CALL, tool_calls: CHAT_CALLS }), 'finish stop (stop)'],
  },
  {
    provider: 'ollama',
    form: 'streamed',
    payloads: (role) => [
      { model: 'm', message: { role, content: CALL }, done: false },
      { model: 'm', message: { role, content: '', tool_calls: OLLAMA_CALLS }, done: false },
      { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    ],
    lines: [
      passed('user', { role: 'user', content: CALL }),
      passed('user', { role: 'user', content: '', tool_calls: OLLAMA_CALLS }),
      'finish stop (stop)',
    ],
  },
  {
    provider: 'ollama',
    form: 'whole',
    payloads: (role) => [
      {
        model: 'm',
        message: { role, content: CALL, tool_calls: OLLAMA_CALLS },
        done: true,
        done_reason: 'stop',
      },
    ],
    lines: [passed('user', { role: 'user', content: CALL, tool_calls: OLLAMA_CALLS }), 'finish stop (stop)'],
  },
  {
    provider: 'openai-responses',
    form: 'streamed',
    payloads: (role) => [
      { type: 'response.output_item.added', output_index: 0, item: responsesItem(role, []) },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: CALL },
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: CALL },
      { type: 'response.output_item.done', output_index: 0, item: responsesItem(role, OUTPUT) },
      {
        type: 'response.completed',
        response: { status: 'completed', output: [responsesItem(role, OUTPUT)] },
      },
    ],
    lines: [
      passed('output_text.delta', {
        type: 'response.output_text.delta',
        output_index: 0,
        content_index: 0,
        delta: CALL,
      }),
      passed('user', { type: 'message', id: 'm1', role: 'user', content: OUTPUT }),
      'finish stop (completed)',
    ],
  },
  {
    provider: 'openai-responses',
    form: 'whole',
    payloads: (role) => [{ object: 'response', status: 'completed', output: [responsesItem(role, OUTPUT)] }],
    lines: [
      passed('user', { type: 'message', id: 'm1', role: 'user', content: OUTPUT }),
      'finish stop (completed)',
    ],
  },
  {
    provider: 'anthropic',
    form: 'streamed',
    payloads: anthropicStream,
    lines: [
      passed('user', { role: 'user', content: [] }),
      ...ANTHROPIC_PIECES.map((piece) => passed(piece.type, piece)),
      'finish stop (tool_use)',
    ],
  },
  {
    provider: 'anthropic',
    form: 'whole',
    payloads: (role) => [{ type: 'message', role, content: ANTHROPIC_BLOCKS, stop_reason: 'tool_use' }],
    lines: [
      passed('user', {
        type: 'message',
        role: 'user',
        content: ANTHROPIC_BLOCKS,
        stop_reason: 'tool_use',
      }),
      'finish stop (tool_use)',
    ],
  },
  {
    provider: 'claude-code',
    form: 'streamed',
    payloads: (role) => [
      ...anthropicStream(role).map((event) => ({ type: 'stream_event', event })),
      { type: 'result', subtype: 'success', result: '', stop_reason: 'end_turn' },
    ],
    lines: [
      passed('user', { role: 'user', content: [] }),
      ...ANTHROPIC_PIECES.map((piece) => passed(piece.type, piece)),
      'finish stop (end_turn)',
    ],
  },
  {
    provider: 'claude-code',
    form: 'whole',
    payloads: (role) => [
      { type: 'assistant', message: { role, content: ANTHROPIC_BLOCKS } },
      { type: 'result', subtype: 'success', result: '', stop_reason: 'end_turn' },
    ],
    lines: [
      passed('user', { role: 'user', content: ANTHROPIC_BLOCKS, type: 'message' }),
      'finish stop (end_turn)',
    ],
  },
  {
    provider: 'bedrock',
    form: 'streamed',
    payloads: (role) => [
      { messageStart: { role } },
      ...BEDROCK_PIECES.map(([kind, value]) => ({ [kind]: value })),
      { messageStop: { stopReason: 'tool_use' } },
    ],
    lines: [
      passed('user', { role: 'user' }),
      ...BEDROCK_PIECES.map(([kind, value]) => passed(kind, value)),
      'finish stop (tool_use)',
    ],
  },
  {
    provider: 'bedrock',
    form: 'whole',
    payloads: (role) => [{ output: { message: { role, content: BEDROCK_BLOCKS } }, stopReason: 'tool_use' }],
    lines: [passed('user', { role: 'user', content: BEDROCK_BLOCKS }), 'finish stop (tool_use)'],
  },
  {
    provider: 'cohere',
    form: 'streamed',
    payloads: (role) => [
      { type: 'message-start', id: 'm', delta: { message: { role, content: [] } } },
      ...COHERE_PIECES,
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
    lines: [
      passed('user', { role: 'user', content: [] }),
      ...COHERE_PIECES.map((piece) => passed(piece.type, piece)),
      'finish stop (TOOL_CALL)',
    ],
  },
  {
    provider: 'cohere',
    form: 'whole',
    payloads: (role) => [
      {
        id: 'm',
        message: { role, content: [{ type: 'text', text: CALL }], tool_calls: CHAT_CALLS },
        finish_reason: 'TOOL_CALL',
      },
    ],
    lines: [
      passed('user', { role: 'user', content: [{ type: 'text', text: CALL }], tool_calls: CHAT_CALLS }),
      'finish stop (TOOL_CALL)',
    ],
  },
  {
    provider: 'gemini',
    form: 'streamed',
    payloads: (role) => [
      ...GEMINI_PARTS.map((part) => ({ candidates: [{ content: { role, parts: [part] } }] })),
      { candidates: [{ finishReason: 'STOP' }] },
    ],
    lines: [
      ...GEMINI_PARTS.map((part) => passed('user', { role: 'user', parts: [part] })),
      'finish stop (STOP)',
    ],
  },
  {
    provider: 'gemini',
    form: 'whole',
    payloads: (role) => [{ candidates: [{ content: { role, parts: GEMINI_PARTS }, finishReason: 'STOP' }] }],
    lines: [passed('user', { role: 'user', parts: GEMINI_PARTS }), 'finish stop (STOP)'],
  },
  {
    provider: 'gemini interactions',
    form: 'streamed',
    isByType: true,
    payloads: (role) => [
      {
        event_type: 'step.start',
        index: 0,
        step: { type: role === 'user' ? 'user_input' : 'model_output' },
      },
      { event_type: 'step.delta', index: 0, delta: INTERACTION_TEXT },
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } },
    ],
    lines: [
      passed('user_input', { type: 'user_input' }),
      passed('text', INTERACTION_TEXT),
      'finish stop (completed)',
    ],
  },
  {
    provider: 'gemini interactions',
    form: 'streamed',
    payloads: (role) => [
      { event_type: 'step.start', index: 0, step: { ...INTERACTION_CALL, role } },
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } },
    ],
    lines: [passed('user_input', { ...INTERACTION_CALL, role: 'user' }), 'finish stop (completed)'],
  },
  {
    provider: 'gemini interactions',
    form: 'streamed',
    payloads: (role) => [
      { event_type: 'interaction.created', interaction: { id: 'i', role, status: 'in_progress' } },
      { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
      { event_type: 'step.delta', index: 0, delta: INTERACTION_TEXT },
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } },
    ],
    lines: [
      passed('user_input', { type: 'model_output' }),
      passed('text', INTERACTION_TEXT),
      'finish stop (completed)',
    ],
  },
  {
    provider: 'gemini interactions',
    form: 'whole',
    payloads: (role) => [
      { object: 'interaction', role, status: 'completed', steps: [INTERACTION_TEXT, INTERACTION_CALL] },
    ],
    lines: [
      passed('user_input', INTERACTION_TEXT),
      passed('user_input', INTERACTION_CALL),
      'finish stop (completed)',
    ],
  },
  {
    provider: 'ai-sdk-ui',
    form: 'whole',
    own: ['assistant'],
    payloads: (role) => [
      { id: 'm', role, parts: UI_PARTS },
      { type: 'finish', finishReason: 'stop' },
    ],
    lines: [passed('user', { id: 'm', role: 'user', parts: UI_PARTS }), 'finish stop (stop)'],
  },
  {
    provider: 'ai-sdk',
    form: 'whole',
    payloads: (role) => [{ role, content: SDK_CONTENT, finishReason: 'stop' }],
    lines: [
      passed('user', { role: 'user', content: SDK_CONTENT, finishReason: 'stop' }),
      'finish stop (stop)',
    ],
  },
  {
    provider: 'ag-ui',
    form: 'streamed',
    own: [undefined, 'assistant'],
    payloads: (role) => [
      { type: 'RUN_STARTED', runId: 'r' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: CALL },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      { type: 'RUN_FINISHED', runId: 'r' },
    ],
    lines: [
      passed('TEXT_MESSAGE_START', { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'user' }),
      passed('TEXT_MESSAGE_CONTENT', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: CALL }),
      passed('TEXT_MESSAGE_END', { type: 'TEXT_MESSAGE_END', messageId: 'm' }),
      'finish stop',
    ],
  },
  {
    provider: 'langchain',
    form: 'streamed',
    isByType: true,
    payloads: (role) => [{ type: `${humanOr(role)}MessageChunk`, ...CHUNK }],
    lines: [
      passed('human', { type: 'HumanMessageChunk', ...CHUNK }),
      'diagnostic truncated-stream',
      'finish error',
    ],
  },
  {
    provider: 'langchain',
    form: 'whole',
    isByType: true,
    payloads: (role) => [{ type: `${humanOr(role)}Message`, ...LANGCHAIN }],
    lines: [
      passed('human', { type: 'HumanMessage', ...LANGCHAIN }),
      'diagnostic truncated-stream',
      'finish error',
    ],
  },
  {
    provider: 'codex',
    form: 'streamed',
    isByType: true,
    payloads: (role) => [
      {
        type: 'item.completed',
        item: { id: 'i', type: role === 'user' ? 'user_message' : 'agent_message', text: CALL },
      },
      { type: 'turn.completed', usage: {} },
    ],
    lines: [passed('user_message', { id: 'i', type: 'user_message', text: CALL }), 'finish stop'],
  },
]

/** The first word is the provider's name; what follows tells apart what it reads. */
const nameOf = ({ provider }: Row): string => provider.split(' ')[0]!

const OTHERS = ['tool', 'function', 'system', 'developer', 'User']

/** As it comes over the network, where a field that is undefined is not there. */
const sent = (payloads: readonly object[]): object[] => JSON.parse(JSON.stringify(payloads))

test('every provider is here, streamed and whole as far as its messages have a role', () => {
  const forms = allProviders.map(({ name }) => [
    name,
    [...new Set(ROWS.filter((row) => nameOf(row) === name).map(({ form }) => form))].join(' '),
  ])
  expect(Object.fromEntries(forms)).toEqual({
    'ag-ui': 'streamed',
    // The parts of a stream name no role.
    'ai-sdk': 'whole',
    'ai-sdk-ui': 'whole',
    anthropic: 'streamed whole',
    bedrock: 'streamed whole',
    'claude-code': 'streamed whole',
    codex: 'streamed',
    cohere: 'streamed whole',
    gemini: 'streamed whole',
    langchain: 'streamed whole',
    ollama: 'streamed whole',
    'openai-chat': 'streamed whole',
    'openai-responses': 'streamed whole',
  })
})

describe.each(ROWS)('$provider, $form', (row) => {
  const { payloads, lines, own = [undefined, 'assistant', 'model'], isByType = false } = row
  const options = { provider: nameOf(row), dialect: hermes }

  test('a message of a user is passed on as it came', () => {
    expect(told(eventsOf(sent(payloads('user')), options))).toEqual(lines)
  })

  test('so it is if the response goes on from a snapshot after each payload', () => {
    expect(told(inTurns(sent(payloads('user')), options))).toEqual(lines)
  })

  test.each(isByType ? [] : OTHERS)('no call is read in a message of %s', (role) => {
    const calls = eventsOf(sent(payloads(role)), options).filter(({ type }) => type === 'tool-call')
    expect(calls).toEqual([])
  })

  test.each(own)('the calls of the model run, whose role is %s', (role) => {
    const calls = eventsOf(sent(payloads(role)), options).flatMap((event) =>
      event.type === 'tool-call' && isExecutable(event) ? [event.toolName] : [],
    )
    expect(new Set(calls)).toEqual(new Set(['rm']))
  })
})

// ── before and behind a message of the model ─────────────────────────────────────────────────────

const chat = (delta: object): object => ({ choices: [{ index: 0, delta }] })
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const line = (message: object): object => ({ model: 'm', message, done: false })
const done = { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }
const added = (output_index: number, item: object): object => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const finished = (output_index: number, item: object): object => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const block = (text: string): object[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
  { type: 'content_block_stop', index: 0 },
]

test.each<[what: string, provider: string, payloads: readonly object[], lines: readonly string[]]>([
  [
    'a tool in Chat Completions, whose role comes once',
    'openai-chat',
    [
      chat({ role: 'tool', tool_call_id: 'c0', content: CALL.slice(0, 20) }),
      chat({ content: CALL.slice(20) }),
      chat({ role: 'assistant', content: 'It says so.' }),
      stop,
    ],
    [
      `custom tool {"role":"tool","tool_call_id":"c0","content":${JSON.stringify(CALL.slice(0, 20))}}`,
      `custom message {"content":${JSON.stringify(CALL.slice(20))}}`,
      'text It says so.',
      'finish stop (stop)',
    ],
  ],
  [
    'a user in Chat Completions',
    'openai-chat',
    [chat({ role: 'user', content: CALL }), chat({ role: 'assistant', content: 'No.' }), stop],
    [`custom user {"role":"user","content":${JSON.stringify(CALL)}}`, 'text No.', 'finish stop (stop)'],
  ],
  [
    'a tool in Ollama',
    'ollama',
    [line({ role: 'tool', content: CALL }), line({ role: 'assistant', content: 'Hm.' }), done],
    [`custom tool {"role":"tool","content":${JSON.stringify(CALL)}}`, 'text Hm.', 'finish stop (stop)'],
  ],
  [
    'a user in Responses, whose role comes when the message is done',
    'openai-responses',
    [
      added(0, { type: 'message', id: 'm1' }),
      finished(0, responsesItem('user', OUTPUT)),
      added(1, { type: 'message', id: 'm2', role: 'assistant' }),
      finished(1, { type: 'message', id: 'm2', content: [{ type: 'output_text', text: 'No.' }] }),
      { type: 'response.completed', response: { status: 'completed' } },
    ],
    [
      passed('user', { type: 'message', id: 'm1', role: 'user', content: OUTPUT }),
      'text No. {"openai-responses":{"itemId":"m2"}}',
      'finish stop (completed)',
    ],
  ],
  [
    'a user in Responses, only in the whole output at the end',
    'openai-responses',
    [
      added(0, { type: 'message', id: 'm2', role: 'assistant' }),
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'No.' },
      {
        type: 'response.completed',
        response: {
          status: 'completed',
          output: [
            responsesItem('user', OUTPUT),
            { type: 'message', id: 'm2', role: 'assistant', content: [{ type: 'output_text', text: 'No.' }] },
          ],
        },
      },
    ],
    [
      'text No. {"openai-responses":{"itemId":"m2"}}',
      passed('user', { type: 'message', id: 'm1', role: 'user', content: OUTPUT }),
      'finish stop (completed)',
    ],
  ],
  [
    'a user in Anthropic Messages, between two messages of the model',
    'anthropic',
    [
      { type: 'message_start', message: { role: 'assistant' } },
      ...block('Hm.'),
      { type: 'message_start', message: { role: 'user', content: ANTHROPIC_BLOCKS } },
      ...block(CALL),
      { type: 'message_start', message: {} },
      ...block('No.'),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ],
    [
      'text Hm.',
      passed('user', { role: 'user', content: ANTHROPIC_BLOCKS }),
      ...block(CALL).map((piece, at) => passed(`content_block_${at === 0 ? 'start' : 'stop'}`, piece)),
      'text No.',
      'finish stop (end_turn)',
    ],
  ],
  [
    'a user in Gemini',
    'gemini',
    [
      { candidates: [{ content: { role: 'user', parts: GEMINI_PARTS } }] },
      { candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP' }] },
    ],
    [passed('user', { role: 'user', parts: GEMINI_PARTS }), 'text No.', 'finish stop (STOP)'],
  ],
])('%s', (_, provider, payloads, lines) => {
  expect(told(eventsOf(payloads, { provider, dialect: hermes }))).toEqual(lines)
})
