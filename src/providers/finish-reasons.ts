/** The providers' words for why a model stopped, and ours. */

import type { FinishReason } from '../event.ts'

export type ReasonTable = Readonly<Record<string, FinishReason>>

/** Words that are new are `other`; the raw reason says which. */
export function normaliseReason(raw: string, table: ReasonTable): FinishReason {
  return Object.hasOwn(table, raw) ? table[raw]! : 'other'
}
