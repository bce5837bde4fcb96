/** JSON to the letter, as text holds it that a schema gives its type. */

import type { JsonValue } from '../../base/event.ts'
import { parseWritten } from '../numbers/written.ts'

/** The value of a text, with its numbers as written; undefined for one that is no JSON or may mean several values. */
export function parseJson(text: string): JsonValue | undefined {
  const value = readJson(text)
  return repeatsKey(text, value) ? undefined : value
}

/** Whether a text is JSON with an object that has a key twice. `JSON.parse` keeps the last, others the first. */
export function hasRepeatedKey(text: string): boolean {
  return repeatsKey(text, readJson(text))
}

function readJson(text: string): JsonValue | undefined {
  try {
    return parseWritten(text) as JsonValue
  } catch {
    return undefined
  }
}

/** A key that is there twice is written twice, and the value has it once. */
function repeatsKey(text: string, value: JsonValue | undefined): boolean {
  return value !== undefined && keysWrittenIn(text) > keysOf(value)
}

/** How many keys JSON has: each has a colon behind it, and outside of strings nothing else has one. */
function keysWrittenIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++)
    if (text[at] === ':') count++
    else if (text[at] === '"') at = endOfString(text, at)
  return count
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** How many keys the objects in a value have. No recursion: values can be deep. */
function keysOf(value: JsonValue): number {
  let count = 0
  const open: JsonValue[] = [value]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const inside = Object.values(one)
    if (!Array.isArray(one)) count += inside.length
    for (const member of inside) open.push(member)
  }
  return count
}
