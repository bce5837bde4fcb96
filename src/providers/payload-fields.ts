/** Reads fields of payloads, which may hold anything: what is not of the wanted type is not there. */

import type { JsonValue } from '../base/event.ts'
import { type Fields, isFields } from '../base/fields.ts'
import { stringify } from '../values/numbers/stringify.ts'
import { writeJson } from '../values/numbers/written.ts'
import { plainValue } from './plain-value.ts'

const NONE: Fields = Object.freeze({})
/** Most payloads lack most lists, and an empty one need not be made. */
const NOTHING: readonly never[] = Object.freeze([])

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NONE
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING
}

/** The elements of a list as fields; what is none of it is empty. A list that a program made may have holes. */
export function fieldsIn(value: unknown): readonly Fields[] {
  const list = listOf(value)
  return list.length === 0 ? NOTHING : Array.from(list, fieldsOf)
}

/** The text, or none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const OTHER_ROLES = new Set(['user', 'tool', 'function', 'system', 'developer'])

/** Whether a message of this role is not the model's: nothing in it is a call, and none of it is its answer. */
export function isOtherRole(role: unknown): boolean {
  return OTHER_ROLES.has(textOf(role).toLowerCase())
}

/** The first of them that is a word. */
export function firstWord(...values: readonly unknown[]): string | undefined {
  return values.map(wordOf).find((word) => word !== undefined)
}

/** The texts in a list, or none where there is no list. */
export function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** All of them together, as far as they are there. */
export function sumOf(...numbers: readonly (number | undefined)[]): number | undefined {
  const found = numbers.filter((number) => number !== undefined)
  return found.length === 0 ? undefined : found.reduce((sum, number) => sum + number, 0)
}

/** What a response cost, in dollars: OpenRouter has it as a number, Perplexity in parts, xAI in ten-billionths. */
export function costOf({ cost, cost_in_usd_ticks }: Fields): number | undefined {
  const ticks = numberOf(cost_in_usd_ticks)
  const total = numberOf(cost) ?? numberOf(fieldsOf(cost).total_cost)
  return total ?? (ticks === undefined ? undefined : ticks / 1e10)
}

/** Those fields that are there: null and undefined are the same as none. */
export function present(fields: Fields): Fields | undefined {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Whether a value could be arguments, or a piece of them: text, or an object; not a number, a flag or a list of such. */
export function mayHoldArguments(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (Array.isArray(value))
    return value.some((one) => (Array.isArray(one) ? one.length > 0 : mayHoldArguments(one)))
  return isFields(value) && Object.keys(value).length > 0
}

/** Whether a payload holds more than these fields, and it may be arguments under a name that is not known. */
export function holdsOthers(fields: Fields, known: ReadonlySet<string>): boolean {
  for (const field of Object.keys(fields))
    if (!known.has(field) && mayHoldArguments(fields[field])) return true
  return false
}

/** The arguments of a call that is whole: none of them if nothing is there that could be some. */
export function wholeArguments(args: unknown, fields: Fields, known: ReadonlySet<string>): unknown {
  return args ?? (holdsOthers(fields, known) ? undefined : {})
}

/** The JSON text of a value; undefined where it holds what JSON cannot. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return writeJson(value)
  } catch (error) {
    // Too deep for the platform; anything else is no JSON at all.
    return error instanceof RangeError ? stringify(value as JsonValue) : undefined
  }
}

/** A value as text: text as it is, and anything else as JSON. */
export function contentOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return jsonOf(plainValue(value)) ?? ''
}

/** What a tool answered: the text of its blocks where all of them are text. */
export function resultText(content: unknown): string {
  const blocks = fieldsIn(content)
  const isText = blocks.length > 0 && blocks.every((block) => typeof block.text === 'string')
  return isText ? blocks.map((block) => block.text).join('') : contentOf(content)
}

/** The value that a tool's answer is, where it is written as JSON, and otherwise its text. */
export function answerOf(content: string): unknown {
  if (!/^\s*[{[]/.test(content)) return content
  try {
    return JSON.parse(content)
  } catch {
    return content
  }
}
