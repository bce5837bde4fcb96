/**
 * The arguments of a call, written as one JSON value: an object, or a string that holds one.
 *
 *     {"city": "Paris", "days": 2}
 *     "{\"city\": \"Paris\", \"days\": 2}"
 *
 * It stands between a scanner and a call: what the scanner finds becomes the call's JSON text, and its
 * arguments by path if argument events are emitted.
 */

import type { RepairClass } from '../../base/event.ts'
import type { Limits } from '../../base/limits.ts'
import { isCount, isInteger, nullable, oneOf, type Shape } from '../../base/plain-state.ts'
import type { JsonBuilder } from '../../values/json/builder.ts'
import {
  DEFAULT_JSON_LIMITS,
  type JsonErrorCode,
  type JsonHandler,
  type JsonLimits,
  type JsonRepairCode,
} from '../../values/json/handler.ts'
import { TOLERANT } from '../../values/json/rules.ts'
import { initialState, isJsonState, type JsonState } from '../../values/json/scan/json-state.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import { isZero } from '../../values/numbers/exact.ts'
import type { Call } from './call.ts'
import { JsonFastPath } from './json-fast-path.ts'

/** Whose text is scanned: the call's own source, the inside of a string in it, or one that was made of it. */
type JsonArgumentsText = 'source' | 'inner' | 'made'

export interface JsonArgumentsState {
  text: JsonArgumentsText
  /** Where that text begins, as an offset of the text channel; -1 as long as nothing of it was read. */
  origin: number
  /** How many containers the arguments stand in. */
  outside: number
  /** The scanner inside a string that holds the arguments. */
  inner: JsonState | null
}

export const JSON_ARGUMENTS: Shape<JsonArgumentsState> = {
  text: oneOf('source', 'inner', 'made'),
  origin: isInteger,
  outside: isCount,
  inner: nullable(isJsonState),
}

export const jsonArguments = (text: JsonArgumentsText, origin: number, outside = 0): JsonArgumentsState => ({
  text,
  origin,
  outside,
  inner: null,
})

export class JsonArguments implements JsonHandler {
  /** Unknown until the first `attach`. */
  private call!: Call
  /** The scanner whose text this is. */
  private readonly scanner: JsonScanner
  private readonly state: JsonArgumentsState
  private readonly path: (string | number)[] | null
  /** Those inside a string that holds the arguments. */
  private inner: JsonArguments | null

  /** `path`: kept as the one of the next value, if that is asked for. */
  constructor(scanner: JsonScanner, state: JsonArgumentsState, path: (string | number)[] | null = null) {
    this.path = path
    this.scanner = scanner
    this.state = state
    this.inner = state.inner === null ? null : this.inside(state.inner)
  }

  /** `from`: where its text begins, if nothing of it was read yet. */
  attach(call: Call, from = 0): this {
    const { state } = this
    this.call = call
    if (state.origin === -1) state.origin = call.offsetOf(from)
    this.inner?.attach(call)
    return this
  }

  /** Builds the value, if argument events are emitted. */
  private get builder(): JsonBuilder | null {
    return this.call.argumentBuilder()
  }

  /** The fast path, while nothing but a string is being read. */
  get fastPath(): JsonFastPath | null {
    const { scanner } = this
    if (this.call === undefined || this.inner !== null || !scanner.copying || !scanner.mayPassOn) return null
    return new JsonFastPath(scanner, this.call, this.builder)
  }

  open(container: 'object' | 'array'): void {
    const { scanner, builder } = this
    if (scanner.depth === this.state.outside + 1) {
      scanner.startCopy()
      if (this.state.text === 'source') this.call.jsonBegins(this.state.origin + scanner.tokenStart)
      scanner.decoding = builder !== null
      if (container === 'array') this.call.s.isObject = false
    }
    builder?.open(container)
    this.path?.push(container === 'array' ? 0 : '')
  }

  /** Whether what is announced is part of a list or an object. */
  private get isInside(): boolean {
    return this.scanner.depth > this.state.outside
  }

