/** Damaged snapshots: one field anywhere in them is replaced, removed or added. */

import { SluiceError } from '../../src/base/errors.ts'
import type { JsonValue } from '../../src/base/event.ts'

type Path = readonly (string | number)[]

const REPLACEMENTS: readonly JsonValue[] = [null, -1, 1e9, '', 'x', true, false, [], {}, 0, 1]

/** How many ways there are to damage one place. */
export const DAMAGES = REPLACEMENTS.length + 2

/** Every place in plain data, the whole first. */
export function placesIn(data: JsonValue, path: Path = []): Path[] {
  if (typeof data !== 'object' || data === null) return [path]
  return [path, ...Object.entries(data).flatMap(([key, value]) => placesIn(value, [...path, key]))]
}

/** A copy with one place damaged; undefined where the damage would change nothing. */
export function damaged(data: JsonValue, path: Path, damage: number): JsonValue | undefined {
  const copy: unknown = JSON.parse(JSON.stringify({ data }))
  let parent = copy as Record<string, unknown>
  const whole = ['data', ...path]
  for (const key of whole.slice(0, -1)) parent = parent[key] as Record<string, unknown>
  const key = whole.at(-1)!
  const before = JSON.stringify(copy)
  if (damage < REPLACEMENTS.length) parent[key] = REPLACEMENTS[damage]
  else if (damage > REPLACEMENTS.length) parent.foreign = 1
  else if (Array.isArray(parent)) (parent as unknown[]).splice(Number(key), 1)
  else delete parent[key]
  if (JSON.stringify(copy) === before) return undefined
  return (copy as { data?: JsonValue }).data ?? null
}

/** What is restored; null if its snapshot was refused because it is damaged. Any other error is thrown. */
export function restored<Restored>(restore: () => Restored): Restored | null {
  try {
    return restore()
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'invalid-snapshot') return null
    throw error
  }
}
