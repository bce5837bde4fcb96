import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { ResponseError } from '../../src/base/source.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { SluiceStream, sluice } from '../../src/engine/stream.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Events with their deltas merged, in a short form: `text Hello`, `finish stop`. */
function told(events: readonly SluiceEvent[]): string[] {
  const lines: string[] = []
  for (const event of events) {
    const line = 'delta' in event ? `${event.type.replace('-delta', '')} ${event.delta}` : ''
    const last = lines.at(-1)
    if (line === '') lines.push(event.type === 'finish' ? `finish ${event.reason}` : event.type)
    else if ('delta' in event && last?.startsWith(`${event.type.replace('-delta', '')} `))
      lines[lines.length - 1] = last + event.delta
    else lines.push(line)
  }
  return lines
}

async function collect(events: AsyncIterable<SluiceEvent>): Promise<SluiceEvent[]> {
  const all: SluiceEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const HELLO = ['text-start', 'text Hello, wörld 😀', 'text-end', 'finish stop']

describe('a byte order mark', () => {
  const MARKED = '\ufeffHello, wörld 😀'
  const encoded = bytes(MARKED)

  it.each<[string, string | Uint8Array | (string | Uint8Array)[]]>([
    ['a string', MARKED],
    ['bytes', encoded],
    ['bytes one by one', Array.from(encoded, (byte) => Uint8Array.of(byte))],
    ['a string before bytes', ['\ufeff', bytes('Hello, wörld 😀')]],
  ])('is dropped at the start of %s', async (_, source) => {
    expect(told(await collect(sluice(source)))).toEqual(HELLO)
  })

  it('is text anywhere else, in bytes as in a string', async () => {
    for (const rest of ['\ufeffb', bytes('\ufeffb')])
      expect(told(await collect(sluice(['a', rest])))).toContain('text a\ufeffb')
  })
})

/** A source that says what happens to it. Each chunk is made when it is asked for. */
class Spy implements AsyncIterable<string> {
  read = 0
  cancelled = 0
  private readonly chunks: (string | Error | Promise<string>)[]

  constructor(...chunks: (string | Error | Promise<string>)[]) {
    this.chunks = chunks
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: async () => {
        const chunk = this.chunks[this.read++]
        if (chunk instanceof Error) throw chunk
        return chunk === undefined ? { done: true, value: undefined } : { done: false, value: await chunk }
      },
      return: async () => {
        this.cancelled++
        return { done: true, value: undefined }
      },
    }
  }

  /** The same as a web stream that buffers nothing. */
  stream(): ReadableStream<string> {
    const iterator = this[Symbol.asyncIterator]()
    return new ReadableStream<string>(
      {
        pull: async (controller) => {
          const { done, value } = await iterator.next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        cancel: () => {
          this.cancelled++
        },
      },
      { highWaterMark: 0 },
    )
  }
}

const never = (): Promise<string> => new Promise(() => {})

describe('a response is read from', () => {
  const text = 'Hello, wörld 😀'
  const whole = bytes(text)
  const oneByOne = [...whole].map((byte) => Uint8Array.of(byte))

  it.each<[what: string, source: () => Parameters<typeof sluice>[0]]>([
    ['a string', () => text],
    ['bytes', () => whole],
    ['an ArrayBuffer', () => whole.slice().buffer as ArrayBuffer],
    ['a list of strings', () => ['Hello', ', wörld ', '😀']],
    ['a list of single bytes', () => oneByOne],
    ['text and bytes in turns', () => ['Hello', whole.subarray(5)]],
    ['an async iterable', () => new Spy('Hello, ', 'wörld 😀')],
    ['a web stream of text', () => new Spy('Hello, ', 'wörld 😀').stream()],
    ['a web stream of bytes', () => new Blob([text]).stream()],
    ["Node's own stream", () => Readable.from(oneByOne)],
    ['a response', () => new Response(text)],
    ['a promise of a response', () => Promise.resolve(new Response(text))],
    ['a promise of a string', () => Promise.resolve(text)],
  ])('%s', async (_, source) => {
    expect(told(await collect(sluice(source())))).toEqual(HELLO)
  })

  it('a response without a body', async () => {
    expect(told(await collect(sluice(new Response(null))))).toEqual(['finish stop'])
  })

  it('bytes that end inside a character', async () => {
    expect(told(await collect(sluice([Uint8Array.of(0x68, 0xc3)])))).toEqual([
      'text-start',
      'text h\ufffd',
      'text-end',
      'finish stop',
    ])
  })

  it('a source with calls in it, as a message', async () => {
    const source = ['Look: <tool_', 'call>{"name": "ls", "argu', 'ments": {"path": "."}}</tool_call>']
    const message = await sluice(source, { dialect: hermes }).message()
    expect(message.text).toBe('Look: ')
    expect(message.toolCalls.map(({ input }) => input)).toEqual([{ path: '.' }])
  })
})

describe('wrong use', () => {
  it.each<[what: string, source: unknown, message: string]>([
    ['null', null, 'not null.'],
    ['undefined', undefined, 'not undefined.'],
    ['a number', 42, 'not a number.'],
    ['an object', {}, 'not an object.'],
  ])('%s is no source, and that is said at once', (_, source, message) => {
    expect(() => sluice(source as string)).toThrow(
      expect.objectContaining({ code: 'invalid-source', message: expect.stringContaining(message) }),
    )
  })

  it('a stream that someone else reads is no source', () => {
    const stream = new Blob(['a']).stream()
    stream.getReader()
    expect(() => sluice(stream)).toThrow(expect.objectContaining({ code: 'invalid-source' }))
  })

  it('a response that has been read is no source', async () => {
    const response = new Response('a')
    await response.text()
    expect(() => sluice(response)).toThrow(expect.objectContaining({ code: 'invalid-source' }))
  })

  it('a number is no signal', () => {
    expect(() => sluice('a', { signal: 1 as unknown as AbortSignal })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
  })

  it('events can be read once', async () => {
    const events = sluice('a')
    await collect(events)
    await expect(collect(events)).rejects.toMatchObject({ code: 'invalid-source' })
  })

  it('what an option throws reaches the loop, and lets the source go', async () => {
    const spy = new Spy('a', 'b')
    const generateId = (): string => {
      throw new Error('no more ids')
    }
    await expect(collect(sluice(spy, { generateId }))).rejects.toThrow('no more ids')
    expect(spy.cancelled).toBe(1)
  })
})

describe('reading', () => {
  it('takes nothing from the source before it is asked', async () => {
    const spy = new Spy('a', 'b', 'c')
    const iterator = sluice(spy)[Symbol.asyncIterator]()
    expect(spy.read).toBe(0)
    await iterator.next()
    await iterator.next()
    expect(spy.read).toBe(1)
    await iterator.next()
    expect(spy.read).toBe(2)
    await iterator.return?.()
  })

  it('answers several questions at once in order', async () => {
    const iterator = sluice(new Spy('a', 'b'))[Symbol.asyncIterator]()
    const answers = await Promise.all(Array.from({ length: 7 }, () => iterator.next()))
    expect(answers.map(({ value }) => value?.type)).toEqual([
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
      undefined,
      undefined,
    ])
  })

  it('to the end does not cancel the source', async () => {
    const spy = new Spy('a')
    const stream = new Spy('a')
    await collect(sluice(spy))
    await collect(sluice(stream.stream()))
    expect([spy.cancelled, stream.cancelled]).toEqual([0, 0])
  })
})

describe('leaving the loop cancels the source once', () => {
  const kinds: [
    what: string,
    open: (spy: Spy) => AsyncIterable<string> | ReadableStream<string> | Promise<ReadableStream<string>>,
  ][] = [
    ['an iterable', (spy) => spy],
    ['a stream', (spy) => spy.stream()],
    ['a promised stream', async (spy) => spy.stream()],
  ]

  it.each(kinds)('with break, for %s', async (_, open) => {
    const spy = new Spy('a', 'b')
    for await (const event of sluice(open(spy))) if (event.type === 'text-delta') break
    expect([spy.read, spy.cancelled]).toEqual([1, 1])
  })

  it.each(kinds)('with an error, for %s', async (_, open) => {
    const spy = new Spy('a', 'b')
    const read = async (): Promise<void> => {
      for await (const _event of sluice(open(spy))) throw new Error('enough')
    }
    await expect(read()).rejects.toThrow('enough')
    expect(spy.cancelled).toBe(1)
  })

  it.each(kinds)('with return(), for %s, even while a chunk is awaited', async (_, open) => {
    const spy = new Spy(never())
    const iterator = sluice(open(spy))[Symbol.asyncIterator]()
    const awaited = iterator.next()
    await new Promise((resolve) => setImmediate(resolve))
    await iterator.return?.()
    await iterator.return?.()
    expect(await awaited).toEqual({ done: true, value: undefined })
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    expect(spy.cancelled).toBe(1)
  })

  it('and a source that cannot be cancelled does not matter', async () => {
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue('a'),
      cancel: () => Promise.reject(new Error('cannot')),
    })
    const read = async (): Promise<void> => {
      for await (const event of sluice(stream)) if (event.type === 'text-delta') break
    }
    await expect(read()).resolves.toBeUndefined()
  })
})

