/** A log in NATS JetStream. */

import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { DEFAULT_LEASE, DEFAULT_TIMEOUT, DEFAULT_TTL, type Log, type LogOptions } from '../log.ts'
import { StoredLog } from '../stored-log.ts'
import { JetStreams } from './jet-streams.ts'
import { NatsStore } from './nats-store.ts'

/** Options of `openNatsLog`. */
export interface NatsLogOptions extends LogOptions {
  /** What the names of streams and subjects begin with (`sluice`). */
  readonly prefix?: string
  /** Copies of each stream, where the streams are created here (1). */
  readonly replicas?: number
}

const OPTIONS: KnownOptions<NatsLogOptions> = {
  leaseMs: 'number',
  ttlMs: 'number',
  timeoutMs: 'number',
  prefix: 'string',
  replicas: 'number',
}

/**
 * Connects to a server, and creates its streams where there are none.
 *
 *     const log = await openNatsLog('nats://127.0.0.1:4222')
 *
 * Throws `unavailable` where no server answers, or one without JetStream.
 */
export async function openNatsLog(url: string, options: NatsLogOptions = {}): Promise<Log> {
  checkOptions(options, OPTIONS)
  const { prefix = 'sluice', ttlMs = DEFAULT_TTL, timeoutMs = DEFAULT_TIMEOUT, replicas = 1 } = options
  const streams = await JetStreams.open({ url, prefix, ttlMs, timeoutMs, replicas })
  return new StoredLog(new NatsStore(streams, options.leaseMs ?? DEFAULT_LEASE))
}
