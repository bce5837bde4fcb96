/**
 * Text and reasoning: at most one of them is open. Text goes through the parser, which finds what a dialect
 * marks up in it; reasoning and refusals that the provider sends by themselves do not, so that no call is found there.
 */

import type { Metadata, Sink, SluiceEvent } from '../event.ts'
import type { Ids } from '../ids.ts'
import {
  createSinkParser,
  type ParserOptions,
  type ParserSnapshot,
  restoreSinkParser,
  type SinkParser,
} from '../parser.ts'
import { flushPair, joinPairs, type PairBuffer } from '../surrogates.ts'
import type { EndReason, Interruption } from '../wire/machine.ts'
import { mergeMetadata } from './metadata.ts'
import type { SpanOptions } from './output.ts'

export interface TextSpansState extends PairBuffer {
  /** The stop literal that the parser found in the text. */
  stoppedBy: string | undefined
  /** Text came since the last interruption. */
  isTouched: boolean
  textPlace: SpanOptions['place']
  /** What waits for the next start or end of text. */
  textMetadata: Metadata | undefined
  /** The open span that does not go through the parser. */
  apart: ApartSpan | null
  hasReasoned: boolean
}

interface ApartSpan {
  readonly kind: 'text' | 'reasoning'
  readonly id: string
  readonly place: SpanOptions['place']
  /** What waits for the end. */
  metadata: Metadata | undefined
}

/** The spans, and the parser that the text goes through, once there is one. */
export interface SavedTextSpans {
  readonly state: TextSpansState
  readonly parser: ParserSnapshot | null
}

const begin = (): TextSpansState => ({
  half: '',
  stoppedBy: undefined,
  isTouched: false,
  textPlace: undefined,
  textMetadata: undefined,
  apart: null,
  hasReasoned: false,
})

export class TextSpans {
  private readonly state: TextSpansState
  private readonly sink: Sink
  private readonly ids: Ids
  private readonly options: ParserOptions
  private parser: SinkParser | null = null

  constructor(sink: Sink, ids: Ids, options: ParserOptions, saved?: SavedTextSpans) {
    this.sink = sink
    this.ids = ids
    this.options = options
    this.state = saved?.state ?? begin()
    if (saved?.parser) this.parser = this.open(saved.parser)
  }

  save(): SavedTextSpans {
    return { state: this.state, parser: this.parser?.snapshot() ?? null }
  }

  get stoppedBy(): string | undefined {
    return this.state.stoppedBy
  }

  text(delta: string, { place, metadata }: SpanOptions = {}): void {
    const { state } = this
    if (delta === '' && metadata === undefined) return
    this.closeApart()
    if (place !== undefined && place !== state.textPlace) this.closeText()
    state.textPlace = place ?? state.textPlace
    state.textMetadata = mergeMetadata(state.textMetadata, metadata)
    if (delta === '') return
    state.isTouched = true
    this.parser ??= this.open()
    this.parser.push(delta)
  }

  /**
   * Flushes what was held back, and ends open text. `by`: what comes next, as far as it is known; the end of a text
   * decides nothing about the calls in it.
   */
  closeText(metadata?: Metadata, by: Interruption = 'call'): void {
    const { state } = this
    if (state.apart?.kind === 'text') {
      this.closeApart(metadata)
      return
    }
    state.textMetadata = mergeMetadata(state.textMetadata, metadata)
    if (state.isTouched || by === 'other') this.parser?.interrupt(by)
    state.isTouched = false
    state.textPlace = undefined
    this.writeMetadata()
  }

  /** Text that is not read for calls. */
  refusal(delta: string, options?: SpanOptions): void {
    this.writeApart('text', delta, options)
  }

  reasoning(delta: string, options?: SpanOptions): void {
    this.writeApart('reasoning', delta, options)
  }

  closeReasoning(metadata?: Metadata): void {
    const isOpen = this.state.apart?.kind === 'reasoning'
    if (!isOpen && metadata === undefined) return
    if (!isOpen) this.reasoning('', { metadata })
    this.closeApart(isOpen ? metadata : undefined)
  }

  private writeApart(kind: ApartSpan['kind'], delta: string, { place, metadata }: SpanOptions = {}): void {
    const { state } = this
    if (delta === '' && metadata === undefined) return
    const isOther = state.apart?.kind !== kind || (place !== undefined && place !== state.apart.place)
    if (isOther) this.close()
    state.hasReasoned ||= kind === 'reasoning'
    if (state.apart === null) {
      state.apart = { kind, id: this.ids.next(kind), place, metadata: undefined }
      this.sink({ type: `${kind}-start`, id: state.apart.id, ...(metadata && { metadata }) })
    } else state.apart.metadata = mergeMetadata(state.apart.metadata, metadata)
    this.writeApartDelta(state.apart, joinPairs(state, delta))
  }

  private closeApart(metadata?: Metadata): void {
    const { state } = this
    const { apart } = state
    if (apart === null) return
    this.writeApartDelta(apart, flushPair(state))
    state.apart = null
    const kept = mergeMetadata(apart.metadata, metadata)
    this.sink({ type: `${apart.kind}-end`, id: apart.id, ...(kept && { metadata: kept }) })
  }

  private writeApartDelta({ kind, id }: ApartSpan, delta: string): void {
    if (delta !== '') this.sink({ type: `${kind}-delta`, id, delta })
  }

  /** Something that is neither text nor reasoning comes next. */
  close(by: Interruption = 'other'): void {
    this.closeApart()
    this.closeText(undefined, by)
  }

  end(reason: EndReason): void {
    this.closeApart()
    this.parser?.end(reason)
    this.writeMetadata()
  }

  /** A server that sends reasoning apart has taken it out of the text, which then does not begin in it. */
  private open(saved?: ParserSnapshot): SinkParser {
    const { start, generateId: _own, ...others } = this.options
    const isApart = this.state.hasReasoned && start === 'reasoning'
    const options: ParserOptions = {
      ...others,
      ...(start !== undefined && !isApart && { start }),
      generateId: (kind) => this.ids.next(kind),
    }
    const sink: Sink = (event) => this.fromParser(event)
    return saved === undefined ? createSinkParser(sink, options) : restoreSinkParser(saved, sink, options)
  }

  private fromParser(event: SluiceEvent): void {
    const { state } = this
    if (event.type === 'finish') state.stoppedBy = event.rawReason
    else if ((event.type === 'text-start' || event.type === 'text-end') && state.textMetadata !== undefined) {
      this.sink({ ...event, metadata: state.textMetadata })
      state.textMetadata = undefined
    } else this.sink(event)
  }

  /** What was attached to text that never came. */
  private writeMetadata(): void {
    const { state } = this
    const metadata = state.textMetadata
    if (metadata === undefined) return
    state.textMetadata = undefined
    const id = this.ids.next('text')
    this.sink({ type: 'text-start', id, metadata })
    this.sink({ type: 'text-end', id })
  }
}
