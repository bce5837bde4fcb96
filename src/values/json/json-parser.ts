/** The public parser: events that say what is known of a document, and a verdict at the end. */

import { SluiceError } from '../../base/errors.ts'
import type { ArgumentKind, JsonValue } from '../../base/event.ts'
import type { Path } from '../../base/path.ts'
import { isExact } from '../numbers/exact.ts'
import { type DocumentListener, JsonDocument } from './document.ts'
import type { JsonEvent, JsonFailure, JsonRepair, JsonVerdict } from './events.ts'
import type { JsonParserOptions } from './json-options.ts'
import { WindowsPathCheck } from './windows-path.ts'

/** An incremental JSON parser, which `createJsonParser` creates. */
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

class EventParser implements JsonParser {
  private readonly writer: EventWriter
  private readonly document: JsonDocument
  private isEnded = false

  constructor(options: JsonParserOptions) {
    this.writer = new EventWriter(options)
    this.document = this.writer.document
  }

  get value(): JsonValue | undefined {
    return this.document.value
  }

  get status(): 'open' | JsonVerdict {
    return this.document.status
  }

  push(chunk: string): JsonEvent[] {
    if (this.isEnded) {
      throw new SluiceError('push-after-end', 'This parser has ended. Create another one for another text.')
    }
    if (typeof chunk !== 'string')
      throw new SluiceError(
        'invalid-source',
        `A parser takes strings, not ${typeof chunk}; decode bytes first.`,
      )
    const { base } = this.document
    this.document.push(chunk)
    this.writer.chunkEnds(chunk, base)
    return this.writer.take()
  }

  end(): JsonEvent[] {
    if (this.isEnded) return []
    this.isEnded = true
    const incomplete = this.document.end()
    const { value, repairs, status } = this.document
    this.writer.write({ type: 'end', status: status as JsonVerdict, value, incomplete, repairs })
    return this.writer.take()
  }
}

/** Half of a surrogate pair without the other. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Writes what a document tells as events. */
class EventWriter implements DocumentListener {
  readonly document: JsonDocument
  private readonly onEvent: ((event: JsonEvent) => void) | null
  private readonly windowsPath = new WindowsPathCheck()
  private events: JsonEvent[] = []
  /** Where the open values begin, outermost first. */
  private readonly starts: number[] = []
  /** Length of the open string so far. */
  private length = 0

  constructor(options: JsonParserOptions) {
    this.document = new JsonDocument(options, this)
    this.onEvent = options.onEvent ?? null
  }

  /** The events since the last call. */
  take(): JsonEvent[] {
    const { events } = this
    this.events = []
    return events
  }

  write(event: JsonEvent): void {
    if (this.onEvent === null) this.events.push(event)
    else this.onEvent(event)
  }

  chunkEnds(chunk: string, base: number): void {
    if (this.document.builder.stringPath !== null) this.windowsPath.look(chunk, base)
  }

  start(path: Path, kind: ArgumentKind): void {
    const { tokenStart } = this.document.source
    this.starts.push(tokenStart)
    this.length = 0
    if (kind === 'string') this.windowsPath.open(tokenStart)
    if (kind !== 'scalar') this.write({ type: 'open', path, kind })
  }

  key(path: Path): void {
    this.write({ type: 'key', path })
  }

  delta(path: Path, text: string): void {
    this.write({ type: 'delta', path, text, offset: this.length })
    this.length += text.length
  }

  end(path: Path, value: JsonValue): void {
    const { raw, source } = this.document
    const span = { start: this.starts.pop() ?? 0, end: source.tokenEnd }
    if (typeof value === 'number')
      this.write({ type: 'value', path, value, span, raw, exact: isExact(raw, value) })
    else if (typeof value === 'string') {
      this.warn(path)
      this.write({ type: 'value', path, value, span, wellFormed: !LONE_SURROGATE.test(value) })
    } else this.write({ type: 'value', path, value, span })
  }

  duplicate(path: Path, previous: JsonValue): void {
    this.write({ type: 'duplicate', path, previous })
  }

  repair(repair: JsonRepair): void {
    this.write(repair)
  }

  error(failure: JsonFailure): void {
    this.write(failure)
  }

  partial(path: Path, value: JsonValue): void {
    this.write({ type: 'partial', path, value })
  }

  /** The string at `path` is complete. A root string that may be unwrapped gets no warning, nor does what it holds. */
  private warn(path: Path): void {
    const { document, windowsPath } = this
    if (document.isUnwrapped(path)) return
    windowsPath.look(document.chunk, document.base)
    const offset = windowsPath.escapeAt
    if (offset >= 0) this.write({ type: 'warning', code: 'suspicious-escape', offset, path })
  }
}
