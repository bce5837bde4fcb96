/** Where a response comes from: anything that gives text or bytes, one chunk at a time and only when asked. */

import { SluiceError } from './errors.ts'

export type Chunk = string | Uint8Array | ArrayBuffer

export type Source = Chunk | ReadableStream<Chunk> | AsyncIterable<Chunk> | Iterable<Chunk> | Response

/** A source that is being read. Nothing is touched before the first `next`. */
export interface SourceReader {
  next(): Promise<IteratorResult<unknown, unknown>>
  /** The rest is not wanted. Tells the source so once, and never after it has ended or failed by itself. */
  cancel(reason?: unknown): Promise<void>
}

/** A server's answer that is not a response to read, such as 401 or 529. */
export class ResponseError extends Error {
  readonly status: number
  /** What the answer says, up to a limit. */
  readonly body: string

  constructor(status: number, statusText: string, body: string) {
    const name = [status, statusText].filter((word) => word !== '').join(' ')
    const said = messageIn(body).trim()
    super(`The server answered ${name}${said === '' ? '.' : `: ${said}`}`)
    this.name = 'ResponseError'
    this.status = status
    this.body = body
  }
}

/** What the body of a refusal says: servers of models send JSON with a message in it. */
function messageIn(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body) as { [field: string]: unknown }
    const said = [(error as { message?: unknown } | undefined)?.message, error, message, detail]
    return said.find((one): one is string => typeof one === 'string') ?? body
  } catch {
    return body
  }
}

/** Reads a source, whatever its kind. Throws at once for what is none. */
export function openSource(source: unknown): SourceReader {
  if (isChunk(source)) return new IteratorReader(() => [source].values())
  if (isObject(source)) {
    if (typeof source.then === 'function')
      return new PromisedReader(source as unknown as PromiseLike<unknown>)
    if (typeof source.getReader === 'function')
      return openStream(source as unknown as ReadableStream<unknown>)
    if (isResponse(source)) return openResponse(source)
    const iterate = source[Symbol.asyncIterator] ?? source[Symbol.iterator]
    if (typeof iterate === 'function') return new IteratorReader(() => iterate.call(source))
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
  const hint = isObject(chunk) ? "; what an API's client gives is for readProvider of 'sluice/providers'" : ''
  throw new SluiceError('invalid-source', `A source gives text or bytes, not ${nameOf(chunk)}${hint}.`)
}

/**
 * Text out of text and bytes; a character may lie in several chunks of bytes. A byte order mark stays, so that it
 * makes no difference whether it came in bytes or in a string; the parser drops it.
 */
export class ChunkDecoder {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  text(chunk: unknown): string {
    const checked = checkChunk(chunk)
    return typeof checked === 'string' ? this.end() + checked : this.decoder.decode(checked, { stream: true })
  }

  /** The bytes are over: what is left of an unfinished character. */
  end(): string {
    return this.decoder.decode()
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

abstract class Reader implements SourceReader {
  private isOver = false

  async next(): Promise<IteratorResult<unknown, unknown>> {
    if (this.isOver) return { done: true, value: undefined }
    try {
      const step = await this.read()
      if (step.done) this.isOver = true
      return step
    } catch (error) {
      this.isOver = true
      throw error
    }
  }

  async cancel(reason?: unknown): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    try {
      await this.leave(reason)
    } catch {
      // Whoever cancels has left; there is nobody to tell that leaving failed.
    }
  }

  protected abstract read(): PromiseLike<IteratorResult<unknown, unknown>> | IteratorResult<unknown, unknown>
  protected abstract leave(reason: unknown): unknown
}

class IteratorReader extends Reader {
  private readonly iterate: () => Iterator<unknown> | AsyncIterator<unknown>
  private iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined

  constructor(iterate: () => Iterator<unknown> | AsyncIterator<unknown>) {
    super()
    this.iterate = iterate
  }

  protected read() {
    this.iterator ??= this.iterate()
    return this.iterator.next()
  }

  protected leave() {
    return this.iterator?.return?.()
  }
}

class StreamReader extends Reader {
  private readonly stream: ReadableStream<unknown>
  private reader: ReadableStreamDefaultReader<unknown> | undefined

  constructor(stream: ReadableStream<unknown>) {
    super()
    this.stream = stream
  }

  protected read() {
    this.reader ??= this.stream.getReader()
    return this.reader.read()
  }

  protected leave(reason: unknown) {
    return (this.reader ?? this.stream).cancel(reason)
  }
}

function openStream(stream: ReadableStream<unknown>): SourceReader {
  if (stream.locked)
    throw new SluiceError(
      'invalid-source',
      'This stream is being read by someone else; pass one of its `tee()`s.',
    )
  return new StreamReader(stream)
}

function openResponse(response: Response): SourceReader {
  if (response.bodyUsed)
    throw new SluiceError(
      'invalid-source',
      'The body of this response has been read already; pass its `clone()`.',
    )
  const body = response.body === null ? new IteratorReader(() => [].values()) : openStream(response.body)
  return response.ok ? body : new RefusedReader(response, body)
}

/** Text without the byte order mark that it may begin with, for text that no parser reads. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Characters of a refusal that are kept. */
const REFUSAL_LENGTH = 4096

/** A response that is not ok: its body says why, and is no text of a model. */
class RefusedReader extends Reader {
  private readonly response: Response
  private readonly body: SourceReader

  constructor(response: Response, body: SourceReader) {
    super()
    this.response = response
    this.body = body
  }

  protected async read(): Promise<never> {
    const { status, statusText } = this.response
    throw new ResponseError(status, statusText, withoutByteOrderMark(await this.readBody()))
  }

  private async readBody(): Promise<string> {
    const decoder = new ChunkDecoder()
    let text = ''
    try {
      while (text.length < REFUSAL_LENGTH) {
        const { done, value } = await this.body.next()
        if (done) return text + decoder.end()
        text += decoder.text(value)
      }
    } catch {
      // The status is what counts; the words are a help where they can be had.
    }
    await this.body.cancel()
    return text.slice(0, REFUSAL_LENGTH)
  }

  protected leave(reason: unknown) {
    return this.body.cancel(reason)
  }
}

class PromisedReader extends Reader {
  private readonly reader: Promise<SourceReader>

  constructor(source: PromiseLike<unknown>) {
    super()
    this.reader = Promise.resolve(source).then(openSource)
    // It may fail before anyone reads it; whoever does is told then.
    this.reader.catch(() => {})
  }

  protected async read() {
    return (await this.reader).next()
  }

  protected async leave(reason: unknown) {
    await (await this.reader).cancel(reason)
  }
}
