/** Google's client for Gemini. */

import { GoogleGenAI } from '@google/genai'
import type { Client } from './client.ts'
import { gather } from './gather.ts'
import { tokens } from './said.ts'

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
  assemble: (url) =>
    gather(geminiChunks(url), (chunk, so) => {
      for (const { text = '', thought } of chunk.candidates?.[0]?.content?.parts ?? [])
        so[thought ? 'reasoning' : 'text'] += text
      for (const { id = '', name = '', args } of chunk.functionCalls ?? [])
        so.calls.push({ id, name, input: args })
      so.reason = chunk.candidates?.[0]?.finishReason ?? so.reason
      const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = chunk.usageMetadata ?? {}
      so.usage = tokens(promptTokenCount, candidatesTokenCount + thoughtsTokenCount) ?? so.usage
    }),
}
