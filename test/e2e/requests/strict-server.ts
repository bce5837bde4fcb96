/**
 * A server on this machine that is as strict as the providers are: it checks each request by the rules of its protocol,
 * refuses it as they do, and otherwise says what it was told to, with signatures that it knows again.
 */

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fields } from '../../../src/base/fields.ts'
import {
  anthropicAnswer,
  geminiAnswer,
  Ids,
  ollamaAnswer,
  openaiChatAnswer,
  openaiResponsesAnswer,
  type Turn,
} from './answers.ts'
import { checkAnthropic } from './rules/anthropic.ts'
import { checkGemini } from './rules/gemini.ts'
import { checkOllama } from './rules/ollama.ts'
import { checkOpenaiChat, type ReasoningRule, type Thoughts } from './rules/openai-chat.ts'
import { checkOpenaiResponses, Issued } from './rules/openai-responses.ts'
import { Refusal } from './rules/refusal.ts'

/** What a path stands for: the rules for its requests, and how its answers are written. */
interface Endpoint {
  readonly type: string
  check(body: Fields, path: string): void
  answer(turn: Turn): string
}

export class StrictServer {
  /** The bodies of the requests that were accepted, in order. */
  readonly accepted: Fields[] = []
  /** Where they were sent. */
  readonly paths: string[] = []
  /** What the model says next. */
  turn: Turn = { thought: 'Hm.', text: 'Well.' }
  private readonly server: Server
  private readonly ids = new Ids()
  private readonly endpoints: readonly (readonly [path: RegExp, Endpoint])[]

  private constructor(server: Server) {
    this.server = server
    const issued = new Issued()
    const thoughts: Thoughts = new Map()
    const { ids } = this
    const chat = (rule: ReasoningRule): Endpoint => ({
      type: 'text/event-stream',
      check: (body) => checkOpenaiChat(body, rule, thoughts),
      answer: (turn) => openaiChatAnswer(turn, ids, rule, thoughts),
    })
    this.endpoints = [
      [/^\/openai\/v1\/chat\/completions$/, chat('none')],
      [/^\/openrouter\/v1\/chat\/completions$/, chat('details')],
      [/^\/deepseek\/v1\/chat\/completions$/, chat('text')],
      [
        /^\/openai\/v1\/responses$/,
        {
          type: 'text/event-stream',
          check: (body) => checkOpenaiResponses(body, issued),
          answer: (turn) => openaiResponsesAnswer(turn, ids, issued),
        },
      ],
      [
        /^\/anthropic\/v1\/messages$/,
        { type: 'text/event-stream', check: checkAnthropic, answer: (turn) => anthropicAnswer(turn, ids) },
      ],
      [
        /^\/gemini\/v1beta\/models\/[^:]+:streamGenerateContent\?alt=sse$/,
        {
          type: 'text/event-stream',
          check: (body, path) => checkGemini(body, /models\/([^:]+)/.exec(path)?.[1] ?? ''),
          answer: (turn) => geminiAnswer(turn, ids),
        },
      ],
      [
        /^\/ollama\/api\/chat$/,
        { type: 'application/x-ndjson', check: checkOllama, answer: (turn) => ollamaAnswer(turn, ids) },
      ],
    ]
  }

  static async open(): Promise<StrictServer> {
    const server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const { status, type, text } = opened.respond(request.url ?? '', body)
        response.writeHead(status, { 'content-type': type }).end(text)
      })
    })
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
    const opened = new StrictServer(server)
    return opened
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((closed) => {
      this.server.close(closed)
    })
  }

  private respond(path: string, body: string): { status: number; type: string; text: string } {
    const endpoint = this.endpoints.find(([pattern]) => pattern.test(path))?.[1]
    if (endpoint === undefined) return { status: 404, type: 'text/plain', text: '404 page not found' }
    try {
      const request = JSON.parse(body) as Fields
      endpoint.check(request, path)
      this.accepted.push(request)
      this.paths.push(path)
      return { status: 200, type: endpoint.type, text: endpoint.answer(this.turn) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, type: 'application/json', text: JSON.stringify(error.body) }
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
