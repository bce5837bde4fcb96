import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/limits.ts'
import { eventsOf, sse, told } from './told.ts'

const readAs =
  (provider: string) =>
  (...payloads: object[]): string[] =>
    told(eventsOf(payloads, { provider }))

describe('Ollama', () => {
  const read = readAs('ollama')
  const message = (fields: object): object => ({
    model: 'm',
    message: { role: 'assistant', content: '', ...fields },
    done: false,
  })
  const done = {
    model: 'm',
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 3,
    eval_count: 4,
  }
  const END = 'finish tool-calls (stop) {"inputTokens":3,"outputTokens":4,"totalTokens":7}'

  test('thinking, text and calls that all say the same', () => {
    const ls = { function: { name: 'ls', arguments: { path: '.' } } }
    const payloads = [
      message({ thinking: 'Hm' }),
      message({ thinking: '.' }),
      message({ content: 'Hi' }),
      message({ tool_calls: [ls, ls] }),
      message({ tool_calls: [{ id: 'x', function: { index: 0, name: 'ping', arguments: {} } }] }),
      done,
    ]
    const lines = [
      'reasoning Hm|.',
      'text Hi',
      'call ls#call-3 complete {"path":"."}',
      'call ls#call-4 complete {"path":"."}',
      'call ping#x complete {}',
      END,
    ]
    expect(read(...payloads)).toEqual(lines)
    expect(told(eventsOf([payloads.map((one) => `${JSON.stringify(one)}\n`).join('')]))).toEqual(lines)
  })

  test('generate', () => {
    expect(
      read({ response: 'Hi', done: false }, { response: '', done: true, done_reason: 'length' }),
    ).toEqual(['text Hi', 'finish length (length)'])
  })

  test('an error in the middle', () => {
    expect(read(message({ content: 'Hi' }), { error: 'model runner has stopped' })).toEqual([
      'text Hi',
      'error model runner has stopped',
      'finish error',
    ])
  })
})

describe('Bedrock', () => {
  const read = readAs('bedrock')
  const delta = (contentBlockIndex: number, fields: object): object => ({
    contentBlockDelta: { contentBlockIndex, delta: fields },
  })
  const stop = (contentBlockIndex: number): object => ({ contentBlockStop: { contentBlockIndex } })
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
})

describe('Cohere', () => {
  const read = readAs('cohere')
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
})

describe("the AI SDK's parts", () => {
  const read = readAs('ai-sdk')
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
})

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
    const read = readAs('ai-sdk-ui')
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
})
