/**
 * The fast path through a string inside arguments that are JSON.
 *
 *     {"path": "src/|main|.rs\\n|fn m|
 */

import type { Sink } from '../event.ts'
import type { JsonBuilder } from '../json/builder.ts'
import { withoutEscapes } from '../json/scan/escapes.ts'
import type { JsonScanner } from '../json/scanner.ts'
import type { Call } from './call.ts'

export class JsonFastPath {
  private readonly scanner: JsonScanner
  private readonly call: Call
  private readonly builder: JsonBuilder | null
  private readonly emit: Sink | null

  constructor(scanner: JsonScanner, call: Call, builder: JsonBuilder | null) {
    const { settings, emit } = call.host
    this.scanner = scanner
    this.call = call
    this.builder = builder
    this.emit = settings.json ? emit : null
  }

  /** Takes a chunk that is nothing but more of the string; false: nothing was done. */
  take(chunk: string): boolean {
    const delta = this.scanner.passOn(chunk)
    if (delta === null) return false
    if (delta.length === 0) return true
    const { call, emit } = this
    if (this.builder !== null) this.builder.delta(withoutEscapes(delta))
    call.keepJson(delta)
    if (emit !== null) emit({ type: 'tool-input-delta', id: call.id, delta })
    return true
  }
}
