/** Every reader on networks as they are: any cut, any line end, comments, connections that die, servers that refuse. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { foldEvents, type Message } from '../../src/engine/message.ts'
import { allProviders, findProvider } from '../../src/providers/any.ts'
import { readProvider } from '../../src/providers/read-provider.ts'
import { STRIDE } from '../effort.ts'
import { NOT_STREAMED } from './message-streams.ts'
import { RECORDED_STREAMS } from './recorded-streams.ts'
import { eventsOf } from './told.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test('every provider is here', () => {
  const names = new Set(RECORDED_STREAMS.map(({ provider }) => provider))
  expect(names).toEqual(new Set(allProviders.map(({ name }) => name)))
})

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

describe.each(RECORDED_STREAMS)('$file', ({ provider, bytes }) => {
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
    const callsOf = ({ toolCalls }: Message): unknown[] =>
      toolCalls.filter((call) => isExecutable(call)).map(({ id, input }) => [id, input])
    const meant = callsOf(foldEvents(eventsOf([bytes], { provider })))
    for (let part = 1; part < 8; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 8))
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield cut
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      }
      const message = await readProvider(source(), { provider: findProvider(provider) }).message()
      expect(message.error).toMatchObject({ code: 'ECONNRESET' })
      expect(message.finish.reason).toBe('error')
      const runs = callsOf(message)
      expect(runs).toEqual(meant.slice(0, runs.length))
    }
    // The connection may also be closed as if all had come.
    for (let end = 0; end < bytes.length; end += 7 * STRIDE) {
      const runs = callsOf(foldEvents(eventsOf([bytes.subarray(0, end)], { provider })))
      expect([end, runs]).toEqual([end, meant.slice(0, runs.length)])
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

/** A body that was not streamed, with line ends in it, and what a reader makes of the object that it is. */
describe.each(NOT_STREAMED)('$what', ({ provider, payloads }) => {
  test('one byte at a time, and with any line ends', () => {
    const whole = said(eventsOf(payloads, { provider }))
    const text = JSON.stringify(payloads[0], null, 1)
    for (const end of ['\n', '\r\n', '\r']) {
      const bytes = encode(text.replaceAll('\n', end))
      expect(said(eventsOf([bytes], { provider })), JSON.stringify(end)).toEqual(whole)
      const bytewise = Array.from(bytes, (byte) => Uint8Array.of(byte))
      expect(said(eventsOf(bytewise, { provider })), `${JSON.stringify(end)}, bytewise`).toEqual(whole)
    }
  })

  test('cut off, it runs nothing', () => {
    const bytes = encode(JSON.stringify(payloads[0]))
    for (let end = 1; end < bytes.length; end += 5) {
      const { toolCalls } = foldEvents(eventsOf([bytes.subarray(0, end)], { provider }))
      expect([end, toolCalls.filter((call) => isExecutable(call))]).toEqual([end, []])
    }
  })
})
