/**
 * The shortest way through the machine: a chunk of which every character means itself is said as it came.
 *
 *     Let me |look |at it|.        text in which no marker can begin
 *     "src/|main|.rs\n|fn m|       the inside of a JSON string
 *
 * All chunks between which nothing else happens are one run. Nothing but the run knows of them until it is over;
 * then whoever counts or keeps what was read is told of it in one piece, as if it had been a single long chunk.
 */

import type { Sink } from './event.ts'
import type { Path } from './path.ts'
import type { Rope } from './rope.ts'
import { isHighSurrogate } from './surrogates.ts'

/** The characters that mean more than themselves. */
export interface Stops {
  /** The one that does, if there is only one, wherever it stands; else -1. */
  readonly only: number
  /** Those in ASCII are marked, and so are those that pass but have to be written in another way. */
  readonly marked: Uint8Array
  /** What lies above does, too. */
  readonly high: number
  /** Only at the end of a chunk: there it waits for the next one. */
  readonly last: number
  /** Escapes of one character (`\n`, `\"`) pass like any other text. */
  readonly passesEscapes: boolean
  /** How text with such characters is written. */
  readonly write: ((text: string) => string) | null
}

const STOPS = 1
const IS_WRITTEN = 2

/** What becomes of text that passes, and so what may not pass besides what ends the text. */
export interface Treatment extends StopsOptions {
  readonly also?: readonly number[]
}

/** It is said as it is. */
export const AS_IT_IS: Treatment = {}

/** Knows where a run must stop, depending on what becomes of its text; null if there is no such run. */
export interface StopsSource {
  stops(treatment: Treatment): Stops | null
}

/** Longer chunks are searched by other means than looking at each of their characters. */
export const LONG = 16

const ASCII = 128
const NO_ROOM = -1
const NO_CHARACTER = -1
const HIGH_SURROGATE = 0xd800
const BACKSLASH = 92
const SPACE = 32

export interface StopsOptions {
  /** Characters below and above do not pass. */
  readonly low?: number
  readonly high?: number
  readonly last?: number
  readonly passesEscapes?: boolean
  /** Characters that pass, but are said as `write` puts them. */
  readonly odd?: readonly number[]
  readonly write?: (text: string) => string
}

/** Stops at some characters; null if one of them is not in ASCII, which is rare and not worth looking for. */
export function stopsAt(codes: readonly number[], options: StopsOptions = {}): Stops | null {
  const {
    low = 0,
    high = 0xffff,
    last = NO_CHARACTER,
    passesEscapes = false,
    odd = [],
    write = null,
  } = options
  if (codes.some((code) => code >= ASCII)) return null
  const marked = new Uint8Array(ASCII).fill(STOPS, 0, low)
  for (const code of odd) marked[code] = IS_WRITTEN
  for (const code of codes) marked[code] = STOPS
  const [only = NO_CHARACTER] = codes
  const isOnly = codes.length === 1 && low === 0 && high === 0xffff && last === NO_CHARACTER && write === null
  return { only: isOnly ? only : NO_CHARACTER, marked, high, last, passesEscapes, write }
}

/** Whether no character of a text means more than itself. */
export function isPlain(text: string, { marked, high }: Stops): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < ASCII ? marked[code] !== 0 : code > high) return false
  }
  return true
}

/** Nothing passes. */
const CLOSED: Stops = stopsAt([], { low: 128, high: 0 })!

/** What is said of a run; with a path, it is an argument that grows. */
export type RunType = 'text-delta' | 'reasoning-delta' | 'tool-result-delta' | 'tool-input-delta'

/** Whom a run is for: it goes on where the run is over. */
export interface RunOwner {
  /** The end of what was taken that is not said yet. */
  readonly held: string
  /** What a run was waiting with becomes what is held. */
  hold(waiting: string): void
  /** Whether the text of a run is wanted, or only how long it is. */
  readonly keeps: boolean
  /**
   * A run is over in which `count` characters were read and `said` were said: `text`, if it was kept. `hasEscape`: an
   * escape in it stands for another character (`\n`).
   */
  passed(count: number, said: number, text: string, hasEscape: boolean): void
}

export class Run {
  /** How many characters may still pass, and how many could at the beginning. */
  room = NO_ROOM
  private size = NO_ROOM
  /** Its text, if that will be asked for. */
  private kept: string | null = null
  /** What the last chunk ended with that may mean more than itself. */
  private waiting = ''
  private hasEscape = false
  /** The stops of this run, and those that count now. */
  private own = CLOSED
  private stops = CLOSED
  private type: RunType = 'text-delta'
  private id = ''
  private path: Path | null = null
  private emit: Sink | null = null

