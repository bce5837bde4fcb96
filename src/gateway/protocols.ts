/** The protocols that clients speak: one entry for each. */

import type { Fields } from '../base/fields.ts'
import { aiSdkUiRequest } from '../providers/ai-sdk-ui/request.ts'
import { aiSdkUiWriter } from '../providers/ai-sdk-ui/write.ts'
import { anthropicRequest } from '../providers/anthropic/request.ts'
import { anthropicWriter } from '../providers/anthropic/write.ts'
import { ollamaRequest } from '../providers/ollama/request.ts'
import { ollamaWriter } from '../providers/ollama/write.ts'
import { openaiChatRequest } from '../providers/openai-chat/request.ts'
import { openaiChatWriter } from '../providers/openai-chat/write.ts'
import { openaiResponsesRequest } from '../providers/openai-responses/request.ts'
import { openaiResponsesWriter } from '../providers/openai-responses/write.ts'
import type { Payload, WireFormat } from '../providers/wire-format.ts'
import type { RequestFormat } from '../requests/conversation/request-format.ts'
import { generateRequest, generateWriter } from './ollama-generate.ts'
import { wholeAnthropic, wholeChat, wholeGenerated, wholeOllama, wholeResponse } from './whole.ts'

export interface ClientProtocol {
  readonly name: string
  readonly format: RequestFormat
  readonly writer: WireFormat
  /** Where clients send their requests. */
  readonly paths: readonly string[]
  /** What the id of a response begins with. */
  readonly idPrefix: string
  isStreamed(body: Fields): boolean
  /** The answer that is not streamed, from the payloads of one that is. Without it, every answer is a stream. */
  whole?(payloads: readonly Payload[]): Payload
  /** Its answers say whether they are over, and how: half of one is not taken for all of it. */
  readonly hasStatus?: true
  /** A frame with what only clients of the gateway look at. */
  extension(sluice: Payload, about: { id: string; model: string; created: number }): string
}

const data = (payload: Payload): string => `data: ${JSON.stringify(payload)}\n\n`
const named = (payload: Payload): string => `event: sluice\n${data({ type: 'sluice', ...payload })}`

export const PROTOCOLS: readonly ClientProtocol[] = [
  {
    name: 'openai-chat',
    format: openaiChatRequest,
    writer: openaiChatWriter,
    paths: ['/v1/chat/completions'],
    idPrefix: 'chatcmpl-',
    isStreamed: ({ stream }) => stream === true,
    whole: wholeChat,
    // A chunk without choices, as the one with the usage is.
    extension: (sluice, about) => data({ ...about, object: 'chat.completion.chunk', choices: [], sluice }),
  },
  {
    name: 'openai-responses',
    format: openaiResponsesRequest,
    writer: openaiResponsesWriter,
    paths: ['/v1/responses'],
    idPrefix: 'resp_',
    isStreamed: ({ stream }) => stream === true,
    whole: wholeResponse,
    hasStatus: true,
    extension: named,
  },
  {
    name: 'anthropic',
    format: anthropicRequest,
    writer: anthropicWriter,
    paths: ['/v1/messages'],
    idPrefix: 'msg_',
    isStreamed: ({ stream }) => stream === true,
    whole: wholeAnthropic,
    // Its clients pass over events that they do not know.
    extension: named,
  },
  {
    name: 'ollama',
    format: ollamaRequest,
    writer: ollamaWriter,
    paths: ['/api/chat'],
    idPrefix: '',
    isStreamed: ({ stream }) => stream !== false,
    whole: wholeOllama,
    extension: (sluice, { model, created }) =>
      `${JSON.stringify({
        model,
        created_at: new Date(created * 1000).toISOString(),
        message: { role: 'assistant', content: '' },
        done: false,
        sluice,
      })}\n`,
  },
  {
    name: 'ollama-generate',
    format: generateRequest,
    writer: generateWriter,
    paths: ['/api/generate'],
    idPrefix: '',
    isStreamed: ({ stream }) => stream !== false,
    whole: wholeGenerated,
    extension: (sluice, { model, created }) =>
      `${JSON.stringify({
        model,
        created_at: new Date(created * 1000).toISOString(),
        response: '',
        done: false,
        sluice,
      })}\n`,
  },
  {
    name: 'ai-sdk-ui',
    format: aiSdkUiRequest,
    writer: aiSdkUiWriter,
    paths: ['/v1/ui'],
    idPrefix: '',
    isStreamed: () => true,
    // Parts of its own kind, which are given to `onData` and not kept in the message.
    extension: (sluice) => data({ type: 'data-sluice', data: sluice, transient: true }),
  },
]

export const isSse = ({ writer }: ClientProtocol): boolean => writer.contentType === 'text/event-stream'
