/** The server that the programs in the documentation ask: an open model that reads a file, behind Chat Completions. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where the programs expect it. */
const DOCUMENTED = 'http://localhost:11434'

const CALL = ['Let me look.<tool_ca', 'll>{"name": "read", "argu', 'ments": {"path": "a.ts"}}</tool_call>']
const ANSWER = ['It is', ' empty.']

/** The real one. */
export const fetchOutside = globalThis.fetch

let started: Promise<string> | undefined

/** `fetch`, with requests to the documented server going to the one of this process. */
export async function fetchDocumented(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input)
  if (!url.startsWith(DOCUMENTED)) throw new Error(`The documentation asks ${url}, which is on the network.`)
  started ??= start()
  return fetchOutside(url.replace(DOCUMENTED, await started), init)
}

function start(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const content of body.includes('the text of a.ts') ? ANSWER : CALL)
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
      response.end('data: [DONE]\n\n')
    })
  })
  // The tests end without waiting for it.
  server.unref()
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(addressOf(server))))
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
