/**
 * The short way through a string that is written in another notation than JSON.
 *
 *     Paris, |so it |says\n|in it|        most text is the same in JSON, and passes as if it were that
 */

import type { JsonArguments } from '../calls/json-arguments.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import { escaped } from '../calls/values.ts'
import { isPlain, type Run, type Stops, stopsAt, type Treatment } from '../run.ts'
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
  private readonly watch: ValueWatch | null
  /** By how much the JSON text is longer than what was read. */
  private added = 0

  constructor(
    json: JsonArguments,
    quote: string,
    stops: Stops,
    backslash: Backslash,
    watch: ValueWatch | null,
  ) {
    this.json = json
    this.quote = quote
    this.stops = stops
    this.backslash = backslash
    this.watch = watch
  }

  get isSettled(): boolean {
    return this.watch?.isIdle !== false
  }

  take(chunk: string): boolean {
    const text = isPlain(chunk, this.stops) ? chunk : this.asJson(chunk)
    if (text === null || !this.json.take(text)) return false
    this.watch?.read(chunk)
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

/** What JSON writes in another way: quotes, control characters, lone surrogates. */
const UNLIKE_JSON: Treatment = { low: 32, high: 0xd7ff, also: [34, 92] }

const known = new WeakMap<Treatment, Map<string, Stops | null>>()

/** What closes the string, what is written in another way, and where a marker may begin. */
export function stopsInside(quote: string, watch: ValueWatch | null): Stops | null {
  const treatment = watch?.treated(UNLIKE_JSON) ?? UNLIKE_JSON
  const byQuote = known.get(treatment) ?? new Map<string, Stops | null>()
  known.set(treatment, byQuote)
  let stops = byQuote.get(quote)
  if (stops === undefined) {
    stops = stopsAt([quote.charCodeAt(0), ...treatment.also!], treatment)
    byQuote.set(quote, stops)
  }
  return stops
}
