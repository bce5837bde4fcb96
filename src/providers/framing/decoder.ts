/** Text out of text and bytes, where reading may go on in another process: also in the middle of a character. */

import { ChunkDecoder } from '../../source.ts'

/** A character has at most four bytes, so at most three of them wait for the rest. */
const MOST_WAITING = 3

export interface DecoderState {
  /** How many bytes came since the last text, and the last of them. */
  count: number
  recent: Uint8Array
}

export class ResumableDecoder {
  readonly state: DecoderState
  private readonly decoder: ChunkDecoder

  constructor(state: DecoderState = { count: 0, recent: new Uint8Array() }) {
    this.state = state
    this.decoder = new ChunkDecoder()
    const rest = waiting(state.recent)
    // Only before the first character is a byte order mark none.
    if (state.count > rest.length) this.decoder.text(A_CHARACTER)
    if (rest.length > 0) this.decoder.text(rest)
  }

  text(chunk: string | Uint8Array): string {
    const { state } = this
    const text = this.decoder.text(chunk)
    if (typeof chunk === 'string') this.begin()
    else if (chunk.length > 0) {
      state.count += chunk.length
      // A copy: whoever gave the chunk may fill it again.
      state.recent =
        chunk.length < MOST_WAITING
          ? Uint8Array.of(...state.recent, ...chunk).slice(-MOST_WAITING)
          : chunk.slice(-MOST_WAITING)
    }
    return text
  }

  /** The bytes are over: what is left of an unfinished character. */
  end(): string {
    this.begin()
    return this.decoder.end()
  }

  private begin(): void {
    this.state.recent = new Uint8Array()
    this.state.count = 0
  }
}

const A_CHARACTER = Uint8Array.of(0x2e)

/** The bytes at the end that are the beginning of a character: no text comes of them alone. */
function waiting(recent: Uint8Array): Uint8Array {
  for (let from = 0; from < recent.length; from++) {
    const bytes = recent.subarray(from)
    if (new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }) === '') return bytes
  }
  return new Uint8Array()
}
