/**
 * A server that reads what a model writes, and a page that gets the events: no parser and no provider in the page.
 *
 *     npm run build && node examples/events-page/server.ts     # Node 22.18 or newer
 */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sluice } from 'sluice'
import { hermes } from 'sluice/dialects'
import { eventsWriter, toResponse } from 'sluice/providers'
import { type Pace, say } from './model.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The route, as it would be in any framework that has `Request` and `Response`. */
function chat(pace: Pace): Promise<Response> {
  const events = sluice(say(pace), { dialect: hermes, emit: { json: false, arguments: true } })
  return toResponse(events, eventsWriter)
}

export async function startServer(port = 0, pace: Pace = () => sleep(20)): Promise<Server> {
  const page = await build({ entryPoints: [here('page.ts')], bundle: true, format: 'esm', write: false })
  const server = createServer(async (request, response) => {
    if (request.url === '/page.js')
      response.setHeader('content-type', 'text/javascript').end(page.outputFiles[0]!.contents)
    else if (request.url !== '/chat')
      response.setHeader('content-type', 'text/html; charset=utf-8').end(readFileSync(here('page.html')))
    else {
      // Node's own server knows no `Response`. When the page leaves, the pipeline cancels the body, and with it the model, and rejects.
      const { status, headers, body } = await chat(pace)
      response.writeHead(status, Object.fromEntries(headers))
      await pipeline(body!, response).catch(() => {})
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await startServer(8080)
  console.log('The page is at http://127.0.0.1:8080')
}
