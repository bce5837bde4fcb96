/** Scripted models for the tests: each answers with texts that were written down, cut as a test wants. */

import { simulateReadableStream } from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from 'provider-v3'
import type { PartLike } from 'sluice/ai-sdk'

export const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export const finish = (
  unified: 'stop' | 'length' | 'other' = 'stop',
  raw = 'eos',
): LanguageModelV3StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage: USAGE,
})

/** Text as a model streams it. */
export function textParts(text: string, size = 4): LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [{ type: 'text-start', id: '0' }]
  for (let at = 0; at < text.length; at += size)
    parts.push({ type: 'text-delta', id: '0', delta: text.slice(at, at + size) })
  return [...parts, { type: 'text-end', id: '0' }]
}

export const streamOf = <T>(chunks: readonly T[]): ReadableStream<T> =>
  simulateReadableStream({ chunks: [...chunks], initialDelayInMs: null, chunkDelayInMs: null })

/** A model that gives one answer after the other, whether it is streamed or not. */
export function scripted(...answers: string[]): MockLanguageModelV3 {
  let next = 0
  const answer = (): string => answers[Math.min(next++, answers.length - 1)]!
  return new MockLanguageModelV3({
    doStream: async () => ({ stream: streamOf([...textParts(answer()), finish()]) }),
    doGenerate: async () => ({
      content: [{ type: 'text', text: answer() }],
      finishReason: { unified: 'stop', raw: 'eos' },
      usage: USAGE,
      warnings: [],
    }),
  })
}

/** A model that streams these parts. */
export const streaming = (parts: readonly LanguageModelV3StreamPart[]): MockLanguageModelV3 =>
  new MockLanguageModelV3({ doStream: async () => ({ stream: streamOf(parts) }) })

export async function collect<T>(stream: ReadableStream<T>): Promise<T[]> {
  const parts: T[] = []
  const reader = stream.getReader()
  for (let step = await reader.read(); !step.done; step = await reader.read()) parts.push(step.value)
  return parts
}

/** Neighbouring deltas of one thing joined. */
export function merged(parts: readonly PartLike[]): PartLike[] {
  const result: (PartLike & { id?: string; delta?: string })[] = []
  for (const part of parts as readonly (PartLike & { id?: string; delta?: string })[]) {
    const last = result.at(-1)
    if (part.delta !== undefined && last?.type === part.type && last.id === part.id)
      result[result.length - 1] = { ...last, delta: last.delta + part.delta }
    else result.push(part)
  }
  return result
}

/** A call with tools, as `streamText` would make it. */
export const request = (options: Partial<LanguageModelV3CallOptions> = {}): LanguageModelV3CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
  tools: [
    {
      type: 'function',
      name: 'get_weather',
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    },
    {
      type: 'function',
      name: 'write_file',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
      },
    },
  ],
  ...options,
})
