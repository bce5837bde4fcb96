/** Joins what a provider attached to the same thing in several pieces. */

import type { Metadata } from './event.ts'
import { isFields } from './fields.ts'

/** Both, field by field: the fields of one provider come one after the other. Null, which a state can hold, is none. */
export function mergeMetadata(before: Metadata | null, more: Metadata | undefined): Metadata | null {
  if (before === null || more === undefined) return before ?? more ?? null
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(more)) {
    const known = merged.get(key)
    merged.set(key, isFields(known) && isFields(value) ? { ...known, ...value } : value)
  }
  return Object.fromEntries(merged)
}
