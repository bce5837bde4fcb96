/** Starts runs: the request goes to its upstream, and what comes back is read, judged, counted and kept. */

import { setMaxListeners } from 'node:events'
import { messageOf } from '../base/errors.ts'
import type { SluiceEvent } from '../base/event.ts'
import type { Fields } from '../base/fields.ts'
import type { Log, RunWriter } from '../runs/log/log.ts'
import type { LostRun } from '../runs/log/take-over.ts'
import { linkedController } from '../turn/abort.ts'
import { keyOf, type RunLimits } from './access.ts'
import type { Asked } from './asked.ts'
import { type AttemptScope, attemptResponse } from './attempts.ts'
import { BackgroundResponse, isBackground } from './background-response.ts'
import type { GatewayConfig } from './gateway-config.ts'
import {
  directRun,
  isTakenOver,
  type KeptRun,
  loggedRun,
  outcomeRun,
  PendingInput,
  produce,
  type Run,
} from './gateway-run.ts'
import type { Metrics } from './metrics.ts'
import { noteEvent } from './note.ts'
import { reattachmentOf } from './reattach.ts'
import { type AskAgain, repairedResponse } from './repair-round.ts'
import { STREAM_NAME, stopStream, streamName } from './replayed-stream.ts'
import { aboutOf, idsOf, newRunId, type RunAbout } from './run-about.ts'
import { spanOf, type Tracing } from './tracing.ts'
import { modelOf, type OnInput } from './upstream.ts'
import { UpstreamStart } from './upstream-start.ts'
import { createVerifier } from './verify.ts'
import { whenOver } from './when-over.ts'

/** One line of the log of what happens, as JSON. No content and no keys. */
export type Report = (level: 'info' | 'warn' | 'error', what: string, more?: Fields) => void

export interface StarterOptions {
  readonly config: GatewayConfig
  readonly log: Log | undefined
  readonly limits: RunLimits
  readonly metrics: Metrics
  readonly report: Report
  readonly tracing: Tracing | undefined
}

export interface StartedRun {
  readonly run: Run
  readonly about: RunAbout
  /** The client can come back. */
  readonly isResumable: boolean
  /** The client does not read any more. */
  onLeave(): void
}

/** Headers of the client that an upstream of the same protocol may need. */
const PASSED_HEADERS = ['anthropic-beta', 'anthropic-version', 'openai-beta', 'traceparent', 'tracestate']

export class RunStarter {
  private readonly options: StarterOptions
  /** Fires when runs may not go on any longer. */
  private readonly end = new AbortController()
  /** What goes on, so that it can be waited for. */
  private readonly running = new Set<Promise<void>>()

  constructor(options: StarterOptions) {
    this.options = options
    // Each run listens, as long as it goes on.
    setMaxListeners(0, this.end.signal)
  }

  /** One run for each answer. All of them get a place, or none does. */
  async start(asked: Asked): Promise<readonly StartedRun[]> {
    const places: (() => void)[] = []
    try {
      for (let choice = 0; choice < asked.choices; choice++)
        places.push(this.options.limits.enter(asked.owner))
      return await Promise.all(places.map((leave, choice) => this.startOne(asked, choice, leave)))
    } catch (error) {
      for (const leave of places) leave()
      throw error
    }
  }

