import { describe, expect, test } from 'vitest'
import { eventsOf, told } from '../told.ts'

describe("the AI SDK's parts", () => {
  const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'ai-sdk' }))
  const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
  const END = 'finish tool-calls (tool-calls) {"inputTokens":3,"outputTokens":4,"totalTokens":7}'

  test('of streamText and of a provider', () => {
    const signed = { providerMetadata: { anthropic: { signature: 's' } } }
    const parts = (field: 'text' | 'delta', input: unknown): object[] => [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', [field]: 'Hm.' },
      { type: 'reasoning-end', id: 'r', ...signed },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', [field]: 'Hi' },
      { type: 'text-end', id: 't' },
      { type: 'tool-input-start', id: 'c', toolName: 'ls' },
      { type: 'tool-input-delta', id: 'c', delta: '{"p"' },
      { type: 'tool-input-delta', id: 'c', delta: ':1}' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'ls', input },
    ]
    const lines = [
      'reasoning Hm. {"anthropic":{"signature":"s"}}',
      'text Hi',
      'call ls#c complete {"p":1}',
      END,
    ]
    expect(
      read(
        { type: 'start' },
        { type: 'start-step' },
        ...parts('text', { p: 1 }),
        { type: 'finish-step', finishReason: 'tool-calls', usage },
        { type: 'finish', finishReason: 'tool-calls', totalUsage: usage },
      ),
    ).toEqual(lines)
    const nested = { inputTokens: { total: 3 }, outputTokens: { total: 4 } }
    expect(
      read({ type: 'stream-start', warnings: [] }, ...parts('delta', '{"p":1}'), {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage: nested,
      }),
    ).toEqual(lines)
  })

  test('a call that was answered in the stream is not left to run', () => {
    expect(
      read(
        { type: 'tool-call', toolCallId: 'c', toolName: 'ls', input: {} },
        { type: 'tool-result', toolCallId: 'c', toolName: 'ls', output: { files: 1 } },
        { type: 'finish', finishReason: 'stop' },
      ),
    ).toEqual(['call ls#c complete {}', 'tool-result c {"files":1}', 'finish stop (stop)'])
  })

  test('free text, a failed tool, an error', () => {
    expect(
      read(
        { type: 'tool-input-start', id: 'c', toolName: 'patch', inputEncoding: 'text' },
        { type: 'tool-input-delta', id: 'c', delta: 'a' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'patch', input: '"a"' },
        { type: 'tool-error', toolCallId: 'c', toolName: 'patch', error: new Error('no') },
        { type: 'error', error: new Error('Boom') },
      ),
    ).toEqual(['call patch#c complete "a"', 'tool-result c failed no', 'error Boom', 'finish error'])
  })

  test('figures of version 7, with what was cached and thought', () => {
    const totalUsage = {
      inputTokens: 10,
      inputTokenDetails: { noCacheTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 1 },
      outputTokens: 7,
      outputTokenDetails: { textTokens: 3, reasoningTokens: 4 },
      totalTokens: 17,
    }
    expect(read({ type: 'finish', finishReason: 'stop', totalUsage })).toEqual([
      'finish stop (stop) {"inputTokens":10,"outputTokens":7,"totalTokens":17,"reasoningTokens":4,"cachedInputTokens":5,"cacheWriteInputTokens":1}',
    ])
  })

  test('a call that the provider runs after an approval makes the response wait', () => {
    const call = { toolCallId: 'c', toolName: 'roll', input: '{}', providerExecuted: true }
    const request = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }
    expect(read({ type: 'tool-call', ...call }, request, { type: 'finish', finishReason: 'stop' })).toEqual([
      'call roll#c complete {} theirs',
      'custom tool-approval-request {"type":"tool-approval-request","approvalId":"a","toolCallId":"c"}',
      'finish tool-calls (stop)',
    ])
  })

  describe('of more calls at once than ids are remembered', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => `c${index}`)
    const starts = ids.map((id) => ({ type: 'tool-input-start', id, toolName: 'ls' }))
    const finish = { type: 'finish', finishReason: 'tool-calls' }
    const statuses = (...parts: object[]): string[] =>
      eventsOf(parts, { provider: 'ai-sdk' }).flatMap((event) =>
        event.type === 'tool-call' ? `${event.status} ${JSON.stringify(event.input)}` : [],
      )

    test('none runs that only began', () => {
      expect(statuses(...starts, finish)).toEqual(ids.map(() => 'truncated {}'))
    })

    test('each runs once, with its input', () => {
      const deltas = ids.map((id) => ({ type: 'tool-input-delta', id, delta: '{"p":1}' }))
      const calls = ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'ls', input: '{"p":1}' }))
      expect(statuses(...starts, ...deltas, ...calls, finish)).toEqual(ids.map(() => 'complete {"p":1}'))
    })
  })
})
