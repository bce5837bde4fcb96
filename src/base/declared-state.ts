/**
 * The state of a reader, or of a part of one, declared once: each field says what it begins with and what it may hold, and the type of the state,
 * its first value and the check of a snapshot follow from that.
 *
 *     const STATE = { blocks: map(isNumber, isString), usage: record, isOver: flag }
 *     type State = StateOf<typeof STATE>
 *
 *     open: (out, saved) => new Reader(out, resumed(STATE, saved))
 */

import { type IdsState, idsShape } from './ids.ts'
import {
  type Check,
  checkedPart,
  isAnything,
  isBoolean,
  isBytes,
  isCount,
  isInteger,
  isRecord,
  isString,
  isText,
  listOf,
  mapOf,
  nullable,
  type PlainRecord,
  recordOf,
  type Shape,
  setOf,
} from './plain-state.ts'
import { Rope } from './rope.ts'

export interface Field<Value> {
  readonly begin: () => Value
  readonly check: Check<Value>
}

export type StateOf<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never
}

export const initially = (value: boolean): Field<boolean> => ({ begin: () => value, check: isBoolean })
export const flag = initially(false)
export const count: Field<number> = { begin: () => 0, check: isCount }
/** A count that may go below zero. */
export const integer: Field<number> = { begin: () => 0, check: isInteger }
export const text: Field<string> = { begin: () => '', check: isString }
/** A plain object, empty at first. */
export const record: Field<Readonly<Record<string, unknown>>> = { begin: () => ({}), check: isRecord }
/** The state of another reader, which checks it; none at first. */
export const part: Field<unknown> = { begin: () => undefined, check: isAnything }
export const ids: Field<IdsState> = { begin: () => ({ count: 0, taken: null }), check: recordOf(idsShape()) }
/** Text that grows, up to a limit. */
export const rope = (limit: number): Field<Rope> => ({ begin: () => new Rope(), check: isText(limit) })
export const bytes = (limit: number): Field<Uint8Array> => ({
  begin: () => new Uint8Array(),
  check: isBytes(limit),
})

/** Nothing at first. */
export const optional = <Value>(check: Check<Value>): Field<Value | null> => ({
  begin: () => null,
  check: nullable(check),
})
export const list = <Item>(check: Check<Item>): Field<Item[]> => ({ begin: () => [], check: listOf(check) })
export const set = <Item>(check: Check<Item>): Field<Set<Item>> => ({
  begin: () => new Set(),
  check: setOf(check),
})
export const map = <Key, Value>(key: Check<Key>, value: Check<Value>): Field<Map<Key, Value>> => ({
  begin: () => new Map(),
  check: mapOf(key, value),
})

type Fields = Readonly<Record<string, Field<unknown>>>

/** The state that a response begins with. */
export function begun<Declared extends Fields>(fields: Declared): StateOf<Declared> {
  const entries = Object.entries(fields).map(([name, field]) => [name, field.begin()])
  return Object.fromEntries(entries) as StateOf<Declared>
}

function shapeOf<Declared extends Fields>(fields: Declared): Shape<StateOf<Declared>> {
  const entries = Object.entries(fields).map(([name, field]) => [name, field.check])
  return Object.fromEntries(entries) as Shape<StateOf<Declared>>
}

/** Checks a record inside a state that is declared in the same way. */
export function stateCheck<Declared extends Fields>(fields: Declared): Check<StateOf<Declared>> {
  return recordOf(shapeOf(fields) as Shape<PlainRecord<unknown>>) as Check<unknown> as Check<
    StateOf<Declared>
  >
}

/** A record inside a state that is declared in the same way. */
export const nested = <Declared extends Fields>(fields: Declared): Field<StateOf<Declared>> => ({
  begin: () => begun(fields),
  check: stateCheck(fields),
})

/** The state that a response goes on with: a new one, or that of a snapshot, which is refused if it is damaged. */
export function resumed<Declared extends Fields>(fields: Declared, saved: unknown): StateOf<Declared> {
  if (saved === undefined) return begun(fields)
  return checkedPart(shapeOf(fields) as Shape<PlainRecord<unknown>>, saved) as StateOf<Declared>
}
