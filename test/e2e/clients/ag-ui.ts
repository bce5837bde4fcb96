/** AG-UI's client: an agent behind HTTP, whose messages its client puts together. */

import { type AgentSubscriber, type BaseEvent, HttpAgent } from '@ag-ui/client'
import type { Client } from './client.ts'
import { inputOf, tokens } from './said.ts'

interface ToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface Run {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
  /** The calls that the client is to answer. */
  readonly pending: readonly string[]
  readonly reason: string | undefined
  readonly usage: readonly { readonly inputTokens?: number; readonly outputTokens?: number }[]
  readonly error: string | undefined
  /** The messages as they are in the end. */
  readonly messages: readonly unknown[]
}

/** The run of an agent: what it left in the messages, and how it ended. */
export async function runOf(url: string, subscriber: AgentSubscriber = {}): Promise<Run> {
  const agent = new HttpAgent({ url })
  let ended: Partial<Run> = {}
  await agent
    .runAgent(
      {},
      {
        ...subscriber,
        onRunFinishedEvent: (params) => {
          ended = {
            reason: params.outcome,
            pending: params.outcome === 'success' ? params.pendingToolCallIds : [],
            usage: params.event.usage ?? [],
          }
        },
        onRunErrorEvent: ({ event }) => {
          ended = { error: event.message }
        },
      },
    )
    .catch((error: unknown) => {
      ended = { error: String(error), ...ended }
    })
  const ofRole = (role: string): string =>
    agent.messages.map((message) => (message.role === role ? (message.content ?? '') : '')).join('')
  return {
    text: ofRole('assistant'),
    reasoning: ofRole('reasoning'),
    calls: agent.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    ),
    pending: [],
    reason: undefined,
    usage: [],
    error: undefined,
    messages: agent.messages,
    ...ended,
  }
}

export const agUi: Client = {
  name: '@ag-ui/client',
  provider: 'ag-ui',
  async *chunks(url) {
    const events: BaseEvent[] = []
    const input = { threadId: 't', runId: 'r', state: {}, messages: [], tools: [], context: [] }
    await new Promise<void>((complete, error) => {
      new HttpAgent({ url })
        .run(input)
        .subscribe({ next: (event) => void events.push(event), error, complete })
    })
    yield* events
  },
  async message(url) {
    const custom: unknown[] = []
    const { error, messages, usage } = await runOf(url, {
      onCustomEvent: ({ event }) => void custom.push(event),
    })
    if (error !== undefined) throw new Error(error)
    return [messages, usage, custom]
  },
  async assemble(url) {
    const { text, reasoning, calls, pending, reason, usage, error } = await runOf(url)
    if (error !== undefined) throw new Error(error)
    return {
      text,
      reasoning,
      calls: calls.flatMap(({ id, function: called }) =>
        pending.includes(id) ? [[id, called.name, inputOf(called.arguments)] as const] : [],
      ),
      reason,
      usage: tokens(usage[0]?.inputTokens, usage[0]?.outputTokens),
    }
  },
}
