import { describe, expect, test } from 'vitest'
import { eventsOf, sse, told } from '../told.ts'

describe('Cohere', () => {
  const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'cohere' }))
  const event = (type: string, message: object, index?: number): object => ({
    type,
    index,
    delta: { message },
  })

  test('a plan, thinking, text and a call', () => {
    const payloads = [
      { type: 'message-start', id: 'm1', delta: { message: { role: 'assistant' } } },
      event('tool-plan-delta', { tool_plan: 'I will ' }),
      event('tool-plan-delta', { tool_plan: 'look.' }),
      event('content-start', { content: { type: 'thinking', thinking: '' } }, 0),
      event('content-delta', { content: { thinking: 'Hm.' } }, 0),
      { type: 'content-end', index: 0 },
      event('content-start', { content: { type: 'text', text: '' } }, 1),
      event('content-delta', { content: { text: 'Hi' } }, 1),
      event('citation-start', { citations: { text: 'Hi' } }, 0),
      { type: 'citation-end', index: 0 },
      { type: 'content-end', index: 1 },
      event(
        'tool-call-start',
        { tool_calls: { id: 'c1', type: 'function', function: { name: 'ls', arguments: '' } } },
        0,
      ),
      event('tool-call-delta', { tool_calls: { function: { arguments: '{"p"' } } }, 0),
      event('tool-call-delta', { tool_calls: { function: { arguments: ':1}' } } }, 0),
      { type: 'tool-call-end', index: 0 },
      {
        type: 'message-end',
        delta: {
          finish_reason: 'TOOL_CALL',
          usage: { billed_units: { input_tokens: 1 }, tokens: { input_tokens: 3, output_tokens: 4 } },
        },
      },
    ]
    const lines = [
      'reasoning I will |look.',
      'reasoning Hm.',
      'text Hi',
      'custom citation {"text":"Hi"}',
      'call ls#c1 complete {"p":1}',
      'finish tool-calls (TOOL_CALL) {"inputTokens":3,"outputTokens":4,"totalTokens":7}',
    ]
    expect(read(...payloads)).toEqual(lines)
    expect(told(eventsOf([sse(...payloads)]))).toEqual(lines)
  })

  test('an error at the end', () => {
    expect(read({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'Boom' } })).toEqual([
      'error Boom',
      'finish error (ERROR)',
    ])
  })

  test("what Cohere's client yields in camel case", () => {
    const call = { id: 'a', type: 'function', function: { name: 'ls', arguments: '{"filePath":"."}' } }
    const usage = {
      billedUnits: { inputTokens: 1 },
      tokens: { inputTokens: 3, outputTokens: 4 },
      cachedTokens: 2,
    }
    const lines = [
      'reasoning Look.',
      'call ls#a complete {"filePath":"."}',
      'finish tool-calls (TOOL_CALL) {"inputTokens":3,"outputTokens":4,"cachedInputTokens":2,"totalTokens":7}',
    ]
    const chunks = [
      { type: 'message-start', id: 'm1' },
      event('tool-plan-delta', { toolPlan: 'Look.' }),
      event('tool-call-start', { toolCalls: { ...call, function: { name: 'ls', arguments: '' } } }, 0),
      event('tool-call-delta', { toolCalls: { function: { arguments: '{"filePath":"."}' } } }, 0),
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finishReason: 'TOOL_CALL', usage } },
    ]
    expect(told(eventsOf(chunks))).toEqual(lines)
    const message = { role: 'assistant', toolPlan: 'Look.', toolCalls: [call] }
    expect(told(eventsOf([{ id: 'm1', message, finishReason: 'TOOL_CALL', usage }]))).toEqual(lines)
  })
})
