/**
 * The fast path through a string that is written in another notation than JSON.
 *
 *     Paris, |so it |says\n|in it|        most text is the same in JSON
 */

import type { JsonFastPath } from '../calls/json-fast-path.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import { escaped } from '../calls/values.ts'
import type { FastPath } from './fast-path.ts'

/** What a backslash is in a string: the beginning of an escape, a character like others, or neither of them. */
export type Backslash = 'escapes' | 'is-text' | 'is-odd'

/** Text that needs no escapes, or only those that mean the same in other languages and in JSON. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/
const SHARED_ESCAPES = /^(?:[ !#-[\]-\ud7ff]|\\["\\bfnrt])*$/

export class StringFastPath implements FastPath {
  private readonly json: JsonFastPath
  private readonly quote: string
  private readonly backslash: Backslash
  private readonly watch: ValueWatch | null

  constructor(json: JsonFastPath, quote: string, backslash: Backslash, watch: ValueWatch | null) {
    this.json = json
    this.quote = quote
    this.backslash = backslash
    this.watch = watch
  }

  take(chunk: string): boolean {
    const text = this.asJson(chunk)
    if (text === null || !this.json.take(text)) return false
    this.watch?.read(chunk)
    return true
  }

  /** The same text in JSON; null if the string may end in it, or it takes a closer look. */
  private asJson(chunk: string): string | null {
    const { quote, backslash } = this
    if (backslash === 'is-text') return mayHold(chunk, quote) ? null : escaped(chunk)
    const pattern = backslash === 'escapes' ? SHARED_ESCAPES : PLAIN
    return pattern.test(chunk) && (quote[0] === '"' || !chunk.includes(quote[0]!)) ? chunk : null
  }
}

/** Whether a quote, or the beginning of one, may be in a text. */
function mayHold(text: string, quote: string): boolean {
  for (let at = text.indexOf(quote[0]!); at !== -1; at = text.indexOf(quote[0]!, at + 1))
    if (at === text.length - 1 || quote.length === 1 || text[at + 1] === quote[1]) return true
  return false
}
