/** Structured output while it is written: a typed object that grows, and in the end a verdict on it. */

import { SluiceError } from '../../base/errors.ts'
import type { ArgumentKind, JsonValue, SluiceEvent } from '../../base/event.ts'
import { checkOptions, excerpt, type KnownOptions } from '../../base/options.ts'
import { keysOf, Path, pointer } from '../../base/path.ts'
import { responseRefusal, TextStart } from '../../base/provider-stream.ts'
import {
  ChunkDecoder,
  openSource,
  type Source,
  type SourceReader,
  withoutByteOrderMark,
} from '../../base/source.ts'
import {
  type InferOutput,
  isStandardSchema,
  type StandardIssue,
  type StandardSchemaV1,
} from '../schema/standard.ts'
import { type DocumentListener, JsonDocument } from './document.ts'
import type { JsonFailure, JsonRepair, JsonVerdict } from './events.ts'
import type { JsonErrorCode } from './handler.ts'
import { JSON_OPTIONS, type JsonParserOptions } from './json-options.ts'

type Watchable = Source | AsyncIterable<SluiceEvent> | Iterable<SluiceEvent> | ReadableStream<SluiceEvent>

/** Text or bytes, as `sluice()` takes them, or events, whose visible text is read; or a promise of them. */
export type WatchSource = Watchable | PromiseLike<Watchable>

/** A value that is still being written: anything may be missing, and a string may be cut off. */
export type Growing<T> = T extends readonly (infer Element)[]
  ? readonly Growing<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Growing<T[Key]> }
    : T

