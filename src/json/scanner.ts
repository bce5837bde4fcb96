/**
 * Reads JSON as it arrives, character by character, and tells a handler what it sees.
 *
 *     const scanner = new JsonScanner({ tolerant: true })
 *     scanner.read('{"path":"src/ma', 0, 15, handler)   // openObject, key path, openString, delta src/ma
 *     scanner.read('in.rs"}', 0, 7, handler)            // delta in.rs, closeString, closeObject
 *
 * There is no recursion, no text is looked at again in a later chunk, and the state is plain data: a position in
 * the grammar, a stack of containers, and the token that was cut by the end of a chunk.
 */

import type { JsonHandler, JsonScannerOptions } from './handler.ts'
import { ARRAY, OBJECT } from './scan/base.ts'
import {
  AFTER,
  ARRAY_FIRST,
  ARRAY_NEXT,
  BARE,
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COLON_SIGN,
  COMMA,
  ESCAPE,
  HEX,
  HYPHEN,
  isSpace,
  KEY,
  LITERAL,
  NINE_DIGIT,
  NUMBER,
  NUMBER_START,
  OBJECT_FIRST,
  QUOTE,
  ZERO_DIGIT,
} from './scan/grammar.ts'
import { OddityScanner } from './scan/oddities.ts'
import { isWholeNumber } from './scan/scalars.ts'
import { withoutEscapes } from './scan/strings.ts'

export type { JsonHandler, JsonScannerOptions } from './handler.ts'

/** A scanner as plain data, for `JsonScanner.restore`. */
export interface JsonScannerState {
  /** Every field that is plain data already. */
  readonly plain: object
  readonly stack: readonly (0 | 1 | readonly string[])[]
  readonly copy: { readonly held: string; readonly depth: number } | null
}

/** Reads one JSON text, pushed in pieces. */
export class JsonScanner extends OddityScanner {
  /** Whether the value has begun. */
  get hasBegun(): boolean {
    return this.status !== 'open' || this.depth > 0 || this.stringOpen || this.isInScalar
  }

  /**
   * Reads `text[from, to)` and returns the index after the last character taken. Stops right after the root
   * value (`done`), or at the character that made the text impossible (`failed`), which is not taken. A root
   * number or literal is complete at the first character that cannot belong to it, which is not taken either.
   */
  read(text: string, from: number, to: number, handler: JsonHandler): number {
    if (from === 0 && to === text.length && this.readOn(text, handler)) return to
    if (this.status !== 'open') return from
    this.chunk = text
    this.base = this.offset - from
    this.handler = handler
    if (this.copying) this.canonical().enter(text, from)
    let i = from
    while (i < to && this.status === 'open') {
      const state = this.state
      if (state <= AFTER) i = this.readStructure(text, i, to, handler)
      else if (state <= HEX) i = this.readString(text, i, to, handler)
      else if (state === NUMBER) i = this.readNumber(text, i, to, handler)
      else if (state === LITERAL) i = this.readLiteral(text, i, to, handler)
      else i = this.readOther(text, i, to, handler)
    }
    this.offset = this.base + i
    if (this.copying) this.leaveCopy(i, handler)
    this.chunk = ''
    this.handler = null
    return i
  }

  /** Reads a chunk that is nothing but more of the open string; false, and nothing was done, if it is not. */
  private readOn(chunk: string, handler: JsonHandler): boolean {
    if (!this.mayPassOn || !this.isUnlimited) return false
    const piece = this.passOn(chunk)
    if (piece === null) return false
    this.offset += chunk.length
    if (piece.length === 0) return true
    if (this.decoding) handler.delta(withoutEscapes(piece))
    if (this.copying) handler.text(piece)
    return true
  }

  /** No more text. A root number or literal is complete now; otherwise an open scanner means truncation. */
  end(handler: JsonHandler): void {
    if (this.status !== 'open' || this.depth > 0) return
    this.base = this.offset
    this.handler = handler
    if (this.copying) this.canonical().enter('', 0)
    this.finishRoot(handler)
    if (this.copying) this.leaveCopy(0, handler)
    this.handler = null
  }

  protected finishRoot(handler: JsonHandler): void {
    if (this.state === NUMBER && isWholeNumber(this.part)) this.finishNumber('', 0, 0, handler)
    else if (this.state === LITERAL && this.part === this.token.length) this.finishLiteral(0, handler)
    else if (this.state === BARE) this.finishBare(0, handler)
  }

