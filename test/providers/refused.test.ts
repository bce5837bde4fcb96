/** A call that failed stays one: on the way through a writer and a reader, nothing makes it whole. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { allWriters, findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { eventsOf, told } from './told.ts'

const failed = (pieces: readonly string[], more: Partial<ToolCall>): SluiceEvent[] => [
  { type: 'tool-input-start', id: 'a', toolName: 'wipe' },
  ...pieces.map((delta): SluiceEvent => ({ type: 'tool-input-delta', id: 'a', delta })),
  { type: 'tool-input-end', id: 'a' },
  { type: 'tool-call', id: 'a', toolName: 'wipe', input: {}, status: 'truncated', repairs: [], ...more },
  { type: 'finish', reason: 'tool-calls' },
]

describe.each(allWriters.map(({ name }) => name))('written as %s', (format) => {
  const readBack = (events: readonly SluiceEvent[]): string[] => {
    const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 1 })
    const text = events.map((event) => writer.add(event)).join('')
    const calls = told(eventsOf([text], { provider: format })).filter((line) => line.startsWith('call'))
    return calls.map((line) => line.split(' ')[2]!)
  }

  test.each<[what: string, events: readonly SluiceEvent[]]>([
    ['no JSON from the start', failed([], { status: 'invalid', raw: ',"a":1}' })],
    ['no input', failed([], { raw: '' })],
    ['nothing that was kept', failed([], { input: null })],
  ])('a call that is bad from its start is no call, or an invalid one: %s', (_, events) => {
    expect(readBack(events)).toEqual(format === 'ai-sdk-ui' ? ['invalid'] : [])
  })

  test('a call whose input looks whole as a value is cut off', () => {
    const events = failed(['{"path":"/tm'], { input: { path: '/tm' }, raw: '{"path":"/tm' })
    expect(readBack(events)).toEqual(['ollama', 'gemini'].includes(format) ? [] : ['truncated'])
  })
})

describe('a call that the AI SDK refused', () => {
  const start = { type: 'tool-input-start', toolCallId: 'a', id: 'a', toolName: 'wipe' }
  const piece = '{"path":"/tm'

  test('is not completed by the value that comes with the refusal', () => {
    const refusal = { type: 'tool-input-error', toolCallId: 'a', toolName: 'wipe', errorText: 'no' }
    const delta = { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: piece }
    const read = (...payloads: object[]): string[] =>
      told(eventsOf([...payloads, { type: 'finish', finishReason: 'tool-calls' }], { provider: 'ai-sdk-ui' }))
    const lines = [
      'diagnostic truncated-call',
      'call wipe#a truncated {"path":"/tm"}',
      'tool-result a failed no',
      'finish stop (tool-calls)',
    ]
    expect(read(start, delta, { ...refusal, input: { path: '/tm' } })).toEqual(lines)
    expect(read(start, delta, { ...refusal, input: piece })).toEqual(lines)
    expect(read(start, { ...refusal, input: piece })).toEqual(lines)
  })

  test.each([
    ['cut off', piece, 'truncated {"path":"/tm"}'],
    ['whole', '{"path":"/"}', 'invalid {"path":"/"}'],
  ])('while it was written is over with its error, and runs nowhere: %s', (_, input, verdict) => {
    const chunks = [
      start,
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: input },
      { type: 'tool-output-error', toolCallId: 'a', errorText: 'no', providerExecuted: true },
      { type: 'finish', finishReason: 'stop' },
    ]
    const events = eventsOf(chunks, { provider: 'ai-sdk-ui' })
    const call = events.find((event) => event.type === 'tool-call')!
    expect(isExecutable(call)).toBe(false)
    const lines = told(events).filter((line) => !line.startsWith('diagnostic'))
    expect(lines).toEqual([
      expect.stringContaining(`call wipe#a ${verdict}`),
      'tool-result a failed no',
      'finish stop (stop)',
    ])
  })

  test('is not completed in the parts of streamText either', () => {
    const part = {
      type: 'tool-call',
      toolCallId: 'a',
      toolName: 'wipe',
      invalid: true,
      input: { path: '/tm' },
    }
    const delta = { type: 'tool-input-delta', id: 'a', delta: piece }
    const lines = told(eventsOf([start, delta, part], { provider: 'ai-sdk' }))
    expect(lines.slice(0, 2)).toEqual(['diagnostic truncated-call', 'call wipe#a truncated {"path":"/tm"}'])
  })

  test.each<[what: string, provider: string, chunks: readonly object[]]>([
    [
      'with its value',
      'ai-sdk',
      [
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'wipe',
          invalid: true,
          input: { path: '/' },
          error: new Error('no'),
        },
      ],
    ],
    [
      'behind its text',
      'ai-sdk',
      [
        start,
        { type: 'tool-input-delta', id: 'a', delta: '{"path":"/"}' },
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'wipe',
          invalid: true,
          input: '{"path":"/"}',
          error: 'no',
        },
      ],
    ],
    [
      'in a UI message stream',
      'ai-sdk-ui',
      [
        start,
        { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"path":"/"}' },
        {
          type: 'tool-input-error',
          toolCallId: 'a',
          toolName: 'wipe',
          input: { path: '/' },
          errorText: 'no',
        },
      ],
    ],
    [
      'by an error in place of its input',
      'ai-sdk-ui',
      [
        start,
        { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"path":"/"}' },
        { type: 'tool-output-error', toolCallId: 'a', errorText: 'no' },
      ],
    ],
  ])('may not run, although it is whole: %s', (_, provider, chunks) => {
    const call = eventsOf(chunks, { provider }).find((event) => event.type === 'tool-call')
    expect(call).toMatchObject({
      status: 'invalid',
      input: { path: '/' },
      error: { code: 'refused', message: 'no', offset: 0 },
    })
  })

  test('may not run if its input is free text', () => {
    const chunks = [
      { ...start, inputEncoding: 'text' },
      { type: 'tool-input-delta', id: 'a', delta: 'rm -rf /' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'wipe', invalid: true, input: 'rm -rf /', error: 'no' },
    ]
    const call = eventsOf(chunks, { provider: 'ai-sdk' }).find((event) => event.type === 'tool-call')
    expect(call).toMatchObject({ status: 'invalid', input: 'rm -rf /', error: { code: 'refused' } })
  })
})
