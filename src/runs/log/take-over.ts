/** Closes the run of a lost producer with an error; no open call may run. */

import { messageOf } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { OpenEvents } from '../../base/open-events.ts'
import type { Log, RunWriter } from './log.ts'
import { LogError } from './log-error.ts'
import { isHeader, isLast, type RunHeader, type RunStep } from './run-record.ts'

/** The header and records of a lost run. */
export interface LostRun {
  readonly header: RunHeader
  readonly steps: readonly RunStep[]
}

/**
 * The events that end what is open, without `error` and `finish`. They may include what the producer had received and
 * not emitted.
 */
export type Ending = (run: LostRun) => Iterable<SluiceEvent>

/** Returns true if it continues the run; it then owns the writer. */
export type GoOn = (run: LostRun, writer: RunWriter) => boolean

/** From the events alone: what was held back is gone with the producer. */
function endingOfEvents({ steps }: LostRun): Iterable<SluiceEvent> {
  const open = new OpenEvents()
  for (const { events } of steps) for (const event of events) open.add(event)
  return open.end()
}

/** The code of the `error` event in a run that was closed for its producer. */
const PRODUCER_LOST = 'producer-lost'

/**
 * Claims a run and closes it. False if there is nothing to close: its producer is alive, or another process was faster.
 *
 *     for (const id of await log.lost()) await takeOver(log, id)
 */
export async function takeOver(
  log: Log,
  id: string,
  ending: Ending = endingOfEvents,
  goOn: GoOn = () => false,
): Promise<boolean> {
  const writer = await log.claim(id)
  if (writer === undefined) return false
  try {
    const steps: RunStep[] = []
    const count = writer.next
    if (count > 1)
      for await (const record of log.read(id)) {
        if (!isHeader(record)) steps.push(record)
        // Another one closed it in between, which the append below is going to show, or this was all.
        if (isLast(record) || record.n + 1 >= count) break
      }
    const run: LostRun = { header: writer.header, steps }
    if (goOn(run, writer)) return false
    const message = 'The producer of this run was lost; the response is not complete.'
    const events: SluiceEvent[] = [
      ...ending(run),
      { type: 'error', error: { name: 'LogError', message, code: PRODUCER_LOST } },
      { type: 'finish', reason: 'error' },
    ]
    const at = Math.max(steps.at(-1)?.at ?? 0, Date.now() - writer.header.run.created)
    await writer.close({ at, events, end: 'failed', error: message })
    return true
  } catch (error) {
    writer.release()
    if (error instanceof LogError && (error.code === 'fenced' || error.code === 'closed')) return false
    throw error
  }
}

/** Options of `watchLost`. */
export interface WatcherOptions {
  readonly ending?: Ending
  /** Asked before a run is closed. */
  readonly goOn?: GoOn
  /** Called when a run was closed for its producer. */
  readonly onTakeover?: (id: string) => void
  /** Called when the log could not be looked at. It is tried again. */
  readonly onError?: (message: string) => void
}

/** Half of what a reader may have to wait beyond the lease. */
const LOOK_MS = 400

/** Looks for lost runs, and closes them, until it is stopped. Any number of processes may do so. */
export function watchLost(log: Log, { ending, goOn, onTakeover, onError }: WatcherOptions = {}): () => void {
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      for (const id of await log.lost()) if (await takeOver(log, id, ending, goOn)) onTakeover?.(id)
    } catch (error) {
      onError?.(messageOf(error))
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref?.()
  void look()
  return () => clearInterval(timer)
}
