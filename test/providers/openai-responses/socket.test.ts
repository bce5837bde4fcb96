import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { type MessageSource, readResponses } from '../../../src/providers/index.ts'
import { told } from '../told.ts'

const created = (id: string): object => ({
  type: 'response.created',
  response: { id, status: 'in_progress' },
})
const delta = (words: string): object => ({
  type: 'response.output_text.delta',
  output_index: 0,
  content_index: 0,
  delta: words,
})
const completed = (id: string): object => ({
  type: 'response.completed',
  response: { id, status: 'completed' },
})
const response = (id: string, words: string): object[] => [created(id), delta(words), completed(id)]
const asMessages = (payloads: readonly object[]): string[] => payloads.map((one) => JSON.stringify(one))

async function all(source: MessageSource): Promise<string[][]> {
  const responses: string[][] = []
  for await (const stream of readResponses(source)) {
    const events: SluiceEvent[] = []
    for await (const event of stream) events.push(event)
    responses.push(told(events))
  }
  return responses
}

/** A socket whose other end is this test. */
class Socket extends EventTarget {
  readonly listening = new Set<string>()

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listening.add(args[0])
    super.addEventListener(...args)
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listening.delete(args[0])
    super.removeEventListener(...args)
  }

  receive(...payloads: readonly object[]): void {
    for (const data of asMessages(payloads)) this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

describe('responses on one socket', () => {
  test('are a stream each', async () => {
    expect(await all(asMessages([...response('r1', 'One.'), ...response('r2', 'Two.')]))).toEqual([
      ['text One.', 'finish stop (completed)'],
      ['text Two.', 'finish stop (completed)'],
    ])
  })

  test('know nothing of each other: ids and places begin again, and so does what is open', async () => {
    const call = (id: string): object[] => [
      created(id),
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', call_id: 'c', name: 'ls' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"p":' },
    ]
    const cut = {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    }
    const rest = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '1}' }
    const [first, second] = await all([...call('r1'), cut, ...call('r2'), rest, completed('r2')])
    expect(first).toContain('call ls#c truncated {}')
    expect(second).toContain('call ls#c complete {"p":1}')
  })

  test('come as text, as bytes, decoded, or as the events of a socket', async () => {
    const [first, second, third] = response('r', 'Hi')
    const bytes = new TextEncoder().encode(JSON.stringify(third))
    const expected = [['text Hi', 'finish stop (completed)']]
    expect(await all([JSON.stringify(first), second, bytes.buffer])).toEqual(expected)
    expect(await all([{ data: JSON.stringify(first) }, { type: 'message', data: bytes }])).toEqual([
      ['finish stop (completed)'],
    ])
  })

  test('may end with an error, alone or in the middle, and the next one is read', async () => {
    const error = {
      type: 'error',
      status: 400,
      error: { code: 'previous_response_not_found', message: 'No r0.' },
    }
    expect(await all([error, created('r1'), delta('Hel'), error, ...response('r2', 'Two.')])).toEqual([
      ['error No r0.', 'finish error'],
      ['text Hel', 'error No r0.', 'finish error'],
      ['text Two.', 'finish stop (completed)'],
    ])
  })

  test('are told from what else comes, and a message that is no JSON is a diagnostic', async () => {
    expect(
      await all([
        '{}',
        '{"type":"session.updated"}',
        'x',
        ...asMessages([created('r')]),
        '{"type',
        JSON.stringify(completed('r')),
      ]),
    ).toEqual([['diagnostic provider-payload', 'finish stop (completed)']])
  })

  test('that break off are cut off', async () => {
    expect(await all([created('r'), delta('Hel')])).toEqual([
      ['text Hel', 'diagnostic truncated-stream', 'finish error'],
    ])
  })
})

test('what is left of a response is skipped when the next one is asked for', async () => {
  const texts: string[] = []
  for await (const stream of readResponses([
    ...response('r1', 'One.'),
    ...response('r2', 'Two.'),
    ...response('r3', 'Three.'),
  ]))
    for await (const event of stream)
      if (event.type === 'text-delta') {
        texts.push(event.delta)
        break
      }
  expect(texts).toEqual(['One.', 'Two.', 'Three.'])
})

describe('a socket', () => {
  test('is heard from the start, answered between responses, and left open', async () => {
    const socket = new Socket()
    const responses = readResponses(socket)
    socket.receive(...response('r1', 'One.'))
    const first = await responses.next()
    expect((await first.value!.message()).text).toBe('One.')
    const second = responses.next()
    socket.receive(...response('r2', 'Two.'))
    expect((await (await second).value!.message()).text).toBe('Two.')
    expect(socket.listening.size).toBe(3)
    await responses.return?.()
    expect(socket.listening.size).toBe(0)
  })

  test('that closes ends the last response, and there is no other', async () => {
    const socket = new Socket()
    const read = all(socket)
    socket.receive(created('r'), delta('Hel'))
    socket.dispatchEvent(new Event('close'))
    expect(await read).toEqual([['text Hel', 'diagnostic truncated-stream', 'finish error']])
    expect(socket.listening.size).toBe(0)
  })

  test.each([
    [
      'in a response',
      [created('r'), delta('Hel')],
      [['text Hel', 'error The socket failed.', 'finish error']],
    ],
    ['between responses', [], [['error The socket failed.', 'finish error']]],
  ])('that fails %s is an error, once', async (_, payloads, expected) => {
    const socket = new Socket()
    const read = all(socket)
    socket.receive(...payloads)
    socket.dispatchEvent(new Event('error'))
    expect(await read).toEqual(expected)
  })
})

test('anything else is refused', () => {
  const refused = expect.objectContaining({
    code: 'invalid-source',
    message: 'readResponses takes a WebSocket or an iterable of its messages, not a string.',
  })
  expect(() => readResponses('{}')).toThrow(refused)
})
