/** Adds up what a client yields, for clients that leave that to their user. */

import { inputOf, type Said } from './said.ts'

export interface Gathered {
  text: string
  reasoning: string
  /** Arguments that come in pieces are text. */
  readonly calls: { readonly id: string; readonly name: string; input: unknown }[]
  reason: string | undefined
  usage: Said['usage']
}

export async function gather<Chunk>(
  chunks: PromiseLike<AsyncIterable<Chunk>>,
  add: (chunk: Chunk, so: Gathered) => void,
): Promise<Said> {
  const so: Gathered = { text: '', reasoning: '', calls: [], reason: undefined, usage: undefined }
  for await (const chunk of await chunks) add(chunk, so)
  const { calls, ...said } = so
  return {
    ...said,
    calls: calls.map(({ id, name, input }) => [id, name, typeof input === 'string' ? inputOf(input) : input]),
  }
}
