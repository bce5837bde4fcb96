/**
 * Keys that are the same string wherever they stand. Each is cut out of its text anew, and the objects of many
 * calls have the same few; so those that came lately are kept, and used in place of their equals.
 */

const MOST_KEYS = 256
/** A longer part of a text may be nothing but a view of it, which would keep the whole of it. */
const LONGEST_KEY = 12

const known = new Map<string, string>()

export function sharedKey(key: string): string {
  if (key.length > LONGEST_KEY) return key
  const shared = known.get(key)
  if (shared !== undefined) return shared
  if (known.size === MOST_KEYS) known.clear()
  known.set(key, key)
  return key
}
