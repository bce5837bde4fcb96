/**
 * What a run needs of JetStream. Two streams: one holds the records, with one subject per run; the other holds the last
 * sign of life of each open run, wishes to stop it, and names.
 */

import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream'
import { connect, headers, type NatsConnection, nanos } from '@nats-io/transport-node'
import { messageOf } from '../../../base/errors.ts'
import { LogError } from '../log-error.ts'

export interface StreamOptions {
  readonly url: string
  readonly prefix: string
  readonly ttlMs: number
  readonly timeoutMs: number
  readonly replicas: number
}

/** A record as it is stored. */
export interface StoredLine {
  readonly n: number
  readonly line: string
  /** Its number in the stream, which others share. */
  readonly sequence: number
  /** Who wrote it. */
  readonly writer: string
}

const NUMBER = 'Sluice-Record'
const WRITER = 'Sluice-Writer'

/** The server's code for an append that expects another last record. */
const WRONG_SEQUENCE = 10_071
const NO_STREAM = 10_059

/** One attempt; the server may be starting again. */
const ATTEMPT_MS = 1_000
const PAUSE_MS = 50

export class JetStreams {
  private readonly connection: NatsConnection
  private readonly client: JetStreamClient
  private readonly manager: JetStreamManager
  private readonly options: StreamOptions

  private constructor(connection: NatsConnection, manager: JetStreamManager, options: StreamOptions) {
    this.connection = connection
    this.manager = manager
    this.client = jetstream(connection, { timeout: ATTEMPT_MS })
    this.options = options
  }

  static async open(options: StreamOptions): Promise<JetStreams> {
    let connection: NatsConnection | undefined
    try {
      connection = await connect({
        servers: options.url.replace(/^nats:\/\//, ''),
        // It comes back by itself, however long that takes.
        maxReconnectAttempts: -1,
        reconnectTimeWait: 50,
        reconnectJitter: 20,
        timeout: options.timeoutMs,
        name: 'sluice',
        ...credentialsIn(options.url),
      })
      const manager = await jetstreamManager(connection, { timeout: ATTEMPT_MS })
      const streams = new JetStreams(connection, manager, options)
      await streams.addStreams()
      return streams
    } catch (error) {
      await connection?.close().catch(() => {})
      throw unavailable(error)
    }
  }

  private get runs(): string {
    return `${this.options.prefix}_runs`
  }

  private get signs(): string {
    return `${this.options.prefix}_signs`
  }

  private subject(kind: 'run' | 'beat' | 'stop' | 'hint' | 'clock' | 'label', id: string): string {
    return `${this.options.prefix}.${kind}.${id}`
  }

  private async addStreams(): Promise<void> {
    const { prefix, ttlMs, replicas } = this.options
    const common = { max_age: nanos(ttlMs), num_replicas: replicas, allow_direct: true }
    await this.addStream({ ...common, name: this.runs, subjects: [`${prefix}.run.*`] })
    const kinds = ['beat', 'stop', 'clock', 'label'].map((kind) => `${prefix}.${kind}.*`)
    await this.addStream({ ...common, name: this.signs, subjects: kinds, max_msgs_per_subject: 1 })
  }

  private async addStream(config: Parameters<JetStreamManager['streams']['add']>[0]): Promise<void> {
    try {
      const { config: found } = await this.manager.streams.info(config.name!)
      // It may be of an earlier version.
      if (config.subjects?.some((subject) => !found.subjects.includes(subject)))
        await this.manager.streams.update(config.name!, { ...found, subjects: config.subjects })
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== NO_STREAM) throw error
      await this.manager.streams.add(config)
    }
  }

