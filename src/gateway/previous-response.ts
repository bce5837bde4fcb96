/**
 * `previous_response_id` of Responses. A client knows a response by the id that the gateway gave it, and the upstream that
 * keeps it by an id of its own, with which the run ends.
 */

import { type Fields, isFields } from '../base/fields.ts'
import { LogError } from '../runs/log/log-error.ts'
import { isHeader } from '../runs/log/run-record.ts'
import type { Gateway } from './gateway.ts'
import { GatewayError } from './gateway-error.ts'
import { runIdOf } from './run-about.ts'
import { findRun } from './runs.ts'

/** As `responseId` makes them. Any other one is the upstream's own. */
const OURS = /^resp_[0-9a-f]{32}$/

/** The body with the id that the upstream knows. */
export async function withPreviousResponse(
  gateway: Gateway,
  request: Request,
  body: Fields,
): Promise<Fields> {
  const { previous_response_id: id } = body
  if (typeof id !== 'string' || !OURS.test(id)) return body
  const theirs = await upstreamId(gateway, request, runIdOf(id))
  if (theirs !== undefined) return { ...body, previous_response_id: theirs }
  throw new GatewayError(
    400,
    'invalid-request',
    `Previous response with id '${id}' not found: it was not kept in the log, or its upstream keeps no responses. Send the conversation as 'input'.`,
  )
}

async function upstreamId(gateway: Gateway, request: Request, id: string): Promise<string | undefined> {
  const { log } = gateway
  // A run that is unknown to this client is one that was not kept.
  const found = await findRun(gateway, request, id).catch((error: unknown) => {
    if (error instanceof LogError && error.code === 'unknown-run') return undefined
    throw error
  })
  if (log === undefined || !found?.state.isClosed) return undefined
  for await (const record of log.read(id, { from: found.state.next - 1 })) {
    const last = isHeader(record) ? undefined : record.events.at(-1)
    const about = last?.type === 'finish' ? last.metadata?.['openai-responses'] : undefined
    if (isFields(about) && typeof about.id === 'string') return about.id
  }
  return undefined
}
