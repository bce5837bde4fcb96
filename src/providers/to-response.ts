/** Events as the `Response` of a route handler, in the format of a writer. */

import { errorRecord, SluiceError } from '../base/errors.ts'
import type { ErrorRecord, SluiceEvent } from '../base/event.ts'
import { checkOptions, type KnownOptions } from '../base/options.ts'
import type { WireFormat, WriterOptions } from './wire-format.ts'
import { createWriter, WRITER_OPTIONS } from './write-provider.ts'

/** Options of `toResponse`. */
export interface ResponseOptions extends WriterOptions {
  /** The status of a stream (200). */
  readonly status?: number
  /** Additional headers; they override those of the format. */
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  /** `request.signal`, for servers that do not cancel the body when the client disconnects. */
  readonly signal?: AbortSignal
  /**
   * How many milliseconds to wait for the first event (10,000), so that an error before it sets the status of the
   * response. After that, the response begins, and an error is part of the stream. 0: the response begins at once.
   */
  readonly wait?: number
  /** Called with what iterating over the events threw. The client gets an error in the format. */
  readonly onError?: (error: unknown) => void
}

const OPTIONS: KnownOptions<ResponseOptions> = {
  ...WRITER_OPTIONS,
  status: 'number',
  headers: 'any',
  signal: 'object',
  wait: 'number',
  onError: 'function',
}

const DEFAULT_WAIT = 10_000

/** For an error without a status: the server behind this one failed. */
const BAD_GATEWAY = 502

/**
 * Streams events to a client.
 *
 *     export const POST = (request: Request) =>
 *       toResponse(readProvider(ask(request), { provider: anthropic }), openaiChatWriter, { signal: request.signal })
 *
 * It reads the next event when the client has taken the last one, and cancels the source when the client disconnects.
 */
export async function toResponse(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  format: WireFormat,
  options: ResponseOptions = {},
): Promise<Response> {
  checkOptions(options, OPTIONS)
  const { status = 200, headers, signal, wait = DEFAULT_WAIT, onError, ...writerOptions } = options
  const writer = createWriter(format, writerOptions)
  const reader = new EventReader(events, onError)
  const leave = (): void => reader.cancel()
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })

  const first = wait > 0 ? await within(reader.peek(), wait) : undefined
  if (first?.type === 'error') {
    const refusal = await refuse(first.error, format, reader, writer.add)
    signal?.removeEventListener('abort', leave)
    return new Response(refusal.body, {
      status: statusOf(first.error),
      headers: headersOf(format, refusal.contentType, headers),
    })
  }

  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const event = await reader.next()
          const text = event === undefined ? undefined : writer.add(event)
          if (text === '') continue
          if (text === undefined) {
            signal?.removeEventListener('abort', leave)
            controller.close()
          } else controller.enqueue(encoder.encode(text))
          return
        }
      },
      cancel() {
        signal?.removeEventListener('abort', leave)
        reader.cancel()
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: headersOf(format, format.contentType, headers) })
}

/** Reads events one by one. It can look at the first one that matters, and it can be cancelled while it waits. */
class EventReader {
  private readonly iterator: AsyncIterator<SluiceEvent> | Iterator<SluiceEvent>
  private readonly onError: ResponseOptions['onError']
  /** Read, and not taken. */
  private readonly ready: SluiceEvent[] = []
  private peeked: Promise<SluiceEvent | undefined> | undefined
  private isOver = false
  private stopWaiting: (() => void) | undefined

  constructor(
    events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
    onError: ResponseOptions['onError'],
  ) {
    this.iterator = iterate(events)
    this.onError = onError
  }

  /** The first event that is not a diagnostic. All are still there for `next`. */
  peek(): Promise<SluiceEvent | undefined> {
    this.peeked ??= this.readFirst()
    return this.peeked
  }

  private async readFirst(): Promise<SluiceEvent | undefined> {
    const read: SluiceEvent[] = []
    for (;;) {
      const event = this.ready.shift() ?? (await this.read())
      if (event !== undefined) read.push(event)
      if (event?.type === 'diagnostic') continue
      this.ready.unshift(...read)
      return event
    }
  }

  async next(): Promise<SluiceEvent | undefined> {
    await this.peeked
    return this.ready.shift() ?? this.read()
  }

  private async read(): Promise<SluiceEvent | undefined> {
    if (this.isOver) return undefined
    try {
      const step = await this.step()
      if (step !== undefined && !step.done) return step.value
      this.isOver = true
      return undefined
    } catch (error) {
      this.isOver = true
      this.onError?.(error)
      this.ready.push({ type: 'finish', reason: 'error' })
      return { type: 'error', error: errorRecord(error) }
    }
  }

  private step(): Promise<IteratorResult<SluiceEvent> | undefined> {
    return new Promise((resolve, reject) => {
      this.stopWaiting = () => resolve(undefined)
      Promise.resolve(this.iterator.next()).then(resolve, reject)
    })
  }

  /** Stops reading. It does not wait for the iterator: one with a pending event may never settle. */
  cancel(): void {
    if (this.isOver) return
    this.isOver = true
    this.ready.length = 0
    this.stopWaiting?.()
    const leave = async (): Promise<unknown> => this.iterator.return?.()
    leave().catch(() => {})
  }
}

function iterate(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
): AsyncIterator<SluiceEvent> | Iterator<SluiceEvent> {
  const given = Object(events) as Partial<AsyncIterable<SluiceEvent> & Iterable<SluiceEvent>>
  const iterator = given[Symbol.asyncIterator]?.() ?? given[Symbol.iterator]?.()
  if (iterator !== undefined && typeof events !== 'string') return iterator
  throw new SluiceError('invalid-source', 'toResponse takes a stream or a list of events.')
}

/** The value, or undefined if it takes longer. */
function within<Value>(value: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** What is sent instead of a stream. A format that has no such answer sends its stream, which holds the error. */
async function refuse(
  error: ErrorRecord,
  format: WireFormat,
  reader: EventReader,
  write: (event: SluiceEvent) => string,
): Promise<{ readonly contentType: string; readonly body: string }> {
  if (format.refuse !== undefined) {
    reader.cancel()
    return format.refuse(error)
  }
  let body = ''
  for (let event = await reader.next(); event !== undefined; event = await reader.next()) body += write(event)
  return { contentType: format.contentType, body }
}

/** The status of the server behind this one, where it answered with one. */
function statusOf({ status, code }: ErrorRecord): number {
  const isFailure = (number: number): boolean => Number.isInteger(number) && number >= 400 && number <= 599
  return [status ?? 0, Number(code)].find(isFailure) ?? BAD_GATEWAY
}

function headersOf(format: WireFormat, contentType: string, own: ResponseOptions['headers']): Headers {
  const headers = new Headers({
    'content-type': contentType,
    'cache-control': 'no-cache',
    // Proxies such as nginx would hold the stream back.
    'x-accel-buffering': 'no',
    ...format.headers,
  })
  for (const [name, value] of new Headers(own)) headers.set(name, value)
  return headers
}
