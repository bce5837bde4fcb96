/** A local server that answers requests as a script says, in the true format of a provider. Needs no test around it. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Part } from '../../src/base/part.ts'
import { eventsOfMessage, writtenBy } from '../laws/providers.ts'

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly chunks: readonly (string | Uint8Array)[]
  /** The connection dies behind the chunks, or stays open without a word; or there is no answer at all. */
  readonly end?: 'dropped' | 'silent' | 'unanswered'
}

export interface ServedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: bodies of five protocols
  readonly body: any
}

export class ScriptedServer {
  readonly requests: ServedRequest[] = []
  readonly replies: Reply[]
  /** Requests whose connection the client closed. */
  left = 0
  private readonly server: Server
  private onLeft: (() => void) | undefined
  private open = 0
  private readonly watchers = new Set<() => void>()
  /** How many requests were answered as far as the script goes. */
  private said = 0

  private constructor(replies: readonly Reply[]) {
    this.replies = [...replies]
    this.server = createServer((request, response) => void this.serve(request, response))
  }

  static async listen(replies: readonly Reply[]): Promise<ScriptedServer> {
    const model = new ScriptedServer(replies)
    await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve))
    return model
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.server.close(() => resolve()))
    // One that was on its way when its request was aborted may still come.
    this.server.on('connection', (socket) => socket.destroy())
    this.server.closeAllConnections()
    return stopped
  }

  /** Resolves when a client has closed its connection early. */
  async untilLeft(): Promise<void> {
    if (this.left === 0)
      await new Promise<void>((resolve) => {
        this.onLeft = resolve
      })
  }

  /** Resolves when so many requests have been answered as far as the script goes. */
  untilSaid(count: number): Promise<void> {
    return this.until(() => this.said >= count)
  }

  /** Resolves when no request is open. */
  untilIdle(): Promise<void> {
    return this.until(() => this.open === 0)
  }

  private until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return
        this.watchers.delete(look)
        resolve()
      }
      this.watchers.add(look)
      look()
    })
  }

  private notify(): void {
    for (const look of [...this.watchers]) look()
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open++
    response.on('close', () => {
      this.open--
      this.notify()
    })
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece as Buffer)
    } catch {
      // The client went away while it sent its request.
      return
    }
    this.requests.push({
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(pieces).toString()),
    })
    const reply = this.replies[this.requests.length - 1]
    if (reply === undefined) {
      response.writeHead(500).end('{"error":{"message":"The script is over."}}')
      return
    }
    if (reply.end === 'unanswered') {
      this.say()
      return
    }
    response.on('close', () => {
      if (response.writableFinished || reply.end === 'dropped') return
      this.left++
      this.onLeft?.()
    })
    response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers })
    response.flushHeaders()
    for (const chunk of reply.chunks)
      await new Promise<void>((resolve) => response.write(chunk, () => resolve()))
    if (reply.end === 'dropped') response.destroy()
    else if (reply.end === undefined) response.end()
    this.say()
  }

  private say(): void {
    this.said++
    this.notify()
  }
}

/** A message in the stream of a provider. */
export const streamed = (provider: string, parts: readonly Part[]): Reply => ({
  chunks: writtenBy(provider, eventsOfMessage(parts)),
})

/** A message of Chat Completions that comes whole. */
export function whole(parts: readonly Part[]): Reply {
  const calls = parts.flatMap((part, index) =>
    part.type === 'call'
      ? [
          {
            id: part.id ?? `call_${index}`,
            type: 'function',
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  )
  const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
  const choices = [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }]
  return {
    headers: { 'content-type': 'application/json' },
    chunks: [
      JSON.stringify({
        id: 'r1',
        object: 'chat.completion',
        model: 'm',
        choices,
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    ],
  }
}

export const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  chunks: [JSON.stringify({ error: { message: 'Not now.', type: 'some_error' } })],
})
