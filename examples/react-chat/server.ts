/**
 * A chat page in React whose cards of calls grow while the model writes them. The server reads the model and sends the
 * events to the page.
 *
 *     npm run build && node examples/react-chat/server.ts     # Node 22.18 or newer
 */

import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sluice } from 'sluice'
import { hermes } from 'sluice/dialects'
import { eventsWriter, toResponse } from 'sluice/providers'

const call = (path: string, content: string): string =>
  `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: { path, content } })}\n</tool_call>\n`

/** What the model says: always the same, so that the example needs no key and no network. */
const ANSWER = [
  '<think>Two short files.</think>I write both.\n',
  call('shopping.md', '# Shopping\n\n- bread\n- a lamp < 40 watts\n'),
  call('packing.md', '# Packing\n\n- socks\n- a book\n'),
].join('')

/** Awaited before each piece of what the model says. */
export type Pace = (piece: string) => Promise<void>

async function* speak(pace: Pace): AsyncGenerator<string> {
  for (const [piece] of ANSWER.matchAll(/[\s\S]{1,5}/g)) {
    await pace(piece)
    yield piece
  }
}

async function chat(response: ServerResponse, pace: Pace): Promise<void> {
  const { status, headers, body } = await toResponse(sluice(speak(pace), { dialect: hermes }), eventsWriter)
  response.writeHead(status, Object.fromEntries(headers))
  // When the page leaves, the pipeline cancels the body, and with it the model.
  await pipeline(body!, response).catch(() => {})
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export async function startChat(port = 0, pace: Pace = () => sleep(30)): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [here('page.tsx')],
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const server = createServer((request, response) => {
    if (request.url === '/chat') void chat(response, pace)
    else if (request.url === '/page.js')
      response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.contents)
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(readFileSync(here('page.html')))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await startChat(8080)
  console.log('The chat is at http://127.0.0.1:8080')
}
