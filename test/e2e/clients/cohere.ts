/** Cohere's client, whose user adds the events up. It gives their fields in camel case. */

import { CohereClientV2 } from 'cohere-ai'
import type { Client } from './client.ts'
import { gather } from './gather.ts'
import { tokens } from './said.ts'

const chatOf = (url: string) =>
  new CohereClientV2({ token: 'none', environment: url, maxRetries: 0 }).chatStream({
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
  })

export const cohere: Client = {
  name: 'cohere-ai',
  provider: 'cohere',
  chunks: chatOf,
  assemble: (url) =>
    gather(chatOf(url), (event, so) => {
      if (event.type === 'tool-plan-delta') so.reasoning += event.delta?.message?.toolPlan ?? ''
      if (event.type === 'content-delta') so.text += event.delta?.message?.content?.text ?? ''
      if (event.type === 'tool-call-start') {
        const { id = '', function: called } = event.delta?.message?.toolCalls ?? {}
        so.calls.push({ id, name: called?.name ?? '', input: called?.arguments ?? '' })
      }
      if (event.type === 'tool-call-delta') {
        const call = so.calls.at(-1)!
        call.input = `${call.input}${event.delta?.message?.toolCalls?.function?.arguments ?? ''}`
      }
      if (event.type !== 'message-end') return
      const { inputTokens, outputTokens } = event.delta?.usage?.tokens ?? {}
      so.reason = event.delta?.finishReason
      so.usage = tokens(inputTokens, outputTokens)
    }),
  message: (url) => cohere.assemble(url),
}
