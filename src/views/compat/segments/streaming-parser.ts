/** The parser for text: pieces in, segments out. */

import { messageOf, SluiceError } from '../../../base/errors.ts'
import { checkConfig, ParserConfig } from './config.ts'
import { ResponseReader, SegmentIds } from './response-reader.ts'
import type { SegmentEvent, SegmentEventDict, SegmentMetadata } from './segment-event.ts'
import type { Ending } from './segments-view.ts'

/**
 *     const parser = new StreamingParser()
 *     parser.feed("<write_file path='a.ts'>let a")   // START write_file, CONTENT 'let a'
 *     parser.feed(' = 1</write_file>')               // CONTENT ' = 1', END
 *     parser.finalize()
 */
export class StreamingParser {
  readonly config: ParserConfig
  private readonly response: ResponseReader
  private events: SegmentEvent[] = []
  private isOver = false

  constructor(config: ParserConfig = new ParserConfig(), ids: SegmentIds = new SegmentIds()) {
    checkConfig(config)
    this.config = config
    this.response = new ResponseReader(config, (event) => this.events.push(event), ids)
  }

  get isFinalized(): boolean {
    return this.isOver
  }

  getCurrentSegmentId(): string | null {
    return this.response.view.current?.id ?? null
  }

  getCurrentSegmentType(): string | null {
    return this.response.view.current?.type ?? null
  }

  feed(chunk: string): SegmentEvent[] {
    if (this.isOver)
      throw new SluiceError('push-after-end', 'Cannot feed a parser that was finalized; make a new one.')
    this.response.text(chunk)
    return this.taken()
  }

  finalize(): SegmentEvent[] {
    return this.end(null)
  }

  /** The response was stopped: what is open ends as `interrupted`. Nothing that was held back is lost. */
  finalizeInterrupted(reason?: string): SegmentEvent[] {
    return this.end(interrupted(reason))
  }

  /** The response failed: what is open ends as `failed`. */
  finalizeFailed(error?: unknown): SegmentEvent[] {
    return this.end(failed(error))
  }

  feedAndFinalize(text: string): SegmentEvent[] {
    return [...this.feed(text), ...this.finalize()]
  }

  private end(ending: Ending | null): SegmentEvent[] {
    if (this.isOver)
      throw new SluiceError('push-after-end', 'This parser was finalized already; finalize has been called.')
    this.isOver = true
    this.response.end(ending)
    return this.taken()
  }

  private taken(): SegmentEvent[] {
    const { events } = this
    this.events = []
    return events
  }
}

export function interrupted(reason: string | undefined): Ending {
  return { status: 'interrupted', detail: reason === undefined ? {} : { reason } }
}

export function failed(error: unknown): Ending {
  if (error === undefined) return { status: 'failed', detail: {} }
  return { status: 'failed', detail: { error: messageOf(error) } }
}

/** A whole response at once. */
export function parseCompleteResponse(text: string, config?: ParserConfig): SegmentEvent[] {
  return new StreamingParser(config).feedAndFinalize(text)
}

/** A segment, put together from its events. */
export interface Segment {
  readonly id: string
  readonly type: string
  content: string
  metadata: SegmentMetadata
}

/** What some events add up to, in the order in which the segments began. */
export function extractSegments(events: Iterable<SegmentEvent | SegmentEventDict>): Segment[] {
  const segments = new Map<string, Segment>()
  for (const { type, segment_id: id, segment_type = '', payload = {} } of events) {
    if (type === 'SEGMENT_START') segments.set(id, { id, type: segment_type, content: '', metadata: {} })
    const segment = segments.get(id)
    if (segment === undefined) continue
    segment.content += payload.delta ?? ''
    if (payload.metadata !== undefined) segment.metadata = { ...segment.metadata, ...payload.metadata }
  }
  return [...segments.values()]
}
