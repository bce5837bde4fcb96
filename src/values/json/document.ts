/** One JSON text from its first character to the verdict: its value, its repairs, and the error that ended it. */

import type { JsonValue, RepairClass } from '../../base/event.ts'
import { Path } from '../../base/path.ts'
import { type BuilderListener, type Container, JsonBuilder } from './builder.ts'
import { Epilogue } from './epilogue.ts'
import type { JsonFailure, JsonRepair, JsonVerdict } from './events.ts'
import { failureMessage, LineCounter } from './failure.ts'
import type { JsonErrorCode, JsonHandler, JsonRepairCode } from './handler.ts'
import { checkJsonOptions, type JsonParserOptions } from './json-options.ts'
import { Prologue } from './prologue.ts'
import { createScanner, type JsonScanner, type ScannerOptions } from './scanner.ts'
import { StringifiedRoot } from './unwrap.ts'

/** Called for each value, and for the rest if it has the methods. After an error nothing more is called. */
export interface DocumentListener extends BuilderListener {
  /** A member's key is complete. */
  key?(path: Path): void
  /** The object at the parent of `path` has this key already. */
  duplicate?(path: Path, previous: JsonValue): void
  repair?(repair: JsonRepair): void
  error?(failure: JsonFailure): void
  /** The text ended inside this value. */
  partial?(path: Path, value: JsonValue): void
}

/** Repairs of a value (or of a key, as long as there is none); the others are repairs of what it stands in. */
const VALUE_REPAIRS: ReadonlySet<JsonRepairCode> = new Set([
  'quote-style',
  'literal-alias',
  'number-form',
  'bare-string',
  'non-finite',
  'control-char',
  'invalid-escape',
  'inner-quote',
  'missing-colon',
])

export class JsonDocument implements JsonHandler {
  status: 'open' | JsonVerdict = 'open'
  readonly repairs: JsonRepair[] = []
  failure: JsonFailure | undefined = undefined
  readonly builder: JsonBuilder
  /** The lexeme of the scalar that is announced. */
  raw = ''
  chunk = ''
  /** Absolute offset of the chunk. */
  base = 0

  private readonly listener: DocumentListener
  private readonly tolerant: boolean
  private readonly ignoresRepeated: boolean
  private readonly totalLength: number
  private readonly scanner: JsonScanner
  private readonly unwrapper: StringifiedRoot | null
  private readonly lines = new LineCounter()
  /** Skips what stands before the value; null once that has begun. */
  prologue: Prologue | null
  private epilogue: Epilogue | null = null
  /** Absolute offset at which the value begins. */
  valueStart = 0
  /** A key waits for its value. */
  private hasKey = false
  /** Levels inside a value that does not count because its key came again; -1 outside of one. */
  private ignored = -1

  /** `skipsWords`: the value may stand behind words, which are then a repair. Not in strict reading. */
  constructor(options: JsonParserOptions, listener: DocumentListener, skipsWords = false) {
    checkJsonOptions(options)
    this.listener = listener
    this.builder = new JsonBuilder(listener)
    this.tolerant = options.mode !== 'strict'
    this.prologue = skipsWords && this.tolerant ? new Prologue() : null
    this.ignoresRepeated = options.duplicateKeys === 'first'
    this.totalLength = options.limits?.totalLength ?? Number.POSITIVE_INFINITY
    const scannerOptions: ScannerOptions = {
      tolerant: this.tolerant,
      duplicateKeys: options.duplicateKeys === 'error' ? 'error' : 'last',
      stringClose: options.stringClose ?? 'quote',
      nonFinite: options.nonFinite ?? 'string',
      limits: options.limits ?? {},
    }
    this.scanner = createScanner(scannerOptions)
    const unwraps = this.tolerant && options.unwrapStringified === true
    this.unwrapper = unwraps ? new StringifiedRoot(this, this.scanner, scannerOptions) : null
    if (this.unwrapper !== null) this.unwrapper.onRest = (text, from, base) => this.readRest(text, from, base)
  }

  /** The value so far: the same object every time, growing. */
  get value(): JsonValue | undefined {
    return this.builder.value
  }

  /** The value so far, as one that never changes. */
  snapshot(): JsonValue | undefined {
    return this.builder.snapshot()
  }

  /** The scanner of the announced tokens: the one inside, for a root string that holds JSON. */
  get source(): JsonScanner {
    return this.unwrapper?.inner ?? this.scanner
  }

  /** Whether a root string is unwrapped, or may be. */
  isUnwrapped(path: Path): boolean {
    return this.unwrapper !== null && (this.unwrapper.inner !== null || path.depth === 0)
  }

  push(chunk: string): void {
    const text = this.prologue === null ? chunk : this.skip(this.prologue, chunk)
    this.chunk = text
    if (this.status === 'open') this.read(text)
    this.pass(text)
    this.chunk = ''
  }

  private pass(text: string): void {
    this.lines.add(text)
    this.base += text.length
  }

  /** Passes over what stands before the value. Answers the text from the value on, or nothing. */
  private skip(prologue: Prologue, chunk: string): string {
    const text = prologue.held + chunk
    const { passed, begins } = prologue.read(chunk)
    this.passWords(text.slice(0, passed))
    if (!begins) return ''
    this.beginValue()
    return text.slice(passed)
  }

