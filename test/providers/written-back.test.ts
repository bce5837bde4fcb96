/** What must be sent back: a stream that is read, written in its own format and read again says the same. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { foldEvents } from '../../src/engine/message.ts'
import { findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { eventsOf, told } from './told.ts'

function written(format: string, events: readonly SluiceEvent[]): string {
  const writer = createWriter(findWriter(format), { id: 'r1', model: 'm', created: 1_700_000_000 })
  return events.map((event) => writer.add(event)).join('')
}

/** Without what only tells how it was cut, and without figures that are none. */
const lines = (events: readonly SluiceEvent[]): string[] =>
  told(events).map((line) => {
    if (!line.startsWith('finish')) return line.replaceAll('|', '')
    const figures = Object.entries(foldEvents(events).finish.usage ?? {}).filter(([, figure]) => figure !== 0)
    return `${line.split(' ').slice(0, 2).join(' ')} ${JSON.stringify(Object.fromEntries(figures.sort()))}`
  })

const done = (output_index: number, item: object): object => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const completed = (usage?: object): object => ({
  type: 'response.completed',
  response: { status: 'completed', usage },
})
const block = (index: number, content_block: object): object[] => [
  { type: 'content_block_start', index, content_block },
  { type: 'content_block_stop', index },
]
const stopped = (stop_reason: string, more: object = {}): object[] => [
  { type: 'message_delta', delta: { stop_reason }, ...more },
  { type: 'message_stop' },
]
const delta = (fields: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
})

