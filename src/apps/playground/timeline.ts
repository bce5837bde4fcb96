/** A stream, character by character: what had arrived at each moment, and what was known of it then. */

import type { SluiceEvent } from '../../base/event.ts'
import { EventLog, type LogEntry } from './event-log.ts'
import { lastIndexUpTo } from './growth.ts'
import type { SampleChunk, Settings } from './settings.ts'
import { WireMap } from './wire-map.ts'
import { openReader, type WireReader } from './wire-reader.ts'

/**
 * Moments are numbers of characters that have arrived: 0 is before the first one, `length` behind the last one, and
 * `length + 1` after the end of the stream.
 */
export class Timeline {
  readonly log = new EventLog()
  readonly map: WireMap
  /** Where the text is cut. It may be cut in another way later, which changes nothing else. */
  chunks: SampleChunk[] = []
  /** Bumped by whatever changes it, so that a page knows what to draw anew. */
  version = 0
  isEnded = false
  private readonly reader: WireReader
  private text: string
  private arrived = 0
  private fresh: SluiceEvent[] = []

  /** `text`: all of it, if it is known before; joining a long text from its chunks would take long. */
  constructor(settings: Settings, text = '') {
    this.text = text
    this.reader = openReader(settings, (event) => this.fresh.push(event))
    this.map = new WireMap(
      () => this.reader,
      () => this.text,
    )
    this.take()
  }

  get wire(): string {
    return this.text
  }

  /** Whether nothing comes of a line before it is whole. */
  get hasFrames(): boolean {
    return this.reader.hasFrames
  }

  get length(): number {
    return this.arrived
  }

  /** The last moment. */
  get end(): number {
    return this.arrived + (this.isEnded ? 1 : 0)
  }

  /** Reads a chunk that is not known before. */
  push(chunk: string, at: number): void {
    this.text += chunk
    this.read(this.text.length, at)
  }

  /** Reads up to a position, one character at a time. */
  read(to: number, at: number): void {
    const { text } = this
    for (let position = this.arrived + 1; position <= to; position++) {
      this.reader.push(text[position - 1]!)
      this.map.arrived(position, this.fresh, this.take(position))
    }
    this.arrived = to
    this.chunks.push({ to, at })
    this.version++
  }

  finish(): void {
    if (this.isEnded) return
    this.reader.end()
    this.isEnded = true
    const position = this.arrived + 1
    this.map.ended(position, this.fresh, this.take(position))
    this.version++
  }

  /** The chunk that a moment is in. */
  chunkAt(position: number): number {
    return lastIndexUpTo(this.chunks, position - 1, ({ to }) => to) + 1
  }

  /** The moment of the next event, chunk or character. */
  next(moment: number, by: StepKind): number {
    if (by === 'character') return Math.min(this.end, moment + 1)
    const found =
      by === 'event'
        ? this.log.entries[this.log.countAt(moment)]?.at
        : this.chunks[lastIndexUpTo(this.chunks, moment, ({ to }) => to) + 1]?.to
    return Math.min(found ?? this.end, this.end)
  }

  previous(moment: number, by: StepKind): number {
    if (by === 'character') return Math.max(0, moment - 1)
    const found =
      by === 'event'
        ? this.log.entries[this.log.countAt(moment - 1) - 1]?.at
        : this.chunks[lastIndexUpTo(this.chunks, moment - 1, ({ to }) => to)]?.to
    return Math.max(0, found ?? 0)
  }

  private take(position = 0): LogEntry[] {
    const entries = this.fresh.map((event) => this.log.add(event, position))
    this.fresh = []
    return entries
  }
}

export type StepKind = 'character' | 'chunk' | 'event'

/** The timeline of a text whose chunks are known. */
export function timelineOf(settings: Settings, text: string, chunks: readonly SampleChunk[]): Timeline {
  const timeline = new Timeline(settings, text)
  timeline.read(text.length, 0)
  timeline.finish()
  timeline.chunks = [...chunks]
  return timeline
}
