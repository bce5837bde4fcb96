/** One message as each provider sends it, written down from the providers' own descriptions. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../src/engine/message.ts'
import { RECORDED_STREAMS } from './recorded-streams.ts'
import { eventsOf } from './told.ts'

const fixture = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const linesOf = (name: string): object[] =>
  new TextDecoder()
    .decode(fixture(name))
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]))

const ALL = { inputTokens: 80, outputTokens: 40, totalTokens: 120, cachedInputTokens: 16 }

/** What was sent, whose it is, and the figures that this provider has. */
const FIXTURES: readonly [
  file: string,
  chunks: readonly (Uint8Array | object)[],
  usage: object | undefined,
  /** An agent ran the calls. */
  ran?: true,
][] = [
  ['openai-chat.sse', [fixture('openai-chat.sse')], { ...ALL, reasoningTokens: 8 }],
  ['openai-responses.sse', [fixture('openai-responses.sse')], { ...ALL, reasoningTokens: 8 }],
  ['anthropic.sse', [fixture('anthropic.sse')], { ...ALL, cacheWriteInputTokens: 0 }],
  ['gemini.sse', [fixture('gemini.sse')], { ...ALL, reasoningTokens: 8 }],
  ['gemini.json', [fixture('gemini.json')], { ...ALL, reasoningTokens: 8 }],
  ['gemini.interactions.sse', [fixture('gemini.interactions.sse')], { ...ALL, reasoningTokens: 8 }],
  ['ollama.ndjson', [fixture('ollama.ndjson')], { inputTokens: 80, outputTokens: 40, totalTokens: 120 }],
  ['cohere.sse', [fixture('cohere.sse')], { inputTokens: 80, outputTokens: 40, totalTokens: 120 }],
  ['bedrock.ndjson', linesOf('bedrock.ndjson'), ALL],
  ['ai-sdk.ndjson', linesOf('ai-sdk.ndjson'), { ...ALL, reasoningTokens: 8 }],
  ['ai-sdk-ui.sse', [fixture('ai-sdk-ui.sse')], undefined],
  [
    'claude-code.ndjson',
    [fixture('claude-code.ndjson')],
    { ...ALL, cacheWriteInputTokens: 0, cost: 0.0021 },
    true,
  ],
  [
    'claude-code.whole.ndjson',
    [fixture('claude-code.whole.ndjson')],
    { ...ALL, cacheWriteInputTokens: 0, cost: 0.0021 },
    true,
  ],
  ['codex.ndjson', [fixture('codex.ndjson')], { ...ALL, reasoningTokens: 8, cacheWriteInputTokens: 0 }, true],
  ['langchain.ndjson', [fixture('langchain.ndjson')], { ...ALL, reasoningTokens: 8 }],
  ['langchain.graph.sse', [fixture('langchain.graph.sse')], { ...ALL, reasoningTokens: 8 }, true],
  ['ag-ui.sse', [fixture('ag-ui.sse')], { ...ALL, reasoningTokens: 8 }],
]

/** The same message as each provider answers with it at once. */
const WHOLE: readonly [file: string, usage: object | undefined][] = [
  ['openai-chat', { ...ALL, reasoningTokens: 8 }],
  ['openai-responses', { ...ALL, reasoningTokens: 8 }],
  ['anthropic', { ...ALL, cacheWriteInputTokens: 0 }],
  ['gemini', { ...ALL, reasoningTokens: 8 }],
  ['gemini-interactions', { ...ALL, reasoningTokens: 8 }],
  ['ollama', { inputTokens: 80, outputTokens: 40, totalTokens: 120 }],
  ['cohere', { inputTokens: 80, outputTokens: 40, totalTokens: 120 }],
  ['bedrock', { ...ALL, cacheWriteInputTokens: 0 }],
  ['ai-sdk', { ...ALL, reasoningTokens: 8 }],
  ['ai-sdk-ui', undefined],
]

/** Without what is the provider's own. */
function plain(events: readonly SluiceEvent[]) {
  const { text, reasoning, toolCalls, finish, diagnostics, parts, error } = foldEvents(events)
  return {
    text,
    reasoning,
    calls: toolCalls.map(({ id, toolName, input, status }) => [id, toolName, input, status]),
    parts: parts.map(({ type }) => type),
    reason: finish.reason,
    diagnostics,
    error,
  }
}

