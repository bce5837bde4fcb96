/** The async shell: a provider's response in any form, as a stream of events. */

import { SluiceError } from '../base/errors.ts'
import type { KnownOptions } from '../base/options.ts'
import { checkChunk, type Source } from '../base/source.ts'
import { EventStream } from '../engine/stream.ts'
import { checkProviderOptions } from './provider-check.ts'
import { createProviderParser, PROVIDER_OPTIONS, type ProviderOptions } from './provider-parser.ts'

/** Options of `readProvider`. */
export interface ReadProviderOptions extends ProviderOptions {
  /** Ends the response early: its last event is then `finish` with the reason `aborted`. */
  readonly signal?: AbortSignal
}

const OPTIONS: KnownOptions<ReadProviderOptions> = { ...PROVIDER_OPTIONS, signal: 'any' }

/** The input of `readProvider`: bytes or text in any form, the chunks of a provider's own client, or a whole response as one object. */
export type ProviderSource =
  | Source
  | AsyncIterable<unknown>
  | Iterable<unknown>
  | ReadableStream<unknown>
  | object

/**
 * Reads a provider's response as it arrives.
 *
 *     for await (const event of readProvider(fetch(url, request), { provider: anthropic })) show(event)
 *     for await (const event of readProvider(openai.responses.create(request), { provider: openaiResponses })) show(event)
 *
 * Reading never rejects because of the source: if it fails, the events end with `error` and `finish`.
 */
export function readProvider(
  source: ProviderSource | PromiseLike<ProviderSource>,
  options: ReadProviderOptions,
): EventStream {
  checkProviderOptions(options, OPTIONS)
  const { signal, ...parserOptions } = options
  return new EventStream(
    openable(source),
    (sink) => createProviderParser(sink, parserOptions) as { push(piece: unknown): void; end(): void },
    { signal, onError: options.onError },
    { take: chunkOf, end: () => undefined },
  )
}

/** A whole response that is decoded already is a stream of one payload. */
function openable(source: unknown): unknown {
  if (typeof source !== 'object' || source === null) return source
  if ('then' in source && typeof source.then === 'function')
    return Promise.resolve(source as PromiseLike<unknown>).then(openable)
  const isSource =
    Symbol.asyncIterator in source ||
    Symbol.iterator in source ||
    'getReader' in source ||
    'bodyUsed' in source ||
    source instanceof ArrayBuffer ||
    ArrayBuffer.isView(source)
  return isSource ? source : [source]
}

function chunkOf(chunk: unknown): unknown {
  const isBytes = chunk instanceof ArrayBuffer || ArrayBuffer.isView(chunk)
  if (typeof chunk === 'object' && chunk !== null && !isBytes) return chunk
  if (typeof chunk === 'string' || isBytes) return checkChunk(chunk)
  throw new SluiceError(
    'invalid-source',
    `A provider's source gives text, bytes or payloads, not ${chunk === null ? 'null' : `a ${typeof chunk}`}.`,
  )
}
