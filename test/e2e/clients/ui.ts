/** The AI SDK's reader of UI message streams, which `useChat` is made of, in each of its majors. */

import * as ai5 from 'ai5'
import * as ai6 from 'ai6'
import * as ai7 from 'ai7'
import type { Client } from './client.ts'
import type { Called } from './said.ts'

/** What the majors have in common. */
interface Reader {
  readonly parseJsonEventStream: typeof ai6.parseJsonEventStream
  readonly readUIMessageStream: typeof ai6.readUIMessageStream
  readonly uiMessageChunkSchema: typeof ai6.uiMessageChunkSchema
}

/** The message that `useChat` shows, and the errors that it was told of. */
export async function uiMessageOf(
  url: string,
  { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema }: Reader = ai6,
): Promise<{ readonly message: ai6.UIMessage | undefined; readonly errors: readonly unknown[] }> {
  const stream = uiChunks(url, { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema })
  const errors: unknown[] = []
  let message: ai6.UIMessage | undefined
  const messages = readUIMessageStream({
    stream: await stream,
    onError: (error) => errors.push(error),
  })
  for await (const grown of messages) message = structuredClone(grown)
  return { message, errors }
}

async function uiChunks(
  url: string,
  { parseJsonEventStream, uiMessageChunkSchema }: Reader,
): Promise<ReadableStream<ai6.UIMessageChunk>> {
  const { body } = await fetch(url)
  return parseJsonEventStream({ stream: body!, schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream({
      transform(result, controller) {
        if (result.success) controller.enqueue(result.value)
        else throw result.error
      },
    }),
  )
}

function uiClient(name: string, sdk: unknown): Client {
  const reader = sdk as Reader
  const wholeMessage = async (url: string): Promise<ai6.UIMessage | undefined> => {
    const { message, errors } = await uiMessageOf(url, reader)
    if (errors.length > 0) throw errors[0]
    return message
  }
  return {
    name,
    provider: 'ai-sdk-ui',
    chunks: (url) => uiChunks(url, reader),
    message: wholeMessage,
    async assemble(url) {
      const { parts = [] } = (await wholeMessage(url)) ?? {}
      const textOf = (type: 'text' | 'reasoning'): string =>
        parts.map((part) => (part.type === type ? part.text : '')).join('')
      return {
        text: textOf('text'),
        reasoning: textOf('reasoning'),
        // What the application is to run has an input and no output yet.
        calls: parts.flatMap((part): Called[] => {
          if (!('toolCallId' in part) || part.state !== 'input-available' || part.providerExecuted) return []
          const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
          return [[part.toolCallId, name, part.input]]
        }),
      }
    },
  }
}

export const UI_CLIENTS: readonly Client[] = [
  uiClient('ai 5', ai5),
  uiClient('ai 6', ai6),
  uiClient('ai 7', ai7),
]
