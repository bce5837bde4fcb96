/** Official clients that ask the gateway, and what each of them makes of the answer: the same message for all. */

import Anthropic from '@anthropic-ai/sdk'
import { DefaultChatTransport, readUIMessageStream } from 'ai6'
import { Ollama } from 'ollama'
import OpenAI from 'openai'

export interface Heard {
  readonly text: string
  readonly reasoning: string
  /** The calls that the client would run. */
  readonly calls: readonly (readonly [name: string, input: unknown])[]
}

export type Ask = (url: string, model: string) => Promise<Heard>

export const LS_SCHEMA = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const }, depth: { type: 'number' as const } },
}

const QUESTION = [{ role: 'user' as const, content: 'What is here?' }]
const CHAT_TOOLS = [
  { type: 'function' as const, function: { name: 'ls', parameters: LS_SCHEMA } },
  { type: 'function' as const, function: { name: 'now', parameters: { type: 'object', properties: {} } } },
]
const openai = (url: string): OpenAI => new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })
const claude = (url: string): Anthropic => new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 })

/** A client runs a call if its arguments parse. */
function runnable(name: string, json: string): (readonly [string, unknown])[] {
  try {
    return [[name, JSON.parse(json) as unknown]]
  } catch {
    return []
  }
}

/** A client goes by how the response ended, too: for one that says `stop`, nothing is run. */
function heardChat({ choices }: OpenAI.ChatCompletion): Heard {
  const { message, finish_reason } = choices[0]!
  const calls = (message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? runnable(call.function.name, call.function.arguments) : [],
  )
  if (finish_reason === 'tool_calls' && calls.length === 0)
    throw new Error('It ends for calls that may not run.')
  return {
    text: message.content ?? '',
    reasoning: (message as { reasoning_content?: string }).reasoning_content ?? '',
    calls: finish_reason === 'tool_calls' ? calls : [],
  }
}

function heardResponse({ output, output_text }: OpenAI.Responses.Response): Heard {
  return {
    text: output_text,
    reasoning: output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
      .map(({ text }) => text)
      .join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call' && item.status === 'completed' ? runnable(item.name, item.arguments) : [],
    ),
  }
}

function heardClaude({ content, stop_reason }: Anthropic.Message): Heard {
  if (stop_reason === 'tool_use' && !content.some(({ type }) => type === 'tool_use'))
    throw new Error('It ends for calls that are not there.')
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls:
      stop_reason === 'tool_use'
        ? content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input] as const] : []))
        : [],
  }
}

const chatRequest = (model: string) => ({ model, messages: QUESTION, tools: CHAT_TOOLS })
const responseRequest = (model: string) => ({
  model,
  input: 'What is here?',
  tools: CHAT_TOOLS.map((tool) => ({ type: 'function' as const, strict: false, ...tool.function })),
})
const claudeRequest = (model: string) => ({
  model,
  max_tokens: 1000,
  messages: QUESTION,
  tools: CHAT_TOOLS.map((tool) => ({
    name: tool.function.name,
    input_schema: tool.function.parameters as never,
  })),
})

export const CLIENTS: Readonly<Record<string, Ask>> = {
  'openai, chat, streamed': async (url, model) => {
    const stream = openai(url).chat.completions.stream(chatRequest(model))
    // Of a field that OpenAI does not have, the helper keeps the last piece alone.
    let reasoning = ''
    for await (const { choices } of stream)
      reasoning += (choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? ''
    return { ...heardChat(await stream.finalChatCompletion()), reasoning }
  },
  'openai, chat': async (url, model) =>
    heardChat(await openai(url).chat.completions.create(chatRequest(model))),
  'openai, responses, streamed': async (url, model) =>
    heardResponse((await openai(url).responses.stream(responseRequest(model)).finalResponse()) as never),
  'openai, responses': async (url, model) =>
    heardResponse(await openai(url).responses.create(responseRequest(model) as never)),
  'anthropic, streamed': async (url, model) =>
    heardClaude(await claude(url).messages.stream(claudeRequest(model)).finalMessage()),
  anthropic: async (url, model) => heardClaude(await claude(url).messages.create(claudeRequest(model))),
  'ollama, streamed': async (url, model) => {
    let text = ''
    let reasoning = ''
    const calls: (readonly [string, unknown])[] = []
    const stream = await new Ollama({ host: url }).chat({ ...chatRequest(model), stream: true } as never)
    for await (const { message } of stream as unknown as AsyncIterable<OllamaPart>) {
      text += message.content
      reasoning += message.thinking ?? ''
      for (const call of message.tool_calls ?? []) calls.push([call.function.name, call.function.arguments])
    }
    return { text, reasoning, calls }
  },
  ollama: async (url, model) => {
    const { message } = (await new Ollama({ host: url }).chat(
      chatRequest(model) as never,
    )) as unknown as OllamaPart
    const calls = (message.tool_calls ?? []).map(
      (call) => [call.function.name, call.function.arguments] as const,
    )
    return { text: message.content, reasoning: message.thinking ?? '', calls }
  },
  'ai, its transport': async (url, model) => {
    // The tools of such a client are the server's own: it sends them along as the application wants.
    const tools = CHAT_TOOLS.map(({ function: { name, parameters } }) => ({ name, inputSchema: parameters }))
    const transport = new DefaultChatTransport({ api: `${url}/v1/ui`, body: { model, tools } })
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 'chat',
      messageId: undefined,
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'What is here?' }] }],
      abortSignal: undefined,
    })
    let parts: readonly UiPart[] = []
    for await (const message of readUIMessageStream({ stream })) parts = message.parts as readonly UiPart[]
    return {
      text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      reasoning: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
      calls: parts.flatMap((part) => {
        const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
        return part.state === 'input-available' ? [[name ?? '', part.input] as const] : []
      }),
    }
  },
}

interface OllamaPart {
  readonly message: {
    readonly content: string
    readonly thinking?: string
    readonly tool_calls?: readonly { function: { name: string; arguments: unknown } }[]
  }
}

interface UiPart {
  readonly type: string
  readonly text?: string
  readonly toolName?: string
  readonly state?: string
  readonly input?: unknown
}
