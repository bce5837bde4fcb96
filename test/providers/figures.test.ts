/** The figures of every provider, in the places where it sends them: cached, written to the cache, thought, charged. */

import { expect, test } from 'vitest'
import type { Usage } from '../../src/base/event.ts'
import { findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { eventsOf } from './told.ts'

const chat = (usage: object): object[] => [{ choices: [{ delta: {}, finish_reason: 'stop' }], usage }]
const completed = (usage: object): object[] => [
  { type: 'response.completed', response: { status: 'completed', usage } },
]
const usageOf = (payloads: readonly object[], provider: string): Usage | undefined => {
  const last = eventsOf(payloads, { provider }).at(-1)
  return last?.type === 'finish' ? last.usage : undefined
}

const TOKENS: Usage = {
  inputTokens: 10,
  outputTokens: 6,
  totalTokens: 16,
  reasoningTokens: 4,
  cachedInputTokens: 3,
  cacheWriteInputTokens: 2,
}

test.each<[what: string, provider: string, payloads: object[], usage: Usage]>([
  [
    'OpenAI',
    'openai-chat',
    chat({
      prompt_tokens: 10,
      completion_tokens: 6,
      total_tokens: 16,
      prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 4 },
    }),
    TOKENS,
  ],
  [
    'xAI, which counts reasoning apart',
    'openai-chat',
    chat({
      prompt_tokens: 10,
      completion_tokens: 2,
      total_tokens: 16,
      completion_tokens_details: { reasoning_tokens: 4 },
      cost_in_usd_ticks: 15_000_000_000,
    }),
    { inputTokens: 10, outputTokens: 6, totalTokens: 16, reasoningTokens: 4, cost: 1.5 },
  ],
  [
    'LiteLLM',
    'openai-chat',
    chat({
      prompt_tokens: 10,
      completion_tokens: 6,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 2,
    }),
    {
      inputTokens: 10,
      outputTokens: 6,
      totalTokens: 16,
      cachedInputTokens: 3,
      cacheWriteInputTokens: 2,
    },
  ],
  [
    'OpenAI Responses',
    'openai-responses',
    completed({
      input_tokens: 10,
      output_tokens: 6,
      total_tokens: 16,
      input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 4 },
    }),
    TOKENS,
  ],
  [
    'xAI Responses',
    'openai-responses',
    completed({ input_tokens: 10, output_tokens: 6, cost_in_usd_ticks: 5_000_000_000 }),
    { inputTokens: 10, outputTokens: 6, totalTokens: 16, cost: 0.5 },
  ],
  [
    'Anthropic, whose end need not repeat the start',
    'anthropic',
    [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 5,
            cache_read_input_tokens: 3,
            cache_creation_input_tokens: 2,
            output_tokens: 1,
          },
        },
      },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 5, cache_read_input_tokens: null, output_tokens: 6 },
      },
      { type: 'message_stop' },
    ],
    {
      inputTokens: 10,
      outputTokens: 6,
      totalTokens: 16,
      cachedInputTokens: 3,
      cacheWriteInputTokens: 2,
    },
  ],
  [
    'Gemini, with what tools gave back to the model',
    'gemini',
    [
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 7,
          toolUsePromptTokenCount: 3,
          candidatesTokenCount: 2,
          thoughtsTokenCount: 4,
          totalTokenCount: 16,
          cachedContentTokenCount: 1,
        },
      },
    ],
    { inputTokens: 10, outputTokens: 6, totalTokens: 16, reasoningTokens: 4, cachedInputTokens: 1 },
  ],
  [
    'Gemini Interactions',
    'gemini',
    [
      {
        event_type: 'interaction.completed',
        interaction: {
          status: 'completed',
          usage: {
            total_input_tokens: 7,
            total_tool_use_tokens: 3,
            total_output_tokens: 2,
            total_thought_tokens: 4,
            total_tokens: 16,
            total_cached_tokens: 1,
          },
        },
      },
    ],
    { inputTokens: 10, outputTokens: 6, totalTokens: 16, reasoningTokens: 4, cachedInputTokens: 1 },
  ],
  [
    'Bedrock',
    'bedrock',
    [
      { messageStop: { stopReason: 'end_turn' } },
      {
        metadata: {
          usage: { inputTokens: 5, cacheReadInputTokens: 3, cacheWriteInputTokens: 2, outputTokens: 6 },
        },
      },
    ],
    {
      inputTokens: 10,
      outputTokens: 6,
      totalTokens: 16,
      cachedInputTokens: 3,
      cacheWriteInputTokens: 2,
    },
  ],
])('figures of %s', (_, provider, payloads, usage) => {
  expect(usageOf(payloads, provider)).toEqual(usage)
})

const ALL: Usage = { ...TOKENS, cost: 0.5 }

test.each<[format: string, lost: readonly (keyof Usage)[]]>([
  ['openai-chat', []],
  ['openai-responses', []],
  ['anthropic', ['cost']],
  ['gemini', ['cacheWriteInputTokens', 'cost']],
  ['ag-ui', ['cost']],
  ['ollama', ['reasoningTokens', 'cachedInputTokens', 'cacheWriteInputTokens', 'cost']],
])('figures that %s writes are read again, but for those that it has no place for', (format, lost) => {
  const writer = createWriter(findWriter(format))
  const kept = Object.entries(ALL).filter(([figure]) => !lost.includes(figure as keyof Usage))
  const written = writer.add({ type: 'finish', reason: 'stop', usage: ALL })
  const last = eventsOf([written], { provider: format }).at(-1)
  expect(last?.type === 'finish' && last.usage).toEqual(Object.fromEntries(kept))
})

test('figures that contradict each other are never written below zero', () => {
  const usage: Usage = { inputTokens: 1, outputTokens: 1, reasoningTokens: 5, cachedInputTokens: 5 }
  for (const format of ['anthropic', 'gemini'])
    expect(createWriter(findWriter(format)).add({ type: 'finish', reason: 'stop', usage })).not.toMatch(
      /:-\d/,
    )
})
