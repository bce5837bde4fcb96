/** Official clients that read while the model writes, and leave before it is done. */

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { DefaultChatTransport } from 'ai6'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LS_SCHEMA } from './asked.ts'
import { ServedGateway } from './serve.ts'
import { asCalls, chunk } from './upstream.ts'

/** A model that says one word, and the rest when it is let. */
class WaitingModel {
  /** Requests that were left before they were answered, and those that were answered to the end. */
  left = 0
  ended = 0
  private readonly waiting: ServerResponse[] = []
  readonly server: Server = createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.on('close', () => {
      if (!response.writableFinished) this.left++
    })
    response.write(chunk({ role: 'assistant', content: 'First' }))
    this.waiting.push(response)
  })

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  goOn(): void {
    for (const response of this.waiting.splice(0)) {
      const { chunks } = asCalls(' and last.', [['ls', '{"path": "."}']])
      response.end(chunks.join(''), () => this.ended++)
    }
  }
}

const TOOLS = [{ type: 'function' as const, function: { name: 'ls', parameters: LS_SCHEMA } }]
const QUESTION = [{ role: 'user' as const, content: 'Hi' }]
const RESUMABLE = { 'sluice-resumable': '1' }

/** Asks with tools, and gives the text as it comes; to leave the loop is to leave the response, as the client does it. */
type Read = (url: string, headers: Record<string, string>) => AsyncGenerator<string, void, undefined>

const CLIENTS: Readonly<Record<string, Read>> = {
  async *'openai, chat'(url, headers) {
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: `${url}/v1`,
      maxRetries: 0,
      defaultHeaders: headers,
    })
    const stream = await client.chat.completions.create({
      ...{ model: 'm', messages: QUESTION, tools: TOOLS },
      stream: true,
    })
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? ''
  },
  async *'openai, responses'(url, headers) {
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: `${url}/v1`,
      maxRetries: 0,
      defaultHeaders: headers,
    })
    const stream = await client.responses.create({
      ...{ model: 'm', input: 'Hi', stream: true },
      tools: TOOLS.map((tool) => ({ type: 'function', strict: false, ...tool.function })),
    })
    for await (const event of stream) if (event.type === 'response.output_text.delta') yield event.delta
  },
  async *anthropic(url, headers) {
    const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0, defaultHeaders: headers })
    const stream = await client.messages.create({
      ...{ model: 'm', max_tokens: 100, messages: QUESTION, stream: true },
      tools: [{ name: 'ls', input_schema: LS_SCHEMA }],
    })
    for await (const event of stream)
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text
  },
  async *ollama(url, headers) {
    const client = new Ollama({ host: url, headers })
    const stream = await client.chat({ model: 'm', messages: QUESTION, tools: TOOLS as never, stream: true })
    try {
      for await (const { message } of stream) yield message.content
    } finally {
      stream.abort()
    }
  },
  async *'ai, its transport'(url, headers) {
    const controller = new AbortController()
    const tools = TOOLS.map(({ function: { name, parameters } }) => ({ name, inputSchema: parameters }))
    const transport = new DefaultChatTransport({ api: `${url}/v1/ui`, body: { model: 'm', tools }, headers })
    const stream = await transport.sendMessages({
      ...{ trigger: 'submit-message', chatId: 'chat', messageId: undefined },
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      abortSignal: controller.signal,
    })
    try {
      for await (const part of stream as unknown as AsyncIterable<{ type: string; delta: string }>)
        if (part.type === 'text-delta') yield part.delta
    } finally {
      controller.abort()
    }
  },
}

let model: WaitingModel
let gateway: ServedGateway
beforeAll(async () => {
  model = new WaitingModel()
  await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve))
  const upstreams = { one: { url: model.url, protocol: 'openai-chat' } }
  gateway = await ServedGateway.start([], { upstreams })
})
afterAll(async () => {
  await gateway.kill()
  model.server.closeAllConnections()
  model.server.close()
})

/** How many runs go on. */
const running = async (): Promise<string | undefined> =>
  /^sluice_running (\d+)$/m.exec(await (await fetch(`${gateway.url}/metrics`)).text())?.[1]

async function untilFirst(words: AsyncGenerator<string, void, undefined>): Promise<string> {
  for (;;) {
    const { value, done } = await words.next()
    if (done || value !== '') return value ?? ''
  }
}

describe.each(Object.entries(CLIENTS))('%s', (_, read) => {
  test('gets text while the model writes, although there are tools', async () => {
    const words = read(gateway.url, {})
    expect(await untilFirst(words)).toBe('First')
    model.goOn()
    let rest = ''
    for await (const word of words) rest += word
    expect(rest).toBe(' and last.')
  })

  test('leaves, and the model is left, too', async () => {
    const before = model.left
    const words = read(gateway.url, {})
    expect(await untilFirst(words)).toBe('First')
    await words.return()
    await expect.poll(() => model.left).toBe(before + 1)
    await expect.poll(running).toBe('0')
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200)
    model.goOn()
  })

  test('leaves a run that can be resumed, and it goes on', async () => {
    const { left, ended } = model
    const words = read(gateway.url, RESUMABLE)
    expect(await untilFirst(words)).toBe('First')
    await words.return()
    // Behind another request, the gateway has noticed that the client left.
    expect(await running()).toBe('1')
    model.goOn()
    await expect.poll(running).toBe('0')
    expect([model.left, model.ended]).toEqual([left, ended + 1])
  })
})
