import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/index.ts'
import { anyProvider } from '../../src/providers/any.ts'
import { anthropic, bedrock, collect, ollama, openaiChat, readProvider } from '../../src/providers/index.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { createProviderParser, restoreProviderParser } from '../../src/providers/provider-parser.ts'
import { told } from './told.ts'

const BYTES = readFileSync(new URL('fixtures/anthropic.sse', import.meta.url))
const TEXT = BYTES.toString()
const PAYLOADS = TEXT.split('\n').flatMap((line) =>
  line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as object] : [],
)

async function* yielded<Chunk>(...chunks: Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks
}
async function eventsIn(stream: AsyncIterable<SluiceEvent>): Promise<SluiceEvent[]> {
  const events: SluiceEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}
const ANY = { provider: anyProvider }
const chat = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] })

describe('a response can be', () => {
  test.each<[what: string, source: () => object | string | Promise<object>]>([
    ['a Response', () => new Response(BYTES)],
    ['a promise of one, as fetch gives', () => Promise.resolve(new Response(BYTES))],
    ['a stream of bytes', () => new Response(BYTES).body!],
    ['bytes', () => new Uint8Array(BYTES)],
    ['text', () => TEXT],
    ['an iterable of text', () => [TEXT.slice(0, 100), TEXT.slice(100)]],
    ['an async iterable of bytes', () => yielded(BYTES.subarray(0, 99), BYTES.subarray(99))],
    ['the chunks that a client yields', () => yielded(...PAYLOADS)],
    ['a promise of them', () => Promise.resolve(yielded(...PAYLOADS))],
    ['a list of payloads', () => PAYLOADS],
  ])('%s', async (_, source) => {
    const { text, toolCalls, finish } = await collect(readProvider(source(), ANY))
    expect(text).toBe("I'll look at both 🌦.")
    expect(toolCalls.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'call_paris complete',
      'call_oslo complete',
    ])
    expect(finish).toMatchObject({ reason: 'tool-calls', rawReason: 'tool_use' })
  })

  test('one object, where it was not streamed', async () => {
    const body = {
      object: 'chat.completion',
      choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }],
    }
    expect((await readProvider(body, ANY).message()).text).toBe('Hi')
    expect((await readProvider(Promise.resolve(body), ANY).message()).text).toBe('Hi')
    expect((await readProvider(Response.json(body), ANY).message()).text).toBe('Hi')
  })
})

describe('a response that goes wrong', () => {
  test('because the server refused it, says what the server says', async () => {
    const body = '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'
    const response = new Response(body, { status: 401, statusText: 'Unauthorized' })
    expect(told(await eventsIn(readProvider(response, { provider: anthropic })))).toEqual([
      'error The server answered 401 Unauthorized: invalid x-api-key',
      'finish error',
    ])
  })

  test('because the connection dies, keeps what came', async () => {
    async function* dying() {
      yield chat('Hel')
      throw new Error('socket hang up')
    }
    expect(told(await eventsIn(readProvider(dying(), ANY)))).toEqual([
      'text Hel',
      'error socket hang up',
      'finish error',
    ])
  })

  test('because its reader has enough, ends', async () => {
    const controller = new AbortController()
    async function* endless() {
      yield chat('Hel')
      controller.abort()
      yield chat('lo')
    }
    const events = await eventsIn(readProvider(endless(), { ...ANY, signal: controller.signal }))
    expect(told(events)).toEqual(['text Hel', 'finish aborted'])
  })

  test('because a chunk is neither text nor bytes nor an object', async () => {
    const [error] = told(await eventsIn(readProvider([7], ANY)))
    expect(error).toBe("error A provider's source gives text, bytes or payloads, not a number.")
  })
})

