/** The notation of a call that is written as in some language, and how arguments are written in it. */

import type { JsonValue } from '../../base/event.ts'
import { argumentsOf } from '../calls/values.ts'

export interface LiteralSyntax {
  readonly open: string
  readonly close: string
  /** The character between a key and its value. */
  readonly separator: string
  /** A token that quotes strings; nothing inside it is escaped. */
  readonly quote?: string
  /** What it quotes is JSON where the schema wants no string, and a guess where it may be either. Default false. */
  readonly quotesJson?: boolean
  /** The marker after the call. A string without a closing quote ends there. */
  readonly end?: string
}

/** The arguments of a call as they stand between its brackets. */
export function renderArguments(input: JsonValue, syntax: LiteralSyntax): string {
  return argumentsOf(input)
    .map(([key, value]) => `${key}${syntax.separator}${renderLiteral(value, syntax)}`)
    .join(syntax.quote === undefined ? ', ' : ',')
}

function renderLiteral(value: JsonValue, syntax: LiteralSyntax): string {
  if (typeof value === 'string')
    return syntax.quote === undefined ? JSON.stringify(value) : `${syntax.quote}${value}${syntax.quote}`
  if (value === null) return syntax.quote === undefined ? 'None' : 'null'
  if (typeof value === 'boolean')
    return syntax.quote === undefined ? (value ? 'True' : 'False') : String(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => renderLiteral(item, syntax)).join(', ')}]`
  const separator = syntax.quote === undefined ? ': ' : ':'
  const entries = Object.entries(value).map(
    ([key, item]) =>
      `${syntax.quote === undefined ? JSON.stringify(key) : key}${separator}${renderLiteral(item, syntax)}`,
  )
  return `{${entries.join(', ')}}`
}
