/**
 * Text and reasoning: at most one of them is open. Text goes through the parser, which finds what a dialect
 * marks up in it; reasoning and refusals that the provider sends by themselves do not, so that no call is found there.
 */

import {
  type Field,
  flag,
  nested,
  optional,
  resumed,
  type StateOf,
  stateCheck,
  text,
} from '../base/declared-state.ts'
import type { Metadata, Sink, SluiceEvent } from '../base/event.ts'
import type { Ids } from '../base/ids.ts'
import { mergeMetadata } from '../base/merge-metadata.ts'
import {
  type Check,
  damaged,
  either,
  isAnything,
  isNumber,
  isRecord,
  isString,
  oneOf,
} from '../base/plain-state.ts'
import { flushPair, joinPairs } from '../base/surrogates.ts'
import {
  createSinkParser,
  type ParserOptions,
  type ParserSnapshot,
  restoreSinkParser,
  type SinkParser,
} from '../engine/parser.ts'
import type { EndReason, Interruption } from '../engine/wire/machine.ts'
import type { SpanOptions } from './output.ts'

type Place = NonNullable<SpanOptions['place']>
const isPlace: Check<Place> = either(isNumber, isString)

/** An open span that does not go through the parser. */
const APART_SPAN = {
  kind: { begin: () => 'text', check: oneOf('text', 'reasoning') } as Field<'text' | 'reasoning'>,
  id: text,
  place: optional(isPlace),
  /** What waits for the end. */
  metadata: optional(isRecord),
}
type ApartSpan = StateOf<typeof APART_SPAN>

const STATE = {
  /** The half of a surrogate pair that is held back. */
  half: text,
  /** The stop literal that the parser found in the text. */
  stoppedBy: optional(isString),
  /** Text came since the last interruption. */
  isTouched: flag,
  textPlace: optional(isPlace),
  /** What waits for the next start or end of text. */
  textMetadata: optional(isRecord),
  /** All of it only names the text. */
  isName: flag,
  apart: optional(stateCheck(APART_SPAN)),
  hasReasoned: flag,
  /** Text came, or a refusal. */
  hasText: flag,
  /** Nothing more comes. */
  isOver: flag,
}

/** `parser`: a snapshot of the parser that the text goes through, once there is one. The parser checks it. */
const SAVED = { state: nested(STATE), parser: optional(isAnything) }

export class TextSpans {
  private readonly state: StateOf<typeof STATE>
  private readonly sink: Sink
  private readonly ids: Ids
  private readonly options: ParserOptions
  private parser: SinkParser | null = null

  constructor(sink: Sink, ids: Ids, options: ParserOptions, saved?: unknown) {
    this.sink = sink
    this.ids = ids
    this.options = options
    const { state, parser } = resumed(SAVED, saved)
    this.state = state
    if (parser === null) return
    this.parser = this.open(parser as ParserSnapshot)
    if ((parser as ParserSnapshot).ended !== state.isOver) throw damaged('the text ended without its parser')
  }

  get isOver(): boolean {
    return this.state.isOver
  }

  has(kind: ApartSpan['kind']): boolean {
    return kind === 'text' ? this.state.hasText : this.state.hasReasoned
  }

  save(): StateOf<typeof SAVED> {
    return { state: this.state, parser: this.parser?.snapshot() ?? null }
  }

  get stoppedBy(): string | null {
    return this.state.stoppedBy
  }

  text(delta: string, { place, metadata, isName = false }: SpanOptions = {}): void {
    const { state } = this
    if (delta === '' && metadata === undefined) return
    this.closeApart()
    if (place !== undefined && place !== state.textPlace) this.closeText()
    state.textPlace = place ?? state.textPlace
    if (metadata !== undefined) state.isName = isName && (state.isName || state.textMetadata === null)
    state.textMetadata = mergeMetadata(state.textMetadata, metadata)
    if (delta === '') return
    state.isTouched = true
    state.hasText = true
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
    if (metadata !== undefined) state.isName = false
    state.textMetadata = mergeMetadata(state.textMetadata, metadata)
    if (state.isTouched || by === 'other') this.parser?.interrupt(by)
    state.isTouched = false
    state.textPlace = null
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

  private writeApart(
    kind: ApartSpan['kind'],
    delta: string,
    { place, metadata, isName = false }: SpanOptions = {},
  ): void {
    const { state } = this
    if (delta === '' && metadata === undefined) return
    const isOther = state.apart?.kind !== kind || (place !== undefined && place !== state.apart.place)
    if (isOther) this.close()
    if (kind === 'text') state.hasText = true
    else state.hasReasoned = true
    if (state.apart === null) {
      state.apart = { kind, id: this.ids.next(kind), place: place ?? null, metadata: null }
      this.sink({ type: `${kind}-start`, id: state.apart.id, ...(metadata && { metadata }) })
    } else if (!isName) state.apart.metadata = mergeMetadata(state.apart.metadata, metadata)
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

  /** Something is missing: no call that is in the text, or comes in it, is certain. */
  lose(): void {
    this.parser ??= this.open()
    this.parser.interrupt('loss')
  }

  end(reason: EndReason): void {
    this.state.isOver = true
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
    if (event.type === 'finish') state.stoppedBy = event.rawReason ?? null
    else if ((event.type === 'text-start' || event.type === 'text-end') && state.textMetadata !== null) {
      this.sink({ ...event, metadata: state.textMetadata })
      state.textMetadata = null
    } else this.sink(event)
  }

  /** What was attached to text that never came. */
  private writeMetadata(): void {
    const { state } = this
    const metadata = state.textMetadata
    if (metadata === null) return
    state.textMetadata = null
    if (state.isName) return
    const id = this.ids.next('text')
    this.sink({ type: 'text-start', id, metadata })
    this.sink({ type: 'text-end', id })
  }
}
