/** The public parser: a scanner and a builder behind events that say what is known, and a verdict at the end. */

import { SluiceError } from '../errors.ts'
import type { ArgumentKind, JsonValue, RepairClass } from '../event.ts'
import { Path } from '../path.ts'
import { Epilogue } from './epilogue.ts'
import type { JsonEvent, JsonRepair, JsonVerdict } from './events.ts'
import { failureMessage, LineCounter } from './failure.ts'
import type { JsonErrorCode, JsonHandler, JsonLimits, JsonRepairCode } from './handler.ts'
import { isExact } from './numbers.ts'
import { OpenBuilder } from './open-builder.ts'
import { checkJsonOptions } from './options.ts'
import type { NonFinite } from './rules.ts'
import { createScanner, type JsonScanner, type ScannerOptions } from './scanner.ts'
import { StringifiedRoot } from './unwrap.ts'
import { WindowsPathCheck } from './windows-path.ts'

export interface JsonParserOptions {
  /** `strict` reads what `JSON.parse` reads, `tolerant` (the default) what models write, reporting every repair. */
  mode?: 'strict' | 'tolerant'
  /** Which of two equal keys counts. `last` by default, as in `JSON.parse`. */
  duplicateKeys?: 'last' | 'first' | 'error'
  /** When a string is complete: at its quote, or at the delimiter after it, which allows for inner quotes. */
  stringClose?: 'quote' | 'delimiter'
  /** What `NaN` and `Infinity` are read as (tolerant only): their text by default. */
  nonFinite?: NonFinite
  /** Reads a root string that holds an object or an array as that (tolerant only). */
  unwrapStringified?: boolean
  limits?: Partial<JsonLimits & { totalLength: number }>
  /** Takes each event as it happens; `push` and `end` then return none. */
  onEvent?: (event: JsonEvent) => void
}

export interface JsonParser {
  /** Reads the next piece of the text and returns what became known. Throws only after `end`. */
  push(chunk: string): JsonEvent[]
  /** The text is over. Returns what that tells, and the verdict last. */
  end(): JsonEvent[]
  /** The value so far: the same object every time, growing. */
  readonly value: JsonValue | undefined
  /** `open` until the end, or until an error makes it `invalid`. */
  readonly status: 'open' | JsonVerdict
}

/**
 * Reads JSON while it arrives.
 *
 *     const parser = createJsonParser()
 *     parser.push('{"path": "src/ma')   // open '', key /path, open /path, delta src/ma
 *     parser.value                      // { path: 'src/ma' }
 *     parser.push('in.rs"}')            // delta in.rs, value /path, value ''
 *     parser.end()                      // end complete
 */
