/** Where a response comes from: anything that gives text or bytes, one chunk at a time and only when asked. */

import { SluiceError } from './errors.ts'

export type Chunk = string | Uint8Array | ArrayBuffer

/** What `sluice` reads: text or bytes, whole or in pieces. */
export type Source = Chunk | ReadableStream<Chunk> | AsyncIterable<Chunk> | Iterable<Chunk> | Response

/** A source that is being read. Nothing is touched before the first `next`. */
export interface SourceReader {
  next(): Promise<IteratorResult<unknown, unknown>>
  /** The rest is not wanted. Cancels the source once, and never after it has ended or failed by itself. */
  cancel(reason?: unknown): Promise<void>
}

/** A server's answer that is not a response to read, such as 401 or 529. */
export class ResponseError extends Error {
  readonly status: number
  /** The server's own word for it, such as `invalid_api_key`. */
  readonly code: string | undefined
  /** The body of the answer, up to a limit. Only what it says in JSON is in the message, too. */
  readonly body: string

  constructor(status: number, statusText: string, body: string) {
    const name = [status, statusText].filter((word) => word !== '').join(' ')
    const { message, code } = readBody(body)
    super(`The server answered ${name}${message === '' ? '.' : `: ${message}`}`)
    this.name = 'ResponseError'
    this.status = status
    this.code = code
    this.body = body
  }
}

/** What the body of a refusal says: servers of models send JSON, and Gemini a list of it where a stream was wanted. */
function readBody(body: string): { readonly message: string; readonly code: string | undefined } {
  try {
    const whole = [JSON.parse(body)].flat()[0] as { readonly [field: string]: unknown }
    const inner = Object(whole.error) as { readonly [field: string]: unknown }
    const isWord = (one: unknown): one is string => typeof one === 'string' && one !== ''
    const message = [inner.message, whole.error, whole.message, whole.detail].find(isWord) ?? ''
    return { message: message.trim(), code: [inner.code, inner.status, inner.type, whole.code].find(isWord) }
  } catch {
    return { message: '', code: undefined }
  }
}

/** Says why a response is not to be read, although its server answered well. */
export type ResponseCheck = (response: Response) => Error | undefined

/** Reads a source, whatever its kind. Throws at once for what is none. */
export function openSource(source: unknown, check?: ResponseCheck): SourceReader {
  if (isChunk(source)) return readIterator(() => [source].values())
  if (isObject(source)) {
    if (typeof source.then === 'function')
      return readPromise(source as unknown as PromiseLike<unknown>, check)
    if (typeof source.getReader === 'function')
      return readStream(source as unknown as ReadableStream<unknown>)
    if (isResponse(source)) return readResponse(source, check)
    const iterate = source[Symbol.asyncIterator] ?? source[Symbol.iterator]
    if (typeof iterate === 'function') return readIterator(() => iterate.call(source))
  }
  throw new SluiceError(
    'invalid-source',
    `A source is text, bytes, a Response, a stream or an iterable of text or bytes, or a promise of one, not ${nameOf(source)}.`,
  )
}

/** Text as it is, and bytes as bytes. */
export function checkChunk(chunk: unknown): string | Uint8Array {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk)
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const hint = isObject(chunk)
    ? "; read the chunks of an API's client with readProvider of 'sluice/providers'"
    : ''
  throw new SluiceError('invalid-source', `A source gives text or bytes, not ${nameOf(chunk)}${hint}.`)
}

/**
 * Text out of text and bytes; a character may lie in several chunks of bytes. A byte order mark stays, so that it
 * makes no difference whether it came in bytes or in a string; the parser drops it.
 */
export class ChunkDecoder {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** Whether bytes came since the last text, so that a character may be unfinished. */
  private hasBytes = false

  text(chunk: unknown): string {
    const checked = checkChunk(chunk)
    if (typeof checked === 'string') return this.hasBytes ? this.end() + checked : checked
    this.hasBytes = true
    return this.decoder.decode(checked, { stream: true })
  }

  /** The bytes are over: what is left of an unfinished character. */
  end(): string {
    this.hasBytes = false
    return this.decoder.decode()
  }
}

/** The text of a source in pieces, without its byte order mark. Leaving the loop cancels the source. */
async function* readText(source: SourceReader): AsyncGenerator<string, void, undefined> {
  const decoder = new ChunkDecoder()
  let isAtStart = true
  try {
    for (let isOver = false; !isOver; ) {
      const step = await source.next()
      isOver = step.done === true
      const text = isOver ? decoder.end() : decoder.text(step.value)
      if (text === '') continue
      yield isAtStart ? withoutByteOrderMark(text) : text
      isAtStart = false
    }
  } finally {
    await source.cancel()
  }
}

