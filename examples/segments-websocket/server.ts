// A server that streams a recorded turn to every page that looks: text, a file while it is written, a command.
//
// After `npm run build`, Node 22.18 and newer run it directly: `node examples/segments-websocket/server.ts`
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseRecording, replay } from 'sluice/recording'
import { AgentEventStream, StreamingResponseHandler } from 'sluice/segments'
import { WebSocketServer } from 'ws'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Plays the turn as if a model wrote it now. */
async function playTurn(agent: AgentEventStream): Promise<void> {
  const recording = parseRecording(read('turn.jsonl'))
  if (recording.kind !== 'text') throw new Error('The turn is a recording of text.')
  const handler = new StreamingResponseHandler({ ...agent.callbacks(), keepEvents: false })
  for await (const chunk of replay(recording)) handler.feed(chunk)
  handler.finalize()
  agent.close()
}

/** Serves the page and the turn, which begins when the first page looks. Pages that come later see all of it. */
export async function serve(port = 0): Promise<{ readonly url: string; close(): void }> {
  const agent = new AgentEventStream({ agentId: 'demo' })
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(read('page.html'))
  })
  const sockets = new WebSocketServer({ server })
  let hasBegun = false
  sockets.on('connection', async (socket) => {
    const left = new AbortController()
    socket.on('close', () => left.abort())
    if (!hasBegun)
      playTurn(agent).catch((error: unknown) => {
        agent.error(error)
        agent.close()
      })
    hasBegun = true
    // Each page reads at its own pace, and a slow one keeps nobody waiting.
    for await (const event of agent.subscribe({ signal: left.signal }))
      await new Promise<void>((resolve) => socket.send(JSON.stringify(event), () => resolve()))
    socket.close()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: chosen } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${chosen}/`,
    close() {
      for (const client of sockets.clients) client.terminate()
      server.close()
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serve(8080)).url)