  private async startOne(asked: Asked, choice: number, leave: () => void): Promise<StartedRun> {
    const { config, log } = this.options
    const id = newRunId()
    // Node 20 leaks signals that are composed with `any`.
    const controller = linkedController(this.end.signal)
    const over = (): void => {
      controller.release()
      leave()
    }
    const writer = await this.writerFor(asked, id)
    const isKept = asked.keeps === 'content' && writer !== undefined
    const input = new PendingInput(isKept)
    const events = this.tracked(this.eventsOf(id, asked, choice, input, controller.signal), over)
    const about: RunAbout = (writer && aboutOf(writer.header)) ?? { ...asked.about, id, created: Date.now() }
    // A stop is a request of its own, which may come from anywhere.
    writer?.signal.addEventListener('abort', () => controller.abort(writer.signal.reason), { once: true })
    const onFailure = (error: unknown): void => this.failed(id, error)
    const kept: KeptRun | undefined = writer && { log: log!, writer, input, onFailure }
    let run: Run
    if (kept === undefined) run = directRun(asked.keeps === 'nothing' ? events : withNote(events, NOT_KEPT))
    else if (!isKept) run = outcomeRun(events, kept)
    else run = loggedRun(events, kept, config.durability, NOT_KEPT, (reason) => controller.abort(reason))
    const onLeave = (): void => {
      // A client that leaves wants no more of it, unless it can come back.
      if (!isKept) controller.abort()
      run.leave()
    }
    return { run, about, isResumable: isKept, onLeave }
  }

  /** Where the log does not answer, the upstream is not even asked, unless the response matters more than its record. */
  private async writerFor(asked: Asked, id: string): Promise<RunWriter | undefined> {
    const { log, config } = this.options
    const { keeps, about, route } = asked
    if (keeps === 'nothing' || log === undefined) return undefined
    try {
      // What tools there are is content, too.
      if (keeps === 'outcome') return await log.create({ ...about, tools: [], id, keeps })
      return await log.create({ ...about, id, kind: route.upstream === undefined ? 'text' : 'bytes' })
    } catch (error) {
      // A background request has no other way to its response.
      if (config.durability === 'required' || asked.isBackground) throw error
      this.failed(id, error)
      return undefined
    }
  }

  private async *eventsOf(
    id: string,
    { incoming, request: asked, route, about }: Asked,
    choice: number,
    input: PendingInput,
    signal: AbortSignal,
  ): AsyncGenerator<SluiceEvent, void, undefined> {
    const { config, metrics, tracing } = this.options
    const { upstream } = route
    const name = upstream?.name ?? 'scripted'
    const headers: Record<string, string> = {}
    for (const header of PASSED_HEADERS) {
      const isOwn = !header.startsWith('anthropic') || upstream?.protocol === 'anthropic'
      const value = incoming.headers.get(header)
      if (value !== null && isOwn) headers[header] = value
    }
    const passed = { key: keyOf(incoming.headers), headers, stream: true }
    // With one seed, all answers would be the same.
    const seed = choice > 0 ? asked.settings?.seed : undefined
    const own =
      seed === undefined ? asked : { ...asked, settings: { ...asked.settings, seed: seed + choice } }
    const background = isBackground(own, upstream) ? new BackgroundResponse() : undefined
    const isReplayed = about.isReplayed === true && input.isKept
    let stream: string | undefined
    const beginning = new UpstreamStart()
    const onInput: OnInput = (piece, next) => {
      beginning.add(piece)
      background?.add(piece)
      input.add(piece, stream !== undefined && next !== undefined ? { stream, offset: next } : undefined)
    }
    /** Stops a response that continues at the upstream without a reader. */
    const stopUpstream = (): void => {
      if (background !== undefined) this.finishing(background.cancel(upstream!, incoming))
      if (stream !== undefined) this.finishing(stopStream(upstream!, stream))
    }
    const { model, request } = modelOf(route, own, passed, onInput)
    const { tools } = about
    const onAttempt = (attempt: number): void => {
      input.clear()
      beginning.clear()
      if (attempt > 1) metrics.retries.inc()
      if (!isReplayed) return
      stopUpstream()
      stream = streamName(id, attempt)
      // The headers are read when the request is sent.
      headers[STREAM_NAME] = stream
    }
    const protocol = upstream?.protocol ?? 'openai-chat'
    const advice = (): string => beginning.advice({ name, protocol })
    const onFailure: AttemptScope['onFailure'] = ({ status, kind }, message, attempt) =>
      this.options.report('warn', 'the upstream failed', {
        ...{ run: id, upstream: name, protocol, attempt },
        ...(status !== undefined && { status }),
        kind,
        ...(message !== undefined && { message }),
      })
    const ask: AskAgain = (again, round) => {
      const newIds = (): ReturnType<typeof idsOf> => idsOf(id, round)
      return judged(
        attemptResponse({
          ...{ model, request: again, tools, newIds, config, signal },
          ...{ onAttempt, onFailure, advice },
        }),
        createVerifier(about),
      )
    }
    const span = spanOf(tracing, { protocol: about.client, upstream: name, model: about.model })
    const start = performance.now()
    let isFirst = true
    let hasFailed = true
    try {
      const events = config.repair === 'once' ? repairedResponse(request, ask, about) : ask(request, 1)
      for await (const event of events) {
        if (isFirst) metrics.observeFirst((performance.now() - start) / 1000, name)
        isFirst = false
        metrics.count(event, name, about.client)
        span.add(event)
        if (event.type === 'finish') hasFailed = event.reason === 'error'
        if (event.type === 'diagnostic') this.warn(event.code, event.message, name)
        yield event
      }
    } catch (error) {
      span.fail(error)
      throw error
    } finally {
      span.end()
      // A gateway that took the run over may be reading the response.
      if ((signal.aborted || hasFailed) && !isTakenOver(signal.reason)) stopUpstream()
    }
  }

