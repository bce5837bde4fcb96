/** A short stream of each provider: what the library writes, or by hand where it only reads the format. */

import type { SluiceEvent } from '../../base/event.ts'
import { hermes } from '../../dialects/index.ts'
import { createParser } from '../../engine/parser.ts'
import { render } from '../../engine/render.ts'
import { allWriters } from '../../providers/any.ts'
import { createWriter } from '../../providers/index.ts'
import { EXAMPLE_TOOLS, MESSAGES } from './examples.ts'
import type { Sample } from './settings.ts'

export function providerExample(name: string): Sample {
  const writer = allWriters.find((one) => one.name === name)
  const text = writer === undefined ? HANDWRITTEN[name]! : written(name)
  return { form: name, dialect: 'auto', start: 'text', tools: EXAMPLE_TOOLS, text }
}

function written(name: string): string {
  const writer = createWriter(allWriters.find((one) => one.name === name)!, {
    id: 'example',
    model: 'example',
    created: 1_700_000_000,
  })
  return exampleEvents()
    .map((event) => writer.add(event))
    .join('')
}

/** The message as events, in the pieces that a model would send. */
function exampleEvents(): SluiceEvent[] {
  const text = render(MESSAGES[0]!, { dialect: hermes, tools: EXAMPLE_TOOLS })
  const parser = createParser({ dialect: hermes, tools: EXAMPLE_TOOLS })
  const events: SluiceEvent[] = []
  for (let at = 0; at < text.length; at += 12) events.push(...parser.push(text.slice(at, at + 12)))
  return [...events, ...parser.end()]
}

// ── formats that are only read ───────────────────────────────────────────────────────────────────

const lines = (...payloads: readonly object[]): string =>
  payloads.map((payload) => `${JSON.stringify(payload)}\n`).join('')

interface TypedPayload {
  readonly type: string
  readonly [field: string]: unknown
}

const serverSent = (...payloads: readonly TypedPayload[]): string =>
  payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join('')

const langchain = (fields: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', 'AIMessageChunk'],
  kwargs: { id: 'run-1', content: '', tool_call_chunks: [], ...fields },
})

const claudeCode = (event: object): object => ({
  type: 'stream_event',
  event,
  session_id: 'example',
  parent_tool_use_id: null,
})

const cohereCall = (type: string, message: object): TypedPayload => ({
  type,
  index: 0,
  delta: { message },
})

const HANDWRITTEN: Readonly<Record<string, string>> = {
  // As its client yields the payloads; on the network they are binary frames.
  bedrock: lines(
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Let me ' } } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'look.' } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    {
      contentBlockStart: {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: 'a1', name: 'get_weather' } },
      },
    },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"city": "Par' } } } },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: 'is", "days": 2}' } } } },
    { contentBlockStop: { contentBlockIndex: 1 } },
    { messageStop: { stopReason: 'tool_use' } },
  ),
  cohere: serverSent(
    { type: 'message-start', delta: { message: { role: 'assistant' } } },
    cohereCall('tool-plan-delta', { tool_plan: 'Let me look.' }),
    cohereCall('tool-call-start', {
      tool_calls: { id: 'a1', type: 'function', function: { name: 'get_weather', arguments: '' } },
    }),
    cohereCall('tool-call-delta', { tool_calls: { function: { arguments: '{"city": "Par' } } }),
    cohereCall('tool-call-delta', { tool_calls: { function: { arguments: 'is", "days": 2}' } } }),
    { type: 'tool-call-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
  ),
  'claude-code': lines(
    { type: 'system', subtype: 'init', session_id: 'example', tools: ['Read'], model: 'claude' },
    claudeCode({ type: 'message_start', message: { id: 'm1', role: 'assistant', content: [] } }),
    claudeCode({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    claudeCode({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'Let me look.' },
    }),
    claudeCode({ type: 'content_block_stop', index: 0 }),
    claudeCode({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }),
    claudeCode({ type: 'message_stop' }),
    { type: 'result', subtype: 'success', is_error: false, result: 'Let me look.', session_id: 'example' },
  ),
  codex: lines(
    { type: 'thread.started', thread_id: 'example' },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'item_0', type: 'reasoning', text: 'The folder first.' } },
    { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Let me look.' } },
    {
      type: 'item.completed',
      item: {
        id: 'item_2',
        type: 'command_execution',
        command: 'ls',
        aggregated_output: 'a.ts\n',
        exit_code: 0,
        status: 'completed',
      },
    },
    { type: 'turn.completed', usage: { input_tokens: 12, cached_input_tokens: 0, output_tokens: 9 } },
  ),
  langchain: lines(
    langchain({ content: 'Let me ' }),
    langchain({ content: 'look.' }),
    langchain({
      tool_call_chunks: [
        { name: 'get_weather', args: '{"city": "Par', id: 'a1', index: 1, type: 'tool_call_chunk' },
      ],
    }),
    langchain({ tool_call_chunks: [{ args: 'is", "days": 2}', index: 1, type: 'tool_call_chunk' }] }),
    langchain({ response_metadata: { finish_reason: 'tool_calls' } }),
  ),
  'ai-sdk': lines(
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Let me look.' },
    { type: 'text-end', id: '1' },
    { type: 'tool-input-start', id: 'a1', toolName: 'get_weather' },
    { type: 'tool-input-delta', id: 'a1', delta: '{"city": "Paris", ' },
    { type: 'tool-input-delta', id: 'a1', delta: '"days": 2}' },
    { type: 'tool-input-end', id: 'a1' },
    { type: 'tool-call', toolCallId: 'a1', toolName: 'get_weather', input: '{"city": "Paris", "days": 2}' },
    {
      type: 'finish',
      finishReason: 'tool-calls',
      usage: { inputTokens: 12, outputTokens: 9, totalTokens: 21 },
    },
  ),
}
