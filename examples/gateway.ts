/** A gateway: an open model behind a compatible server, with its calls in the text, as Anthropic Messages. */

import { hermes } from 'sluice/dialects'
import { anthropicWriter, openaiChat, readProvider, toResponse } from 'sluice/providers'

/** What the server upstream sends. In a gateway this is `fetch(…)`. */
const upstream = [
  { choices: [{ index: 0, delta: { content: 'I look.<tool_' } }] },
  { choices: [{ index: 0, delta: { content: 'call>{"name": "ls", "argum' } }] },
  { choices: [{ index: 0, delta: { content: 'ents": {"path": "."}}</tool_call>' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]

/** The route handler, for any server that has `Request` and `Response`. */
function handle(request: Request): Promise<Response> {
  const events = readProvider(upstream, { provider: openaiChat, dialect: hermes, signal: request.signal })
  return toResponse(events, anthropicWriter, { id: 'msg_1', model: 'mine', signal: request.signal })
}

const response = await handle(new Request('http://localhost/v1/messages', { method: 'POST' }))
console.log(response.status, response.headers.get('content-type'))
// If the server upstream refuses, so does the gateway, in the client's own protocol.
if (!response.ok) throw new Error(await response.text())
for (const line of (await response.text()).split('\n'))
  if (line.startsWith('data: ')) console.log(line.slice(6))
