import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anthropic, readProvider } from '../../../src/providers/index.ts'
import { RUNTIMES, type RunningServer, start } from './runtime.ts'

const chunk = (content: string, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`

/** The server behind the gateway. */
class Upstream {
  /** The answers that were begun, in order. */
  private readonly begun: ServerResponse[] = []
  private wake = (): void => {}
  private readonly server: Server = createServer((request, response) => {
    if (request.url === '/refused') {
      response
        .writeHead(429, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Slow down."}}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    this.begun.push(response)
    this.wake()
  })

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async next(): Promise<ServerResponse> {
    while (this.begun.length === 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    return this.begun.shift()!
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

describe.each(RUNTIMES)('toResponse on $name', (runtime) => {
  describe.skipIf(!process.env[runtime.variable])('serves', () => {
    const upstream = new Upstream()
    let server: RunningServer
    let url: (path: string) => string
    beforeAll(async () => {
      const behind = await upstream.open()
      server = await start(runtime)
      url = (path) => `${server.origin}/?upstream=${encodeURIComponent(`${behind}/${path}`)}`
    })
    afterAll(() => {
      server?.close()
      upstream.close()
    })

    test('a response that its client reads as the message it was', async () => {
      const response = fetch(url('whole'))
      const behind = await upstream.next()
      behind.write(chunk('I look 😀.<tool_call>{"name": "ls", '))
      behind.end(`${chunk('"arguments": {"path": "."}}</tool_call>', 'stop')}data: [DONE]\n\n`)
      const { status, headers } = await response
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/event-stream')
      expect(headers.get('cache-control')).toBe('no-cache')
      const message = await readProvider(response, { provider: anthropic }).message()
      expect(message.text).toBe('I look 😀.')
      expect(message.toolCalls.map(({ toolName, input, status }) => [toolName, input, status])).toEqual([
        ['ls', { path: '.' }, 'complete'],
      ])
      expect(message.finish.reason).toBe('tool-calls')
    })

    test('what there is, before the model goes on', async () => {
      const response = fetch(url('slow'))
      const behind = await upstream.next()
      behind.write(chunk('Hi'))
      const events = readProvider(response, { provider: anthropic })[Symbol.asyncIterator]()
      expect((await events.next()).value).toMatchObject({ type: 'text-start' })
      expect((await events.next()).value).toMatchObject({ type: 'text-delta', delta: 'Hi' })
      behind.end(chunk(' there', 'stop'))
      expect((await events.next()).value).toMatchObject({ type: 'text-delta', delta: ' there' })
      await events.return?.()
    })

    test('nobody who has left: the server behind is left, too', async () => {
      const controller = new AbortController()
      const response = fetch(url('left'), { signal: controller.signal })
      const behind = await upstream.next()
      const left = new Promise<void>((resolve) => void behind.once('close', resolve))
      behind.write(chunk('Hi'))
      await (await response).body!.getReader().read()
      controller.abort()
      // On a busy machine workerd sometimes notices it only when it has something to write.
      const more = runtime.name === 'workerd' ? setInterval(() => behind.write(chunk('!')), 50) : undefined
      await left
      clearInterval(more)
      expect(behind.writableFinished).toBe(false)
    })

    test('the error of the server behind, in its own format', async () => {
      const response = await fetch(url('refused'))
      expect(response.status).toBe(429)
      expect(await response.json()).toEqual({
        type: 'error',
        error: {
          type: 'api_error',
          message: expect.stringMatching(/^The server answered 429.*: Slow down\.$/),
        },
      })
    })
  })
})
