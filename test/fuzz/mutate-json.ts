/** Changes to JSON that keep most of its structure. */

import type { JsonValue } from '../../src/base/event.ts'
import { placesIn } from '../laws/damage.ts'
import { mutateText } from './mutate-text.ts'
import type { Random } from './random.ts'

type Container = Record<string, JsonValue>

const ODD: readonly JsonValue[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 1e21, 2 ** 53, -0.0],
  ...['', 'x', '{', '}', '{"a":1', '{"a":1}', '"', '\ud83d', '😀', '__proto__', 'c1', 'ping', '\u0000'],
  ...['stop', 'length', 'error', 'tool_calls', 'tool_use', 'function', 'text', 'assistant', 'system'],
  ...[[], {}, [null], [[]], [{}], { type: 'text' }, { id: 'c1', name: 'ping' }],
]

const copy = <T extends JsonValue>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** The value at a place. */
const at = (whole: JsonValue, path: readonly (string | number)[]): JsonValue =>
  path.reduce<JsonValue>((inner, key) => (inner as Container)[key]!, whole)

/** One change somewhere in a list of values. `other`: a list that parts are taken from. */
function change(list: JsonValue[], random: Random, other: readonly JsonValue[]): void {
  if (list.length === 0) {
    list.push(other.length === 0 ? {} : copy(random.of(other)))
    return
  }
  const here = random.below(list.length)
  const how = random.below(12)
  if (how === 0) list.splice(here, 1)
  else if (how === 1) list.splice(random.below(list.length + 1), 0, copy(list[here]!))
  else if (how === 2) list.splice(random.below(list.length), 0, ...list.splice(here, 1))
  else if (how === 3) list.length = here + 1
  else if (how === 4 && other.length > 0) list.splice(here, 0, copy(random.of(other)))
  else if (how === 5 && list.length < 60) list.push(...copy(list.slice(here)))
  else {
    const path = random.of(placesIn(list[here]!))
    if (path.length === 0) return
    const parent = at(list[here]!, path.slice(0, -1)) as Container
    spoil(parent, String(path.at(-1)), random, other)
  }
}

/** Changes one field. */
function spoil(parent: Container, key: string, random: Random, other: readonly JsonValue[]): void {
  const value = parent[key]!
  const how = random.below(9)
  if (how === 0) {
    if (Array.isArray(parent)) (parent as JsonValue[]).splice(Number(key), 1)
    else delete parent[key]
  } else if (how === 1) parent[key] = [value]
  else if (how === 2 && !Array.isArray(parent)) parent[random.of(Object.keys(parent))] = copy(value)
  else if (how === 3 && other.length > 0) {
    const donor = random.of(other)
    parent[key] = copy(at(donor, random.of(placesIn(donor))))
  } else if (how === 4 && Array.isArray(value)) value.push(...copy(value))
  else if (how <= 6 && typeof value === 'string')
    parent[key] = mutateText(value, random, { text: value, markup: ['{"a":', '}', '","b":"', '\\'] }, 200)
  else if (how === 7 && typeof value === 'number') parent[key] = value + random.of([1, -1, 0.5, 1e9])
  else parent[key] = copy(random.of(ODD))
}

/** A list with one to four changes. */
export function mutateList(
  list: readonly JsonValue[],
  random: Random,
  other: readonly JsonValue[],
): JsonValue[] {
  const changed = copy([...list])
  for (let count = 1 + random.below(4); count > 0; count--) change(changed, random, other)
  return changed
}

/** Smaller lists that may show the same: without some of its values, and without a field of one. */
export function* smallerLists(list: readonly JsonValue[]): Generator<JsonValue[]> {
  for (let size = list.length >> 1 || 1; size >= 1; size >>= 1)
    for (let from = 0; from < list.length; from += size)
      yield [...list.slice(0, from), ...list.slice(from + size)]
  for (const [index, value] of list.entries())
    for (const path of placesIn(value)) {
      if (path.length === 0) continue
      const smaller = copy([...list])
      const parent = at(smaller[index]!, path.slice(0, -1)) as Container
      const key = path.at(-1)!
      const inner = parent[key]
      if (Array.isArray(parent)) (parent as JsonValue[]).splice(Number(key), 1)
      else delete parent[key]
      yield smaller
      if (typeof inner !== 'string' || inner.length < 2) continue
      const shorter = copy([...list])
      ;(at(shorter[index]!, path.slice(0, -1)) as Container)[key] = inner.slice(0, inner.length >> 1)
      yield shorter
    }
}
