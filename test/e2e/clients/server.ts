/** A server on this machine that answers with bytes that were written down, in small and awkward pieces. */

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Answer {
  readonly body: string | Uint8Array
  readonly type: string
  readonly status?: number
  /** The connection breaks when all of the body has been sent. */
  readonly dies?: boolean
}

/** They cut through fields, line ends and the bytes of one character. */
const SIZES = [1, 7, 2, 211, 3, 113, 5, 61]

export class LocalServer {
  /** What each address still answers with, in order. */
  private readonly answers: Answer[][] = []
  private readonly server: Server
  private readonly origin: string

  private constructor(server: Server) {
    this.server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async open(): Promise<LocalServer> {
    let opened: LocalServer
    const server = createServer((request, response) => {
      request.resume()
      const [, number] = (request.url ?? '').split('/')
      const answers = opened.answers[Number(number)] ?? []
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer === undefined) response.writeHead(404).end()
      else void send(answer, response)
    })
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
    opened = new LocalServer(server)
    return opened
  }

  /** Where the answers are found, whatever a client asks for below this address: one after the other, the last again. */
  serve(...answers: [Answer, ...Answer[]]): string {
    return `${this.origin}/${this.answers.push(answers) - 1}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((closed) => {
      this.server.close(closed)
    })
  }
}

async function send({ body, type, status = 200, dies = false }: Answer, response: ServerResponse) {
  response.socket?.setNoDelay(true)
  response.writeHead(status, { 'content-type': type })
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  for (let at = 0, count = 0; at < bytes.length; count++) {
    const piece = bytes.subarray(at, at + SIZES[count % SIZES.length]!)
    at += piece.length
    await new Promise((written) => {
      response.write(piece, written)
    })
  }
  if (dies) response.socket?.destroy()
  else response.end()
}
