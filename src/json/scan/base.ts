/**
 * The state of the scanner, and what all of its parts need: containers, keys, reports.
 *
 * The scanner is one class in six rooms, each built on the one before: this base, the fast path through strings
 * (`passing.ts`), strings, scalars, oddities, and `scanner.ts` with what is seen from outside. One object, because
 * an idle scanner is kept for every call of a response; several rooms, because nobody wants to read all of it at
 * once.
 */

import type { RepairClass } from '../../event.ts'
import {
  DEFAULT_JSON_LIMITS,
  type JsonErrorCode,
  type JsonHandler,
  type JsonLimits,
  type JsonRepairCode,
} from '../handler.ts'
import type { CanonicalText } from './canonical.ts'
import { AFTER, BRACKET_CLOSE, QUOTE, ROOT, VALUE } from './grammar.ts'
import { sharedKey } from './keys.ts'
import { NOT_READING, type Reading } from './reading.ts'

/** What stands on the stack: a mark for each container, and behind that of an object the keys it has. */
export const ARRAY = 0
export const OBJECT = 1
export type Entry = typeof ARRAY | typeof OBJECT | string | Set<string>

/** Most objects have so few keys that looking at each is as fast as a set, and takes less room. */
const FEW_KEYS = 8

/** Thrown where the text became impossible in the middle of something, and caught where the chunk was begun. */
export class Stop {
  readonly at: number

  constructor(at: number) {
    this.at = at
  }
}

/** What every part of the scanner shares: where it stands, what is open, and how it reports. */
export abstract class ScannerBase {
  status: 'open' | 'done' | 'failed' = 'open'
  /** Whether `handler.delta` is wanted; a handler may switch it inside `openString`. */
  decoding = true
  /** Absolute offset of the next character to be read; while a chunk is read, of its index 0. */
  offset = 0

  readonly limits: Readonly<JsonLimits>
  protected reading: Reading = NOT_READING

  protected state = ROOT
  /** Where to go on after a comment or an ellipsis. */
  protected back = ROOT
  /** The open containers. A list that grows from nothing takes room for seventeen; unused places hold `ARRAY`. */
  protected readonly stack: Entry[] = [ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY]
  /** Where the mark of the innermost container stands, -1 if there is none. */
  protected top = -1
  /** Open containers. While one is announced or closed it counts itself. */
  depth = 0

  /** What earlier chunks had of the key, number, literal or unquoted run that is being read. */
  protected token = ''
  /** Absolute offset of that token, or of the value that is announced. */
  tokenStart = 0
  /** The end of the last chunk, if it means something only together with the next one: half an escape, `/`. */
  held = ''

  /** What closes the open string, and after a key whether it was quoted (0: it was not). */
  protected quote = QUOTE
  /** The repairs that are reported once per string, or once. */
  protected reported = 0

  /** Whether a closer, space or a comment stands before the next token, so that a comma may be missing. */
  protected spaced = false
  /** An ellipsis was skipped: the comma after it is not an extra one. */
  protected skipped = false
  protected commaAt = 0
  protected oddSpaceAt = -2
  protected repairs = 0

  /** Null while nothing is copied. Between two chunks: what was read of the text that is not certain yet. */
  protected uncertain: string | null = null

  constructor(limits: Readonly<JsonLimits> = DEFAULT_JSON_LIMITS) {
    this.limits = limits
  }

  /** Who is told, while a chunk is read. */
  protected get handler(): JsonHandler {
    return this.reading.handler!
  }

  /** Inside a call to the handler: where the announced token ends, as an absolute offset. */
  get tokenEnd(): number {
    return this.reading.tokenEnd
  }

  protected get copy(): CanonicalText | null {
    return this.reading.copy
  }

  /** What stands from `i` on can be told only when more of the text is there: it is read again, with the next chunk. */
  protected hold(text: string, i: number): number {
    this.held = text.slice(i)
    return text.length
  }