  openString(): void {
    if (this.isInside) this.builder?.openString()
    else if (this.state.text === 'inner') {
      this.scanner.decoding = false
      this.call.fail('json', 'The arguments are a string that does not hold an object.', this.state.origin)
    } else {
      this.scanner.decoding = true
      this.state.inner = initialState()
      this.inner = this.inside(this.state.inner).attach(this.call)
      this.call.readAsString(this.state.origin)
    }
  }

  private inside(state: JsonState): JsonArguments {
    const scanner = new JsonScanner(this.scanner.limits, TOLERANT, state)
    return new JsonArguments(scanner, jsonArguments('inner', this.state.origin))
  }

  delta(text: string): void {
    const { inner } = this
    if (inner === null) this.builder?.delta(text)
    else {
      const { scanner } = inner
      const at = scanner.status === 'open' ? scanner.read(text, 0, text.length, inner) : 0
      if (scanner.status !== 'done' || text.slice(at).trim() === '') return
      this.call.repairedJson('trailing-content', 'guess', this.state.origin)
      scanner.stop() // once is enough
    }
  }

  closeString(): void {
    const { inner } = this
    if (inner === null) {
      if (this.isInside) this.builder?.closeString()
      this.passItem()
      return
    }
    const { scanner } = inner
    scanner.end(inner)
    if (scanner.status === 'open' && scanner.offset > 0)
      this.call.fail('json', 'The string that holds the arguments is not complete JSON.', this.state.origin)
    this.inner = null
    this.state.inner = null
  }

  scalar(value: number | boolean | null, raw: string): void {
    // `"arguments": null` means that there are none; anything else is what the model wrote.
    if (!this.isInside && value === null) return
    this.call.s.hasNumber ||= typeof value === 'number'
    this.builder?.scalar(value, raw)
    this.passItem()
    if (this.isInside) return
    this.call.s.isObject = false
    this.call.jsonText(JSON.stringify(value))
  }

  /** Behind an item of a list comes the next one. */
  private passItem(): void {
    const { path } = this
    const index = path?.at(-1)
    if (typeof index === 'number') path![path!.length - 1] = index + 1
  }

  unrepresentable(value: number, raw: string): number | null {
    this.call.leaveSource()
    if (value === 0 && isZero(raw)) return 0
    const offset = this.offsetOf(this.scanner.tokenStart)
    const size = value === 0 ? 'small' : 'large'
    this.call.fail('number', `The arguments have a number that is too ${size} for JSON.`, offset)
    return null
  }

  /** The offset in the text channel of one in the scanner's text. Text that was made stands nowhere. */
  private offsetOf(offset: number): number {
    const { text, origin } = this.state
    return text === 'made' ? origin : origin + offset
  }

  key(key: string): void {
    const { path } = this
    this.builder?.key(key)
    if (path !== null) path[path.length - 1] = key
  }

  duplicateKey(key: string): void {
    this.call.fail('duplicate-key', `The arguments have the key '${key}' twice.`, this.state.origin)
  }

  close(): void {
    this.builder?.close()
    this.path?.pop()
    this.passItem()
    if (this.scanner.depth <= this.state.outside + 1) this.scanner.stopCopy()
  }

  text(piece: string): void {
    this.call.jsonText(piece)
  }

  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    this.call.repairedJson(code, repairClass, this.offsetOf(offset))
  }

  error(code: JsonErrorCode, offset: number): void {
    this.call.fail(code, `The arguments are not JSON (${code}).`, this.offsetOf(offset))
  }

  /** What would make the JSON text that was passed on complete. */
  completion(): string {
    return this.inner?.completion() ?? this.scanner.completion(this.state.outside)
  }
}

/** The limits within which the JSON of a call is read. Made once, because every call needs them. */
export function jsonLimitsOf(limits: Limits): Readonly<JsonLimits> {
  let own = limitsOfJson.get(limits)
  if (own === undefined) {
    own = {
      ...DEFAULT_JSON_LIMITS,
      depth: limits.depth,
      keysPerObject: limits.keys,
      numberLength: limits.number,
      bareLength: limits.bare,
      repairs: limits.repairs,
    }
    limitsOfJson.set(limits, own)
  }
  return own
}

const limitsOfJson = new WeakMap<Limits, Readonly<JsonLimits>>()
