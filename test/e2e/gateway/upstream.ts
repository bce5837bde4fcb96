/** A model server that is told what to answer by the name of the model. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fields } from '../../../src/base/fields.ts'

export interface ScriptedAnswer {
  readonly status?: number
  readonly chunks: readonly string[]
  readonly contentType?: string
  /** Milliseconds between two chunks. */
  readonly pause?: number
}

export interface AskedRequest {
  readonly path: string
  readonly body: Fields
}

export class ScriptedUpstream {
  /** By the name of the model; a server may answer by what it is asked. */
  readonly answers = new Map<string, ScriptedAnswer | ((asked: AskedRequest) => ScriptedAnswer)>()
  /** How many answers were sent to their end. */
  ended = 0
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
  }

  static async start(): Promise<ScriptedUpstream> {
    let upstream: ScriptedUpstream
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const path = request.url ?? ''
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Fields
      // Gemini has the name in the path.
      const model = String(body.model ?? /models\/([^:]+)/.exec(path)?.[1])
      const found = upstream.answers.get(model)
      const answer = typeof found === 'function' ? found({ path, body }) : found
      if (answer === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { message: `There is no model ${model}.` } }))
        return
      }
      response.writeHead(answer.status ?? 200, { 'content-type': answer.contentType ?? 'text/event-stream' })
      for (const chunk of answer.chunks) {
        if (response.destroyed) return
        response.write(chunk)
        if (answer.pause !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.pause))
      }
      response.end()
      upstream.ended++
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    upstream = new ScriptedUpstream(server)
    return upstream
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

export const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const END = 'data: [DONE]\n\n'

/** A text in small pieces, as vLLM and llama.cpp stream it. */
export const asText = (text: string, finish = 'stop'): ScriptedAnswer => ({
  chunks: [
    ...(text.match(/[\s\S]{1,4}/g) ?? []).map((content) => chunk({ content })),
    chunk({}, finish),
    END,
  ],
})

/** Calls as data, with arguments in the pieces that are given. */
export const asCalls = (
  text: string,
  calls: readonly (readonly [name: string, ...pieces: string[]])[],
  finish = 'tool_calls',
): ScriptedAnswer => ({
  chunks: [
    ...(text === '' ? [] : [chunk({ role: 'assistant', content: text })]),
    ...calls.flatMap(([name, ...pieces], index) => [
      chunk({
        tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
      }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finish),
    END,
  ],
})
