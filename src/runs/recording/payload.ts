/** One chunk of a recording, as it is written in its line. */

import { fromBase64, toBase64 } from '../../base/base64.ts'
import { errorRecord, SluiceError } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import type { RecordingKind } from './format.ts'

/** The JSON text of a chunk. */
export function encodePayload(kind: RecordingKind, chunk: unknown): string {
  if (kind === 'text' && typeof chunk === 'string') return JSON.stringify(chunk)
  if (kind === 'bytes' && typeof chunk === 'string') return JSON.stringify(chunk)
  if (kind === 'bytes' && chunk instanceof Uint8Array) return encodeBytes(chunk)
  if (kind === 'bytes' && chunk instanceof ArrayBuffer) return encodeBytes(new Uint8Array(chunk))
  if (kind === 'events' && isEvent(chunk)) return encodeEvent(chunk)
  throw new SluiceError(
    'invalid-recording',
    `A recording of the kind '${kind}' takes ${TAKES[kind]}, not ${nameOf(chunk)}.`,
  )
}

const TAKES: Record<RecordingKind, string> = { text: 'strings', bytes: 'bytes', events: 'events' }

function nameOf(chunk: unknown): string {
  if (chunk instanceof Uint8Array || chunk instanceof ArrayBuffer) return 'bytes'
  if (isEvent(chunk)) return 'an event'
  return chunk === null ? 'null' : typeof chunk === 'object' ? 'an object' : `a ${typeof chunk}`
}

/** The chunk of a payload; undefined where it is none of that kind. An event must have been found to be one. */
export function decodePayload(
  kind: RecordingKind,
  payload: unknown,
): string | Uint8Array | SluiceEvent | undefined {
  if (kind === 'events') return withErrorRecord(payload as SluiceEvent)
  if (typeof payload === 'string') return kind === 'text' ? payload : new TextEncoder().encode(payload)
  if (kind === 'text' || typeof payload !== 'object' || payload === null || !('b' in payload))
    return undefined
  return typeof payload.b === 'string' ? fromBase64(payload.b) : undefined
}

// ── bytes ────────────────────────────────────────────────────────────────────────────────────────

function encodeBytes(bytes: Uint8Array): string {
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return JSON.stringify({ b: toBase64(bytes) })
  }
}

// ── events ───────────────────────────────────────────────────────────────────────────────────────

function isEvent(value: unknown): value is SluiceEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function encodeEvent(event: SluiceEvent): string {
  try {
    return JSON.stringify(event)
  } catch (error) {
    throw new SluiceError(
      'invalid-recording',
      `The event '${event.type}' holds a value that JSON cannot represent; leave it out of the recording.`,
      {
        cause: error,
      },
    )
  }
}

/** A recording may have been written by hand, or by whatever had another idea of an error. */
function withErrorRecord(event: SluiceEvent): SluiceEvent {
  return event.type === 'error' ? { ...event, error: errorRecord(event.error) } : event
}
