/**
 * What a page of the AI SDK posts to: an application as its documentation shows it, with its own checks of messages, its
 * own adapter, and Claude behind it, whose server is strict.
 */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import {
  convertToModelMessages,
  jsonSchema,
  streamText,
  type ToolSet,
  type UIMessage,
  validateUIMessages,
} from 'ai6'
import type { FunctionTool } from '../../../src/providers/requests.ts'

// Reasoning of other models is nothing to Claude's adapter, which says so each time.
;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false

export class PageApp {
  /** The bodies of the requests that were accepted, in order. */
  readonly accepted: { readonly messages: unknown[] }[] = []
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
  }

  /** `claude`: the address of a strict server. */
  static async open(claude: string, tools: readonly FunctionTool[]): Promise<PageApp> {
    const model = createAnthropic({ apiKey: 'none', baseURL: `${claude}/anthropic/v1` })('claude-opus-4-5')
    const offered: ToolSet = Object.fromEntries(
      tools.map(({ name, description, inputSchema }) => [
        name,
        { description: description ?? '', inputSchema: jsonSchema(inputSchema as object) },
      ]),
    )
    const answer = async (body: { messages: unknown[] }): Promise<Response> => {
      // Throws where the messages are none, or a call of a tool has an input that its schema does not allow.
      const messages = await validateUIMessages({ messages: body.messages, tools: offered as never })
      const prompt = await convertToModelMessages(messages, { tools: offered })
      let refused: unknown
      const result = streamText({
        model,
        messages: prompt,
        allowSystemInMessages: true,
        tools: offered,
        maxRetries: 0,
        ...(mayThink(messages) && {
          providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
        }),
        onError: ({ error }) => {
          refused = error
        },
      } as Parameters<typeof streamText>[0])
      // The checks of a prompt, and those of the provider, come with the first part.
      const response = result.toUIMessageStreamResponse({ sendReasoning: true })
      const text = await response.text()
      if (refused !== undefined) throw refused
      opened.accepted.push(body)
      return new Response(text, { headers: response.headers })
    }
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        answer(JSON.parse(Buffer.concat(chunks).toString()) as { messages: unknown[] })
          .then(async (good) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' }).end(await good.text())
          })
          .catch((error: Error) => {
            response.writeHead(400, { 'content-type': 'application/json' })
            response.end(JSON.stringify({ error: error.name, message: error.message }))
          })
      })
    })
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
    const opened = new PageApp(server)
    return opened
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api/chat`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((closed) => {
      this.server.close(closed)
    })
  }
}

/** Claude does not think about a turn that another model began. The adapter leaves that to the application. */
function mayThink(messages: readonly UIMessage[]): boolean {
  const last = messages.at(-1)
  const first = last?.parts.find(({ type }) => type !== 'step-start')
  return (
    last?.role === 'user' || (first?.type === 'reasoning' && first.providerMetadata?.anthropic !== undefined)
  )
}
