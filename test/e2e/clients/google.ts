/** Google's client for Gemini. */

import { GoogleGenAI } from '@google/genai'
import type { Client } from './client.ts'
import { type Called, type Said, tokens } from './said.ts'

const geminiChunks = (url: string) =>
  new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }).models.generateContentStream({
    model: 'm',
    contents: 'Hello',
  })

export const gemini: Client = {
  name: '@google/genai',
  provider: 'gemini',
  chunks: geminiChunks,
  async message(url) {
    const said = { text: '', thought: '' }
    const rest: unknown[] = []
    for await (const chunk of await geminiChunks(url)) {
      for (const { text = '', thought, ...part } of chunk.candidates?.[0]?.content?.parts ?? []) {
        said[thought ? 'thought' : 'text'] += text
        rest.push(part)
      }
      rest.push({ ...chunk, candidates: chunk.candidates?.map(({ content: _, ...others }) => others) })
    }
    return [said, rest]
  },
  async assemble(url) {
    let text = ''
    let reasoning = ''
    const calls: Called[] = []
    let reason: string | undefined
    let usage: Said['usage']
    for await (const chunk of await geminiChunks(url)) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? [])
        if (part.thought) reasoning += part.text ?? ''
        else text += part.text ?? ''
      for (const { id, name, args } of chunk.functionCalls ?? []) calls.push([id ?? '', name ?? '', args])
      reason = chunk.candidates?.[0]?.finishReason ?? reason
      const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = chunk.usageMetadata ?? {}
      usage = tokens(promptTokenCount, candidatesTokenCount + thoughtsTokenCount) ?? usage
    }
    return { text, reasoning, calls, reason, usage }
  },
}
