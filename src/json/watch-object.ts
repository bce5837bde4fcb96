/** Structured output while it is written: a typed object that grows, and in the end a verdict on it. */

import { SluiceError } from '../errors.ts'
import type { JsonValue } from '../event.ts'
import { keysOf, type Path } from '../path.ts'
import {
  type InferOutput,
  isStandardSchema,
  type StandardIssue,
  type StandardSchemaV1,
} from '../schema/standard.ts'
import { openSource, readText, type SourceReader } from '../source.ts'
import type { JsonEvent, JsonFailure, JsonRepair, JsonVerdict } from './events.ts'
import { createJsonParser, type JsonParser, type JsonParserOptions } from './parser.ts'

export type WatchSource = string | AsyncIterable<string | Uint8Array> | WatchStream

/** As much of a `ReadableStream` as is used. The global type is not there without the DOM's library. */
export interface WatchStream {
  getReader(): WatchReader
}
interface WatchReader {
  read(): Promise<{ done: boolean; value?: string | Uint8Array | undefined }>
  cancel(reason?: unknown): Promise<unknown>
  releaseLock(): void
}

/** A value that is still being written: anything may be missing, and a string may be cut off. */
export type Growing<T> = T extends readonly (infer Element)[]
  ? Growing<Element>[]
  : T extends object
    ? { [Key in keyof T]?: Growing<T[Key]> }
    : T

export interface Snapshot<T> {
  /** What there is so far: the same object every time, growing. Copy it to keep it. */
  readonly value: Growing<T> | undefined
  /** What became complete since the snapshot before this one, and will not change. */
  readonly completed: readonly Path[]
  /** Whether the value at this JSON pointer is there and will not change. */
  isComplete(pointer: string): boolean
}

/** How it ended. `ok` means: the JSON was complete (repaired, perhaps) and the schema accepts it. */
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
      readonly error?: JsonFailure
    }

export interface Watched<T> extends AsyncIterable<Snapshot<T>> {
  /**
   * The verdict. Asking for it without a loop reads the source to its end; after a loop that was left early it
   * is about what had come until then.
   */
  readonly result: Promise<WatchResult<T>>
}

export type WatchOptions = Omit<JsonParserOptions, 'onEvent'>

/**
 *     const watched = watchObject(stream, recipeSchema)
 *     for await (const { value } of watched) render(value?.title)
 *     const result = await watched.result
 *
 * One snapshot for each chunk that told something new. Leaving the loop cancels the source.
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
  return new ObjectWatch(openSource(source), schema, options)
}

class ObjectWatch implements Watched<unknown> {
  private readonly source: SourceReader
  private readonly schema: StandardSchemaV1 | undefined
  private readonly parser: JsonParser
  private taken = false
  /** Open containers and the open string, outermost first: the one at index `n` has a path of `n` keys. */
  private readonly open: Path[] = []
  private completed: Path[] = []
  private hasNews = false
  private error: JsonFailure | undefined
  private repairs: readonly JsonRepair[] = []

  private readonly promise: Promise<WatchResult<unknown>>
  private resolve!: (result: Promise<WatchResult<unknown>>) => void
  private reject!: (reason: unknown) => void

  constructor(source: SourceReader, schema: StandardSchemaV1 | undefined, options: WatchOptions) {
    this.source = source
    this.schema = schema
    this.parser = createJsonParser({ ...options, onEvent: (event) => this.note(event) })
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

  async *[Symbol.asyncIterator](): AsyncGenerator<Snapshot<unknown>, void, undefined> {
    if (this.taken)
      throw new SluiceError('invalid-source', 'A source can be watched once. Keep the snapshots.')
    this.taken = true
    try {
      for await (const chunk of readText(this.source)) {
        this.parser.push(chunk)
        if (this.hasNews) yield this.snapshot()
        if (this.parser.status === 'invalid') break
      }
      this.parser.end()
      if (this.completed.length > 0) yield this.snapshot()
    } catch (reason) {
      this.reject(reason)
      throw reason
    } finally {
      this.parser.end()
      this.resolve(this.conclude())
    }
  }

  private note(event: JsonEvent): void {
    if (event.type === 'open') this.open.push(event.path)
    else if (event.type === 'error') this.error = event
    else if (event.type === 'end') this.repairs = event.repairs
    else if (event.type === 'value') {
      if (this.open[this.open.length - 1] === event.path) this.open.pop()
      this.completed.push(event.path)
    }
    if (event.type === 'open' || event.type === 'delta' || event.type === 'value') this.hasNews = true
  }

  private snapshot(): Snapshot<unknown> {
    const { completed } = this
    this.completed = []
    this.hasNews = false
    return {
      value: this.parser.value as Growing<unknown>,
      completed,
      isComplete: (pointer) => this.isComplete(pointer),
    }
  }

  private isComplete(pointer: string): boolean {
    const keys = keysOf(pointer)
    let value = this.parser.value
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
      value = (value as Record<string, JsonValue>)[key]
    }
    return value !== undefined && this.open[keys.length]?.pointer !== pointer
  }

  private async conclude(): Promise<WatchResult<unknown>> {
    const { repairs } = this
    const { value, status } = this.parser
    const verdict = status as JsonVerdict
    if (verdict !== 'complete' && verdict !== 'repaired') {
      const error = this.error === undefined ? {} : { error: this.error }
      return { ok: false, value, status: verdict, repairs, issues: [], ...error }
    }
    if (this.schema === undefined) return { ok: true, value, status: verdict, repairs }
    const checked = await this.schema['~standard'].validate(value)
    if (checked.issues !== undefined) {
      return { ok: false, value, status: verdict, repairs, issues: checked.issues }
    }
    return { ok: true, value: checked.value, status: verdict, repairs }
  }
}
