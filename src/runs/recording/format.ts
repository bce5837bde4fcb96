/**
 * The file format for recorded streams: what arrived, in the pieces it arrived in, and when.
 *
 *     {"sluice-recording":1,"kind":"text","dialect":"hermes","note":"a call that is cut off"}
 *     [0,"Let me look. <tool"]
 *     [38,"_call>{\"name\": \"ls\""]
 *     [112.5,{"end":"failed","error":"socket hang up"}]
 *
 * A recording is UTF-8 text, one JSON value per line, so that it can be written while the stream runs, cut
 * with `head` and read in a diff. Blank lines mean nothing.
 *
 * The first line is the header. `sluice-recording` is the version of the format, `kind` what was recorded.
 * `dialect`, `provider` and `note` are optional; other fields are kept as they are.
 *
 * Each further line is `[time, payload]`. The time is in milliseconds since the start and never decreases.
 * The payload depends on the kind:
 *
 *     text      "some text"             a piece of text
 *     bytes     "some text"             bytes that are UTF-8 by themselves, as text
 *               {"b":"8J+Y"}            any other bytes, in base64
 *     events    {"type":"text-delta"…}  an event of `base/event.ts`; a path is the list of its keys
 *
 * A payload of events may also be a list of them. A line may have a third field, the events that its payload led to, and a
 * fourth, the place at which the stream continues, if its server keeps it: the log of a run writes them, and a reader of the
 * recording does not need them.
 *
 * The last line may have how the stream ended: `{"end":"finished"}`, `"interrupted"` when its reader left, or
 * `"failed"` with an `error`. A recording without it was cut off, or made by hand; it is complete all the same.
 */

import { SluiceError } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { choice } from '../../base/options.ts'
import type { StreamEnd } from '../../engine/wire/machine.ts'
import { problemWithEvent } from './event-shape.ts'
import { decodePayload, encodePayload } from './payload.ts'

const VERSION = 1

/** What was recorded: text, bytes, or the events that were made of them. */
export type RecordingKind = 'text' | 'bytes' | 'events'

const KINDS: readonly RecordingKind[] = ['text', 'bytes', 'events']
const END_REASONS: readonly StreamEnd[] = ['finished', 'interrupted', 'failed']

/** What the first line of a recording says about it. */
export interface RecordingHeader {
  readonly dialect?: string | readonly string[]
  readonly provider?: string
  readonly note?: string
  readonly [field: string]: unknown
}

/** A chunk of a recording, with the time when it arrived. */
export interface RecordedChunk<Chunk> {
  /** Milliseconds since the start. */
  readonly at: number
  readonly chunk: Chunk
}

/** How a recorded stream ended. */
export interface RecordingEnd {
  readonly at: number
  readonly reason: StreamEnd
  /** What the stream failed with. */
  readonly error?: string
}

interface RecordingOf<Kind extends RecordingKind, Chunk> {
  readonly kind: Kind
  readonly header: RecordingHeader
  readonly chunks: readonly RecordedChunk<Chunk>[]
  readonly end?: RecordingEnd
}

/** A recording of a model's text. */
export type TextRecording = RecordingOf<'text', string>
/** A recording of the bytes of a provider's stream. */
export type BytesRecording = RecordingOf<'bytes', Uint8Array>
/** A recording of events. */
export type EventsRecording = RecordingOf<'events', SluiceEvent>

/** A recorded stream. */
export type Recording = TextRecording | BytesRecording | EventsRecording

/** What a recording of some kind holds. */
export type ChunkOf<AnyRecording extends Recording> = AnyRecording['chunks'][number]['chunk']

// ── writing ──────────────────────────────────────────────────────────────────────────────────────

/** A recording as the text of its file. */
export function formatRecording(recording: Recording): string {
  const lines = [headerLine(recording.kind, recording.header)]
  for (const { at, chunk } of recording.chunks) lines.push(chunkLine(recording.kind, at, chunk))
  if (recording.end !== undefined) lines.push(endLine(recording.end))
  return lines.join('')
}

export function headerLine(kind: RecordingKind, header: RecordingHeader): string {
  if (!KINDS.includes(kind))
    throw new SluiceError(
      'invalid-option',
      `A recording is of the kind ${choice(KINDS)}, not ${JSON.stringify(kind)}.`,
    )
  // First in the line, whatever the header holds.
  const { 'sluice-recording': _version, kind: _kind, ...fields } = header
  return `${JSON.stringify({ 'sluice-recording': VERSION, kind, ...fields })}\n`
}

export function chunkLine(kind: RecordingKind, at: number, chunk: unknown): string {
  return `[${time(at)},${encodePayload(kind, chunk)}]\n`
}

export function endLine({ at, reason, error }: RecordingEnd): string {
  return `${JSON.stringify([time(at), { end: reason, ...(error !== undefined && { error }) }])}\n`
}

