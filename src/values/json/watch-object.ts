/** Structured output while it is written: a typed object that grows, and in the end a verdict on it. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue, SluiceEvent } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { keysOf, type Path } from '../../base/path.ts'
import { responseRefusal, TextStart } from '../../base/provider-stream.ts'
import {
  ChunkDecoder,
  openSource,
  type Source,
  type SourceReader,
  withoutByteOrderMark,
} from '../../base/source.ts'
import {
  type InferInput,
  type InferOutput,
  isStandardSchema,
  type StandardSchemaV1,
} from '../schema/standard.ts'
import type { Growing } from './growing.ts'
import { conclude, isThere, PlainReading, type Reading, readWhole, type WatchResult } from './reading.ts'
import { type Hold, type ObjectOptions, READING_OPTIONS, typesOf } from './reading-options.ts'

type Watchable = Source | AsyncIterable<SluiceEvent> | Iterable<SluiceEvent> | ReadableStream<SluiceEvent>

/** Text or bytes, as `sluice()` takes them, or events, whose visible text is read; or a promise of them. */
export type WatchSource = Watchable | PromiseLike<Watchable>

/** What is known at one moment. It never changes, except for the `value` of `inPlace`. */
export interface Snapshot<T, Held extends string = never> {
  /** What there is so far. Everything in it that did not grow is the same object as in the snapshot before. */
  readonly value: Growing<T, Held> | undefined
  /** What became complete since the snapshot before this one, and will not change. */
  readonly completed: readonly Path[]
  /** Whether the value at this JSON pointer is there and will not change. */
  isComplete(pointer: string): boolean
}

/** An object that grows: iterate over its snapshots, then await the verdict. */
export interface Watched<T, Shown = T, Held extends string = never>
  extends AsyncIterable<Snapshot<Shown, Held>> {
  /**
   * The verdict. Asking for it without a loop reads the source to its end; after a loop that was left early it
   * is about what had come until then.
   */
  readonly result: Promise<WatchResult<T>>
}

/** Options of `watchObject`. */
export interface WatchOptions<Held extends Hold = Hold> extends ObjectOptions<Held> {
  /**
   * Every snapshot has the same `value`, which grows in place, and `isComplete` always describes its current state. Nothing is
   * copied, so a long list costs no more per snapshot than a short one. Default false.
   */
  inPlace?: boolean
}

const WATCH_OPTIONS: KnownOptions<WatchOptions> = { ...READING_OPTIONS, inPlace: 'boolean' }

/**
 *     const watched = watchObject(fetch(url), recipeSchema)
 *     for await (const { value } of watched) render(value?.title)
 *     const result = await watched.result
 *
 * One snapshot for each chunk that changes the value. With a schema that gives a JSON Schema, the values are of its types.
 * Leaving the loop cancels the source. A source that fails, a `Response` that is not ok and an `error` event make the loop
 * throw, and `result` reject.
 */
export function watchObject<Schema extends StandardSchemaV1, const Held extends Hold = never>(
  source: WatchSource,
  schema: Schema,
  options?: WatchOptions<Held>,
): Watched<InferOutput<Schema>, WrittenAs<Schema>, Held>
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
  checkOptions(options, WATCH_OPTIONS)
  const { inPlace = false, ...reading } = options
  return new ObjectWatch(openSource(source, responseRefusal), schema, reading, inPlace)
}

/** What a schema takes; where it does not say, what it gives. */
type WrittenAs<Schema extends StandardSchemaV1> =
  unknown extends InferInput<Schema> ? InferOutput<Schema> : InferInput<Schema>

/** What reads the text: the typed reading is loaded only where there is a schema for it. */
function openReading(
  schema: StandardSchemaV1 | undefined,
  options: ObjectOptions,
): Reading | Promise<Reading> {
  const types = typesOf(schema, options)
  if (types === undefined) return new PlainReading(options)
  return import('./typed/typed-reading.ts').then(({ TypedReading }) => new TypedReading(types, options))
}

class ObjectWatch implements Watched<unknown> {
  private readonly source: SourceReader
  private readonly schema: StandardSchemaV1 | undefined
  private readonly isInPlace: boolean
  private readonly options: ObjectOptions
  private readonly opened: Reading | Promise<Reading>
  /** The text, if only its end tells where the answer is. */
  private text: string | null
  private readonly intake = new Intake()
  private isAtStart = true
  private isOver = false
  private isConcluded = false
  private taken = false

  private readonly promise: Promise<WatchResult<unknown>>
  private resolve!: (result: WatchResult<unknown> | Promise<WatchResult<unknown>>) => void
  private reject!: (reason: unknown) => void

  constructor(
    source: SourceReader,
    schema: StandardSchemaV1 | undefined,
    options: ObjectOptions,
    isInPlace: boolean,
  ) {
    this.source = source
    this.schema = schema
    this.options = options
    this.opened = openReading(schema, options)
    this.text = options.severalValues === 'last' ? '' : null
    this.isInPlace = isInPlace
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
    const { opened, source } = this
    try {
      const reading = opened instanceof Promise ? await opened : opened
      while (!this.isOver) {
        const step = await source.next()
        this.isOver = step.done === true
        this.read(reading, this.isOver ? this.intake.end() : this.intake.textOf(step.value))
        if (reading.isOver) this.isOver = true
        if (this.isOver) await this.finish(reading)
        if (reading.progress.hasNews) return { done: false, value: this.snapshot(reading) }
      }
      return this.leave()
    } catch (reason) {
      this.isOver = true
      this.reject(reason)
      await this.finish(await opened)
      throw reason
    }
  }

  private read(reading: Reading, text: string): void {
    if (text === '') return
    const chunk = this.isAtStart ? withoutByteOrderMark(text) : text
    this.isAtStart = false
    if (this.text === null) reading.push(chunk)
    else this.text += chunk
  }

  /** No more snapshots are wanted, or there are none. */
  private async leave(): Promise<IteratorReturnResult<void>> {
    this.isOver = true
    const reading = await this.opened
    await this.finish(reading)
    if (!this.isConcluded) this.resolve(this.conclude(reading))
    this.isConcluded = true
    return { done: true, value: undefined }
  }

  private async finish(reading: Reading): Promise<void> {
    await this.source.cancel()
    if (this.text !== null) readWhole(reading, this.text, this.options)
    this.text = null
    reading.end()
  }

  private snapshot(reading: Reading): Snapshot<unknown> {
    const { shown, progress } = reading
    const completed = progress.take()
    // `isComplete` is a function that may be taken out of the snapshot.
    if (this.isInPlace)
      return {
        value: shown.value,
        completed,
        isComplete: (pointer) => isThere(shown.value, keysOf(pointer), shown.openPath),
      }
    const value = shown.snapshot()
    const open = shown.openPath
    return { value, completed, isComplete: (pointer) => isThere(value, keysOf(pointer), open) }
  }

  private async conclude(reading: Reading): Promise<WatchResult<unknown>> {
    return conclude(reading, this.schema)
  }
}

function watchedTwice(): SluiceError {
  return new SluiceError('invalid-source', 'A source can be watched once. Keep the snapshots.')
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