  /** Passes over text that is not the value. */
  passWords(text: string): void {
    const first = this.repairs.length > 0 ? -1 : text.search(/\S/)
    if (first !== -1) this.repair('leading-content', 'guess', this.base + first)
    this.pass(text)
    if (this.base > this.totalLength) this.error('total-length', this.totalLength)
  }

  private beginValue(): void {
    this.prologue = null
    this.valueStart = this.base
    this.scanner.offset = this.base
  }

  /** The text is over. Returns what was cut off, outermost first. */
  end(): Path[] {
    const { prologue } = this
    if (prologue !== null) {
      const { held } = prologue
      prologue.held = ''
      if (prologue.end(held)) {
        this.beginValue()
        this.push(held)
      } else this.passWords(held)
    }
    if (this.status === 'open') {
      this.scanner.end(this.unwrapper ?? this)
      this.unwrapper?.end()
      this.epilogue?.end(this)
    }
    return this.status === 'open' ? this.conclude() : []
  }

  private read(chunk: string): void {
    const remaining = this.totalLength - this.base
    const text = chunk.slice(0, remaining)
    const taken = this.scanner.read(text, 0, text.length, this.unwrapper ?? this)
    if (this.scanner.status === 'done') this.readRest(text, taken, this.base)
    if (chunk.length > remaining) this.error('total-length', this.base + remaining)
  }

  /** What follows the root, from `from` on. */
  private readRest(text: string, from: number, base: number): void {
    if (this.status !== 'open' || from === text.length) return
    const fenced = this.repairs.some((repair) => repair.code === 'fence')
    this.epilogue ??= new Epilogue(this.tolerant, fenced)
    this.epilogue.read(text, from, base, this)
  }

  /** The text is over and nothing failed: the verdict, and what was cut off. */
  private conclude(): Path[] {
    const { builder } = this
    const { status, isInScalar } = this.source
    if (status === 'done') {
      this.status = this.repairs.length > 0 ? 'repaired' : 'complete'
      return []
    }
    this.status = isInScalar || this.value !== undefined ? 'truncated' : 'empty'
    const incomplete: Path[] = []
    if (isInScalar && this.ignored < 0) incomplete.push(builder.nextPath)
    for (let path = builder.openPath; path !== null; path = path.parent) {
      incomplete.push(path)
      const value = path === builder.stringPath ? builder.string.toString() : builder.containers[path.depth]
      if (value !== undefined) this.listener.partial?.(path, value)
    }
    return incomplete.reverse()
  }

  // ── what the scanner finds ─────────────────────────────────────────────────────────────────────

  open(container: 'object' | 'array'): void {
    if (this.ignored >= 0) this.ignored++
    else {
      this.hasKey = false
      this.builder.open(container)
    }
  }

  openString(): void {
    if (this.ignored >= 0) this.ignored++
    else {
      this.hasKey = false
      this.builder.openString()
    }
  }

  delta(text: string): void {
    if (this.ignored < 0) this.builder.delta(text)
  }

  closeString(): void {
    if (this.ignored < 0) this.builder.closeString()
    else this.leaveIgnored()
  }

  close(): void {
    if (this.ignored < 0) this.builder.close()
    else this.leaveIgnored()
  }

  scalar(value: number | boolean | null, raw: string): void {
    if (this.ignored >= 0) {
      this.ignored++
      this.leaveIgnored()
      return
    }
    this.hasKey = false
    this.raw = raw
    this.builder.scalar(value, raw)
  }

  private get top(): Container | undefined {
    return this.builder.containers[this.builder.containers.length - 1]
  }

  private leaveIgnored(): void {
    if (--this.ignored === 0) this.ignored = -1
  }

  key(key: string): void {
    if (this.ignored >= 0) return
    this.builder.key(key)
    this.hasKey = true
    if (this.status === 'open') this.listener.key?.(this.builder.nextPath)
  }

  duplicateKey(key: string): void {
    if (this.ignored >= 0) return
    const { builder } = this
    builder.key(key)
    const object = this.top as Record<string, JsonValue>
    const previous = Object.hasOwn(object, key) ? object[key] : undefined
    if (this.status === 'open') this.listener.duplicate?.(builder.nextPath, previous ?? null)
    if (this.ignoresRepeated) this.ignored = 0
  }

  text(): void {}

  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    if (this.status !== 'open') return
    const { builder } = this
    const isInObject = this.top !== undefined && !Array.isArray(this.top)
    const isOfValue = VALUE_REPAIRS.has(code) && builder.stringPath === null && (this.hasKey || !isInObject)
    const path = isOfValue ? builder.nextPath : (builder.openPath ?? Path.root)
    const repair: JsonRepair = { type: 'repair', code, class: repairClass, offset, path }
    this.repairs.push(repair)
    this.listener.repair?.(repair)
  }

  error(code: JsonErrorCode, offset: number): void {
    if (this.status !== 'open') return
    const inside = this.unwrapper?.locate(offset)
    const { line, column } = inside ?? this.lines.locate(this.chunk, offset)
    const found = inside ? '' : (this.chunk[offset - this.base] ?? '')
    const path = this.builder.openPath ?? Path.root
    const message = failureMessage(code, found)
    this.failure = { type: 'error', code, message, offset, line, column, path }
    this.listener.error?.(this.failure)
    this.status = 'invalid'
    // A scanner may still be on its way through the chunk, around the one that failed.
    this.builder.listener = null
  }
}
