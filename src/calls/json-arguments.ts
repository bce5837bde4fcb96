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
import type { JsonErrorCode, JsonHandler, JsonRepairCode } from '../json/handler.ts'
import { ScanRules } from '../json/scan/rules.ts'
import { withoutEscapes } from '../json/scan/strings.ts'
import { JsonScanner, type JsonScannerState } from '../json/scanner.ts'
import type { Limits } from '../limits.ts'
import { type Run, type Stops, stopsAt } from '../run.ts'
import type { Call } from './call.ts'

/** Whose text is scanned: the call's own source, the inside of a string in it, or one that was made of it. */
export type JsonArgumentsText = 'source' | 'inner' | 'made'

/** A quote, a backslash and control characters mean more than themselves in a JSON string. */
const IN_STRING = stopsAt([34, 92], { low: 32, last: 92, passesEscapes: true })!
const IN_DECODED_STRING = stopsAt([34, 92], { low: 32 })!

export class JsonArguments implements JsonHandler {
  private readonly call: Call
  private readonly builder: JsonBuilder | null
  /** The scanner whose text this is. */
  private readonly scanner: JsonScanner
  /** Where that text begins, as an offset of the text channel. */
  private readonly origin: number
  /** Reads the text inside a string that holds the arguments. */
  private inner: JsonScanner | null = null
  /** Listens to that one, until something follows the arguments that is no part of them. */
  private innerHandler: JsonArguments | null = null
  private depth = 0
  private readonly kind: JsonArgumentsText

  constructor(call: Call, scanner: JsonScanner, origin: number, kind: JsonArgumentsText = 'source') {
    this.kind = kind
    this.call = call
    this.scanner = scanner
    this.origin = origin
    this.builder = call.watched()
  }

  /** The usual chunk of a long argument: nothing but more of a string. */
  take(chunk: string): boolean {
    const { builder } = this
    const piece = this.scanner.passOn(chunk)
    if (piece === null) return false
    if (piece.length === 0) return true
    builder?.say(withoutEscapes(piece))
    this.call.sayJsonText(piece)
    return true
  }

  get held(): string {
    return this.scanner.heldEscape
  }

  hold(): void {
    this.scanner.holdEscape()
  }

  /** `stops`: where a run must stop, if the text is not JSON by itself. */
  begin(run: Run, stops?: Stops): boolean {
    const { scanner, builder } = this
    if (this.inner !== null || !scanner.copying || !scanner.mayPassOn) return false
    const ownStops = builder === null ? IN_STRING : IN_DECODED_STRING
    this.call.beginRun(run, stops ?? ownStops, builder?.openPath ?? null)
    return true
  }

  get keeps(): boolean {
    return this.builder !== null || this.call.keepsJson
  }

  passed(count: number, said: number, text: string): void {
    this.scanner.offset += count
    this.call.keepJson(said, text)
    this.builder?.append(withoutEscapes(text))
  }

  openObject(): void {
    if (this.depth++ === 0) this.takeOver()
    this.builder?.openObject()
  }

  openArray(): void {
    if (this.depth++ === 0) this.takeOver()
    this.builder?.openArray()
  }

  private takeOver(): void {
    this.scanner.startCopy()
    if (this.kind === 'source') this.call.jsonBegins(this.origin + this.scanner.tokenStart)
    this.scanner.decoding = this.builder !== null
  }

  openString(): void {
    if (this.depth > 0) this.builder?.openString()
    else if (this.kind === 'inner') {
      this.scanner.decoding = false
      this.call.fail('json', 'The arguments are a string, and not one that holds an object.', this.origin)
    } else {
      this.scanner.decoding = true
      this.inner = new JsonScanner(scannerOptions(this.call.limits))
      this.innerHandler = new JsonArguments(this.call, this.inner, this.origin, 'inner')
      this.call.readAsString(this.origin)
    }
  }

  delta(text: string): void {
    const { inner, innerHandler } = this
    if (inner === null) this.builder?.delta(text)
    else if (innerHandler !== null) {
      const at = inner.status === 'open' ? inner.read(text, 0, text.length, innerHandler) : 0
      if (inner.status !== 'done' || text.slice(at).trim() === '') return
      this.call.repairedJson('trailing-content', 'guess', this.origin)
      this.innerHandler = null
    }
  }

  closeString(): void {
    if (this.inner === null) {
      if (this.depth > 0) this.builder?.closeString()
      return
    }
    this.inner.end(this.innerHandler!)
    if (this.inner.status === 'open' && this.inner.offset > 0)
      this.call.fail('json', 'The string that holds the arguments is not complete JSON.', this.origin)
    this.inner = null
    this.innerHandler = null
  }

  scalar(value: number | boolean | null, raw: string): void {
    if (this.depth > 0) this.builder?.scalar(value, raw)
    // `"arguments": null` means that there are none; anything else is what the model wrote.
    else if (value !== null) {
      this.builder?.scalar(value, raw)
      this.call.jsonText(JSON.stringify(value))
    }
  }

  key(key: string): void {
    this.builder?.key(key)
  }

  duplicateKey(key: string): void {
    this.call.fail('duplicate-key', `The arguments have the key '${key}' twice.`, this.origin)
  }

  closeObject(): void {
    this.builder?.closeObject()
    if (--this.depth === 0) this.scanner.stopCopy()
  }

  closeArray(): void {
    this.builder?.closeArray()
    if (--this.depth === 0) this.scanner.stopCopy()
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
    return this.inner?.completion() ?? this.scanner.completion(this.scanner.depth - this.depth)
  }

  save(): JsonArgumentsState {
    return {
      kind: this.kind,
      origin: this.origin,
      depth: this.depth,
      inner: this.inner?.save() ?? null,
      innerDepth: this.innerHandler?.depth ?? -1,
    }
  }

  static restore(saved: JsonArgumentsState, call: Call, scanner: JsonScanner): JsonArguments {
    const restored = new JsonArguments(call, scanner, saved.origin, saved.kind)
    restored.depth = saved.depth
    if (saved.inner !== null) {
      restored.inner = JsonScanner.restore(saved.inner, scannerOptions(call.limits))
      if (saved.innerDepth >= 0) {
        restored.innerHandler = new JsonArguments(call, restored.inner, saved.origin, 'inner')
        restored.innerHandler.depth = saved.innerDepth
      }
    }
    return restored
  }
}

export interface JsonArgumentsState {
  readonly kind: JsonArgumentsText
  readonly origin: number
  readonly depth: number
  readonly inner: JsonScannerState | null
  readonly innerDepth: number
}

/** How the JSON of a call is read: tolerantly, and within its limits. Made once, because every call needs it. */
export function scannerOptions(limits: Limits): ScanRules {
  let options = optionsByLimits.get(limits)
  if (options === undefined) {
    options = new ScanRules({
      tolerant: true,
      limits: {
        depth: limits.depth,
        keysPerObject: limits.keys,
        numberLength: limits.number,
        bareLength: limits.bare,
        repairs: limits.repairs,
      },
    })
    optionsByLimits.set(limits, options)
  }
  return options
}

const optionsByLimits = new WeakMap<Limits, ScanRules>()
