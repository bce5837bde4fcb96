/** When a request that failed is sent again. */

import { ResponseError } from '../base/source.ts'
import { fieldsIn, fieldsOf, textOf } from '../providers/payload-fields.ts'
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

/** When a server wants to be asked again, in milliseconds: its headers say so, or the error itself. */
export function retryAfter(headers: Headers | undefined, error: unknown, now: number): number | undefined {
  return headerDelay(headers, now) ?? delayIn(error)
}

/** Seconds, a date, or milliseconds in a header of OpenAI's. */
function headerDelay(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  const header = headers?.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * What Google's servers say in the body of an answer, or inside a stream:
 *
 *     {"error": {"code": 429, "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3.5s"}]}}
 */
function delayIn(error: unknown): number | undefined {
  const payload = error instanceof ResponseError ? parsed(error.body) : fieldsOf(error).payload
  const [first] = [payload].flat()
  const details = fieldsIn(fieldsOf(fieldsOf(first).error).details)
  const info = details.find((detail) => textOf(detail['@type']).endsWith('google.rpc.RetryInfo'))
  const delay = /^(\d+(?:\.\d+)?)s$/.exec(textOf(info?.retryDelay))?.[1]
  return delay === undefined ? undefined : Number(delay) * 1000
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
