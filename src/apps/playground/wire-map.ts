/**
 * What each character of the wire turned out to be, and when that was known. Until then it is held back.
 *
 *     Hi <b> <tool_call>{"name": "ls", …
 *     ttttttt.......... markup, settled when the name of the call was certain
 */

import type { SluiceEvent } from '../../base/event.ts'
import type { LogEntry } from './event-log.ts'
import { lastIndexUpTo } from './growth.ts'
import type { WireReader } from './wire-reader.ts'

export type WireKind = 'text' | 'reasoning' | 'result' | 'name' | 'value' | 'markup'

/** Adjacent characters of one kind that belong to one entry of the log. */
export interface WireRun {
  readonly from: number
  to: number
  readonly kind: WireKind
  /** The entry that settled them. */
  readonly entry: number
  /** How many characters had arrived when it was known; 0: each was known when it arrived. */
  readonly settledAt: number
}

/** Characters of a moment, as they are drawn. */
export interface WirePiece {
  readonly from: number
  readonly to: number
  readonly kind: WireKind | 'held'
  /** -1 as long as nothing came of them. */
  readonly entry: number
}

/** Asking a parser what it holds back costs as much as some thousand characters, so that it is asked so often at most. */
const MOST_QUESTIONS = 2_000

export class WireMap {
  readonly runs: WireRun[] = []
  private readonly reader: () => WireReader
  private readonly wire: () => string
  /** Up to here everything is settled. */
  private settled = 0
  /** Calls that have begun and have no verdict, with the entry that began them. */
  private readonly open = new Map<string, number>()
  /** The argument whose string is open, and whether something of it came. */
  private argument: { readonly key: string; hasGrown: boolean } | null = null
  private last = -1
  private questions = 0

  constructor(reader: () => WireReader, wire: () => string) {
    this.reader = reader
    this.wire = wire
  }

  /** A character arrived, which led to these events. */
  arrived(position: number, events: readonly SluiceEvent[], entries: readonly LogEntry[]): void {
    for (const [at, event] of events.entries()) this.settleBy(event, entries[at]!.index, position)
    if (this.settled < position) this.settleMarkup(position)
  }

  /** The stream is over. */
  ended(position: number, events: readonly SluiceEvent[], entries: readonly LogEntry[]): void {
    for (const [at, event] of events.entries()) this.settleBy(event, entries[at]!.index, position)
    this.settle(this.wire().length, 'markup', this.last, position)
  }

  /** What the characters between two offsets are at a position. */
  piecesAt(position: number, from: number, to: number): WirePiece[] {
    const pieces: WirePiece[] = []
    const end = Math.min(to, position)
    let at = from
    for (let index = Math.max(0, this.indexOf(from)); at < end && index < this.runs.length; index++) {
      const run = this.runs[index]!
      const upTo = Math.min(run.to, end)
      if (upTo <= at) continue
      const isHeld = run.settledAt > position
      pieces.push({ from: at, to: upTo, kind: isHeld ? 'held' : run.kind, entry: isHeld ? -1 : run.entry })
      at = upTo
    }
    if (at < end) pieces.push({ from: at, to: end, kind: this.isStructure ? 'markup' : 'held', entry: -1 })
    return pieces
  }

  /** The run that a character is in. */
  runAt(offset: number): WireRun | undefined {
    const run = this.runs[this.indexOf(offset)]
    return run !== undefined && offset < run.to ? run : undefined
  }

  /** Between the strings of a call everything is markup; only what may belong to a string is held back. */
  private get isStructure(): boolean {
    return this.open.size > 0 && !this.argument?.hasGrown
  }

  private indexOf(offset: number): number {
    return lastIndexUpTo(this.runs, offset, ({ from }) => from)
  }

