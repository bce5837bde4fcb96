/**
 * What a provider is: a name, how its stream is framed, and how the fields of a payload become deltas.
 *
 * A payload is one decoded JSON object: the data of a server-sent event, a line, a frame, or a chunk of a provider's own
 * client. It may contain anything, so a reader checks every field.
 */

import type { Fields } from '../base/fields.ts'
import type { BinaryFraming, FramingName } from './framing/framing.ts'
import type { Output } from './output.ts'

/** A protocol that can be read, such as `openaiChat`. Pass it to `readProvider`. */
export interface Provider<Name extends string = string> {
  readonly name: Name
  /** How its stream is usually framed; undefined: the first byte decides. */
  readonly framing?: FramingName | BinaryFraming | undefined
  /**
   * Whether a stream of this provider has payloads like this one; false is always safe. `isFramed`: the payload was found
   * in text or bytes, and not passed as an object.
   */
  detect(payload: Fields, isFramed: boolean): boolean
  /** The status of an error in its stream that has only a message. */
  readonly errorStatus?: number | undefined
  /**
   * Begins a response, or continues one with the state of its reader. The state comes from a snapshot, which may be
   * damaged, so the reader checks it.
   */
  open(out: Output, state?: unknown): PayloadReader
}

/** Turns the payloads of one response into deltas. */
export interface PayloadReader {
  /** The next payload. `isFramed`: as for `detect`. */
  read(payload: Fields, isFramed: boolean): void
  /** Called after the last payload. */
  end?(): void
  /** The state between payloads: plain data, maps, sets and bytes. */
  readonly state?: object
}
