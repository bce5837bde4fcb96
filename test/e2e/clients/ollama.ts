/** Ollama's client. */

import { Ollama } from 'ollama'
import type { Client } from './client.ts'
import { type Called, type Said, tokens } from './said.ts'

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
  async assemble(url) {
    let text = ''
    let reasoning = ''
    const calls: Called[] = []
    let reason: string | undefined
    let usage: Said['usage']
    for await (const { message, done, done_reason, prompt_eval_count, eval_count } of await ollamaChunks(
      url,
    )) {
      text += message.content
      reasoning += message.thinking ?? ''
      for (const call of message.tool_calls ?? [])
        calls.push([(call as { id?: string }).id ?? '', call.function.name, call.function.arguments])
      if (done) {
        reason = done_reason
        usage = tokens(prompt_eval_count, eval_count)
      }
    }
    return { text, reasoning, calls, reason, usage }
  },
}