  private settleBy(event: SluiceEvent, entry: number, position: number): void {
    this.last = entry
    switch (event.type) {
      case 'text-delta':
        this.place(event.delta, 'text', entry, position)
        return
      case 'reasoning-delta':
        this.place(event.delta, 'reasoning', entry, position)
        return
      case 'tool-result-delta':
        this.place(event.delta, 'result', entry, position)
        return
      case 'tool-input-start':
        this.place(event.toolName, 'name', entry, position, 'markup')
        this.open.set(event.id, entry)
        return
      case 'tool-input-delta':
        this.place(event.delta, 'value', entry, position)
        return
      case 'argument-start':
        if (event.kind === 'object' || event.kind === 'array') return
        this.argument = { key: keyOf(event), hasGrown: false }
        return
      case 'argument-delta':
        this.place(event.delta, 'value', entry, position)
        if (this.argument !== null) this.argument.hasGrown = true
        return
      case 'argument-end': {
        const isStreamed = this.argument?.key === keyOf(event) && this.argument.hasGrown
        if (isStreamed || typeof event.value === 'object') this.settle(position, 'markup', entry, position)
        else this.place(String(event.value), 'value', entry, position, 'markup')
        this.argument = null
        return
      }
      case 'tool-call':
        this.settle(Math.min(position, this.wire().length), 'markup', entry, position)
        this.argument = null
        this.open.delete(event.id)
        return
    }
  }

  /**
   * Finds the characters that a delta was made of among those that wait. What stands before them was markup. Where they
   * cannot be found, because they were written with escapes, all that wait are it.
   */
  private place(
    delta: string,
    kind: WireKind,
    entry: number,
    position: number,
    otherwise: WireKind = kind,
  ): void {
    const { settled } = this
    const end = Math.min(position, this.wire().length)
    const waiting = this.wire().slice(settled, end)
    const [at, length] = findIn(waiting, delta)
    if (at >= 0) this.settle(settled + at, 'markup', entry, position)
    if (at >= 0) this.settle(settled + at + length, kind, entry, position)
    else this.settle(end, otherwise, entry, position)
  }

  /** Outside of calls, what would not come out as text if the stream ended here is markup already. */
  private settleMarkup(position: number): void {
    const { hasFrames } = this.reader()
    if (hasFrames ? !this.isFrameEnd(position) : this.open.size > 0) return
    this.settle(this.open.size > 0 ? position : this.heldFrom(position), 'markup', this.last, position)
  }

  /** Where the text begins that is held back. */
  private heldFrom(position: number): number {
    if (++this.questions > MOST_QUESTIONS) return this.settled
    const { length, from = position } = this.reader().heldBack()
    return Math.min(position - length, from >= this.settled ? from : position)
  }

  /** The fields of a server-sent event end with a blank line; a payload of JSON is one line. */
  private isFrameEnd(position: number): boolean {
    const wire = this.wire()
    if (wire[position - 1] !== '\n') return false
    const line = wire.lastIndexOf('\n', position - 2) + 1
    return line === position - 1 || '{[,]'.includes(wire[line]!)
  }

  private settle(upTo: number, kind: WireKind, entry: number, position: number): void {
    const from = this.settled
    if (upTo <= from) return
    this.settled = upTo
    const isImmediate = position === from + 1 || (kind === 'markup' && this.isStructure)
    const settledAt = isImmediate ? 0 : position
    const last = this.runs.at(-1)
    if (last?.kind === kind && last.entry === entry && last.settledAt === settledAt) last.to = upTo
    else this.runs.push({ from, to: upTo, kind, entry, settledAt })
  }
}

/** Where a delta stands, and how long it is there: as it is, or as a JSON string has it. */
function findIn(waiting: string, delta: string): [at: number, length: number] {
  if (waiting.startsWith(delta)) return [0, delta.length]
  const at = waiting.lastIndexOf(delta)
  if (at >= 0) return [at, delta.length]
  const escaped = JSON.stringify(delta).slice(1, -1)
  return [waiting.lastIndexOf(escaped), escaped.length]
}

function keyOf({ id, path }: { readonly id: string; readonly path: readonly (string | number)[] }): string {
  return JSON.stringify([id, path])
}
