/** Law 14: `JSON.parse(JSON.stringify(event))` is the same event. */

import { inspect, isDeepStrictEqual } from 'node:util'
import type { Event } from '../../src/event.ts'

/**
 * The fields that are no plain data: a path is a linked list, and a stream fails with any error. Beside them,
 * `custom` events and `metadata` hold what a provider's payload held, which is plain if it was read from JSON.
 */
const EXEMPT: Readonly<Partial<Record<Event['type'], string>>> = {
  'argument-start': 'path',
  'argument-delta': 'path',
  'argument-end': 'path',
  error: 'error',
}

/** What JSON changes among events, or among what a view makes of them; nothing if it changes none. */
export function changedByJson(things: readonly unknown[]): string | undefined {
  const changed = things.find((thing) => {
    const { type } = Object(thing) as Event
    if (!Object.hasOwn(EXEMPT, type)) return !isPlain(thing)
    const { [EXEMPT[type]!]: _, ...rest } = thing as Record<string, unknown>
    return !isPlain(rest)
  })
  return changed === undefined ? undefined : `JSON changes ${inspect(changed, { depth: null })}`
}

/** No undefined, no instance of a class, no -0. */
const isPlain = (value: unknown): boolean => isDeepStrictEqual(value, JSON.parse(JSON.stringify(value)))
