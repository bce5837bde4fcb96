import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { hermes } from '../../src/dialects/index.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { createParser } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { allProviders, allWriters, anyProvider, findProvider } from '../../src/providers/any.ts'
import { createWriter, eventsWriter, readEvents } from '../../src/providers/index.ts'
import {
  createProviderParser,
  type ProviderOptions,
  restoreProviderParser,
} from '../../src/providers/provider-parser.ts'
import { runs, SEED, sampleOf } from '../effort.ts'
import { ENTRIES, TOOLS } from './entries.ts'
import { sorted, wellFormedEvents } from './laws.ts'
import { LIBRARY, withBadVerdicts, writtenIsRead } from './library.ts'
import { messageArbitrary } from './messages.ts'
import { callsOf, comparable, merged, said } from './observe.ts'
import { changedByJson } from './plain.ts'
import { asRun, eventsOfMessage, PROVIDER_ENTRIES, type ProviderEntry, writtenBy } from './providers.ts'
import { sampleTexts } from './suite.ts'

/** Messages that hold markup of a dialect, which means nothing here. */
const HERMES = ENTRIES.find(({ name }) => name === 'hermes')!
const messages = (count: number): Part[][] =>
  fc.sample(messageArbitrary(HERMES), { seed: SEED, numRuns: runs(count) })

const IN_HERMES = { dialect: hermes, tools: TOOLS }

/** The texts of those messages that the dialect can write. */
function renderedMessages(count: number): string[] {
  return messages(count).flatMap((parts) => {
    try {
      return [render(parts, IN_HERMES)]
    } catch {
      return []
    }
  })
}

/** Those that have a provider already. */
type Options = Partial<ProviderOptions>

/** Everything that can be said of a call. */
const FULL: Options = { emit: { json: true, arguments: true, source: true, raw: true } }

/** A small message with everything in it, for what is tried at every byte. */
const SMALL: Part[] = [
  { type: 'reasoning', text: 'é?' },
  { type: 'text', text: '😀' },
  { type: 'call', toolName: 'ping', input: {} },
  { type: 'call', toolName: 'get_weather', input: { city: '日' } },
]

const providerOf = ({ name }: ProviderEntry) => ({ provider: findProvider(name.split(' ')[0]!) })

type Chunks = readonly (Uint8Array | object)[]

function read(entry: ProviderEntry, chunks: Chunks, options: Options = {}): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), { ...providerOf(entry), ...options })
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return events
}

/** The same by many parsers, each of which goes on after so many chunks where the one before it stopped. */
function readInTurns(entry: ProviderEntry, chunks: Chunks, options: Options = {}, turn = 1): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const all = { ...providerOf(entry), ...options }
  let parser = createProviderParser((event) => events.push(event), all)
  for (const [at, chunk] of chunks.entries()) {
    parser.push(chunk)
    if ((at + 1) % turn !== 0) continue
    const left = events.length
    const snapshot = JSON.parse(JSON.stringify(parser.snapshot()))
    parser.end()
    // What the one that is left behind says at its end is not part of it.
    events.length = left
    parser = restoreProviderParser(snapshot, (event) => events.push(event), all)
  }
  parser.end()
  return events
}

/** What is said of a stream that has not ended. */
function readSoFar(entry: ProviderEntry, chunks: Chunks, options: Options = {}): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), { ...providerOf(entry), ...options })
  for (const chunk of chunks) parser.push(chunk)
  return events
}

const join = (chunks: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
const bytewise = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte))

/** In pieces of all sizes up to the longest, which end anywhere. */
function cutAnywhere(bytes: Uint8Array, most: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0, size = 1; at < bytes.length; size = (size * 31 + 7) % most) {
    chunks.push(bytes.subarray(at, at + size + 1))
    at += size + 1
  }
  return chunks
}

/**
 * Text, reasoning, and the calls with their JSON, as far as they were said. `closesLate`: a `}` at the end of a call
 * that is not judged does not count.
 */
