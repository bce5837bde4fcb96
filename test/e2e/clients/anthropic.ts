/** Anthropic's client, and its helper. */

import Anthropic from '@anthropic-ai/sdk'
import { type Client, NO_KEY } from './client.ts'
import { type Called, tokens } from './said.ts'

const messagesRequest = { model: 'm', max_tokens: 1000, messages: [] }
const messageOf = (url: string) =>
  new Anthropic({ ...NO_KEY, baseURL: url }).messages.stream(messagesRequest).finalMessage()

export const anthropic: Client = {
  name: '@anthropic-ai/sdk',
  provider: 'anthropic',
  chunks: (url) =>
    new Anthropic({ ...NO_KEY, baseURL: url }).messages.create({ ...messagesRequest, stream: true }),
  message: messageOf,
  async assemble(url) {
    const { content, stop_reason, usage } = await messageOf(url)
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: content.flatMap((block): Called[] =>
        block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [],
      ),
      reason: stop_reason ?? undefined,
      usage: tokens(
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        usage.output_tokens,
      ),
    }
  },
}

export const anthropicHelper: Client = {
  ...anthropic,
  name: '@anthropic-ai/sdk, its helper',
  chunks: (url) => new Anthropic({ ...NO_KEY, baseURL: url }).messages.stream(messagesRequest),
}
