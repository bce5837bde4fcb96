/**
 * The short way through a string that is written in another notation than JSON.
 *
 *     Paris, |so it |says\n|in it|        most text is the same in JSON, and passes as if it were that
 */

import type { JsonArguments } from '../calls/json-arguments.ts'
import { escaped } from '../calls/values.ts'
import { isPlain, type Run, type Stops, stopsAt } from '../run.ts'
import type { Flow } from './flow.ts'

/** What a backslash is in a string: the beginning of an escape, a character like others, or neither of them. */
export type Backslash = 'escapes' | 'is-text' | 'is-odd'

/** Escapes that mean the same in other languages and in JSON, and what needs none. */
const SHARED_ESCAPES = /^(?:[ !#-[\]-\ud7ff]|\\["\\bfnrt])*$/

export class PlainStringFlow implements Flow {
  readonly held = ''
  private readonly json: JsonArguments
  private readonly quote: string
  private readonly stops: Stops
  private readonly backslash: Backslash
  /** By how much the JSON text is longer than what was read. */
  private added = 0

  constructor(json: JsonArguments, quote: string, stops: Stops, backslash: Backslash) {
    this.json = json
    this.quote = quote
    this.stops = stops
    this.backslash = backslash
  }

  take(chunk: string): boolean {
    const text = isPlain(chunk, this.stops) ? chunk : this.asJson(chunk)
    if (text === null || !this.json.take(text)) return false
    this.added += text.length - chunk.length
    return true
  }

  /** The same text in JSON; null if the string may end in it, or it takes a closer look. */
  private asJson(chunk: string): string | null {
    if (this.backslash === 'is-text') return mayHold(chunk, this.quote) ? null : escaped(chunk)
    if (this.backslash === 'is-odd' || !SHARED_ESCAPES.test(chunk)) return null
    return this.quote[0] === '"' || !chunk.includes(this.quote[0]!) ? chunk : null
  }

  hold(): void {}

  begin(run: Run): boolean {
    return this.json.begin(run, this.stops)
  }

  get keeps(): boolean {
    return this.json.keeps
  }

  passed(count: number, said: number, text: string): void {
    const { added } = this
    this.added = 0
    this.json.passed(count + added, said + added, this.backslash === 'is-text' ? escaped(text) : text, false)
  }
}

/** Whether a quote, or the beginning of one, may be in a text. */
function mayHold(text: string, quote: string): boolean {
  for (let at = text.indexOf(quote[0]!); at !== -1; at = text.indexOf(quote[0]!, at + 1))
    if (at === text.length - 1 || quote.length === 1 || text[at + 1] === quote[1]) return true
  return false
}

const stopsByQuote = new Map<string, Stops | null>()

/** What closes the string, and what JSON writes in another way: quotes, control characters, lone surrogates. */
export function stopsInside(quote: string): Stops | null {
  let stops = stopsByQuote.get(quote)
  if (stops === undefined) {
    stops = stopsAt([quote.charCodeAt(0), 34, 92], { low: 32, high: 0xd7ff })
    stopsByQuote.set(quote, stops)
  }
  return stops
}
