/** Structured output while it is written: a typed object that grows, and in the end a verdict on it. */

import { SluiceError } from '../errors.ts'
import type { ArgumentKind, JsonValue } from '../event.ts'
import { keysOf, type Path } from '../path.ts'
import {
  type InferOutput,
  isStandardSchema,
  type StandardIssue,
  type StandardSchemaV1,
} from '../schema/standard.ts'
import { openSource, readText, type SourceReader } from '../source.ts'
import { type DocumentListener, JsonDocument } from './document.ts'
import type { JsonFailure, JsonRepair, JsonVerdict } from './events.ts'
import type { JsonParserOptions } from './options.ts'

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
  private readonly progress = new Progress()
  private readonly document: JsonDocument
  private taken = false

  private readonly promise: Promise<WatchResult<unknown>>
  private resolve!: (result: Promise<WatchResult<unknown>>) => void
  private reject!: (reason: unknown) => void

  constructor(source: SourceReader, schema: StandardSchemaV1 | undefined, options: WatchOptions) {
    this.source = source
    this.schema = schema
    this.document = new JsonDocument(options, this.progress)
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
    const { document, progress } = this
    try {
      for await (const chunk of readText(this.source)) {
        document.push(chunk)
        if (progress.hasNews) yield this.snapshot()
        if (document.status === 'invalid') break
      }
      document.end()
      if (progress.completed.length > 0) yield this.snapshot()
    } catch (reason) {
      this.reject(reason)
      throw reason
    } finally {
      document.end()
      this.resolve(this.conclude())
    }
  }

  private snapshot(): Snapshot<unknown> {
    return {
      value: this.document.value as Growing<unknown>,
      completed: this.progress.take(),
      isComplete: this.isComplete,
    }
  }

  /** One function for all snapshots, which may be taken out of them. */
  private readonly isComplete = (pointer: string): boolean => {
    const keys = keysOf(pointer)
    let { value } = this.document
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
      value = (value as Record<string, JsonValue>)[key]
    }
    return value !== undefined && this.progress.open[keys.length]?.pointer !== pointer
  }

  private async conclude(): Promise<WatchResult<unknown>> {
    const { value, status, repairs, failure } = this.document
    const verdict = status as JsonVerdict
    if (verdict !== 'complete' && verdict !== 'repaired') {
      const error = failure === undefined ? {} : { error: failure }
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

const NONE: readonly Path[] = Object.freeze([])

/** What a snapshot shows besides the value. */
class Progress implements DocumentListener {
  /** Open containers and the open string, outermost first: the one at index `n` has a path of `n` keys. */
  readonly open: Path[] = []
  completed: Path[] = []
  hasNews = false

  start(path: Path, kind: ArgumentKind): void {
    if (kind === 'scalar') return
    this.open.push(path)
    this.hasNews = true
  }

  delta(): void {
    this.hasNews = true
  }

  end(path: Path): void {
    if (this.open[this.open.length - 1] === path) this.open.pop()
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
