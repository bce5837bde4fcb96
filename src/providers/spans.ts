/**
 * Text and reasoning: at most one of them is open. Text goes through the parser, which finds what a dialect
 * marks up in it; reasoning that the provider sends by itself does not.
 */

import type { Event, Metadata, Sink } from '../event.ts'
import { createSinkParser, type ParserOptions, type SinkParser } from '../parser.ts'
import type { EndReason } from '../wire/machine.ts'
import type { Ids } from './ids.ts'
import { mergeMetadata } from './metadata.ts'
import type { SpanOptions } from './output.ts'
import { Pairs } from './pairs.ts'

export class Spans {
  /** The stop literal that the parser found in the text. */
  stoppedBy: string | undefined
  private readonly sink: Sink
  private readonly ids: Ids
  private readonly options: ParserOptions
  private parser: SinkParser | null = null
  /** Text came since the last interruption. */
  private isTouched = false
  private textPlace: SpanOptions['place']
  /** What waits for the next start or end of text. */
  private textMetadata: Metadata | undefined
  private reasoningId = ''
  private reasoningPlace: SpanOptions['place']
  private reasoningMetadata: Metadata | undefined
  private readonly reasoningPairs = new Pairs()
  private hasReasoned = false

  constructor(sink: Sink, ids: Ids, options: ParserOptions) {
    this.sink = sink
    this.ids = ids
    this.options = options
  }

  text(delta: string, { place, metadata }: SpanOptions = {}): void {
    if (delta === '' && metadata === undefined) return
    this.closeReasoning()
    if (place !== undefined && place !== this.textPlace) this.closeText()
    this.textPlace = place ?? this.textPlace
    this.textMetadata = mergeMetadata(this.textMetadata, metadata)
    if (delta === '') return
    this.isTouched = true
    this.parser ??= this.open()
    this.parser.push(delta)
  }

  /** What was held back is said, and text that is open ends. */
  closeText(metadata?: Metadata): void {
    this.textMetadata = mergeMetadata(this.textMetadata, metadata)
    if (this.isTouched) this.parser?.interrupt()
    this.isTouched = false
    this.textPlace = undefined
    this.sayMetadataAlone()
  }

  reasoning(delta: string, { place, metadata }: SpanOptions = {}): void {
    if (delta === '' && metadata === undefined) return
    this.closeText()
    if (place !== undefined && place !== this.reasoningPlace) this.closeReasoning()
    this.reasoningPlace = place ?? this.reasoningPlace
    this.hasReasoned = true
    if (this.reasoningId === '') {
      this.reasoningId = this.ids.next('reasoning')
      this.sink({ type: 'reasoning-start', id: this.reasoningId, ...(metadata && { metadata }) })
    } else this.reasoningMetadata = mergeMetadata(this.reasoningMetadata, metadata)
    this.sayReasoning(this.reasoningPairs.push(delta))
  }

  closeReasoning(metadata?: Metadata): void {
    if (this.reasoningId === '') {
      if (metadata === undefined) return
      this.reasoning('', { metadata })
    } else this.reasoningMetadata = mergeMetadata(this.reasoningMetadata, metadata)
    this.sayReasoning(this.reasoningPairs.end())
    const kept = this.reasoningMetadata
    this.sink({ type: 'reasoning-end', id: this.reasoningId, ...(kept && { metadata: kept }) })
    this.reasoningId = ''
    this.reasoningPlace = undefined
    this.reasoningMetadata = undefined
  }

  /** Something that is neither text nor reasoning comes next. */
  close(): void {
    this.closeReasoning()
    this.closeText()
  }

  end(reason: EndReason): void {
    this.closeReasoning()
    this.parser?.end(reason)
    this.sayMetadataAlone()
  }

  private sayReasoning(delta: string): void {
    if (delta !== '') this.sink({ type: 'reasoning-delta', id: this.reasoningId, delta })
  }

  /** A server that sends reasoning apart has taken it out of the text, which then does not begin in it. */
  private open(): SinkParser {
    const { start, generateId: _own, ...options } = this.options
    const isApart = this.hasReasoned && start === 'reasoning'
    return createSinkParser((event) => this.fromParser(event), {
      ...options,
      ...(start !== undefined && !isApart && { start }),
      generateId: (kind) => this.ids.next(kind),
    })
  }

  private fromParser(event: Event): void {
    if (event.type === 'finish') this.stoppedBy = event.rawReason
    else if ((event.type === 'text-start' || event.type === 'text-end') && this.textMetadata !== undefined) {
      this.sink({ ...event, metadata: this.textMetadata })
      this.textMetadata = undefined
    } else this.sink(event)
  }

  /** What was attached to text that never came. */
  private sayMetadataAlone(): void {
    const metadata = this.textMetadata
    if (metadata === undefined) return
    this.textMetadata = undefined
    const id = this.ids.next('text')
    this.sink({ type: 'text-start', id, metadata })
    this.sink({ type: 'text-end', id })
  }
}
