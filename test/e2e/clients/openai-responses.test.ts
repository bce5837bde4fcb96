/** OpenAI's Responses: OpenAI's client with its helper, and the AI SDK's. */

import { readFileSync } from 'node:fs'
import { sdkOpenaiResponses } from './ai-sdk.ts'
import { openaiResponses, openaiResponsesHelper } from './openai.ts'
import { prove } from './prove.ts'
import type { Said } from './said.ts'

const FIXTURE = readFileSync(new URL('../../providers/fixtures/openai-responses.sse', import.meta.url))
const OPENAI = openaiResponses.name
const HELPER = openaiResponsesHelper.name
const SDK = sdkOpenaiResponses.name

/** Named events that are numbered, as the server sends them. */
const named = (
  ...payloads: readonly { readonly type: string; readonly [field: string]: unknown }[]
): string =>
  payloads
    .map((payload, sequence_number) => {
      const data = JSON.stringify({ ...payload, sequence_number })
      return `event: ${payload.type}\ndata: ${data}\n\n`
    })
    .join('')

const response = (status: string, more: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_763_200_000,
  status,
  error: null,
  incomplete_details: null,
  model: 'gpt-5',
  output: [],
  usage: null,
  ...more,
})
const START = { type: 'response.created', response: response('in_progress') }
const USAGE = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 17,
}
const completed = (...output: object[]) => ({
  type: 'response.completed',
  response: response('completed', { output, usage: USAGE }),
})
const incomplete = (...output: object[]) => ({
  type: 'response.incomplete',
  response: response('incomplete', {
    output,
    usage: USAGE,
    incomplete_details: { reason: 'max_output_tokens' },
  }),
})
const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const message = (text: string | null, status = 'completed') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status,
  content: text === null ? [] : [{ type: 'output_text', text, annotations: [] }],
})
const textPart = (output_index: number, type: string, more: object) => ({
  type: `response.${type}`,
  item_id: 'msg_1',
  output_index,
  content_index: 0,
  ...more,
})
const text = (output_index: number, ...pieces: string[]) => [
  added(output_index, message(null, 'in_progress')),
  textPart(output_index, 'content_part.added', { part: { type: 'output_text', text: '', annotations: [] } }),
  ...pieces.map((delta) => textPart(output_index, 'output_text.delta', { delta })),
]
const called = (id: string, args: string, status = 'completed') => ({
  id: `fc_${id}`,
  type: 'function_call',
  status,
  arguments: args,
  call_id: id,
  name: 'get_weather',
})
const grow = (output_index: number, id: string, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  item_id: `fc_${id}`,
  output_index,
  delta,
})
const whole = (output_index: number, id: string, args: string) => ({
  type: 'response.function_call_arguments.done',
  item_id: `fc_${id}`,
  output_index,
  arguments: args,
})

const PARIS_JSON = '{"city":"Paris","days":2}'
const OSLO_JSON = '{"city":"Oslo","days":1}'
const PARIS = ['call_paris', 'get_weather', { city: 'Paris', days: 2 }] as const
const OSLO = ['call_oslo', 'get_weather', { city: 'Oslo', days: 1 }] as const
const EMPTY = ['call_paris', 'get_weather', {}] as const
const CUT = ['call_paris', 'get_weather', '{"city":"Pa'] as const

/** The AI SDK has a word of its own for why a response stopped, and keeps OpenAI's only where it says more. */
const stopped = (reason: string, says: Said) => ({
  says,
  wrong: { [SDK]: { reason: undefined } },
  left: { [SDK]: { says: { ...says, reason } } },
})

