/** A log in Redis: one stream per run. */

import { Redis } from 'ioredis'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { DEFAULT_LEASE, DEFAULT_TIMEOUT, DEFAULT_TTL, type Log, type LogOptions } from '../log.ts'
import { StoredLog } from '../stored-log.ts'
import { RedisStore } from './redis-store.ts'

/** Options of `openRedisLog`. */
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

/**
 * Connects to a server.
 *
 *     const log = await openRedisLog('redis://127.0.0.1:6379')
 *
 * Throws `unavailable` where no server answers.
 */
export async function openRedisLog(url: string, options: RedisLogOptions = {}): Promise<Log> {
  checkOptions(options, OPTIONS)
  const {
    prefix = 'sluice',
    leaseMs = DEFAULT_LEASE,
    ttlMs = DEFAULT_TTL,
    timeoutMs = DEFAULT_TIMEOUT,
  } = options
  const connect = (): Redis => {
    const redis = new Redis(url, {
      // An append waits for the connection to come back, and no longer than its own time-out.
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(20 * attempt, 500),
      connectTimeout: timeoutMs,
    })
    // Every operation reports its own failure.
    redis.on('error', () => {})
    return redis
  }
  const log = new StoredLog(new RedisStore(connect(), connect(), { prefix, leaseMs, ttlMs, timeoutMs }))
  try {
    await log.check()
    return log
  } catch (error) {
    await log.shut()
    throw error
  }
}
