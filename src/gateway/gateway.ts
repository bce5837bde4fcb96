/** The gateway: a client's request in, a run, and the answer in the client's own protocol. */

import type { ToolDefinitions } from '../calls/tools.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { readRequest } from '../conversation/read-request.ts'
import { messageOf } from '../errors.ts'
import type { SluiceEvent } from '../event.ts'
import type { Fields } from '../fields.ts'
import type { Log } from '../log/log.ts'
import { watchLost } from '../log/take-over.ts'
import { linkedController } from '../turn/abort.ts'
import { authorise, keyOf, RunLimits } from './access.ts'
import { attemptResponse } from './attempts.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { GatewayError, gatewayError } from './gateway-error.ts'
import { directRun, loggedRun, PendingInput, type Run } from './gateway-run.ts'
import { endingOf } from './lost-ending.ts'
import { Metrics } from './metrics.ts'
import { offeredTools } from './offered-tools.ts'
import type { ClientProtocol } from './protocols.ts'
import { readJson } from './read-body.ts'
import { refuse, respondStreamed, respondWhole } from './respond.ts'
import { type AboutFields, aboutOf, idsOf, newRunId, type RunAbout } from './run-about.ts'
import { spanOf, type Tracing } from './tracing.ts'
import { modelOf, type Route, readingOf, routeOf } from './upstream.ts'
import { createVerifier } from './verify.ts'
import { begunResponse } from './whole.ts'

/** One line of the log of what happens, as JSON. No content and no keys. */
export type Report = (level: 'info' | 'warn' | 'error', what: string, more?: Fields) => void

export interface GatewayOptions {
  readonly config: GatewayConfig
  readonly log?: Log | undefined
  readonly report?: Report
  readonly tracing?: Tracing | undefined
}

/** Headers of the client that an upstream of the same protocol may need. */
const PASSED_HEADERS = ['anthropic-beta', 'anthropic-version', 'openai-beta', 'traceparent', 'tracestate']

const MOST_CHATS = 10_000

export class Gateway {
  readonly config: GatewayConfig
  readonly log: Log | undefined
  readonly report: Report
  readonly limits: RunLimits
  readonly metrics: Metrics
  private readonly tracing: Tracing | undefined
  private readonly stopWatching: (() => void) | undefined
  /** Fires when runs may not go on any longer. */
  private readonly end = new AbortController()
  /** What goes on, so that it can be waited for. */
  private readonly running = new Set<Promise<void>>()
  /** The last run of each chat of the AI SDK, which comes back by the id of the chat alone. */
  private readonly chats = new Map<string, string>()
  isDraining = false

  constructor({ config, log, report = () => {}, tracing }: GatewayOptions) {
    this.config = config
    this.log = log
    this.report = report
    this.tracing = tracing
    this.limits = new RunLimits(config)
    this.metrics = new Metrics(() => this.limits.running)
    this.stopWatching =
      log &&
      watchLost(log, {
        ending: endingOf,
        onTakeover: (run) => {
          this.metrics.takeovers.inc()
          report('warn', 'closed the run of a lost producer', { run })
        },
        onError: (message) => report('error', 'the log cannot be looked at', { message }),
      })
  }

  /** Refuses clients that may not come in. */
  ownerOf(request: Request): string {
    return authorise(this.config, keyOf(request.headers))
  }

  /** The same for something new: none is begun while it shuts down. */
  admit(request: Request): string {
    if (this.isDraining) throw new GatewayError(503, 'overloaded', 'The gateway is shutting down.', 5)
    return this.ownerOf(request)
  }

  async handle(protocol: ClientProtocol, request: Request): Promise<Response> {
    try {
      const owner = this.admit(request)
      const body = await readJson(request, this.config.maxBodyBytes)
      return await this.answer(protocol, request, body, owner)
    } catch (error) {
      return this.refused(protocol, error)
    }
  }

  refused(protocol: ClientProtocol, error: unknown): Response {
    const known = gatewayError(error)
    this.metrics.refused.inc({ kind: known.kind })
    this.report('warn', 'refused', { status: known.status, kind: known.kind, message: known.message })
    return refuse(protocol, known)
  }

