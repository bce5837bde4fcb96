/**
 * The async shells around the parser: an async iterable, and a `TransformStream`.
 *
 * The parser itself knows nothing of time. What is decided here is when to read, and what becomes of the
 * source when reading stops: nothing is read before it is asked for, and stopping early cancels the source.
 */

import { errorRecord, SluiceError } from '../base/errors.ts'
import type { Sink, SluiceEvent } from '../base/event.ts'
import { checkOptions, type KnownOptions } from '../base/options.ts'
import { responseRefusal, TextStart } from '../base/provider-stream.ts'
import {
  ChunkDecoder,
  openSource,
  type ResponseCheck,
  type Source,
  type SourceReader,
} from '../base/source.ts'
import { collect, type Message } from './message.ts'
import { createSinkParser, PARSER_OPTIONS, type ParserOptions } from './parser.ts'
import type { StreamEnd } from './wire/machine.ts'

/** Options of `sluice`. */
export interface SluiceOptions extends ParserOptions {
  /** Ends the response early: its last event is then `finish` with the reason `aborted`. */
  readonly signal?: AbortSignal
  /**
   * Called with whatever made the stream fail, before its `error` event, which has only what may be sent to a page: a
   * `ResponseError` has the body of the answer here, a `ProviderError` the payload.
   */
  readonly onError?: (error: unknown) => void
}

const STREAM_OPTIONS: KnownOptions<Omit<SluiceOptions, 'onError'>> = { ...PARSER_OPTIONS, signal: 'any' }
const OPTIONS: KnownOptions<SluiceOptions> = { ...STREAM_OPTIONS, onError: 'function' }

/** What a stream drives: a parser, or anything that takes what an intake gives and emits events. */
export interface StreamParser {
  push(piece: unknown): void
  end(reason?: StreamEnd): void
}

/** What becomes of the chunks of a source before they are pushed. It may throw on what is no chunk. */
export interface Intake {
  take(chunk: unknown): unknown
  /** What is left when no more chunks come. */
  end(): unknown
  /** Why nothing can be read behind what was taken last. */
  readonly refusal?: Error | undefined
  /** Why a response cannot be read at all. */
  readonly check?: ResponseCheck
}

/** Text out of text and bytes. What a provider sends around the text is refused. */
class TextIntake implements Intake {
  readonly check = responseRefusal
  private readonly decoder = new ChunkDecoder()
  private readonly start = new TextStart()

  take(chunk: unknown): string {
    return this.start.accept(this.decoder.text(chunk))
  }

  end(): string | undefined {
    return this.decoder.end() || undefined
  }

  get refusal(): Error | undefined {
    return this.start.refusal
  }
}

/**
 * Reads a response as it arrives.
 *
 *     for await (const event of sluice(fetch(url), { dialect: hermes })) {
 *       if (event.type === 'text-delta') process.stdout.write(event.delta)
 *     }
 *
 * The source may be text, bytes, a `Response`, a stream or iterable of text or bytes, or a promise of one.
 * Reading never rejects because of it: a source that fails gives `error` and then `finish`. So does the stream of a
 * provider's API, which `readProvider` reads.
 */
export function sluice(source: Source | PromiseLike<Source>, options: SluiceOptions = {}): EventStream {
  checkOptions(options, OPTIONS)
  const { signal, onError, ...parserOptions } = options
  return new EventStream(source, (sink) => createSinkParser(sink, parserOptions), { signal, onError })
}

/** What of its options concerns the stream, and not what is in it. */
export interface StreamOptions {
  readonly signal?: AbortSignal | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The events of one response. They can be read once. */
export class EventStream implements AsyncIterable<SluiceEvent> {
  private iterator: EventIterator | null

  constructor(
    source: unknown,
    open: (sink: Sink) => StreamParser,
    options: StreamOptions = {},
    intake: Intake = new TextIntake(),
  ) {
    checkSignal(options.signal)
    this.iterator = new EventIterator(openSource(source, intake.check), open, options, intake)
  }

  [Symbol.asyncIterator](): AsyncIterator<SluiceEvent, undefined> {
    const { iterator } = this
    if (iterator === null)
      throw new SluiceError(
        'invalid-source',
        'This stream has already been read; keep its events if you need them twice.',
      )
    this.iterator = null
    iterator.listen()
    return iterator
  }

  /** Reads to the end and gives the whole message. */
  message(): Promise<Message> {
    return collect(this)
  }
}

/** What came when the source was asked for more. */
type Step =
  | { readonly kind: 'piece'; readonly piece: unknown }
  | { readonly kind: 'ended' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }

class EventIterator implements AsyncIterator<SluiceEvent, undefined> {
  private readonly source: SourceReader
  private readonly parser: StreamParser
  private readonly signal: AbortSignal | undefined
  private readonly onError: StreamOptions['onError']
  private readonly intake: Intake
  /** Events that were not asked for yet, from `head` on. */
  private ready: SluiceEvent[] = []
  private head = 0
  private isOver = false
  /** While a chunk is awaited: stops waiting for it. */
  private stopWaiting: (() => void) | null = null
  /** Settles when all that was asked for has been answered. */
  private answered: Promise<unknown> = Promise.resolve()
  private asked = 0

  constructor(
    source: SourceReader,
    open: (sink: Sink) => StreamParser,
    { signal, onError }: StreamOptions,
    intake: Intake,
  ) {
    this.source = source
    this.intake = intake
    this.signal = signal
    this.onError = onError
    this.parser = open((event) => this.ready.push(event))
  }

  listen(): void {
    this.signal?.addEventListener('abort', this.onAbort)
  }

  /** The source is let go at once, even when the next event is never asked for. */
  private readonly onAbort = (): void => {
    void this.source.cancel(this.signal?.reason)
    this.stopWaiting?.()
  }

