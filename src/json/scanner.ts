/**
 * Reads JSON as it arrives, character by character, and tells a handler what it sees.
 *
 *     const scanner = new JsonScanner()
 *     scanner.read('{"path":"src/ma', 0, 15, handler)   // open object, key path, openString, delta src/ma
 *     scanner.read('in.rs"}', 0, 7, handler)            // delta in.rs, closeString, close
 *
 * There is no recursion, and the state is plain data: a position in the grammar, a stack of containers, and the token
 * that was cut by the end of a chunk. Only the few characters are looked at again of which the end of a chunk left
 * open what they are, such as half an escape.
 */

import type { JsonHandler, JsonLimits } from './handler.ts'
import { ARRAY, OBJECT, Stop } from './scan/base.ts'
import { withoutEscapes } from './scan/escapes.ts'
import {
  AFTER,
  ARRAY_FIRST,
  ARRAY_NEXT,
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COLON,
  COLON_SIGN,
  COMMA,
  HYPHEN,
  isSpace,
  KEY,
  KEY_STRING,
  LITERAL,
  MAYBE_CLOSED,
  NINE_DIGIT,
  NUMBER,
  OBJECT_FIRST,
  QUOTE,
  STRING,
  ZERO_DIGIT,
} from './scan/grammar.ts'
import { OddityScanner } from './scan/oddities.ts'
import { giveBack, lend, NOT_READING } from './scan/reading.ts'

export type { JsonHandler } from './handler.ts'

/** A scanner as plain data, for `JsonScanner.restore`. */
export interface JsonScannerState {
  /** Every field that is plain data already. */
  readonly plain: object
  readonly stack: readonly (0 | 1 | string | readonly string[])[]
}

/** Reads one JSON text, pushed in pieces: what models write, and not only what the standard allows. */
export class JsonScanner extends OddityScanner {
  /**
   * Reads `text[from, to)` and returns the index after the last character taken. Stops right after the root
   * value (`done`), or at the character that made the text impossible (`failed`), which is not taken. A root
   * number or literal is complete at the first character that cannot belong to it, which is not taken either.
   */
  read(text: string, from: number, to: number, handler: JsonHandler): number {
    if (from === 0 && to === text.length && this.readOn(text, handler)) return to
    if (this.status !== 'open' || from === to) return from
    const { held } = this
    if (held === '' && to === text.length) return this.readChunk(text, from, handler)
    const chunk = held + text.slice(from, to)
    this.held = ''
    this.offset -= held.length
    return from + this.readChunk(chunk, 0, handler) - held.length
  }

  /** No more text. A root number or literal is complete now; otherwise an open scanner means truncation. */
  end(handler: JsonHandler): void {
    if (this.status === 'open' && this.depth === 0) this.readChunk('', 0, handler)
  }

  /** Reads all that is there from `from` on. If that is nothing, the text ends here. */
  private readChunk(text: string, from: number, handler: JsonHandler): number {
    this.reading = lend(text, handler)
    if (this.uncertain !== null) this.reading.copyFrom(from, '', this.uncertain)
    this.offset -= from
    let i = from
    try {
      if (text === '') this.finishRoot()
      while (i < text.length && this.status === 'open') {
        const state = this.state
        if (state <= AFTER) i = this.readStructure(text, i)
        else if (state <= KEY_STRING) i = this.readString(text, i)
        else if (state <= LITERAL) i = this.readScalar(text, i)
        else i = this.readOther(text, i)
      }
    } catch (reason) {
      if (!(reason instanceof Stop)) throw reason
      i = reason.at
    }
    this.leave(i)
    return i
  }

  private leave(i: number): void {
    const { reading, copy, status, state } = this
    const end = i - this.held.length
    if (status === 'open' && (state === STRING || state === KEY_STRING)) {
      this.handOn()
      this.commitString(end)
    }
    this.offset += i
    if (copy !== null) {
      this.handOut(copy.leave(end, status !== 'open' || state >= NUMBER))
      this.uncertain = copy.held
      copy.held = '' // it is lent to others
    }
    this.reading = NOT_READING
    giveBack(reading)
  }

  /** Reads a chunk that is nothing but more of the open string; false, and nothing was done, if it is not. */
  private readOn(chunk: string, handler: JsonHandler): boolean {
    const piece = this.mayPassOn ? this.passOn(chunk) : null
    if (piece === null) return false
    if (piece !== '') {
      if (this.decoding) handler.delta(withoutEscapes(piece))
      if (this.copying) handler.text(piece)
    }
    return true
  }

