/** Law 14: `JSON.parse(JSON.stringify(event))` is the same event. */

import { inspect, isDeepStrictEqual } from 'node:util'

/**
 * What JSON changes among events, or among what a view makes of them; nothing if it changes none. `custom` events and
 * `metadata` hold what a provider's payload held, which is plain if it was read from JSON.
 */
export function changedByJson(things: readonly unknown[]): string | undefined {
  const changed = things.find((thing) => !isPlain(thing))
  return changed === undefined ? undefined : `JSON changes ${inspect(changed, { depth: null })}`
}

/** No undefined, no instance of a class, no -0. */
const isPlain = (value: unknown): boolean => isDeepStrictEqual(value, JSON.parse(JSON.stringify(value)))
