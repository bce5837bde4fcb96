/**
 * The state of the scanner, and what all of its parts need: containers, keys, reports.
 *
 * The scanner is one class in five rooms, each built on the one before: this base, strings, scalars, oddities,
 * and `scanner.ts` with what is seen from outside. One object, because an idle
 * scanner is kept for every call of a response; several rooms, because nobody wants to read all of it at once.
 */

import type { RepairClass } from '../../event.ts'
import {
  DEFAULT_JSON_LIMITS,
  type JsonErrorCode,
  type JsonHandler,
  type JsonLimits,
  type JsonRepairCode,
  type JsonScannerOptions,
  type NonFinite,
} from '../handler.ts'
import { CanonicalText } from './canonical.ts'
import { AFTER, BRACKET_CLOSE, OVER, QUOTE, ROOT, VALUE } from './grammar.ts'

/** A container on the stack: an array, an object without keys so far, or the keys of an object. */
export const ARRAY = 0
export const OBJECT = 1
export type Frame = typeof ARRAY | typeof OBJECT | readonly string[] | Set<string>

/** Most objects have so few keys that a list of them is smaller than a set, and as fast. */
const FEW_KEYS = 8
const NO_KEYS: readonly string[] = []

/** Limits that are all there are shared by everyone who has the same. */
function completed(limits: Partial<JsonLimits>): JsonLimits {
  for (const limit in DEFAULT_JSON_LIMITS)
    if (!(limit in limits)) return { ...DEFAULT_JSON_LIMITS, ...limits }
  return limits as JsonLimits
}

/** What every part of the scanner shares: where it stands, what is open, and how it reports. */
export abstract class ScannerBase {
  status: 'open' | 'done' | 'failed' = 'open'
  /** Whether `handler.delta` is wanted; a handler may switch it inside `openString`. */
  decoding = true
  /** Whether `handler.text` is wanted. Set it before the first `read`, or see `startCopy`. */
  copying = false
  /** Absolute offset of the next character to be read. */
  offset = 0
  /** Inside a call to the handler: where the announced token begins and ends, as absolute offsets. */
  tokenStart = 0
  tokenEnd = 0

  protected readonly tolerant: boolean
  protected readonly limits: Readonly<JsonLimits>
  protected readonly failsOnDuplicate: boolean
  protected readonly nonFinite: NonFinite

  protected state = ROOT
  /** Where to go on after a comment, an escape outside strings or an ellipsis. */
  protected back = ROOT
  /** The open containers, of which there are `depth`. A list that grows from nothing takes room for seventeen. */
  protected readonly stack: Frame[] = [ARRAY, ARRAY, ARRAY, ARRAY]
  /** Open containers. While one is announced or closed it counts itself. */
  depth = 0

  /** The key, number, literal or unquoted run that is being read. */
  protected token = ''
  /** Absolute offset of that token, or of the construct that is being read. */
  protected tokenAt = 0
  /** How far: part of a number, letters of a literal, digits of `\u`, ticks of a fence, dots of an ellipsis. */
  protected part = 0

  /** What closes the open string, and after a key whether it was quoted (0: it was not). */
  protected quote = QUOTE
  protected inKey = false
  protected stringOpen = false
  /** Decoded length of the open string. */
  protected length = 0
  /** A high surrogate that waits for its other half, or 0. */
  protected high = 0
  protected hex = 0
  /** What earlier chunks had of an unfinished escape, or of what follows a quote that may not close. */
  protected escape = ''
  protected stringRepairs = 0
  // In this chunk: where the open escape begins, and the high surrogate that waits (-1: in an earlier chunk).
  protected escapeStart = 0
  protected highStart = -1

  /** Whether a closer, space or a comment stands before the next token, so that a comma may be missing. */
  protected spaced = false
  /** An ellipsis was skipped: the comma after it is not an extra one. */
  protected skipped = false
  protected commaAt = 0
  protected oddSpaceAt = -2
  protected repairs = 0
  protected documentIsEscaped = false

  // Only during `read`:
  protected chunk = ''
  /** Absolute offset of the chunk's index 0. */
  protected base = 0
  protected handler: JsonHandler | null = null
  /** Decoded text of this chunk that was not handed on yet. */
  protected decoded = ''

  protected copy: CanonicalText | null = null
  // The opening token of the value that is being announced, for `startCopy`:
  protected startText = ''
  protected startMark = 0
  protected startDepth = 0

