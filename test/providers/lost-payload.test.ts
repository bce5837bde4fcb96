/** A payload that cannot be read may have held a piece of a call: what was open then does not run. */

import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { eventsOf, type NamedOptions } from './told.ts'

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const call = (id: string): string =>
  chunk({ tool_calls: [{ index: Number(id), id, function: { name: 'rm', arguments: '{"path":"/tmp/a' } }] })
const piece = (index: number, text: string): string =>
  chunk({ tool_calls: [{ index, function: { arguments: text } }] })
const custom = (text: string): string =>
  chunk({ tool_calls: [{ index: 0, id: 'c', custom: { name: 'sh', input: text } }] })
const text = (content: string): string => chunk({ content })
const end = chunk({}, 'tool_calls')
const damaged = 'data: {"choices":[{"index":0,"delta":{"tool_ca\n\n'

const verdicts = (stream: string, options: NamedOptions = {}) =>
  eventsOf([stream], { provider: 'openai-chat', ...options })
    .filter((event) => event.type === 'tool-call')
    .map((event) => [event.status, event.error?.code, isExecutable(event)])

const LOST = ['invalid', 'payload-lost', false]
const WHOLE = ['complete', undefined, true]

test('the call that was open is invalid; one that began later runs', () => {
  expect(verdicts(call('0') + damaged + piece(0, '/b"}') + call('1') + piece(1, '"}') + end)).toEqual([
    LOST,
    WHOLE,
  ])
})

test('so is one that was open beside it, and one with free text', () => {
  expect(verdicts(call('0') + call('1') + damaged + piece(0, '"}') + piece(1, '"}') + end)).toEqual([
    LOST,
    LOST,
  ])
  expect(verdicts(custom('rm a') + damaged + end)).toEqual([LOST])
})

test('a payload that is too long is lost, too', () => {
  const long = piece(0, 'x'.repeat(300))
  const limits = { ...DEFAULT_LIMITS, payload: 250 }
  expect(verdicts(call('0') + long + piece(0, '"}') + end, { limits })).toEqual([LOST])
})

test.each([['data: ping\n\n'], ['data: null\n\n'], [': {"comment"\n\n'], ['event: x\n\n']])(
  'a sign of life loses nothing: %j',
  (sign) => {
    expect(verdicts(call('0') + sign + piece(0, '"}') + end)).toEqual([WHOLE])
  },
)

test('in text, neither the call that was open nor a later one is certain', () => {
  const first = text('<tool_call>{"name":"rm","arguments":{"path":"/tmp/a')
  const rest = text('/b"}}</tool_call>')
  const other = text('<tool_call>{"name":"rm","arguments":{"path":"c"}}</tool_call>')
  const runs = (stream: string): unknown[] => verdicts(stream, { dialect: hermes }).map(([, , runs]) => runs)
  expect(runs(first + rest + other + end)).toEqual([true, true])
  expect(runs(first + damaged + rest + other + end)).toEqual([false, false])
  expect(runs(damaged + other + end)).toEqual([false])
  expect(runs(other + damaged + end)).toEqual([true])
})

test.each([
  [
    'before it',
    [piece(7, '{"path":"a"}'), chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'rm' } }] })],
  ],
  [
    'behind it',
    [chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'rm' } }] }), piece(7, '{"path":"a"}')],
  ],
])('arguments at the place of no call may be those of one that has none: %s', (_, chunks) => {
  const runs = verdicts(chunks.join('') + text('Done.') + end).map(([, , runs]) => runs)
  expect(runs).toEqual([false, false])
})
