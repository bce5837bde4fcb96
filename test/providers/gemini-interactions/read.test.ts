import { describe, expect, test } from 'vitest'
import { eventsOf, sse, told } from '../told.ts'

const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'gemini' }))

describe('Interactions', () => {
  const event = (event_type: string, fields: object): object => ({ event_type, ...fields })
  const start = (index: number, step: object): object => event('step.start', { index, step })
  const delta = (index: number, fields: object): object => event('step.delta', { index, delta: fields })
  const stop = (index: number): object => event('step.stop', { index })

  test('steps with thoughts, text and a call', () => {
    const payloads = [
      event('interaction.created', { interaction: { id: 'i1', status: 'in_progress' } }),
      start(0, { type: 'thought' }),
      delta(0, { type: 'thought_summary', content: { type: 'text', text: 'Hm.' } }),
      delta(0, { type: 'thought_signature', signature: 'sig' }),
      stop(0),
      start(1, { type: 'model_output' }),
      delta(1, { type: 'text', text: 'Hi' }),
      stop(1),
      start(2, { type: 'function_call', id: 'c1', name: 'ls', arguments: {} }),
      delta(2, { type: 'arguments_delta', arguments: '{"p' }),
      delta(2, { type: 'arguments_delta', arguments: '":1}' }),
      stop(2),
      event('interaction.completed', {
        interaction: {
          id: 'i1',
          status: 'requires_action',
          usage: { total_input_tokens: 1, total_output_tokens: 2 },
        },
      }),
    ]
    const lines = [
      'reasoning Hm. {"gemini":{"thoughtSignature":"sig"}}',
      'text Hi',
      'call ls#c1 complete {"p":1}',
      'finish tool-calls (requires_action) {"inputTokens":1,"outputTokens":2,"totalTokens":3}',
    ]
    expect(read(...payloads)).toEqual(lines)
    expect(told(eventsOf([sse(...payloads)]))).toEqual(lines)
  })

  const OUTPUT = { type: 'model_output', content: [{ type: 'text', text: 'Hi' }] }
  const THOUGHT = { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }], signature: 'sig' }
  const CALL = { type: 'function_call', id: 'c', name: 'ls', arguments: { a: 1 } }
  const spoken = [start(0, { type: 'model_output' }), delta(0, { type: 'text', text: 'Hi' }), stop(0)]
  const called = [start(1, { ...CALL, arguments: {} }), stop(1)]

  test.each<[what: string, payloads: object[], steps: object[], lines: string[]]>([
    ['a call', spoken, [OUTPUT, CALL], ['text Hi', 'call ls#c complete {"a":1}']],
    [
      'thoughts and a call',
      spoken,
      [THOUGHT, OUTPUT, CALL],
      ['text Hi', 'reasoning Hm. {"gemini":{"thoughtSignature":"sig"}}', 'call ls#c complete {"a":1}'],
    ],
    ['text', [start(1, CALL), stop(1)], [OUTPUT, CALL], ['call ls#c complete {"a":1}', 'text Hi']],
    [
      'the arguments of a call',
      [...spoken, ...called],
      [OUTPUT, CALL],
      ['text Hi', 'call ls#c complete {"a":1}'],
    ],
    [
      'nothing',
      [...spoken, start(1, CALL), stop(1)],
      [OUTPUT, CALL],
      ['text Hi', 'call ls#c complete {"a":1}'],
    ],
  ])('the whole interaction at the end of a stream adds %s', (_, payloads, steps, lines) => {
    const completed = event('interaction.completed', { interaction: { status: 'requires_action', steps } })
    expect(read(...payloads, completed)).toEqual([...lines, 'finish tool-calls (requires_action)'])
  })

  test('a search that the provider runs', () => {
    expect(
      read(
        start(0, { type: 'google_search_call', id: 's1', arguments: { queries: ['x'] } }),
        stop(0),
        start(1, { type: 'google_search_result', call_id: 's1', result: [{ url: 'u' }] }),
        stop(1),
        event('interaction.status_update', { interaction_id: 'i', status: 'completed' }),
      ),
    ).toEqual([
      'call google_search#s1 complete {"queries":["x"]} theirs',
      'tool-result s1 [{"url":"u"}]',
      'finish stop (completed)',
    ])
  })

  test('a result belongs to the call that the start of its step names', () => {
    const payloads = [
      start(0, { type: 'url_context_call', id: 'u1', arguments: { urls: ['https://a.example'] } }),
      stop(0),
      start(1, { type: 'url_context_result', call_id: 'u1' }),
      delta(1, { type: 'url_context_result', result: [{ url: 'a' }] }),
      delta(1, { type: 'url_context_result', result: [{ url: 'b' }], is_error: true }),
      stop(1),
      event('interaction.completed', { interaction: { status: 'completed' } }),
    ]
    expect(read(...payloads)).toEqual([
      'call url_context#u1 complete {"urls":["https://a.example"]} theirs',
      'tool-result u1 failed [{"url":"a"},{"url":"b"}]',
      'finish stop (completed)',
    ])
  })

  test('the signature of a call is metadata of the call', () => {
    expect(
      read(
        start(0, { type: 'function_call', id: 'c', name: 'ls', arguments: {} }),
        delta(0, { type: 'arguments_delta', arguments: '{"path":"."}' }),
        delta(0, { type: 'thought_signature', signature: 's' }),
        stop(0),
        event('interaction.completed', { interaction: { status: 'requires_action' } }),
      ),
    ).toEqual([
      'call ls#c complete {"path":"."} {"gemini":{"thoughtSignature":"s"}}',
      'finish tool-calls (requires_action)',
    ])
  })

  test('the steps of the interaction at the end of a stream are not read twice', () => {
    const steps = [{ type: 'function_call', id: 'c', name: 'rm', arguments: { path: '.' } }]
    const completed = event('interaction.completed', { interaction: { status: 'requires_action', steps } })
    const lines = ['call rm#c complete {"path":"."}', 'finish tool-calls (requires_action)']
    expect(read(start(0, steps[0]!), stop(0), completed)).toEqual(lines)
    expect(read(completed)).toEqual(lines)
  })
})
