/** Clients that run tools by themselves, each with a tool `rm` that only remembers what it was called with. */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { type CallableTool, GoogleGenAI } from '@google/genai'
import * as ai5 from 'ai5'
import * as ai6 from 'ai6'
import * as ai7 from 'ai7'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { runOf } from './ag-ui.ts'
import { NO_KEY } from './client.ts'

export interface Runner {
  readonly name: string
  /** The format that it reads. */
  readonly format: string
  /** Asks, runs what it is told to, and answers until nothing is left to run. */
  run(url: string, rm: (input: unknown) => void): Promise<void>
  /** Whether a good call runs although there is one in the same answer that may not run; it does if nothing is said. */
  runsBeside?(bad: BadCall): boolean
}

/** A call that may not run, as the client finds it. */
export interface BadCall {
  /** Cut off, wrong in another way, or not written at all. */
  readonly kind: 'cut' | 'wrong' | 'absent'
  readonly comes: 'first' | 'last'
  /** How the answer ended upstream. */
  readonly finish: string
}

const SCHEMA = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}
const question = [{ role: 'user', content: 'Tidy up.' }] as const

const runTools: Runner = {
  name: "openai's runTools",
  format: 'openai-chat',
  async run(url, rm) {
    const runner = new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.runTools({
      model: 'm',
      stream: true,
      messages: [...question],
      tools: [
        {
          type: 'function',
          function: {
            name: 'rm',
            description: 'Removes.',
            parameters: SCHEMA,
            parse: JSON.parse,
            function: rm,
          },
        },
      ],
    })
    await runner.done()
  },
}

const toolRunner = (runToolsEagerly: boolean): Runner => ({
  name: `Anthropic's ${runToolsEagerly ? 'eager ' : ''}tool runner`,
  format: 'anthropic',
  // It runs calls where the message stops for them. The eager one has run a call before when the next one begins.
  runsBeside: ({ kind, comes, finish }) =>
    kind === 'absent' ? finish === 'tool_calls' : runToolsEagerly && comes === 'last',
  async run(url, rm) {
    const runner = new Anthropic({ ...NO_KEY, baseURL: url }).beta.messages.toolRunner({
      model: 'm',
      max_tokens: 1000,
      stream: true,
      runToolsEagerly,
      messages: [...question],
      tools: [
        {
          type: 'custom',
          name: 'rm',
          description: 'Removes.',
          input_schema: SCHEMA,
          parse: (input: unknown) => input,
          run(input: unknown) {
            rm(input)
            return 'done'
          },
        },
      ],
    })
    for await (const stream of runner) await stream.done()
  },
})

const ollama: Runner = {
  name: 'ollama',
  format: 'ollama',
  async run(url, rm) {
    for await (const { message } of await new Ollama({ host: url }).chat({
      model: 'm',
      messages: [...question],
      stream: true,
    }))
      for (const call of message.tool_calls ?? []) rm(call.function.arguments)
  },
}

const MAJORS = { ai5, ai6, ai7 }

/** `streamText`, which runs each call as soon as its adapter says that it is whole. */
function streamText(
  major: 'ai6' | 'ai7',
  format: string,
  adapter: string,
  model: (url: string) => ai6.LanguageModel,
): Runner {
  return {
    name: `${major} with ${adapter}`,
    format,
    // It runs nothing of an answer that was cut off.
    runsBeside: ({ kind, finish }) => finish === 'tool_calls' && !(format === 'anthropic' && kind === 'cut'),
    async run(url, rm) {
      const { streamText: stream, jsonSchema } = MAJORS[major] as typeof ai6
      const result = stream({
        model: model(url),
        prompt: 'Tidy up.',
        maxRetries: 0,
        onError: () => {},
        tools: { rm: { inputSchema: jsonSchema(SCHEMA), execute: async (input: unknown) => rm(input) } },
      })
      await result.consumeStream()
    },
  }
}