  /**
   * The closers which, appended to the canonical text that was handed out, make it valid JSON. `from`: how many
   * containers were open when copying began.
   */
  completion(from = 0): string {
    if (!this.copying) return ''
    let closers = this.state === STRING || this.state === MAYBE_CLOSED ? '"' : ''
    let depth = this.depth
    for (let at = this.top; depth > from; at--) {
      const mark = this.stack[at]
      if (typeof mark !== 'number') continue
      closers += mark === ARRAY ? ']' : '}'
      depth--
    }
    return closers
  }

  /** Whether `handler.text` is told the canonical text. */
  get copying(): boolean {
    return this.uncertain !== null
  }

  /**
   * Copies from the start of the value that is announced, if called inside `open`, `openString` or `scalar`.
   * Before the first `read`: copies everything.
   */
  startCopy(): void {
    const { reading } = this
    this.uncertain = ''
    if (reading !== NOT_READING) reading.copyFrom(reading.startMark, reading.startText, '')
  }

  /** Called inside the matching close, or `scalar`: hands out the rest of that value's text and stops. */
  stopCopy(): void {
    const { copy } = this
    this.uncertain = null
    this.reading.copy = null
    this.handOut(copy?.leave(0, true))
  }

  /** Skips whitespace and takes one structural character, or begins the token that stands there. */
  private readStructure(text: string, i: number): number {
    let c = text.charCodeAt(i)
    if (isSpace(c)) {
      this.spaced = true
      do {
        if (++i === text.length) return i
        c = text.charCodeAt(i)
      } while (isSpace(c))
    }
    const state = this.state
    if (state === AFTER) {
      if (c === COMMA) {
        this.afterComma(this.isInArray() ? ARRAY_NEXT : KEY, i)
        return i + 1
      }
      if (c === BRACE_CLOSE || c === BRACKET_CLOSE) return this.close(c, i)
    } else if (state === COLON) {
      if (c === COLON_SIGN) {
        this.endKey(i)
        return i + 1
      }
    } else if (c === QUOTE) {
      if (this.depth === 0) this.copy?.drop(i)
      return this.openString(QUOTE, i + 1)
    } else if (state >= OBJECT_FIRST) {
      if (c === BRACE_CLOSE && state === OBJECT_FIRST) return this.close(c, i)
    } else if (c === BRACE_OPEN || c === BRACKET_OPEN) return this.open(c, i)
    else if (c === BRACKET_CLOSE && state === ARRAY_FIRST) return this.close(c, i)
    else if ((c >= ZERO_DIGIT && c <= NINE_DIGIT) || c === HYPHEN) return this.beginScalar(NUMBER, i)
    else if (c === 0x74 || c === 0x66 || c === 0x6e) return this.beginScalar(LITERAL, i)
    return this.readOddity(text, i)
  }

  private open(c: number, i: number): number {
    if (this.depth >= this.limits.depth) return this.fail('depth', i)
    this.announce(c === BRACE_OPEN ? '{' : '[', i + 1, this.offset + i, this.offset + i + 1)
    if (this.depth === 0) this.copy?.drop(i)
    this.copy?.commit(i + 1)
    const isObject = c === BRACE_OPEN
    this.top = this.endOfKeys()
    this.stack[this.top] = isObject ? OBJECT : ARRAY
    this.depth++
    this.state = isObject ? OBJECT_FIRST : ARRAY_FIRST
    this.handler.open(isObject ? 'object' : 'array')
    return i + 1
  }

  save(): JsonScannerState {
    const { limits, reading, stack, ...plain } = this
    return {
      plain,
      stack: stack.slice(0, this.endOfKeys()).map((entry) => (entry instanceof Set ? [...entry] : entry)),
    }
  }

  /** Goes on where another scanner was saved that was made in the same way. */
  resume({ plain, stack }: JsonScannerState): this {
    Object.assign(this, plain)
    for (const [at, entry] of stack.entries())
      this.stack[at] = typeof entry === 'object' ? new Set(entry) : entry
    return this
  }

  static restore(state: JsonScannerState, limits: Readonly<JsonLimits>): JsonScanner {
    return new JsonScanner(limits).resume(state)
  }
}
