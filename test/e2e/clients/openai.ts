/** OpenAI's client, for both of its formats, with the helpers that put messages together. */

import OpenAI from 'openai'
import { type Client, NO_KEY } from './client.ts'
import { type Called, inputOf, tokens } from './said.ts'

const chatRequest = { model: 'm', messages: [] }
const completionOf = (url: string) =>
  new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.stream(chatRequest).finalChatCompletion()
const responseOf = (url: string) =>
  new OpenAI({ ...NO_KEY, baseURL: url }).responses.stream({ model: 'm', input: '' }).finalResponse()

export const openaiChat: Client = {
  name: 'openai',
  provider: 'openai-chat',
  chunks: (url) =>
    new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.create({ ...chatRequest, stream: true }),
  message: completionOf,
  async assemble(url) {
    const { choices, usage } = await completionOf(url)
    const { message, finish_reason } = choices[0]!
    // Compatible servers send what OpenAI has no type for.
    const { reasoning_content } = message as { reasoning_content?: string }
    return {
      text: message.content ?? message.refusal ?? '',
      reasoning: reasoning_content ?? '',
      calls: (message.tool_calls ?? []).map(
        (call): Called => [call.id, call.function.name, inputOf(call.function.arguments)],
      ),
      reason: finish_reason,
      usage: tokens(usage?.prompt_tokens, usage?.completion_tokens),
    }
  },
}

/** The chunks that the helper hands on, which keeps a message of its own beside them. */
export const openaiChatHelper: Client = {
  ...openaiChat,
  name: 'openai, its helper',
  chunks: (url) => new OpenAI({ ...NO_KEY, baseURL: url }).chat.completions.stream(chatRequest),
}

export const openaiResponses: Client = {
  name: 'openai',
  provider: 'openai-responses',
  chunks: (url) =>
    new OpenAI({ ...NO_KEY, baseURL: url }).responses.create({ model: 'm', input: '', stream: true }),
  message: responseOf,
  async assemble(url) {
    const { output, output_text, status, incomplete_details, usage } = await responseOf(url)
    return {
      text: output_text,
      reasoning: output
        .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
        .map(({ text }) => text)
        .join(''),
      calls: output.flatMap((item): Called[] => {
        if (item.type === 'custom_tool_call') return [[item.call_id, item.name, item.input]]
        return item.type === 'function_call' ? [[item.call_id, item.name, inputOf(item.arguments)]] : []
      }),
      reason: incomplete_details?.reason ?? status,
      usage: tokens(usage?.input_tokens, usage?.output_tokens),
    }
  },
}

export const openaiResponsesHelper: Client = {
  ...openaiResponses,
  name: 'openai, its helper',
  chunks: (url) => new OpenAI({ ...NO_KEY, baseURL: url }).responses.stream({ model: 'm', input: '' }),
}