const ADAPTERS: readonly [format: string, name: string, model: (url: string) => ai6.LanguageModel][] = [
  ['openai-chat', '@ai-sdk/openai (chat)', (url) => createOpenAI({ apiKey: 'none', baseURL: url }).chat('m')],
  [
    'openai-chat',
    '@ai-sdk/openai-compatible',
    (url) => createOpenAICompatible({ name: 'local', baseURL: url })('m'),
  ],
  [
    'openai-responses',
    '@ai-sdk/openai',
    (url) => createOpenAI({ apiKey: 'none', baseURL: url }).responses('gpt-5'),
  ],
  [
    'anthropic',
    '@ai-sdk/anthropic',
    (url) => createAnthropic({ apiKey: 'none', baseURL: url })('claude-sonnet-4-5'),
  ],
]

/** What `useChat` is made of: it hands a call to `onToolCall` when its input is available. */
function chat(major: keyof typeof MAJORS): Runner {
  return {
    name: `a chat of ${major}`,
    format: 'ai-sdk-ui',
    async run(url, rm) {
      const { AbstractChat, DefaultChatTransport } = MAJORS[major] as typeof ai6
      class Chat extends AbstractChat<ai6.UIMessage> {}
      const state: ai6.ChatState<ai6.UIMessage> = {
        status: 'ready',
        error: undefined,
        messages: [],
        pushMessage: (message) => void state.messages.push(message),
        popMessage: () => void state.messages.pop(),
        replaceMessage: (index, message) => void state.messages.splice(index, 1, message),
        snapshot: (value) => structuredClone(value),
      }
      await new Chat({
        state,
        transport: new DefaultChatTransport({ api: url }),
        onToolCall: ({ toolCall }) => rm(toolCall.input),
      }).sendMessage({ text: 'Tidy up.' })
      if (state.error !== undefined) throw state.error
    },
  }
}

/** Google's client runs the tools that it is given, and answers the model. */
const genai: Runner = {
  name: '@google/genai with a callable tool',
  format: 'gemini',
  async run(url, rm) {
    const tool: CallableTool = {
      tool: async () => ({ functionDeclarations: [{ name: 'rm', parametersJsonSchema: SCHEMA }] }),
      callTool: async (calls) =>
        calls.map(({ id, name, args }) => {
          rm(args)
          return { functionResponse: { ...(id && { id }), name: name ?? '', response: { output: 'done' } } }
        }),
    }
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
    const config = { tools: [tool] }
    for await (const _ of await client.models.generateContentStream({
      model: 'm',
      contents: 'Tidy up.',
      config,
    }));
  },
}

/** AG-UI's client hands each call to `onToolCallEndEvent`, and says at the end of the run which ones wait. */
const agUiEager: Runner = {
  name: "AG-UI's client, when a call ends",
  format: 'ag-ui',
  async run(url, rm) {
    await runOf(url, { onToolCallEndEvent: ({ toolCallArgs }) => rm(toolCallArgs) })
  },
}

const agUiPending: Runner = {
  name: "AG-UI's client, when the run is over",
  format: 'ag-ui',
  // A run with a call that may not run fails, and a failed run leaves nothing to the client.
  runsBeside: ({ kind }) => kind === 'absent',
  async run(url, rm) {
    const { calls, pending } = await runOf(url)
    for (const { id, function: called } of calls) if (pending.includes(id)) rm(JSON.parse(called.arguments))
  },
}

export const RUNNERS: readonly Runner[] = [
  runTools,
  toolRunner(false),
  toolRunner(true),
  ollama,
  genai,
  agUiEager,
  agUiPending,
  ...(['ai6', 'ai7'] as const).flatMap((major) =>
    ADAPTERS.map(([format, name, model]) => streamText(major, format, name, model)),
  ),
  chat('ai5'),
  chat('ai6'),
  chat('ai7'),
]
