/**
 * Text and reasoning: at most one of them is open. Text goes through the parser, which finds what a dialect
 * marks up in it; reasoning that the provider sends by itself does not.
 */

import type { Event, Metadata, Sink } from '../event.ts'
import {
  createSinkParser,
  type ParserOptions,
  type ParserSnapshot,
  restoreSinkParser,
  type SinkParser,
} from '../parser.ts'
import type { EndReason, Interruption } from '../wire/machine.ts'
import type { Ids } from './ids.ts'
import { mergeMetadata } from './metadata.ts'
import type { SpanOptions } from './output.ts'
import { type HalfPair, lastHalf, withoutHalf } from './pairs.ts'

export interface SpansState extends HalfPair {
  /** The stop literal that the parser found in the text. */
  stoppedBy: string | undefined
  /** Text came since the last interruption. */
  isTouched: boolean
  textPlace: SpanOptions['place']
  /** What waits for the next start or end of text. */
  textMetadata: Metadata | undefined
  reasoningId: string
  reasoningPlace: SpanOptions['place']
  reasoningMetadata: Metadata | undefined
  hasReasoned: boolean
}

/** The spans, and the parser that the text goes through, once there is one. */
export interface SavedSpans {
  readonly state: SpansState
  readonly parser: ParserSnapshot | null
}

const begin = (): SpansState => ({
  half: '',
  stoppedBy: undefined,
  isTouched: false,
  textPlace: undefined,
  textMetadata: undefined,
  reasoningId: '',
  reasoningPlace: undefined,
  reasoningMetadata: undefined,
  hasReasoned: false,
})

export class Spans {
  private readonly state: SpansState
  private readonly sink: Sink
  private readonly ids: Ids
  private readonly options: ParserOptions
  private parser: SinkParser | null = null

  constructor(sink: Sink, ids: Ids, options: ParserOptions, saved?: SavedSpans) {
    this.sink = sink
    this.ids = ids
    this.options = options
    this.state = saved?.state ?? begin()
    if (saved?.parser) this.parser = this.open(saved.parser)
  }

  save(): SavedSpans {
    return { state: this.state, parser: this.parser?.snapshot() ?? null }
  }

  get stoppedBy(): string | undefined {
    return this.state.stoppedBy
  }

  text(delta: string, { place, metadata }: SpanOptions = {}): void {
    const { state } = this
    if (delta === '' && metadata === undefined) return
    this.closeReasoning()
    if (place !== undefined && place !== state.textPlace) this.closeText()
    state.textPlace = place ?? state.textPlace
    state.textMetadata = mergeMetadata(state.textMetadata, metadata)
    if (delta === '') return
    state.isTouched = true
    this.parser ??= this.open()
    this.parser.push(delta)
  }

  /**
   * What was held back is said, and text that is open ends. `by`: what comes next, as far as it is known; the end of
   * a text says nothing about the calls in it.
   */
  closeText(metadata?: Metadata, by: Interruption = 'call'): void {
    const { state } = this
    state.textMetadata = mergeMetadata(state.textMetadata, metadata)
    if (state.isTouched || by === 'other') this.parser?.interrupt(by)
    state.isTouched = false
    state.textPlace = undefined
    this.sayMetadataAlone()
  }

  reasoning(delta: string, { place, metadata }: SpanOptions = {}): void {
    const { state } = this
    if (delta === '' && metadata === undefined) return
    this.closeText(undefined, state.reasoningId === '' ? 'other' : 'call')
    if (place !== undefined && place !== state.reasoningPlace) this.closeReasoning()
    state.reasoningPlace = place ?? state.reasoningPlace
    state.hasReasoned = true
    if (state.reasoningId === '') {
      state.reasoningId = this.ids.next('reasoning')
      this.sink({ type: 'reasoning-start', id: state.reasoningId, ...(metadata && { metadata }) })
    } else state.reasoningMetadata = mergeMetadata(state.reasoningMetadata, metadata)
    this.sayReasoning(withoutHalf(state, delta))
  }

  closeReasoning(metadata?: Metadata): void {
    const { state } = this
    if (state.reasoningId === '') {
      if (metadata === undefined) return
      this.reasoning('', { metadata })
    } else state.reasoningMetadata = mergeMetadata(state.reasoningMetadata, metadata)
    this.sayReasoning(lastHalf(state))
    const kept = state.reasoningMetadata
    this.sink({ type: 'reasoning-end', id: state.reasoningId, ...(kept && { metadata: kept }) })
    state.reasoningId = ''
    state.reasoningPlace = undefined
    state.reasoningMetadata = undefined
  }

  /** Something that is neither text nor reasoning comes next. */
  close(by: Interruption = 'other'): void {
    this.closeReasoning()
    this.closeText(undefined, by)
  }

  end(reason: EndReason): void {
    this.closeReasoning()
    this.parser?.end(reason)
    this.sayMetadataAlone()
  }

  private sayReasoning(delta: string): void {
    if (delta !== '') this.sink({ type: 'reasoning-delta', id: this.state.reasoningId, delta })
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

  private fromParser(event: Event): void {
    const { state } = this
    if (event.type === 'finish') state.stoppedBy = event.rawReason
    else if ((event.type === 'text-start' || event.type === 'text-end') && state.textMetadata !== undefined) {
      this.sink({ ...event, metadata: state.textMetadata })
      state.textMetadata = undefined
    } else this.sink(event)
  }

  /** What was attached to text that never came. */
  private sayMetadataAlone(): void {
    const { state } = this
    const metadata = state.textMetadata
    if (metadata === undefined) return
    state.textMetadata = undefined
    const id = this.ids.next('text')
    this.sink({ type: 'text-start', id, metadata })
    this.sink({ type: 'text-end', id })
  }
}
