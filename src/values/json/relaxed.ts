/** One-shot reading of small, noisy JSON: what a model wrote, with whatever it takes to make sense of it. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import type { JsonEnd, JsonFailure, JsonRepair, JsonVerdict, JsonWarning } from './events.ts'
import { checkJsonOptions, type JsonParserOptions } from './json-options.ts'
import { createJsonParser } from './json-parser.ts'
import { MAY_BE_SUSPICIOUS } from './windows-path.ts'

/** The answer of `safeParseJson`: a value, its verdict, and every repair. */
export interface ParseResult {
  /** The value, or what there was of it; undefined when there was nothing. */
  readonly value: JsonValue | undefined
  readonly status: JsonVerdict
  readonly repairs: readonly JsonRepair[]
  /** Only when there are any. */
  readonly warnings?: readonly JsonWarning[]
  /** Only when the text is `invalid`. */
  readonly error?: JsonFailure
}

/** Options of `parseJson` and `safeParseJson`. */
export type ParseOptions = Omit<JsonParserOptions, 'onEvent'>

/**
 * Reads a whole text and says what it took. No text makes it throw.
 *
 *     safeParseJson("{path: 'a.rs',}")   // { value: { path: 'a.rs' }, status: 'repaired', repairs: […] }
 */
export function safeParseJson(text: string, options: ParseOptions = {}): ParseResult {
  checkJsonOptions(options)
  if (typeof text !== 'string')
    throw new SluiceError('invalid-source', `JSON is read from text, not from ${typeof text}.`)
  const value = asItIs(text, options)
  if (value !== undefined) return { value, status: 'complete', repairs: [] }
  const result = readAll(text, options)
  if (result.status !== 'invalid' || options.mode === 'strict' || options.stringClose !== undefined)
    return result
  // The whole text is here, so there is no hurry to close strings: perhaps a quote inside one was the trouble.
  const withLookahead = readAll(text, { ...options, stringClose: 'delimiter' })
  return withLookahead.status === 'repaired' ? withLookahead : result
}

/**
 * The value of a text, or a `SluiceError` with the code `invalid-json` when it is broken or cut off.
 *
 *     parseJson('{"a": True}')   // { a: true }
 */
export function parseJson(text: string, options: ParseOptions = {}): JsonValue {
  const { value, status, error } = safeParseJson(text, options)
  if (value !== undefined && (status === 'complete' || status === 'repaired')) return value
  throw new SluiceError('invalid-json', messageOf(status, error))
}

/**
 * The value of a text that is plain JSON, which the platform reads several times as fast as this scanner. Only
 * where nothing else was asked for; a root string may hold a value, and is for the others to look into.
 */
function asItIs(text: string, options: ParseOptions): JsonValue | undefined {
  if (Object.keys(options).some((option) => option !== 'mode')) return undefined
  if (MAY_BE_SUSPICIOUS.test(text)) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'string' ? undefined : value
  } catch {
    return undefined
  }
}

function messageOf(status: JsonVerdict, error: JsonFailure | undefined): string {
  if (error !== undefined) return `Line ${error.line}, column ${error.column}: ${error.message}`
  return status === 'empty' ? 'There is no value in this text.' : 'The text ends before its value does.'
}

function readAll(text: string, options: ParseOptions): ParseResult {
  let error: JsonFailure | undefined
  let end: JsonEnd | undefined
  const warnings: JsonWarning[] = []
  const parser = createJsonParser({
    ...options,
    onEvent(event) {
      if (event.type === 'error') error = event
      else if (event.type === 'warning') warnings.push(event)
      else if (event.type === 'end') end = event
    },
  })
  parser.push(text)
  parser.end()
  const { value, status, repairs } = end as JsonEnd
  return {
    value,
    status,
    repairs,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(error === undefined ? {} : { error }),
  }
}