const STREAMS: readonly [what: string, format: string, payloads: readonly object[]][] = [
  [
    'reasoning of several parts, which is one item with one encrypted form',
    'openai-responses',
    [
      done(0, {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ text: 'One.' }, { text: 'Two.' }],
        encrypted_content: 'gAAA',
      }),
      done(1, { type: 'reasoning', id: 'rs_2', summary: [] }),
      done(2, { type: 'reasoning', id: 'rs_3', summary: [], encrypted_content: 'gBBB' }),
      completed(),
    ],
  ],
  [
    'messages of several parts, with phases and annotations',
    'openai-responses',
    [
      done(0, {
        type: 'message',
        id: 'msg_1',
        phase: 'commentary',
        content: [
          { type: 'output_text', text: 'One.' },
          { type: 'output_text', text: 'Two.' },
        ],
      }),
      { type: 'response.output_item.added', output_index: 1, item: { type: 'message', id: 'msg_2' } },
      { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Three.' },
      {
        type: 'response.output_text.annotation.added',
        output_index: 1,
        annotation: { type: 'file_path', file_id: 'a' },
      },
      {
        type: 'response.output_text.annotation.added',
        output_index: 1,
        annotation: { type: 'file_path', file_id: 'b' },
      },
      done(1, { type: 'message', id: 'msg_2', content: [{ type: 'output_text', text: 'Three.' }] }),
      completed({ input_tokens: 3, output_tokens: 4, total_tokens: 7, cost: 0.5 }),
    ],
  ],
  [
    'calls of the application, with their ids, callers and namespaces',
    'openai-responses',
    [
      done(0, {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'a',
        name: 'ls',
        arguments: '{}',
        namespace: 'files',
        caller: { type: 'program', caller_id: 'p' },
      }),
      done(1, { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'patch', input: 'x "y"' }),
      done(2, {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'c',
        actions: [{ type: 'wait' }],
        pending_safety_checks: [{ id: 'sc' }],
      }),
      done(3, { type: 'computer_call', id: 'cu_2', call_id: 'd', action: { type: 'wait' } }),
      done(4, { type: 'local_shell_call', id: 'lsh_1', call_id: 'e', action: { command: ['ls'] } }),
      done(5, { type: 'apply_patch_call', id: 'apc_1', call_id: 'f', operation: { type: 'delete_file' } }),
      done(6, {
        type: 'tool_search_call',
        id: 'ts_1',
        call_id: 'g',
        execution: 'client',
        arguments: { goal: 'x' },
      }),
      completed(),
    ],
  ],
  [
    'tools that the provider ran, with their outputs',
    'openai-responses',
    [
      done(0, { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'x' } }),
      done(1, {
        type: 'code_interpreter_call',
        id: 'ci_1',
        code: '1',
        container_id: 'cntr_1',
        outputs: [{ type: 'logs', logs: '1' }],
      }),
      done(2, {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'roll',
        server_label: 'dice',
        arguments: '{}',
        output: '4',
      }),
      done(3, {
        type: 'mcp_call',
        id: 'mcp_2',
        name: 'roll',
        server_label: 'dice',
        arguments: '{}',
        error: 'no',
      }),
      done(4, {
        type: 'shell_call',
        id: 'sh_1',
        call_id: 's',
        action: { commands: ['ls'] },
        environment: { type: 'container_reference', container_id: 'cntr_1' },
      }),
      done(5, {
        type: 'shell_call_output',
        id: 'sho_1',
        call_id: 's',
        output: [{ stdout: 'a' }],
        max_output_length: 9,
      }),
      done(6, {
        type: 'mcp_approval_request',
        id: 'mcpr_1',
        name: 'roll',
        server_label: 'dice',
        arguments: '{}',
      }),
      done(7, { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'dice', tools: [] }),
      done(8, {
        type: 'tool_search_call',
        id: 'tsc_1',
        call_id: null,
        execution: 'server',
        arguments: { paths: ['crm'] },
      }),
      done(9, {
        type: 'tool_search_output',
        id: 'tso_1',
        call_id: null,
        execution: 'server',
        tools: [{ type: 'function', name: 'ls' }],
      }),
      completed(),
    ],
  ],
  [
    'thinking that is signed or hidden',
    'anthropic',
    [
      ...block(0, { type: 'thinking', thinking: 'One.', signature: 'a' }),
      ...block(1, { type: 'redacted_thinking', data: 'b' }),
      ...block(2, { type: 'thinking', thinking: 'Two.', signature: 'c' }),
      ...stopped('end_turn'),
    ],
  ],
  [
    'tools that the provider ran, callers, a summary and the container',
    'anthropic',
    [
      ...block(0, { type: 'compaction', content: 'Summary' }),
      ...block(1, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } }),
      ...block(2, {
        type: 'web_search_tool_result',
        tool_use_id: 'srv_1',
        content: [{ type: 'web_search_result', url: 'u' }],
      }),
      ...block(3, { type: 'mcp_tool_use', id: 'mcp_1', name: 'roll', server_name: 'dice', input: {} }),
      ...block(4, {
        type: 'mcp_tool_result',
        tool_use_id: 'mcp_1',
        is_error: false,
        content: [{ type: 'text', text: '4' }],
      }),
      ...block(5, {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'ls',
        input: {},
        caller: { type: 'code_execution_20250825', tool_id: 'srv_1' },
      }),
      ...stopped('tool_use', {
        usage: {
          input_tokens: 1,
          cache_read_input_tokens: 2,
          cache_creation_input_tokens: 3,
          output_tokens: 4,
          output_tokens_details: { thinking_tokens: 5 },
        },
      }),
    ],
  ],
  [
    'blocks of reasoning with what signs each of them',
    'openai-chat',
    [
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'One.', index: 0, format: 'f' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', signature: 'a', index: 0, format: 'f' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'Two.', index: 1 }] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'b', index: 2 }] }),
      delta({ content: 'Hi' }, 'stop'),
    ],
  ],
  [
    "Google's signatures, Copilot's opaque reasoning and citations",
    'openai-chat',
    [
      delta({ reasoning_text: 'Hm', reasoning_opaque: 'x' }),
      delta({ reasoning: 'So.' }),
      delta({ reasoning_content: 'Then.' }),
      delta({ thinking: 'Well.' }),
      { ...delta({ content: 'Hi' }), citations: ['https://a.example'], search_results: [{ url: 'u' }] },
      delta({
        tool_calls: [
          {
            index: 0,
            id: 'a',
            function: { name: 'ls', arguments: '{}' },
            extra_content: { google: { thought_signature: 's' } },
          },
        ],
      }),
      {
        ...delta({}, 'tool_calls'),
        usage: {
          prompt_tokens: 3,
          completion_tokens: 4,
          total_tokens: 7,
          cost: 0.5,
          prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: 2 },
          completion_tokens_details: { reasoning_tokens: 1 },
        },
      },
    ],
  ],
]

describe('in its own format', () => {
  test.each(STREAMS)('%s: %s', (_, format, payloads) => {
    const events = eventsOf(payloads, { provider: format })
    const back = eventsOf([written(format, events)], { provider: format })
    expect(lines(back)).toEqual(lines(events))
  })

  test('the container of Anthropic goes back', () => {
    const container = { id: 'container_1' }
    const payloads = [{ type: 'message_delta', delta: { stop_reason: 'end_turn', container } }]
    const text = written('anthropic', eventsOf(payloads, { provider: 'anthropic' }))
    expect(text).toContain('"container":{"id":"container_1"}')
  })
})

