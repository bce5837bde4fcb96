/** A run while it goes on: its records, for whoever started it, and where they are kept. */

import { errorRecord } from '../errors.ts'
import type { FinishReason, SluiceEvent } from '../event.ts'
import type { Log, RunWriter } from '../log/log.ts'
import { isHeader, type RunEnd } from '../log/run-record.ts'
import { OpenEvents } from '../open-events.ts'
import { TurnError } from '../turn/turn-error.ts'

/** The events of one record. */
export interface Step {
  readonly n: number
  readonly events: readonly SluiceEvent[]
}

export interface Run {
  /** Why there is no response, where it failed before its first event. */
  readonly refusal: { error?: unknown }
  readonly steps: AsyncGenerator<Step, void, undefined>
}

/** What the upstream has sent since the last record. */
export class PendingInput {
  private pieces: (string | Uint8Array)[] = []
  private readonly isKept: boolean

  /** `isKept`: somebody takes what is gathered. */
  constructor(isKept: boolean) {
    this.isKept = isKept
  }

  readonly add = (piece: string | Uint8Array): void => {
    if (this.isKept) this.pieces.push(piece)
  }

  clear(): void {
    this.pieces = []
  }

  take(): string | Uint8Array {
    const pieces = this.pieces
    this.pieces = []
    if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
    return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
  }
}

/** A failure before the first event becomes the error that it is. */
async function* withErrors(
  events: AsyncIterable<SluiceEvent>,
  refusal: { error?: unknown },
): AsyncGenerator<SluiceEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    refusal.error = error
    yield { type: 'error', error: errorRecord(error instanceof TurnError ? (error.cause ?? error) : error) }
    yield { type: 'finish', reason: 'error' }
  }
}

/** A run that nobody can come back to: nothing is kept, and its client sets the pace. */
export function directRun(events: AsyncIterable<SluiceEvent>): Run {
  const refusal: { error?: unknown } = {}
  async function* steps(): AsyncGenerator<Step, void, undefined> {
    let n = 1
    for await (const event of withErrors(events, refusal)) yield { n: n++, events: [event] }
  }
  return { refusal, steps: steps() }
}

/** So many events wait for the log before the upstream has to wait. */
const MOST_PENDING = 2_000

/** A run that is kept: it goes on whether anybody reads it or not, and its client reads the log as everybody does. */
export function loggedRun(
  log: Log,
  writer: RunWriter,
  events: AsyncIterable<SluiceEvent>,
  input: PendingInput,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Run {
  const refusal: { error?: unknown } = {}
  void produce(writer, withErrors(events, refusal), input, onFailure)
  return { refusal, steps: stepsOf(log, writer.id, signal) }
}

/**
 * The records of a run behind its header. Where the log fails in between, the reader is told: the rest may be there later,
 * and this is not the end of the response.
 */
export async function* stepsOf(
  log: Log,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Step, void, undefined> {
  const open = new OpenEvents()
  let n = 0
  try {
    for await (const record of log.read(id, { from: 1, signal })) {
      if (isHeader(record)) continue
      n = record.n
      for (const event of record.events) open.add(event)
      yield record
    }
  } catch (error) {
    const events: SluiceEvent[] = [
      ...open.end(),
      { type: 'error', error: errorRecord(error) },
      { type: 'finish', reason: 'error' },
    ]
    yield { n: n + 1, events }
  }
}

/**
 * Appends what comes. While one record is being stored, the next one gathers what has come in the meantime, so that a slow
 * log makes larger records and not a slower stream.
 */
async function produce(
  writer: RunWriter,
  events: AsyncIterable<SluiceEvent>,
  input: PendingInput,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const start = performance.now()
  let pending: SluiceEvent[] = []
  let storing: Promise<void> | undefined
  let hasFailed = false
  const store = async (): Promise<void> => {
    try {
      while (pending.length > 0) {
        const at = performance.now() - start
        const ready = pending
        pending = []
        const last = ready.at(-1)
        const arrived = input.take()
        if (last?.type !== 'finish') await writer.append({ at, input: arrived, events: ready })
        else {
          // What arrived last has a record of its own: the closing one has no place for it.
          const isKept = arrived.length > 0
          if (isKept) await writer.append({ at, input: arrived, events: ready.slice(0, -1) })
          await writer.close({ at, events: isKept ? [last] : ready, ...endOf(last.reason, ready) })
        }
      }
    } catch (error) {
      hasFailed = true
      writer.release()
      // What cannot be kept is told to nobody, so that the upstream need not go on.
      onFailure(error)
    } finally {
      storing = undefined
    }
  }
  for await (const event of events) {
    pending.push(event)
    storing ??= store()
    if (pending.length > MOST_PENDING) await storing
    if (hasFailed) break
  }
  await storing
}

function endOf(reason: FinishReason, events: readonly SluiceEvent[]): Pick<RunEnd, 'end' | 'error'> {
  if (reason === 'aborted') return { end: 'interrupted' }
  if (reason !== 'error') return { end: 'finished' }
  const error = events.find((event) => event.type === 'error')
  return { end: 'failed', ...(error && { error: error.error.message }) }
}
