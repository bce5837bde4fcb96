/** What a state says: segments of its own, or text. */

import { SegmentEvent, type SegmentMetadata, withoutVerdict } from '../segment-event.ts'

/** Where it goes. */
export interface EmitterTarget {
  /** Ends the text or reasoning that is open. */
  endProse(): void
  text(delta: string): void
  emit(event: SegmentEvent): void
  nextId(): string
}

/** Emits the events of one segment after the other. */
export class SegmentEmitter {
  private readonly target: EmitterTarget
  private current: { readonly id: string; readonly type: string; metadata: SegmentMetadata } | null = null
  private reserved: string | undefined

  /** `reserved`: the id of its first segment. */
  constructor(target: EmitterTarget, reserved?: string) {
    this.target = target
    this.reserved = reserved
  }

  getCurrentSegmentId(): string | null {
    return this.current?.id ?? null
  }

  getCurrentSegmentType(): string | null {
    return this.current?.type ?? null
  }

  /** The id of the next segment, which the parser begins. */
  takeId(): string {
    const id = this.reserved ?? this.target.nextId()
    this.reserved = undefined
    return id
  }

  emitSegmentStart(type: string, metadata: SegmentMetadata = {}): string {
    this.emitSegmentEnd()
    this.target.endProse()
    const id = this.takeId()
    this.current = { id, type, metadata: withoutVerdict(metadata) }
    this.target.emit(SegmentEvent.start(id, type, metadata))
    return id
  }

  emitSegmentContent(delta: string): void {
    if (delta === '') return
    if (this.current === null) this.target.text(delta)
    else this.target.emit(SegmentEvent.content(this.current.id, delta))
  }

  /** Metadata that the end carries beside that of the start. */
  updateCurrentSegmentMetadata(metadata: SegmentMetadata): void {
    if (this.current !== null) this.current.metadata = { ...this.current.metadata, ...metadata }
  }

  emitSegmentEnd(metadata: SegmentMetadata = {}): void {
    const { current } = this
    if (current === null) return
    this.current = null
    this.target.emit(SegmentEvent.end(current.id, { ...current.metadata, ...metadata }))
  }

  appendTextSegment(text: string): void {
    this.emitSegmentEnd()
    if (text !== '') this.target.text(text)
  }

  /** An event as it is. */
  emit(event: SegmentEvent): void {
    this.target.emit(event)
  }
}
