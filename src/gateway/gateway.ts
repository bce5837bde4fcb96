/** The gateway: a client's request in, a run, and the answer in the client's own protocol. */

import { createHash } from 'node:crypto'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../runs/log/log.ts'
import { watchLost } from '../runs/log/take-over.ts'
import { authorise, keyOf, RunLimits } from './access.ts'
import { type Asked, readAsked } from './asked.ts'
import { respondChoices } from './choices.ts'
import { Connections } from './connections.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { GatewayError, gatewayError } from './gateway-error.ts'
import { endingOf } from './lost-ending.ts'
import { Metrics } from './metrics.ts'
import { withPreviousResponse } from './previous-response.ts'
import type { ClientProtocol } from './protocols.ts'
import { readJson } from './request-body.ts'
import { refuse, respondStreamed, respondWhole } from './respond.ts'
import { type Report, RunStarter, type StartedRun } from './run-starter.ts'
import type { Tracing } from './tracing.ts'
import { begunResponse } from './whole.ts'

export interface GatewayOptions {
  readonly config: GatewayConfig
  readonly log?: Log | undefined
  readonly report?: Report
  readonly tracing?: Tracing | undefined
}

export class Gateway {
  readonly config: GatewayConfig
  readonly log: Log | undefined
  readonly report: Report
  readonly limits: RunLimits
  readonly metrics: Metrics
  readonly connections = new Connections()
  private readonly starter: RunStarter
  private readonly stopWatching: (() => void) | undefined
  isDraining = false

  constructor({ config, log, report = () => {}, tracing }: GatewayOptions) {
    this.config = config
    this.log = log
    this.report = report
    this.limits = new RunLimits(config)
    this.metrics = new Metrics(() => this.limits.running)
    const { limits, metrics } = this
    this.starter = new RunStarter({ config, log, limits, metrics, report, tracing })
    this.stopWatching =
      log &&
      watchLost(log, {
        ending: endingOf,
        goOn: (run, writer) => this.starter.goOn(run, writer),
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
      const sent = await readJson(request, this.config.maxBodyBytes)
      const body = await withPreviousResponse(this, request, sent)
      const hasLog = this.log !== undefined
      return await this.answer(readAsked(this.config, hasLog, protocol, request, body, owner))
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

  private async answer(asked: Asked): Promise<Response> {
    const { protocol, incoming, isStreamed, hasExtensions, diagnostics } = asked
    for (const { code, message } of diagnostics) this.report('info', 'request', { code, message })
    // It may have left while its request was read.
    incoming.signal.throwIfAborted()
    const started = await this.starter.start(asked)
    const [{ run, about, isResumable }] = started as readonly [StartedRun]
    const onLeave = (): void => {
      // Node holds the signals of requests in a registry: one whose listener leads back to its request is never collected.
      incoming.signal.removeEventListener('abort', onLeave)
      for (const one of started) one.onLeave()
    }
    incoming.signal.addEventListener('abort', onLeave)
    const breakOff = (error: unknown): boolean => this.breakOff(incoming, error, about.id)
    const options = { config: this.config, hasExtensions, isResumable, onLeave, breakOff }
    if (started.length > 1) {
      const runs = started.map((one) => one.run)
      return respondChoices(runs, protocol, about, { ...options, isStreamed })
    }
    if (isResumable && asked.chat !== undefined) await this.rememberChat(asked.owner, asked.chat, about.id)
    if (asked.isBackground && !isStreamed) {
      onLeave()
      return Response.json(begunResponse(about), { headers: { 'sluice-run': about.id } })
    }
    return isStreamed || protocol.whole === undefined
      ? respondStreamed(run, protocol, about, options)
      : respondWhole(run, protocol, about, options)
  }

  /** Closes the connection of a client in the middle of its response. */
  breakOff(request: Request, error: unknown, run?: string): boolean {
    this.report('warn', 'broke off a response', { ...(run && { run }), message: messageOf(error) })
    return this.connections.close(request)
  }

  /** The run that a chat of the AI SDK can come back to: it comes back by the id of the chat alone. */
  async runOfChat(owner: string, chat: string): Promise<string | undefined> {
    return this.log?.labelled(chatLabel(owner, chat))
  }

  private async rememberChat(owner: string, chat: string, run: string): Promise<void> {
    try {
      await this.log!.label(chatLabel(owner, chat), run)
    } catch (error) {
      this.report('error', 'the chat cannot be resumed', { run, message: messageOf(error) })
    }
  }

  /** Takes no new requests, waits for what runs, and stops what takes too long. */
  async drain(): Promise<void> {
    this.isDraining = true
    // A run that it took over now would end with it.
    this.stopWatching?.()
    await this.starter.drain()
    await this.log?.shut()
  }
}

/** Anything may be the id of a chat. */
const chatLabel = (owner: string, chat: string): string =>
  createHash('sha256').update(`${owner} ${chat}`).digest('hex')
