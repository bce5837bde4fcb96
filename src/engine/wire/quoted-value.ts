/**
 * Quotes that hold a value of any type. One engine writes JSON between them, the format's own template only strings.
 *
 *     days:<escape>3<escape>        a number if the schema wants one; a string or a number if it does not say
 */

import type { RepairClass } from '../../base/event.ts'
import { kindOfValue, STRING } from '../../values/schema/kinds.ts'

export interface QuotedValue {
  /** Of what is not the string that it looks like. */
  readonly class?: RepairClass
  /** The value as JSON text; undefined: the string. */
  readonly json?: string
}

/** What stands between the quotes where a schema accepts these kinds of value. */
export function readQuoted(text: string, kinds: number): QuotedValue {
  const isOther = (kinds & kindIn(text)) !== 0
  if (!isOther) return {}
  return (kinds & STRING) === 0 ? { class: 'lossless', json: text.trim() } : { class: 'guess' }
}

/** The kind of the JSON in a text; 0 if it is a string, or none. */
function kindIn(text: string): number {
  try {
    return kindOfValue(JSON.parse(text)) & ~STRING
  } catch {
    return 0
  }
}

const LITERALS = ['true', 'false', 'null']
const NUMBER_SO_FAR = /^[-+.eE\d]*$/

/** Whether a text may still become JSON of another type than a string. No number has more than `most` characters. */
export function mayBecomeOther(text: string, most: number): boolean {
  const start = text.search(/\S/)
  if (text[start] === '{' || text[start] === '[') return true
  const word = text.trim()
  return (
    text.length <= most && (NUMBER_SO_FAR.test(word) || LITERALS.some((literal) => literal.startsWith(word)))
  )
}
