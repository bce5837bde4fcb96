/** Ollama's client. */

import { Ollama } from 'ollama'
import type { Client } from './client.ts'
import { gather } from './gather.ts'
import { tokens } from './said.ts'

const ollamaChunks = (url: string) =>
  new Ollama({ host: url }).chat({ model: 'm', messages: [], stream: true })

export const ollama: Client = {
  name: 'ollama',
  provider: 'ollama',
  chunks: ollamaChunks,
  async message(url) {
    const said = { content: '', thinking: '' }
    const rest: unknown[] = []
    for await (const { message, ...others } of await ollamaChunks(url)) {
      said.content += message.content
      said.thinking += message.thinking ?? ''
      rest.push(message.tool_calls ?? [], others)
    }
    return [said, rest]
  },
  assemble: (url) =>
    gather(ollamaChunks(url), ({ message, done, done_reason, prompt_eval_count, eval_count }, so) => {
      so.text += message.content
      so.reasoning += message.thinking ?? ''
      for (const call of message.tool_calls ?? []) {
        const { id = '' } = call as { id?: string }
        so.calls.push({ id, name: call.function.name, input: call.function.arguments })
      }
      if (!done) return
      so.reason = done_reason
      so.usage = tokens(prompt_eval_count, eval_count)
    }),
}
