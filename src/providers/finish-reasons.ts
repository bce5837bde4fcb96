/** The providers' words for why a model stopped, and ours. */

import type { FinishReason } from '../event.ts'
import type { Output } from './output.ts'
import { wordOf } from './payload-fields.ts'

export type ReasonTable = Readonly<Record<string, FinishReason>>

/** Words that are new are `other`; the raw reason says which. */
export function normaliseReason(raw: string, table: ReasonTable): FinishReason {
  return Object.hasOwn(table, raw) ? table[raw]! : 'other'
}

/** Says why the model stopped, if this is a provider's word for it. */
export function sayReason(given: unknown, table: ReasonTable, out: Output): void {
  const raw = wordOf(given)
  if (raw !== undefined) out.finish(normaliseReason(raw, table), raw)
}
