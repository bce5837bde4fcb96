/**
 * Payloads as JSON texts one after the other: one per line, in one array, or a single one over many lines.
 *
 *     {"done": false} ⏎ {"done": true}      [{"a": 1}, {"b": 2}]      { ⏎ "error": "no" ⏎ }
 *
 * It only looks for brackets and quotes to find where a payload ends, so each character is looked at once, and
 * each payload is parsed once. Where there is one payload per line, a broken line costs no other one.
 */

import { Rope } from '../../rope.ts'
import { ChunkDecoder } from '../../source.ts'
import { type FrameReceiver, type Framing, receiveData, receiveJson } from './framing.ts'

export interface JsonFramingOptions {
  /** A newline ends a payload, whether it is complete or not. Otherwise the first payload shows it. */
  readonly lines: boolean
}

export function createJsonFraming(receiver: FrameReceiver, { lines }: JsonFramingOptions): Framing {
  return new JsonFraming(receiver, lines)
}

class JsonFraming implements Framing {
  private readonly receiver: FrameReceiver
  private readonly decoder = new ChunkDecoder()
  private isPerLine: boolean
  /** A payload was complete before its line was. */
  private isFirst = true
  private hasNewline = false
  private isArray = false
  /** Nothing but its first bracket came of the payload. */
  private isBare = true
  private depth = 0
  private inString = false
  private isEscaped = false
  /** Something other than JSON stands between payloads. */
  private isOdd = false
  private payload = new Rope()
  private isTooLong = false

  constructor(receiver: FrameReceiver, isPerLine: boolean) {
    this.receiver = receiver
    this.isPerLine = isPerLine
  }

  push(chunk: string | Uint8Array): void {
    this.read(this.decoder.text(chunk))
  }

  end(): void {
    this.read(this.decoder.end())
    if (this.payload.length > 0) this.give()
  }

  private read(text: string): void {
    // Where the part of the open payload begins that lies in this text.
    let from = this.isOpen ? 0 : -1
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (!this.isOpen) {
        // The lines of an array are its writer's own.
        if (code === OPEN_BRACKET) this.isArray = true
        if (BETWEEN.has(code)) continue
        from = at
        this.isOdd = code !== OPEN_BRACE
        if (this.isOdd) continue
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
    return this.depth > 0 || this.isOdd
  }

  /** Whether a character ends the payload that is open. */
  private closes(code: number): boolean {
    if (code === NEWLINE) {
      // A line with nothing but a bracket is the first one of a document.
      if (this.isFirst && this.isBare && !this.isOdd) this.isPerLine = false
      if (this.isOdd || this.isPerLine) return true
      this.hasNewline = true
    }
    if (this.isOdd) return false
    if (this.isBare && this.depth > 0 && !BETWEEN.has(code)) this.isBare = false
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false
      else if (code === BACKSLASH) this.isEscaped = true
      else if (code === QUOTE) this.inString = false
      return false
    }
    if (code === QUOTE) this.inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return --this.depth === 0
    return false
  }

  private keep(text: string): void {
    if (this.payload.length + text.length <= this.receiver.limit) this.payload.add(text)
    else this.isTooLong = true
  }

  private give(): void {
    const text = this.payload.toString()
    const { isTooLong } = this
    if (this.isFirst && !this.isOdd && !this.hasNewline && !this.isArray) this.isPerLine = true
    this.isFirst = false
    this.payload = new Rope()
    this.isTooLong = false
    this.isOdd = false
    this.inString = false
    this.isEscaped = false
    this.depth = 0
    if (isTooLong) this.receiver.tooLong()
    // Events follow: the server only began with a document.
    else if (text.startsWith('data:')) receiveData(text.slice(5), undefined, this.receiver)
    else if (text.trim() !== '') receiveJson(text, undefined, this.receiver)
  }
}

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
/** Space, and what stands around the elements of an array. */
const BETWEEN = new Set([0x20, 0x09, 0x0a, 0x0d, 0xfeff, 0x2c, OPEN_BRACKET, CLOSE_BRACKET])
