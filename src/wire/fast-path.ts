/**
 * The fast path: takes a chunk that is nothing but more of what is being read, without a step through the states.
 *
 *     Let me |look |at it| <3 |<tool|_call>
 *     long    fast  fast   fast fast  long
 *
 * A fast path counts, keeps and emits at once, so that nothing is left to be flushed. A chunk in which something else
 * may begin or end takes the long way, and the events are the same.
 */

import type { CallSink } from '../calls/call.ts'
import type { TextArguments } from '../calls/text-arguments.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import type { Sink } from '../event.ts'
import { isHighSurrogate } from '../surrogates.ts'
import type { Literals } from './literals.ts'

export interface FastPath {
  /** Takes a chunk; false: nothing was done. */
  take(chunk: string): boolean
}

/** Where a scanning state stands: the node of its literals, and what is held back because of it. */
export interface Scanning {
  node: number
  held: string
}

/** What looks at text while it passes. */
export type PassingWatch = Pick<ValueWatch, 'read' | 'starts' | 'isIdle' | 'mayBeginAt'>

/** Text between literals, of which everything is certain that cannot be the prefix of one. */
class LiteralScan {
  private readonly scanning: Scanning
  private readonly literals: Literals
  private readonly watch: PassingWatch | null
  /** Where no literal can begin, no marker can either. */
  private readonly isCovered: boolean
  /** The watch has to read the next text, whatever it is. */
  private isWatching: boolean

  constructor(scanning: Scanning, literals: Literals, watch: PassingWatch | null) {
    this.scanning = scanning
    this.literals = literals
    this.watch = watch
    this.isCovered = watch !== null && literals.startAt(watch.starts)
    this.isWatching = watch !== null && !(this.isCovered && watch.isIdle)
  }

  /** Scans a chunk in which no literal is found, and returns what is certain of it; null if one is found. */
  take(chunk: string): string | null {
    const { length } = chunk
    if (isHighSurrogate(chunk.charCodeAt(length - 1))) return null
    const at = this.scanning.node === 0 ? this.literals.skip(chunk, 0, length) : 0
    if (at < length) return this.takeFrom(chunk, at)
    if (this.isWatching) this.show(chunk)
    return chunk
  }

  /** The same for a chunk with a character that may belong to a literal. */
  private takeFrom(chunk: string, from: number): string | null {
    const { scanning, literals, watch } = this
    const { length } = chunk
    let { node } = scanning
    let at = from
    const all = node === 0 ? chunk : scanning.held + chunk
    let isSeen = this.isWatching
    // What is held was not looked at yet.
    if (!isSeen && node !== 0) isSeen = scanning.held.length > 1 || watch?.mayBeginAt(all, 0) === true
    const { table, width, ascii, found } = literals
    while (at < length) {
      if (!isSeen && watch?.mayBeginAt(chunk, at)) isSeen = true
      const code = chunk.charCodeAt(at++)
      node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
      if (found[node] !== -1) return null
      if (node === 0) at = literals.skip(chunk, at, length)
    }
    scanning.node = node
    const certain = all.length - literals.depth[node]!
    const piece = node === 0 ? all : all.slice(0, certain)
    if (isSeen) this.show(piece)
    scanning.held = node === 0 ? '' : all.slice(certain)
    return piece
  }

  /** Shows a piece to the watch. */
  private show(piece: string): void {
    const { watch } = this
    watch?.read(piece)
    this.isWatching = watch !== null && !(this.isCovered && watch.isIdle)
  }
}

type TextDelta = 'text-delta' | 'reasoning-delta' | 'tool-result-delta'

/** Text, reasoning or a result. */
export class TextFastPath implements FastPath {
  private readonly scan: LiteralScan
  private readonly type: TextDelta
  private readonly id: string
  private readonly emit: Sink | null

  /** `emit`: null where the text goes nowhere. */
  constructor(
    scanning: Scanning,
    literals: Literals,
    watch: PassingWatch | null,
    type: TextDelta,
    id: string,
    emit: Sink | null,
  ) {
    this.scan = new LiteralScan(scanning, literals, watch)
    this.type = type
    this.id = id
    this.emit = emit
  }

  take(chunk: string): boolean {
    const delta = this.scan.take(chunk)
    if (delta === null) return false
    if (delta.length > 0 && this.emit !== null) this.emit({ type: this.type, id: this.id, delta })
    return true
  }
}

/** The value of an argument. */
export class ValueFastPath implements FastPath {
  private readonly scan: LiteralScan
  private readonly into: TextArguments
  private readonly verbatim: boolean
  private readonly emit: CallSink

  private constructor(scanning: Scanning, literals: Literals, into: TextArguments, verbatim: boolean) {
    this.scan = new LiteralScan(scanning, literals, verbatim ? null : into.watch)
    this.into = into
    this.verbatim = verbatim
    this.emit = into.emit
  }

  /** `verbatim`: entities in it are text. Null: there is no fast path. */
  static from(
    scanning: Scanning,
    literals: Literals,
    into: TextArguments,
    verbatim = false,
  ): ValueFastPath | null {
    return into.isOpen ? new ValueFastPath(scanning, literals, into, verbatim) : null
  }

  take(chunk: string): boolean {
    const piece = this.scan.take(chunk)
    if (piece === null) return false
    if (piece.length > 0) {
      if (this.verbatim) this.into.watch?.readSection(piece)
      this.into.append(piece, this.verbatim, this.emit)
    }
    return true
  }
}
