/**
 * State as plain data. A parser keeps what it remembers between two chunks in a record; a snapshot is a copy of that
 * record, and restoring it checks the copy against the record's shape.
 *
 *     interface Counter { count: number; label: string | null }
 *     const COUNTER: Shape<Counter> = { ...scalarsLike(initial()), label: nullable(isString) }
 *
 *     const saved = copyState(counter)
 *     const counter = checkedState(COUNTER, saved)
 *
 * JSON has no maps, sets, bytes and ropes. In a copy, each of them is an object with one key that begins with `$`:
 *
 *     new Map([[0, 'text']])      {"$map":[[0,"text"]]}
 *     { $map: 'plain data' }      {"$fields":[["$map","plain data"]]}
 */

import { SluiceError } from './errors.ts'
import type { JsonValue } from './event.ts'
import { Rope } from './rope.ts'

/**
 * `T` if it is plain data. In a record, a field that is not (a function, an instance of a class, an optional field) does
 * not compile. Of a field whose type is `unknown`, only the copy tells.
 */
export type Plain<T> = unknown extends T
  ? T
  : // JSON itself is recursive, and need not be looked into.
    [JsonValue] extends [T]
    ? T
    : T extends null | boolean | number | string | Uint8Array | Rope
      ? T
      : T extends ReadonlyMap<infer Key, infer Value>
        ? ReadonlyMap<Plain<Key>, Plain<Value>>
        : T extends ReadonlySet<infer Value>
          ? ReadonlySet<Plain<Value>>
          : T extends (...args: never[]) => unknown
            ? never
            : T extends object
              ? { [Key in keyof T]: Plain<T[Key]> }
              : never

/** A record all of whose fields are plain data. */
export type PlainRecord<State> = { [Field in keyof State]: Plain<State[Field]> }

/** Answers whether a value that comes from a snapshot is a `T`. */
export type Check<T> = (value: unknown) => value is T

/** The check of each field of a record. A field without one does not compile. */
export type Shape<State> = { readonly [Field in keyof State]-?: Check<State[Field]> }

/** The fields of a record that hold any boolean, any number or any text. */
type ScalarField<State> = {
  [Field in keyof State]: State[Field] extends boolean | number | string
    ? [Scalar<State[Field]>] extends [State[Field]]
      ? Field
      : never
    : never
}[keyof State]
type Scalar<T> = T extends boolean ? boolean : T extends number ? number : string

/** The checks of those fields, by the example of a record: booleans, integers and text. */
export function scalarsLike<State extends object>(example: State): Pick<Shape<State>, ScalarField<State>> {
  const checks = { boolean: isBoolean, number: isInteger, string: isString }
  const shape: Record<string, Check<unknown>> = {}
  for (const [field, value] of Object.entries(example)) {
    const check = checks[typeof value as keyof typeof checks]
    if (check !== undefined) shape[field] = check
  }
  return shape as Pick<Shape<State>, ScalarField<State>>
}

/** A copy of a record as JSON. It shares nothing with the record. */
export function copyState<State extends PlainRecord<State>>(state: State): JsonValue {
  try {
    return encoded(state) as JsonValue
  } catch (error) {
    throw new SluiceError(
      'invalid-snapshot',
      'The state holds something that JSON cannot, such as a cycle; no snapshot can be taken.',
      { cause: error },
    )
  }
}

/** The record that a copy was made of. Throws if a field is missing, foreign or of another type. */
export function checkedState<State extends PlainRecord<State>>(shape: Shape<State>, data: unknown): State {
  return checkedPart(shape, decode(data))
}

/** The same for a record that was restored as a part of another one, which left the check to it. */
export function checkedPart<State extends PlainRecord<State>>(shape: Shape<State>, state: unknown): State {
  const problem = problemIn(shape, state)
  if (problem !== null) throw damaged(problem)
  return state as State
}

function decode(data: unknown): unknown {
  try {
    return decoded(data)
  } catch (error) {
    throw damaged('it cannot be decoded', error)
  }
}

/** The error for a snapshot that is damaged. */
export function damaged(problem: string, cause?: unknown): SluiceError {
  return new SluiceError(
    'invalid-snapshot',
    `This snapshot is damaged: ${problem}. Restore one that was stored unchanged.`,
    { cause },
  )
}

function problemIn<State>(shape: Shape<State>, state: unknown): string | null {
  if (!isRecord(state)) return 'there is no record where one should be'
  const foreign = Object.keys(state).find((field) => !Object.hasOwn(shape, field))
  if (foreign !== undefined) return `the field '${foreign}' is not known`
  for (const field of Object.keys(shape) as (keyof State & string)[]) {
    if (!Object.hasOwn(state, field)) return `the field '${field}' is missing`
    if (!shape[field](state[field])) return `the field '${field}' has a wrong value`
  }
  return null
}

