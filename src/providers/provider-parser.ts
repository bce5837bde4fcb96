/**
 * Reads a provider's stream: chunks in, events out. A chunk is text, bytes, or a payload that is decoded
 * already, which is what the providers' own clients yield.
 */

import { SluiceError } from '../base/errors.ts'
import type { JsonValue, Sink } from '../base/event.ts'
import { isFields } from '../base/fields.ts'
import { checkOption, excerpt, type KnownOptions } from '../base/options.ts'
import {
  checkedState,
  copyState,
  damaged,
  isAnything,
  isBoolean,
  isString,
  nullable,
  type Shape,
} from '../base/plain-state.ts'
import { createSinkParser, PARSER_OPTIONS, type ParserOptions, type SinkParser } from '../engine/parser.ts'
import type { StreamEnd } from '../engine/wire/machine.ts'
import { EventAssembler } from './event-assembler.ts'
import { createFraming } from './framing/detect-framing.ts'
import type { FrameReceiver, Framing } from './framing/framing.ts'
import type { PayloadReader, Provider } from './provider.ts'
import { checkProviderOptions } from './provider-check.ts'
import { failureIn } from './provider-error.ts'

/** Options of `createProviderParser`. */
export interface ProviderOptions extends ParserOptions {
  /** The provider of the stream. `anyProvider` of `sluice/providers/any` detects it from the first payload. */
  readonly provider: Provider
  /** Called with each unknown field or event, which is ignored. */
  readonly onIgnored?: (what: string, value: unknown) => void
  /**
   * Called with the error that made the stream fail, before the `error` event. A `ResponseError` has the body, a
   * `ProviderError` the payload, which the event leaves out.
   */
  readonly onError?: (error: unknown) => void
}

export const PROVIDER_OPTIONS: KnownOptions<ProviderOptions> = {
  ...PARSER_OPTIONS,
  provider: 'any',
  onIgnored: 'function',
  onError: 'function',
}

/** The input of a provider's parser: text, bytes or a decoded payload. */
export type ProviderChunk = string | Uint8Array | object

/** A synchronous parser for one provider's stream. `createProviderParser` creates it. */
export interface ProviderParser {
  /** Reads the next chunk. Never throws because of its content. */
  push(chunk: ProviderChunk): void
  /** Ends the stream. The last event is `finish`. */
  end(reason?: StreamEnd): void
  /** What was ignored, and how often. */
  readonly ignored: ReadonlyMap<string, number>
  /** The state as plain data, to continue in another process. */
  snapshot(): ProviderSnapshot
}

/** Another shape of the state is another version. A snapshot is of one open response, so that older ones are not converted. */
const VERSION = 8

/** The state of a provider's parser as plain data, for `restoreProviderParser`. */
export interface ProviderSnapshot {
  readonly version: typeof VERSION
  /** What the snapshot can be restored with: the same provider, dialects, tools and options. */
  readonly program: string
  readonly ended: boolean
  readonly state: JsonValue
}

/**
 * Creates a parser that passes each event to `sink`.
 *
 *     const parser = createProviderParser(show, { provider: anthropic })
 *     for await (const chunk of response.body) parser.push(chunk)
 *     parser.end()
 */
export function createProviderParser(sink: Sink, options: ProviderOptions): ProviderParser {
  return new StreamReader(sink, options)
}

/** Continues from a snapshot that was taken with the same options, possibly in another process. */
export function restoreProviderParser(
  snapshot: ProviderSnapshot,
  sink: Sink,
  options: ProviderOptions,
): ProviderParser {
  return new StreamReader(sink, options, snapshot ?? null)
}

/** What is saved of a parser. The parts check what is theirs. */
interface Saved {
  readonly events: unknown
  readonly framing: unknown
  readonly reader: unknown
  readonly hasPayloads: boolean
  readonly unexpectedText: string | null
}

const SAVED: Shape<Saved> = {
  events: isAnything,
  framing: isAnything,
  reader: isAnything,
  hasPayloads: isBoolean,
  unexpectedText: nullable(isString),
}

class StreamReader implements ProviderParser, FrameReceiver {
  readonly limit: number
  /** Reads nothing: it identifies the options in snapshots. */
  private readonly silent: SinkParser
  private readonly events: EventAssembler
  private readonly framing: Framing
  private readonly provider: Provider
  private readonly reader: PayloadReader
  private isEnded: boolean
  /** A payload was one of the provider's: the provider detected it, or an event was made of it. */
  private hasPayloads: boolean
  /** The first text that is no part of the framing, or the keys of a foreign payload, if it came before any payload. */
  private unexpectedText: string | null

