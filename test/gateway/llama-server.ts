/**
 * A server that keeps its streams as llama.cpp does: a stream with a name goes on when its reader leaves, the last bytes of it
 * are kept in a ring, and it can be read again from any of them. A stream without a name ends with its connection.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What llama.cpp keeps of a stream. */
const RING_BYTES = 4 * 1024 * 1024

export interface LlamaAnswer {
  /** Pieces as they are written to the connection. */
  readonly pieces: readonly (string | Uint8Array)[]
  /** Milliseconds between two pieces. */
  readonly pause?: number
}

export interface LlamaOptions {
  readonly ringBytes?: number
}

class KeptStream {
  private bytes = Buffer.alloc(0)
  /** How many bytes are not kept any more. */
  dropped = 0
  isOver = false
  isStopped = false
  private readonly readers = new Set<() => void>()
  private readonly ringBytes: number

  constructor(ringBytes: number) {
    this.ringBytes = ringBytes
  }

  get end(): number {
    return this.dropped + this.bytes.length
  }

  add(piece: string | Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, Buffer.from(piece as Uint8Array)])
    const excess = Math.max(0, this.bytes.length - this.ringBytes)
    this.bytes = this.bytes.subarray(excess)
    this.dropped += excess
    this.wake()
  }

  finish(): void {
    this.isOver = true
    this.wake()
  }

  /** Writes what there is from a byte on, and what follows. */
  send(from: number, response: ServerResponse): void {
    let at = from
    const write = (): void => {
      if (at < this.end) response.write(this.bytes.subarray(at - this.dropped))
      at = this.end
      if (this.isOver) response.end()
    }
    this.readers.add(write)
    response.on('close', () => this.readers.delete(write))
    write()
  }

  private wake(): void {
    for (const write of [...this.readers]) write()
  }
}

export class LlamaServer {
  /** Method and address of each request, with the name of the stream. */
  readonly asked: string[] = []
  readonly streams = new Map<string, KeptStream>()
  /** How many streams were generated to their end. */
  ended = 0
  private readonly answers: LlamaAnswer[]
  private readonly ringBytes: number
  private readonly server: Server

  private constructor(answers: readonly LlamaAnswer[], { ringBytes = RING_BYTES }: LlamaOptions) {
    this.answers = [...answers]
    this.ringBytes = ringBytes
    this.server = createServer((request, response) => void this.serve(request, response))
  }

  /** The last of the answers is given again and again. */
  static async listen(answers: readonly LlamaAnswer[], options: LlamaOptions = {}): Promise<LlamaServer> {
    const server = new LlamaServer(answers, options)
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const stream of this.streams.values()) stream.isStopped = true
    const stopped = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.server.closeAllConnections()
    await stopped
  }

  /** A stream that has come to its end, or so far. */
  keep(name: string, bytes: Uint8Array, isOver = true): void {
    const stream = new KeptStream(this.ringBytes)
    stream.add(bytes)
    if (isOver) stream.finish()
    this.streams.set(name, stream)
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    for await (const _ of request);
    const name = request.headers['x-conversation-id'] as string | undefined
    this.asked.push([request.method, request.url, name].filter((one) => one !== undefined).join(' '))
    if (pathname === '/v1/chat/completions') await this.generate(name, response)
    else if (pathname !== '/v1/stream') refuse(response, 404, 'File Not Found')
    else this.replay(request.method!, searchParams, response)
  }

  private replay(method: string, query: URLSearchParams, response: ServerResponse): void {
    const stream = this.streams.get(query.get('conv_id') ?? '')
    const from = Number(query.get('from') ?? 0)
    if (stream === undefined) refuse(response, 404, 'There is no such stream.')
    else if (method === 'DELETE') {
      stream.isStopped = true
      stream.finish()
      response.writeHead(204).end()
    } else if (!(from >= stream.dropped && from <= stream.end)) {
      refuse(response, 400, `The stream is kept from byte ${stream.dropped} on.`)
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      stream.send(from, response)
    }
  }

  private async generate(name: string | undefined, response: ServerResponse): Promise<void> {
    const { pieces, pause } = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!
    const stream = new KeptStream(this.ringBytes)
    if (name === undefined) response.on('close', () => (stream.isStopped = true))
    else this.streams.set(name, stream)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    stream.send(0, response)
    for (const piece of pieces) {
      if (stream.isStopped) return
      stream.add(piece)
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause))
    }
    this.ended++
    stream.finish()
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code: status, message, type: 'invalid_request_error' } }))
}