describe('a signal', () => {
  it('ends the response, whose last event says so', async () => {
    const spy = new Spy('Hello <tool_', never())
    const controller = new AbortController()
    const events: SluiceEvent[] = []
    for await (const event of sluice(spy, { dialect: hermes, signal: controller.signal })) {
      events.push(event)
      if (event.type === 'text-delta') queueMicrotask(() => controller.abort())
    }
    expect(told(events)).toEqual(['text-start', 'text Hello <tool_', 'text-end', 'finish aborted'])
    expect(spy.cancelled).toBe(1)
  })

  it('leaves a call that it cut off truncated', async () => {
    const controller = new AbortController()
    const source = new Spy('<tool_call>{"name": "rm", "arguments": {"path": "/tmp', never())
    const events: SluiceEvent[] = []
    for await (const event of sluice(source, { dialect: hermes, signal: controller.signal })) {
      events.push(event)
      if (event.type === 'tool-input-delta') controller.abort()
    }
    expect(events.find((event) => event.type === 'tool-call')).toMatchObject({
      status: 'truncated',
      input: { path: '/tmp' },
    })
    expect(events.filter((event) => event.type === 'finish')).toEqual([{ type: 'finish', reason: 'aborted' }])
  })

  it('that has fired already reads nothing', async () => {
    const spy = new Spy('a')
    const stream = new Spy('a')
    const signal = AbortSignal.abort()
    expect(told(await collect(sluice(spy, { signal })))).toEqual(['finish aborted'])
    expect(told(await collect(sluice(stream.stream(), { signal })))).toEqual(['finish aborted'])
    expect([spy.read, stream.read, stream.cancelled]).toEqual([0, 0, 1])
  })

  it('that makes the source fail too is not a failure', async () => {
    const controller = new AbortController()
    const source = async function* (): AsyncGenerator<string> {
      yield 'a'
      await new Promise((_, reject) =>
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason)),
      )
    }
    const events: SluiceEvent[] = []
    for await (const event of sluice(source(), { signal: controller.signal })) {
      events.push(event)
      if (event.type === 'text-delta') setImmediate(() => controller.abort())
    }
    expect(told(events)).toEqual(['text-start', 'text a', 'text-end', 'finish aborted'])
  })

  it('does not wait for a promise that never comes', async () => {
    const controller = new AbortController()
    const events = collect(sluice(new Promise<string>(() => {}), { signal: controller.signal }))
    controller.abort()
    expect(told(await events)).toEqual(['finish aborted'])
  })

  it('that fires after the end changes nothing', async () => {
    const controller = new AbortController()
    const events: SluiceEvent[] = []
    for await (const event of sluice('a', { signal: controller.signal })) {
      events.push(event)
      if (event.type === 'text-end') controller.abort()
    }
    expect(events.filter((event) => event.type === 'finish')).toEqual([{ type: 'finish', reason: 'stop' }])
  })

  it.each<[how: string, read: (signal: AbortSignal) => Promise<unknown>]>([
    ['was read to its end', (signal) => collect(sluice('a', { signal }))],
    ['failed', (signal) => collect(sluice(new Spy(new Error('no')), { signal }))],
    [
      'was left',
      async (signal) => {
        for await (const _event of sluice(['a', 'b'], { signal })) break
      },
    ],
    [
      'was piped',
      (signal) => collect(iterate(new Blob(['a']).stream().pipeThrough(new SluiceStream({ signal })))),
    ],
  ])('is let go when the stream %s', async (_, read) => {
    const { signal } = new AbortController()
    await read(signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a source that fails', () => {
  it('gives everything so far, the error, and an end', async () => {
    const failure = new Error('socket hang up')
    const events = await collect(sluice(new Spy('Hello <tool_', failure), { dialect: hermes }))
    expect(told(events)).toEqual(['text-start', 'text Hello <tool_', 'text-end', 'error', 'finish error'])
    expect(events.find((event) => event.type === 'error')).toEqual({
      type: 'error',
      error: { name: 'Error', message: 'socket hang up' },
    })
  })

  it('as a promise does the same', async () => {
    const events = await collect(sluice(Promise.reject(new Error('no route'))))
    expect(told(events)).toEqual(['error', 'finish error'])
  })

  it('because it is none after all, says so in the stream', async () => {
    const [error] = await collect(sluice(Promise.resolve(42 as unknown as string)))
    expect(error).toMatchObject({ type: 'error', error: { code: 'invalid-source' } })
  })

  it('because it gives neither text nor bytes, is told and let go', async () => {
    const spy = new Spy('a', { not: 'text' } as unknown as string)
    const events = await collect(sluice(spy))
    expect(told(events)).toEqual(['text-start', 'text a', 'text-end', 'error', 'finish error'])
    expect(spy.cancelled).toBe(1)
  })

  it("because it gives the chunks of an API's client, is told who reads those", async () => {
    const { error } = await sluice([{ choices: [] }] as never).message()
    expect(error).toHaveProperty(
      'message',
      "A source gives text or bytes, not an object; read the chunks of an API's client with readProvider of 'sluice/providers'.",
    )
  })

  it('because the server refused, gives the status and the reason', async () => {
    const response = new Response('{"error":"slow down"}', { status: 429, statusText: 'Too Many Requests' })
    const errors: unknown[] = []
    const events = await collect(
      sluice(Promise.resolve(response), { onError: (error) => errors.push(error) }),
    )
    expect(told(events)).toEqual(['error', 'finish error'])
    const message = 'The server answered 429 Too Many Requests: slow down'
    expect(events[0]).toEqual({ type: 'error', error: { name: 'ResponseError', message, status: 429 } })
    const [error] = errors as ResponseError[]
    expect(error).toBeInstanceOf(ResponseError)
    expect(error?.body).toBe('{"error":"slow down"}')
  })

  it("has the server's or the system's own word for it", async () => {
    const body = '{"error":{"message":"No.","type":"invalid_request_error","code":"invalid_api_key"}}'
    const [refused] = await collect(sluice(new Response(body, { status: 401 })))
    expect(refused).toMatchObject({ error: { code: 'invalid_api_key', status: 401 } })
    const failure = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    const [failed] = await collect(sluice(Promise.reject(failure)))
    expect(failed).toEqual({
      type: 'error',
      error: { name: 'TypeError', message: 'fetch failed', code: 'ECONNREFUSED' },
    })
  })

  it('because the server refused at length, keeps the beginning and cancels the rest', async () => {
    const spy = new Spy('x'.repeat(3000), 'x'.repeat(3000), 'x'.repeat(3000))
    const body = spy.stream().pipeThrough(new TextEncoderStream())
    let error: unknown
    const events = await collect(
      sluice(new Response(body, { status: 500 }), { onError: (one) => (error = one) }),
    )
    expect(error).toHaveProperty('body', 'x'.repeat(4096))
    expect(JSON.stringify(events)).not.toContain('xxx')
    expect(spy.cancelled).toBe(1)
  })
})

async function* iterate<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
}

