/** Clients that take nothing: what waits for them is bounded, and the upstream waits with them. */

import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CHAT, chunk, serve } from './harness.ts'

const PIECE = chunk({ content: 'x'.repeat(32_000) })
/** More than all buffers on the way together. */
const MOST = 64_000_000

interface Hose {
  readonly url: string
  /** Bytes that it got rid of. */
  readonly sent: () => number
  readonly closed: Promise<void>
}

/** A model that talks as long as somebody listens. */
async function startHose(): Promise<Hose> {
  let sent = 0
  let onClosed = (): void => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const server: Server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.on('close', onClosed)
    const write = (): void => {
      if (response.destroyed) return
      if (sent >= MOST) response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
      else
        response.write(PIECE, () => {
          sent += PIECE.length
          write()
        })
    }
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent, closed }
}

/** A client that sends its request, and never reads. */
function askWithoutReading(url: string, path = '/v1/chat/completions'): Socket {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ ...CHAT, stream: true })
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  onTestFinished(() => void socket.destroy())
  return socket
}

test.each(['/v1/chat/completions', '/v1/completions'])(
  'a client that takes nothing makes the upstream wait, and is given up: %s',
  async (path) => {
    const hose = await startHose()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { url, gateway, reports } = await serve({
      upstreams: { one: { url: hose.url, protocol: 'openai-chat' } },
      slowClientMs: 150,
    })
    askWithoutReading(url, path)
    await hose.closed
    expect(hose.sent()).toBeGreaterThan(0)
    expect(hose.sent()).toBeLessThan(MOST / 2)
    await expect.poll(() => gateway.limits.running).toBe(0)
    const message = 'The client read nothing for too long.'
    expect(reports.at(-1)).toMatchObject({ what: 'broke off a response', more: { message } })
    expect(printed).not.toHaveBeenCalled()
  },
)
