/**
 * A format that events can be written in: how an event becomes payloads, and how payloads become text.
 *
 * A format leaves out what it cannot express. It never writes a tool that a provider ran as a call to run, or arguments
 * that parse for a call that may not run.
 */

import type { ErrorRecord, SluiceEvent } from '../base/event.ts'
import type { ExecutableOptions } from '../engine/calls/verdict.ts'
import { jsonOf } from './payload-fields.ts'

/** Options of writers. `allow`: guesses that may run. Other calls that may not run are written so that no client runs them. */
export interface WriterOptions extends ExecutableOptions {
  /** The id of the response. */
  readonly id?: string
  readonly model?: string
  /** The time of the response, in seconds since 1970. */
  readonly created?: number
}

/** A protocol that can be written, such as `openaiChatWriter`. Pass it to `writeProvider` or `toResponse`. */
export interface WireFormat<Name extends string = string> {
  readonly name: Name
  readonly contentType: string
  /** The text of a payload. `count`: how many were written before it. */
  frame(payload: Payload, count: number): string
  /** Text after the last payload. */
  readonly end: string
  open(about: Required<WriterOptions>): PayloadWriter
  /** Additional headers of a response in this format. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body of an error response. Without it, the response is a stream that contains the error. */
  refuse?(error: ErrorRecord): { readonly contentType: string; readonly body: string }
  /** This format can express late verdicts: calls inside reasoning are written as they arrive. */
  readonly takesLateVerdicts?: boolean
}

export type Payload = Readonly<Record<string, unknown>>

/** Turns the events of one response into payloads. */
export interface PayloadWriter {
  /** The payloads that an event becomes. */
  write(event: SluiceEvent): readonly Payload[]
  /** Payloads before the first one. */
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
