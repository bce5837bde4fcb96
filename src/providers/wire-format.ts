/**
 * What a format is that events can be written in: how one event becomes payloads, and how payloads become text.
 *
 * A format writes what it has a place for. It never writes what would be understood as something else: a tool
 * that a provider ran is no call to be run, and no client gets arguments that parse for a call that may not run.
 */

import type { ExecutableOptions } from '../calls/verdict.ts'
import type { ErrorRecord, SluiceEvent } from '../event.ts'
import { jsonOf } from './payload-fields.ts'

/** `allow`: calls that may run although they had to be guessed. All others are written so that no client runs them. */
export interface WriterOptions extends ExecutableOptions {
  /** The id of the response. */
  readonly id?: string
  readonly model?: string
  /** When it began, in seconds since 1970. */
  readonly created?: number
}

/** A protocol that can be written, such as `openaiChatWriter`. Pass it to `writeProvider` or `toResponse`. */
export interface WireFormat<Name extends string = string> {
  readonly name: Name
  readonly contentType: string
  /** The text of a payload. `count`: how many were written before it. */
  frame(payload: Payload, count: number): string
  /** What stands behind the last payload. */
  readonly end: string
  open(about: Required<WriterOptions>): PayloadWriter
  /** Headers of a response in this format, beside its type. */
  readonly headers?: Readonly<Record<string, string>>
  /** What a server of this format answers with an error status. Without it, the answer is a stream that holds the error. */
  refuse?(error: ErrorRecord): { readonly contentType: string; readonly body: string }
  /** Verdicts may come late in this format: calls inside reasoning are written as they come, with their verdicts. */
  readonly takesLateVerdicts?: boolean
}

export type Payload = Readonly<Record<string, unknown>>

/** Turns the events of one response into payloads. */
export interface PayloadWriter {
  /** The payloads that an event becomes. */
  write(event: SluiceEvent): readonly Payload[]
  /** What stands before the first payload. */
  opening?(): readonly Payload[]
}

/** `data: {…}` and an empty line; nothing, where a client attached what JSON cannot hold. */
export function asEvent(payload: Payload): string {
  const json = jsonOf(payload)
  return json === undefined ? '' : `data: ${json}\n\n`
}

/** The same with the payload's type for the event's name. */
export function asNamedEvent(payload: Payload): string {
  const event = asEvent(payload)
  return event === '' ? '' : `event: ${String(payload.type)}\n${event}`
}

/** The answer of a server that failed before its stream began. */
export function asRefusal(payload: Payload): { readonly contentType: string; readonly body: string } {
  return { contentType: 'application/json', body: JSON.stringify(payload) }
}

export function asLine(payload: Payload): string {
  const json = jsonOf(payload)
  return json === undefined ? '' : `${json}\n`
}
