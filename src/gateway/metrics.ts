/** Figures for Prometheus. Labels hold names of ours and of the configuration, never anything that a client sent. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { SluiceEvent } from '../base/event.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export class Metrics {
  readonly registry = new Registry()
  private readonly runs: Counter<'finish' | 'upstream' | 'protocol'>
  private readonly calls: Counter<'verdict'>
  private readonly repairs: Counter<'class'>
  private readonly diagnostics: Counter<'code'>
  private readonly firstToken: Histogram<'upstream'>
  readonly retries: Counter
  readonly takeovers: Counter
  readonly resumes: Counter
  readonly logFailures: Counter
  readonly refused: Counter<'kind'>

  constructor(running: () => number) {
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry, prefix: 'sluice_' })
    new Gauge({
      name: 'sluice_running',
      help: 'Runs that go on in this process.',
      registers,
      collect(): void {
        this.set(running())
      },
    })
    this.runs = new Counter({
      name: 'sluice_runs_total',
      help: 'Runs by how they ended.',
      labelNames: ['finish', 'upstream', 'protocol'],
      registers,
    })
    this.calls = new Counter({
      name: 'sluice_calls_total',
      help: 'Calls by their verdict.',
      labelNames: ['verdict'],
      registers,
    })
    this.repairs = new Counter({
      name: 'sluice_repairs_total',
      help: 'Repairs of calls by their class.',
      labelNames: ['class'],
      registers,
    })
    this.diagnostics = new Counter({
      name: 'sluice_diagnostics_total',
      help: 'Diagnostics by their code.',
      labelNames: ['code'],
      registers,
    })
    this.firstToken = new Histogram({
      name: 'sluice_first_token_seconds',
      help: 'From the request to the first event of the response.',
      labelNames: ['upstream'],
      buckets: SECONDS,
      registers,
    })
    const counter = (name: string, help: string): Counter => new Counter({ name, help, registers })
    this.retries = counter('sluice_retries_total', 'Requests that were sent again.')
    this.takeovers = counter('sluice_takeovers_total', 'Runs that were closed for a lost producer.')
    this.resumes = counter('sluice_resumes_total', 'Readers that came back to a run.')
    this.logFailures = counter('sluice_log_failures_total', 'Runs that the log could not keep.')
    this.refused = new Counter({
      name: 'sluice_refused_total',
      help: 'Requests that were answered with an error.',
      labelNames: ['kind'],
      registers,
    })
  }

  /** Counts an event of a run that this process produces. */
  count(event: SluiceEvent, upstream: string, protocol: string): void {
    if (event.type === 'tool-call') {
      this.calls.inc({ verdict: event.status })
      for (const repair of event.repairs) this.repairs.inc({ class: repair.class })
    } else if (event.type === 'diagnostic') this.diagnostics.inc({ code: event.code })
    else if (event.type === 'finish') this.runs.inc({ finish: event.reason, upstream, protocol })
  }

  observeFirst(seconds: number, upstream: string): void {
    this.firstToken.observe({ upstream }, seconds)
  }
}
