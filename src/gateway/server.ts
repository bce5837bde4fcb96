/** The gateway on a port. */

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createApp, type PageFiles } from './app.ts'
import { Gateway, type GatewayOptions } from './gateway.ts'

/** How long clients may take for the end of their answers, and no longer than runs may take to end. */
const LAST_WRITES_MS = 2_000

/**
 * Connections that wait to be accepted. Node accepts one in each turn of its event loop; of a burst of clients, the system
 * drops those that exceed this, and they try again a second later. The system's own limit may be lower.
 */
const BACKLOG = 4_096

export interface GatewayServer {
  readonly gateway: Gateway
  readonly url: string
  /** Takes no more requests, waits for what runs as long as the configuration allows, and closes everything. */
  stop(): Promise<void>
}

/** `page`: the files of the page that is served at `/`. */
export async function startGateway(
  options: GatewayOptions & { readonly page?: PageFiles },
): Promise<GatewayServer> {
  const gateway = new Gateway(options)
  const app = createApp(gateway, options.page)
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  // For what clients send; responses take as long as they take.
  server.requestTimeout = 300_000
  server.headersTimeout = 30_000
  const { host, port, drainMs } = options.config
  server.listen({ port, host, backlog: BACKLOG })
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    gateway,
    url: `http://${name}:${address.port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      await gateway.drain()
      // What was written last is still on its way.
      const idle = setInterval(() => server.closeIdleConnections(), 20)
      const rest = setTimeout(() => server.closeAllConnections(), Math.min(LAST_WRITES_MS, drainMs))
      await closed
      clearInterval(idle)
      clearTimeout(rest)
    },
  }
}
