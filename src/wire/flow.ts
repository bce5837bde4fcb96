/**
 * The short way through the machine, for a chunk that is nothing but more of what is being read, although some of
 * its characters might have meant more: text with a `<` in it that begins no marker, a JSON string with an escape
 * that was cut in two. What goes this way is part of a run, so a flow says it and leaves the counting to the end.
 *
 * A flow begins where the long way left off, and whatever it cannot take goes the long way again. The events are
 * the same.
 */

import type { TextArguments } from '../calls/text-arguments.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import type { Sink } from '../event.ts'
import { AS_IT_IS, LONG, type Run, type RunOwner, type RunType } from '../run.ts'
import { isHighSurrogate } from '../surrogates.ts'
import type { Literals } from './literals.ts'

export interface Flow extends RunOwner {
  /** Says a chunk; false, and nothing was done, if it may be more than the next of what is being read. */
  take(chunk: string): boolean
  /** Nothing that was taken can become part of something else, so that a run may say what comes next. */
  readonly isSettled: boolean
  /** Gets ready for a run, and tells it what it may say by itself, if anything; false if there can be none. */
  begin(run: Run): boolean
}

/** Everything goes the long way. */
export const NO_FLOW: Flow = {
  take: () => false,
  held: '',
  isSettled: false,
  hold() {},
  begin: () => false,
  keeps: false,
  passed() {},
}

/** Where a scanning state stands: the node of its literals, and what is held back because of it. */
export interface Scanning {
  node: number
  held: string
}

/**
 * Scans a chunk in which no literal is found, and answers what is certain of it; null if one is found. `watch` sees that,
 * too, unless no marker can have begun in it.
 */
function scanOn(
  scanning: Scanning,
  literals: Literals,
  chunk: string,
  watch: ValueWatch | null,
  isCovered: boolean,
): string | null {
  const { table, width, ascii, found } = literals
  const { length } = chunk
  let { node } = scanning
  let isPlain = isCovered && node === 0 && watch?.isIdle === true
  let code = 0
  for (let at = 0; at < length; at++) {
    if (node === 0 && length - at >= LONG) {
      at = literals.skip(chunk, at, length)
      if (at === length) at--
    }
    code = chunk.charCodeAt(at)
    node = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
    if (found[node] !== -1) return null
    if (node !== 0) isPlain = false
  }
  if (isHighSurrogate(code)) return null
  scanning.node = node
  const all = scanning.held.length === 0 ? chunk : scanning.held + chunk
  const certain = all.length - literals.depth[node]!
  const piece = node === 0 ? all : all.slice(0, certain)
  scanning.held = node === 0 ? '' : all.slice(certain)
  if (!isPlain) watch?.read(piece)
  return piece
}

/** Text between literals, of which everything is said that cannot be the beginning of one. */
abstract class LiteralFlow {
  protected readonly scanning: Scanning
  protected readonly literals: Literals
  protected readonly watch: ValueWatch | null
  private readonly isCovered: boolean

  constructor(scanning: Scanning, literals: Literals, watch: ValueWatch | null) {
    this.scanning = scanning
    this.literals = literals
    this.watch = watch
    this.isCovered = watch?.isCoveredBy(literals) === true
  }

  protected scan(chunk: string): string | null {
    return scanOn(this.scanning, this.literals, chunk, this.watch, this.isCovered)
  }

  get isSettled(): boolean {
    return this.scanning.held.length === 0 && this.watch?.isIdle !== false
  }

  get held(): string {
    return this.scanning.held
  }

  hold(waiting: string): void {
    this.scanning.held = waiting
    this.scanning.node = this.literals.after(waiting)
  }
}

/** Text, reasoning or a result that is being said. */
export class SpeechFlow extends LiteralFlow implements Flow {
  readonly keeps = false
  private readonly type: RunType
  private readonly id: string
  private readonly emit: Sink

  constructor(
    scanning: Scanning,
    literals: Literals,
    type: RunType,
    id: string,
    emit: Sink,
    watch: ValueWatch | null,
  ) {
    super(scanning, literals, watch)
    this.type = type
    this.id = id
    this.emit = emit
  }

  take(chunk: string): boolean {
    const piece = this.scan(chunk)
    if (piece === null) return false
    if (piece.length > 0) this.emit({ type: this.type, id: this.id, delta: piece })
    return true
  }

  begin(run: Run): boolean {
    const stops = this.literals.stops(this.watch?.treated(AS_IT_IS) ?? AS_IT_IS)
    if (stops !== null) run.says(stops, this.emit, this.type, this.id)
    return true
  }

  passed(): void {}
}

/** The value of an argument. */
export class ValueFlow extends LiteralFlow implements Flow {
  private readonly into: TextArguments
  private readonly verbatim: boolean

  constructor(scanning: Scanning, literals: Literals, into: TextArguments, verbatim: boolean) {
    super(scanning, literals, verbatim ? null : into.watch)
    this.into = into
    this.verbatim = verbatim
  }

  take(chunk: string): boolean {
    if (!this.into.passes(chunk, this.verbatim)) return false
    const piece = this.scan(chunk)
    if (piece === null) return false
    if (piece.length > 0) this.into.sayValue(piece)
    return true
  }

  begin(run: Run): boolean {
    return this.into.beginRun(run, this.literals, this.verbatim)
  }

  get keeps(): boolean {
    return this.into.keepsValue
  }

  passed(_count: number, said: number, text: string): void {
    this.into.keepValue(text, said)
  }
}