function isChunk(source: unknown): source is Chunk {
  return typeof source === 'string' || source instanceof ArrayBuffer || ArrayBuffer.isView(source)
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** By its shape: a `Response` may come from another realm, or from a library of its own. */
function isResponse(source: object): source is Response {
  return 'body' in source && 'status' in source && 'ok' in source && 'bodyUsed' in source
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

// ── the kinds of sources ─────────────────────────────────────────────────────────────────────────

type Step = IteratorResult<unknown, unknown>

/** How one kind of source is read and cancelled. */
interface SourceKind {
  read(): PromiseLike<Step> | Step
  cancel(reason: unknown): unknown
}

/** Asks for nothing after the end or a failure, and cancels at most once. */
function readerOf(kind: SourceKind): SourceReader {
  let isOver = false
  const took = (step: Step): Step => {
    if (step.done) isOver = true
    return step
  }
  const failed = (error: unknown): Promise<never> => {
    isOver = true
    return Promise.reject(error)
  }
  return {
    // No async function: it would cost one more turn of the microtask queue for each chunk.
    next() {
      if (isOver) return Promise.resolve({ done: true, value: undefined })
      try {
        return Promise.resolve(kind.read()).then(took, failed)
      } catch (error) {
        return failed(error)
      }
    },
    async cancel(reason) {
      if (isOver) return
      isOver = true
      try {
        await kind.cancel(reason)
      } catch {
        // The caller has no use for a source that cannot be cancelled.
      }
    },
  }
}

function readIterator(iterate: () => Iterator<unknown> | AsyncIterator<unknown>): SourceReader {
  let iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined
  return readerOf({
    read() {
      iterator ??= iterate()
      return iterator.next()
    },
    cancel: () => iterator?.return?.(),
  })
}

function readStream(stream: ReadableStream<unknown>): SourceReader {
  if (stream.locked)
    throw new SluiceError(
      'invalid-source',
      'This stream is locked by another reader; pass a branch of its `tee()`.',
    )
  let reader: ReadableStreamDefaultReader<unknown> | undefined
  return readerOf({
    async read() {
      reader ??= stream.getReader()
      const step = await reader.read()
      if (step.done) reader.releaseLock()
      return step
    },
    async cancel(reason) {
      await (reader ?? stream).cancel(reason)
      reader?.releaseLock()
    },
  })
}

function readResponse(response: Response, check?: ResponseCheck): SourceReader {
  if (response.bodyUsed)
    throw new SluiceError(
      'invalid-source',
      'The body of this response has already been read; pass a `clone()` of it.',
    )
  const body = response.body === null ? readIterator(() => [].values()) : readStream(response.body)
  if (!response.ok) return refuse(response, body)
  const refusal = check?.(response)
  if (refusal === undefined) return body
  return readerOf({
    read() {
      void body.cancel(refusal)
      throw refusal
    },
    cancel: (reason) => body.cancel(reason),
  })
}

/** A response that is not ok: its body is the reason, and no text of a model. */
function refuse({ status, statusText }: Response, body: SourceReader): SourceReader {
  return readerOf({
    async read() {
      throw new ResponseError(status, statusText, await readRefusal(body))
    },
    cancel: (reason) => body.cancel(reason),
  })
}

/** Characters of a refusal that are kept. */
const REFUSAL_LENGTH = 4096

async function readRefusal(body: SourceReader): Promise<string> {
  let text = ''
  try {
    for await (const piece of readText(body)) {
      text += piece
      if (text.length >= REFUSAL_LENGTH) break
    }
  } catch {
    // The status is what counts; the words help where they can be read.
  }
  return text.slice(0, REFUSAL_LENGTH)
}

function readPromise(source: PromiseLike<unknown>, check?: ResponseCheck): SourceReader {
  const reader = Promise.resolve(source).then((resolved) => openSource(resolved, check))
  // It may fail before it is read; reading it reports the failure.
  reader.catch(() => {})
  return readerOf({
    read: async () => (await reader).next(),
    cancel: async (reason) => (await reader).cancel(reason),
  })
}

/** Text without the byte order mark that it may begin with, for text that no parser reads. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
