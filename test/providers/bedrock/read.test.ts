import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { eventsOf, told } from '../told.ts'

describe('Bedrock', () => {
  const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'bedrock' }))
  const delta = (contentBlockIndex: number, fields: object): object => ({
    contentBlockDelta: { contentBlockIndex, delta: fields },
  })
  const stop = (contentBlockIndex: number): object => ({ contentBlockStop: { contentBlockIndex } })
  const input = (text: string): object => delta(0, { toolUse: { input: text } })
  const payloads = [
    { messageStart: { role: 'assistant' } },
    delta(0, { reasoningContent: { text: 'Hm' } }),
    delta(0, { reasoningContent: { text: '.' } }),
    delta(0, { reasoningContent: { signature: 'sig' } }),
    stop(0),
    delta(1, { text: 'Hi' }),
    stop(1),
    { contentBlockStart: { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't1', name: 'ls' } } } },
    delta(2, { toolUse: { input: '{"path"' } }),
    delta(2, { toolUse: { input: ':"é"}' } }),
    stop(2),
    { messageStop: { stopReason: 'tool_use' } },
    {
      metadata: {
        usage: { inputTokens: 3, outputTokens: 4, cacheReadInputTokens: 2 },
        metrics: { latencyMs: 9 },
      },
    },
  ]
  const lines = [
    'reasoning Hm|. {"bedrock":{"signature":"sig"}}',
    'text Hi',
    'call ls#t1 complete {"path":"é"}',
    'finish tool-calls (tool_use) {"inputTokens":5,"outputTokens":4,"cachedInputTokens":2,"totalTokens":9}',
  ]

  const codec = new EventStreamCodec(
    (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)),
    (text) => new TextEncoder().encode(text),
  )
  const frame = (type: string, body: unknown, kind = 'event'): Uint8Array =>
    codec.encode({
      headers: {
        [`:${kind}-type`]: { type: 'string', value: type },
        ':message-type': { type: 'string', value: kind },
        ':content-type': { type: 'string', value: 'application/json' },
      },
      body: new TextEncoder().encode(JSON.stringify(body)),
    })
  const frames = payloads.map((payload) => frame(...(Object.entries(payload)[0] as [string, unknown])))
  const bytes = Uint8Array.from(frames.flatMap((one) => [...one]))

  test('reasoning, text and a call', () => {
    expect(read(...payloads)).toEqual(lines)
  })

  test('in frames, however they are cut', () => {
    for (let at = 0; at <= bytes.length; at += 7)
      expect(told(eventsOf([bytes.subarray(0, at), bytes.subarray(at)]))).toEqual(lines)
    expect(told(eventsOf(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(lines)
  })

  test('an exception', () => {
    const exception = frame('throttlingException', { message: 'Too many requests' }, 'exception')
    expect(told(eventsOf([...frames.slice(0, 2), exception]))).toEqual([
      'reasoning Hm',
      'error Too many requests',
      'finish error',
    ])
    expect(read({ throttlingException: { message: 'Too many requests' } })).toEqual([
      'error Too many requests',
      'finish error',
    ])
  })

  test('a frame that is damaged, and one that is cut off', () => {
    const damaged = frames[2]!.slice()
    damaged[20]! ^= 0xff
    const ends = ['diagnostic provider-payload', 'diagnostic truncated-stream', 'finish error']
    expect(told(eventsOf([frames[1]!, damaged, frames[5]!]))).toEqual(['reasoning Hm', ...ends])
    expect(told(eventsOf([frames[1]!, frames[2]!.subarray(0, 30)]))).toEqual(['reasoning Hm', ...ends])
    expect(told(eventsOf([frames[1]!, Uint8Array.of(0, 0, 0, 1, 9)]))).toEqual(['reasoning Hm', ...ends])
  })

  test('a frame that is longer than the limit is left out', () => {
    const limits = { ...DEFAULT_LIMITS, payload: 400 }
    const long = frame('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'x'.repeat(500) } })
    expect(told(eventsOf([frames[5]!, long, frames[11]!], { limits }))).toEqual([
      'text Hi',
      'diagnostic limit-reached',
      'finish stop (tool_use)',
    ])
  })

  test('a response that was not streamed', () => {
    const redactedContent = Uint8Array.of(72, 105)
    const content = [
      { reasoningContent: { redactedContent } },
      { citationsContent: { content: [{ text: 'Hi' }], citations: [{ title: 't' }] } },
      { toolUse: { toolUseId: 'a', name: 'search', input: { q: 1 }, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 'a', content: [{ json: { found: 2 } }], status: 'success' } },
      { toolUse: { toolUseId: 'b', name: 'ls', input: { path: '.' } } },
    ]
    const usage = { inputTokens: 1, outputTokens: 2, cacheWriteInputTokens: 3 }
    const response = {
      $metadata: {},
      output: { message: { role: 'assistant', content } },
      stopReason: 'tool_use',
      usage,
    }
    expect(read(response)).toEqual([
      'reasoning  {"bedrock":{"redactedContent":"SGk="}}',
      'text Hi',
      'custom citation {"title":"t"}',
      'call search#a complete {"q":1} theirs',
      'tool-result a {"found":2}',
      'call ls#b complete {"path":"."}',
      'finish tool-calls (tool_use) {"inputTokens":4,"outputTokens":2,"cacheWriteInputTokens":3,"totalTokens":6}',
    ])
  })

  test.each<[what: string, start: object, pieces: object[], expected: string]>([
    ['as a value', { input: { a: 1 } }, [stop(0)], 'complete {"a":1}'],
    ['as text', { input: '{"a":1}' }, [stop(0)], 'complete {"a":1}'],
    ['as a value, and the block has no end', { input: { a: 1 } }, [], 'complete {"a":1}'],
    ['as text that goes on', { input: '{"a"' }, [input(':1}'), stop(0)], 'complete {"a":1}'],
    ['as an empty object', { input: {} }, [input('{"a":1}'), stop(0)], 'complete {"a":1}'],
    ['as a value, and again in pieces', { input: { a: 1 } }, [input('{"a":1}'), stop(0)], 'complete {"a":1}'],
    [
      'as a value, and another in pieces',
      { input: { a: 1 } },
      [input('{"b":2}'), stop(0)],
      'repaired {"b":2} arguments-changed',
    ],
    ['under another name', { arguments: { a: 1 } }, [stop(0)], 'truncated {}'],
    ['as a number', { input: 7 }, [stop(0)], 'invalid 7'],
  ])('input that comes with the start, %s', (_, start, pieces, expected) => {
    const toolUse = { toolUseId: 't1', name: 'ls', ...start }
    const verdicts = eventsOf(
      [
        { contentBlockStart: { contentBlockIndex: 0, start: { toolUse } } },
        ...pieces,
        { messageStop: { stopReason: 'tool_use' } },
      ],
      { provider: 'bedrock' },
    )
      .filter((event) => event.type === 'tool-call')
      .map(({ status, input, repairs }) =>
        [status, JSON.stringify(input), ...repairs.map(({ code }) => code)].join(' '),
      )
    expect(verdicts).toEqual([expected])
  })

  test('the call that a limit cut off is not whole, though a response that was not streamed has it as an object', () => {
    const content = ['a', 'b'].map((toolUseId) => ({
      toolUse: { toolUseId, name: 'ls', input: { path: '.' } },
    }))
    expect(read({ output: { message: { role: 'assistant', content } }, stopReason: 'max_tokens' })).toEqual([
      'call ls#a complete {"path":"."}',
      'diagnostic truncated-call',
      'call ls#b truncated {"path":"."}',
      'finish length (max_tokens)',
    ])
  })
})
