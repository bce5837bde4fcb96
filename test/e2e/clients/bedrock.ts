/** Amazon's client for Bedrock, whose user adds the events up. It speaks HTTP/2 unless it is told not to. */

import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { Client } from './client.ts'
import { gather } from './gather.ts'
import { tokens } from './said.ts'

export const bedrockOf = (url: string): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    region: 'eu-west-1',
    endpoint: url,
    maxAttempts: 1,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: new NodeHttpHandler(),
  })

async function eventsOf(url: string) {
  const question = { role: 'user' as const, content: [{ text: 'Hello' }] }
  const { stream } = await bedrockOf(url).send(
    new ConverseStreamCommand({ modelId: 'm', messages: [question] }),
  )
  return stream!
}

export const bedrock: Client = {
  name: '@aws-sdk/client-bedrock-runtime',
  provider: 'bedrock',
  chunks: eventsOf,
  assemble: (url) =>
    gather(eventsOf(url), ({ contentBlockStart, contentBlockDelta, messageStop, metadata }, so) => {
      const { toolUse } = contentBlockStart?.start ?? {}
      if (toolUse !== undefined)
        so.calls.push({ id: toolUse.toolUseId ?? '', name: toolUse.name ?? '', input: '' })
      const { delta } = contentBlockDelta ?? {}
      so.text += delta?.text ?? ''
      so.reasoning += delta?.reasoningContent?.text ?? ''
      const call = so.calls.at(-1)
      if (call !== undefined) call.input = `${call.input}${delta?.toolUse?.input ?? ''}`
      so.reason = messageStop?.stopReason ?? so.reason
      const { usage } = metadata ?? {}
      // Tokens of the cache are counted apart.
      const cached = (usage?.cacheReadInputTokens ?? 0) + (usage?.cacheWriteInputTokens ?? 0)
      if (usage?.inputTokens !== undefined) so.usage = tokens(usage.inputTokens + cached, usage.outputTokens)
    }),
  message: (url) => bedrock.assemble(url),
}
