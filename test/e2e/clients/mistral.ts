/** Mistral's client, whose user adds the chunks up. It wraps them, and gives their fields in camel case. */

import { Mistral } from '@mistralai/mistralai'
import type { Client } from './client.ts'
import { gather } from './gather.ts'
import { tokens } from './said.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const chatOf = (url: string) =>
  new Mistral({ apiKey: 'none', serverURL: url }).chat.stream({ model: 'm', messages })

export const mistral: Client = {
  name: '@mistralai/mistralai',
  provider: 'openai-chat',
  chunks: chatOf,
  assemble: (url) =>
    gather(chatOf(url), ({ data }, so) => {
      const [choice] = data.choices
      const content = choice?.delta.content ?? ''
      for (const part of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
        if (part.type === 'text') so.text += part.text
        if (part.type === 'thinking')
          for (const inner of part.thinking) so.reasoning += inner.type === 'text' ? inner.text : ''
      }
      for (const { id = '', function: called } of choice?.delta.toolCalls ?? [])
        so.calls.push({ id, name: called.name, input: called.arguments })
      so.reason = choice?.finishReason ?? so.reason
      so.usage = tokens(data.usage?.promptTokens, data.usage?.completionTokens) ?? so.usage
    }),
  message: (url) => mistral.assemble(url),
}
