/** When a request that failed is sent again. */

import type { TurnError } from './turn-error.ts'

const FIRST_DELAY = 1000
const LONGEST_DELAY = 60_000

/**
 * Milliseconds to wait, or nothing where the server asks for more patience than a turn has. Half of each delay is left
 * to chance, so that clients that failed together do not come back together.
 */
export function retryDelay(attempt: number, error: TurnError, random: () => number): number | undefined {
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs > LONGEST_DELAY ? undefined : error.retryAfterMs
  const delay = Math.min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY)
  return Math.round(delay / 2 + (delay / 2) * random())
}

/** What a server says about when to come back: seconds, a date, or milliseconds in a header of OpenAI's. */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  const header = headers?.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
