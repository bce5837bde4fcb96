/** `sluice playground`: serves the page that shows what is made of a stream. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '../../base/errors.ts'
import type { PageFiles } from '../../gateway/app.ts'
import { type Command, Failure, readArguments, UsageError } from './command.ts'
import { write } from './io.ts'
import { pageFiles } from './playground-files.ts'

const HELP = `Usage: sluice playground [--port N]

Serves a page that shows how a stream is parsed, character by character: what arrived, what was held back, and what a
user sees. It plays a recorded response; paste your own text, or drop a recording. Nothing leaves the browser.

  --port N   0: any free port (8788)

The first line on stdout is the address. To ask a model from the page, use 'sluice serve', which serves it, too.

Examples:
  sluice playground
  sluice playground --port 0
`

const OPTIONS = { port: { type: 'string' } } as const
const DEFAULT_PORT = '8788'
const HOST = '127.0.0.1'

export const playground: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values } = readArguments(args, OPTIONS)
    const port = readPort(values.port ?? DEFAULT_PORT)
    const files = pageFiles('nothing')
    // Without its files there is nothing to serve.
    await files('/')
    const server = await servePage(files, port)
    await write(io.stdout, `sluice playground: http://${HOST}:${(server.address() as AddressInfo).port}/\n`)
    await stopSignal()
    server.close()
    server.closeAllConnections()
    return 0
  },
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`'--port' is a number up to 65535, not '${text}'.`)
  return port
}

/** Serves the files, and nothing else, to this machine. */
export async function servePage(files: PageFiles, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const { pathname } = new URL(request.url ?? '/', `http://${HOST}`)
    files(isRead ? pathname : '')
      .then(async (found) => {
        response.writeHead(found?.status ?? 404, found && Object.fromEntries(found.headers))
        response.end(
          found && request.method === 'GET' ? new Uint8Array(await found.arrayBuffer()) : undefined,
        )
      })
      .catch(() => response.destroy())
  })
  server.listen(port, HOST)
  await once(server, 'listening').catch((error: unknown) => {
    throw new Failure(
      `The server cannot listen on this address: ${messageOf(error)}. Choose another '--port'.`,
    )
  })
  return server
}

function stopSignal(): Promise<unknown> {
  return Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
}
