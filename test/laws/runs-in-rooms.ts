/** Who would run what: a turn, and a client behind the gateway. */

import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import { sluice } from '../../src/engine/stream.ts'
import { type Model, runTurn } from '../../src/turn/index.ts'
import { serve, textReply } from '../gateway/harness.ts'
import { ModelServer } from '../turn/model-server.ts'
import { pieces, type Ran, type Response, readingOf } from './runs.ts'

/** A turn whose tools note what they are given. */
export async function turnRuns(response: Response): Promise<Ran[]> {
  const { text, dialect, tools, ending } = response
  const ran: Ran[] = []
  const model: Model = async function* (_, { reading }): AsyncGenerator<SluiceEvent> {
    for await (const event of sluice(pieces(text), { ...reading, ...readingOf(response), dialect }))
      yield event.type === 'finish' && ending === 'length' ? { ...event, reason: 'length' } : event
  }
  await runTurn({
    model,
    conversation: 'Go.',
    maxToolDepth: 1,
    tools: tools.map((tool) => ({
      ...tool,
      execute: (input: unknown) => void ran.push({ toolName: tool.name, input: input as JsonValue }),
    })),
  })
  return ran
}

/** A client of Chat Completions that runs what it can parse. The dialect needs a name. */
export async function gatewayRuns({ text, dialect, tools, ending }: Response): Promise<Ran[]> {
  const model = await ModelServer.start([textReply(text, ending)])
  const upstream = { url: model.url, protocol: 'openai-chat', mode: 'prompt', dialect: dialect.name }
  const { post } = await serve({ upstreams: { one: upstream } })
  const answer = await post('/v1/chat/completions', {
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'Go.' }],
    tools: tools.map(({ name, inputSchema }) => ({
      type: 'function',
      function: { name, parameters: inputSchema },
    })),
  })
  const calls: { name: string; text: string }[] = []
  for (const [, payload] of (await answer.text()).matchAll(/^data: (\{.*)$/gm)) {
    const { choices } = JSON.parse(payload!)
    for (const { index, function: part } of choices?.[0]?.delta.tool_calls ?? []) {
      calls[index] ??= { name: '', text: '' }
      calls[index].name += part.name ?? ''
      calls[index].text += part.arguments ?? ''
    }
  }
  return calls.flatMap(({ name, text }) => {
    try {
      return [{ toolName: name, input: JSON.parse(text) as JsonValue }]
    } catch {
      return []
    }
  })
}
