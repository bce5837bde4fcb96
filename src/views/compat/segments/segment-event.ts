/**
 * What this view says: a segment begins, grows and ends.
 *
 *     { type: 'SEGMENT_START',   segment_id: 'seg_1', segment_type: 'write_file', payload: { metadata: { path: 'a.ts' } } }
 *     { type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'let a = 1' } }
 *     { type: 'SEGMENT_END',     segment_id: 'seg_1', payload: {} }
 */

import type { JsonValue, ToolCall } from '../../../base/event.ts'

/** The types of segment events. */
export const SegmentEventType = {
  START: 'SEGMENT_START',
  CONTENT: 'SEGMENT_CONTENT',
  END: 'SEGMENT_END',
  /** Only on request: metadata that was not known at the start. */
  METADATA_UPDATED: 'SEGMENT_METADATA_UPDATED',
} as const

export type SegmentEventType = (typeof SegmentEventType)[keyof typeof SegmentEventType]

/** The types there are by themselves. A tool that is declared as data may bring its own. */
export const SegmentType = {
  TEXT: 'text',
  TOOL_CALL: 'tool_call',
  WRITE_FILE: 'write_file',
  EDIT_FILE: 'edit_file',
  PATCH_FILE: 'patch_file',
  RUN_BASH: 'run_bash',
  REASONING: 'reasoning',
} as const

export type SegmentType = (typeof SegmentType)[keyof typeof SegmentType]

/** How a segment ended that is not complete: cut off, stopped, or failed. */
export type SegmentStatus = 'incomplete' | 'interrupted' | 'failed'

/** What is known about a segment, such as the name of its tool and its path. */
export type SegmentMetadata = { [key: string]: JsonValue }

/** Metadata without what only an END says: how the segment ended. An argument may have the same name. */
export function withoutVerdict({
  status: _,
  reason: __,
  error: ___,
  ...metadata
}: SegmentMetadata): SegmentMetadata {
  return metadata
}

/** What a segment event carries. */
export interface SegmentPayload {
  readonly delta?: string
  readonly metadata?: SegmentMetadata
}

/** An event as it goes over a socket. */
export interface SegmentEventDict {
  readonly type: SegmentEventType
  readonly segment_id: string
  readonly segment_type?: string
  readonly payload: SegmentPayload
}

const NOTHING: SegmentPayload = Object.freeze({})

/** Its fields are declared and not initialised, because most events have only three of them, and there are many. */
export class SegmentEvent {
  declare readonly event_type: SegmentEventType
  declare readonly segment_id: string
  declare readonly payload: SegmentPayload
  /** Only where a segment starts. */
  declare readonly segment_type?: string
  /** Where a segment starts: its end will carry the verdict, so that its content need not be added up. */
  declare readonly isJudged?: true
  /** The verdict on the call that ends here. It stays in the process: `toDict` leaves it out. */
  declare readonly call?: ToolCall

  constructor(
    eventType: SegmentEventType,
    segmentId: string,
    payload: SegmentPayload = NOTHING,
    segmentType?: string,
    call?: ToolCall,
  ) {
    this.event_type = eventType
    this.segment_id = segmentId
    this.payload = payload
    if (segmentType !== undefined) this.segment_type = segmentType
    if (call !== undefined) this.call = call
  }

  static start(segmentId: string, segmentType: string, metadata: SegmentMetadata = {}): SegmentEvent {
    return new SegmentEvent('SEGMENT_START', segmentId, payloadOf(metadata), segmentType)
  }

  /** The start of a call whose end brings the verdict on it. */
  static startOfCall(segmentId: string, segmentType: string, metadata: SegmentMetadata): SegmentEvent {
    return Object.assign(SegmentEvent.start(segmentId, segmentType, metadata), { isJudged: true as const })
  }

  static content(segmentId: string, delta: string): SegmentEvent {
    return new SegmentEvent('SEGMENT_CONTENT', segmentId, { delta })
  }

  static metadataUpdated(segmentId: string, metadata: SegmentMetadata): SegmentEvent {
    return new SegmentEvent('SEGMENT_METADATA_UPDATED', segmentId, payloadOf(metadata))
  }

  static end(segmentId: string, metadata: SegmentMetadata = {}, call?: ToolCall): SegmentEvent {
    return new SegmentEvent('SEGMENT_END', segmentId, payloadOf(metadata), undefined, call)
  }

  get type(): SegmentEventType {
    return this.event_type
  }

  toDict(): SegmentEventDict {
    const { event_type: type, segment_id, segment_type, payload } = this
    return segment_type === undefined
      ? { type, segment_id, payload }
      : { type, segment_id, segment_type, payload }
  }

  toJSON(): SegmentEventDict {
    return this.toDict()
  }
}

/** A payload without metadata is empty. */
function payloadOf(metadata: SegmentMetadata): SegmentPayload {
  for (const _ in metadata) return { metadata }
  return NOTHING
}
