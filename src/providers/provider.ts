/**
 * What a provider is: a name, how its stream is framed, and how the fields of a payload become deltas.
 *
 * A payload is one decoded JSON object: the data of a server-sent event, a line, a frame, or the chunk that a
 * provider's own client yields. A payload may hold anything, so a reader takes nothing for granted.
 */

import type { Fields } from '../fields.ts'
import type { BinaryFraming } from './framing/framing.ts'
import type { Output } from './output.ts'

/** How payloads follow each other in text. */
export type FramingName = 'sse' | 'lines' | 'json'

/** A protocol that can be read, such as `openaiChat`. Pass it to `readProvider`. */
export interface Provider<Name extends string = string> {
  readonly name: Name
  /** How its stream is usually framed; undefined where only the stream shows it. */
  readonly framing?: FramingName | BinaryFraming | undefined
  /**
   * Whether a stream of this provider has payloads like this one; a plain no is always safe. `isFramed`: it was
   * found in text or bytes, and did not come as an object.
   */
  detect(payload: Fields, isFramed: boolean): boolean
  /** The status of an error in its stream that says nothing but a message. */
  readonly errorStatus?: number | undefined
  /**
   * A response begins, or goes on with the state that a reader of it had. The state comes from a snapshot, which may be
   * damaged: the reader checks it.
   */
  open(out: Output, state?: unknown): PayloadReader
}

/** Turns the payloads of one response into deltas. */
export interface PayloadReader {
  /** The next payload. `isFramed`: as for `detect`. */
  read(payload: Fields, isFramed: boolean): void
  /** No more payloads come: the last chance to write something. */
  end?(): void
  /** All that the reader remembers from payload to payload: plain data, maps, sets and bytes. */
  readonly state?: object
}