  /** Chunks that pass as they are will be said as `type`. Until then none does. */
  says(stops: Stops, emit: Sink, type: RunType, id: string, path: Path | null = null): void {
    this.own = stops
    this.emit = emit
    this.type = type
    this.id = id
    this.path = path
  }

  /** Begins with so much room. `keeps`: its text will be asked for. */
  begin(room: number, keeps: boolean): void {
    this.room = room
    this.size = room
    this.kept = keeps ? '' : null
  }

  /** Whether every character that comes next may mean itself. */
  open(isOpen: boolean): void {
    this.stops = isOpen ? this.own : CLOSED
  }

  /**
   * Is over: its owner is told, and what was read goes into the source. `held`: what the owner held when it began.
   * Answers how many characters were in it.
   */
  leave(owner: RunOwner, held: string, source: Rope | null): number {
    const count = this.size - this.room
    const text = this.kept ?? ''
    const { hasEscape } = this
    this.hasEscape = false
    this.releaseTo(owner)
    this.begin(NO_ROOM, false)
    this.own = CLOSED
    this.stops = CLOSED
    if (count > 0) {
      if (owner.keeps) text.charCodeAt(0) // makes the engine join the pieces, once for all who keep the text
      const said = held.length + count - owner.held.length
      owner.passed(count, said, (held + text).slice(0, said), hasEscape)
      if (source?.isKept) source.add(text, true)
      else if (source) source.length += count
    }
    return count
  }

  /** What waits for the next chunk is what its owner holds: someone else looks at that. */
  releaseTo(owner: RunOwner): void {
    const { waiting } = this
    this.waiting = ''
    if (waiting !== '') owner.hold(waiting)
  }

  /** A chunk is in the run that someone else has said. */
  add(chunk: string): void {
    this.room -= chunk.length
    if (this.kept !== null) this.kept += chunk
  }

  /** Says a chunk as it came; false, and nothing was done, if something in it may mean more. */
  takes(chunk: string): boolean {
    const { length } = chunk
    if (length > this.room || length >= LONG) return false
    const { only } = this.stops
    if (only === NO_CHARACTER) return this.takesUnmarked(chunk)
    let code = HIGH_SURROGATE
    for (let at = 0; at < length; at++) {
      code = chunk.charCodeAt(at)
      if (code === only) return false
    }
    if (isHighSurrogate(code)) return false
    this.add(chunk)
    this.say(chunk)
    return true
  }

  /** The same where several characters may mean more, or the last one. */
  private takesUnmarked(chunk: string): boolean {
    const { stops, waiting } = this
    const { marked } = stops
    const text = waiting.length === 0 ? chunk : waiting + chunk
    const { length } = text
    let code = HIGH_SURROGATE
    let isOdd = false
    for (let at = 0; at < length; at++) {
      code = text.charCodeAt(at)
      if (code < ASCII ? marked[code] === 0 : code <= stops.high) continue
      if (marked[code] === IS_WRITTEN) {
        isOdd = true
        continue
      }
      if (code !== BACKSLASH || !stops.passesEscapes) return false
      if (++at === length) break
      const unit = unescaped(text.charCodeAt(at))
      if (unit === 0) return false
      if (unit < SPACE) this.hasEscape = true
      code = 0
    }
    if (isHighSurrogate(code)) return false
    this.add(chunk)
    const isWaiting = code === stops.last
    if (isWaiting) this.waiting = text.slice(-1)
    else if (waiting.length > 0) this.waiting = ''
    const certain = isWaiting ? text.slice(0, -1) : text
    if (certain.length > 0) this.say(isOdd ? stops.write!(certain) : certain)
    return true
  }

  private say(delta: string): void {
    if (this.path === null) this.emit!({ type: this.type, id: this.id, delta })
    else this.emit!({ type: 'argument-delta', id: this.id, path: this.path, delta })
  }
}

const UNESCAPED = new Uint8Array(ASCII)
for (let at = 0; at < 8; at++) UNESCAPED['"\\/bfnrt'.charCodeAt(at)] = '"\\/\b\f\n\r\t'.charCodeAt(at)

/** What the character after a backslash stands for, where that is all of the escape; 0 where it is not. */
export function unescaped(code: number): number {
  return code < ASCII ? UNESCAPED[code]! : 0
}

/** Nothing ever passes; for machines that have not begun. */
export const NO_RUN = new Run()
