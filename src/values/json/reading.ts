/** An answer while it is read, and the verdict on it. */

import type { ArgumentKind, JsonValue } from '../../base/event.ts'
import { excerpt } from '../../base/options.ts'
import { Path, pointer } from '../../base/path.ts'
import type { Change } from '../schema/coerce-value.ts'
import type { StandardIssue, StandardResult, StandardSchemaV1 } from '../schema/standard.ts'
import type { JsonBuilder } from './builder.ts'
import { type DocumentListener, JsonDocument } from './document.ts'
import type { JsonFailure, JsonRepair, JsonVerdict } from './events.ts'
import type { JsonErrorCode } from './handler.ts'
import { startOfLast } from './last-value.ts'
import { type ObjectOptions, parserOptions } from './reading-options.ts'

/**
 * How it ended. `ok` means: the JSON was complete (repaired, perhaps) and the schema accepts it. Words and fences around
 * it are repairs: `leading-content`, `fence`, `trailing-content`.
 */
export type WatchResult<T> =
  | {
      readonly ok: true
      readonly value: T
      readonly status: 'complete' | 'repaired'
      readonly repairs: readonly JsonRepair[]
      /** What had another type or another name than the schema wants, and was converted. */
      readonly changes: readonly Change[]
    }
  | {
      readonly ok: false
      /** What there was. Its type is not known, because nothing vouches for it. */
      readonly value: JsonValue | undefined
      readonly status: JsonVerdict
      readonly repairs: readonly JsonRepair[]
      readonly changes: readonly Change[]
      /** What the schema objects to; empty when the JSON itself is the trouble. */
      readonly issues: readonly StandardIssue[]
      readonly error: WatchError
    }

/** Why a result is not ok. */
export interface WatchError extends Partial<Pick<JsonFailure, 'offset' | 'line' | 'column' | 'path'>> {
  /**
   * `empty`: there is no JSON in the text. `truncated`: the text ended inside the value, at `path`. `quotation`: a quoted
   * string with words behind it. `schema`: see `issues`. The others are errors in the JSON, with their place.
   */
  readonly code: JsonErrorCode | 'empty' | 'truncated' | 'quotation' | 'schema'
  readonly message: string
  /** For `empty`: the words in place of the JSON, such as a refusal. About 1,000 characters at most. */
  readonly text?: string
}

/** What reads the text of an answer. */
export interface Reading {
  /** The JSON as it was written. */
  readonly document: JsonDocument
  /** What is shown of it. */
  readonly shown: JsonBuilder
  readonly progress: Progress
  /** Whether more text changes nothing. */
  readonly isOver: boolean
  /** The value that the schema is asked about. */
  readonly value: JsonValue | undefined
  readonly changes: readonly Change[]
  /** What cannot be accepted, whatever the schema says. */
  readonly issues: readonly StandardIssue[]
  /** Passes over text that is not the answer. */
  skip(text: string): void
  push(text: string): void
  end(): void
}

/** Shows what was written, as it was written. */
export class PlainReading implements Reading {
  readonly document: JsonDocument
  readonly progress = new Progress()
  readonly changes: readonly Change[] = []
  readonly issues: readonly StandardIssue[] = []

  constructor(options: ObjectOptions) {
    this.document = new JsonDocument(parserOptions(options), this.progress, true)
  }

  get shown(): JsonBuilder {
    return this.document.builder
  }

  get isOver(): boolean {
    return this.document.status === 'invalid'
  }

  get value(): JsonValue | undefined {
    return this.document.value
  }

  skip(text: string): void {
    this.document.passWords(text)
  }

  push(text: string): void {
    this.document.push(text)
  }

  end(): void {
    this.document.end()
  }
}

const NO_PATHS: readonly Path[] = Object.freeze([])

/** What became known since the last snapshot. */
export class Progress implements DocumentListener {
  completed: Path[] = []
  hasNews = false

  start(_path: Path, kind: ArgumentKind): void {
    if (kind !== 'scalar') this.hasNews = true
  }

  delta(): void {
    this.hasNews = true
  }

  end(path: Path): void {
    this.completed.push(path)
    this.hasNews = true
  }

