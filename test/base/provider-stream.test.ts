import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { SluiceStream, sluice } from '../../src/engine/stream.ts'

/** Recorded streams; whole responses are in a folder of their own. */
const FIXTURES = readdirSync('test/providers/fixtures', { withFileTypes: true }).flatMap((entry) =>
  entry.isFile() ? entry.name : [],
)

async function collect(events: AsyncIterable<SluiceEvent>): Promise<SluiceEvent[]> {
  const all: SluiceEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

async function piped(text: string): Promise<SluiceEvent[]> {
  const stream = new Blob([text]).stream().pipeThrough(new SluiceStream())
  return collect(stream as unknown as AsyncIterable<SluiceEvent>)
}

/** The visible text, and how the response ended. */
function outcome(events: readonly SluiceEvent[]): [text: string, end: string] {
  const text = events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')
  const end = events.slice(-2).map((event) => {
    if (event.type === 'error') return `${event.error.code}: ${event.error.message}`
    return event.type === 'finish' ? event.reason : event.type
  })
  return [text, end.join(' / ')]
}

const refused = (what: string): string =>
  `invalid-source: This is ${what}, not plain text; read it with readProvider of 'sluice/providers'. / error`

const BEGINNINGS: readonly [provider: string, text: string][] = [
  ['openai-chat', 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n'],
  ['openai-chat', 'data: {"choices":[],"created":0,"id":"","prompt_filter_results":[]}\n\n'],
  ['openai-chat', ': OPENROUTER PROCESSING\n\ndata: {"id":"gen-1","object":"chat.completion.chunk"}\n\n'],
  ['openai-chat', '{\n  "id": "chatcmpl-1",\n  "object": "chat.completion"\n}'],
  ['openai-responses', 'event: response.created\ndata: {"type":"response.created","response":{}}\n\n'],
  ['openai-responses', 'data: {"sequence_number":0,"type":"response.created"}\n\n'],
  ['anthropic', 'event: message_start\r\ndata: {"type":"message_start","message":{}}\r\n\r\n'],
  ['anthropic', '{"id":"msg_01","type":"message","role":"assistant","content":[]}'],
  ['gemini', 'data: {"candidates": [{"content": {"parts": []}}]}\n\n'],
  ['gemini', '[{\n  "candidates": [\n    {\n      "content": {\n        "parts": []'],
  ['gemini', 'data: {"event_type":"interaction.start"}\n\n'],
  [
    'langchain',
    '{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessageChunk"],"kwargs":{}}\n',
  ],
  ['langchain', 'event: metadata\ndata: {"run_id":"1ef","attempt":1}\n\n'],
  ['langchain', 'event: messages\ndata: [{"content":"","type":"AIMessageChunk"},{}]\n\n'],
  ['ollama', '{"model":"qwen3","created_at":"2026-11-15T09:00:00Z","message":{"role":"assistant"}}\n'],
  ['ollama', '{"model":"qwen3","created_at":"2026-11-15T09:00:00Z","response":"Hi","done":false}\n'],
  ['bedrock', '\0\0\0\u0080\0\0\0\u0057abcd\u000b:event-type\u0007\0\u000cmessageStart'],
  ['claude-code', '{"type":"system","subtype":"init","cwd":"/","session_id":"s"}\n'],
  ['codex', '{"type":"thread.started","thread_id":"t"}\n'],
  ['cohere', 'event: message-start\ndata: {"id":"1","type":"message-start"}\n\n'],
  ['ag-ui', 'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'],
  ['ai-sdk-ui', 'data: {"type":"start","messageId":"m"}\n\n'],
]

describe("a provider's stream that is read as text", () => {
  test.each(BEGINNINGS)('is an error that names readProvider: %s, %j', async (provider, text) => {
    const [shown, end] = outcome(await collect(sluice(text)))
    expect(end).toBe(refused(`the stream of a provider (${provider})`))
    expect(text.startsWith(shown)).toBe(true)
    expect(outcome(await collect(sluice([...text], { dialect: hermes })))).toEqual([shown, end])
    expect(outcome(await piped(text))).toEqual([shown, end])
  })

  test.each(FIXTURES)('is an error: %s', async (file) => {
    const [, end] = outcome(await collect(sluice(readFileSync(`test/providers/fixtures/${file}`))))
    expect(end).toMatch(/readProvider/)
  })

  test.each([
    'text/event-stream',
    'text/event-stream; charset=utf-8',
    'application/x-ndjson',
    'application/vnd.amazon.eventstream',
  ])('is an error without any text in a response of the type %s', async (type) => {
    let isCancelled = false
    const body = new ReadableStream({
      cancel() {
        isCancelled = true
      },
    })
    const response = new Response(body, { headers: { 'content-type': type } })
    const errors: unknown[] = []
    const events = await collect(
      sluice(Promise.resolve(response), { onError: (error) => errors.push(error) }),
    )
    expect(outcome(events)).toEqual(['', refused(`a response of the type ${type}`)])
    expect(isCancelled).toBe(true)
    expect(errors).toMatchObject([{ code: 'invalid-source' }])
  })

  it('is not read any further', async () => {
    let asked = 0
    const chunks = {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          asked++
          yield 'data: {"choices":[{"index":0}]}\n\n'
        }
      },
    }
    await collect(sluice(chunks))
    expect(asked).toBe(1)
  })
})

describe('what a model writes is text, even if it begins', () => {
  test.each([
    'data: the plural of datum',
    'data: {"name": "Ada", "choices": ["tea", "coffee"]}',
    'data:\n  choices: []',
    'event: a party on Friday',
    'event: message_start is what Anthropic sends first',
    'id: 7\nname: Ada',
    ': a line that begins with a colon',
    '{"candidates": [{"name": "Ada", "content": {"age": 36}}]}',
    '{"choices": [{"index": 0, "text": "tea"}]}',
    '{"model": "Civic", "created_at": "2020-01-01", "message": "for sale"}',
    '{"type": "start", "messageId": "m"}',
    '{"type": "system", "name": "Linux"}',
    '{"id": "7", "object": "chat.completion"}',
    '[{"candidates": []}]',
    'The stream begins with data: {"choices":[{"delta":{}}]}',
    '```\ndata: {"choices":[{"delta":{}}]}\n```',
    `${' '.repeat(2000)}data: {"choices":[{"delta":{}}]}`,
    'd',
    '',
  ])('%j', async (text) => {
    for (const source of [text, [...text]]) expect(outcome(await collect(sluice(source)))[0]).toBe(text)
    expect(outcome(await piped(text))[0]).toBe(text)
  })

  it('in a response of plain text or JSON', async () => {
    for (const type of ['text/plain', 'application/json', 'text/event-streams']) {
      const response = new Response('{"a": 1}', { headers: { 'content-type': type } })
      expect(outcome(await collect(sluice(response)))[0]).toBe('{"a": 1}')
    }
  })
})
