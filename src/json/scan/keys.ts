/**
 * Keys that are the same string wherever they stand. Each is cut out of its text anew, and the objects of many
 * calls have the same few; so those that came lately are kept, and used in place of their equals.
 */

/** A longer part of a text may be nothing but a view of it, which would keep the whole of it. */
const LONGEST_KEY = 12

/** Each key has one place, which it may have to give to another. */
const PLACES = 256
const lately: string[] = new Array(PLACES).fill('')

export function sharedKey(key: string): string {
  const { length } = key
  if (length > LONGEST_KEY) return key
  const place = (key.charCodeAt(0) * 31 + key.charCodeAt(length - 1) * 7 + length) & (PLACES - 1)
  const shared = lately[place]!
  if (shared === key) return shared
  lately[place] = key
  return key
}