  next(): Promise<IteratorResult<SluiceEvent, undefined>> {
    if (this.asked === 0 && this.head < this.ready.length) return Promise.resolve(this.take())
    this.asked++
    const answer = this.answered.then(() => this.answer())
    this.answered = answer.catch(() => {})
    return answer
  }

  private async answer(): Promise<IteratorResult<SluiceEvent, undefined>> {
    try {
      while (this.head === this.ready.length && !this.isOver) await this.readOn()
      return this.take()
    } finally {
      this.asked--
    }
  }

  private take(): IteratorResult<SluiceEvent, undefined> {
    const value = this.ready[this.head]
    if (value === undefined) return { done: true, value: undefined }
    this.head++
    if (this.head === this.ready.length) {
      this.ready = []
      this.head = 0
    }
    return { done: false, value }
  }

  private async readOn(): Promise<void> {
    const step = await this.nextStep()
    // Someone left the loop while the chunk was on its way.
    if (this.isOver) return
    try {
      if (step.kind === 'piece') this.push(step.piece)
      else this.end(step)
    } catch (error) {
      // Not the source's doing: a function that was passed as an option threw.
      this.close()
      void this.source.cancel(error)
      throw error
    }
  }

  private push(piece: unknown): void {
    this.parser.push(piece)
    const { refusal } = this.intake
    if (refusal !== undefined) this.end({ kind: 'failed', error: refusal })
  }

  private async nextStep(): Promise<Step> {
    if (this.signal?.aborted) return { kind: 'stopped' }
    try {
      const next = await this.nextChunk()
      // A source that listens to the same signal may end or fail because of it; that is still the signal's doing.
      if (next === undefined || this.signal?.aborted) return { kind: 'stopped' }
      return next.done ? { kind: 'ended' } : { kind: 'piece', piece: this.intake.take(next.value) }
    } catch (error) {
      return this.signal?.aborted ? { kind: 'stopped' } : { kind: 'failed', error }
    }
  }

  /** Nothing where the wait was stopped. Not a race, because each race would stay on the signal's own promise. */
  private nextChunk(): Promise<IteratorResult<unknown, unknown> | undefined> {
    return new Promise<IteratorResult<unknown, unknown> | undefined>((resolve, reject) => {
      this.stopWaiting = () => resolve(undefined)
      this.source.next().then(resolve, reject)
    }).finally(() => {
      this.stopWaiting = null
    })
  }

  private end(step: Exclude<Step, { kind: 'piece' }>): void {
    this.close()
    if (step.kind === 'ended') {
      const rest = this.intake.end()
      if (rest !== undefined) this.parser.push(rest)
      this.parser.end('finished')
    } else if (step.kind === 'stopped') {
      void this.source.cancel(this.signal?.reason)
      this.parser.end('interrupted')
    } else {
      void this.source.cancel(step.error)
      this.onError?.(step.error)
      this.parser.end('failed')
      const finish = this.ready.pop()
      this.ready.push({ type: 'error', error: errorRecord(step.error) })
      if (finish !== undefined) this.ready.push(finish)
    }
  }

  private close(): void {
    this.isOver = true
    this.signal?.removeEventListener('abort', this.onAbort)
  }

  /** The loop was left. The source is told before it goes on, unless it still owes a chunk and may never answer. */
  async return(): Promise<IteratorResult<SluiceEvent, undefined>> {
    const owesChunk = this.stopWaiting !== null
    this.close()
    this.ready = []
    this.head = 0
    const cancelled = this.source.cancel()
    this.stopWaiting?.()
    if (!owesChunk) await cancelled
    return { done: true, value: undefined }
  }
}

/**
 * The parser as a `TransformStream`: text or bytes in, events out.
 *
 *     response.body.pipeThrough(new SluiceStream({ dialect: hermes }))
 *
 * As with any pipe, a source that fails makes the readable side fail too; `sluice()` gives events instead. The stream
 * of a provider is no text of a model: it ends with an `error` event.
 */
export class SluiceStream extends TransformStream<string | Uint8Array, SluiceEvent> {
  constructor(options: Omit<SluiceOptions, 'onError'> = {}) {
    checkOptions(options, STREAM_OPTIONS)
    const { signal, ...parserOptions } = options
    checkSignal(signal)
    const intake = new TextIntake()
    let parser: StreamParser
    let onAbort: () => void
    const close = (): void => signal?.removeEventListener('abort', onAbort)
    const transformer: Transformer<string | Uint8Array, SluiceEvent> & { cancel(): void } = {
      start(controller) {
        parser = createSinkParser((event) => {
          if (event.type === 'finish' && intake.refusal !== undefined)
            controller.enqueue({ type: 'error', error: errorRecord(intake.refusal) })
          controller.enqueue(event)
        }, parserOptions)
        onAbort = () => {
          close()
          try {
            parser.end('interrupted')
            controller.terminate()
          } catch {
            // Nobody reads any more: not every platform tells a transformer that it was cancelled.
          }
        }
        if (signal?.aborted) onAbort()
        else signal?.addEventListener('abort', onAbort)
      },
      transform(chunk, controller) {
        parser.push(intake.take(chunk))
        if (intake.refusal === undefined) return
        close()
        parser.end('failed')
        controller.terminate()
      },
      flush() {
        close()
        const rest = intake.end()
        if (rest !== undefined) parser.push(rest)
        parser.end()
      },
      cancel: close,
    }
    super(transformer)
  }
}

function checkSignal(signal: unknown): void {
  if (signal === undefined || (typeof signal === 'object' && signal !== null && 'aborted' in signal)) return
  throw new SluiceError('invalid-option', `'signal' takes an AbortSignal, not ${String(signal)}.`)
}