  private async answer(
    protocol: ClientProtocol,
    incoming: Request,
    body: Fields,
    owner: string,
  ): Promise<Response> {
    const { request: read, diagnostics } = readRequest(protocol.format, body)
    // Pages have no tools of their own in this protocol; an application sends them along.
    const isPage = protocol.name === 'ai-sdk-ui' && Array.isArray(body.tools)
    const request: ModelRequest = isPage ? { ...read, tools: body.tools as ToolDefinitions } : read
    if ((request.settings?.candidates ?? 1) > 1)
      throw new GatewayError(
        400,
        'invalid-request',
        "'n' is above 1; the gateway gives one answer per request.",
      )
    if (request.messages.length === 0 && request.previousResponseId === undefined)
      throw new GatewayError(400, 'invalid-request', 'The request has no messages.')
    for (const { code, message } of diagnostics) this.report('info', 'request', { code, message })
    const route = routeOf(this.config, request.model)
    const isStreamed = protocol.isStreamed(body)
    const isBackground = protocol.name === 'openai-responses' && body.background === true
    const isResumable = this.isResumable(incoming, isBackground)
    // It may have left while its request was read.
    incoming.signal.throwIfAborted()
    const id = newRunId()
    const about = this.aboutRun(protocol, request, route, owner)
    const leave = this.limits.enter(owner)
    // Node 20 leaks signals that are composed with `any`.
    const controller = linkedController(this.end.signal)
    const over = (): void => {
      controller.release()
      leave()
    }
    let run: Run
    let known: RunAbout
    try {
      const input = new PendingInput(isResumable)
      const events = this.eventsOf(id, incoming, request, route, about, input, controller.signal)
      ;({ run, known } = isResumable
        ? await this.logged(id, events, input, about, route, controller, over)
        : this.direct(id, events, about, over))
    } catch (error) {
      over()
      throw error
    }
    const onLeave = (): void => {
      // A client that leaves wants no more of it, unless it can come back.
      if (!isResumable) controller.abort()
      void run.steps.return().catch(() => {})
    }
    incoming.signal.addEventListener('abort', onLeave, { once: true })
    if (isResumable && protocol.name === 'ai-sdk-ui' && typeof body.id === 'string')
      this.rememberChat(owner, body.id, known.id)
    if (isBackground && !isStreamed) {
      void run.steps.return().catch(() => {})
      return Response.json(begunResponse(known), { headers: { 'sluice-run': known.id } })
    }
    const hasExtensions =
      this.config.extensions === 'always' || incoming.headers.get('sluice-extensions') === '1'
    const options = { config: this.config, hasExtensions, isResumable, onLeave }
    return isStreamed || protocol.whole === undefined
      ? respondStreamed(run, protocol, known, options)
      : respondWhole(run, protocol, known, options)
  }

  /** The run that a chat can come back to, where this process has started it. */
  runOfChat(owner: string, chat: string): string | undefined {
    return this.chats.get(`${owner} ${chat}`)
  }

  private rememberChat(owner: string, chat: string, run: string): void {
    const key = `${owner} ${chat}`
    this.chats.delete(key)
    this.chats.set(key, run)
    const [oldest] = this.chats.keys()
    if (this.chats.size > MOST_CHATS && oldest !== undefined) this.chats.delete(oldest)
  }

  private isResumable(incoming: Request, isBackground: boolean): boolean {
    const { resumable } = this.config
    const isAsked = isBackground || incoming.headers.get('sluice-resumable') === '1'
    if (isAsked && (this.log === undefined || resumable === 'never'))
      throw new GatewayError(
        400,
        'invalid-request',
        'This gateway keeps no runs to come back to; start it with --log.',
      )
    return this.log !== undefined && (resumable === 'always' || (resumable === 'asked' && isAsked))
  }

  private aboutRun(
    protocol: ClientProtocol,
    request: ModelRequest,
    route: Route,
    owner: string,
  ): AboutFields {
    const { upstream, settings, model } = route
    const { dialect, start } = readingOf(route)
    const isNamed = dialect !== undefined && 'name' in dialect
    return {
      model: request.model ?? model ?? 'unknown',
      client: protocol.name,
      owner,
      includesUsage: request.settings?.includeUsage === true,
      allow: this.config.allow,
      verify: this.config.verify,
      tools: offeredTools(request, upstream?.protocol),
      ...(upstream && { provider: upstream.protocol }),
      ...(upstream === undefined && { dialect: 'hermes' }),
      // A dialect that came with the name of a model is found by that name again.
      ...(isNamed && { dialect: settings.dialect === 'auto' ? `model:${model}` : (dialect.name as string) }),
      ...(start === 'reasoning' && { start }),
    }
  }

