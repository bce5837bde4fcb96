/**
 * What a parser remembers, as plain data. State is one object of plain data, maps, sets, bytes and ropes; JSON
 * knows nothing of the last four, so each of them becomes an object with one key that begins with `$`.
 *
 *     new Map([[0, 'text']])      {"$map":[[0,"text"]]}
 *     { $map: 'from a wire' }     {"$fields":[["$map","from a wire"]]}
 */

import { SluiceError } from '../errors.ts'
import type { JsonValue } from '../event.ts'
import { Rope } from '../rope.ts'

/** A copy as plain data, which shares nothing with the state. */
export function toPlain(state: object): JsonValue {
  try {
    return JSON.parse(JSON.stringify(state, packed)) as JsonValue
  } catch (error) {
    throw new SluiceError(
      'invalid-snapshot',
      'What was read holds something that JSON cannot, such as a cycle; no snapshot can be taken.',
      { cause: error },
    )
  }
}

/** The state that a plain copy was made of. It shares nothing with the copy, and is no deeper than JSON may be. */
export function fromPlain(plain: JsonValue): unknown {
  if (typeof plain !== 'object' || plain === null) return plain
  if (Array.isArray(plain)) return plain.map(fromPlain)
  const entries = Object.entries(plain)
  const [[mark = '', held = null] = []] = entries
  if (entries.length !== 1 || !mark.startsWith('$')) {
    for (const entry of entries) (entry as [string, unknown])[1] = fromPlain(entry[1])
    return Object.fromEntries(entries)
  }
  if (mark === '$rope') return new Rope(held as string)
  if (mark === '$bytes') return bytesOf(held as string)
  const list = fromPlain(held) as [string, unknown][]
  if (mark === '$map') return new Map(list)
  return mark === '$set' ? new Set(list) : Object.fromEntries(list)
}

function packed(this: unknown, key: string, value: unknown): unknown {
  // As it was before its own `toJSON`, which Node gives to bytes.
  const given = (this as Record<string, unknown>)[key]
  if (given instanceof Map) return { $map: [...given] }
  if (given instanceof Set) return { $set: [...given] }
  if (given instanceof Rope) return { $rope: given.toString() }
  if (given instanceof Uint8Array) return { $bytes: base64Of(given) }
  return isMarked(value) ? { $fields: Object.entries(value as object) } : value
}

function isMarked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0]!.startsWith('$')
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
