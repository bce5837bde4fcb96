/**
 * The fast paths through a string that is written in another notation than JSON.
 *
 *     Paris, |so it |says\n|in it|        most text is the same in JSON
 */

import { withoutEscapes } from '../../values/json/scan/escapes.ts'
import type { JsonFastPath } from '../calls/json-fast-path.ts'
import { escaped } from '../calls/values.ts'
import type { FastPath, TextScan } from './fast-path.ts'

/** A string without escapes. */
export function unescapedFastPath(json: JsonFastPath, scan: TextScan): FastPath {
  const take = (chunk: string): boolean => {
    const text = scan.take(chunk)
    if (text === null) return false
    if (text !== '') json.write(json.needsText ? escaped(text) : '', text)
    return true
  }
  return { take }
}

/** Text that needs no escapes. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/

/** A string in which a backslash is text, except before a quote. */
export function rawFastPath(json: JsonFastPath, quote: string): FastPath {
  const take = (chunk: string): boolean => {
    if (!PLAIN.test(chunk) || chunk.includes(quote[0]!)) return false
    if (chunk !== '') json.write(chunk, chunk)
    return true
  }
  return { take }
}

/** Text that needs no escapes, with those that mean the same in other languages and in JSON. */
const SHARED_ESCAPES = /[ !#-[\]-\ud7ff]*(?:\\["\\bfnrt][ !#-[\]-\ud7ff]*)*/y

/** A string in which a backslash begins an escape. `state`: a backslash at the end of a chunk waits for the next one. */
export function escapedFastPath(
  json: JsonFastPath,
  state: { place: string; readonly quote: string },
): FastPath {
  const quote = state.quote[0]!
  const take = (chunk: string): boolean => {
    const text = state.place === 'escape' ? `\\${chunk}` : chunk
    SHARED_ESCAPES.lastIndex = 0
    SHARED_ESCAPES.test(text)
    const end = SHARED_ESCAPES.lastIndex
    const isCut = end === text.length - 1 && text[end] === '\\'
    if ((end < text.length && !isCut) || (quote !== '"' && chunk.includes(quote))) return false
    state.place = isCut ? 'escape' : 'string'
    const whole = isCut ? text.slice(0, -1) : text
    if (whole !== '') json.write(whole, json.needsDecoded ? withoutEscapes(whole) : '')
    return true
  }
  return { take }
}
