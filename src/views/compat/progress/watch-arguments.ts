// Reports selected arguments of a call, by pointer: `/path`, `/edits/*/path`.

import { SluiceError } from '../../../base/errors.ts'
import type { ArgumentKind, ArgumentPath, JsonValue, SluiceEvent } from '../../../base/event.ts'
import type { ToolTable } from '../../../engine/calls/tools.ts'
import { type ArgumentEvent, followCalls, type GrowingCall, OpenCall } from './growing-call.ts'
import { checkPointer } from './pointer-check.ts'
import { type PatternKey, PointerPatterns, readPointer } from './pointer-pattern.ts'
import type { PointerOf, ValueAt } from './pointer-types.ts'

/** Where a value stands. */
export interface Place {
  readonly call: GrowingCall
  readonly path: ArgumentPath
}

/** What is wanted of a value: a function takes it when it is complete. */
export type Handler<Value> = ((value: Value, place: Place) => void) | HandlerParts<Value>

/** The handlers of one argument. Each is optional. */
export interface HandlerParts<Value> {
  /** It begins. */
  start?(kind: ArgumentKind, place: Place): void
  /** A string grew by this much. */
  delta?(delta: string, place: Place): void
  /** It is complete and will not change. */
  end?(value: Value, place: Place): void
}

/** By pointer. The types are those that the tool's schema promises; the values are not validated. */
export type Handlers<Input> = {
  readonly [Pointer in PointerOf<Input>]?: Handler<ValueAt<Input, Pointer>>
}

type Watchable = GrowingCall<string, unknown> | AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>

/** One signature for calls and streams, so that a wrong pointer is an error at the pointer. */
type WatchedInput<Subject> = Subject extends GrowingCall<string, infer Input> ? Input : JsonValue

/**
 * Watches some arguments of a call, or of every call in a stream of events.
 *
 *     watch(call, {
 *       '/path': (path) => console.log('creating', path),
 *       '/content': { delta: (piece) => process.stdout.write(piece) },
 *     })
 *
 * For a call it answers a function that stops watching, for a stream a promise of its end.
 */
export function watch<const Subject extends Watchable>(
  subject: Subject,
  handlers: Handlers<WatchedInput<Subject>>,
): Subject extends GrowingCall<string, unknown> ? () => void : Promise<void>
export function watch(subject: Watchable, handlers: Handlers<JsonValue>): (() => void) | Promise<void> {
  const { patterns, keys, checked } = compile(handlers)
  if (subject instanceof OpenCall) {
    const { tools, toolName } = subject
    if (tools !== undefined && !checked.has(tools)) {
      for (const [pointer, path] of keys) checkPointer(pointer, path, toolName, tools)
      checked.add(tools)
    }
    return watchCall(subject, patterns)
  }
  if (typeof subject === 'object' && subject !== null && isIterable(subject))
    return watchStream(subject, patterns)
  throw new SluiceError(
    'invalid-source',
    'watch takes a call that followCalls or createCallFollower handed out, or a stream of events.',
  )
}

type AnyHandler = Partial<HandlerParts<JsonValue>>

interface Compiled {
  readonly patterns: PointerPatterns<AnyHandler>
  readonly keys: readonly (readonly [pointer: string, keys: readonly PatternKey[]])[]
  /** The tools whose schemas have such arguments. */
  readonly checked: WeakSet<ToolTable>
}

/** The same handlers are often given for call after call. */
const compiled = new WeakMap<object, Compiled>()

function compile(handlers: Handlers<JsonValue>): Compiled {
  const known = compiled.get(handlers)
  if (known !== undefined) return known
  const patterns = new PointerPatterns<AnyHandler>()
  const all: [string, readonly PatternKey[]][] = []
  for (const [pointer, handler] of Object.entries(handlers) as [string, Handler<JsonValue> | undefined][]) {
    const keys = readPointer(pointer)
    if (handler === undefined) continue
    if (typeof handler !== 'function' && (typeof handler !== 'object' || handler === null))
      throw new SluiceError(
        'invalid-option',
        `The handler of '${pointer}' must be a function or an object of functions.`,
      )
    all.push([pointer, keys])
    patterns.add(keys, typeof handler === 'function' ? { end: handler } : partsOf(pointer, handler))
  }
  const made = { patterns, keys: all, checked: new WeakSet<ToolTable>() }
  compiled.set(handlers, made)
  return made
}

/** It may hold other things, too, which are its own; but something of it has to be called. */
function partsOf(pointer: string, handler: HandlerParts<JsonValue>): AnyHandler {
  const parts = [handler.start, handler.delta, handler.end].filter((part) => part !== undefined)
  if (parts.length > 0 && parts.every((part) => typeof part === 'function')) return handler
  throw new SluiceError(
    'invalid-option',
    `The handler of '${pointer}' needs at least one of the functions start, delta and end.`,
  )
}

function watchCall(call: OpenCall, patterns: PointerPatterns<AnyHandler>): () => void {
  const cursor = patterns.cursor()
  let path: ArgumentPath | undefined
  let handlers: readonly AnyHandler[] = []
  const listener = (event: ArgumentEvent): void => {
    // The events of one string share their path.
    if (event.path !== path) {
      path = event.path
      handlers = cursor.goTo(path)
    }
    if (handlers.length > 0) notify(handlers, event, { call, path })
  }
  call.listeners.add(listener)
  return () => void call.listeners.delete(listener)
}

function notify(handlers: readonly AnyHandler[], event: ArgumentEvent, place: Place): void {
  for (const handler of handlers) {
    if (event.type === 'argument-delta') handler.delta?.(event.delta, place)
    else if (event.type === 'argument-start') handler.start?.(event.kind, place)
    else handler.end?.(event.value, place)
  }
}

async function watchStream(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  patterns: PointerPatterns<AnyHandler>,
): Promise<void> {
  for await (const call of followCalls(events)) watchCall(call as OpenCall, patterns)
}

function isIterable(subject: object): subject is AsyncIterable<SluiceEvent> | Iterable<SluiceEvent> {
  return Symbol.asyncIterator in subject || Symbol.iterator in subject
}