  constructor(options?: JsonScannerOptions) {
    this.tolerant = options?.tolerant === true
    this.failsOnDuplicate = options?.duplicateKeys === 'error'
    this.nonFinite = options?.nonFinite ?? 'string'
    this.limits = options?.limits === undefined ? DEFAULT_JSON_LIMITS : completed(options.limits)
  }

  /** A closer. One that belongs to an outer container closes the inner ones too (tolerant). */
  protected close(c: number, i: number, handler: JsonHandler): number {
    const closesArray = c === BRACKET_CLOSE
    if (this.isInArray() !== closesArray) {
      if (!this.tolerant || !this.hasOuter(closesArray)) return this.fail('token', i, handler)
      while (this.isInArray() !== closesArray) {
        if (!this.repair('missing-close', 'guess', this.base + i, i, handler)) return i
        if (this.copying) this.canonical().rewrite(i, i, closesArray ? '}' : ']')
        this.closeTop(i, handler)
      }
    }
    this.closeTop(i + 1, handler)
    return i + 1
  }

  protected hasOuter(array: boolean): boolean {
    for (let k = this.depth - 1; k >= 0; k--) if ((this.stack[k] === ARRAY) === array) return true
    return false
  }

  protected closeTop(end: number, handler: JsonHandler): void {
    if (this.copying) this.canonical().commit(end)
    this.tokenEnd = this.base + end
    if (this.isInArray()) handler.closeArray()
    else handler.closeObject()
    this.stack[--this.depth] = ARRAY
    this.afterValue(true)
  }

  protected afterValue(spaced: boolean): void {
    this.spaced = spaced
    if (this.depth > 0) {
      this.state = AFTER
    } else {
      this.state = OVER
      this.status = 'done'
    }
  }

  protected isInObject(): boolean {
    return this.depth > 0 && !this.isInArray()
  }

  protected isInArray(): boolean {
    return this.depth > 0 && this.stack[this.depth - 1] === ARRAY
  }

  /** The colon, or what stands for it: the key is complete. False when that is an error. */
  protected endKey(i: number, handler: JsonHandler): boolean {
    const key = this.token
    this.token = ''
    const top = this.depth - 1
    let keys = this.stack[top]
    if (keys === undefined || typeof keys === 'number') keys = NO_KEYS
    if (keys instanceof Set ? keys.has(key) : keys.includes(key)) {
      if (this.failsOnDuplicate) {
        this.fail('duplicate-key', i, handler)
        return false
      }
      handler.duplicateKey(key)
    } else {
      const count = keys instanceof Set ? keys.size : keys.length
      if (count >= this.limits.keysPerObject) {
        this.fail('keys-per-object', i, handler)
        return false
      }
      if (keys instanceof Set) keys.add(key)
      else this.stack[top] = count < FEW_KEYS ? keys.concat(key) : new Set([...keys, key])
    }
    this.state = VALUE
    handler.key(key)
    return true
  }

  /** Leaves the grammar for something that means nothing to it; `back` is where it goes on. */
  protected detour(state: number, i: number): number {
    this.back = this.state
    this.state = state
    this.tokenAt = this.base + i
    if (this.copying) this.canonical().park(i)
    return i + 1
  }

  protected goOn(i: number): number {
    this.state = this.back
    this.spaced = true
    if (this.copying) this.canonical().resume(i)
    return i
  }

  /** Reports a repair; false, and failed at `i`, when there were too many. */
  protected repair(
    code: JsonRepairCode,
    repairClass: RepairClass,
    offset: number,
    i: number,
    handler: JsonHandler,
  ): boolean {
    if (this.repairs >= this.limits.repairs) {
      this.fail('repairs', i, handler)
      return false
    }
    this.repairs++
    handler.repair(code, repairClass, offset)
    return true
  }

  protected fail(code: JsonErrorCode, i: number, handler: JsonHandler): number {
    this.state = OVER
    this.status = 'failed'
    if (this.copying) {
      const text = this.canonical().take()
      if (text !== '') handler.text(text)
    }
    handler.error(code, this.base + i)
    return i
  }

  /** A value begins with a token from `from` to `to`; `text` and the chunk from `mark` on are how it is copied. */
  protected announce(text: string, mark: number, from: number, to: number): void {
    this.startText = text
    this.startMark = mark
    this.startDepth = this.depth
    this.tokenStart = from
    this.tokenEnd = to
  }

  protected canonical(): CanonicalText {
    this.copy ??= new CanonicalText()
    return this.copy
  }
}