describe('in another format of the same model', () => {
  test.each<[from: string, to: string, payloads: object[], line: string]>([
    [
      'bedrock',
      'anthropic',
      [
        { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: 's' } } } },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { messageStop: { stopReason: 'end_turn' } },
      ],
      'reasoning Hm {"anthropic":{"signature":"s"}}',
    ],
    [
      'openai-chat',
      'anthropic',
      [
        delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'anthropic-claude-v1' }] }),
        delta({
          reasoning_details: [{ type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1' }],
        }),
        delta({}, 'stop'),
      ],
      'reasoning Hm {"anthropic":{"signature":"s"}}',
    ],
    [
      'openai-chat',
      'openai-responses',
      [
        delta({
          reasoning_details: [
            { type: 'reasoning.encrypted', data: 'x', id: 'rs_1', format: 'openai-responses-v1' },
          ],
        }),
        delta({}, 'stop'),
      ],
      'reasoning  {"openai-responses":{"itemId":"rs_1","encryptedContent":"x"}}',
    ],
    [
      'gemini',
      'openai-chat',
      [
        {
          candidates: [
            {
              content: {
                parts: [{ functionCall: { id: 'a', name: 'ls', args: {} }, thoughtSignature: 's' }],
              },
              finishReason: 'STOP',
            },
          ],
        },
      ],
      'call ls#a complete {} {"openai-chat":{"extra_content":{"google":{"thought_signature":"s"}}}}',
    ],
  ])('from %s to %s', (from, to, payloads, line) => {
    const events = eventsOf(payloads, { provider: from })
    expect(lines(eventsOf([written(to, events)], { provider: to }))[0]).toBe(line)
  })

  test('a tool that another provider ran is a call of an MCP server for Anthropic, and never ours to run', () => {
    const events = eventsOf(
      [
        done(0, { type: 'code_interpreter_call', id: 'ci_1', code: '1', outputs: [] }),
        done(1, {
          type: 'mcp_approval_request',
          id: 'mcpr_1',
          name: 'roll',
          server_label: 'd',
          arguments: '{}',
        }),
        completed(),
      ],
      { provider: 'openai-responses' },
    )
    expect(lines(eventsOf([written('anthropic', events)], { provider: 'anthropic' }))).toEqual([
      'call code_interpreter#ci_1 complete {"code":"1"} theirs {"anthropic":{"type":"mcp_tool_use","serverName":"openai-responses"}}',
      'tool-result ci_1 [] {"anthropic":{"type":"mcp_tool_result"}}',
      'finish stop {}',
    ])
  })

  test('a result that belongs to no call does not break a page', () => {
    const result: SluiceEvent[] = [
      { type: 'tool-result-start', id: 'lost' },
      { type: 'tool-result-delta', id: 'lost', delta: 'x' },
      { type: 'tool-result-end', id: 'lost' },
      { type: 'finish', reason: 'stop' },
    ]
    expect(written('ai-sdk-ui', result)).toContain('"type":"data-tool-result"')
    expect(written('ai-sdk-ui', result)).not.toContain('tool-output')
  })

  test.each([
    ['annotation', { type: 'url_citation', url: 'https://a.example', title: 'A' }],
    [
      'citation',
      { type: 'web_search_result_location', url: 'https://a.example', title: 'A', cited_text: 'x' },
    ],
    ['citation', { title: 'A', location: { web: { url: 'https://a.example' } } }],
    ['source', { sourceType: 'url', url: 'https://a.example', title: 'A' }],
    ['groundingMetadata', { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] }],
  ])('a page that is cited as %s: %j', (kind, value) => {
    const events: SluiceEvent[] = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hi' },
      { type: 'custom', kind, value },
      { type: 'text-end', id: 't' },
      { type: 'finish', reason: 'stop' },
    ]
    expect(written('openai-chat', events)).toContain(
      '"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example","title":"A","start_index":2,"end_index":2}}]',
    )
    expect(written('openai-responses', events)).toMatch(
      /"annotations":\[\{"type":"url_citation","url":"https:\/\/a.example","title":"A"/,
    )
    // Only its own citations have what Anthropic wants back.
    const isOwn = 'type' in value && value.type === 'web_search_result_location'
    expect(written('anthropic', events).includes('citations_delta')).toBe(isOwn)
  })
})