function carried(events: readonly SluiceEvent[], closesLate = false): { spans: string[]; calls: string[] } {
  const calls = new Map<string, string>()
  const open = new Set<string>()
  for (const event of events)
    if (event.type === 'tool-input-start') {
      calls.set(event.id, `${event.toolName} `)
      open.add(event.id)
    } else if (event.type === 'tool-input-delta') calls.set(event.id, calls.get(event.id)! + event.delta)
    else if (event.type === 'tool-call') open.delete(event.id)
  if (closesLate) for (const id of open) calls.set(id, calls.get(id)!.replace(/\}$/, ''))
  return {
    spans: [said(events, 'text-delta'), said(events, 'reasoning-delta')],
    calls: [...calls.values()],
  }
}

/**
 * What of JSON cannot be said yet: a key waits for its value, a number and a literal may go on, and half an
 * escape is no character. An empty object may be all that came before the model was stopped, and waits for the verdict.
 * The text of a string is never held back.
 */
const HELD = /^(,?("([^"\\]|\\.)*(\\|":?)?)?[\w.+-]*|\\(u\w{0,3})?|\{\})$/

function lackingOf(got: string, told: string): string | undefined {
  const held = told.slice(got.length)
  const isText = got.endsWith(':') && held.startsWith('"')
  return told.startsWith(got) && HELD.test(held) && !isText ? undefined : held
}

/** What is in the first events that is not the beginning of the others. */
function beginning(first: readonly SluiceEvent[], all: readonly SluiceEvent[]): unknown {
  const [some, more] = [merged(first), merged(all)]
  for (const [at, event] of some.entries()) {
    const other = more[at]
    const isLast = at === some.length - 1
    const isBegun =
      isLast && 'delta' in event && other !== undefined && 'delta' in other
        ? JSON.stringify({ ...other, delta: '' }) === JSON.stringify({ ...event, delta: '' }) &&
          other.delta.startsWith(event.delta)
        : JSON.stringify(event) === JSON.stringify(other)
    if (!isBegun) return event
  }
  return undefined
}

/** Without what the provider attached for itself. */
const withoutMetadata = (event: SluiceEvent): SluiceEvent => {
  const { metadata: _, ...rest } = event as SluiceEvent & { metadata?: unknown }
  return rest as SluiceEvent
}

/** Errors by what they say: two of them are never the same object. */
const plain = (events: readonly SluiceEvent[]): unknown[] =>
  events.map((event) => JSON.parse(JSON.stringify(event)) as unknown)

/**
 * What must be the same for a message from anywhere: without ids, metadata, figures and the raw reason, and
 * with JSON text as the value that it is. What looks like a call is told only where there is text for it.
 */
function essence(events: readonly SluiceEvent[]): unknown[] {
  const ids = new Map<string, number>()
  const idOf = (id: string): number => {
    if (!ids.has(id)) ids.set(id, ids.size)
    return ids.get(id)!
  }
  return merged(events.filter((event) => event.type !== 'diagnostic')).map((event) => {
    if (event.type === 'finish') return event.reason
    if (event.type === 'tool-input-delta')
      return [event.type, idOf(event.id), sorted(JSON.parse(event.delta) as JsonValue)]
    if (event.type === 'tool-call') return [event.toolName, idOf(event.id), sorted(event.input), event.status]
    const { metadata: _, ...rest } = event as SluiceEvent & { metadata?: unknown }
    return 'id' in rest && typeof rest.id === 'string' ? { ...rest, id: idOf(rest.id) } : rest
  })
}

/** The events that a message is when this provider sends it. */
const expectedOf = ({ runsCalls }: ProviderEntry, parts: readonly Part[]): SluiceEvent[] =>
  runsCalls ? asRun(eventsOfMessage(parts)) : eventsOfMessage(parts)

describe.each(sampleOf(PROVIDER_ENTRIES, 1))('$name', (entry) => {
  test('1. gives the same events however the bytes are cut', () => {
    const small = join(entry.write(SMALL))
    const whole = comparable(read(entry, [small]))
    for (const at of sampleOf(
      Array.from(small.subarray(1), (_, index) => index + 1),
      0,
      9,
    ))
      expect(comparable(read(entry, [small.subarray(0, at), small.subarray(at)])), `at ${at}`).toBe(whole)
    for (const parts of messages(5)) {
      const bytes = join(entry.write(parts))
      expect(comparable(read(entry, bytewise(bytes)))).toBe(comparable(read(entry, [bytes])))
    }
  })

  test('1. gives the same events for bytes and for payloads that are decoded', () => {
    for (const parts of messages(30))
      expect(comparable(read(entry, entry.payloads(parts)))).toBe(comparable(read(entry, entry.write(parts))))
  })

  test('2, 5. gives back the message, and nothing else', () => {
    for (const parts of messages(40)) {
      const events = read(entry, entry.write(parts))
      const all = (type: 'text' | 'reasoning'): string =>
        parts.map((part) => (part.type === type ? part.text : '')).join('')
      expect(said(events, 'text-delta')).toBe(all('text'))
      expect(said(events, 'reasoning-delta')).toBe(all('reasoning'))
      const calls = parts.flatMap((part) => (part.type === 'call' ? [[part.toolName, part.input]] : []))
      expect(callsOf(events).map(({ toolName, input }) => [toolName, input])).toEqual(calls)
    }
  })

  test('6, 7, 11. gives the events that the message is, well formed', () => {
    for (const parts of messages(40)) {
      const events = read(entry, entry.write(parts))
      expect(wellFormedEvents(events)).toBeUndefined()
      expect(essence(events)).toEqual(essence(expectedOf(entry, parts)))
    }
  })

  test('3. says what a payload carries as soon as it is there', () => {
    for (const parts of [SMALL, ...messages(20)]) {
      const told = eventsOfMessage(parts)
      const got: SluiceEvent[] = []
      const parser = createProviderParser((event) => got.push(event), providerOf(entry))
      for (const [at, chunks] of entry.writeEvents(told).entries()) {
        for (const chunk of chunks) parser.push(chunk)
        if (chunks.length === 0) continue
        const [given, wanted] = [carried(got), carried(told.slice(0, at + 1), entry.closesLate)]
        expect(given.spans).toEqual(wanted.spans)
        expect(given.calls.length).toBe(wanted.calls.length)
        for (const [number, call] of given.calls.entries())
          expect(lackingOf(call, wanted.calls[number]!), call).toBeUndefined()
      }
    }
  })

  test('3. holds back what the dialect holds back, and nothing else', () => {
    for (const text of renderedMessages(10)) {
      const told = eventsOfMessage([{ type: 'text', text }])
      const alone = createParser(IN_HERMES)
      const expected: SluiceEvent[] = []
      const got: SluiceEvent[] = []
      const parser = createProviderParser((event) => got.push(event), {
        ...providerOf(entry),
        ...IN_HERMES,
      })
      for (const [at, chunks] of entry.writeEvents(told).entries()) {
        const event = told[at]!
        if (event.type === 'text-delta') expected.push(...alone.push(event.delta))
        for (const chunk of chunks) parser.push(chunk)
        if (event.type === 'text-delta' && !entry.comesWhole)
          expect(comparable(got.map(withoutMetadata))).toBe(comparable(expected))
      }
    }
  })

  test('4. takes nothing back: what was said of a part of the bytes is the beginning of what is said of more', () => {
    for (const parts of [SMALL, ...messages(3)]) {
      const bytes = join(entry.write(parts))
      const asSaid: string[] = []
      const events: SluiceEvent[] = []
      const parser = createProviderParser((event) => {
        asSaid.push(JSON.stringify(event))
        events.push(event)
      }, providerOf(entry))
      parser.push(bytes)
      // No event was changed after it was said.
      expect(events.map((event) => JSON.stringify(event))).toEqual(asSaid)
      const step = parts === SMALL ? 7 : 97
      for (let at = 0; at < bytes.length; at += step)
        expect(beginning(readSoFar(entry, [bytes.subarray(0, at)]), events), `at ${at}`).toBeUndefined()
    }
  })

  test('13. goes on from a snapshot that was taken anywhere in the bytes', () => {
    const small = cutAnywhere(join(entry.write(SMALL)), 9)
    expect(readInTurns(entry, small)).toEqual(read(entry, small))
    for (const parts of messages(3)) {
      const chunks = cutAnywhere(join(entry.write(parts)), 120)
      expect(readInTurns(entry, chunks, FULL)).toEqual(read(entry, chunks, FULL))
    }
  })

  test('13. goes on from a snapshot that was taken after any payload, in a dialect, too', () => {
    for (const parts of messages(4)) {
      const chunks = entry.write(parts)
      expect(readInTurns(entry, chunks)).toEqual(read(entry, chunks))
      const payloads = entry.payloads(parts)
      const auto: ProviderOptions = { provider: anyProvider, emit: { json: false, arguments: true } }
      expect(readInTurns(entry, payloads, auto)).toEqual(read(entry, payloads, auto))
    }
    for (const text of renderedMessages(4)) {
      const chunks = entry.write([{ type: 'text', text }])
      expect(readInTurns(entry, chunks, IN_HERMES)).toEqual(read(entry, chunks, IN_HERMES))
    }
  })

  test('8. lets nothing run that was not meant, wherever the stream breaks off', () => {
    for (const parts of [SMALL, ...messages(8)]) {
      const meant = parts.flatMap((part) =>
        part.type === 'call' ? [JSON.stringify([part.toolName, sorted(part.input)])] : [],
      )
      const chunks = entry.write(parts)
      for (let length = 0; length < chunks.length; length++) {
        const half = chunks[length]!.subarray(0, chunks[length]!.length >> 1)
        for (const cut of [chunks.slice(0, length), [...chunks.slice(0, length), half]]) {
          const events = read(entry, cut)
          const runs = callsOf(events)
            .filter((call) => isExecutable(call))
            .map((call) => JSON.stringify([call.toolName, sorted(call.input)]))
          expect(runs).toEqual(meant.slice(0, runs.length))
          expect(wellFormedEvents(events)).toBeUndefined()
        }
      }
    }
  })

  test('10, 13. never throws, is well formed, and goes on from snapshots, on bytes that are damaged', () => {
    const damage = fc.record({
      parts: messageArbitrary(HERMES),
      changes: fc.array(fc.tuple(fc.constantFrom('drop', 'set', 'double', 'cut'), fc.nat(), fc.nat(255)), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    fc.assert(
      fc.property(damage, ({ parts, changes }) => {
        let bytes = [...join(entry.write(parts))]
        for (const [kind, place, byte] of changes) {
          const at = place % Math.max(1, bytes.length)
          if (kind === 'drop') bytes.splice(at, 1 + (byte % 5))
          else if (kind === 'set') bytes[at] = byte
          else if (kind === 'double') bytes.splice(at, 0, ...bytes.slice(at, at + byte))
          else bytes = bytes.slice(0, at)
        }
        const events = read(entry, [Uint8Array.from(bytes)])
        expect(changedByJson(events)).toBeUndefined()
        const chunks = cutAnywhere(Uint8Array.from(bytes), 1500)
        expect(plain(readInTurns(entry, chunks))).toEqual(plain(read(entry, chunks)))
        expect(withoutHalves(wellFormedEvents(events))).toBeUndefined()
        expect(
          comparable(read(entry, [Uint8Array.from(bytes.slice(0, 99)), Uint8Array.from(bytes.slice(99))])),
        ).toBe(comparable(events))
      }),
      { seed: SEED, numRuns: runs(40) },
    )
  })

  test('10, 13. never throws, is well formed, and goes on from snapshots, on payloads that hold anything', () => {
    const anything = fc.constantFrom<unknown>(
      ...[null, 7, -1, 1.5, '', 'x', '{"a":1', true, [], {}, [null], [[]], { type: 'text' }, [{ id: 'x' }]],
      ...[
        'tool_use',
        'function_call',
        'error',
        'STOP',
        { message: 'x' },
        '\ud83d',
        { __proto__: null },
        undefined,
      ],
    )
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(), anything), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        messageArbitrary(HERMES),
        changes,
        fc.array(fc.nat(), { maxLength: 2 }),
        (parts, edits, doubled) => {
          const payloads = structuredClone(entry.payloads(parts))
          for (const [which, where, value] of edits)
            changeOne(payloads[which % payloads.length]!, where, value)
          for (const at of doubled) payloads.splice(at % payloads.length, 0, payloads[at % payloads.length]!)
          for (const emit of [{ json: true }, { json: false, arguments: true, source: true, raw: true }]) {
            const options: Options = { emit, malformed: 'text' }
            const events = read(entry, payloads, options)
            expect(withoutHalves(wellFormedEvents(events))).toBeUndefined()
            // Not after each payload, which would take long, and not always after the same ones.
            const turn = 6 + edits.length + doubled.length
            expect(plain(readInTurns(entry, payloads, options, turn))).toEqual(plain(events))
          }
        },
      ),
      { seed: SEED, numRuns: runs(80) },
    )
  })

  test('14. gives events that JSON gives back unchanged', () => {
    for (const parts of [SMALL, ...messages(20)]) {
      const bytes = join(entry.write(parts))
      for (const cut of [bytes, bytes.subarray(0, bytes.length >> 1)])
        expect(changedByJson(read(entry, [cut], FULL))).toBeUndefined()
    }
  })

  test('is found by its first payload', () => {
    // As server-sent events the AI SDK's parts could be those of its UI.
    const isPassedOn = entry.name === 'ai-sdk'
    for (const parts of messages(5)) {
      const chunks = isPassedOn ? entry.payloads(parts) : entry.write(parts)
      const auto = read(entry, chunks, { provider: anyProvider })
      expect(essence(auto)).toEqual(essence(expectedOf(entry, parts)))
    }
  })

  test('12. is written by every writer, and read back', () => {
    // Not every format has a place for calls that are not the client's.
    const all = entry.runsCalls
      ? messages(60).filter((parts) => parts.every(({ type }) => type !== 'call'))
      : messages(20)
    for (const parts of all) {
      const events = read(entry, entry.write(parts))
      for (const { name } of allWriters) {
        const back = read({ ...entry, name }, [new TextEncoder().encode(writtenBy(name, events).join(''))])
        expect(essence(back), name).toEqual(essence(events))
      }
    }
  })

  test('goes through the dialect where its text is written in one', () => {
    for (const text of renderedMessages(20)) {
      const parser = createParser(IN_HERMES)
      const expected = [...parser.push(text), ...parser.end()]
      const events = read(entry, entry.write([{ type: 'text', text }]), IN_HERMES)
      expect(essence(events)).toEqual(essence(expected))
    }
  })
})

const { protocols } = LIBRARY

test.each(protocols)('16. no call may run that was written as $format.name and may not run', (protocol) => {
  for (const [at, parts] of messages(60).entries()) {
    const events = withBadVerdicts(eventsOfMessage(parts), at % 2)
    expect(writtenIsRead(LIBRARY, protocol, events)).toBeUndefined()
  }
})

/** What the engine reads in every dialect. */
const READ = ENTRIES.flatMap((entry) =>
  sampleTexts(entry, runs(10)).map((text) => {
    const parser = createParser(entry.options)
    return { text, events: [...parser.push(text), ...parser.end()] }
  }),
)

test.each(protocols)(
  '16. what is read in any dialect, written as $format.name and read back is the same',
  (protocol) => {
    // Another share of the texts for each format.
    const share = READ.filter((_, at) => at % protocols.length === protocols.indexOf(protocol))
    for (const { text, events } of share)
      expect(writtenIsRead(LIBRARY, protocol, events), text).toBeUndefined()
  },
)

test('16. what is read in any dialect arrives on a page as it was, however the bytes are cut', async () => {
  for (const [at, { text, events }] of READ.entries()) {
    const writer = createWriter(eventsWriter)
    const bytes = new TextEncoder().encode(events.map((event) => writer.add(event)).join(''))
    const size = 1 + (at % 50)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
      bytes.slice(piece * size, (piece + 1) * size),
    )
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    const response = new Response(body, { headers: { 'content-type': eventsWriter.contentType } })
    const arrived: SluiceEvent[] = []
    for await (const event of readEvents(response)) arrived.push(event)
    expect(arrived, text).toEqual(events)
  }
})

test('every provider is under the laws, and every format that is written', () => {
  const names = new Set(PROVIDER_ENTRIES.map((entry) => providerOf(entry).provider.name))
  expect(names).toEqual(new Set(allProviders.map(({ name }) => name)))
  for (const { name } of allWriters) expect(names).toContain(name)
})

/** Half a pair that was damaged on the way is passed on as it is. */
const withoutHalves = (violation: string | undefined): string | undefined =>
  violation?.startsWith('a surrogate pair') ? undefined : violation

/** Puts a value somewhere into a payload. */
function changeOne(payload: object, where: number, value: unknown): void {
  const places: [object, string][] = []
  const visit = (object: object): void => {
    for (const [key, inner] of Object.entries(object)) {
      places.push([object, key])
      if (typeof inner === 'object' && inner !== null) visit(inner)
    }
  }
  visit(payload)
  const [object, key] = places[where % Math.max(1, places.length)] ?? [payload, 'x']
  Object.assign(object, { [key]: structuredClone(value) })
}
