import { describe, expect, test } from 'vitest'
import { eventsOf, sse, told } from '../told.ts'

describe('the UI message stream', () => {
  test('two calls of one id', () => {
    const call = (path: string): object[] => [
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'ls' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: `{"path":"${path}"}` },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'ls', input: { path } },
    ]
    const events = eventsOf([...call('x'), ...call('y')], { provider: 'ai-sdk-ui' })
    expect(told(events).slice(0, 2)).toEqual([
      'call ls#a complete {"path":"x"}',
      'call ls#call-1 complete {"path":"y"} wire a',
    ])
  })

  const chunks = [
    { type: 'start', messageId: 'm1' },
    { type: 'start-step' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hi' },
    { type: 'text-end', id: 't' },
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'ls' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"p"' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: ':1}' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'ls', input: { p: 1 } },
    { type: 'data-weather', data: { sun: true } },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'tool-calls' },
  ]
  const lines = [
    'reasoning Hm.',
    'text Hi',
    'call ls#c complete {"p":1}',
    'custom data-weather {"type":"data-weather","data":{"sun":true}}',
    'finish tool-calls (tool-calls)',
  ]

  test('as server-sent events, and as objects', () => {
    expect(told(eventsOf([`${sse(...chunks)}data: [DONE]\n\n`]))).toEqual(lines)
    expect(told(eventsOf(chunks))).toEqual(lines)
    expect(told(eventsOf(chunks, { provider: 'ai-sdk-ui' }))).toEqual(lines)
  })

  test('input that was refused, outputs, an error', () => {
    const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'ai-sdk-ui' }))
    expect(
      read(
        {
          type: 'tool-input-error',
          toolCallId: 'a',
          toolName: 'ls',
          input: { p: 'x' },
          errorText: 'p is a number',
        },
        { type: 'tool-input-available', toolCallId: 'b', toolName: 'ls', input: {} },
        { type: 'tool-output-available', toolCallId: 'b', output: 'a.ts' },
        { type: 'error', errorText: 'Boom' },
      ),
    ).toEqual([
      'diagnostic malformed-call',
      'call ls#a invalid {"p":"x"}',
      'tool-result a failed p is a number',
      'call ls#b complete {}',
      'tool-result b a.ts',
      'error Boom',
      'finish error',
    ])
    expect(read({ type: 'finish' })).toEqual(['finish stop'])
    expect(read({ type: 'abort' })).toEqual(['finish aborted'])
  })

  test('calls of a whole message, of which only those with their whole input may run', () => {
    const call = (toolCallId: string, state: string, fields: object = {}): object => ({
      type: 'tool-ls',
      toolCallId,
      state,
      input: { path: '.' },
      ...fields,
    })
    const parts = [
      call('a', 'input-streaming'),
      call('b', 'output-available', { output: 1, providerExecuted: true }),
      call('c', 'output-error', { input: undefined, errorText: 'No.' }),
      { ...call('d', 'input-available'), type: 'dynamic-tool', toolName: 'rm' },
    ]
    expect(told(eventsOf([{ id: 'm', role: 'assistant', parts }]))).toEqual([
      'diagnostic malformed-call',
      'call ls#a invalid {"path":"."}',
      'call ls#b complete {"path":"."} theirs',
      'tool-result b 1',
      'diagnostic malformed-call',
      'call ls#c invalid {}',
      'tool-result c failed No.',
      'call rm#d complete {"path":"."}',
      'finish tool-calls',
    ])
  })
})