  /** Goes on with the run of a lost producer, if its upstream does. */
  goOn(run: LostRun, writer: RunWriter): boolean {
    const { config, metrics, report } = this.options
    const found = reattachmentOf(run, config)
    if (found === undefined) return false
    const controller = linkedController(this.end.signal)
    writer.signal.addEventListener('abort', () => controller.abort(writer.signal.reason), { once: true })
    const input = new PendingInput(true)
    const events = this.tracked(found.events(input.add, controller.signal), () => controller.release())
    metrics.takeovers.inc()
    report('warn', 'goes on with the run of a lost producer', { run: writer.id })
    void produce(writer, events, input, {
      onFailure: (error) => {
        this.failed(writer.id, error)
        controller.abort(error)
      },
    })
    return true
  }

  private failed(run: string, error: unknown): void {
    this.options.metrics.logFailures.inc()
    this.options.report('error', 'the run cannot be kept', { run, message: messageOf(error) })
  }

  /** Loud where a server writes otherwise than it was configured. */
  private warn(code: string, message: string, upstream: string): void {
    if (code === 'looks-like-a-call' || code === 'stripped-tokens')
      this.options.report('warn', 'the dialect does not fit', { code, message, upstream })
  }

  /** Events whose end is noticed. */
  private tracked(
    events: AsyncGenerator<SluiceEvent, void, undefined>,
    over: () => void,
  ): AsyncIterable<SluiceEvent> {
    let resolve = (): void => {}
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    this.running.add(promise)
    return whenOver(events, () => {
      over()
      this.running.delete(promise)
      resolve()
    })
  }

  /** Work that `drain` waits for. It must not reject. */
  private finishing(work: Promise<void>): void {
    this.running.add(work)
    void work.then(() => this.running.delete(work))
  }

  /** Waits for what runs, and stops what takes too long. */
  async drain(): Promise<void> {
    const timer = setTimeout(() => this.end.abort(), this.options.config.drainMs)
    // Stopping a run adds a request that stops its upstream.
    while (this.running.size > 0) await Promise.all(this.running)
    clearTimeout(timer)
  }
}

const NOT_KEPT = noteEvent({ notKept: 'The log is unavailable, so this response cannot be resumed.' })

async function* withNote(
  events: AsyncIterable<SluiceEvent>,
  note: SluiceEvent,
): AsyncGenerator<SluiceEvent, void, undefined> {
  let isTold = false
  for await (const event of events) {
    yield event
    // Behind the first event: a response that fails has none before it.
    if (!isTold && event.type !== 'finish') yield note
    isTold = true
  }
}

async function* judged(
  events: AsyncIterable<SluiceEvent>,
  verify: ReturnType<typeof createVerifier>,
): AsyncGenerator<SluiceEvent, void, undefined> {
  for await (const event of events) for (const judged of verify(event)) yield judged
}
