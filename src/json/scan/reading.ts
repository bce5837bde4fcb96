/**
 * What a scanner needs to know only while it reads a chunk. Most scanners wait for the next chunk most of the
 * time, so there is one of these for all of them: it is lent for the time of a `read`. Who reads while another
 * does gets a new one, and one that is not given back, because somebody threw, is not missed.
 */

import type { JsonHandler } from '../handler.ts'
import { CanonicalText } from './canonical.ts'

export class Reading {
  chunk = ''
  /** Who is told. */
  handler: JsonHandler | null = null
  /** Decoded text of the open string that was not handed on yet. */
  decoded = ''
  /** What the escape stands for that was looked at last; -1 if it is none. */
  unit = 0
  /** Absolute offset of the end of the announced token. */
  tokenEnd = 0
  /** What is copied of the chunk; null while nothing is. */
  copy: CanonicalText | null = null
  // How the value that is being announced would be copied: its opening token, and the chunk from here on.
  startText = ''
  startMark = 0

  private readonly canonical = new CanonicalText()

  /** Copies the chunk from `from` on. `held`: what is not certain of earlier ones. */
  copyFrom(from: number, token: string, held: string): void {
    this.copy = this.canonical
    this.canonical.enter(this.chunk, from, token, held)
  }
}

/** Of a scanner that does not read. */
export const NOT_READING = new Reading()

let free: Reading | null = null

export function lend(chunk: string, handler: JsonHandler): Reading {
  const reading = free ?? new Reading()
  free = null
  reading.chunk = chunk
  reading.handler = handler
  return reading
}

export function giveBack(reading: Reading): void {
  reading.chunk = ''
  reading.handler = null
  reading.copy = null
  free = reading
}
