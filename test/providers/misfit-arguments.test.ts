/** Arguments that are no object are not left out: a call with them does not run, least of all with none. */

import { describe, expect, test } from 'vitest'
import { eventsOf } from './told.ts'

const anthropicCall = (input: unknown, ...deltas: object[]): object[] => [
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'c', name: 'wipe', input },
  },
  ...deltas,
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
]

/** How a provider sends a call with these arguments, and stops. */
const CALLS: readonly [what: string, provider: string, payloads: (args: unknown) => readonly object[]][] = [
  [
    'openai-chat',
    'openai-chat',
    (args) => [
      {
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'wipe', arguments: args } }] },
            finish_reason: 'tool_calls',
          },
        ],
      },
    ],
  ],
  [
    'a whole response of openai-chat',
    'openai-chat',
    (args) => [
      {
        object: 'chat.completion',
        choices: [
          {
            message: { tool_calls: [{ id: 'c', function: { name: 'wipe', arguments: args } }] },
            finish_reason: 'tool_calls',
          },
        ],
      },
    ],
  ],
  [
    'openai-responses',
    'openai-responses',
    (args) => [
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'function_call', call_id: 'c', name: 'wipe', arguments: args },
      },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
  ],
  [
    'a shell of openai-responses',
    'openai-responses',
    (args) => [
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'local_shell_call', call_id: 'c', action: args },
      },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
  ],
  ['anthropic', 'anthropic', (args) => anthropicCall(args)],
  [
    'a delta of anthropic',
    'anthropic',
    (args) =>
      anthropicCall(
        {},
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: args },
        },
      ),
  ],
  [
    'gemini',
    'gemini',
    (args) => [
      {
        candidates: [
          { content: { parts: [{ functionCall: { name: 'wipe', args } }] }, finishReason: 'STOP' },
        ],
      },
    ],
  ],
  [
    'interactions of gemini',
    'gemini',
    (args) => [
      {
        event_type: 'step.start',
        index: 0,
        step: { type: 'function_call', id: 'c', name: 'wipe', arguments: args },
      },
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.completed', interaction: { status: 'requires_action' } },
    ],
  ],
  [
    'ollama',
    'ollama',
    (args) => [{ message: { tool_calls: [{ function: { name: 'wipe', arguments: args } }] }, done: true }],
  ],
  [
    'bedrock',
    'bedrock',
    (args) => [
      { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'c', name: 'wipe' } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: args } } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'tool_use' } },
    ],
  ],
  [
    'cohere',
    'cohere',
    (args) => [
      {
        type: 'tool-call-start',
        index: 0,
        delta: { message: { tool_calls: { id: 'c', function: { name: 'wipe', arguments: args } } } },
      },
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
  ],
  [
    'langchain',
    'langchain',
    (args) => [
      {
        type: 'ai',
        content: '',
        additional_kwargs: {},
        response_metadata: { finish_reason: 'tool_calls' },
        tool_calls: [{ id: 'c', name: 'wipe', args }],
      },
    ],
  ],
  [
    'ag-ui',
    'ag-ui',
    (args) => [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r', input: { tools: [{ name: 'wipe' }] } },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'wipe' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: args },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'RUN_FINISHED' },
    ],
  ],
  [
    'ai-sdk',
    'ai-sdk',
    (input) => [
      { type: 'tool-call', toolCallId: 'c', toolName: 'wipe', input },
      { type: 'finish', finishReason: 'tool-calls' },
    ],
  ],
  [
    'ai-sdk-ui',
    'ai-sdk-ui',
    (input) => [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'wipe', input },
      { type: 'finish', finishReason: 'tool-calls' },
    ],
  ],
]

describe.each(CALLS)('%s', (_, provider, payloads) => {
  test.each([[7], [true], [[]], [['/tmp']], ['7'], ['["/tmp"]']])('%j', (args) => {
    const calls = eventsOf(payloads(args), { provider }).filter((event) => event.type === 'tool-call')
    expect(calls.map(({ status }) => status)).toEqual(['invalid'])
  })

  test('an object runs', () => {
    const isText = /^(openai-responses|a delta|bedrock|cohere|ag-ui)/.test(_)
    const args = isText ? '{"path":"a"}' : { path: 'a' }
    const calls = eventsOf(payloads(args), { provider }).filter((event) => event.type === 'tool-call')
    expect(calls.map(({ status, input }) => [status, input])).toEqual([['complete', { path: 'a' }]])
  })
})
