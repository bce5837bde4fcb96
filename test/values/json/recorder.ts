/** Helpers of these tests: a handler that writes down what it is told, and ways to cut a text into chunks. */

import type { JsonHandler } from '../../../src/values/json/handler.ts'
import { createScanner, type JsonScanner, type ScannerOptions } from '../../../src/values/json/scanner.ts'

export type Told = readonly [name: string, ...details: unknown[]]

/** Writes down every call, with adjacent deltas merged; the canonical text is kept apart. */
export class Recorder implements JsonHandler {
  readonly told: Told[] = []
  canonical = ''
  deltas: string[] = []
  private readonly closers: string[] = []

  open(container: 'object' | 'array'): void {
    this.closers.push(container === 'object' ? '}' : ']')
    this.told.push([container === 'object' ? '{' : '['])
  }
  openString(): void {
    this.told.push(['"'])
  }
  delta(text: string): void {
    this.deltas.push(text)
    const last = this.told[this.told.length - 1]
    if (last?.[0] === 'delta') this.told[this.told.length - 1] = ['delta', `${last[1]}${text}`]
    else this.told.push(['delta', text])
  }
  closeString(): void {
    this.told.push(['end of string'])
  }
  key(key: string): void {
    this.told.push(['key', key])
  }
  duplicateKey(key: string): void {
    this.told.push(['duplicate', key])
  }
  scalar(value: number | boolean | null, raw: string): void {
    this.told.push(['scalar', Object.is(value, -0) ? '-0' : value, raw])
  }
  close(): void {
    this.told.push([this.closers.pop()!])
  }
  text(piece: string): void {
    if (piece === '') throw new Error('an empty piece of text')
    this.canonical += piece
  }
  repair(code: string, repairClass: string, offset: number): void {
    this.told.push(['repair', code, repairClass, offset])
  }
  error(code: string, offset: number): void {
    this.told.push(['error', code, offset])
  }
}

export interface Scanned {
  readonly told: readonly Told[]
  readonly canonical: string
  readonly completion: string
  readonly status: JsonScanner['status']
  readonly offset: number
}

/** Reads the chunks to the end, copying everything. */
export function scan(chunks: readonly string[], options: ScannerOptions = {}): Scanned {
  const scanner = createScanner(options)
  scanner.startCopy()
  const recorder = new Recorder()
  for (const chunk of chunks) scanner.read(chunk, 0, chunk.length, recorder)
  scanner.end(recorder)
  return {
    told: recorder.told,
    canonical: recorder.canonical,
    completion: scanner.completion(),
    status: scanner.status,
    offset: scanner.offset,
  }
}

/** The text in one piece, one character at a time, and cut in two at every place. */
export function* everySplit(text: string): Generator<string[]> {
  yield [text]
  yield text.split('')
  for (let i = 1; i < text.length; i++) yield [text.slice(0, i), text.slice(i)]
}