  /** What became complete since the last call. */
  take(): readonly Path[] {
    const { completed } = this
    this.hasNews = false
    if (completed.length === 0) return NO_PATHS
    this.completed = []
    return completed
  }
}

// ── the verdict ──────────────────────────────────────────────────────────────────────────────────

/** Reads a whole text: its first value, or the last. */
export function readWhole(
  reading: Reading,
  text: string,
  { severalValues, ...options }: ObjectOptions,
): void {
  const start = severalValues === 'last' ? startOfLast(text, parserOptions(options)) : 0
  if (start > 0) reading.skip(text.slice(0, start))
  reading.push(text.slice(start))
}

/** The verdict on what was read: a promise only where the schema's library gives one. */
export function conclude(
  reading: Reading,
  schema: StandardSchemaV1 | undefined,
): WatchResult<unknown> | Promise<WatchResult<unknown>> {
  const { document, changes, issues } = reading
  const { value, repairs } = document
  const error = errorOf(document)
  const status = error?.code === 'quotation' ? 'invalid' : (document.status as JsonVerdict)
  if (error !== undefined) return { ok: false, value, status, repairs, changes, issues: [], error }
  if (issues.length > 0) return judged(reading, { issues })
  if (schema === undefined) return judged(reading, { value: reading.value })
  const checked = schema['~standard'].validate(reading.value)
  return 'then' in checked ? checked.then((late) => judged(reading, late)) : judged(reading, checked)
}

function judged(reading: Reading, checked: StandardResult<unknown>): WatchResult<unknown> {
  const { document, changes } = reading
  const { value, repairs } = document
  const verdict = { status: document.status as 'complete' | 'repaired', repairs, changes }
  if (checked.issues === undefined) return { ok: true, value: checked.value, ...verdict }
  const { issues } = checked
  return { ok: false, value, ...verdict, issues, error: { code: 'schema', message: objection(issues) } }
}

/** What is wrong with the JSON. */
function errorOf(document: JsonDocument): WatchError | undefined {
  const { status, failure, builder, prologue } = document
  if (failure !== undefined) return failure
  if (status === 'truncated') {
    const path = builder.openPath ?? Path.root
    const place = path.depth === 0 ? '' : ` at ${path}`
    return { code: 'truncated', message: `The text ended inside the value${place}.`, path }
  }
  if (status === 'empty') return emptiness(prologue?.skipped.trimEnd() ?? '', prologue?.isThinking === true)
  if (!isQuoted(document.value, document.repairs)) return undefined
  return { code: 'quotation', message: 'The text begins with a quoted string and is not JSON.' }
}

function emptiness(text: string, isThinking: boolean): WatchError {
  if (text !== '')
    return { code: 'empty', message: `There is no JSON in the text: ${excerpt(text, MESSAGE_LENGTH)}`, text }
  const message = isThinking
    ? 'The text ended inside <think>, before any JSON.'
    : 'There is no JSON in the text.'
  return { code: 'empty', message }
}

/** How much of the text is in a message. */
const MESSAGE_LENGTH = 200

/** What the schema objects to first. */
function objection(issues: readonly StandardIssue[]): string {
  const [first] = issues
  if (first === undefined) return 'The schema does not accept the value.'
  const keys = (first.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
  const place = keys.length === 0 ? '' : ` at ${pointer(keys)}`
  const others = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`
  return `The schema does not accept the value${place}: ${first.message}${others}`
}

/** A string with words behind it is a quotation, and not the value that was asked for. */
function isQuoted(value: JsonValue | undefined, repairs: readonly JsonRepair[]): boolean {
  return typeof value === 'string' && repairs.some(({ code }) => code === 'trailing-content')
}

/** Whether there is a value at these keys that is not on the way to what is open. */
export function isThere(root: JsonValue | undefined, keys: readonly string[], open: Path | null): boolean {
  let value = root
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, JsonValue>)[key]
  }
  if (value === undefined || open === null) return value !== undefined
  const openKeys = open.keys
  return keys.length > openKeys.length || keys.some((key, index) => key !== String(openKeys[index]))
}
