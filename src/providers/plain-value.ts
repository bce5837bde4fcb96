/**
 * Payloads that a provider's own client decoded hold what JSON has no words for: bytes, dates, big integers, numbers
 * that are none, instances of classes. Events are plain data, so what they carry of such a payload is made plain here.
 */

import { toBase64 } from '../base/base64.ts'
import type { JsonValue, Sink } from '../base/event.ts'
import { isFields } from '../base/fields.ts'

/** A sink whose events carry plain data only. */
export function plainSink(sink: Sink): Sink {
  return (event) => {
    if (event.type === 'custom') sink({ ...event, value: plainValue(event.value) })
    else if ('metadata' in event && isFields(event.metadata) && !isPlain(event.metadata))
      sink({ ...event, metadata: plainFields(event.metadata) })
    else sink(event)
  }
}

/**
 * The value as JSON would bring it back, with bytes as base64. What is plain already is the same value.
 *
 *     plainValue({ data: Uint8Array.of(72, 105), at: new Date(0) })   // { data: 'SGk=', at: '1970-01-01T00:00:00.000Z' }
 */
export function plainValue(value: unknown): JsonValue {
  return isPlain(value) ? value : (copied(value, []) ?? null)
}

/** Looks at each value once, without recursion: JSON from the wire may be deep. What is there twice may be a cycle. */
function isPlain(value: unknown): value is JsonValue {
  const open = [value]
  const seen = new Set<object>()
  while (open.length > 0) {
    const next = open.pop()
    if (next === null || typeof next === 'string' || typeof next === 'boolean') continue
    if (typeof next === 'number' ? !isJsonNumber(next) : typeof next !== 'object') return false
    if (typeof next !== 'object') continue
    if (seen.has(next) || !isPlainObject(next)) return false
    seen.add(next)
    for (const inner of Object.values(next)) open.push(inner)
    // A list with holes has fewer keys.
    if (Array.isArray(next) && Object.keys(next).length !== next.length) return false
  }
  return true
}

const isJsonNumber = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0)

function isPlainObject(value: object): boolean {
  return (
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) &&
    typeof (value as { readonly toJSON?: unknown }).toJSON !== 'function'
  )
}

/** Deeper than any client builds its objects. */
const DEEPEST = 1000

/** Undefined for what JSON leaves out. `inside`: the objects around the value, to find cycles. */
function copied(value: unknown, inside: readonly object[]): JsonValue | undefined {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== 'object')
    return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
  if (value === null || inside.includes(value) || inside.length > DEEPEST) return null
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value))
  if (ArrayBuffer.isView(value))
    return toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  const around = [...inside, value]
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return copied(jsonOf(value as Jsonable), around)
  if (Array.isArray(value) || value instanceof Set)
    return Array.from(value, (item) => copied(item, around) ?? null)
  return plainFields(value instanceof Map ? Object.fromEntries(value) : value, around)
}

interface Jsonable {
  toJSON(): unknown
}

/** What the object says it is in JSON; a date that is none throws. */
function jsonOf(value: Jsonable): unknown {
  try {
    return value.toJSON()
  } catch {
    return null
  }
}

function plainFields(value: object, around: readonly object[] = [value]): { [key: string]: JsonValue } {
  const fields = Object.entries(value).flatMap(([key, field]): [string, JsonValue][] => {
    const plain = copied(field, around)
    return plain === undefined ? [] : [[key, plain]]
  })
  return Object.fromEntries(fields)
}
