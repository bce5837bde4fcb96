/** Laws 15 and 16, about what stands around the engine: whole messages, recordings, providers and writers. */

import { isDeepStrictEqual } from 'node:util'
import type { SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import * as message from '../../src/engine/message.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import * as parser from '../../src/engine/parser.ts'
import { allWriters, findProvider } from '../../src/providers/any.ts'
import { openaiChat } from '../../src/providers/openai-chat/read.ts'
import type { Provider } from '../../src/providers/provider.ts'
import * as providerParser from '../../src/providers/provider-parser.ts'
import type { WireFormat } from '../../src/providers/wire-format.ts'
import * as writer from '../../src/providers/write-provider.ts'
import * as recording from '../../src/runs/recording/index.ts'
import { sorted } from './laws.ts'
import { callsOf, characters, type Engine, inPieces, run, said } from './observe.ts'

/** What these laws are run against: the library itself, or one with a mutant in it. */
export interface Library extends Engine {
  readonly parse: typeof message.parse
  readonly createProviderParser: typeof providerParser.createProviderParser
  readonly createWriter: typeof writer.createWriter
  readonly RecordingWriter: typeof recording.RecordingWriter
  readonly parseRecording: typeof recording.parseRecording
  /** The provider and the format of each protocol that can be written. */
  readonly protocols: readonly Protocol[]
}

export interface Protocol {
  readonly provider: Provider
  readonly format: WireFormat
}

export const LIBRARY: Library = {
  ...message,
  ...parser,
  ...providerParser,
  ...writer,
  ...recording,
  protocols: allWriters.map((format) => ({
    format,
    provider: findProvider(format.name),
  })),
}

/** Every call, its input and whether it may run, in the order in which they began: a verdict may wait. */
export const callsIn = (events: readonly SluiceEvent[]): unknown[] => {
  const begun = events.flatMap((event) => (event.type === 'tool-input-start' ? event.id : []))
  return callsOf(events)
    .sort((one, other) => begun.indexOf(one.id) - begun.indexOf(other.id))
    .map((call) => [call.toolName, call.input, call.status, isExecutable(call)])
}

/** The chunks as they come out of a recording of them. */
export function recorded<Chunk>(
  { RecordingWriter, parseRecording }: Library,
  kind: recording.RecordingKind,
  chunks: readonly Chunk[],
): Chunk[] {
  let lines = ''
  const writer = new RecordingWriter((line) => {
    lines += line
  }, kind)
  for (const chunk of chunks) writer.append(0, chunk)
  writer.end(0)
  return parseRecording(lines).chunks.map(({ chunk }) => chunk as Chunk)
}

function readStream(
  { createProviderParser }: Library,
  chunks: readonly (string | object)[],
  options: providerParser.ProviderOptions,
): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), options)
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return events
}

/** A text as a provider sends it that leaves the dialect to its client. */
const asChat = (text: string): object[] => [
  ...inPieces(text, 5).map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]

/** Law 15: the same text gives the same calls whole and in pieces, from recordings, and from a provider. */
export function oneTruth(library: Library, options: ParserOptions, text: string): string | undefined {
  const live = run(library, options, characters(text))
  const { provider = openaiChat } =
    library.protocols.find(({ provider }) => provider.name === openaiChat.name) ?? {}
  const ways = {
    whole: library.parse(text, options).toolCalls,
    'a recording of its text': run(library, options, recorded(library, 'text', inPieces(text, 5))),
    'a recording of its events': recorded(library, 'events', live),
    'a provider': readStream(library, asChat(text), { ...options, provider }),
  }
  const expected = callsIn(live)
  for (const [way, events] of Object.entries(ways))
    if (!isDeepStrictEqual(callsIn(events), expected))
      return `${way}: ${JSON.stringify(callsIn(events))} instead of ${JSON.stringify(expected)}`
  return undefined
}

/** Text, reasoning, and the calls that may run. */
const outcome = (events: readonly SluiceEvent[]): unknown => ({
  text: said(events, 'text-delta'),
  reasoning: said(events, 'reasoning-delta'),
  runs: callsOf(events).flatMap((call) => (isExecutable(call) ? [[call.toolName, sorted(call.input)]] : [])),
})

const ABOUT = { id: 'r1', model: 'm', created: 1_700_000_000 }

/** Law 16: what is written and read back has the same text and reasoning, and the same calls may run. */
export function writtenIsRead(
  library: Library,
  { provider, format }: Protocol,
  events: readonly SluiceEvent[],
): string | undefined {
  const writer = library.createWriter(format, ABOUT)
  const written = events.map((event) => writer.add(event)).join('')
  const back = outcome(readStream(library, [written], { provider }))
  const expected = outcome(events)
  if (isDeepStrictEqual(back, expected)) return undefined
  return `${format.name}: ${JSON.stringify(back)} instead of ${JSON.stringify(expected)}\n${written}`
}

/** How a call may be judged that may not run. */
const BAD = [
  { status: 'truncated' },
  { status: 'invalid' },
  { status: 'repaired', repairs: [{ code: 'missing-closer', class: 'guess', offset: 0 }] },
] as const

/** The same events, with a verdict on every second call that lets it not run. `first`: 0 or 1. */
export function withBadVerdicts(events: readonly SluiceEvent[], first: number): SluiceEvent[] {
  let count = first
  return events.map((event) =>
    event.type === 'tool-call' && count++ % 2 === 0 ? { ...event, ...BAD[count % BAD.length] } : event,
  )
}