prove({
  format: 'openai-responses',
  contentType: 'text/event-stream',
  clients: [openaiResponses, openaiResponsesHelper, sdkOpenaiResponses],
  scenarios: [
    {
      name: 'text with figures',
      body: named(
        START,
        ...text(0, 'Grüß ', 'dich 🌦'),
        textPart(0, 'output_text.done', { text: 'Grüß dich 🌦' }),
        done(0, message('Grüß dich 🌦')),
        completed(message('Grüß dich 🌦')),
      ),
      ...stopped('stop', { text: 'Grüß dich 🌦', reason: 'completed', usage: [12, 5] }),
    },
    {
      name: 'a whole message',
      body: FIXTURE,
      ...stopped('tool-calls', {
        text: "I'll look at both 🌦.",
        reasoning: 'Two cities, two calls.',
        calls: [PARIS, OSLO],
        reason: 'completed',
        usage: [80, 40],
      }),
    },
    {
      name: 'two calls that come at the same time',
      body: named(
        START,
        added(0, called('call_paris', '', 'in_progress')),
        added(1, called('call_oslo', '', 'in_progress')),
        grow(1, 'call_oslo', '{"city":"Os'),
        grow(0, 'call_paris', '{"city":"Paris",'),
        grow(1, 'call_oslo', 'lo","days":1}'),
        grow(0, 'call_paris', '"days":2}'),
        whole(0, 'call_paris', PARIS_JSON),
        done(0, called('call_paris', PARIS_JSON)),
        whole(1, 'call_oslo', OSLO_JSON),
        done(1, called('call_oslo', OSLO_JSON)),
        completed(called('call_paris', PARIS_JSON), called('call_oslo', OSLO_JSON)),
      ),
      ...stopped('tool-calls', { text: '', calls: [PARIS, OSLO], reason: 'completed', usage: [12, 5] }),
    },
    {
      name: 'a call that was cut off',
      body: named(
        START,
        added(0, called('call_paris', '', 'in_progress')),
        grow(0, 'call_paris', '{"city":"Pa'),
        done(0, called('call_paris', '{"city":"Pa', 'incomplete')),
        incomplete(called('call_paris', '{"city":"Pa', 'incomplete')),
      ),
      says: { text: '', reason: 'max_output_tokens', usage: [12, 5] },
      failed: [['call_paris', 'truncated']],
      wrong: { [OPENAI]: { calls: [CUT] }, [HELPER]: { calls: [CUT] } },
    },
    {
      name: 'a call that was cut off before its arguments began',
      body: named(
        START,
        added(0, called('call_paris', '', 'in_progress')),
        done(0, called('call_paris', '', 'incomplete')),
        incomplete(called('call_paris', '', 'incomplete')),
      ),
      says: { text: '', reason: 'max_output_tokens', usage: [12, 5] },
      failed: [['call_paris', 'truncated']],
      wrong: {
        [OPENAI]: { calls: [['call_paris', 'get_weather', '']] },
        [HELPER]: { calls: [['call_paris', 'get_weather', '']] },
        // Without arguments it takes it for a call of a tool that needs none.
        [SDK]: { calls: [EMPTY] },
      },
      left: {
        [SDK]: {
          says: { text: '', calls: [EMPTY], reason: 'max_output_tokens', usage: [12, 5] },
          failed: [],
        },
      },
    },
    {
      name: 'an error in the middle',
      body: named(START, ...text(0, 'Hel'), {
        type: 'error',
        code: 'server_error',
        message: 'Overloaded',
        param: null,
      }),
      says: { text: 'Hel' },
      fails: true,
    },
    {
      name: 'a response that failed',
      body: named(START, ...text(0, 'Hel'), {
        type: 'response.failed',
        response: response('failed', {
          error: { code: 'server_error', message: 'Overloaded' },
          output: [message('Hel', 'incomplete')],
        }),
      }),
      says: { text: 'Hel' },
      fails: true,
      // It gives out such a response like any other, with a status to look at.
      wrong: { [OPENAI]: { reason: 'failed' }, [HELPER]: { reason: 'failed' } },
    },
    {
      name: 'a connection that dies',
      body: named(
        START,
        ...text(0, 'Hel'),
        added(1, called('call_paris', '', 'in_progress')),
        grow(1, 'call_paris', '{"city":"Pa'),
      ),
      dies: true,
      says: { text: 'Hel' },
      failed: [['call_paris', 'truncated']],
      fails: true,
    },
  ],
})
