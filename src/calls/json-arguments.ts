/**
 * The arguments of a call, written as one JSON value: an object, or a string that holds one.
 *
 *     {"city": "Paris", "days": 2}
 *     "{\"city\": \"Paris\", \"days\": 2}"
 *
 * It stands between a scanner and a call: what the scanner finds becomes the call's JSON text, and its
 * arguments by path where someone watches them.
 */

import type { RepairClass } from '../event.ts'
import type { JsonBuilder } from '../json/builder.ts'
import {
  DEFAULT_JSON_LIMITS,
  type JsonErrorCode,
  type JsonHandler,
  type JsonLimits,
  type JsonRepairCode,
} from '../json/handler.ts'
import { JsonScanner, type JsonScannerState } from '../json/scanner.ts'
import type { Limits } from '../limits.ts'
import type { Call } from './call.ts'
import { JsonFastPath } from './json-fast-path.ts'

/** Whose text is scanned: the call's own source, the inside of a string in it, or one that was made of it. */
export type JsonArgumentsText = 'source' | 'inner' | 'made'

export class JsonArguments implements JsonHandler {
  protected call!: Call
  /** The scanner whose text this is. */
  protected readonly scanner: JsonScanner
  /** Where that text begins, as an offset of the text channel. */
  protected origin: number
  private readonly kind: JsonArgumentsText
  /** Those inside a string that holds the arguments. */
  protected inner: JsonArguments | null = null

  /** Without a call: whoever reads learns of it then, and attaches it. */
  constructor(call: Call | null, scanner: JsonScanner, origin: number, kind: JsonArgumentsText = 'source') {
    if (call !== null) this.call = call
    this.scanner = scanner
    this.origin = origin
    this.kind = kind
  }

  /** `from`: where its text begins, if nothing of it was read yet. */
  protected attach(call: Call, from: number): void {
    this.call = call
    if (this.origin === -1) this.origin = call.offsetOf(from)
    if (this.inner !== null) this.inner.call = call
  }

  /** Builds the value, where someone watches it grow. */
  private get builder(): JsonBuilder | null {
    return this.call.watched()
  }

  /** How many containers the arguments stand in. */
  protected get outside(): number {
    return 0
  }

  /** They are over, and others may follow them. */
  protected ended(): void {}

  /** The fast path, while nothing but a string is being read. */
  get fastPath(): JsonFastPath | null {
    const { scanner } = this
    if (this.inner !== null || !scanner.copying || !scanner.mayPassOn) return null
    return new JsonFastPath(scanner, this.call, this.builder)
  }

  open(container: 'object' | 'array'): void {
    const { scanner, builder } = this
    if (scanner.depth === this.outside + 1) {
      scanner.startCopy()
      if (this.kind === 'source') this.call.jsonBegins(this.origin + scanner.tokenStart)
      scanner.decoding = builder !== null
      if (container === 'array') this.call.isObject = false
    }
    builder?.open(container)
  }

  /** Whether what is announced is part of a list or an object. */
  private get isInside(): boolean {
    return this.scanner.depth > this.outside
  }

  openString(): void {
    if (this.isInside) this.builder?.openString()
    else if (this.kind === 'inner') {
      this.scanner.decoding = false
      this.call.fail('json', 'The arguments are a string, and not one that holds an object.', this.origin)
    } else {
      this.scanner.decoding = true
      this.inner = this.inside()
      this.call.readAsString(this.origin)
    }
  }

  private inside(): JsonArguments {
    return new JsonArguments(this.call, new JsonScanner(this.scanner.limits), this.origin, 'inner')
  }

  delta(text: string): void {
    const { inner } = this
    if (inner === null) this.builder?.delta(text)
    else {
      const { scanner } = inner
      const at = scanner.status === 'open' ? scanner.read(text, 0, text.length, inner) : 0
      if (scanner.status !== 'done' || text.slice(at).trim() === '') return
      this.call.repairedJson('trailing-content', 'guess', this.origin)
      scanner.stop() // once is enough
    }
  }

  closeString(): void {
    const { inner } = this
    if (inner === null) {
      if (this.isInside) this.builder?.closeString()
      return
    }
    const { scanner } = inner
    scanner.end(inner)
    if (scanner.status === 'open' && scanner.offset > 0)
      this.call.fail('json', 'The string that holds the arguments is not complete JSON.', this.origin)
    this.inner = null
    this.ended()
  }

  scalar(value: number | boolean | null, raw: string): void {
    // `"arguments": null` means that there are none; anything else is what the model wrote.
    if (!this.isInside && value === null) return
    this.builder?.scalar(value, raw)
    if (this.isInside) return
    this.call.isObject = false
    this.call.jsonText(JSON.stringify(value))
  }

  unrepresentable(value: number): number | null {
    this.call.leaveSource()
    if (value === 0) return 0
    const offset = this.origin + this.scanner.tokenStart
    this.call.fail('number', 'The arguments have a number that is too large for JSON.', offset)
    return null
  }

  key(key: string): void {
    this.builder?.key(key)
  }

  duplicateKey(key: string): void {
    this.call.fail('duplicate-key', `The arguments have the key '${key}' twice.`, this.origin)
  }

  close(): void {
    this.builder?.close()
    if (this.scanner.depth > this.outside + 1) return
    this.scanner.stopCopy()
    this.ended()
  }

  text(piece: string): void {
    this.call.jsonText(piece)
  }

  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    this.call.repairedJson(code, repairClass, this.origin + offset)
  }

  error(code: JsonErrorCode, offset: number): void {
    this.call.fail(code, `The arguments are not JSON (${code}).`, this.origin + offset)
  }

  /** What would make the JSON text that was passed on complete. */
  completion(): string {
    return this.inner?.completion() ?? this.scanner.completion(this.outside)
  }

  save(): JsonArgumentsState {
    const { kind, origin, inner } = this
    return { kind, origin, inner: inner?.scanner.save() ?? null }
  }

  protected resume({ origin, inner }: JsonArgumentsState): this {
    this.origin = origin
    if (inner !== null) {
      this.inner = this.inside()
      this.inner.scanner.resume(inner)
    }
    return this
  }

  static restore(state: JsonArgumentsState, call: Call, scanner: JsonScanner): JsonArguments {
    return new JsonArguments(call, scanner, state.origin, state.kind).resume(state)
  }
}

export interface JsonArgumentsState {
  readonly kind: JsonArgumentsText
  readonly origin: number
  readonly inner: JsonScannerState | null
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
