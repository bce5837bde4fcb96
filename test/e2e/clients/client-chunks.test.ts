/** Cohere, Mistral and Bedrock: what their own clients put together, and what Sluice reads from the objects they yield. */

import { readFileSync } from 'node:fs'
import { describe } from 'vitest'
import { bedrockFrames } from '../../providers/aws-frames.ts'
import { sse } from '../../providers/told.ts'
import { bedrock } from './bedrock.ts'
import { cohere } from './cohere.ts'
import { mistral } from './mistral.ts'
import { prove } from './prove.ts'
import { WEATHER } from './said.ts'

const fixture = (name: string): string =>
  readFileSync(new URL(`../../providers/fixtures/${name}`, import.meta.url), 'utf8')
const linesOf = (name: string): object[] =>
  fixture(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)

describe('Cohere', () => {
  prove({
    format: 'cohere',
    contentType: 'text/event-stream',
    clients: [cohere],
    scenarios: [
      {
        name: 'a whole message',
        body: fixture('cohere.sse'),
        says: { ...WEATHER, reason: 'TOOL_CALL' },
      },
      {
        name: 'a connection that ends too early',
        body: sse({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hel' } } } }),
        says: { text: 'Hel' },
        fails: true,
        // It takes the end of the connection for the end of the message.
        wrong: { [cohere.name]: {} },
      },
    ],
  })
})

const mistralChunk = (delta: object, more: object = {}): object => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1_767_225_600,
  model: 'magistral-medium',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const mistralCall = (index: number, id: string, args: string): object => ({
  id,
  function: { name: 'get_weather', arguments: args },
  index,
})

describe('Mistral', () => {
  prove({
    format: 'openai-chat',
    contentType: 'text/event-stream',
    clients: [mistral],
    scenarios: [
      {
        name: 'a whole message',
        body: `${sse(
          mistralChunk({ role: 'assistant', content: '' }),
          mistralChunk({
            content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Two cities, ' }] }],
          }),
          mistralChunk({
            content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'two calls.' }], closed: true }],
          }),
          mistralChunk({ content: "I'll look " }),
          mistralChunk({ content: [{ type: 'text', text: 'at both 🌦.' }] }),
          mistralChunk({
            content: '',
            tool_calls: [
              mistralCall(0, 'call_paris', '{"city":"Paris","days":2}'),
              mistralCall(1, 'call_oslo', '{"city":"Oslo","days":1}'),
            ],
          }),
          {
            ...mistralChunk({ content: '' }, { finish_reason: 'tool_calls' }),
            usage: { prompt_tokens: 80, completion_tokens: 40, total_tokens: 120 },
          },
        )}data: [DONE]\n\n`,
        says: { ...WEATHER, reason: 'tool_calls' },
      },
      {
        name: 'figures in a chunk of their own',
        body: `${sse(mistralChunk({ role: 'assistant', content: 'Hi' }, { finish_reason: 'stop' }), {
          ...mistralChunk({}),
          choices: [],
          usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
        })}data: [DONE]\n\n`,
        says: { text: 'Hi', reason: 'stop', usage: [8, 4] },
      },
      {
        name: 'a call that was cut off',
        body: `${sse(
          mistralChunk({ content: '', tool_calls: [mistralCall(0, 'call_paris', '{"city":"Pa')] }),
          mistralChunk({ content: '' }, { finish_reason: 'length' }),
        )}data: [DONE]\n\n`,
        says: { text: '', reason: 'length' },
        failed: [['call_paris', 'truncated']],
        wrong: { [mistral.name]: { calls: [['call_paris', 'get_weather', '{"city":"Pa']] } },
      },
    ],
  })
})

describe('Bedrock', () => {
  prove({
    format: 'bedrock',
    contentType: 'application/vnd.amazon.eventstream',
    clients: [bedrock],
    scenarios: [
      {
        name: 'a whole message',
        body: bedrockFrames(linesOf('bedrock.ndjson')),
        says: { ...WEATHER, reason: 'tool_use' },
      },
      {
        name: 'a call that was cut off',
        body: bedrockFrames([
          { messageStart: { role: 'assistant' } },
          {
            contentBlockStart: {
              contentBlockIndex: 0,
              start: { toolUse: { toolUseId: 'call_paris', name: 'get_weather' } },
            },
          },
          { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: '{"city":"Pa' } } } },
          { contentBlockStop: { contentBlockIndex: 0 } },
          { messageStop: { stopReason: 'max_tokens' } },
          { metadata: { usage: { inputTokens: 8, outputTokens: 4, totalTokens: 12 } } },
        ]),
        says: { text: '', reason: 'max_tokens', usage: [8, 4] },
        failed: [['call_paris', 'truncated']],
        wrong: { [bedrock.name]: { calls: [['call_paris', 'get_weather', '{"city":"Pa']] } },
      },
    ],
  })
})