/** Microseconds are precise enough. */
function time(at: number): number {
  return Math.round(at * 1000) / 1000
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Reads a recording: the text of its file, or its lines. `name` is the name of the file in errors. With `onBrokenLine` a
 * line that cannot be read is passed over, and reported there; without it, it is an error.
 *
 *     const recording = parseRecording(await response.text())
 */
export function parseRecording(
  input: string | Iterable<string>,
  name?: string,
  onBrokenLine?: (problem: string) => void,
): Recording {
  const reader = new RecordingReader(name, onBrokenLine)
  for (const line of typeof input === 'string' ? input.split('\n') : input) reader.line(line.trim())
  return reader.recording()
}

class RecordingReader {
  private readonly name: string | undefined
  private number = 0
  private kind: RecordingKind | undefined
  private header: RecordingHeader = {}
  private readonly chunks: RecordedChunk<unknown>[] = []
  private end: RecordingEnd | undefined
  private last = 0
  private readonly onBrokenLine: ((problem: string) => void) | undefined

  constructor(name: string | undefined, onBrokenLine: ((problem: string) => void) | undefined) {
    this.name = name
    this.onBrokenLine = onBrokenLine
  }

  line(text: string): void {
    this.number++
    if (text === '') return
    if (this.kind === undefined) {
      this.kind = this.readHeader(text)
      return
    }
    try {
      this.readEntry(this.kind, text)
    } catch (error) {
      if (this.onBrokenLine === undefined || !(error instanceof SluiceError)) throw error
      this.onBrokenLine(error.message)
    }
  }

  recording(): Recording {
    const { kind, header, chunks, end } = this
    if (kind === undefined) {
      const what = this.name === undefined ? 'The recording' : this.name
      throw new SluiceError(
        'invalid-recording',
        `${what} is empty; the first line of a recording is its header.`,
      )
    }
    return { kind, header, chunks, ...(end !== undefined && { end }) } as Recording
  }

  private readHeader(text: string): RecordingKind {
    const line = jsonIn(text)
    if (!isFields(line) || !Object.hasOwn(line, 'sluice-recording'))
      this.refuse(
        `is not the header of a recording, which looks like {"sluice-recording":${VERSION},"kind":"text"}`,
      )
    const { 'sluice-recording': version, kind, ...header } = line
    if (version !== VERSION)
      this.refuse(
        `says version ${JSON.stringify(version)} of the format, and this is a reader of version ${VERSION}; update sluice, or record the stream again`,
      )
    if (!KINDS.includes(kind as RecordingKind))
      this.refuse(`has the kind ${JSON.stringify(kind)}; a recording is of the kind ${choice(KINDS)}`)
    this.header = header
    return kind as RecordingKind
  }

  private readEntry(kind: RecordingKind, text: string): void {
    if (this.end !== undefined)
      this.refuse('comes after the end of the recording; remove it, or the line with the end')
    const line = jsonIn(text)
    if (line === undefined)
      this.refuse('is not JSON; if the recording was cut off while it was written, remove this line')
    if (!Array.isArray(line) || !isEntry(line)) this.refuse('is not of the form [milliseconds, payload]')
    const [at, payload, events = []] = line as [unknown, unknown, unknown[]?]
    if (typeof at !== 'number' || !(at >= 0))
      this.refuse(`has the time ${JSON.stringify(at)}; a time is a number of milliseconds`)
    if (at < this.last) this.refuse(`has the time ${at}, which is before the ${this.last} of the line above`)
    const isEnd = isFields(payload) && Object.hasOwn(payload, 'end')
    const given = isEnd ? [] : kind === 'events' && Array.isArray(payload) ? payload : [payload]
    const chunks = [...given, ...(kind === 'events' ? events : [])].map((one) => this.readChunk(kind, one))
    if (isEnd) this.end = this.readEnd(at, payload)
    // Only a line that was read counts, and moves the time on.
    for (const chunk of chunks) this.chunks.push({ at, chunk })
    this.last = at
  }

  private readChunk(kind: RecordingKind, payload: unknown): unknown {
    const problem = kind === 'events' ? problemWithEvent(payload) : undefined
    if (problem !== undefined) this.refuse(problem)
    return (
      decodePayload(kind, payload) ??
      this.refuse(`has a payload that does not belong into a recording of the kind '${kind}'`)
    )
  }

  private readEnd(at: number, { end, error }: Fields): RecordingEnd {
    const reason = end as StreamEnd
    if (!END_REASONS.includes(reason))
      this.refuse(`has the end ${JSON.stringify(end)}; an end is ${choice(END_REASONS)}`)
    return typeof error === 'string' ? { at, reason, error } : { at, reason }
  }

  private refuse(what: string): never {
    const where = this.name === undefined ? `Line ${this.number}` : `Line ${this.number} of ${this.name}`
    throw new SluiceError('invalid-recording', `${where} ${what}.`)
  }
}

/** The value of a line, or undefined if the line is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `[at, payload]`, and for a run `[at, payload, events]` or `[at, payload, events, place]`. */
function isEntry({ length, 2: events, 3: place }: readonly unknown[]): boolean {
  if (length === 2) return true
  return Array.isArray(events) && (length === 3 || (length === 4 && isFields(place)))
}