  /** Tries again until it works, the server refuses, or the time is over. */
  private async insist<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.options.timeoutMs
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const isRefused = error instanceof JetStreamApiError
        if (isRefused || this.connection.isClosed()) throw error
        if (performance.now() + PAUSE_MS > deadline) throw unavailable(error)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  }

  /**
   * Stores a record behind the one with the sequence `last` (0: as the first) and answers its own sequence; undefined
   * where another record is the last.
   */
  async append(
    id: string,
    n: number,
    line: string,
    last: number,
    writer: string,
  ): Promise<number | undefined> {
    const about = headers()
    about.set(NUMBER, String(n))
    about.set(WRITER, writer)
    try {
      const { seq } = await this.insist(() =>
        this.client.publish(this.subject('run', id), line, {
          // Sent again, it is the same message.
          msgID: `${id}.${n}.${writer}`,
          expect: { lastSubjectSequence: last },
          headers: about,
          timeout: ATTEMPT_MS,
        }),
      )
      return seq
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== WRONG_SEQUENCE) throw unavailable(error)
      // The server may have stored it before it died, and forgotten whose message it was.
      const stored = await this.last(id)
      return stored?.writer === writer && stored.n === n ? stored.sequence : undefined
    }
  }

  /** Says that a run has grown, or is to stop. */
  hint(id: string, what: string): void {
    if (!this.connection.isClosed()) this.connection.publish(this.subject('hint', id), what)
  }

  watch(id: string, wake: (what: string) => void): () => void {
    const subscription = this.connection.subscribe(this.subject('hint', id), {
      callback: (error, message) => {
        if (error === null) wake(message.string())
      },
    })
    return () => subscription.unsubscribe()
  }

  /** The last record of a run, as the leader has it. */
  async last(id: string): Promise<StoredLine | undefined> {
    const message = await this.get(this.runs, { last_by_subj: this.subject('run', id) })
    return message && lineOf(message)
  }

  /** The first record of a run at this sequence or behind it. */
  async after(id: string, sequence: number): Promise<StoredLine | undefined> {
    const query = { seq: sequence, next_by_subj: this.subject('run', id) }
    const message = await this.insist(() => this.manager.direct.getMessage(this.runs, query))
    return message === null ? undefined : lineOf(message)
  }

  private async get(stream: string, query: { last_by_subj: string }): Promise<StoredMsg | undefined> {
    return (await this.insist(() => this.manager.streams.getMessage(stream, query))) ?? undefined
  }

  async beat(id: string): Promise<void> {
    await this.insist(() => this.client.publish(this.subject('beat', id), '', { timeout: ATTEMPT_MS }))
  }

  async askToStop(id: string): Promise<void> {
    await this.insist(() => this.client.publish(this.subject('stop', id), '', { timeout: ATTEMPT_MS }))
    this.hint(id, 'stop')
  }

  async label(name: string, id: string): Promise<void> {
    await this.insist(() => this.client.publish(this.subject('label', name), id, { timeout: ATTEMPT_MS }))
  }

  async labelled(name: string): Promise<string | undefined> {
    return (await this.get(this.signs, { last_by_subj: this.subject('label', name) }))?.string()
  }

  async isToStop(id: string): Promise<boolean> {
    const query = { last_by_subj: this.subject('stop', id) }
    return (await this.insist(() => this.manager.direct.getMessage(this.signs, query))) !== null
  }

  /** The runs that are open: those with a sign of life. */
  async openRuns(): Promise<readonly string[]> {
    const filter = this.subject('beat', '*')
    const { state } = await this.insist(() =>
      this.manager.streams.info(this.signs, { subjects_filter: filter }),
    )
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(filter.length - 1))
  }

  /** Milliseconds since the last sign of life of a run, by the server's clock; undefined where there is none. */
  async silence(id: string): Promise<number | undefined> {
    const beat = await this.get(this.signs, { last_by_subj: this.subject('beat', id) })
    if (beat === undefined) return undefined
    return (await this.now()) - beat.time.getTime()
  }

  /** The server's clock shows in what it stores. */
  private async now(): Promise<number> {
    const subject = this.subject('clock', 'now')
    await this.insist(() => this.client.publish(subject, '', { timeout: ATTEMPT_MS }))
    const stored = await this.get(this.signs, { last_by_subj: subject })
    return stored?.time.getTime() ?? 0
  }

  /** A run is closed: nobody waits for signs of it. */
  async forget(id: string): Promise<void> {
    await this.purge(this.signs, this.subject('beat', id))
    await this.purge(this.signs, this.subject('stop', id))
  }

  async remove(id: string): Promise<void> {
    await this.purge(this.runs, this.subject('run', id))
    await this.forget(id)
    this.hint(id, 'removed')
  }

  private async purge(stream: string, filter: string): Promise<void> {
    await this.insist(() => this.manager.streams.purge(stream, { filter }))
  }

  async check(): Promise<void> {
    await this.insist(() => this.manager.streams.info(this.runs))
  }

  async shut(): Promise<void> {
    await this.connection.close()
  }
}

function lineOf(message: StoredMsg): StoredLine {
  return {
    n: Number(message.header?.get(NUMBER)),
    line: message.string(),
    sequence: message.seq,
    writer: message.header?.get(WRITER) ?? '',
  }
}

function unavailable(error: unknown): LogError {
  if (error instanceof LogError) return error
  return new LogError('unavailable', `NATS cannot be used: ${messageOf(error)}.`, { cause: error })
}

/** `nats://user:password@host` or `nats://token@host`. */
function credentialsIn(url: string): { user?: string; pass?: string; token?: string } {
  const { username, password } = new URL(url)
  if (username === '') return {}
  const user = decodeURIComponent(username)
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }
}
