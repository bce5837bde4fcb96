// @reads test/providers/fixtures/ test/providers/snapshots/
import { readFileSync } from 'node:fs'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/index.ts'
import type { Provider } from '../../src/providers/provider.ts'
import {
  createProviderParser,
  type ProviderSnapshot,
  restoreProviderParser,
} from '../../src/providers/provider-parser.ts'
import { sampleOf } from '../effort.ts'
import { eventsOf, inTurns, type NamedOptions, reading, sent } from './told.ts'

const textOf = (events: readonly SluiceEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const chat = (delta: object): object => ({ choices: [{ index: 0, delta }] })
const call = (index: number, fields: object): object => chat({ tool_calls: [{ index, ...fields }] })

describe('goes on', () => {
  test('in the middle of a character', () => {
    const stream = bytes('data: {"choices":[{"delta":{"content":"a😀é日"}}]}\n\n')
    const events = inTurns(Array.from(stream, (byte) => Uint8Array.of(byte)))
    expect(textOf(events)).toBe('a😀é日')
  })

  test('before a byte order mark that is a character like others', () => {
    const [before, after] = ['{"message":{"content":"a', '\uFEFFb"},"done":false}\n'].map(bytes)
    expect(textOf(inTurns([before!, after!], { provider: 'ollama' }))).toBe('a\uFEFFb')
  })

  test('after a byte order mark that is none', () => {
    const first = Uint8Array.of(0xef, 0xbb, 0xbf)
    const rest = bytes('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')
    expect(textOf(inTurns([first, rest]))).toBe('a')
    expect(textOf(inTurns([first.subarray(0, 2), first.subarray(2), rest]))).toBe('a')
  })

  test('between the return and the newline of a line end', () => {
    const stream = ['event: content_block_delta\r', '\ndata: {"index":0,"delta":', '{"type":"text_delta",']
    const chunks = [...stream, '"text":"Hi"}}\r', '\n\r', '\n']
    expect(textOf(inTurns(chunks, { provider: 'anthropic' }))).toBe('Hi')
  })

  test('with a name and data over many lines, and all that stands between them', () => {
    const stream = 'event: content_block_delta\n: a comment\nid: 7\ndata: {"index":0,\ndata: "delta":{"type":'
    const comments = Array.from({ length: 30 }, () => ': keep alive\n')
    const chunks = [stream, '"text_delta",\n', ...comments, 'data: "text":"Hi"}}\n', '\n']
    const options = { provider: 'anthropic' }
    expect(textOf(inTurns(chunks, options))).toBe('Hi')
  })

  test('behind a line that is none of an event, which is told once', () => {
    const stream = ['<html>\n', '<body>\n', 'Bad gateway']
    const problems = inTurns(stream, { provider: 'openai-chat' }).filter(
      (event) => event.type === 'diagnostic',
    )
    expect(problems.map((event) => event.message)).toEqual([
      'This is not a stream of server-sent events: <html>',
    ])
  })

  test('in the middle of a frame', () => {
    const codec = new EventStreamCodec(
      (part) => (typeof part === 'string' ? part : new TextDecoder().decode(part)),
      bytes,
    )
    const headers = { ':event-type': { type: 'string' as const, value: 'contentBlockDelta' } }
    const body = bytes('{"contentBlockIndex":0,"delta":{"text":"Hé"}}')
    const frame = codec.encode({ headers, body })
    const events = inTurns(
      Array.from(frame, (byte) => Uint8Array.of(byte)),
      { provider: 'bedrock' },
    )
    expect(textOf(events)).toBe('Hé')
  })

  test('behind the beginning of a payload that is too long', () => {
    const long = `{"message":{"content":"${'x'.repeat(200)}"},"done":false}\n`
    const chunks = [
      long.slice(0, 50),
      long.slice(50, 150),
      long.slice(150),
      '{"message":{"content":"y"},"done":true}\n',
    ]
    const options = { provider: 'ollama', limits: { payload: 100 } }
    expect(inTurns(chunks, options)).toEqual(eventsOf(chunks, options))
    expect(textOf(inTurns(chunks, options))).toBe('y')

    const events = chunks.map((chunk) => chunk.replace(/^\{/, 'data: {').replace(/\n$/, '\n\n'))
    expect(inTurns(events, options)).toEqual(eventsOf(events, options))
    expect(textOf(inTurns(events, options))).toBe('y')
  })

  test('with a call of which nobody knows yet whether it has arguments', () => {
    const content_block = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
    const chunks = [
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
    ]
    const statuses = (events: readonly SluiceEvent[]): string[] =>
      events.flatMap((event) => (event.type === 'tool-call' ? [event.status] : []))
    expect(statuses(inTurns(chunks))).toEqual(['truncated'])
    const goesOn = [...chunks.slice(0, 2), { type: 'content_block_start', index: 1, content_block }]
    expect(statuses(inTurns(goesOn))[0]).toBe('complete')
  })

  test('with items of a response whose place was used again', () => {
    const item = (call_id: string) => ({ type: 'function_call', call_id, name: 'ls', arguments: '{}' })
    const chunks = ['a', 'b'].flatMap((id) => [
      { type: 'response.output_item.added', output_index: 0, item: item(id) },
      { type: 'response.output_item.done', output_index: 0, item: item(id) },
    ])
    const output = [item('a'), item('b'), item('c')]
    const all = [...chunks, { type: 'response.completed', response: { status: 'completed', output } }]
    expect(inTurns(all)).toEqual(eventsOf(all))
    const ids = inTurns(all).flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
    expect(ids).toEqual(['a', 'b', 'c'])
  })

  test('in the middle of markup of a dialect', () => {
    const text = 'See <tool_call>{"name":"ls","arguments":{"path":"src"}}</tool_call> there'
    const chunks = [...text].map((content) => chat({ content }))
    const calls = inTurns(chunks, { dialect: hermes }).filter((event) => event.type === 'tool-call')
    expect(calls.map(({ toolName, input, status }) => [toolName, input, status])).toEqual([
      ['ls', { path: 'src' }, 'complete'],
    ])
  })

  test('with calls that were whole in another order than they began', () => {
    const chunks = [
      call(0, { id: 'a', function: { name: 'one', arguments: '{' } }),
      call(1, { id: 'b', function: { name: 'two', arguments: '{' } }),
      call(1, { function: { arguments: '}' } }),
      call(0, { function: { arguments: '}' } }),
      chat({ content: 'Done.' }),
    ]
    const ends = (events: readonly SluiceEvent[]): string[] =>
      events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
    expect(ends(eventsOf(chunks))).toEqual(['b', 'a'])
    expect(ends(inTurns(chunks))).toEqual(['b', 'a'])
  })

  test('with ids that two sources of calls share', () => {
    const custom = (id: string, custom: object): object =>
      chat({ tool_calls: [{ id, type: 'custom', custom }] })
    const chunks = [
      call(0, { id: 'a', function: { name: 'one', arguments: '{}' } }),
      custom('a', { name: 'patch', input: '\ud83d' }),
      custom('a', { input: '\ude00' }),
      call(1, { id: 'a', function: { name: 'three', arguments: '{' } }),
      call(1, { function: { arguments: '}' } }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ]
    expect(inTurns(chunks)).toEqual(eventsOf(chunks))
    const inputs = inTurns(chunks).flatMap((event) => (event.type === 'tool-call' ? [event.input] : []))
    expect(inputs).toEqual([{}, {}, '😀'])
  })

  test('with bytes that belong to reasoning', () => {
    const delta = { reasoningContent: { redactedContent: Uint8Array.of(1, 2, 255) } }
    const chunks = [
      { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta } },
      { contentBlockStop: { contentBlockIndex: 0 } },
    ]
    expect(inTurns(chunks).find(({ type }) => type === 'reasoning-end')).toEqual({
      type: 'reasoning-end',
      id: 'reasoning-1',
      metadata: { bedrock: { redactedContent: 'AQL/' } },
    })
  })

  test('with metadata that looks like our own marks', () => {
    const signature = (details: object): object => chat({ reasoning_details: [{ text: 'x', ...details }] })
    const chunks = [
      signature({}),
      signature({ data: { $map: [[1, 2]] } }),
      signature({ data: { $fields: { $set: 1 } } }),
      chat({ content: 'y' }),
    ]
    expect(inTurns(chunks)).toEqual(eventsOf(chunks))
  })

  test('after the end, where nothing more is taken', () => {
    const parser = createProviderParser(() => {}, reading())
    parser.push('data: [DONE]\n\n')
    parser.end()
    const restored = restoreProviderParser(sent(parser.snapshot()), () => {}, reading())
    expect(() => restored.push('data: {}\n\n')).toThrow(expect.objectContaining({ code: 'push-after-end' }))
  })

  test('with what was ignored, and how often', () => {
    const parser = createProviderParser(() => {}, reading({ provider: 'ollama' }))
    parser.push({ mood: 'good' })
    const restored = restoreProviderParser(sent(parser.snapshot()), () => {}, reading({ provider: 'ollama' }))
    restored.push({ mood: 'bad' })
    expect(restored.ignored).toEqual(new Map([['mood', 2]]))
  })

  test('twice from one snapshot, each on its own', () => {
    const parser = createProviderParser(() => {}, reading())
    parser.push(call(0, { id: 'a', function: { name: 'ls', arguments: '{"path":"' } }))
    const snapshot = parser.snapshot()
    const inputs = ['src', 'test'].map((path) => {
      const events: SluiceEvent[] = []
      const restored = restoreProviderParser(snapshot, (event) => events.push(event), reading())
      restored.push(call(0, { function: { arguments: `${path}"}` } }))
      restored.end()
      return events.flatMap((event) => (event.type === 'tool-call' ? [event.input] : []))
    })
    expect(inputs).toEqual([[{ path: 'src' }], [{ path: 'test' }]])
  })

  test('with what a provider of your own remembers', () => {
    const counting: Provider = {
      name: 'counting',
      framing: 'lines',
      detect: () => false,
      open: (out, state: { seen: Set<unknown> } = { seen: new Set() }) => ({
        state,
        read({ word }) {
          if (!state.seen.has(word)) out.text(String(word))
          state.seen.add(word)
        },
      }),
    }
    const chunks = ['{"word":"a"}\n', '{"word":"b"}\n', '{"word":"a"}\n']
    expect(textOf(inTurns(chunks, { provider: counting }))).toBe('ab')
  })
})

const fixture = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

describe('goes on after every seventh byte', () => {
  const files = [
    'openai-chat.sse',
    'openai-responses.sse',
    'anthropic.sse',
    'gemini.sse',
    'gemini.json',
    'ollama.ndjson',
    'cohere.sse',
    'ai-sdk-ui.sse',
    'ag-ui.sse',
    'claude-code.ndjson',
    'codex.ndjson',
    'langchain.ndjson',
    'langchain.graph.sse',
  ]

  test.each(sampleOf(files, 2))('of %s', (file) => {
    const whole = fixture(file)
    const count = Math.ceil(whole.length / 7)
    const chunks = Array.from({ length: count }, (_, at) => whole.subarray(7 * at, 7 * (at + 1)))
    expect(inTurns(chunks)).toEqual(eventsOf(chunks))
  })
})

describe('is refused', () => {
  const parser = createProviderParser(() => {}, reading({ provider: 'anthropic' }))
  const taken = parser.snapshot()
  const detected = createProviderParser(() => {}, reading())
  detected.push({ type: 'message_start', message: {} })
  const guessed = detected.snapshot()
  const found = (name: string | null): JsonValue => {
    const state = structuredClone(guessed.state) as { reader: { found: JsonValue } }
    state.reader.found = name
    return state as unknown as JsonValue
  }

  test.each<[string, ProviderSnapshot, NamedOptions]>([
    ['with another provider', taken, { provider: 'ollama' }],
    ['with any provider', taken, {}],
    ['with a dialect', taken, { provider: 'anthropic', dialect: hermes }],
    ['with other limits', taken, { provider: 'anthropic', limits: { payload: 5 } }],
    ['of an older version', { ...taken, version: 4 } as never, { provider: 'anthropic' }],
    ['of a newer version', { ...taken, version: 9 } as never, { provider: 'anthropic' }],
    ['with a provider that there is not', { ...guessed, state: found('parrot') }, {}],
    ['with another provider than the one that was found', { ...guessed, state: found('ollama') }, {}],
    ['with no provider, although it was found', { ...guessed, state: found(null) }, {}],
    ['that says it has ended', { ...taken, ended: true }, { provider: 'anthropic' }],
    ['with an end that is no boolean', { ...taken, ended: 0 as never }, { provider: 'anthropic' }],
    ['that is none', undefined as never, { provider: 'anthropic' }],
  ])('%s', (_, snapshot, options) => {
    expect(() => restoreProviderParser(snapshot, () => {}, reading(options))).toThrow(
      expect.objectContaining({ code: 'invalid-snapshot' }),
    )
  })

  test('with a sentence that names both versions', () => {
    const older = { ...taken, version: 4 } as never
    expect(() => restoreProviderParser(older, () => {}, reading({ provider: 'anthropic' }))).toThrow(
      'This snapshot has version 4, and this release restores version 8; read the response again from its start.',
    )
  })

  test('where what was read cannot be plain data', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    const open = createProviderParser(() => {}, reading({ provider: 'anthropic' }))
    const content_block = { type: 'tool_use', id: 'a', name: 'ls', input: cycle }
    open.push({ type: 'content_block_start', index: 0, content_block })
    expect(() => open.snapshot()).toThrow(expect.objectContaining({ code: 'invalid-snapshot' }))
  })
})

test('of a version that was ever written are read', () => {
  const kept = JSON.parse(
    new TextDecoder().decode(fixture('../snapshots/provider.v8.json')),
  ) as ProviderSnapshot
  const events: SluiceEvent[] = []
  const parser = restoreProviderParser(
    kept,
    (event) => events.push(event),
    reading({ provider: 'anthropic' }),
  )
  parser.push(
    'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"c\\"}"}}\n\n' +
      'data: {"type":"content_block_stop","index":1}\n\n' +
      'data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}\n\n' +
      'data: {"type":"message_stop"}\n\n',
  )
  parser.end()
  expect(
    events.map((event) => (event.type === 'tool-call' ? [event.input, event.status] : event.type)),
  ).toEqual(['tool-input-delta', 'tool-input-end', [{ path: 'src' }, 'complete'], 'finish'])
})
