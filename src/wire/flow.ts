/**
 * The short way through the machine. While what comes is nothing but more of what is being read, a chunk passes as
 * a whole, with one look at its characters:
 *
 *     Let me |look |at it|.        text in which no marker can begin
 *     "src/|main|.rs\n|fn m|       the inside of a JSON string
 *
 * A flow is entered where the long way left off, and whatever it cannot take goes the long way again. The events
 * are the same.
 */

import type { TextArguments } from '../calls/text-arguments.ts'
import type { Sink } from '../event.ts'
import { type Literals, MANY } from './literals.ts'

export interface Flow {
  /** Takes a whole chunk; false, and nothing was done, if something in it may mean more. */
  take(chunk: string): boolean
}

/** Everything goes the long way. */
export const NO_FLOW: Flow = { take: () => false }

/** Where a scanning state stands: the node of its literals, and what is held back because of it. */
export interface Scanning {
  node: number
  held: string
}

/** A chunk of this length is searched as a whole; a shorter one is looked at character by character. */
const LONG = 16

/** Whether nothing in a chunk can begin a literal, nor be cut in two behind it. It is asked of every chunk there is. */
function isPlain(chunk: string, literals: Literals): boolean {
  const { length } = chunk
  if (length >= LONG) return isPlainAndLong(chunk, literals)
  const { firstStart, secondStart } = literals
  let code = HIGH_SURROGATE
  for (let at = 0; at < length; at++) {
    code = chunk.charCodeAt(at)
    if (code === firstStart || code === secondStart) return false
  }
  return (code & 0xfc00) !== HIGH_SURROGATE && firstStart !== MANY
}

function isPlainAndLong(chunk: string, literals: Literals): boolean {
  const { length } = chunk
  return (
    literals.skip(chunk, 0, length) === length && (chunk.charCodeAt(length - 1) & 0xfc00) !== HIGH_SURROGATE
  )
}

const HIGH_SURROGATE = 0xd800

/** Scans a chunk in which no literal is found, and answers what is certain of it; null if one is found. */
function scanOn(scanning: Scanning, literals: Literals, chunk: string): string | null {
  const { table, width, ascii, found } = literals
  const { length } = chunk
  let { node } = scanning
  let code = 0
  for (let at = 0; at < length; at++) {
    if (node === 0 && length - at >= LONG) {
      at = literals.skip(chunk, at, length)
      if (at === length) at--
    }
    code = chunk.charCodeAt(at)
    node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
    if (found[node] !== -1) return null
  }
  if ((code & 0xfc00) === HIGH_SURROGATE) return null
  scanning.node = node
  const all = scanning.held.length === 0 ? chunk : scanning.held + chunk
  if (node === 0) {
    scanning.held = ''
    return all
  }
  const certain = all.length - literals.depth[node]!
  scanning.held = all.slice(certain)
  return all.slice(0, certain)
}

/** Text, reasoning or a result that is being said. */
export class SpeechFlow implements Flow {
  private readonly scanning: Scanning
  private readonly literals: Literals
  private readonly type: 'text-delta' | 'reasoning-delta' | 'tool-result-delta'
  private readonly id: string
  private readonly emit: Sink

  constructor(scanning: Scanning, literals: Literals, type: SpeechFlow['type'], id: string, emit: Sink) {
    this.scanning = scanning
    this.literals = literals
    this.type = type
    this.id = id
    this.emit = emit
  }

  take(chunk: string): boolean {
    const { scanning, literals } = this
    const piece = scanning.node === 0 && isPlain(chunk, literals) ? chunk : scanOn(scanning, literals, chunk)
    if (piece === null) return false
    if (piece.length > 0) this.emit({ type: this.type, id: this.id, delta: piece })
    return true
  }
}

/** The value of an argument. */
export class ValueFlow implements Flow {
  private readonly scanning: Scanning
  private readonly literals: Literals
  private readonly into: TextArguments
  private readonly verbatim: boolean

  constructor(scanning: Scanning, literals: Literals, into: TextArguments, verbatim: boolean) {
    this.scanning = scanning
    this.literals = literals
    this.into = into
    this.verbatim = verbatim
  }

  take(chunk: string): boolean {
    const { scanning, literals } = this
    const piece = scanning.node === 0 && isPlain(chunk, literals) ? chunk : scanOn(scanning, literals, chunk)
    if (piece === null) return false
    if (piece.length > 0) this.into.valueText(piece, this.verbatim)
    return true
  }
}
