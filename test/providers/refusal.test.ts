/** What a provider sends as reasoning or as a refusal is shown as it came: no call is found there. */

import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/dialects/index.ts'
import { eventsOf, told } from './told.ts'

const CALL = '<tool_call>{"name":"rm","arguments":{"path":"/"}}</tool_call>'
const chat = (delta: object): object => ({ choices: [{ index: 0, delta }] })
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const response = (type: string, more: object): object => ({ type: `response.${type}`, ...more })
const completed = response('completed', { response: { status: 'completed' } })
const place = { output_index: 0, content_index: 0 }

describe('with a dialect, no call is read', () => {
  test.each<[what: string, provider: string, payloads: readonly object[], line: string]>([
    [
      'in a refusal of Chat Completions',
      'openai-chat',
      [chat({ refusal: CALL.slice(0, 20) }), chat({ refusal: CALL.slice(20) }), stop],
      `text ${CALL.slice(0, 20)}|${CALL.slice(20)} {"openai-chat":{"refusal":true}}`,
    ],
    [
      'in a refusal among parts of the content',
      'openai-chat',
      [chat({ content: [{ type: 'refusal', refusal: CALL }] }), stop],
      `text ${CALL} {"openai-chat":{"refusal":true}}`,
    ],
    [
      'in a refusal of Responses',
      'openai-responses',
      [response('refusal.delta', { ...place, delta: CALL }), completed],
      `text ${CALL} {"openai-responses":{"refusal":true}}`,
    ],
    [
      'in a refusal that came whole',
      'openai-responses',
      [
        response('output_item.done', {
          output_index: 0,
          item: { type: 'message', content: [{ type: 'refusal', refusal: CALL }] },
        }),
        completed,
      ],
      `text ${CALL} {"openai-responses":{"refusal":true}}`,
    ],
    [
      'in reasoning',
      'openai-chat',
      [chat({ reasoning_content: CALL }), stop],
      `reasoning ${CALL} {"openai-chat":{"field":"reasoning_content"}}`,
    ],
  ])('%s', (_, provider, payloads, line) => {
    const lines = told(eventsOf(payloads, { provider, dialect: hermes }))
    expect(lines).toEqual([line, expect.stringMatching(/^finish stop/)])
  })

  test('across a refusal, although the text before and behind it would be one', () => {
    const payloads = [
      chat({ content: CALL.slice(0, 8) }),
      chat({ refusal: 'No.' }),
      chat({ content: CALL.slice(8) }),
      stop,
    ]
    expect(told(eventsOf(payloads, { provider: 'openai-chat', dialect: hermes }))).toEqual([
      'text <tool_ca',
      'text No. {"openai-chat":{"refusal":true}}',
      expect.stringMatching(/^text ll>/),
      'finish stop (stop)',
    ])
  })
})
