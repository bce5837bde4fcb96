/** Chat Completions: OpenAI's client, and the AI SDK's for OpenAI and for servers that imitate it. */

import { readFileSync } from 'node:fs'
import { sse } from '../../providers/told.ts'
import { sdkCompatible, sdkOpenaiChat } from './ai-sdk.ts'
import { openaiChat, openaiChatHelper } from './openai.ts'
import { prove } from './prove.ts'

const FIXTURE = readFileSync(new URL('../../providers/fixtures/openai-chat.sse', import.meta.url))
const OPENAI = openaiChat.name
const HELPER = openaiChatHelper.name
const CHAT = sdkOpenaiChat.name
const COMPATIBLE = sdkCompatible.name
const DONE = 'data: [DONE]\n\n'

const ABOUT = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_763_200_000,
  model: 'gpt-5-mini',
}
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  ...ABOUT,
  choices: [{ index: 0, delta, finish_reason }],
})
const usage = (prompt_tokens: number, completion_tokens: number): object => ({
  ...ABOUT,
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
})
const begin = (index: number, id: string, args = ''): object => ({
  index,
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: args },
})
const grow = (index: number, args: string): object => ({ index, function: { arguments: args } })
const calls = (...tool_calls: object[]): object => chunk({ tool_calls })

const PARIS = ['call_paris', 'get_weather', { city: 'Paris', days: 2 }] as const
const OSLO = ['call_oslo', 'get_weather', { city: 'Oslo', days: 1 }] as const

const MERGED = ['call_oslo', 'get_weather', '{"city":"Paris","days":2}{"city":"Oslo","days":1}'] as const
const CUT = ['call_paris', 'get_weather', '{"city":"Pa'] as const
const BOTH = "I'll look at both 🌦."

prove({
  format: 'openai-chat',
  contentType: 'text/event-stream',
  clients: [openaiChat, openaiChatHelper, sdkOpenaiChat, sdkCompatible],
  scenarios: [
    {
      name: 'text with figures',
      body:
        sse(
          chunk({ role: 'assistant', content: '' }),
          chunk({ content: 'Grüß ' }),
          chunk({ content: 'dich 🌦' }),
          chunk({}, 'stop'),
          usage(12, 5),
        ) + DONE,
      says: { text: 'Grüß dich 🌦', reason: 'stop', usage: [12, 5] },
    },
    {
      name: 'a whole message',
      body: FIXTURE,
      says: {
        text: BOTH,
        reasoning: 'Two cities, two calls.',
        calls: [PARIS, OSLO],
        reason: 'tool_calls',
        usage: [80, 40],
      },
      wrong: {
        // A field that it has no type for is assigned and not appended: of reasoning only the last piece is left.
        [OPENAI]: { reasoning: 'two calls.' },
        [HELPER]: { reasoning: 'two calls.' },
        // OpenAI itself sends no reasoning, so its adapter reads none.
        [CHAT]: { reasoning: '' },
      },
      left: {
        [CHAT]: { says: { text: BOTH, calls: [PARIS, OSLO], reason: 'tool_calls', usage: [80, 40] } },
      },
    },
    {
      name: 'one call',
      body:
        sse(
          chunk({ role: 'assistant', content: null }),
          calls(begin(0, 'call_paris')),
          ...['{"ci', 'ty":"Par', 'is","days', '":2}'].map((piece) => calls(grow(0, piece))),
          chunk({}, 'tool_calls'),
        ) + DONE,
      says: { text: '', calls: [PARIS], reason: 'tool_calls' },
    },
    {
      name: 'two calls that come at the same time',
      body:
        sse(
          chunk({ role: 'assistant', content: null }),
          calls(begin(0, 'call_paris', '{"city":'), begin(1, 'call_oslo')),
          calls(grow(1, '{"city":"Os')),
          calls(grow(0, '"Paris",'), grow(1, 'lo","da')),
          calls(grow(1, 'ys":1}')),
          calls(grow(0, '"days":2}')),
          chunk({}, 'tool_calls'),
        ) + DONE,
      says: { text: '', calls: [PARIS, OSLO], reason: 'tool_calls' },
    },
    {
      name: 'two calls that share one index',
      body:
        sse(
          chunk({ role: 'assistant', content: null }),
          calls(begin(0, 'call_paris', '{"city":"Paris","days":2}')),
          calls(begin(0, 'call_oslo', '{"city":"Oslo","days":1}')),
          chunk({}, 'tool_calls'),
        ) + DONE,
      // Another id with a name is another call, whatever its index is.
      says: { text: '', calls: [PARIS, OSLO], reason: 'tool_calls' },
      wrong: {
        [OPENAI]: { calls: [MERGED] },
        [HELPER]: { calls: [MERGED] },
      },
    },
    {
      name: 'a call without an index',
      body:
        sse(
          chunk({ role: 'assistant', content: null }),
          calls({
            id: 'call_paris',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Paris","days":2}' },
          }),
          chunk({}, 'tool_calls'),
        ) + DONE,
      // There is one call, so nothing is missing.
      says: { text: '', calls: [PARIS], reason: 'tool_calls' },
      wrong: { [OPENAI]: { calls: [] }, [HELPER]: { calls: [] }, [CHAT]: 'Type validation failed' },
      left: { [CHAT]: { says: { text: '' }, fails: true } },
    },
    {
      name: 'a call that was cut off, under a reason that says nothing of it',
      body:
        sse(
          chunk({ role: 'assistant', content: null }),
          calls(begin(0, 'call_paris', '{"city":"Pa')),
          chunk({}, 'tool_calls'),
        ) + DONE,
      // Nobody knows which city it would have been.
      says: { text: '', reason: 'tool_calls' },
      failed: [['call_paris', 'truncated']],
      // It lists the call like any other, and leaves it to its user to find out.
      wrong: { [OPENAI]: { calls: [CUT] }, [HELPER]: { calls: [CUT] } },
    },
    {
      name: 'a refusal',
      body:
        sse(
          chunk({ role: 'assistant', content: null }),
          chunk({ refusal: 'I will ' }),
          chunk({ refusal: 'not.' }),
          chunk({}, 'stop'),
        ) + DONE,
      says: { text: 'I will not.', reason: 'stop' },
      wrong: { [COMPATIBLE]: { text: '' } },
      left: { [COMPATIBLE]: { says: { text: '', reason: 'stop' } } },
    },
    {
      name: 'an error in the middle',
      body: sse(chunk({ role: 'assistant', content: 'Hel' }), calls(begin(0, 'call_paris', '{"city":"Pa')), {
        error: { message: 'Overloaded', type: 'server_error', code: null, param: null },
      }),
      says: { text: 'Hel' },
      failed: [['call_paris', 'truncated']],
      fails: true,
    },
    {
      name: 'a connection that dies',
      body: sse(chunk({ role: 'assistant', content: 'Hel' }), calls(begin(0, 'call_paris', '{"city":"Pa'))),
      dies: true,
      says: { text: 'Hel' },
      failed: [['call_paris', 'truncated']],
      fails: true,
    },
    {
      name: 'a refused request',
      body: '{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}',
      status: 401,
      says: { text: '' },
      fails: true,
    },
  ],
})
