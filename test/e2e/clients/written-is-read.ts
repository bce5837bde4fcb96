/** What a client says of a stream that Sluice wrote, beside what the events say that it was written from. */

import type { SluiceEvent } from '../../../src/base/event.ts'
import { foldEvents } from '../../../src/engine/message.ts'
import { findWriter } from '../../../src/providers/any.ts'
import { createWriter } from '../../../src/providers/write-provider.ts'
import type { Reader } from './readers.ts'
import { type Said, saidBySluice, saidInFull } from './said.ts'
import type { LocalServer } from './server.ts'

/** Serves the events in the format of the reader. */
export function serveWritten(events: readonly SluiceEvent[], format: string, server: LocalServer): string {
  const writer = createWriter(findWriter(format), { id: 'r1', model: 'm', created: 1_700_000_000 })
  return server.serve({ body: events.map((event) => writer.add(event)).join(''), type: writer.contentType })
}

/** Clients that do not hand on reasoning, or not all of it. */
const WITHOUT_REASONING = new Set(['openai-chat openai', 'openai-chat ai with @ai-sdk/openai (chat)'])
/** Formats without a place for figures. */
const WITHOUT_USAGE = new Set(['ai-sdk-ui'])

/** `said`: by the client; it rejects where the client does. `meant`: by the events, as far as the client hands it on. */
export async function checkWritten(
  events: readonly SluiceEvent[],
  { format, client }: Reader,
  server: LocalServer,
): Promise<{ readonly said: Said; readonly meant: Said }> {
  const message = foldEvents(events)
  // Those that the provider runs are none of the application.
  const own = message.toolCalls.filter(({ providerExecuted }) => !providerExecuted)
  const tools = [...new Set(own.map(({ toolName }) => toolName))]
  const said = saidInFull(await client.assemble(serveWritten(events, format, server), tools))
  const hasReasoning = !WITHOUT_REASONING.has(`${format} ${client.name}`)
  const hasUsage = !WITHOUT_USAGE.has(format) && message.finish.usage?.inputTokens !== undefined
  // Each format has its own words for why the model stopped.
  const compared = ({ text, reasoning, calls, usage }: Said): Said =>
    saidInFull({
      text,
      ...(hasReasoning && reasoning !== undefined && { reasoning }),
      ...(calls && { calls }),
      ...(hasUsage && { usage }),
    })
  return { said: compared(said), meant: compared(saidBySluice(message)) }
}
