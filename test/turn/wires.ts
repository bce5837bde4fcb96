/** Every wire that a turn can go over: how its model is made, and how a server says a message on it. */

import type { Part } from '../../src/base/part.ts'
import { ALL } from '../../src/dialects/all.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { render } from '../../src/engine/render.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import type { EndpointOptions } from '../../src/turn/endpoint.ts'
import {
  anthropicModel,
  geminiModel,
  type Model,
  ollamaModel,
  openaiChatModel,
  openaiResponsesModel,
  prefilledModel,
  promptedModel,
} from '../../src/turn/index.ts'
import { type Reply, streamed, whole } from './scripted-server.ts'

export const PATH = { type: 'object', properties: { path: { type: 'string' } } } as const

/** It has no way to write text and a call in one line. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['generic-json', 'glm4', 'prompted', 'theta'])

export interface Wire {
  readonly model: (options: EndpointOptions) => Model
  readonly reply: (parts: readonly Part[]) => Reply
}

const native = (provider: string, model: Wire['model']): Wire => ({
  model,
  reply: (parts) => streamed(provider, parts),
})

const prompted = (dialect: Dialect): Wire => ({
  model: (options) => promptedModel(openaiChatModel(options), { dialect }),
  reply: (parts) => streamed('openai-chat', [{ type: 'text', text: asText(parts, dialect) }]),
})

const TOOL_LIST = ['ls', 'rm', 'wait', 'crash', 'dump'].map((name) => ({ name, inputSchema: PATH }))

const asText = (parts: readonly Part[], dialect: Dialect): string =>
  render(parts, { dialect, tools: TOOL_LIST })

export const WIRES: Readonly<Record<string, Wire>> = {
  'openai-chat': native('openai-chat', openaiChatModel),
  'openai-responses': native('openai-responses', openaiResponsesModel),
  anthropic: native('anthropic', anthropicModel),
  gemini: native('gemini', geminiModel),
  ollama: native('ollama', ollamaModel),
  'openai-chat, not streamed': {
    model: (options) => openaiChatModel({ ...options, stream: false }),
    reply: whole,
  },
  'hermes in text, not streamed': {
    model: (options) => promptedModel(openaiChatModel({ ...options, stream: false }), { dialect: hermes }),
    reply: (parts) => whole([{ type: 'text', text: asText(parts, hermes) }]),
  },
  'function-calls, prefilled': {
    model: (options) =>
      prefilledModel(anthropicModel(options), {
        dialect: functionCalls,
        closers: ['</function_calls>'],
        stop: ['\nUser:'],
      }),
    // The provider stops at neither: what follows is not part of the response.
    reply: (parts) =>
      streamed('anthropic', [{ type: 'text', text: `${asText(parts, functionCalls)}\nUser: and then?` }]),
  },
  'function-calls, a transcript': {
    model: (options) =>
      prefilledModel(openaiChatModel(options), {
        dialect: functionCalls,
        closers: ['</function_calls>'],
        transcript: { assistant: 'Claude', nameOf: () => 'Ann' },
      }),
    reply: (parts) =>
      streamed('openai-chat', [{ type: 'text', text: `${asText(parts, functionCalls)}\nAnn: and then?` }]),
  },
  ...Object.fromEntries(
    ALL.filter((dialect) => !WITHOUT_TEXT.has(dialect.name)).map((dialect) => [
      `${dialect.name} in text`,
      prompted(dialect),
    ]),
  ),
}

/** One wire of each kind: calls of the API's own, a response that comes whole, calls in text, and a prefilled message. */
export const MODES = [
  'anthropic',
  'openai-chat, not streamed',
  'hermes in text',
  'function-calls, prefilled',
] as const
