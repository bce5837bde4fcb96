/** What JSON values need that the language does not give. */

import type { JsonValue } from '../../base/event.ts'

export type JsonObject = { [key: string]: JsonValue }

/** Sets a key as data, also one called `__proto__`. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Whether two JSON values are equal: the order of keys does not count, `1` and `1.0` are one number. */
export function isSameJson(first: unknown, second: unknown): boolean {
  const waiting: [unknown, unknown][] = [[first, second]]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      waiting.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]])
    }
  }
  return true
}