  /** A closer. One that belongs to an outer container closes the inner ones too. */
  protected close(c: number, i: number): number {
    const closesArray = c === BRACKET_CLOSE
    if (this.isInArray() !== closesArray && !this.hasOuter(closesArray)) return this.fail('token', i)
    while (this.isInArray() !== closesArray) {
      this.repair('missing-close', 'guess', i)
      this.copy?.rewrite(i, i, closesArray ? '}' : ']')
      this.closeTop(i)
    }
    this.closeTop(i + 1)
    return i + 1
  }

  protected hasOuter(array: boolean): boolean {
    return this.stack.lastIndexOf(array ? ARRAY : OBJECT, this.top) !== -1
  }

  private closeTop(end: number): void {
    this.copy?.commit(end)
    this.reading.tokenEnd = this.offset + end
    this.handler.close()
    const { stack } = this
    stack.fill(ARRAY, this.top, this.endOfKeys())
    do this.top--
    while (this.top >= 0 && typeof stack[this.top] !== 'number')
    this.depth--
    this.afterValue(true)
  }

  /** The place behind the innermost container and its keys. */
  protected endOfKeys(): number {
    const { stack } = this
    let at = this.top + 1
    while (at < stack.length && typeof stack[at] !== 'number') at++
    return at
  }

  protected afterValue(spaced: boolean): void {
    this.spaced = spaced
    this.state = AFTER
    if (this.depth === 0) this.status = 'done'
  }

  /** After a comma at `i`, or where one is missing. */
  protected afterComma(state: number, i: number): void {
    this.state = state
    this.commaAt = this.offset + i
    this.skipped = false
  }

  protected isInObject(): boolean {
    return this.depth > 0 && !this.isInArray()
  }

  protected isInArray(): boolean {
    return this.depth > 0 && this.stack[this.top] === ARRAY
  }

  /** The colon, or what stands for it: the key is complete. */
  protected endKey(i: number): void {
    const key = sharedKey(this.token)
    this.token = ''
    const { stack } = this
    const first = this.top + 1
    const end = this.endOfKeys()
    const keys = stack[first]
    const isSet = keys instanceof Set
    let at = first
    while (at < end && stack[at] !== key) at++
    const isKnown = isSet ? keys.has(key) : at < end
    const count = isSet ? keys.size : end - first
    if (isKnown) this.repeatKey(key, i)
    else if (count >= this.limits.keysPerObject) this.stop('keys-per-object', i)
    else if (isSet) keys.add(key)
    else if (count < FEW_KEYS) stack[end] = key
    else stack[first] = new Set(stack.splice(first, count, ARRAY) as string[]).add(key)
    this.state = VALUE
    this.handler.key(key)
  }

  protected repeatKey(key: string, _i: number): void {
    this.handler.duplicateKey(key)
  }

  /** Reports a repair of what begins at `offset`, which shows at `i`. There may be too many. */
  protected repair(
    code: JsonRepairCode,
    repairClass: RepairClass,
    i: number,
    offset: number = this.offset + i,
  ): void {
    if (this.repairs >= this.limits.repairs) this.stop('repairs', i)
    this.repairs++
    this.handler.repair(code, repairClass, offset)
  }

  /** Nothing more is read. A handler may have stopped the scanner, too. */
  protected get hasFailed(): boolean {
    return this.status === 'failed'
  }

  /** The character at `i` makes the text impossible: nothing more is read. */
  protected fail(code: JsonErrorCode, i: number): number {
    this.status = 'failed'
    this.handOut(this.copy?.take())
    this.handler.error(code, this.offset + i)
    return i
  }

  /** The same from the inside of something, which must not be finished. */
  protected stop(code: JsonErrorCode, i: number): never {
    throw new Stop(this.fail(code, i))
  }

  protected handOut(text: string | undefined): void {
    if (text) this.handler.text(text)
  }

  /** A value begins with a token from `from` to `to`; `text` and the chunk from `mark` on are how it is copied. */
  protected announce(text: string, mark: number, from: number, to: number): void {
    const { reading } = this
    reading.startText = text
    reading.startMark = mark
    reading.tokenEnd = to
    this.tokenStart = from
  }
}
