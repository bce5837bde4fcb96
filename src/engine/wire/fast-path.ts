/**
 * The fast path: takes a chunk that is nothing but more of what is being read, without a step through the states.
 *
 *     Let me |look |at it| <3 |<tool|_call>
 *     long    fast  fast   fast fast  long
 *
 * A fast path counts, keeps and emits at once, so that nothing is left to be flushed. A chunk in which something else
 * may begin or end takes the long way, and the events are the same.
 */

import type { Sink } from '../../base/event.ts'
import { isHighSurrogate } from '../../base/surrogates.ts'
import type { CallSink } from '../calls/call.ts'
import type { TextArguments } from '../calls/text-arguments.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import { type CallHints, type HintedText, type HintsState, lookForCalls, noteHint } from './call-hints.ts'
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

/** Scans a chunk in which no literal is found, and returns what is certain of it; null if one is found. */
export interface TextScan {
  take(chunk: string): string | null
}

/** Text between literals, of which everything is certain that cannot be the prefix of one. */
export class LiteralScan implements TextScan {
  private readonly scanning: Scanning
  private readonly literals: Literals
  private readonly watch: ValueWatch | null
  /** Where no literal can begin, no marker can either. */
  private readonly isCovered: boolean
  /** The watch has to read the next text, whatever it is. */
  private isWatching: boolean

  constructor(scanning: Scanning, literals: Literals, watch: ValueWatch | null) {
    this.scanning = scanning
    this.literals = literals
    this.watch = watch
    this.isCovered = watch !== null && literals.startAt(watch.starts)
    this.isWatching = watch !== null && !(this.isCovered && watch.isIdle)
  }

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
    let isSeen = watch === null || this.isWatching
    // What is held was not looked at yet.
    if (!isSeen && node !== 0) isSeen = scanning.held.length > 1 || watch?.mayBeginAt(all, 0) === true
    const { table, width, ascii, found, begins } = literals
    while (at < length) {
      const code = chunk.charCodeAt(at)
      if (!isSeen && (code > 127 || begins[code] !== 0)) isSeen = watch?.mayBeginAt(chunk, at) === true
      at++
      node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
      if (found[node] !== -1) return null
      if (node === 0) at = literals.skip(chunk, at, length)
    }
    const certain = all.length - literals.depth[node]!
    const piece = node === 0 ? all : all.slice(0, certain)
    if (isSeen) this.show(piece)
    scanning.node = node
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

/** The same for visible text, in which markers of other dialects are looked for, too. What holds one takes the long way. */
export class HintedScan implements TextScan {
  private readonly scanning: Scanning & HintedText
  private readonly literals: Literals
  private readonly hints: CallHints
  /** Where the search for such a marker stands. */
  private hint: number

  private constructor(
    scanning: Scanning & HintedText,
    literals: Literals,
    hints: CallHints,
    hint: HintsState | null,
  ) {
    this.scanning = scanning
    this.literals = literals
    this.hints = hints
    this.hint = hint?.node ?? 0
  }

  /** Null: a marker stands in what is held back, which may become text. */
  static from(scanning: Scanning & HintedText, literals: Literals, hints: CallHints): HintedScan | null {
    const { held, total } = scanning
    const hint = lookForCalls(hints, scanning.hints, held, total - held.length)
    return hint === null || hint.found === -1 ? new HintedScan(scanning, literals, hints, hint) : null
  }

  take(chunk: string): string | null {
    const { length } = chunk
    const last = chunk.charCodeAt(length - 1)
    if (isHighSurrogate(last)) return null
    const isIdle = this.scanning.node === 0 && this.hint === 0
    const at = isIdle ? this.literals.skip(chunk, 0, length) : 0
    return at < length ? this.takeFrom(chunk, at) : chunk
  }

  /** The same for a chunk with a character that may belong to a literal or a marker. */
  private takeFrom(chunk: string, from: number): string | null {
    const { scanning, literals, hints } = this
    const { length } = chunk
    let { node } = scanning
    let { hint } = this
    let at = from
    const { table, width, ascii, found } = literals
    const markers = hints.literals
    while (at < length) {
      const code = chunk.charCodeAt(at++)
      node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
      if (found[node] !== -1) return null
      hint = markers.step(hint, code)
      if (markers.found[hint] !== -1 && hints.tells(markers.found[hint]!)) return null
      if (node === 0 && hint === 0) at = literals.skip(chunk, at, length)
    }
    this.hint = hint
    noteHint(scanning, hint, scanning.total + length)
    const all = scanning.node === 0 ? chunk : scanning.held + chunk
    scanning.node = node
    if (node === 0) {
      scanning.held = ''
      return all
    }
    const certain = all.length - literals.depth[node]!
    scanning.held = all.slice(certain)
    return all.slice(0, certain)
  }
}

type TextDelta = 'text-delta' | 'reasoning-delta' | 'tool-result-delta'

/** Text, reasoning or a result. */
export class TextFastPath implements FastPath {
  private readonly scan: TextScan
  private readonly type: TextDelta
  private readonly id: string
  private readonly emit: Sink | null

  /** `emit`: null where the text goes nowhere. */
  constructor(scan: TextScan, type: TextDelta, id: string, emit: Sink | null) {
    this.scan = scan
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
