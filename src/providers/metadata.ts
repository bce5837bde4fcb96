/** What a provider attaches for itself, under the provider's name: `{ anthropic: { signature: '…' } }`. */

import type { Metadata } from '../event.ts'

/** Both, field by field: the fields of one provider come one after the other. */
export function mergeMetadata(
  before: Metadata | undefined,
  more: Metadata | undefined,
): Metadata | undefined {
  if (before === undefined || more === undefined) return before ?? more
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(more)) {
    const known = merged.get(key)
    merged.set(key, isObject(known) && isObject(value) ? { ...known, ...value } : value)
  }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
