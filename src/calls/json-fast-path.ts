/**
 * The fast path through a string inside arguments that are JSON.
 *
 *     {"path": "src/|main|.rs\\n|fn m|
 */

import type { JsonBuilder } from '../json/builder.ts'
import type { JsonScanner } from '../json/scanner.ts'
import type { Call } from './call.ts'

/** Takes a chunk that is nothing but more of the string; false: nothing was done. */
export type JsonFastPath = (chunk: string) => boolean

export function jsonFastPath(scanner: JsonScanner, writer: JsonStringWriter): JsonFastPath {
  return (chunk) => {
    const text = scanner.passOn(chunk)
    if (text === null) return false
    if (text.length > 0) writer.write(text, scanner.passed)
    return true
  }
}

/** Writes more of an open string to a call. It stays valid until another part of the arguments is read. */
export class JsonStringWriter {
  private readonly call: Call
  private readonly builder: JsonBuilder | null
  private readonly emit: Call['host']['emit'] | null
  /** Its text as JSON is emitted, or kept. */
  readonly needsText: boolean

  constructor(call: Call, builder: JsonBuilder | null) {
    const { settings, emit } = call.host
    this.call = call
    this.builder = builder
    this.emit = settings.json ? emit : null
    this.needsText = settings.json || (builder === null && settings.input)
  }

  get needsDecoded(): boolean {
    return this.builder !== null
  }

  /** `decoded`: anything where it is not needed. */
  write(text: string, decoded: string): void {
    const { call, emit } = this
    if (this.builder !== null) this.builder.delta(decoded)
    call.keepJson(text)
    if (emit !== null) emit({ type: 'tool-input-delta', id: call.id, delta: text })
  }
}
