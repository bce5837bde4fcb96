import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { plainValue } from '../../src/providers/plain-value.ts'
import { changedByJson } from '../laws/plain.ts'
import { eventsOf, told } from './told.ts'

const BYTES = new TextEncoder().encode('Hi!')
const cycle: Record<string, unknown> = { a: 1 }
cycle.self = cycle
class Box {
  inside = 1
  get outside(): number {
    throw new Error('never asked for')
  }
}

test.each<[what: string, value: unknown, plain: unknown]>([
  ['bytes are base64', { data: BYTES }, { data: 'SGkh' }],
  ['a part of a buffer is only that part', BYTES.subarray(0, 2), 'SGk='],
  ['a buffer', BYTES.buffer, 'SGkh'],
  ['a date is text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
  ['a date that is none', [new Date(Number.NaN)], [null]],
  ['a big integer is text', { id: 9007199254740993n }, { id: '9007199254740993' }],
  ['numbers that JSON cannot carry', [Number.NaN, Number.POSITIVE_INFINITY, -0], [null, null, 0]],
  ['what is undefined is not there', { a: undefined, b: [undefined, () => {}] }, { b: [null, null] }],
  ['a list with holes', Array(2), [null, null]],
  ['an instance of a class is its fields', new Box(), { inside: 1 }],
  ['maps and sets', { map: new Map([['a', BYTES]]), set: new Set([1]) }, { map: { a: 'SGkh' }, set: [1] }],
  ['a cycle ends', cycle, { a: 1, self: null }],
  ['what is there twice stays twice', [[BYTES, [1]], [1]], [['SGkh', [1]], [1]]],
  ['nothing', undefined, null],
])('%s', (_, value, plain) => {
  const found = plainValue(value)
  expect(found).toEqual(plain)
  expect(changedByJson([found])).toBeUndefined()
})

test('what is plain is the same value, however deep, and __proto__ is data', () => {
  const value = JSON.parse('{"__proto__":{"a":[1,"b",null,true]},"c":{}}') as object
  expect(plainValue(value)).toBe(value)
  let deep: object = {}
  for (let level = 0; level < 100_000; level++) deep = { deep }
  expect(plainValue(deep)).toBe(deep)
  const own = plainValue({ ...value, bytes: BYTES }) as object
  expect(Object.keys(own)).toEqual(['__proto__', 'c', 'bytes'])
})

/** Payloads as the providers' own clients yield them, with bytes where they have some. */
const PAYLOADS: readonly [provider: string, payloads: readonly object[], lines: readonly string[]][] = [
  [
    'bedrock',
    [
      {
        contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: BYTES } } },
      },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { image: { source: { bytes: BYTES } } } } },
      { messageStop: { stopReason: 'end_turn', additionalModelResponseFields: { at: new Date(0) } } },
      { metadata: { metrics: { latencyMs: 3n }, trace: { guardrail: BYTES } } },
    ],
    [
      'reasoning  {"bedrock":{"redactedContent":"SGkh"}}',
      'custom image {"source":{"bytes":"SGkh"}}',
      'custom additionalModelResponseFields {"at":"1970-01-01T00:00:00.000Z"}',
      'custom trace {"guardrail":"SGkh"}',
      'finish stop (end_turn)',
    ],
  ],
  [
    'ai-sdk',
    [
      { type: 'text-start', id: '1', providerMetadata: { x: { seal: BYTES } } },
      { type: 'text-delta', id: '1', delta: 'Hi' },
      { type: 'text-end', id: '1' },
      { type: 'file', mediaType: 'image/png', data: BYTES },
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'ls',
        input: '{}',
        providerMetadata: { x: { seal: BYTES } },
      },
      { type: 'tool-result', toolCallId: 'c', toolName: 'ls', output: { image: BYTES } },
      { type: 'finish', finishReason: 'stop' },
    ],
    [
      'text Hi {"x":{"seal":"SGkh"}}',
      'custom file {"type":"file","mediaType":"image/png","data":"SGkh"}',
      'call ls#c complete {} {"x":{"seal":"SGkh"}}',
      'tool-result c {"image":"SGkh"}',
      'finish stop (stop)',
    ],
  ],
  [
    'ai-sdk-ui',
    [
      { type: 'start', messageMetadata: { seal: BYTES } },
      { type: 'data-image', data: BYTES },
      { type: 'finish', finishReason: 'stop' },
    ],
    ['custom data-image {"type":"data-image","data":"SGkh"}', 'finish stop (stop)'],
  ],
  [
    'gemini',
    [
      {
        candidates: [
          {
            content: { parts: [{ text: 'Hi', thoughtSignature: 'x' }, { inlineData: { data: BYTES } }] },
            finishReason: 'STOP',
          },
        ],
      },
    ],
    [
      'text Hi {"gemini":{"thoughtSignature":"x"}}',
      'custom inlineData {"inlineData":{"data":"SGkh"}}',
      'finish stop (STOP)',
    ],
  ],
  [
    'ollama',
    [{ message: { content: 'Hi', images: [BYTES] }, context: [1n], done: true }],
    ['text Hi', 'custom images ["SGkh"]', 'finish stop'],
  ],
  [
    'openai-chat',
    [{ choices: [{ delta: { content: 'Hi', audio: { data: BYTES } }, finish_reason: 'stop' }] }],
    ['text Hi', 'custom audio {"data":"SGkh"}', 'finish stop (stop)'],
  ],
  [
    'anthropic',
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'image', data: BYTES } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ],
    ['custom image {"type":"image","data":"SGkh"}', 'finish stop (end_turn)'],
  ],
]

describe('bytes in the payloads of official clients are base64 in events:', () => {
  test.each(PAYLOADS)('%s', (provider, payloads, lines) => {
    const events: SluiceEvent[] = eventsOf(payloads, { provider })
    expect(told(events)).toEqual(lines)
    expect(changedByJson(events)).toBeUndefined()
  })
})
