/**
 * OpenAI's Responses over a WebSocket: many responses on one connection, one after the other, and each message is one
 * event as JSON. What ends a response is the event that ends it, because the connection stays open.
 *
 *     → {"type":"response.create","model":"gpt-5.4","input":[…],"previous_response_id":"resp_1"}
 *     ← {"type":"response.created","response":{"id":"resp_2"}}
 *     ← {"type":"response.output_text.delta","output_index":0,"delta":"Hello"}
 *     ← {"type":"response.completed","response":{…}}
 */

import { SluiceError } from '../../base/errors.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { described } from '../../base/options.ts'
import type { EventStream } from '../../engine/stream.ts'
import { textOf } from '../payload-fields.ts'
import { type ReadProviderOptions, readProvider } from '../read-provider.ts'
import { openaiResponses } from './read.ts'

/** A `WebSocket` of the platform, of the package `ws`, or anything else with its events. */
export interface MessageSocket {
  addEventListener(type: 'message' | 'close' | 'error', listener: (event: object) => void): void
  removeEventListener(type: 'message' | 'close' | 'error', listener: (event: object) => void): void
}

/** A socket, or its messages: text, bytes, decoded payloads, or events that have them as `data`. */
export type MessageSource = MessageSocket | AsyncIterable<unknown> | Iterable<unknown>

/**
 * Reads the responses that come over a socket, each as a stream of its own.
 *
 *     for await (const response of readResponses(socket)) {
 *       for await (const event of response) show(event)
 *       socket.send(JSON.stringify({ type: 'response.create', … }))
 *     }
 *
 * The unread rest of a response is skipped when you ask for the next one. The socket stays open.
 */
export function readResponses(
  source: MessageSource,
  options: Omit<ReadProviderOptions, 'provider'> = {},
): AsyncIterableIterator<EventStream> {
  // A socket is listened to at once, so that no message is missed before the first response is asked for.
  return responsesIn(messagesOf(source), { ...options, provider: openaiResponses })
}

async function* responsesIn(
  messages: AsyncIterator<unknown> | Iterator<unknown>,
  options: ReadProviderOptions,
): AsyncGenerator<EventStream, void, undefined> {
  let hasFailed = false
  const next = async (): Promise<Message | undefined> => {
    try {
      const { done, value } = await messages.next()
      return done ? undefined : payloadOf(value)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  try {
    while (!hasFailed) {
      const payloads = await responseFrom(next)
      if (payloads === undefined) return
      yield readProvider(openTo(payloads), options)
      await skip(payloads)
    }
  } finally {
    await messages.return?.()
  }
}

/** A message as a payload, or in a list if it is none. */
type Message = Fields | readonly unknown[]

/** The next response. A socket that fails before it is a response that failed. */
async function responseFrom(
  next: () => Promise<Message | undefined>,
): Promise<AsyncGenerator<object, void, undefined> | undefined> {
  try {
    for (let message = await next(); message !== undefined; message = await next())
      if (isFields(message) && /^(response\.|error$)/.test(textOf(message.type)))
        return payloadsFrom(message, next)
    return undefined
  } catch (error) {
    return payloadsFrom([], () => Promise.reject(error))
  }
}

/** The payloads of one response, from its first one to the one that ends it. */
async function* payloadsFrom(
  first: Message,
  next: () => Promise<Message | undefined>,
): AsyncGenerator<object, void, undefined> {
  for (let message: Message | undefined = first; message !== undefined; message = await next()) {
    yield message
    if (isFields(message) && ENDS.test(textOf(message.type))) return
  }
}

const ENDS = /^(response\.(completed|incomplete|failed|cancelled)|error)$/

/** The same, which is not over for those who leave it early: the rest of it has to be skipped. */
function openTo(payloads: AsyncGenerator<object, void, undefined>): AsyncIterable<object> {
  return { [Symbol.asyncIterator]: () => ({ next: () => payloads.next() }) }
}

async function skip(payloads: AsyncGenerator<object, void, undefined>): Promise<void> {
  try {
    for await (const _ of payloads);
  } catch {
    // Nothing is read any more that could tell it.
  }
}

function payloadOf(message: unknown): Message {
  const isEvent = isFields(message) && 'data' in message && (message.type ?? 'message') === 'message'
  const data = isEvent ? message.data : message
  const text = data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? new TextDecoder().decode(data) : data
  if (typeof text !== 'string') return isFields(text) ? text : [text]
  try {
    const parsed: unknown = JSON.parse(text)
    return isFields(parsed) ? parsed : [parsed]
  } catch {
    return [text]
  }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

function messagesOf(source: MessageSource): AsyncIterator<unknown> | Iterator<unknown> {
  const given = Object(source) as object
  if (Symbol.asyncIterator in given) return (source as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  if (Symbol.iterator in given && typeof source !== 'string')
    return (source as Iterable<unknown>)[Symbol.iterator]()
  if ('addEventListener' in given) return listen(source as MessageSocket)
  throw new SluiceError(
    'invalid-source',
    `readResponses takes a WebSocket or an iterable of its messages, not ${described(source)}.`,
  )
}

function listen(socket: MessageSocket): AsyncIterator<unknown> {
  const arrived: unknown[] = []
  let end: { readonly error?: Error } | undefined
  let wake = (): void => {}
  const listeners = {
    message(event: object): void {
      arrived.push((event as { readonly data?: unknown }).data)
      wake()
    },
    close(): void {
      end ??= {}
      wake()
    },
    error(): void {
      end ??= { error: new SluiceError('invalid-source', 'The socket failed.') }
      wake()
    },
  }
  const types = ['message', 'close', 'error'] as const
  for (const type of types) socket.addEventListener(type, listeners[type])
  const stop = (): void => {
    for (const type of types) socket.removeEventListener(type, listeners[type])
  }
  return {
    async next() {
      while (arrived.length === 0 && end === undefined)
        await new Promise<void>((awake) => {
          wake = awake
        })
      if (arrived.length > 0) return { done: false, value: arrived.shift() }
      stop()
      if (end?.error !== undefined) throw end.error
      return { done: true, value: undefined }
    },
    async return() {
      stop()
      return { done: true, value: undefined }
    },
  }
}
