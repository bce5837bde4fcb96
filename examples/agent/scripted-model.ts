// A model that plays a script, so that the agent can be tried without a key: a server of Chat Completions on this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Step {
  readonly text: string
  readonly calls?: readonly (readonly [name: string, input: object])[]
}

const SCRIPT: readonly Step[] = [
  { text: 'Let me see what is here.', calls: [['list_files', { path: '.' }]] },
  {
    text: 'I write the summary, and clean up.',
    calls: [
      ['write_file', { path: 'notes/summary.md', content: '# Summary\n\nThere is not much here.\n' }],
      ['shell', { command: 'rm -rf /tmp/nothing' }],
    ],
  },
  { text: 'Let me count the words.', calls: [['shell', { command: 'wc -w < notes/summary.md' }]] },
  { text: 'The summary is written.' },
]

const PIECE = 8

function* chunksOf({ text, calls = [] }: Step): Generator<string> {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  for (let at = 0; at < text.length; at += PIECE) yield chunk({ content: text.slice(at, at + PIECE) })
  for (const [index, [name, input]] of calls.entries()) {
    yield chunk({
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
    })
    const json = JSON.stringify(input)
    for (let at = 0; at < json.length; at += PIECE)
      yield chunk({ tool_calls: [{ index, function: { arguments: json.slice(at, at + PIECE) } }] })
  }
  yield chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')
  yield 'data: [DONE]\n\n'
}

export async function serveScript(): Promise<{ readonly url: string; close(): void }> {
  let next = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunksOf(SCRIPT[Math.min(next++, SCRIPT.length - 1)]!)) response.write(chunk)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
