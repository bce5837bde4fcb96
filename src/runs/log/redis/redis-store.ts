/**
 * Runs in Redis. Appends are scripts that check who writes and what comes next, so that they can be sent again after a
 * connection was lost.
 */

import type { Redis } from 'ioredis'
import { messageOf } from '../../../base/errors.ts'
import type { Answer } from '../lease.ts'
import { closed, fenced, LogError, unknownRun } from '../log-error.ts'
import type { Extent, Hold, RunStore, StoredRecord, StoreReader } from '../run-store.ts'
import { AppendNotices } from './append-notices.ts'
import { APPEND, CLAIM, CREATE, LOST, REMOVE, RENEW, STOP } from './scripts.ts'

interface RedisStoreOptions {
  readonly prefix: string
  readonly leaseMs: number
  readonly ttlMs: number
  readonly timeoutMs: number
}

const SCRIPTS = { create: CREATE, append: APPEND, renew: RENEW, claim: CLAIM, stop: STOP, remove: REMOVE }

/** How many records are read at once. */
const PAGE = 200

export class RedisStore implements RunStore {
  readonly name = 'redis'
  private readonly options: RedisStoreOptions
  private readonly redis: Redis
  private readonly subscriber: Redis
  private readonly notices: AppendNotices

  constructor(redis: Redis, subscriber: Redis, options: RedisStoreOptions) {
    this.redis = redis
    this.subscriber = subscriber
    this.notices = new AppendNotices(subscriber)
    this.options = options
    for (const [name, lua] of Object.entries(SCRIPTS))
      redis.defineCommand(`sluice_${name}`, { lua, numberOfKeys: 3 })
    redis.defineCommand('sluice_lost', { lua: LOST, numberOfKeys: 1 })
  }

  get leaseMs(): number {
    return this.options.leaseMs
  }

  private key(kind: 'run' | 'log' | 'hint' | 'label', id: string): string {
    return `${this.options.prefix}:${kind}:${id}`
  }

  private get openKey(): string {
    return `${this.options.prefix}:open`
  }

  /** Runs a script on a run; its first answer is a word. */
  private async script(
    name: keyof typeof SCRIPTS,
    id: string,
    more: { readonly line?: string; readonly epoch?: string; readonly n?: number; readonly isLast?: boolean },
  ): Promise<readonly string[]> {
    const { line = '', epoch = '', n = 0, isLast = false } = more
    const { leaseMs, ttlMs } = this.options
    const keys = [this.key('run', id), this.key('log', id), this.openKey]
    const args = [id, line, leaseMs, ttlMs, epoch, n, isLast ? '1' : '0', this.key('hint', id)]
    return (await this.call(`sluice_${name}`, [...keys, ...args])) as string[]
  }

  /** A command that `defineCommand` added. */
  private call(name: string, args: readonly (string | number)[]): Promise<unknown> {
    const commands = this.redis as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    return this.within(commands[name]!.call(this.redis, ...args))
  }

  private async within<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      return await Promise.race([
        work,
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('it does not answer')), this.options.timeoutMs)
        }),
      ])
    } catch (error) {
      throw new LogError('unavailable', `Redis cannot be used: ${messageOf(error)}.`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  async create(id: string, line: string): Promise<Hold | undefined> {
    const [word] = await this.script('create', id, { line })
    return word === 'ok' ? this.hold(id, '1') : undefined
  }

  async claim(id: string): Promise<{ hold: Hold; next: number } | undefined> {
    const [word, epoch = '', next] = await this.script('claim', id, {})
    return word === 'ok' ? { hold: this.hold(id, epoch), next: Number(next) } : undefined
  }

  private hold(id: string, epoch: string): Hold {
    const answered = ([word, second]: readonly string[]): Answer => {
      if (word === 'ok') return { isStopped: second !== '' }
      if (word === 'fenced') throw fenced(id)
      if (word === 'closed') throw closed(id)
      if (word === 'unknown') throw unknownRun(id)
      throw new LogError(
        'gap',
        `The run '${id}' has only ${second} records, so a record before this one is missing.`,
      )
    }
    return {
      append: async (n, line, isLast) =>
        answered(await this.script('append', id, { line, epoch, n, isLast })),
      renew: async () => answered(await this.script('renew', id, { epoch })),
      leave: async () => {},
    }
  }

  async first(id: string): Promise<string | undefined> {
    const [first] = await this.fetch(id, 0, 1)
    return first?.[0] === 0 ? first[1] : undefined
  }

  async extent(id: string): Promise<Extent | undefined> {
    const [next, isClosed] = await this.within(this.redis.hmget(this.key('run', id), 'next', 'closed'))
    return next === null || next === undefined
      ? undefined
      : { next: Number(next), isClosed: isClosed === '1' }
  }

  reader(id: string): StoreReader {
    return { fetch: (from) => this.fetch(id, from, PAGE), close: async () => {} }
  }

  private async fetch(id: string, from: number, count: number): Promise<StoredRecord[]> {
    const key = this.key('log', id)
    const entries = await this.within(this.redis.xrange(key, `0-${from + 1}`, '+', 'COUNT', count))
    return entries.map(([entry, fields]) => [Number(entry.slice(2)) - 1, fields[1] ?? ''])
  }

  watch(id: string, wake: (what: string) => void): () => void {
    return this.notices.watch(this.key('hint', id), wake)
  }

  async label(name: string, id: string): Promise<void> {
    await this.within(this.redis.set(this.key('label', name), id, 'PX', this.options.ttlMs))
  }

  async labelled(name: string): Promise<string | undefined> {
    return (await this.within(this.redis.get(this.key('label', name)))) ?? undefined
  }

  async stop(id: string): Promise<boolean> {
    return (await this.script('stop', id, {}))[0] === 'ok'
  }

  async remove(id: string): Promise<boolean> {
    return (await this.script('remove', id, {}))[0] === 'ok'
  }

  async lost(): Promise<readonly string[]> {
    return (await this.call('sluice_lost', [this.openKey])) as string[]
  }

  async check(): Promise<void> {
    await this.within(this.redis.ping())
  }

  async shut(): Promise<void> {
    this.redis.disconnect()
    this.subscriber.disconnect()
  }
}
