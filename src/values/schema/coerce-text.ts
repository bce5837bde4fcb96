/** What untyped text from the wire means to a schema: `<parameter=days>2</parameter>` is the number 2. */

import { checkText } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { isHeld, jsonNumber } from '../numbers/exact.ts'
import { stringify } from '../numbers/stringify.ts'
import { hasWrittenNumbers, parseWritten, saysAll } from '../numbers/written.ts'
import { alternatives, isSchemaObject, type JsonSchema } from './json-schema.ts'
import { parseJson } from './json-text.ts'
import {
  ARRAY,
  BOOLEAN,
  constantsOf,
  INTEGER,
  kindOfValue,
  kindsOf,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  UNKNOWN,
} from './kinds.ts'
import { lostNumbersIn } from './lost-numbers.ts'

/** Options of `coerceText`. */
export interface CoerceTextOptions {
  /** The schema that `$ref`s refer into. Default: the schema itself. */
  readonly root?: JsonSchema | undefined
  /** Reads an object or array that is not quite JSON; undefined when it cannot. */
  readonly relaxed?: ((text: string) => JsonValue | undefined) | undefined
  /** How to read text when the schema does not say what it wants. Default `string`. */
  readonly untyped?: Untyped | undefined
}

/** What a text without a schema becomes: a string, or the JSON value that it spells. */
export type Untyped = 'string' | 'json'

/** The answer of `coerceText`. */
export interface CoercedText {
  readonly value: JsonValue
  /** The text was read as something; otherwise `value` is the text itself. */
  readonly coerced: boolean
  /** False for a number, or a list or an object with one, that a JavaScript number would change: `value` is then the text. */
  readonly exact: boolean
  /** What was read, as JSON text, where a JavaScript number cannot say how it was written: `1.0`. */
  readonly json?: string
}

/** What was read, and its JSON text where the value cannot say how a number was written. */
export type ReadText = Pick<CoercedText, 'value' | 'json'>

/** A number that cannot be held is one all the same: its text says which. */
export function asWritten({ value, exact, json }: CoercedText): ReadText {
  if (json === undefined) return { value }
  return { value: exact ? value : (parseWritten(json) as JsonValue), json }
}

/**
 * Reads text the way the schema wants it, or leaves it alone.
 *
 * A schema of exactly strings gets the text verbatim. One that also accepts strings gets something else
 * only where the text is strictly JSON of that kind. Whatever fits nothing stays text.
 *
 *     coerceText('2', { type: 'integer' })              // { value: 2, coerced: true, exact: true }
 *     coerceText('auto', { type: ['integer', 'string'] }) // { value: 'auto', coerced: false, exact: true }
 */
export function coerceText(text: string, schema: JsonSchema, options: CoerceTextOptions = {}): CoercedText {
  checkText(text, 'A value is read from')
  const { root } = options
  return readText(text, kindsOf(schema, root), () => textConstants(alternatives(schema, root)), options)
}

/** The same for a schema of which these kinds, and if need be the texts that it names, are known. */
export function readText(
  text: string,
  kinds: number,
  texts: () => ReadonlySet<string>,
  options: CoerceTextOptions,
): CoercedText {
  if (kinds === STRING) return asText(text)
  if (kinds === UNKNOWN) return readUntyped(text, options.untyped ?? 'string')

  const constants = texts()
  if (constants.has(text)) return asText(text)
  const trimmed = text.trim()
  if (constants.has(trimmed)) return read(trimmed)
  return (kinds & STRING) !== 0
    ? readStrictly(text, trimmed, kinds)
    : readFreely(text, trimmed, kinds, options)
}

/** Reads text that no schema speaks for: `string` keeps it, `json` takes it as JSON where it is JSON. */
export function readUntyped(text: string, untyped: Untyped): CoercedText {
  return untyped === 'string' ? asText(text) : readStrictly(text, text.trim(), UNKNOWN & ~STRING, true)
}

const asText = (text: string): CoercedText => ({ value: text, coerced: false, exact: true })
const read = (value: JsonValue): CoercedText => ({ value, coerced: true, exact: true })

