/**
 * The records of a run, and the line of text that each one is in every backend. The lines of a run make up a recording:
 *
 *     {"sluice-recording":1,"kind":"bytes","provider":"openai-chat","run":{"version":1,"id":"run_x","created":1760000000000}}
 *     [12,"data: {…}\n\n",[{"type":"text-start","id":"text-1"}]]
 *     [40,{"end":"finished"},[{"type":"text-end","id":"text-1"},{"type":"finish","reason":"stop"}]]
 */

import type { SluiceEvent } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import type { StreamEnd } from '../../engine/wire/machine.ts'
import { headerLine, type RecordingHeader, type RecordingKind } from '../recording/format.ts'
import { decodePayload, encodePayload } from '../recording/payload.ts'
import { LogError } from './log-error.ts'

/** The version of the records that this package writes. It reads every version up to it. */
export const RUN_VERSION = 1

/** What identifies a run. It stands in the header of the recording. */
export interface RunIdentity {
  readonly version: typeof RUN_VERSION
  readonly id: string
  /** Milliseconds since 1970. */
  readonly created: number
}

/** Record 0. Other fields are kept as they are. */
export interface RunHeader extends RecordingHeader {
  readonly kind: RecordingKind
  readonly run: RunIdentity
}

/** A step of a run, as its producer appends it. */
export interface RunStep {
  /** Milliseconds since the run was created. */
  readonly at: number
  /** What arrived from the model; only where the run keeps it. */
  readonly input?: string | Uint8Array
  /** What became of it. */
  readonly events: readonly SluiceEvent[]
  /** Where the upstream's stream continues after `input`, if the upstream keeps the stream. */
  readonly place?: StreamPlace
}

/** A position in a stream that its server keeps and can send again from there. */
export interface StreamPlace {
  /** The name of the stream at the server. */
  readonly stream: string
  /** The number of bytes that the server sent before it. */
  readonly offset: number
}

/** The last step. */
export interface RunEnd extends RunStep {
  readonly end: StreamEnd
  readonly error?: string
}

interface Numbered {
  /** 0 is the header. Numbers are dense. */
  readonly n: number
}

/** The first record of a run. */
export interface HeaderRecord extends Numbered {
  readonly header: RunHeader
}

/** A record of a run: input that arrived, and the events that it gave. */
export interface StepRecord extends Numbered, RunStep {
  /** Only in the last record of a run. */
  readonly end?: StreamEnd
  readonly error?: string
}

/** A record of a run: its header, or a step. */
export type RunRecord = HeaderRecord | StepRecord

/** Whether a record is the header, which is the first of a run. */
export const isHeader = (record: RunRecord): record is HeaderRecord => 'header' in record

export const isLast = (record: RunRecord): boolean => 'end' in record

/** What a run is started with. */
export interface NewRun extends RecordingHeader {
  /** At least 128 random bits by default. Letters, digits, `-` and `_`. */
  readonly id?: string
  /** What `input` is. `events` (the default): a run that does not keep its input. */
  readonly kind?: RecordingKind
}

const RUN_ID = /^[\w-]{1,128}$/

/** Whether a text may be an id: it is part of file names, keys and subjects. */
export const isRunId = (id: string): boolean => RUN_ID.test(id)

export function newHeader({ id, kind = 'events', ...fields }: NewRun): RunHeader {
  const own = id ?? `run_${globalThis.crypto.randomUUID().replaceAll('-', '')}`
  if (!isRunId(own))
    throw new LogError(
      'invalid-run',
      `'${own}' cannot be the id of a run; use letters, digits, '-' and '_', 128 at most.`,
    )
  return { ...fields, kind, run: { version: RUN_VERSION, id: own, created: Date.now() } }
}

// ── lines ────────────────────────────────────────────────────────────────────────────────────────

/** With the newline at the end. */
export const encodeHeader = (header: RunHeader): string => headerLine(header.kind, header)

/** With the newline at the end. */
export function encodeStep(kind: RecordingKind, step: RunStep | RunEnd): string {
  const at = Math.round(step.at * 1000) / 1000
  if ('end' in step) {
    const end = { end: step.end, ...(step.error !== undefined && { error: step.error }) }
    return `${JSON.stringify([at, end, step.events])}\n`
  }
  const events = JSON.stringify(step.events)
  if (kind === 'events') return `[${at},${events}]\n`
  const place = step.place === undefined ? '' : `,${JSON.stringify(step.place)}`
  return `[${at},${encodePayload(kind, step.input ?? '')},${events}${place}]\n`
}

/** Reads the lines of a run in their order. */
export class RecordDecoder {
  private readonly id: string
  private kind: RecordingKind = 'events'

  constructor(id: string) {
    this.id = id
  }

  decode(n: number, line: string): RunRecord {
    try {
      const value: unknown = JSON.parse(line)
      return n === 0 ? { n, header: this.header(value) } : { n, ...this.step(value) }
    } catch (error) {
      if (error instanceof LogError) throw error
      throw this.damaged(n, error)
    }
  }

  private header(value: unknown): RunHeader {
    const { 'sluice-recording': _version, ...header } = value as Record<string, unknown>
    const { run, kind } = header
    if (!isFields(run)) throw this.damaged(0)
    if (typeof run.version !== 'number' || run.version > RUN_VERSION)
      throw new LogError(
        'unknown-version',
        `The run '${this.id}' was written by a newer version of sluice (its records are of version ${String(run.version)}, and this one reads ${RUN_VERSION}).`,
      )
    this.kind = kind as RecordingKind
    return header as unknown as RunHeader
  }

  private step(value: unknown): RunStep | RunEnd {
    const [at, payload, events, place] = value as [number, unknown, SluiceEvent[]?, StreamPlace?]
    if (isFields(payload) && 'end' in payload) {
      const { end, error } = payload as { end: StreamEnd; error?: string }
      return { at, events: events ?? [], end, ...(error !== undefined && { error }) }
    }
    if (this.kind === 'events') return { at, events: payload as SluiceEvent[] }
    const input = decodePayload(this.kind, payload) as string | Uint8Array
    return { at, input, events: events ?? [], ...(place && { place }) }
  }

  private damaged(n: number, cause?: unknown): LogError {
    return new LogError('damaged', `Record ${n} of the run '${this.id}' cannot be read.`, { cause })
  }
}

/** Whether a line closes its run. It is read by itself, whatever the header says. */
export const isLastLine = (id: string, n: number, line: string): boolean =>
  n > 0 && isLast(new RecordDecoder(id).decode(n, line))

/** The lines of a run as the text of a recording, which `parseRecording` and `sluice parse --recording` read. */
export async function asRecording(records: AsyncIterable<RunRecord>): Promise<string> {
  let text = ''
  let kind: RecordingKind = 'events'
  for await (const record of records) {
    if (isHeader(record)) kind = record.header.kind
    text += isHeader(record) ? encodeHeader(record.header) : encodeStep(kind, record)
  }
  return text
}
