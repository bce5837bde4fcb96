/** Counts how often the blocks of `src/` run. Must be loaded before any of `src/` is. */

import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector'

let session: Session | undefined

if (process.env.SLUICE_GROWTH !== 'time') {
  session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** How many blocks of the library ran since the last time this was asked. */
export function takeBlockCount(): number {
  let count = 0
  // Node calls back before `post` returns.
  session?.post('Profiler.takePreciseCoverage', (_error, taken) => {
    for (const script of taken?.result ?? []) if (script.url.includes('/src/')) count += blocksOf(script)
  })
  return count
}

function blocksOf({ functions }: Profiler.ScriptCoverage): number {
  let count = 0
  for (const { ranges } of functions) for (const range of ranges) count += range.count
  return count
}
