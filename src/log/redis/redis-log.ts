/**
 * A log in Redis: one stream per run. Appends are scripts that check who writes and what comes next, so that they can be
 * sent again after a connection was lost.
 */

import { Redis } from 'ioredis'
import { messageOf } from '../../errors.ts'
import { checkOptions, type KnownOptions } from '../../options.ts'
import { follow, type StoredRecord } from '../follow.ts'
import { type Answer, Lease } from '../lease.ts'
import {
  DEFAULT_LEASE,
  DEFAULT_TIMEOUT,
  DEFAULT_TTL,
  type Log,
  type LogOptions,
  type ReadOptions,
  type RunState,
  type RunWriter,
} from '../log.ts'
import { closed, fenced, LogError, unknownRun } from '../log-error.ts'
import {
  encodeHeader,
  encodeStep,
  isRunId,
  type NewRun,
  newHeader,
  RecordDecoder,
  type RunEnd,
  type RunHeader,
  type RunRecord,
  type RunStep,
} from '../run-record.ts'
import { AppendNotices } from './append-notices.ts'
import { APPEND, CLAIM, CREATE, LOST, REMOVE, RENEW, STOP } from './scripts.ts'

export interface RedisLogOptions extends LogOptions {
  /** What every key begins with (`sluice`). */
  readonly prefix?: string
}

const OPTIONS: KnownOptions<RedisLogOptions> = {
  leaseMs: 'number',
  ttlMs: 'number',
  timeoutMs: 'number',
  prefix: 'string',
}

/** How many records are read at once. */
const PAGE = 200

/**
 * Connects to a server.
 *
 *     const log = await openRedisLog('redis://127.0.0.1:6379')
 *
 * Throws `unavailable` where no server answers.
 */
export async function openRedisLog(url: string, options: RedisLogOptions = {}): Promise<Log> {
  checkOptions(options, OPTIONS)
  const connect = (): Redis => {
    const redis = new Redis(url, {
      // An append waits for the connection to come back, and no longer than its own time-out.
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(20 * attempt, 500),
      connectTimeout: options.timeoutMs ?? DEFAULT_TIMEOUT,
    })
    // Every operation reports its own failure.
    redis.on('error', () => {})
    return redis
  }
  const log = new RedisLog(connect(), connect(), options)
  try {
    await log.check()
    return log
  } catch (error) {
    await log.shut()
    throw error
  }
}

class RedisLog implements Log {
  readonly name = 'redis'
  readonly leaseMs: number
  readonly ttlMs: number
  private readonly timeoutMs: number
  private readonly prefix: string
  private readonly redis: Redis
  private readonly subscriber: Redis
  private readonly notices: AppendNotices

  constructor(redis: Redis, subscriber: Redis, options: RedisLogOptions) {
    this.redis = redis
    this.subscriber = subscriber
    this.notices = new AppendNotices(subscriber)
    this.leaseMs = options.leaseMs ?? DEFAULT_LEASE
    this.ttlMs = options.ttlMs ?? DEFAULT_TTL
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT
    this.prefix = options.prefix ?? 'sluice'
    const scripts = { create: CREATE, append: APPEND, renew: RENEW, claim: CLAIM, stop: STOP, remove: REMOVE }
    for (const [name, lua] of Object.entries(scripts))
      redis.defineCommand(`sluice_${name}`, { lua, numberOfKeys: 3 })
    redis.defineCommand('sluice_lost', { lua: LOST, numberOfKeys: 1 })
  }

  private runKey(id: string): string {
    return `${this.prefix}:run:${id}`
  }

  private streamKey(id: string): string {
    return `${this.prefix}:log:${id}`
  }

  /** The channel of hints. */
  channel(id: string): string {
    return `${this.prefix}:hint:${id}`
  }

  private get openKey(): string {
    return `${this.prefix}:open`
  }

  /** Runs a script on a run; its first answer is a word. */
  script(name: string, id: string, ...args: readonly (string | number)[]): Promise<string[]> {
    const keys = [this.runKey(id), this.streamKey(id), this.openKey]
    return this.within(this.call(`sluice_${name}`, [...keys, id, ...args])) as Promise<string[]>
  }

  /** A command that `defineCommand` added. */
  private call(name: string, args: readonly (string | number)[]): Promise<unknown> {
    const commands = this.redis as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    return commands[name]!.call(this.redis, ...args)
  }