  private async *eventsOf(
    id: string,
    incoming: Request,
    asked: ModelRequest,
    route: Route,
    about: AboutFields,
    input: PendingInput,
    signal: AbortSignal,
  ): AsyncGenerator<SluiceEvent, void, undefined> {
    const { upstream } = route
    const name = upstream?.name ?? 'scripted'
    const headers: Record<string, string> = {}
    for (const header of PASSED_HEADERS) {
      const isOwn = !header.startsWith('anthropic') || upstream?.protocol === 'anthropic'
      const value = incoming.headers.get(header)
      if (value !== null && isOwn) headers[header] = value
    }
    const passed = { key: keyOf(incoming.headers), headers, stream: true }
    const { model, request } = modelOf(route, asked, passed, input.add)
    const tools = about.tools
    const verify = createVerifier(about)
    const span = spanOf(this.tracing, { protocol: about.client, upstream: name, model: about.model })
    const start = performance.now()
    let isFirst = true
    const onAttempt = (attempt: number): void => {
      input.clear()
      if (attempt > 1) this.metrics.retries.inc()
    }
    try {
      const scope = { model, request, tools, newIds: () => idsOf(id), config: this.config, signal, onAttempt }
      for await (const event of attemptResponse(scope)) {
        if (isFirst) this.metrics.observeFirst((performance.now() - start) / 1000, name)
        isFirst = false
        for (const judged of verify(event)) {
          this.metrics.count(judged, name, about.client)
          span.add(judged)
          if (judged.type === 'diagnostic') this.warn(judged.code, judged.message, name)
          yield judged
        }
      }
    } catch (error) {
      span.fail(error)
      throw error
    } finally {
      span.end()
    }
  }

  /** Loud where a server writes otherwise than it was configured. */
  private warn(code: string, message: string, upstream: string): void {
    if (code === 'looks-like-a-call' || code === 'stripped-tokens')
      this.report('warn', 'the dialect does not fit', { code, message, upstream })
  }

  private direct(
    id: string,
    events: AsyncIterable<SluiceEvent>,
    about: AboutFields,
    over: () => void,
  ): { run: Run; known: RunAbout } {
    const run = directRun(this.tracked(events, over))
    return { run, known: { ...about, id, created: Date.now() } }
  }

  /** Events whose end is noticed. */
  private async *tracked(
    events: AsyncIterable<SluiceEvent>,
    over: () => void,
  ): AsyncGenerator<SluiceEvent, void, undefined> {
    const { promise, resolve } = withResolver()
    this.running.add(promise)
    try {
      yield* events
    } finally {
      over()
      this.running.delete(promise)
      resolve()
    }
  }

  private async logged(
    id: string,
    events: AsyncIterable<SluiceEvent>,
    input: PendingInput,
    about: AboutFields,
    route: Route,
    controller: { readonly signal: AbortSignal; abort(): void },
    over: () => void,
  ): Promise<{ run: Run; known: RunAbout }> {
    const log = this.log!
    // Where the log does not answer, the upstream is not even asked.
    const kind = route.upstream === undefined ? 'text' : 'bytes'
    const writer = await log.create({ ...about, id, kind })
    writer.signal.addEventListener('abort', () => controller.abort(), { once: true })
    const reading = new AbortController()
    const onFailure = (error: unknown): void => {
      this.report('error', 'the run cannot be kept', { run: writer.id, message: messageOf(error) })
      controller.abort()
      reading.abort(error)
    }
    const run = loggedRun(log, writer, this.tracked(events, over), input, reading.signal, onFailure)
    return { run, known: aboutOf(writer.header)! }
  }

  /** Takes no new requests, waits for what runs, and stops what takes too long. */
  async drain(): Promise<void> {
    this.isDraining = true
    const timer = setTimeout(() => this.end.abort(), this.config.drainMs)
    await Promise.all(this.running)
    clearTimeout(timer)
    this.stopWatching?.()
    await this.log?.shut()
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
