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

/** The state that a plain copy was made of. */
export function fromPlain(plain: JsonValue): unknown {
  return JSON.parse(JSON.stringify(plain), unpacked)
}

function packed(this: unknown, key: string, value: unknown): unknown {
  // As it was before its own `toJSON`, which Node gives to bytes.
  const given = (this as Record<string, unknown>)[key]
  if (given instanceof Map) return { $map: [...given] }
  if (given instanceof Set) return { $set: [...given] }
  if (given instanceof Rope) return { $rope: given.toString() }
  if (given instanceof Uint8Array) return { $bytes: base64Of(given) }
  return markOf(value) === undefined ? value : { $fields: Object.entries(value as object) }
}

function unpacked(_key: string, value: unknown): unknown {
  const mark = markOf(value)
  if (mark === undefined) return value
  const held = (value as Record<string, unknown>)[mark]
  if (mark === '$map') return new Map(held as [unknown, unknown][])
  if (mark === '$set') return new Set(held as unknown[])
  if (mark === '$rope') return new Rope(held as string)
  return mark === '$bytes' ? bytesOf(held as string) : Object.fromEntries(held as [string, unknown][])
}

/** The only key of an object, where it begins with `$`. */
function markOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0]!.startsWith('$') ? keys[0] : undefined
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
