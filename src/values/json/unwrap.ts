/**
 * A root string that holds JSON, read as what it holds and while it arrives.
 *
 *     "{\"path\": \"src/ma|
 *
 * Stands between a scanner and a handler: the handler gets the value inside a string instead of the string.
 */

import type { RepairClass } from '../../base/event.ts'
import { LineCounter } from './failure.ts'
import type { JsonErrorCode, JsonHandler, JsonRepairCode } from './handler.ts'
import { createScanner, type JsonScanner, type ScannerOptions } from './scanner.ts'

export class StringifiedRoot implements JsonHandler {
  /** The scanner of the string's own text, once it is known to hold JSON. */
  inner: JsonScanner | null = null
  /** Decoded text after the inner value. */
  onRest: (text: string, from: number, base: number) => void = () => {}

  private readonly next: JsonHandler
  private readonly outer: JsonScanner
  private readonly options: ScannerOptions
  private readonly lines = new LineCounter()
  private reading: string | null = null
  private openedAt = -1
  /** The string's text until it shows something other than space; null when it is just a string. */
  private undecided: string | null = null

  constructor(next: JsonHandler, outer: JsonScanner, options: ScannerOptions) {
    this.next = next
    this.outer = outer
    this.options = options
  }

  openString(): void {
    if (this.outer.depth > 0) {
      this.next.openString()
    } else {
      this.openedAt = this.outer.tokenStart
      this.undecided = ''
    }
  }

  delta(text: string): void {
    if (this.inner !== null) {
      this.readInside(text)
    } else if (this.undecided === null) {
      this.next.delta(text)
    } else {
      this.undecided += text
      // The space before is bounded by this chunk: what was all space before is not looked at again.
      const first = /\S/.exec(text)?.[0]
      if (first === '{' || first === '[') this.unwrap()
      else if (first !== undefined) this.settle()
    }
  }

  closeString(): void {
    if (this.inner !== null) {
      this.inner.end(this.next)
      return
    }
    if (this.undecided !== null) this.settle()
    this.next.closeString()
  }

  /** The text is over: a string of nothing but space so far is a string. */
  end(): void {
    if (this.undecided !== null) this.settle()
  }

  /** Line and column inside the string's own text, while that is being read; null otherwise. */
  locate(offset: number): { line: number; column: number } | null {
    return this.reading === null ? null : this.lines.locate(this.reading, offset - this.openedAt - 1)
  }

  private unwrap(): void {
    const text = this.undecided ?? ''
    this.undecided = null
    this.next.repair('double-encoded', 'guess', this.openedAt)
    this.inner = createScanner(this.options)
    // Exact as long as nothing was escaped; there is no better offset for a character that was.
    this.inner.offset = this.openedAt + 1
    this.readInside(text)
  }

  private readInside(text: string): void {
    const inner = this.inner!
    const base = inner.offset
    this.reading = text
    const taken = inner.read(text, 0, text.length, this.next)
    if (inner.status === 'done' && taken < text.length) {
      this.onRest(text, taken, base)
      inner.offset = base + text.length
    }
    this.lines.add(text)
    this.reading = null
  }

  private settle(): void {
    const text = this.undecided ?? ''
    this.undecided = null
    this.next.openString()
    if (text !== '') this.next.delta(text)
  }

  open(container: 'object' | 'array'): void {
    this.next.open(container)
  }
  key(key: string): void {
    this.next.key(key)
  }
  duplicateKey(key: string): void {
    this.next.duplicateKey(key)
  }
  scalar(value: number | boolean | null, raw: string): void {
    this.next.scalar(value, raw)
  }
  close(): void {
    this.next.close()
  }
  text(piece: string): void {
    this.next.text(piece)
  }
  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void {
    this.next.repair(code, repairClass, offset)
  }
  error(code: JsonErrorCode, offset: number): void {
    this.end()
    this.next.error(code, offset)
  }
}
