/** A call that asks for a person's confirmation in its arguments does not run, in whatever way it arrives. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { allWriters, findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { eventsOf } from './told.ts'

const args = {
  x: 60,
  safety_decision: { decision: 'require_confirmation', explanation: 'It accepts a cookie banner.' },
}
const json = JSON.stringify(args)
const hidden = json.replace('safety_decision', 's\\u0061fety_decision')

const callIn = (chunks: readonly (string | object)[], provider: string) =>
  eventsOf(chunks, { provider }).find((event) => event.type === 'tool-call')

const step = (index: number, value: object) => ({ event_type: 'step.start', index, step: value })
const delta = (text: string) => ({
  event_type: 'step.delta',
  index: 0,
  delta: { type: 'arguments_delta', arguments: text },
})
const interactionEnd = [
  { event_type: 'step.stop', index: 0 },
  { event_type: 'interaction.completed', interaction: { status: 'requires_action' } },
]
const functionCall = { type: 'function_call', id: 'c', name: 'click_at' }
const candidate = (part: object, finish?: string) => ({
  candidates: [{ content: { parts: [{ functionCall: part }] }, ...(finish && { finishReason: finish }) }],
})
const patch = (jsonPath: string, stringValue: string) => ({ jsonPath, stringValue })
const chat = (text: string) => [
  {
    choices: [
      {
        delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'click_at', arguments: text } }] },
        finish_reason: 'tool_calls',
      },
    ],
  },
]

test.each<[what: string, provider: string, payloads: readonly object[]]>([
  ['whole, from Gemini', 'gemini', [candidate({ name: 'click_at', args }, 'STOP')]],
  [
    'in pieces, from Gemini',
    'gemini',
    [
      candidate({
        name: 'click_at',
        partialArgs: [patch('$.safety_decision.decision', 'require_confirmation')],
        willContinue: true,
      }),
      candidate(
        { partialArgs: [patch('$.safety_decision.explanation', 'It accepts a cookie banner.')] },
        'STOP',
      ),
    ],
  ],
  [
    'with its step, from Interactions',
    'gemini',
    [step(0, { ...functionCall, arguments: args }), ...interactionEnd],
  ],
  [
    'in deltas, from Interactions',
    'gemini',
    [step(0, functionCall), delta(json.slice(0, 30)), delta(json.slice(30)), ...interactionEnd],
  ],
  ['never ended, from Interactions', 'gemini', [step(0, functionCall), delta(json), interactionEnd[1]!]],
  ['encoded twice, through a compatible server', 'openai-chat', chat(JSON.stringify(json))],
  ['with a name that is escaped', 'openai-chat', chat(hidden)],
])('%s', (_, provider, payloads) => {
  const call = callIn(payloads, provider)
  expect(call).toMatchObject({ status: 'invalid', error: { code: 'refused' } })
  expect(call?.error?.message).toContain('It accepts a cookie banner.')
})

test('a question in arguments that have to be repaired counts, too', () => {
  const call = callIn(chat(`${json.slice(0, -1)},}`), 'openai-chat')
  expect(call).toMatchObject({ status: 'invalid', error: { code: 'refused' } })
})

test('any other decision asks nothing', () => {
  const call = callIn(
    chat('{"safety_decision":{"decision":"regular"},"note":"require_confirmation"}'),
    'openai-chat',
  )
  expect(call).toMatchObject({ status: 'complete' })
})

describe.each(allWriters.map(({ name }) => name))('passed on as %s', (format) => {
  const events: SluiceEvent[] = [
    { type: 'tool-input-start', id: 'c', toolName: 'click_at' },
    { type: 'tool-input-delta', id: 'c', delta: json },
    { type: 'tool-input-end', id: 'c' },
    { type: 'tool-call', id: 'c', toolName: 'click_at', input: args, status: 'complete', repairs: [] },
    { type: 'finish', reason: 'tool-calls' },
  ]

  test('by a program that did not look, it does not run', () => {
    const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 1 })
    const call = callIn([events.map((event) => writer.add(event)).join('')], format)
    expect(call?.input).toEqual(args)
    expect(call && isExecutable(call)).toBe(false)
  })
})
