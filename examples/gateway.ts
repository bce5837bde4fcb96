/** A gateway: an open model behind a compatible server, with its calls in the text, as Anthropic Messages. */

import { hermes } from 'sluice/dialects'
import { anthropicWriter, openaiChat, readProvider, writeProvider } from 'sluice/providers'

/** What the server upstream sends. In a gateway this is `await fetch(…)`. */
const upstream = [
  { choices: [{ index: 0, delta: { content: 'I look.<tool_' } }] },
  { choices: [{ index: 0, delta: { content: 'call>{"name": "ls", "argum' } }] },
  { choices: [{ index: 0, delta: { content: 'ents": {"path": "."}}</tool_call>' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]

const events = readProvider(upstream, { provider: openaiChat, dialect: hermes })
for await (const text of writeProvider(events, anthropicWriter, { id: 'msg_1', model: 'mine' }))
  for (const line of text.split('\n')) if (line.startsWith('data: ')) console.log(line.slice(6))
