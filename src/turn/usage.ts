/** What a turn used, over all its responses. */

import type { Usage } from '../base/event.ts'

/** Fields that were never reported stay absent. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other) as [string, unknown][])
    if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value
  return sum
}
