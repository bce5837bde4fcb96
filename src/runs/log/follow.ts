/** Reading a run that still grows: what is there, and then whatever is added, until the last record. */

import type { ReadOptions } from './log.ts'
import { LogError, unknownRun } from './log-error.ts'
import { isLast, RecordDecoder, type RunRecord } from './run-record.ts'
import type { Extent, StoredRecord } from './run-store.ts'

/** One run of a store. */
interface Followed {
  fetch(from: number): Promise<readonly StoredRecord[]>
  extent(): Promise<Extent | undefined>
  watch(wake: () => void): () => void
}

/** A hint may get lost with a connection, so that a reader looks by itself now and then. */
const LOOK_MS = 250

export async function* follow(
  id: string,
  { fetch, extent, watch }: Followed,
  { from = 0, signal }: ReadOptions,
): AsyncGenerator<RunRecord, void, undefined> {
  signal?.throwIfAborted()
  let hasNews = true
  let wake: (() => void) | undefined
  const onNews = (): void => {
    hasNews = true
    wake?.()
  }
  const unwatch = watch(onNews)
  signal?.addEventListener('abort', onNews)
  try {
    const decoder = new RecordDecoder(id)
    // The header says how the other lines are read.
    let next = 0
    let seen = -1
    for (;;) {
      hasNews = false
      const records = await fetch(next)
      signal?.throwIfAborted()
      for (const [n, line] of records) {
        // A part of the run has expired, or someone else wrote to it.
        if (n !== next) throw n > next && next === 0 ? unknownRun(id) : gap(id, next, n)
        next++
        seen = n
        const record = decoder.decode(n, line)
        if (n >= from) yield record
        if (isLast(record)) return
        signal?.throwIfAborted()
      }
      // The header is all that was wanted of what stands before `from`.
      if (next > 0 && next < from) next = await skip(id, extent, next, from)
      if (records.length > 0) continue
      const known = await extent()
      if (known === undefined) throw unknownRun(id)
      // A store that came back without what it had acknowledged: this reader knows of records that are gone.
      if (known.next < next || (known.isClosed && known.next === next && seen === next - 1))
        throw new LogError('damaged', `The run '${id}' has lost records that were stored.`)
      if (known.isClosed && known.next === next) return
      if (known.next > next || hasNews) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = undefined
      signal?.throwIfAborted()
    }
  } finally {
    signal?.removeEventListener('abort', onNews)
    unwatch()
  }
}

/** Where reading goes on behind the header: at `from`, or at the end of a run that is shorter. */
async function skip(id: string, extent: Followed['extent'], next: number, from: number): Promise<number> {
  const known = await extent()
  if (known === undefined) throw unknownRun(id)
  return Math.max(next, Math.min(from, known.next))
}

function gap(id: string, wanted: number, found: number): LogError {
  return new LogError('damaged', `The run '${id}' has record ${found} where record ${wanted} should be.`)
}