export function createJsonParser(options: JsonParserOptions = {}): JsonParser {
  return new EventParser(options)
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

/** Half of a surrogate pair without the other. */
const LONE_SURROGATE = /\p{Surrogate}/u

class EventParser implements JsonParser, JsonHandler {
  status: 'open' | JsonVerdict = 'open'

  private readonly tolerant: boolean
  private readonly ignoresRepeated: boolean
  private readonly totalLength: number
  private readonly onEvent: ((event: JsonEvent) => void) | null
  private readonly scanner: JsonScanner
  private readonly unwrapper: StringifiedRoot | null
  private readonly builder = new OpenBuilder({
    start: (path, kind) => this.started(path, kind),
    delta: (path, text) => this.grew(path, text),
    end: (path, value) => this.completed(path, value),
  })
  private readonly lines = new LineCounter()
  private readonly repairs: JsonRepair[] = []
  private readonly windowsPath = new WindowsPathCheck()
  private epilogue: Epilogue | null = null
  private events: JsonEvent[] = []
  private ended = false
  private chunk = ''
  /** Absolute offset of the chunk. */
  private base = 0

  /** Where the open values begin, outermost first. */
  private readonly starts: number[] = []
  /** Length of the open string so far. */
  private length = 0
  /** The lexeme of the scalar that is being announced. */
  private raw = ''
  /** A key waits for its value. */
  private hasKey = false
  /** Levels inside a value that does not count because its key came again; -1 outside of one. */
  private ignored = -1

  constructor(options: JsonParserOptions) {
    checkJsonOptions(options)
    this.tolerant = options.mode !== 'strict'
    this.ignoresRepeated = options.duplicateKeys === 'first'
    this.totalLength = options.limits?.totalLength ?? Number.POSITIVE_INFINITY
    this.onEvent = options.onEvent ?? null
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

  get value(): JsonValue | undefined {
    return this.builder.value
  }

  push(chunk: string): JsonEvent[] {
    if (this.ended) {
      throw new SluiceError('push-after-end', 'This parser has ended. Create another one for another text.')
    }
    if (typeof chunk !== 'string')
      throw new SluiceError(
        'invalid-source',
        `A parser takes strings, not ${typeof chunk}; decode bytes first.`,
      )
    this.chunk = chunk
    if (this.status === 'open') this.read(chunk)
    if (this.builder.hasOpenString) this.windowsPath.look(chunk, this.base)
    this.lines.add(chunk)
    this.base += chunk.length
    this.chunk = ''
    return this.takeEvents()
  }

  end(): JsonEvent[] {
    if (this.ended) return []
    this.ended = true
    if (this.status === 'open') {
      this.scanner.end(this.unwrapper ?? this)
      this.unwrapper?.end()
      this.epilogue?.end(this)
    }
    const incomplete = this.status === 'open' ? this.conclude() : []
    const status = this.status as JsonVerdict
    this.give({ type: 'end', status, value: this.value, incomplete, repairs: this.repairs })
    return this.takeEvents()
  }

  private read(chunk: string): void {
    const room = this.totalLength - this.base
    const taken = this.scanner.read(chunk, 0, Math.min(chunk.length, room), this.unwrapper ?? this)
    if (this.scanner.status === 'done') this.readRest(chunk, taken, this.base)
    if (chunk.length > room) this.error('total-length', this.base + room)
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
    const { status, isInScalar } = this.source
    if (status === 'done') {
      this.status = this.repairs.length > 0 ? 'repaired' : 'complete'
      return []
    }
    this.status = isInScalar || this.value !== undefined ? 'truncated' : 'empty'
    const incomplete: Path[] = []
    if (isInScalar && this.ignored < 0) incomplete.push(this.builder.nextPath)
    for (let path = this.builder.openPath; path !== null; path = path.parent) {
      incomplete.push(path)
      const value = this.builder.openValueAt(path)
      if (value !== undefined) this.give({ type: 'partial', path, value })
    }
    return incomplete.reverse()
  }

  /** The scanner whose tokens these are: the one inside, for a root string that holds JSON. */
  private get source(): JsonScanner {
    return this.unwrapper?.inner ?? this.scanner
  }

  // ── what the scanner says ──────────────────────────────────────────────────────────────────────

  open(container: 'object' | 'array'): void {
    if (this.ignored >= 0) this.ignored++
    else this.builder.open(container)
  }

  openString(): void {
    if (this.ignored >= 0) this.ignored++
    else this.builder.openString()
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
    this.raw = raw
    this.builder.scalar(value, raw)
  }

  private leaveIgnored(): void {
    if (--this.ignored === 0) this.ignored = -1
  }

  key(key: string): void {
    if (this.ignored >= 0) return
    this.builder.key(key)
    this.hasKey = true
    this.give({ type: 'key', path: this.builder.nextPath })
  }

  duplicateKey(key: string): void {
    if (this.ignored >= 0) return
    this.builder.key(key)
    const path = this.builder.nextPath
    this.give({ type: 'duplicate', path, previous: this.builder.member(key) ?? null })
    if (this.ignoresRepeated) this.ignored = 0
  }

  text(): void {}

  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    if (this.status !== 'open') return
    const { builder } = this
    const isOfValue =
      VALUE_REPAIRS.has(code) && !builder.hasOpenString && (this.hasKey || !builder.isInObject)
    const path = isOfValue ? builder.nextPath : (builder.openPath ?? Path.root)
    const repair: JsonRepair = { type: 'repair', code, class: repairClass, offset, path }
    this.repairs.push(repair)
    this.give(repair)
  }

  error(code: JsonErrorCode, offset: number): void {
    if (this.status !== 'open') return
    const inside = this.unwrapper?.locate(offset)
    const { line, column } = inside ?? this.lines.locate(this.chunk, offset)
    const found = inside ? '' : (this.chunk[offset - this.base] ?? '')
    const path = this.builder.openPath ?? Path.root
    this.give({ type: 'error', code, message: failureMessage(code, found), offset, line, column, path })
    this.status = 'invalid'
  }

  // ── what the builder says ──────────────────────────────────────────────────────────────────────

  private started(path: Path, kind: ArgumentKind): void {
    this.hasKey = false
    this.starts.push(this.source.tokenStart)
    this.length = 0
    if (kind === 'string') this.windowsPath.open(this.source.tokenStart)
    if (kind !== 'scalar') this.give({ type: 'open', path, kind })
  }

  private grew(path: Path, text: string): void {
    this.give({ type: 'delta', path, text, offset: this.length })
    this.length += text.length
  }

  private completed(path: Path, value: JsonValue): void {
    const span = { start: this.starts.pop() ?? 0, end: this.source.tokenEnd }
    const event = { type: 'value', path, value, span } as const
    if (typeof value === 'string') this.warn(path)
    if (typeof value === 'number') this.give({ ...event, raw: this.raw, exact: isExact(this.raw, value) })
    else if (typeof value === 'string') this.give({ ...event, wellFormed: !LONE_SURROGATE.test(value) })
    else this.give(event)
  }

  /** The string at `path` is complete. Where a root string is looked into, nothing is said of it or of what it holds. */
  private warn(path: Path): void {
    if (this.unwrapper !== null && (this.unwrapper.inner !== null || path.depth === 0)) return
    this.windowsPath.look(this.chunk, this.base)
    const offset = this.windowsPath.escapeAt
    if (offset >= 0) this.give({ type: 'warning', code: 'suspicious-escape', offset, path })
  }

  private give(event: JsonEvent): void {
    // After an error a scanner may still be on its way through the chunk, around the one that failed.
    if (this.status === 'invalid' && event.type !== 'end') return
    if (this.onEvent === null) this.events.push(event)
    else this.onEvent(event)
  }

  private takeEvents(): JsonEvent[] {
    const events = this.events
    this.events = []
    return events
  }
}
