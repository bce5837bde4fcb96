/**
 * Payloads as JSON texts one after the other: one per line, in one array, or a single one over many lines.
 *
 *     {"done": false} ⏎ {"done": true}      [{"a": 1}, {"b": 2}]      { ⏎ "error": "no" ⏎ }
 *
 * It only looks for brackets and quotes to find where a payload ends, so each character is looked at once, and
 * each payload is parsed once. Where there is one payload per line, a broken line costs no other one.
 */

import { count, flag, initially, part, resumed, rope, type StateOf } from '../../base/declared-state.ts'
import { Rope } from '../../base/rope.ts'
import { ResumableDecoder } from './decoder.ts'
import { type FrameReceiver, type Framing, receiveData, receiveJson } from './framing.ts'

export interface JsonFramingOptions {
  /** A newline ends a payload, whether it is complete or not. Otherwise the first payload shows it. */
  readonly lines: boolean
}

const stateWithin = (limit: number, isPerLine: boolean) => ({
  isPerLine: initially(isPerLine),
  /** A payload was complete before its line was. */
  isFirst: initially(true),
  hasNewline: flag,
  isArray: flag,
  /** Nothing but its first bracket came of the payload. */
  isBare: initially(true),
  depth: count,
  inString: flag,
  isEscaped: flag,
  /** Something other than JSON stands between payloads. */
  isForeign: flag,
  payload: rope(limit),
  isTooLong: flag,
  /** It checks what is its own. */
  decoder: part,
})
type SavedJson = StateOf<ReturnType<typeof stateWithin>>

export function createJsonFraming(
  receiver: FrameReceiver,
  { lines }: JsonFramingOptions,
  saved?: unknown,
): Framing {
  return new JsonFraming(receiver, lines, saved)
}

class JsonFraming implements Framing {
  private readonly receiver: FrameReceiver
  private readonly decoder: ResumableDecoder
  private readonly state: Omit<SavedJson, 'decoder'>

  constructor(receiver: FrameReceiver, isPerLine: boolean, saved?: unknown) {
    this.receiver = receiver
    const { decoder, ...state } = resumed(stateWithin(receiver.limit, isPerLine), saved)
    this.decoder = new ResumableDecoder(decoder)
    this.state = state
  }

  save(): SavedJson {
    return { ...this.state, decoder: this.decoder.state }
  }

  push(chunk: string | Uint8Array): void {
    this.read(this.decoder.text(chunk))
  }

  end(): void {
    this.read(this.decoder.end())
    if (this.isOpen) this.give()
  }

  private read(text: string): void {
    const { state } = this
    // Where the part of the open payload begins that lies in this text.
    let from = this.isOpen ? 0 : -1
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (!this.isOpen) {
        // The lines of an array are its writer's own.
        if (code === OPEN_BRACKET) state.isArray = true
        if (BETWEEN.has(code)) continue
        from = at
        state.isForeign = code !== OPEN_BRACE
        if (state.isForeign) continue
      }
      if (this.closes(code)) {
        // A newline is no part of a payload that it ends.
        this.keep(text.slice(from, code === NEWLINE ? at : at + 1))
        this.give()
        from = -1
      }
    }
    if (from !== -1) this.keep(text.slice(from))
  }

  private get isOpen(): boolean {
    const { state } = this
    return state.depth > 0 || state.isForeign
  }

  /** Whether a character ends the payload that is open. */
  private closes(code: number): boolean {
    const { state } = this
    if (code === NEWLINE) {
      // A line with nothing but a bracket is the first one of a document.
      if (state.isFirst && state.isBare && !state.isForeign) state.isPerLine = false
      if (state.isForeign || state.isPerLine) return true
      state.hasNewline = true
    }
    if (state.isForeign) return false
    if (state.isBare && state.depth > 0 && !BETWEEN.has(code)) state.isBare = false
    if (state.inString) {
      if (state.isEscaped) state.isEscaped = false
      else if (code === BACKSLASH) state.isEscaped = true
      else if (code === QUOTE) state.inString = false
      return false
    }
    if (code === QUOTE) state.inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) state.depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return --state.depth === 0
    return false
  }

  private keep(text: string): void {
    const { state } = this
    if (state.payload.length + text.length <= this.receiver.limit) state.payload.add(text)
    else state.isTooLong = true
  }

  private give(): void {
    const { state } = this
    const text = state.payload.toString()
    const { isTooLong, isForeign } = state
    if (state.isFirst && !state.isForeign && !state.hasNewline && !state.isArray) state.isPerLine = true
    state.isFirst = false
    state.payload = new Rope()
    state.isTooLong = false
    state.isForeign = false
    state.inString = false
    state.isEscaped = false
    state.depth = 0
    if (isTooLong) this.receiver.tooLong()
    // Events follow: the server only began with a document.
    else if (text.startsWith('data:')) receiveData(text.slice(5), undefined, this.receiver)
    else if (text.trim() !== '') {
      if (isForeign) this.receiver.unexpected(text)
      receiveJson(text, undefined, this.receiver)
    }
  }
}

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
/** Space, and what stands around the elements of an array. */
const BETWEEN = new Set([0x20, 0x09, 0x0a, 0x0d, 0xfeff, 0x2c, OPEN_BRACKET, CLOSE_BRACKET])
