/** A message of a user or a tool inside a stream is passed on as it came: it is not the answer, and no call is read in it. */

import { expect, test } from 'vitest'
import { hermes } from '../../src/dialects/index.ts'
import { eventsOf, told } from './told.ts'

const CALL = '<tool_call>{"name":"rm","arguments":{"path":"/"}}</tool_call>'
const NATIVE = [{ index: 0, id: 'c1', function: { name: 'rm', arguments: '{"path":"/"}' } }]

const chat = (delta: object): object => ({ choices: [{ index: 0, delta }] })
const whole = (message: object): object => ({ choices: [{ index: 0, message }] })
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const line = (message: object): object => ({ model: 'm', message, done: false })
const done = { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }

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
    'a user who has calls, which only models have',
    'openai-chat',
    [whole({ role: 'user', tool_calls: NATIVE }), stop],
    [`custom user ${JSON.stringify({ role: 'user', tool_calls: NATIVE })}`, 'finish stop (stop)'],
  ],
  [
    'a tool in Ollama',
    'ollama',
    [line({ role: 'tool', content: CALL }), line({ role: 'assistant', content: 'Hm.' }), done],
    [`custom tool {"role":"tool","content":${JSON.stringify(CALL)}}`, 'text Hm.', 'finish stop (stop)'],
  ],
])('%s', (_, provider, payloads, lines) => {
  expect(told(eventsOf(payloads, { provider, dialect: hermes }))).toEqual(lines)
})
