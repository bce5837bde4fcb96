/** A request that has been answered is freed, however it was answered. */

import { expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { collect } from '../soak/heap.ts'
import { ModelServer, type Reply, refusal } from '../turn/model-server.ts'
import { CHAT, type Served, serve, textReply } from './harness.ts'

const REQUESTS = 20
/** An idle connection leads to the last request that came over it. */
const MOST_ALIVE = 3

const TEXT = textReply('I look. <tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>')
const EMBEDDINGS: Reply = { chunks: ['{"data": []}'] }
const SILENT: Reply = { chunks: TEXT.chunks.slice(0, 2), end: 'silent' }
const RESUMABLE = { 'sluice-resumable': '1' }
const CHAT_PATH = '/v1/chat/completions'
const STREAMED = { ...CHAT, stream: true }
const RESPONSES = { model: 'm', input: 'Hi' }

interface Row {
  readonly name: string
  readonly reply?: Reply
  readonly hasLog?: true
  ask(served: Served): Promise<unknown>
}

const posted =
  (path: string, body: object, headers = {}) =>
  async ({ post }: Served): Promise<string> =>
    (await post(path, body, headers)).text()

const ROWS: readonly Row[] = [
  { name: 'streamed', ask: posted(CHAT_PATH, STREAMED) },
  { name: 'whole', ask: posted(CHAT_PATH, CHAT) },
  { name: 'several choices, streamed', ask: posted(CHAT_PATH, { ...STREAMED, n: 2 }) },
  { name: 'several choices, whole', ask: posted(CHAT_PATH, { ...CHAT, n: 2 }) },
  {
    name: 'streamed in another protocol',
    ask: posted('/v1/messages', { ...STREAMED, max_tokens: 9, tools: [] }),
  },
  { name: 'kept', hasLog: true, ask: posted(CHAT_PATH, STREAMED, RESUMABLE) },
  {
    name: 'in the background',
    hasLog: true,
    ask: posted('/v1/responses', { ...RESPONSES, background: true }),
  },
  {
    name: 'read again',
    hasLog: true,
    async ask({ post, url }) {
      const response = await post(CHAT_PATH, STREAMED, RESUMABLE)
      await response.text()
      await (await fetch(`${url}/v1/runs/${response.headers.get('sluice-run')}`)).text()
    },
  },
  { name: 'passed through', reply: EMBEDDINGS, ask: posted('/v1/embeddings', { model: 'm', input: 'Hi' }) },
  { name: 'failed upstream', reply: refusal(500, {}), ask: posted(CHAT_PATH, STREAMED) },
  { name: 'refused', ask: posted(CHAT_PATH, { model: 'm' }) },
  {
    name: 'left by its client',
    reply: SILENT,
    async ask({ post }) {
      const leaving = new AbortController()
      const response = await post(CHAT_PATH, STREAMED, {}, leaving.signal)
      await response.body!.getReader().read()
      leaving.abort()
    },
  },
]

/** The requests that come to a gateway, as long as somebody holds them. A spy would hold them itself. */
function requestsOf({ connections }: Gateway): WeakRef<Request>[] {
  const requests: WeakRef<Request>[] = []
  const add = connections.add.bind(connections)
  connections.add = (request, env) => {
    requests.push(new WeakRef(request))
    add(request, env)
  }
  return requests
}

test.each(ROWS)(
  'a request that is answered is freed: $name',
  async ({ reply = TEXT, hasLog = false, ask }) => {
    const model = await ModelServer.start(Array.from({ length: 2 * REQUESTS }, () => reply))
    const served = await serve(
      { upstreams: { one: { url: model.url, protocol: 'openai-chat' } }, retries: 0 },
      { hasLog },
    )
    const requests = requestsOf(served.gateway)
    for (let count = 0; count < REQUESTS; count++) await ask(served)
    expect(requests.length).toBeGreaterThanOrEqual(REQUESTS)
    const alive = (): number => {
      collect()
      return requests.filter((request) => request.deref() !== undefined).length
    }
    await expect.poll(alive, { timeout: 10_000 }).toBeLessThanOrEqual(MOST_ALIVE)
  },
)
