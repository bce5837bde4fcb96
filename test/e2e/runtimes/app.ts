/** A gateway as it would be deployed: it reads a server of Chat Completions and answers with Anthropic Messages. */

import { hermes } from 'sluice/dialects'
import { anthropicWriter, openaiChat, readProvider, toResponse } from 'sluice/providers'

/** `/?upstream=http://…` */
export function handle(request: Request): Promise<Response> {
  const upstream = new URL(request.url).searchParams.get('upstream') ?? ''
  const events = readProvider(fetch(upstream), { provider: openaiChat, dialect: hermes })
  return toResponse(events, anthropicWriter, { id: 'msg_1', model: 'mine', signal: request.signal })
}
