/**
 * The fast path through a string inside arguments that are JSON.
 *
 *     {"path": "src/|main|.rs\\n|fn m|
 */

import type { JsonBuilder } from '../../values/json/builder.ts'
import type { JsonScanner } from '../../values/json/scanner.ts'
import type { Call, CallSink } from './call.ts'

export class JsonFastPath {
  private readonly scanner: JsonScanner
  private readonly call: Call
  private readonly builder: JsonBuilder | null
  private readonly emit: CallSink | null

  constructor(scanner: JsonScanner, call: Call, builder: JsonBuilder | null) {
    const { settings, emit } = call.host
    this.scanner = scanner
    this.call = call
    this.builder = builder
    this.emit = settings.json ? emit : null
  }

  /** Takes a chunk that is nothing but more of the string; false: nothing was done. */
  take(chunk: string): boolean {
    const text = this.scanner.passOn(chunk)
    if (text === null) return false
    if (text.length > 0) this.write(text, this.scanner.passed)
    return true
  }

  /** The text of the string as JSON is emitted, or kept. */
  get needsText(): boolean {
    return this.emit !== null || this.call.host.settings.input
  }

  get needsDecoded(): boolean {
    return this.builder !== null
  }

  /** Writes more of the string, which the scanner need not see. Of `text` and `decoded` only what is needed counts. */
  write(text: string, decoded: string): void {
    const { call, emit } = this
    if (this.builder !== null) this.builder.delta(decoded)
    call.keepJson(text)
    if (emit !== null) emit({ type: 'tool-input-delta', id: call.id, delta: text })
  }
}
