/**
 * Amazon's binary event stream: frames that begin with their length, with headers for the kind of event.
 *
 * The payload of a frame becomes `{ eventType: body }`, which is what Amazon's own client yields. A frame that
 * is damaged cannot be skipped, because the start of the next one is unknown: the rest is not read.
 */

import { bytes, count, flag, resumed, type StateOf } from '../../base/declared-state.ts'
import { type Check, damaged, isCount } from '../../base/plain-state.ts'
import { parseWritten } from '../../values/numbers/written.ts'
import { readAwsFrame } from './aws-frame.ts'
import type { BinaryFraming, FrameReceiver, Framing } from './framing.ts'

/** A frame is at least its two lengths and its two checksums. */
const SMALLEST = 16

const LENGTH_SIZE = 4

const stateWithin = (limit: number) => {
  const isSize: Check<number> = (value): value is number =>
    value === LENGTH_SIZE || (isCount(value) && value >= SMALLEST && value <= limit)
  return {
    isBroken: flag,
    /** Bytes of a frame that is too long and left out. */
    skip: count,
    /** How long the frame is that is being received: as long as its length, until that is known. */
    size: { begin: () => LENGTH_SIZE, check: isSize },
    /** What is there of it. */
    received: bytes(limit),
  }
}
type AwsState = StateOf<ReturnType<typeof stateWithin>>

export const awsFraming: BinaryFraming = {
  // The first byte of a frame is the highest of its length. Where it is a letter, this is text.
  begins: (byte) => byte < 0x20,
  open(receiver, saved) {
    const state = resumed(stateWithin(receiver.limit), saved)
    if (state.received.length >= state.size) throw damaged('a frame has more bytes than its length')
    return new AwsFraming(receiver, state)
  },
}

class AwsFraming implements Framing {
  private readonly receiver: FrameReceiver
  private isBroken: boolean
  private skip: number
  private frame: Uint8Array
  private filled: number

  constructor(receiver: FrameReceiver, { isBroken, skip, size, received }: AwsState) {
    this.receiver = receiver
    this.isBroken = isBroken
    this.skip = skip
    this.frame = new Uint8Array(size)
    this.frame.set(received)
    this.filled = received.length
  }

  save(): AwsState {
    const { isBroken, skip, frame, filled } = this
    return { isBroken, skip, size: frame.length, received: frame.subarray(0, filled) }
  }

  push(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    let at = 0
    while (at < bytes.length && !this.isBroken) {
      if (this.skip > 0) {
        const skipped = Math.min(this.skip, bytes.length - at)
        this.skip -= skipped
        at += skipped
        continue
      }
      const taken = bytes.subarray(at, at + this.frame.length - this.filled)
      this.frame.set(taken, this.filled)
      this.filled += taken.length
      at += taken.length
      if (this.filled === this.frame.length) this.grown()
    }
  }

  end(): void {
    if (this.filled > 0 && !this.isBroken) this.receiver.problem('The last frame of the stream was cut off.')
  }

  private grown(): void {
    if (this.frame.length > LENGTH_SIZE) {
      const frame = this.frame
      this.begin()
      this.give(frame)
      return
    }
    const length = new DataView(this.frame.buffer).getUint32(0)
    if (length < SMALLEST) {
      this.fail('A frame of the stream says an impossible length')
      return
    }
    if (length > this.receiver.limit) {
      this.receiver.tooLong()
      this.skip = length - LENGTH_SIZE
      this.begin()
      return
    }
    const frame = new Uint8Array(length)
    frame.set(this.frame)
    this.frame = frame
  }

  private begin(): void {
    this.frame = new Uint8Array(LENGTH_SIZE)
    this.filled = 0
  }

  private give(frame: Uint8Array): void {
    const read = readAwsFrame(frame)
    if (read === undefined) {
      this.fail('A frame of the stream is damaged')
      return
    }
    const { headers } = read
    const kind =
      headers.get(':event-type') || headers.get(':exception-type') || headers.get(':error-code') || 'error'
    const reason = headers.get(':error-message')
    const text = new TextDecoder().decode(read.body)
    let body: unknown = {}
    try {
      if (text !== '') body = parseWritten(text)
    } catch {
      this.receiver.damaged('The body of a frame is not JSON.')
      return
    }
    this.receiver.payload({ [kind]: reason ? { message: reason } : body })
  }

  private fail(what: string): void {
    this.isBroken = true
    this.receiver.damaged(`${what}; what follows it cannot be read.`)
  }
}
