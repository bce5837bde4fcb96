/** Every reader on networks as they are: any cut, any line end, comments, connections that die, servers that refuse. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../src/calls/verdict.ts'
import type { SluiceEvent } from '../../src/event.ts'
import { foldEvents } from '../../src/message.ts'
import { findProvider } from '../../src/providers/any.ts'
import { readProvider } from '../../src/providers/read-provider.ts'
import { bedrockFrames } from './aws-frames.ts'
import { eventsOf } from './told.ts'

const fixture = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const linesOf = (name: string): string[] => new TextDecoder().decode(fixture(name)).trim().split('\n')

const asSse = (lines: readonly string[]): Uint8Array =>
  encode(lines.map((line) => `data: ${line}\n\n`).join(''))

/** What each reader reads, as bytes. */
const STREAMS: readonly [provider: string, bytes: Uint8Array][] = [
  ['openai-chat', fixture('openai-chat.sse')],
  ['openai-responses', fixture('openai-responses.sse')],
  ['anthropic', fixture('anthropic.sse')],
  ['gemini', fixture('gemini.sse')],
  ['gemini', fixture('gemini.json')],
  ['ollama', fixture('ollama.ndjson')],
  ['cohere', fixture('cohere.sse')],
  ['bedrock', bedrockFrames(linesOf('bedrock.ndjson').map((line) => JSON.parse(line) as object))],
  ['ai-sdk', asSse(linesOf('ai-sdk.ndjson'))],
  ['ai-sdk-ui', fixture('ai-sdk-ui.sse')],
  ['ag-ui', fixture('ag-ui.sse')],
  ['claude-code', fixture('claude-code.ndjson')],
  ['codex', fixture('codex.ndjson')],
  ['langchain', fixture('langchain.ndjson')],
  ['langchain', fixture('langchain.graph.sse')],
]

/** The same text with other line ends, and with what may stand between events. */
function variants(provider: string, bytes: Uint8Array): [what: string, bytes: Uint8Array][] {
  if (provider === 'bedrock') return []
  const text = new TextDecoder().decode(bytes)
  const ends: [string, Uint8Array][] = [
    ['CRLF', encode(text.replaceAll('\n', '\r\n'))],
    ['CR', encode(text.replaceAll('\n', '\r'))],
    ['a BOM', encode(`\uFEFF${text}`)],
  ]
  // Lines of JSON have no comments.
  if (/^[{[]/.test(text)) return ends
  return [...ends, ['comments', encode(text.replaceAll('\n\n', '\n\n: ping\n\n'))]]
}

const said = (events: readonly SluiceEvent[]): unknown => {
  const { text, reasoning, toolCalls, finish, diagnostics, error } = foldEvents(events)
  return { text, reasoning, toolCalls, finish, diagnostics, error }
}

describe.each(STREAMS)('%s', (provider, bytes) => {
  const whole = said(eventsOf([bytes], { provider }))

  test('one byte at a time', () => {
    expect(
      said(
        eventsOf(
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
          { provider },
        ),
      ),
    ).toEqual(whole)
  })

  test('with other line ends, and with comments', () => {
    for (const [what, other] of variants(provider, bytes)) {
      expect(said(eventsOf([other], { provider })), what).toEqual(whole)
      const bytewise = Array.from(other, (byte) => Uint8Array.of(byte))
      expect(said(eventsOf(bytewise, { provider })), `${what}, one byte at a time`).toEqual(whole)
    }
  })

  test('a connection that is reset keeps what came, and lets no call run that is not whole', async () => {
    const meant = foldEvents(eventsOf([bytes], { provider })).toolCalls.map(({ id }) => id)
    for (let part = 1; part < 8; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 8))
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield cut
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      }
      const message = await readProvider(source(), { provider: findProvider(provider) }).message()
      expect(message.error).toMatchObject({ code: 'ECONNRESET' })
      expect(message.finish.reason).toBe('error')
      const runs = message.toolCalls.filter((call) => isExecutable(call)).map(({ id }) => id)
      expect(runs).toEqual(meant.slice(0, runs.length))
    }
  })

  test.each([
    [401, 'application/json', '{"error":{"message":"No key."}}', 'No key.'],
    [404, 'application/json', '{"detail":"Not Found"}', 'Not Found'],
    [403, 'text/html', '<html><title>403 Forbidden</title></html>', '403'],
    [429, 'application/json', '{"message":"Slow down."}', 'Slow down.'],
    [500, 'application/json', '{"error":{"message":"Oops."}}', 'Oops.'],
    [502, 'text/html', '<!doctype html><h1>502 Bad Gateway</h1>', '502'],
    [503, 'text/plain', '', '503'],
  ])('a server that answers %i with %s', async (status, type, body, told) => {
    const answer = new Response(body, { status, headers: { 'content-type': type } })
    const message = await readProvider(answer, { provider: findProvider(provider) }).message()
    expect(message.error).toMatchObject({ status })
    expect(message.error?.message).toContain(told)
    expect(message.finish.reason).toBe('error')
    expect(message.toolCalls).toEqual([])
  })
})