// ── checks ───────────────────────────────────────────────────────────────────────────────────────

export const isString: Check<string> = (value) => typeof value === 'string'
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean'
export const isInteger: Check<number> = (value): value is number => Number.isSafeInteger(value)
/** Any number that JSON has: an index of a provider, a figure. */
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value)
/** An integer of at least 0: an offset, a length, a depth. */
export const isCount: Check<number> = (value): value is number => isInteger(value) && value >= 0
export const isRope: Check<Rope> = (value): value is Rope => value instanceof Rope && isCount(value.length)
/** A rope whose text is kept, and has at most so many characters. */
export function isText(limit: number): Check<Rope> {
  return (value): value is Rope => isRope(value) && value.isKept && value.length <= limit
}
/** Bytes, at most so many. */
export function isBytes(limit: number): Check<Uint8Array> {
  return (value): value is Uint8Array => value instanceof Uint8Array && value.length <= limit
}
/** A plain object whose fields may hold anything, such as metadata. */
export const isRecord: Check<Readonly<Record<string, unknown>>> = (value): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
/** For a part whose owner checks it. */
export const isAnything: Check<unknown> = (_value): _value is unknown => true

export function oneOf<const Value extends string | number>(...values: readonly Value[]): Check<Value> {
  return (value): value is Value => values.includes(value as Value)
}

export function nullable<Value>(check: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || check(value)
}

export function either<First, Second>(first: Check<First>, second: Check<Second>): Check<First | Second> {
  return (value): value is First | Second => first(value) || second(value)
}

export function listOf<Item>(check: Check<Item>): Check<Item[]> {
  return (value): value is Item[] => Array.isArray(value) && value.every(check)
}

export function setOf<Item>(check: Check<Item>): Check<Set<Item>> {
  return (value): value is Set<Item> => value instanceof Set && [...value].every(check)
}

export function mapOf<Key, Value>(key: Check<Key>, value: Check<Value>): Check<Map<Key, Value>> {
  return (map): map is Map<Key, Value> =>
    map instanceof Map && [...map.keys()].every(key) && [...map.values()].every(value)
}

/** A record inside a record. */
export function recordOf<State extends PlainRecord<State>>(shape: Shape<State>): Check<State> {
  return (value): value is State => problemIn(shape, value) === null
}

// ── maps, sets, bytes and ropes as JSON ──────────────────────────────────────────────────────────

const COLLECTIONS: Readonly<Record<string, new (items: never[]) => Iterable<unknown>>> = {
  $map: Map,
  $set: Set,
  $bytes: Uint8Array,
}

/** What `JSON.parse(JSON.stringify(value))` gives, with the marks. A replacer would make that several times as slow. */
function encoded(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'object':
      return value === null ? null : encodedObject(value)
    case 'bigint':
      throw new TypeError('JSON has no big integers')
    default:
      return undefined
  }
}

function encodedObject(value: object): unknown {
  if (Array.isArray(value)) return value.map((item) => encoded(item) ?? null)
  if (value instanceof Rope) return { $rope: value.save() }
  for (const mark in COLLECTIONS)
    if (value instanceof COLLECTIONS[mark]!) return { [mark]: encoded([...(value as Iterable<unknown>)]) }
  if (typeof (value as Date).toJSON === 'function') return encoded((value as Date).toJSON())
  if (isMarked(value)) return { $fields: encoded(Object.entries(value)) }
  return mapFields(value as Record<string, unknown>, encoded)
}

function decoded(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map(decoded)
  if (!isMarked(data)) return mapFields(data as Record<string, unknown>, decoded)
  const [[mark, content]] = Object.entries(data) as [[string, unknown]]
  if (mark === '$rope') return new Rope(content as string | number)
  const items = decoded(content)
  if (!Array.isArray(items)) throw new TypeError(`${mark} holds a list`)
  if (mark === '$fields') return Object.fromEntries(items)
  return new COLLECTIONS[mark]!(items as never[])
}

/** A record of what is made of each value, without those of which nothing is made. */
function mapFields(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    const value = change(record[key])
    if (value === undefined) continue
    // An assignment would change the prototype.
    if (key === '__proto__') Object.defineProperty(fields, key, { value, ...PLAIN_FIELD })
    else fields[key] = value
  }
  return fields
}

const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true } as const

function isMarked(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0]!.startsWith('$')
}
