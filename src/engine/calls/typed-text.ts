/**
 * Untyped text of the wire as the tool's schema wants it, with what models do to it.
 *
 *     <arg_value>[\\"a\\"]</arg_value>                                           a list that is escaped once more
 *     <parameter=tags>a</parameter><parameter=tags>b</parameter>                a list, one parameter per item
 */

import type { JsonValue, RepairClass } from '../../base/event.ts'
import { parseWritten, writeJson } from '../../values/numbers/written.ts'
import { type CoercedText, coerceText, readUntyped, type Untyped } from '../../values/schema/coerce-text.ts'
import { itemSchema, type JsonSchema } from '../../values/schema/json-schema.ts'
import { ARRAY, kindsOf, OBJECT, STRING, UNKNOWN } from '../../values/schema/kinds.ts'
import { readRelaxed } from './values.ts'

export interface TypedText {
  readonly schema: JsonSchema | undefined
  /** The schema that references point into. */
  readonly root: JsonSchema | undefined
  /** How text without a schema is read. */
  readonly untyped: Untyped
}

export function readTyped(text: string, { schema, root, untyped }: TypedText): CoercedText {
  if (schema === undefined) return readUntyped(text, untyped)
  return coerceText(text, schema, { root, untyped, relaxed: readRelaxed })
}

/** Can the value be a list, and no string? */
export function wantsList({ schema, root }: TypedText): boolean {
  const kinds = schema === undefined ? UNKNOWN : kindsOf(schema, root)
  return kinds !== UNKNOWN && (kinds & ARRAY) !== 0 && (kinds & STRING) === 0
}

/** Each text as an item of the list that the schema wants. */
export function readItems(texts: readonly string[], typed: TypedText): JsonValue {
  const items = texts.map((text, index) => {
    const schema = typed.schema === undefined ? undefined : itemSchema(typed.schema, index, typed.root)
    const { value, json } = readTyped(text, { ...typed, schema })
    return json ?? writeJson(value)
  })
  return parseWritten(`[${items.join()}]`) as JsonValue
}

/** A list or an object that was escaped once more than it should be; undefined if it is none. */
export function readEscaped(
  text: string,
  typed: TypedText,
): { readonly value: JsonValue; readonly class: RepairClass } | undefined {
  const { schema, root } = typed
  const kinds = schema === undefined ? UNKNOWN : kindsOf(schema, root)
  if (kinds === UNKNOWN || (kinds & STRING) !== 0 || (kinds & (ARRAY | OBJECT)) === 0) return undefined
  const trimmed = text.trim()
  const isQuoted = trimmed.startsWith('"')
  if (!isQuoted && !trimmed.includes('\\"')) return undefined
  const { value: inner } = readUntyped(isQuoted ? trimmed : `"${trimmed}"`, 'json')
  if (typeof inner !== 'string' || inner === trimmed) return undefined
  const { value } = coerceText(inner, schema!, { root })
  if (typeof value !== 'object' || value === null) return undefined
  // With its quotes it is a string that holds JSON, and nothing else.
  return { value, class: isQuoted ? 'lossless' : 'guess' }
}