describe('a stream that is piped', () => {
  it('gives the same events', async () => {
    const source = new Blob(['Hello, wörld 😀']).stream()
    expect(told(await collect(iterate(source.pipeThrough(new SluiceStream()))))).toEqual(HELLO)
  })

  it('gives the same events from text', async () => {
    const source = new Spy('Hello, ', 'wörld 😀').stream()
    expect(told(await collect(iterate(source.pipeThrough(new SluiceStream()))))).toEqual(HELLO)
  })

  it('is ended by its signal, which cancels the source', async () => {
    const spy = new Spy('a', never())
    const controller = new AbortController()
    const events: SluiceEvent[] = []
    for await (const event of iterate(
      spy.stream().pipeThrough(new SluiceStream({ signal: controller.signal })),
    )) {
      events.push(event)
      if (event.type === 'text-delta') setImmediate(() => controller.abort())
    }
    expect(told(events)).toEqual(['text-start', 'text a', 'text-end', 'finish aborted'])
    expect(spy.cancelled).toBe(1)
  })

  it('with a signal that has fired already only ends', async () => {
    const source = new Spy('a').stream()
    const events = iterate(source.pipeThrough(new SluiceStream({ signal: AbortSignal.abort() })))
    expect(told(await collect(events))).toEqual(['finish aborted'])
  })

  it('cancels the source when its reader leaves, and may be aborted afterwards', async () => {
    const spy = new Spy('a', never())
    const controller = new AbortController()
    const reader = spy
      .stream()
      .pipeThrough(new SluiceStream({ signal: controller.signal }))
      .getReader()
    await reader.read()
    await reader.cancel()
    controller.abort()
    expect(spy.cancelled).toBe(1)
  })
})
