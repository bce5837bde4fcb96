/** Text out of text and bytes, where reading may go on in another process: also in the middle of a character. */

import { bytes, resumed, type StateOf } from '../../base/declared-state.ts'
import { ChunkDecoder } from '../../base/source.ts'

/** A character has at most four bytes, so at most three of them wait for the rest. */
const MOST_WAITING = 3

const STATE = {
  /** The last bytes that came since the last text. */
  recent: bytes(MOST_WAITING),
}

export class ResumableDecoder {
  readonly state: StateOf<typeof STATE>
  private readonly decoder: ChunkDecoder

  constructor(saved?: unknown) {
    this.state = resumed(STATE, saved)
    this.decoder = new ChunkDecoder()
    const rest = waiting(this.state.recent)
    if (rest.length > 0) this.decoder.text(rest)
  }

  text(chunk: string | Uint8Array): string {
    const { state } = this
    const text = this.decoder.text(chunk)
    if (typeof chunk === 'string') state.recent = new Uint8Array()
    else if (chunk.length > 0) {
      // A copy: the caller may reuse the chunk.
      state.recent =
        chunk.length < MOST_WAITING
          ? Uint8Array.of(...state.recent, ...chunk).slice(-MOST_WAITING)
          : chunk.slice(-MOST_WAITING)
    }
    return text
  }

  /** The bytes are over: what is left of an unfinished character. */
  end(): string {
    this.state.recent = new Uint8Array()
    return this.decoder.end()
  }
}

/** The bytes at the end that are the beginning of a character: no text comes of them alone. */
function waiting(recent: Uint8Array): Uint8Array {
  for (let from = 0; from < recent.length; from++) {
    const bytes = recent.subarray(from)
    if (new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }) === '') return bytes
  }
  return new Uint8Array()
}