/** The calls that may run, in order, without their ids. */
const runnable = (events: readonly SluiceEvent[]): string[] =>
  foldEvents(events)
    .toolCalls.filter((call) => isExecutable(call))
    .map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`)

/** The payloads of a recorded stream as they stand in it, so that one can be exchanged. */
function pieces(chunks: readonly (Uint8Array | object)[]): {
  readonly text: string
  readonly at: readonly number[]
} {
  const text = chunks
    .map((chunk) =>
      chunk instanceof Uint8Array ? new TextDecoder().decode(chunk) : `${JSON.stringify(chunk)}\n`,
    )
    .join('')
  return { text, at: [...text.matchAll(/^(?:data: )?[{[].*$/gm)].map(({ index }) => index) }
}

const WEATHER = {
  text: "I'll look at both 🌦.",
  reasoning: 'Two cities, two calls.',
  calls: [
    ['call_paris', 'get_weather', { city: 'Paris', days: 2 }, 'complete'],
    ['call_oslo', 'get_weather', { city: 'Oslo', days: 1 }, 'complete'],
  ],
  parts: ['reasoning', 'text', 'call', 'call'],
  reason: 'tool-calls',
  diagnostics: [],
  error: undefined,
}

test('every recording is here', () => {
  expect(FIXTURES.map(([file]) => file).sort()).toEqual(RECORDED_STREAMS.map(({ file }) => file).sort())
})

describe('one message', () => {
  test.each(WHOLE)('of %s that was not streamed', (file, usage) => {
    const bytes = fixture(`whole/${file}.json`)
    const ignored: string[] = []
    const events = eventsOf([bytes], { onIgnored: (what) => ignored.push(what) })
    expect(plain(events)).toEqual(WEATHER)
    expect(foldEvents(events).finish.usage).toEqual(usage)
    expect(ignored).toEqual([])
    const provider = file === 'gemini-interactions' ? 'gemini' : file
    expect(eventsOf([bytes], { provider })).toEqual(events)
    // As the object that a client gives, and as it arrives in pieces.
    expect(eventsOf([JSON.parse(new TextDecoder().decode(bytes)) as object], { provider })).toEqual(events)
    expect(
      eventsOf(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        { provider },
      ),
    ).toEqual(events)
  })

  test.each(FIXTURES)('of %s', (file, chunks, usage, ran) => {
    const ignored: string[] = []
    const events = eventsOf(chunks, { onIgnored: (what) => ignored.push(what) })
    expect(plain(events)).toEqual({
      ...WEATHER,
      ...(ran && { parts: [...WEATHER.parts, 'result', 'result'], reason: 'stop' }),
    })
    expect(foldEvents(events).finish.usage).toEqual(usage)
    const own = foldEvents(events).toolCalls.filter(({ providerExecuted }) => !providerExecuted)
    expect(own.length).toBe(ran ? 0 : 2)
    expect(ignored).toEqual([])
    const provider = file.replace(/\..*/, '')
    expect(eventsOf(chunks, { provider })).toEqual(events)
  })

  test.each(FIXTURES)('of %s runs once, although it is sent twice', (file, chunks) => {
    const provider = file.replace(/\..*/, '')
    expect(runnable(eventsOf([...chunks, ...chunks], { provider }))).toEqual(
      runnable(eventsOf(chunks, { provider })),
    )
  })

  test.each(FIXTURES.filter(([file]) => !file.endsWith('.json')))(
    'of %s runs no other call if a payload is damaged',
    (file, chunks) => {
      const provider = file.replace(/\..*/, '')
      const { text, at } = pieces(chunks)
      const calls = runnable(eventsOf([text], { provider }))
      expect(at.length).toBeGreaterThan(3)
      for (const [number, start] of at.entries()) {
        const end = text.indexOf('\n', start)
        const middle = start + Math.floor((end - start) / 2)
        const damaged = text.slice(0, middle) + text.slice(end)
        const found = runnable(eventsOf([damaged], { provider }))
        expect([number, found.filter((call) => !calls.includes(call))]).toEqual([number, []])
      }
    },
  )
})
