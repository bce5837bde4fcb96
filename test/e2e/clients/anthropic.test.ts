/** Anthropic Messages: Anthropic's client with its helper, and the AI SDK's. */

import { readFileSync } from 'node:fs'
import { sdkAnthropic } from './ai-sdk.ts'
import { anthropic, anthropicHelper } from './anthropic.ts'
import { prove } from './prove.ts'
import { WEATHER } from './said.ts'

const FIXTURE = readFileSync(new URL('../../providers/fixtures/anthropic.sse', import.meta.url))
const ANTHROPIC = anthropic.name
const HELPER = anthropicHelper.name
const SDK = sdkAnthropic.name

/** Named events, as the server sends them. */
const named = (
  ...payloads: readonly { readonly type: string; readonly [field: string]: unknown }[]
): string =>
  payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join('')

const START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 25, output_tokens: 1 },
  },
}
const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
const close = (index: number) => ({ type: 'content_block_stop', index })
const text = (index: number, ...pieces: string[]) => [
  open(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => delta(index, { type: 'text_delta', text: piece })),
  close(index),
]
const call = (index: number, id: string, ...pieces: string[]) => [
  open(index, { type: 'tool_use', id, name: 'get_weather', input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
  close(index),
]
const end = (stop_reason: string, output_tokens: number) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
  { type: 'message_stop' },
]

const PARIS = ['toolu_paris', 'get_weather', { city: 'Paris', days: 2 }] as const
const OSLO = ['toolu_oslo', 'get_weather', { city: 'Oslo', days: 1 }] as const

prove({
  format: 'anthropic',
  contentType: 'text/event-stream',
  clients: [anthropic, anthropicHelper, sdkAnthropic],
  scenarios: [
    {
      name: 'text with figures, which are totals',
      body: named(START, { type: 'ping' }, ...text(0, 'Grüß ', 'dich 🌦'), ...end('end_turn', 12)),
      says: { text: 'Grüß dich 🌦', reason: 'end_turn', usage: [25, 12] },
    },
    {
      name: 'a whole message',
      body: FIXTURE,
      says: { ...WEATHER, reason: 'tool_use' },
    },
    {
      name: 'one call',
      body: named(
        START,
        ...call(0, 'toolu_paris', '', '{"ci', 'ty": "Par', 'is", "days": 2}'),
        ...end('tool_use', 30),
      ),
      says: { text: '', calls: [PARIS], reason: 'tool_use', usage: [25, 30] },
    },
    {
      name: 'a call without arguments',
      body: named(START, ...call(0, 'toolu_all', ''), ...end('tool_use', 30)),
      says: { text: '', calls: [['toolu_all', 'get_weather', {}]], reason: 'tool_use', usage: [25, 30] },
    },
    {
      name: 'two calls whose blocks are open at the same time',
      body: named(
        START,
        open(0, { type: 'tool_use', id: 'toolu_paris', name: 'get_weather', input: {} }),
        open(1, { type: 'tool_use', id: 'toolu_oslo', name: 'get_weather', input: {} }),
        delta(1, { type: 'input_json_delta', partial_json: '{"city": "Os' }),
        delta(0, { type: 'input_json_delta', partial_json: '{"city": "Paris"' }),
        delta(1, { type: 'input_json_delta', partial_json: 'lo", "days": 1}' }),
        close(1),
        delta(0, { type: 'input_json_delta', partial_json: ', "days": 2}' }),
        close(0),
        ...end('tool_use', 30),
      ),
      says: { text: '', calls: [PARIS, OSLO], reason: 'tool_use', usage: [25, 30] },
      // It lists a call when it is over, and the second one was over first.
      wrong: { [SDK]: { calls: [OSLO, PARIS] } },
    },
    {
      name: 'a call that was cut off',
      body: named(
        START,
        ...call(0, 'toolu_paris', '{"city": "Paris", "days": 1', ''),
        ...end('max_tokens', 30),
      ),
      // It may have been 14 days.
      says: { text: '', reason: 'max_tokens', usage: [25, 30] },
      failed: [['toolu_paris', 'truncated']],
      wrong: {
        // What did not come whole is left out of the input, and nothing says so.
        [ANTHROPIC]: { calls: [['toolu_paris', 'get_weather', { city: 'Paris' }]] },
        [HELPER]: { calls: [['toolu_paris', 'get_weather', { city: 'Paris' }]] },
      },
    },
    {
      name: 'a call that was cut off before its arguments began',
      body: named(START, ...call(0, 'toolu_paris', ''), ...end('max_tokens', 30)),
      // The block is closed, but only because there was no room for the rest.
      says: { text: '', reason: 'max_tokens', usage: [25, 30] },
      failed: [['toolu_paris', 'truncated']],
      wrong: {
        [ANTHROPIC]: { calls: [['toolu_paris', 'get_weather', {}]] },
        [HELPER]: { calls: [['toolu_paris', 'get_weather', {}]] },
        [SDK]: { calls: [['toolu_paris', 'get_weather', {}]] },
      },
      // The parts of the AI SDK say that the input is whole.
      left: {
        [SDK]: {
          says: {
            text: '',
            calls: [['toolu_paris', 'get_weather', {}]],
            reason: 'max_tokens',
            usage: [25, 30],
          },
          failed: [],
        },
      },
    },
    {
      name: 'a call whose input is not JSON',
      body: named(START, ...call(0, 'toolu_paris', '{"city": Dave', '}'), ...end('tool_use', 30)),
      says: { text: '', reason: 'tool_use', usage: [25, 30] },
      failed: [['toolu_paris', 'repaired']],
      wrong: {
        [ANTHROPIC]: { calls: [['toolu_paris', 'get_weather', {}]] },
        [HELPER]: { calls: [['toolu_paris', 'get_weather', {}]] },
      },
      // It refused the call.
      left: { [SDK]: { failed: [['toolu_paris', 'invalid']] } },
    },
    {
      name: 'an error in the middle',
      body: named(START, ...text(0, 'Hel'), ...call(1, 'toolu_paris', '{"city": "Pa').slice(0, -1), {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
      }),
      says: { text: 'Hel', usage: [25, 1] },
      failed: [['toolu_paris', 'truncated']],
      fails: true,
      left: { [SDK]: { says: { text: 'Hel' } } },
    },
    {
      name: 'a connection that dies',
      body: named(START, ...text(0, 'Hel'), ...call(1, 'toolu_paris', '{"city": "Pa').slice(0, -1)),
      dies: true,
      says: { text: 'Hel', usage: [25, 1] },
      failed: [['toolu_paris', 'truncated']],
      fails: true,
      left: { [SDK]: { says: { text: 'Hel' } } },
    },
    {
      name: 'a stream that ends too early',
      body: named(START, ...text(0, 'Hel'), ...call(1, 'toolu_paris', '{"city": "Pa').slice(0, -1)),
      says: { text: 'Hel', usage: [25, 1] },
      failed: [['toolu_paris', 'truncated']],
      fails: true,
      // To it this is a message like any other.
      wrong: { [SDK]: { usage: undefined } },
      left: { [SDK]: { says: { text: 'Hel', reason: 'other' }, fails: false } },
    },
  ],
})