  constructor(sink: Sink, given: ProviderOptions, snapshot?: ProviderSnapshot | null) {
    checkOption('sink', sink, 'function')
    checkProviderOptions(given, PROVIDER_OPTIONS)
    const { provider, ...options } = given
    this.provider = provider
    this.silent = silentParser(options)
    if (snapshot != null && snapshot.version !== VERSION)
      throw new SluiceError(
        'invalid-snapshot',
        `This snapshot has version ${snapshot.version}, and this release restores version ${VERSION}; read the response again from its start.`,
      )
    if (snapshot !== undefined && snapshot?.program !== this.program)
      throw new SluiceError(
        'invalid-snapshot',
        'This snapshot was taken with a different provider, dialect or tools; restore it with the options it was taken with.',
      )
    const saved = snapshot && checkedState(SAVED, snapshot.state)
    const noting: Sink = (event) => {
      this.hasPayloads ||= event.type !== 'diagnostic'
      sink(event)
    }
    this.events = new EventAssembler(noting, options, saved?.events)
    this.limit = this.events.settings.limits.payload
    this.reader = provider.open(this.events, saved?.reader ?? undefined)
    if (saved && (saved.reader === null) !== (this.reader.state === undefined))
      throw damaged('the state is that of another reader')
    this.framing = createFraming(this, provider.framing, saved?.framing)
    this.isEnded = snapshot?.ended ?? false
    this.hasPayloads = saved?.hasPayloads ?? false
    this.unexpectedText = saved?.unexpectedText ?? null
    if (this.isEnded !== this.events.isOver) throw damaged("the field 'ended' has a wrong value")
  }

  /** All that a snapshot depends on. */
  private get program(): string {
    return `${this.provider.name} ${this.silent.snapshot().program}`
  }

  snapshot(): ProviderSnapshot {
    const { events, framing, reader, hasPayloads, unexpectedText } = this
    const saved: Saved = {
      events: events.save(),
      framing: framing.save(),
      reader: reader.state ?? null,
      hasPayloads,
      unexpectedText,
    }
    return {
      version: VERSION,
      program: this.program,
      ended: this.isEnded,
      state: copyState(saved),
    }
  }

  get ignored(): ReadonlyMap<string, number> {
    return this.events.ignored
  }

  push(chunk: ProviderChunk): void {
    if (this.isEnded)
      throw new SluiceError('push-after-end', 'This parser has ended; make a new one for the next response.')
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.framing.push(chunk)
    else if (typeof chunk === 'object' && chunk !== null) this.receive(chunk, undefined, false)
    else
      throw new SluiceError(
        'invalid-source',
        `A provider's parser takes text, bytes or payloads, not ${chunk === null ? 'null' : typeof chunk}.`,
      )
  }

  end(reason: StreamEnd = 'finished'): void {
    if (this.isEnded) throw new SluiceError('push-after-end', 'This parser has ended already.')
    this.isEnded = true
    this.framing.end()
    this.reader.end?.()
    const isForeign = !this.hasPayloads && !this.events.isFinished
    if (reason === 'finished' && isForeign && this.unexpectedText !== null)
      this.events.error(new SluiceError('invalid-source', this.problemWith(this.unexpectedText)))
    this.events.end(reason)
  }

  private problemWith(beginning: string): string {
    const shown = JSON.stringify(beginning)
    return beginning.startsWith('{')
      ? `This is not a stream of ${this.provider.name}: it begins with ${shown}. Pass the provider whose stream it is, or anyProvider of 'sluice/providers/any', which detects it.`
      : `This is not a provider's stream: it begins with ${shown}. Check the address that it comes from; to parse plain text, use sluice() of 'sluice'.`
  }

  // ── what the framing finds ─────────────────────────────────────────────────────────────────────

  payload(value: unknown, event?: string): void {
    this.receive(value, event, true)
  }

  private receive(value: unknown, event: string | undefined, isFramed: boolean): void {
    for (const one of Array.isArray(value) ? value : [value])
      if (!isFields(one)) this.events.unexpected('A payload is not an object.')
      else {
        this.hasPayloads ||= this.provider.detect(one, isFramed)
        if (!this.hasPayloads) this.unexpected(`{ ${Object.keys(one).join(', ')} }`)
        const failure = failureIn(one, this.provider)
        // A provider may have such payloads itself.
        if (failure !== undefined && !this.provider.detect(one, isFramed)) this.events.error(failure)
        else this.reader.read(event === undefined || 'type' in one ? one : { ...one, type: event }, isFramed)
      }
  }

  unexpected(text: string): void {
    if (!this.hasPayloads) this.unexpectedText ??= excerpt(text)
  }

  done(): void {
    this.events.over()
  }

  problem(message: string): void {
    this.events.unexpected(message)
  }

  damaged(message: string): void {
    this.events.lost('provider-payload', message)
  }

  tooLong(): void {
    this.events.lost('limit-reached', `A payload is longer than ${this.limit} and was left out.`)
  }
}

/** Checks the options before anything is read, and generates no ids. */
function silentParser({
  onIgnored: _,
  onError: __,
  generateId,
  ...options
}: Omit<ProviderOptions, 'provider'>): SinkParser {
  const ids = generateId === undefined ? {} : { generateId: () => 'none' }
  return createSinkParser(() => {}, { ...options, ...ids })
}
