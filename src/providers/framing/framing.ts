import { excerpt } from '../../base/options.ts'
import { parseWritten } from '../../values/numbers/written.ts'

/** Finds the payloads in the bytes of a stream. */
export interface Framing {
  push(chunk: string | Uint8Array): void
  /** Ends the stream: the rest is a payload, or was cut off. */
  end(): void
  /** The state for a snapshot. */
  save(): unknown
}

/** How payloads follow each other in text. */
export type FramingName = 'sse' | 'lines' | 'json'

/** A framing that is not text. Its provider imports it, so that other bundles do not contain it. */
export interface BinaryFraming {
  /** Whether a stream may begin with this byte. */
  begins(byte: number): boolean
  open(receiver: FrameReceiver, saved?: unknown): Framing
}

/** Takes what a framing finds. */
export interface FrameReceiver {
  readonly limit: number
  /** A decoded payload. `event` is its name, if the framing has one. */
  payload(value: unknown, event?: string): void
  /** A mark of the framing ends the stream. */
  done(): void
  /** Text that is not part of the framing. */
  unexpected(text: string): void
  /** Something that is not a payload. */
  problem(message: string): void
  /** A damaged payload, which is left out. */
  damaged(message: string): void
  /** A payload is longer than the limit, and is left out. */
  tooLong(): void
}

/** The payload that a text is, or a problem. */
export function receiveJson(text: string, event: string | undefined, receiver: FrameReceiver): void {
  let value: unknown
  try {
    value = parseWritten(text)
  } catch {
    const message = `A payload is not JSON: ${excerpt(text, 60)}`
    // What does not even begin like one held nothing.
    if (/^[{[]/.test(text)) receiver.damaged(message)
    else receiver.problem(message)
    return
  }
  receiver.payload(value, event)
}

/** What stands behind `data:`. */
export function receiveData(data: string, event: string | undefined, receiver: FrameReceiver): void {
  const text = data.trim()
  if (text === '[DONE]') receiver.done()
  else if (text !== '') receiveJson(text, event, receiver)
}
