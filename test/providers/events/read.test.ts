import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { hermes } from '../../../src/dialects/index.ts'
import { sluice } from '../../../src/engine/stream.ts'
import { createWriter, eventsWriter, readEvents, toResponse } from '../../../src/providers/index.ts'

const SSE = { headers: { 'content-type': 'text/event-stream' } }

async function listOf(events: AsyncIterable<SluiceEvent>): Promise<SluiceEvent[]> {
  const list: SluiceEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

/** A response whose body comes in these pieces. */
function inPieces(pieces: Iterable<Uint8Array>, fails?: Error): Response {
  const iterator = pieces[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next()
      if (!done) controller.enqueue(value)
      else if (fails) controller.error(fails)
      else controller.close()
    },
  })
  return new Response(body, SSE)
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const written = (events: readonly SluiceEvent[]): string => {
  const writer = createWriter(eventsWriter)
  return events.map((event) => writer.add(event)).join('')
}

const CALL = '{"name": "write", "arguments": {"path": "é.md", "lines": [1, 2]}}'
/** One call that waits for its verdict, and one that is cut off. */
const TEXT = `<think>Hm. <tool_call>${CALL}</tool_call> no.</think>Hi 😀\n<tool_call>${CALL}</tool_call><tool_call>{"name": "w`
const said = (): Promise<SluiceEvent[]> =>
  listOf(sluice(TEXT, { dialect: hermes, emit: { json: true, arguments: true, source: true, raw: true } }))

test('a page reads the events that the server has, all of them and in their order', async () => {
  const events = await said()
  expect(events.filter(({ type }) => type === 'tool-call').length).toBeGreaterThan(1)
  expect(await listOf(readEvents(toResponse(events, eventsWriter)))).toEqual(events)
})

test('it makes no difference how the bytes are cut', async () => {
  const events = await said()
  const single = Array.from(bytes(written(events)), (byte) => Uint8Array.of(byte))
  expect(await listOf(readEvents(inPieces(single)))).toEqual(events)
})

test.each([
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines may end in %s, wherever they are cut', async (_, end) => {
  const events = await said()
  const other = bytes(written(events).replaceAll('\n', end))
  expect(await listOf(readEvents(inPieces([other])))).toEqual(events)
  const single = Array.from(other, (byte) => Uint8Array.of(byte))
  expect(await listOf(readEvents(inPieces(single)))).toEqual(events)
})

test('comments between events keep a connection alive and mean nothing', async () => {
  const text = `: still here\n\n${written([{ type: 'finish', reason: 'stop' }])}`
  expect(await listOf(readEvents(inPieces([bytes(text)])))).toEqual([{ type: 'finish', reason: 'stop' }])
})

const OPEN: readonly SluiceEvent[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'H' },
  { type: 'tool-input-start', id: 'a', toolName: 'ls' },
  { type: 'tool-input-delta', id: 'a', delta: '{"path":' },
  { type: 'tool-input-delta', id: 'a', delta: '"/"}' },
  { type: 'tool-input-end', id: 'a' },
  { type: 'tool-input-start', id: 'b', toolName: 'search', providerExecuted: true },
  { type: 'tool-result-start', id: 'c' },
]
const ERROR = { code: 'truncated', message: 'The response ended before the call was complete.' }
const ENDED: readonly SluiceEvent[] = [
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-end', id: 't' },
  { type: 'tool-result-end', id: 'c' },
  {
    type: 'tool-call',
    id: 'a',
    toolName: 'ls',
    input: null,
    status: 'truncated',
    repairs: [],
    raw: '{"path":"/"}',
    error: { ...ERROR, offset: 12 },
  },
  { type: 'tool-input-end', id: 'b' },
  {
    type: 'tool-call',
    id: 'b',
    toolName: 'search',
    input: null,
    status: 'truncated',
    repairs: [],
    raw: '',
    error: { ...ERROR, offset: 0 },
    providerExecuted: true,
  },
]

describe('a connection that breaks off ends what is open, and no call is whole', () => {
  test.each<[how: string, response: () => Response, end: readonly SluiceEvent[]]>([
    [
      'without a word',
      () => inPieces([bytes(written(OPEN))]),
      [
        {
          type: 'error',
          error: { name: 'Error', message: 'The connection ended before the response did.' },
        },
        { type: 'finish', reason: 'error' },
      ],
    ],
    [
      'with an error',
      () => inPieces([bytes(written(OPEN))], new TypeError('network error')),
      [
        { type: 'error', error: { name: 'TypeError', message: 'network error' } },
        { type: 'finish', reason: 'error' },
      ],
    ],
    [
      'because the page aborts it',
      () => inPieces([bytes(written(OPEN))], new DOMException('Aborted', 'AbortError')),
      [{ type: 'finish', reason: 'aborted' }],
    ],
    [
      'in the middle of an event',
      () => inPieces([bytes(`${written(OPEN)}data: {"type":"text-del`)]),
      [
        {
          type: 'error',
          error: { name: 'Error', message: 'The connection ended before the response did.' },
        },
        { type: 'finish', reason: 'error' },
      ],
    ],
  ])('%s', async (_, response, end) => {
    expect(await listOf(readEvents(response()))).toEqual([...OPEN, ...ENDED, ...end])
  })
})

describe('what is no stream of events ends in an error:', () => {
  test.each<[what: string, response: () => Response | Promise<Response>, error: object]>([
    [
      'a refusal',
      () => new Response('Nope', { status: 403, statusText: 'Forbidden' }),
      { name: 'ResponseError', message: 'The server answered 403 Forbidden.', status: 403 },
    ],
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      {
        name: 'SluiceError',
        code: 'invalid-source',
        message:
          'readEvents reads what toResponse sends with eventsWriter (text/event-stream), not text/html.',
      },
    ],
    [
      'an answer that never comes',
      () => Promise.reject(new TypeError('Failed to fetch')),
      { name: 'TypeError', message: 'Failed to fetch' },
    ],
    [
      'something else in a stream',
      () => new Response('data: [DONE]\n\n', SSE),
      { name: 'SyntaxError', message: expect.stringContaining('JSON') },
    ],
    [
      'an empty answer',
      () => new Response(null, { status: 200, ...SSE }),
      { name: 'Error', message: 'The connection ended before the response did.' },
    ],
  ])('%s', async (_, response, error) => {
    expect(await listOf(readEvents(response()))).toEqual([
      { type: 'error', error },
      { type: 'finish', reason: 'error' },
    ])
  })
})

test('the error that became the status of a response arrives as the event that it was', async () => {
  const events: SluiceEvent[] = [
    { type: 'error', error: { name: 'ResponseError', message: 'Slow down.', status: 429 } },
    { type: 'finish', reason: 'error' },
  ]
  const response = await toResponse(events, eventsWriter)
  expect(response.status).toBe(429)
  expect(await listOf(readEvents(response))).toEqual(events)
})

test('leaving the loop cancels the response', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes(written(OPEN))),
    cancel() {
      isCancelled = true
    },
  })
  for await (const { type } of readEvents(new Response(body, SSE))) if (type === 'text-start') break
  expect(isCancelled).toBe(true)
})