describe('the parser', () => {
  const silent = (): void => {}

  test.each<[what: string, wrong: () => void, code: string]>([
    [
      'what is no provider',
      () => createProviderParser(silent, { provider: {} as Provider }),
      'invalid-option',
    ],
    ['what is no chunk', () => createProviderParser(silent, ANY).push(7 as never), 'invalid-source'],
  ])('refuses %s', (_, wrong, code) => {
    expect(wrong).toThrow(expect.objectContaining({ code }))
  })

  test('takes nothing after its end', () => {
    const parser = createProviderParser(silent, ANY)
    parser.end()
    expect(() => parser.push('')).toThrow(expect.objectContaining({ code: 'push-after-end' }))
    expect(() => parser.end()).toThrow(expect.objectContaining({ code: 'push-after-end' }))
  })

  test('counts what it ignores', () => {
    const parser = createProviderParser(silent, { provider: anthropic })
    for (const type of ['message_mood', 'message_mood', 'message_smell']) parser.push({ type })
    expect([...parser.ignored]).toEqual([
      ['message_mood', 2],
      ['message_smell', 1],
    ])
  })

  test('reads a provider of your own', () => {
    const parrot: Provider = {
      name: 'parrot',
      framing: 'lines',
      detect: (payload) => 'squawk' in payload,
      open: (out) => ({
        read({ squawk }) {
          if (typeof squawk === 'string') out.text(squawk)
          else out.over()
        },
      }),
    }
    const events: SluiceEvent[] = []
    const parser = createProviderParser((event) => events.push(event), { provider: parrot })
    parser.push('{"squawk":"Hello"}\n{"squawk":null}\n')
    parser.end()
    expect(told(events)).toEqual(['text Hello', 'finish stop'])
  })

  test('gives its own ids where the provider gives none, and those of generateId where there is one', () => {
    const call = { message: { tool_calls: [{ function: { name: 'ls', arguments: {} } }] }, done: true }
    const ids = (generateId?: (kind: string) => string): string[] => {
      const found: string[] = []
      const parser = createProviderParser((event) => event.type === 'tool-call' && found.push(event.id), {
        ...ANY,
        ...(generateId && { generateId }),
      })
      parser.push({ ...call, done: false })
      parser.push(call)
      parser.end()
      return found
    }
    expect(ids()).toEqual(['call-1', 'call-2'])
    let count = 0
    expect(ids((kind) => `turn7-${kind}-${++count}`)).toEqual(['turn7-call-1', 'turn7-call-2'])
    expect(new Set(ids(() => 'same')).size).toBe(2)
  })

  test('begins in reasoning where the model does, unless the server took the reasoning out', () => {
    const read = (...payloads: object[]): string[] => {
      const events: SluiceEvent[] = []
      const parser = createProviderParser((event) => events.push(event), {
        ...ANY,
        start: 'reasoning',
        dialect: hermes,
      })
      for (const payload of [...payloads, { choices: [{ delta: {}, finish_reason: 'stop' }] }])
        parser.push(payload)
      parser.end()
      return told(events)
    }
    expect(read(chat('Hm'))).toEqual([
      'reasoning Hm',
      'diagnostic reasoning-not-closed',
      'finish stop (stop)',
    ])
    expect(read({ choices: [{ delta: { reasoning: 'Hm' } }] }, chat('Yes'))).toEqual([
      'reasoning Hm {"openai-chat":{"field":"reasoning"}}',
      'text Yes',
      'finish stop (stop)',
    ])
  })
})

describe('the text of a model is not read as the stream of a provider:', () => {
  test.each<[text: string, begins: string]>([
    ['Let me look.\n<tool_call>{"name": "ls"}</tool_call>', 'Let me look.'],
    ['[TOOL_CALLS] [{"name": "ls", "arguments": {}}]', 'TOOL_CALLS] [{"name": "ls", "arguments":…'],
    ['<html>\n<body>Bad gateway', '<html>'],
    ['Hello', 'Hello'],
  ])('%j', async (text, begins) => {
    for (const provider of [anyProvider, anthropic, openaiChat, bedrock])
      for (const source of [text, [...text], [new TextEncoder().encode(text)]]) {
        const events = await eventsIn(readProvider(source, { provider }))
        expect(events.slice(-2)).toEqual([
          {
            type: 'error',
            error: {
              name: 'SluiceError',
              code: 'invalid-source',
              message: `This is not a provider's stream: it begins with ${JSON.stringify(begins)}. Check the address that it comes from; to parse plain text, use sluice() of 'sluice'.`,
            },
          },
          { type: 'finish', reason: 'error' },
        ])
      }
  })

  test('nothing is said of one that was stopped, or that has a payload', async () => {
    const stopped = createProviderParser(() => {}, { provider: anthropic })
    const told: string[] = []
    const parser = createProviderParser((event) => told.push(event.type), { provider: anthropic })
    parser.push('Hello')
    parser.end('interrupted')
    stopped.end()
    expect(told).not.toContain('error')
    const events = await eventsIn(readProvider(`Hello\n\ndata: ${JSON.stringify(chat('Hi'))}\n\n`, ANY))
    expect(events.map(({ type }) => type)).not.toContain('error')
  })
})

describe('the stream of another provider', () => {
  const CHAT =
    'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

  test.each([
    ['anthropic', anthropic, CHAT, '{ id, object, choices }'],
    ['ollama', ollama, CHAT, '{ id, object, choices }'],
    ['openai-chat', openaiChat, TEXT, '{ type, message }'],
  ])('is an error for %s, and not an empty response', async (name, provider, stream, beginning) => {
    const { text, finish, error } = await collect(readProvider(stream, { provider }))
    expect({ text, reason: finish.reason }).toEqual({ text: '', reason: 'error' })
    expect(error).toEqual({
      name: 'SluiceError',
      code: 'invalid-source',
      message: `This is not a stream of ${name}: it begins with "${beginning}". Pass the provider whose stream it is, or anyProvider of 'sluice/providers/any', which detects it.`,
    })
  })

  test('is the same where the parser is restored in the middle', () => {
    const events: SluiceEvent[] = []
    const options = { provider: anthropic }
    const first = createProviderParser((event) => events.push(event), options)
    first.push(CHAT)
    const second = restoreProviderParser(first.snapshot(), (event) => events.push(event), options)
    second.end()
    expect(events.map(({ type }) => type)).toEqual(['error', 'finish'])
  })

  test('is no error if a provider that detects nothing says why the model stopped', async () => {
    const modest: Provider = { ...anthropic, name: 'modest', detect: () => false }
    const stopped = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
    const { finish, error } = await collect(readProvider([stopped], { provider: modest }))
    expect([finish.reason, error]).toEqual(['stop', undefined])
  })
})