function readContainer(value: JsonValue, text: string): CoercedText {
  // It may be deep.
  const json = stringify(value)
  if (!hasWrittenNumbers(json)) return read(value)
  return lostNumbersIn(value).length === 0
    ? { ...read(value), json }
    : { value: text, coerced: false, exact: false, json }
}

/** Strings are possible, so anything else must be JSON to the letter. */
function readStrictly(text: string, trimmed: string, kinds: number, quoted = false): CoercedText {
  if (!startsJson(trimmed, quoted)) return asText(text)
  const value = parseJson(trimmed)
  if (value === undefined) return asText(text)
  if (typeof value === 'string') return read(value)
  if ((kindOfValue(value) & kinds) === 0) return asText(text)
  const found = typeof value === 'number' ? readNumber(trimmed, kinds, text) : readContainer(value, text)
  // Where text is possible, it loses nothing as text.
  return found.exact ? found : { ...asText(text), exact: false }
}

/** Whether text without a schema can be JSON that begins like this; undefined: it may still turn out not to be. */
export function beginsJson(head: string): boolean | undefined {
  const text = head.trimStart()
  if (text === '') return undefined
  if (!startsJson(text, true)) return false
  if (!'tfn'.includes(text[0]!)) return true
  const word = text.trimEnd()
  const isWord = WORDS.some((one) => one.startsWith(word))
  return isWord ? undefined : false
}

const WORDS = ['true', 'false', 'null']

/** Parsing a long text only to see it fail costs more than a look at its first character. */
function startsJson(trimmed: string, quoted: boolean): boolean {
  const first = trimmed[0]
  if (first === undefined) return false
  if (first === '"') return quoted
  return (first >= '0' && first <= '9') || '{[-tfn'.includes(first)
}

/** Strings are not possible, so what models write for the other kinds is understood too. */
function readFreely(text: string, trimmed: string, kinds: number, options: CoerceTextOptions): CoercedText {
  const first = trimmed[0]
  // No literal is longer than `false`; a long text is never copied just to be compared.
  const word = trimmed.length <= 5 ? trimmed.toLowerCase() : ''
  if ((kinds & NULL) !== 0 && (word === 'null' || word === 'none')) return read(null)
  if ((kinds & BOOLEAN) !== 0) {
    const isOnly = (kinds & ~NULL) === BOOLEAN
    if (word === 'true' || (isOnly && word === '1')) return read(true)
    if (word === 'false' || (isOnly && word === '0')) return read(false)
  }
  if ((kinds & NUMBER) !== 0 && DECIMAL.test(trimmed)) return readNumber(trimmed, kinds, text)
  if ((first === '{' && (kinds & OBJECT) !== 0) || (first === '[' && (kinds & ARRAY) !== 0)) {
    const value = parseJson(trimmed) ?? options.relaxed?.(trimmed)
    if (value !== undefined && (kindOfValue(value) & kinds) !== 0) return readContainer(value, text)
  }
  return asText(text)
}

/** All that `12`, `+1.5`, `.5`, `5.`, `007` and `1e-3` are made of, and `0x1f`, `1_000`, `inf` and `nan` are not. */
const DECIMAL = /^[-+.\de]+$/i

function readNumber(trimmed: string, kinds: number, text: string): CoercedText {
  const value = Number(trimmed)
  if (!Number.isFinite(value)) return asText(text)
  if ((kinds & NUMBER) === INTEGER && !Number.isInteger(value)) return asText(text)
  const json = jsonNumber(trimmed)
  if (!isHeld(json, value)) return { value: text, coerced: false, exact: false, json }
  return { ...read(value + 0), ...(!saysAll(json, value) && { json }) } // -0 has no JSON text of its own
}

/** The texts that `enum` or `const` names in any of these schemas. */
export function textConstants(members: readonly JsonSchema[]): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const member of members)
    if (isSchemaObject(member))
      for (const constant of constantsOf(member) ?? []) if (typeof constant === 'string') texts.add(constant)
  return texts
}
