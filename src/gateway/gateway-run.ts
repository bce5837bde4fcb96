/** A run in progress: its records for the client that started it, and their storage. */

import { errorRecord } from '../base/errors.ts'
import type { Finish, FinishReason, SluiceEvent } from '../base/event.ts'
import { OpenEvents } from '../base/open-events.ts'
import type { Log, RunWriter } from '../runs/log/log.ts'
import { LogError } from '../runs/log/log-error.ts'
import { isHeader, type RunEnd, type RunStep, type StreamPlace } from '../runs/log/run-record.ts'
import { TurnError } from '../turn/turn-error.ts'

/** The events of one record. */
export interface Step {
  /** `UNSTORED` for what is in no log. */
  readonly n: number
  readonly events: readonly SluiceEvent[]
}

/** The number of a record that is not stored: nobody can come back to a position in it. */
export const UNSTORED = Number.POSITIVE_INFINITY

/** Steps as they come, which one reader takes. */
export interface Steps {
  next(): Promise<IteratorResult<Step, void>>
  /** The reader takes no more. */
  return(): Promise<unknown>
  [Symbol.asyncIterator](): AsyncIterator<Step, void, undefined>
}

export interface Run {
  /** Why there is no response, where it failed before its first event. */
  readonly refusal: { error?: unknown }
  readonly steps: Steps
  /** The client reads no more of the steps. */
  leave(): void
}

/** What the upstream has sent since the last record. */
export class PendingInput {
  private pieces: (string | Uint8Array)[] = []
  private place: StreamPlace | undefined
  readonly isKept: boolean

  /** `isKept`: the input is stored, so it is buffered until `take`. */
  constructor(isKept: boolean) {
    this.isKept = isKept
  }

  /** `place`: where the upstream's stream goes on behind the piece, if the upstream keeps it. */
  readonly add = (piece: string | Uint8Array, place?: StreamPlace): void => {
    if (!this.isKept) return
    this.pieces.push(piece)
    this.place = place
  }

  clear(): void {
    this.pieces = []
    this.place = undefined
  }

  take(): Arrived {
    const { pieces, place } = this
    this.clear()
    return { input: joined(pieces), ...(place && { place }) }
  }
}

type Arrived = Required<Pick<RunStep, 'input'>> & Pick<RunStep, 'place'>