  /** The closers which, appended to the canonical text that was handed out, make it valid JSON. */
  completion(): string {
    if (!this.copying) return ''
    let closers = this.stringOpen ? '"' : ''
    const from = this.copy === null ? 0 : this.copy.depth
    for (let k = this.depth - 1; k >= from; k--) closers += this.stack[k] === ARRAY ? ']' : '}'
    return closers
  }

  /** Called inside `openObject`, `openArray`, `openString` or `scalar`: copies from the start of that value. */
  startCopy(): void {
    const copy = this.canonical()
    copy.enter(this.chunk, this.startMark)
    copy.start(this.startText, this.startMark, this.startDepth)
    this.copying = true
  }

  /** Called inside the matching close, or `scalar`: hands out the rest of that value's text and stops. */
  stopCopy(): void {
    if (!this.copying) return
    this.copying = false
    const text = this.canonical().take()
    if (text !== '') this.handler?.text(text)
  }

  /** Skips whitespace and takes one structural character, or begins the token that stands there. */
  private readStructure(text: string, i: number, to: number, handler: JsonHandler): number {
    let c = text.charCodeAt(i)
    if (isSpace(c)) {
      this.spaced = true
      do {
        if (++i === to) return i
        c = text.charCodeAt(i)
      } while (isSpace(c))
    }
    const state = this.state
    if (state === AFTER) {
      if (c === COMMA) {
        this.state = this.isInArray() ? ARRAY_NEXT : KEY
        this.commaAt = this.base + i
        this.skipped = false
        return i + 1
      }
      if (c === BRACE_CLOSE || c === BRACKET_CLOSE) return this.close(c, i, handler)
    } else if (state === COLON) {
      if (c === COLON_SIGN) return this.endKey(i, handler) ? i + 1 : i
    } else if (state >= OBJECT_FIRST) {
      if (c === QUOTE) return this.beginString(QUOTE, i, handler)
      if (c === BRACE_CLOSE && state === OBJECT_FIRST) return this.close(c, i, handler)
    } else {
      switch (c) {
        case QUOTE:
          return this.beginString(QUOTE, i, handler)
        case BRACE_OPEN:
        case BRACKET_OPEN:
          return this.open(c, i, handler)
        case 0x74:
          return this.beginLiteral('true', i)
        case 0x66:
          return this.beginLiteral('false', i)
        case 0x6e:
          return this.beginLiteral('null', i)
        case BRACKET_CLOSE:
          if (state === ARRAY_FIRST) return this.close(c, i, handler)
          break
        default:
          if ((c >= ZERO_DIGIT && c <= NINE_DIGIT) || c === HYPHEN) {
            this.beginToken(i)
            this.state = NUMBER
            this.part = NUMBER_START
            return i
          }
      }
    }
    return this.tolerant ? this.readOddity(c, i, handler) : this.fail('token', i, handler)
  }

  private open(c: number, i: number, handler: JsonHandler): number {
    if (this.depth >= this.limits.depth) return this.fail('depth', i, handler)
    this.announce(c === BRACE_OPEN ? '{' : '[', i + 1, this.base + i, this.base + i + 1)
    if (this.copying) {
      if (this.depth === 0) this.canonical().drop(i)
      this.canonical().commit(i + 1)
    }
    if (c === BRACE_OPEN) {
      this.stack[this.depth++] = OBJECT
      this.state = OBJECT_FIRST
      handler.openObject()
    } else {
      this.stack[this.depth++] = ARRAY
      this.state = ARRAY_FIRST
      handler.openArray()
    }
    return i + 1
  }

  private leaveCopy(i: number, handler: JsonHandler): void {
    const text = this.canonical().leave(i, this.state >= ESCAPE)
    if (text !== '') handler.text(text)
  }

  save(): JsonScannerState {
    const { limits, handler, stack, copy, ...plain } = this
    return {
      plain,
      stack: stack.slice(0, this.depth).map((frame) => (typeof frame === 'number' ? frame : [...frame])),
      copy: copy && { held: copy.held, depth: copy.depth },
    }
  }

  /** Goes on where another scanner was saved that had the same options. */
  resume({ plain, stack, copy }: JsonScannerState): this {
    Object.assign(this, plain)
    for (const [at, frame] of stack.entries()) this.stack[at] = frame
    if (copy !== null) Object.assign(this.canonical(), copy)
    return this
  }

  static restore(state: JsonScannerState, options?: JsonScannerOptions): JsonScanner {
    return new JsonScanner(options).resume(state)
  }
}
