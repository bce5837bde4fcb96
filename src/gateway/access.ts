/** Who may use the gateway, and how much at once. */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { GatewayConfig } from './gateway-config.ts'
import { GatewayError } from './gateway-error.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The key that a client sent, in any of the headers that clients use. */
export function keyOf(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? undefined
}

/** Refuses a client without a key of ours. Gives the digest of its key, which owns what it starts. */
export function authorise({ keys }: GatewayConfig, key: string | undefined): string {
  const given = digest(key ?? '')
  if (keys.length > 0 && !keys.some((one) => timingSafeEqual(digest(one), given)))
    throw new GatewayError(401, 'auth', 'The API key is missing or wrong.')
  return key === undefined ? '' : given.toString('hex').slice(0, 32)
}

const isLoopback = (name: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(name)

/**
 * Refuses what a page of another site sends. A browser needs no permission to send a request to 127.0.0.1, nor to a name that
 * its owner points there, and the gateway may have keys of its own.
 */
export function checkOrigin({ host: own, hosts }: GatewayConfig, headers: Headers): void {
  const origin = headers.get('origin')
  const host = headers.get('host') ?? ''
  if (origin !== null && origin.replace(/^https?:\/\//, '') !== host)
    throw new GatewayError(403, 'auth', 'This gateway refuses requests from pages of other sites.')
  const name = host.replace(/:\d+$/, '')
  if (isLoopback(own) && !isLoopback(name) && !hosts.includes(name))
    throw new GatewayError(
      403,
      'auth',
      `The gateway is not known as '${name}'; add the name to "hosts" in its configuration.`,
    )
}

/** Counts what runs. */
export class RunLimits {
  private readonly config: Pick<GatewayConfig, 'maxRuns' | 'maxRunsPerKey'>
  private readonly perOwner = new Map<string, number>()
  private count = 0

  constructor(config: Pick<GatewayConfig, 'maxRuns' | 'maxRunsPerKey'>) {
    this.config = config
  }

  get running(): number {
    return this.count
  }

  /** Takes a place; returns what gives it back, once. */
  enter(owner: string): () => void {
    const own = this.perOwner.get(owner) ?? 0
    if (own >= this.config.maxRunsPerKey)
      throw new GatewayError(
        429,
        'rate-limit',
        'This key has too many requests running at the same time; try again when one has ended.',
        1,
      )
    if (this.count >= this.config.maxRuns)
      throw new GatewayError(
        503,
        'overloaded',
        'Too many requests are running at the same time; try again when one has ended.',
        1,
      )
    this.count++
    this.perOwner.set(owner, own + 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      this.count--
      const left = (this.perOwner.get(owner) ?? 1) - 1
      if (left === 0) this.perOwner.delete(owner)
      else this.perOwner.set(owner, left)
    }
  }
}