/** What is known at one moment. It never changes, except for the `value` of `inPlace`. */
export interface Snapshot<T> {
  /** What there is so far. Everything in it that did not grow is the same object as in the snapshot before. */
  readonly value: Growing<T> | undefined
  /** What became complete since the snapshot before this one, and will not change. */
  readonly completed: readonly Path[]
  /** Whether the value at this JSON pointer is there and will not change. */
  isComplete(pointer: string): boolean
}

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
    }
  | {
      readonly ok: false
      /** What there was. Its type is not known, because nothing vouches for it. */
      readonly value: JsonValue | undefined
      readonly status: JsonVerdict
      readonly repairs: readonly JsonRepair[]
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

/** An object that grows: iterate over its snapshots, then await the verdict. */
export interface Watched<T> extends AsyncIterable<Snapshot<T>> {
  /**
   * The verdict. Asking for it without a loop reads the source to its end; after a loop that was left early it
   * is about what had come until then.
   */
  readonly result: Promise<WatchResult<T>>
}

/** Options of `watchObject`. */
export interface WatchOptions extends Omit<JsonParserOptions, 'onEvent'> {
  /**
   * Every snapshot has the same `value`, which grows in place, and `isComplete` always describes its current state. Nothing is
   * copied, so a long list costs no more per snapshot than a short one. Default false.
   */
  inPlace?: boolean
}

const WATCH_OPTIONS: KnownOptions<WatchOptions> = { ...JSON_OPTIONS, inPlace: 'boolean' }

/**
 *     const watched = watchObject(fetch(url), recipeSchema)
 *     for await (const { value } of watched) render(value?.title)
 *     const result = await watched.result
 *
 * One snapshot for each chunk that changes the value. Leaving the loop cancels the source. A source that fails, a
 * `Response` that is not ok and an `error` event make the loop throw, and `result` reject.
 */
export function watchObject<Schema extends StandardSchemaV1>(
  source: WatchSource,
  schema: Schema,
  options?: WatchOptions,
): Watched<InferOutput<Schema>>
export function watchObject<T = JsonValue>(
  source: WatchSource,
  schema?: undefined,
  options?: WatchOptions,
): Watched<T>
export function watchObject(
  source: WatchSource,
  schema?: StandardSchemaV1,
  options: WatchOptions = {},
): Watched<unknown> {
  if (schema !== undefined && !isStandardSchema(schema)) {
    throw new SluiceError('invalid-schema', 'watchObject takes a Standard Schema (Zod, Valibot, ArkType, …).')
  }
  return new ObjectWatch(openSource(source, responseRefusal), schema, options)
}

class ObjectWatch implements Watched<unknown> {
  private readonly source: SourceReader
  private readonly schema: StandardSchemaV1 | undefined
  private readonly isInPlace: boolean
  private readonly progress = new Progress()
  private readonly document: JsonDocument
  private readonly intake = new Intake()
  private isAtStart = true
  private isOver = false
  private isConcluded = false
  private taken = false

  private readonly promise: Promise<WatchResult<unknown>>
  private resolve!: (result: Promise<WatchResult<unknown>>) => void
  private reject!: (reason: unknown) => void

  constructor(source: SourceReader, schema: StandardSchemaV1 | undefined, options: WatchOptions) {
    checkOptions(options, WATCH_OPTIONS)
    const { inPlace = false, ...reading } = options
    this.source = source
    this.schema = schema
    this.isInPlace = inPlace
    this.document = new JsonDocument(reading, this.progress, true)
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // A loop throws the failure itself, and need not ask for the result as well.
    this.promise.catch(() => {})
  }

  get result(): Promise<WatchResult<unknown>> {
    if (!this.taken) this.readAlone().catch(() => {})
    return this.promise
  }

  private async readAlone(): Promise<void> {
    for await (const _ of this);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Snapshot<unknown>, void, undefined> {
    const isFirst = !this.taken
    this.taken = true
    // Not a generator: that would cost two more turns of the microtask queue for each chunk.
    const snapshots: AsyncIterableIterator<Snapshot<unknown>, void, undefined> = {
      next: () => (isFirst ? this.next() : Promise.reject(watchedTwice())),
      return: () => this.leave(),
      [Symbol.asyncIterator]: () => snapshots,
    }
    return snapshots
  }

  private async next(): Promise<IteratorResult<Snapshot<unknown>, void>> {
    const { document, progress, source } = this
    try {
      while (!this.isOver) {
        const step = await source.next()
        this.isOver = step.done === true
        this.read(this.isOver ? this.intake.end() : this.intake.textOf(step.value))
        if (document.status === 'invalid') this.isOver = true
        if (this.isOver) await this.finish()
        if (progress.hasNews) return { done: false, value: this.snapshot() }
      }
      return this.leave()
    } catch (reason) {
      this.isOver = true
      this.reject(reason)
      await this.finish()
      throw reason
    }
  }

  private read(text: string): void {
    if (text === '') return
    this.document.push(this.isAtStart ? withoutByteOrderMark(text) : text)
    this.isAtStart = false
  }

  /** No more snapshots are wanted, or there are none. */
  private async leave(): Promise<IteratorReturnResult<void>> {
    this.isOver = true
    await this.finish()
    if (!this.isConcluded) this.resolve(this.conclude())
    this.isConcluded = true
    return { done: true, value: undefined }
  }

  private async finish(): Promise<void> {
    await this.source.cancel()
    this.document.end()
  }

  private snapshot(): Snapshot<unknown> {
    const { document, progress, isInPlace } = this
    const completed = progress.take()
    // `isComplete` is a function that may be taken out of the snapshot.
    if (isInPlace)
      return {
        value: document.value as Growing<unknown>,
        completed,
        isComplete: (pointer) => isThere(document.value, keysOf(pointer), document.builder.openPath),
      }
    const value = document.snapshot()
    const open = document.builder.openPath
    return {
      value: value as Growing<unknown>,
      completed,
      isComplete: (pointer) => isThere(value, keysOf(pointer), open),
    }
  }

  private async conclude(): Promise<WatchResult<unknown>> {
    const { value, repairs } = this.document
    const error = errorOf(this.document)
    const status = error?.code === 'quotation' ? 'invalid' : (this.document.status as JsonVerdict)
    if (error !== undefined) return { ok: false, value, status, repairs, issues: [], error }
    const verdict = { status: status as 'complete' | 'repaired', repairs }
    if (this.schema === undefined) return { ok: true, value, ...verdict }
    const checked = await this.schema['~standard'].validate(value)
    if (checked.issues === undefined) return { ok: true, value: checked.value, ...verdict }
    const { issues } = checked
    return { ok: false, value, ...verdict, issues, error: { code: 'schema', message: objection(issues) } }
  }
}

function watchedTwice(): SluiceError {
  return new SluiceError('invalid-source', 'A source can be watched once. Keep the snapshots.')
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
function isThere(root: JsonValue | undefined, keys: readonly string[], open: Path | null): boolean {
  let value = root
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, JsonValue>)[key]
  }
  if (value === undefined || open === null) return value !== undefined
  const openKeys = open.keys
  return keys.length > openKeys.length || keys.some((key, index) => key !== String(openKeys[index]))
}

// ── sources ──────────────────────────────────────────────────────────────────────────────────────

/** The visible text of chunks and events. */
class Intake {
  private readonly decoder = new ChunkDecoder()
  private readonly start = new TextStart()

  textOf(chunk: unknown): string {
    if (typeof chunk === 'string') return this.decoder.text(chunk)
    if (!isEvent(chunk)) return this.checked(this.decoder.text(chunk))
    if (chunk.type === 'text-delta') return this.decoder.text(chunk.delta)
    if (chunk.type !== 'error') return ''
    const { message, ...fields } = chunk.error
    throw Object.assign(new Error(message), fields)
  }

  end(): string {
    return this.decoder.end()
  }

  /** The stream of an API is not the text in it, although there is JSON in both. Only a network gives bytes. */
  private checked(text: string): string {
    this.start.accept(text)
    if (this.start.refusal !== undefined) throw this.start.refusal
    return text
  }
}

/** The types of events, so that what the client of an API gives is not taken for one. */
const EVENTS: { readonly [Type in SluiceEvent['type']]: true } = {
  'text-start': true,
  'text-delta': true,
  'text-end': true,
  'reasoning-start': true,
  'reasoning-delta': true,
  'reasoning-end': true,
  'tool-input-start': true,
  'tool-input-delta': true,
  'tool-input-end': true,
  'argument-start': true,
  'argument-delta': true,
  'argument-end': true,
  'tool-source-delta': true,
  'tool-call': true,
  'tool-result-start': true,
  'tool-result-delta': true,
  'tool-result-end': true,
  custom: true,
  diagnostic: true,
  finish: true,
  error: true,
}

function isEvent(chunk: unknown): chunk is SluiceEvent {
  if (typeof chunk !== 'object' || chunk === null || !('type' in chunk)) return false
  return typeof chunk.type === 'string' && Object.hasOwn(EVENTS, chunk.type)
}

const NONE: readonly Path[] = Object.freeze([])

/** What became known since the last snapshot. */
class Progress implements DocumentListener {
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
    if (completed.length === 0) return NONE
    this.completed = []
    return completed
  }
}