function joined(pieces: readonly (string | Uint8Array)[]): string | Uint8Array {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

/** A failure before the first event becomes the error that it is. */
function failed(error: unknown, refusal: Run['refusal']): readonly SluiceEvent[] {
  refusal.error = error
  const record = errorRecord(error instanceof TurnError ? (error.cause ?? error) : error)
  return [
    { type: 'error', error: record },
    { type: 'finish', reason: 'error' },
  ]
}

async function* withErrors(
  events: AsyncIterable<SluiceEvent>,
  refusal: Run['refusal'],
): AsyncGenerator<SluiceEvent, void, undefined> {
  try {
    for await (const event of events) yield event
  } catch (error) {
    for (const event of failed(error, refusal)) yield event
  }
}

/** A run that cannot be resumed: nothing is stored, and the client applies back-pressure. */
export function directRun(events: AsyncIterable<SluiceEvent>): Run {
  const refusal: { error?: unknown } = {}
  async function* steps(): AsyncGenerator<Step, void, undefined> {
    let n = 1
    try {
      for await (const event of events) yield { n: n++, events: [event] }
    } catch (error) {
      yield { n, events: failed(error, refusal) }
    }
  }
  return runOf(refusal, steps())
}

function runOf(refusal: Run['refusal'], steps: Run['steps']): Run {
  return { refusal, steps, leave: () => void steps.return().catch(() => {}) }
}

/** Where a run is kept. */
export interface KeptRun {
  readonly log: Log
  readonly writer: RunWriter
  readonly input: PendingInput
  /** The log failed. */
  onFailure(error: unknown): void
}

/** A run of which only the outcome is stored. The client applies back-pressure, and cannot resume it. */
export function outcomeRun(events: AsyncIterable<SluiceEvent>, { writer, onFailure }: KeptRun): Run {
  async function* noted(): AsyncGenerator<SluiceEvent, void, undefined> {
    const start = performance.now()
    let isOver = false
    const close = async (finish: Finish): Promise<void> => {
      if (isOver) return
      isOver = true
      try {
        const { metadata: _, ...bare } = finish
        await writer.close({ at: performance.now() - start, events: [bare], ...endOf(bare.reason, []) })
      } catch (error) {
        writer.release()
        onFailure(error)
      }
    }
    try {
      for await (const event of events) {
        if (event.type === 'finish') await close(event)
        yield event
      }
    } catch (error) {
      await close({ type: 'finish', reason: 'error' })
      throw error
    } finally {
      // Its client has left.
      await close({ type: 'finish', reason: 'aborted' })
    }
  }
  return directRun(noted())
}

/** So many events wait for the log before the upstream has to wait. */
const MOST_PENDING = 2_000

/**
 * A run that is kept: it goes on whether anybody reads it or not.
 *
 * `required`: its client reads the log as everybody does, and a log that fails ends the run. `best-effort`: its client gets
 * what is stored, and where the log fails, `note` and the rest.
 */
export function loggedRun(
  events: AsyncIterable<SluiceEvent>,
  kept: KeptRun,
  durability: 'required' | 'best-effort',
  note: SluiceEvent,
  abort: (reason?: unknown) => void,
): Run {
  const { log, writer, input, onFailure } = kept
  const refusal: { error?: unknown } = {}
  const told = withErrors(events, refusal)
  if (durability === 'required') {
    const reading = new AbortController()
    void produce(writer, told, input, {
      // Without the log no client can read the response, so the upstream is aborted.
      onFailure: (error) => {
        onFailure(error)
        abort(error)
        // Where somebody else has taken the run over, its client reads what that one writes, as everybody does.
        if (!isTakenOver(error)) reading.abort(error)
      },
    })
    return runOf(refusal, stepsOf(log, writer.id, reading.signal))
  }
  let hasFailed = false
  const steps = new StepQueue(MOST_PENDING, () => {
    if (hasFailed) abort()
  })
  void produce(writer, told, input, {
    onFailure: (error) => {
      hasFailed = true
      onFailure(error)
      // The client was the only one who could still read it.
      if (steps.isLeft) abort(error)
    },
    onStored: (step) => steps.push(step),
    onUnstored: (step, isFirst) => steps.push(isFirst ? { ...step, events: [note, ...step.events] } : step),
  }).finally(() => steps.end())
  return { refusal, steps: steps.read(), leave: () => steps.leave() }
}

/** Whether somebody else goes on with a run, or has closed it. */
export function isTakenOver(error: unknown): boolean {
  return error instanceof LogError && (error.code === 'fenced' || error.code === 'closed')
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
  try {
    for await (const record of log.read(id, { from: 1, signal })) {
      if (isHeader(record)) continue
      for (const event of record.events) open.add(event)
      yield record
    }
  } catch (error) {
    const events: SluiceEvent[] = [
      ...open.end(),
      { type: 'error', error: errorRecord(error) },
      { type: 'finish', reason: 'error' },
    ]
    yield { n: UNSTORED, events }
  }
}

interface Production {
  onFailure(error: unknown): void
  /** A record is stored. */
  onStored?(step: Step): Promise<void>
  /** The log has failed, and this is not stored. Without it, the run ends with the log. */
  onUnstored?(step: Step, isFirst: boolean): Promise<void>
}

/**
 * Appends what comes. While one record is being stored, the next one gathers what has come in the meantime, so that a slow
 * log makes larger records and not a slower stream.
 */
export async function produce(
  writer: RunWriter,
  events: AsyncIterable<SluiceEvent>,
  input: PendingInput,
  { onFailure, onStored, onUnstored }: Production,
): Promise<void> {
  // A run may be older than whoever goes on with it.
  const start = performance.now() - Math.max(0, Date.now() - writer.header.run.created)
  let pending: SluiceEvent[] = []
  let storing: Promise<void> | undefined
  let hasFailed = false
  const failures: SluiceEvent[] = []
  const keep = async ({ events: told, ...arrived }: Batch): Promise<void> => {
    if (hasFailed) {
      await onUnstored?.({ n: UNSTORED, events: told }, false)
      return
    }
    const { next } = writer
    const at = performance.now() - start
    const last = told.at(-1)
    try {
      if (last?.type !== 'finish') await writer.append({ at, ...arrived, events: told })
      else await writer.close({ at, events: told, ...endOf(last.reason, failures) })
    } catch (error) {
      hasFailed = true
      writer.release()
      onFailure(error)
      await onUnstored?.({ n: UNSTORED, events: told }, true)
      return
    }
    await onStored?.({ n: next, events: told })
  }
  const store = async (): Promise<void> => {
    while (pending.length > 0) {
      const ready = pending
      pending = []
      for (const batch of batchesOf(ready, input.take())) await keep(batch)
    }
  }
  for await (const event of events) {
    if (event.type === 'error') failures.push(event)
    pending.push(event)
    storing ??= store().finally(() => {
      storing = undefined
    })
    if (pending.length > MOST_PENDING) await storing
    if (hasFailed && onUnstored === undefined) break
  }
  while (storing !== undefined) await storing
}

interface Batch extends Arrived {
  readonly events: readonly SluiceEvent[]
}

/** What is stored as one record. What arrived last has a record of its own: the closing one has no place for it. */
function batchesOf(events: readonly SluiceEvent[], arrived: Arrived): readonly Batch[] {
  if (events.at(-1)?.type !== 'finish' || arrived.input.length === 0) return [{ events, ...arrived }]
  return [
    { events: events.slice(0, -1), ...arrived },
    { events: events.slice(-1), input: '' },
  ]
}

/** Steps on their way from one who makes them to one who reads them. */
class StepQueue {
  private readonly steps: Step[] = []
  private readonly limit: number
  private count = 0
  private isOver = false
  /** The reader has left. */
  isLeft = false
  private wake = (): void => {}
  private proceed = (): void => {}

  private readonly onLeave: () => void

  /** `limit`: how many events may wait before `push` waits, too. */
  constructor(limit: number, onLeave: () => void) {
    this.limit = limit
    this.onLeave = onLeave
  }

  async push(step: Step): Promise<void> {
    if (this.isLeft) return
    this.steps.push(step)
    this.count += step.events.length
    this.wake()
    if (this.count > this.limit)
      await new Promise<void>((resolve) => {
        this.proceed = resolve
      })
  }

  end(): void {
    this.isOver = true
    this.wake()
  }

  async *read(): AsyncGenerator<Step, void, undefined> {
    try {
      for (;;) {
        const step = this.steps.shift()
        if (step !== undefined) {
          this.count -= step.events.length
          if (this.count <= this.limit) this.proceed()
          yield step
        } else if (this.isOver) return
        else
          await new Promise<void>((resolve) => {
            this.wake = resolve
          })
      }
    } finally {
      this.leave()
    }
  }

  leave(): void {
    if (this.isLeft) return
    this.isLeft = true
    this.isOver = true
    this.steps.length = 0
    this.wake()
    this.proceed()
    this.onLeave()
  }
}

function endOf(reason: FinishReason, events: readonly SluiceEvent[]): Pick<RunEnd, 'end' | 'error'> {
  if (reason === 'aborted') return { end: 'interrupted' }
  if (reason !== 'error') return { end: 'finished' }
  const error = events.find((event) => event.type === 'error')
  return { end: 'failed', ...(error && { error: error.error.message }) }
}