  private async within<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      return await Promise.race([
        work,
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('it does not answer')), this.timeoutMs)
        }),
      ])
    } catch (error) {
      throw new LogError('unavailable', `Redis cannot be used: ${messageOf(error)}.`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  watch(id: string, wake: (message: string) => void): () => void {
    return this.notices.watch(this.channel(id), wake)
  }

  async create(run: NewRun): Promise<RunWriter> {
    const header = newHeader(run)
    const { id } = header.run
    const [word] = await this.script('create', id, encodeHeader(header), this.leaseMs, this.ttlMs)
    if (word !== 'ok')
      throw new LogError('invalid-run', `There is a run '${id}' already; an id is used once.`)
    return new RedisWriter(this, header, '1', 1)
  }

  async claim(id: string): Promise<RunWriter | undefined> {
    if (!isRunId(id)) return undefined
    const [word, epoch = '', next] = await this.script('claim', id, '', this.leaseMs)
    if (word !== 'ok') return undefined
    const state = await this.state(id)
    return state && new RedisWriter(this, state.header, epoch, Number(next))
  }

  async *read(id: string, options: ReadOptions = {}): AsyncGenerator<RunRecord, void, undefined> {
    if (!isRunId(id)) throw unknownRun(id)
    yield* follow(
      id,
      {
        fetch: (from) => this.fetch(id, from),
        extent: () => this.extent(id),
        watch: (wake) => this.watch(id, wake),
      },
      options,
    )
  }

  private async fetch(id: string, from: number): Promise<StoredRecord[]> {
    const key = this.streamKey(id)
    const entries = await this.within(this.redis.xrange(key, `0-${from + 1}`, '+', 'COUNT', PAGE))
    return entries.map(([entry, fields]) => [Number(entry.slice(2)) - 1, fields[1] ?? ''])
  }

  private async extent(id: string): Promise<{ next: number; isClosed: boolean } | undefined> {
    const [next, isClosed] = await this.within(this.redis.hmget(this.runKey(id), 'next', 'closed'))
    return next === null || next === undefined
      ? undefined
      : { next: Number(next), isClosed: isClosed === '1' }
  }

  async state(id: string): Promise<RunState | undefined> {
    if (!isRunId(id)) return undefined
    const [extent, [first]] = await Promise.all([this.extent(id), this.fetch(id, 0)])
    if (extent === undefined || first?.[0] !== 0) return undefined
    const record = new RecordDecoder(id).decode(0, first[1])
    return 'header' in record ? { header: record.header, ...extent } : undefined
  }

  async stop(id: string): Promise<boolean> {
    if (!isRunId(id)) return false
    const [word] = await this.script('stop', id, '', '', '', this.channel(id))
    return word === 'ok'
  }

  async remove(id: string): Promise<boolean> {
    if (!isRunId(id)) return false
    const [word] = await this.script('remove', id, '', '', '', this.channel(id))
    return word === 'ok'
  }

  async lost(): Promise<readonly string[]> {
    return (await this.within(this.call('sluice_lost', [this.openKey]))) as string[]
  }

  async check(): Promise<void> {
    await this.within(this.redis.ping())
  }

  async shut(): Promise<void> {
    this.redis.disconnect()
    this.subscriber.disconnect()
  }
}

class RedisWriter implements RunWriter {
  readonly id: string
  readonly header: RunHeader
  next: number
  private readonly log: RedisLog
  private readonly epoch: string
  private readonly lease: Lease
  private readonly unwatch: () => void

  constructor(log: RedisLog, header: RunHeader, epoch: string, next: number) {
    this.log = log
    this.header = header
    this.id = header.run.id
    this.epoch = epoch
    this.next = next
    const renew = async (): Promise<Answer> =>
      this.answer(await log.script('renew', this.id, '', log.leaseMs, log.ttlMs, epoch))
    this.lease = new Lease(log.leaseMs, renew)
    this.unwatch = log.watch(this.id, (message) => {
      if (message === 'stop') this.lease.heard({ isStopped: true })
    })
  }

  get signal(): AbortSignal {
    return this.lease.signal
  }

  append(step: RunStep): Promise<void> {
    return this.write(encodeStep(this.header.kind, step), false)
  }

  async close(end: RunEnd): Promise<void> {
    await this.write(encodeStep(this.header.kind, end), true)
    this.leave(closed(this.id))
  }

  release(): void {
    this.leave(fenced(this.id))
  }

  private leave(reason: LogError): void {
    this.lease.end(reason)
    this.unwatch()
  }

  private async write(line: string, isLast: boolean): Promise<void> {
    this.lease.check()
    const { log, id, epoch, next } = this
    try {
      const channel = log.channel(id)
      const args = [line, log.leaseMs, log.ttlMs, epoch, next, isLast ? '1' : '0', channel]
      this.lease.heard(this.answer(await log.script('append', id, ...args)))
      this.next = next + 1
    } catch (error) {
      this.lease.failed(error)
      throw error
    }
  }

  private answer([word, second]: readonly string[]): Answer {
    if (word === 'ok') return { isStopped: second !== '' }
    if (word === 'fenced') throw fenced(this.id)
    if (word === 'closed') throw closed(this.id)
    if (word === 'unknown') throw unknownRun(this.id)
    throw new LogError('gap', `The run '${this.id}' has ${second} records, and this would be ${this.next}.`)
  }
}
