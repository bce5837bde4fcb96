/** Official clients that come back to a response. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefaultChatTransport, readUIMessageStream } from 'ai6'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServedGateway } from './serve.ts'
import { asText, ScriptedUpstream } from './upstream.ts'

const TEXT = 'One, two, three, four, five, six, seven, eight, nine, ten.'

let folder: string
let upstream: ScriptedUpstream
let gateway: ServedGateway
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-resume-'))
  upstream = await ScriptedUpstream.start()
  upstream.answers.set('m', { ...asText(TEXT), pause: 15 })
  upstream.answers.set('other', { ...asText('Ten, nine, eight, seven.'), pause: 15 })
  const upstreams = { one: { url: upstream.url, protocol: 'openai-chat' } }
  gateway = await ServedGateway.start(['--log', `file:${folder}`], { upstreams })
})
afterAll(async () => {
  await gateway.kill()
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('openai, responses', () => {
  const client = (): OpenAI => new OpenAI({ apiKey: 'none', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

  test('goes on behind the last event that it has seen', async () => {
    const stream = await client().responses.create({
      model: 'm',
      input: 'Count.',
      background: true,
      stream: true,
    })
    const numbers: number[] = []
    let text = ''
    let id = ''
    for await (const event of stream) {
      numbers.push(event.sequence_number)
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') text += event.delta
      if (text.length > 12) break
    }
    const rest = await client().responses.retrieve(id, { stream: true, starting_after: numbers.at(-1)! })
    for await (const event of rest) {
      numbers.push(event.sequence_number)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect(text).toBe(TEXT)
    expect(numbers).toEqual([...numbers.keys()])
    expect((await client().responses.retrieve(id)).output_text).toBe(TEXT)
  })

  test('is cancelled', async () => {
    const { id, status } = await client().responses.create({ model: 'm', input: 'Count.', background: true })
    expect(status).toBe('in_progress')
    expect((await client().responses.cancel(id)).status).toBe('cancelled')
  })
})

describe('ai, its transport', () => {
  const transport = (): DefaultChatTransport<never> =>
    new DefaultChatTransport({
      api: `${gateway.url}/v1/ui`,
      body: { model: 'm' },
      headers: { 'sluice-resumable': '1' },
    })

  test('comes back to a chat that goes on, and finds nothing when it is over', async () => {
    const controller = new AbortController()
    const stream = await transport().sendMessages({
      trigger: 'submit-message',
      chatId: 'chat-1',
      messageId: undefined,
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Count.' }] }] as never,
      abortSignal: controller.signal,
    })
    await stream.getReader().read()
    controller.abort()
    const again = await transport().reconnectToStream({ chatId: 'chat-1' })
    expect(again).not.toBeNull()
    let text = ''
    for await (const { parts } of readUIMessageStream({ stream: again! }))
      text = (parts as readonly { type: string; text?: string }[])
        .map((part) => (part.type === 'text' ? part.text : ''))
        .join('')
    expect(text).toBe(TEXT)
    expect(await transport().reconnectToStream({ chatId: 'chat-1' })).toBeNull()
  })

  /** Asks in a chat, reads the first part, and leaves. */
  async function leave(chatId: string, model: string): Promise<string> {
    const controller = new AbortController()
    let run = ''
    const watched: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      run = response.headers.get('sluice-run')!
      return response
    }
    const stream = await new DefaultChatTransport({
      ...{ api: `${gateway.url}/v1/ui`, body: { model }, headers: { 'sluice-resumable': '1' } },
      fetch: watched,
    }).sendMessages({
      ...{ trigger: 'submit-message', chatId, messageId: undefined, abortSignal: controller.signal },
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Count.' }] }],
    })
    await stream.getReader().read()
    controller.abort()
    return run
  }

  // To leave is not to stop: a stop is a request of its own.
  test('finds nothing when someone has stopped it', async () => {
    const before = upstream.ended
    const run = await leave('chat-2', 'm')
    const stopped = await fetch(`${gateway.url}/v1/runs/${run}`, { method: 'DELETE' })
    expect(await stopped.json()).toMatchObject({ stopped: true })
    await expect
      .poll(async () => (await fetch(`${gateway.url}/v1/runs/${run}?as=events`)).text())
      .toContain('"reason":"aborted"')
    expect(await transport().reconnectToStream({ chatId: 'chat-2' })).toBeNull()
    expect(upstream.ended).toBe(before)
  })

  test('comes back to its last turn, and not to an earlier one', async () => {
    await leave('chat-3', 'm')
    await leave('chat-3', 'other')
    const again = await transport().reconnectToStream({ chatId: 'chat-3' })
    let text = ''
    for await (const part of again as unknown as AsyncIterable<{ type: string; delta: string }>)
      if (part.type === 'text-delta') text += part.delta
    expect(text).toBe('Ten, nine, eight, seven.')
  })
})

test('an EventSource goes on by the id of its last event', async () => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'sluice-resumable': '1' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Count.' }] }),
  })
  const id = response.headers.get('sluice-run')!
  const reader = response.body!.getReader()
  let first = ''
  while (first.length < 900) first += new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()
  const whole = first.slice(0, first.lastIndexOf('\n\n') + 2)
  const position = [...whole.matchAll(/^id: (\S+)/gm)].at(-1)![1]!
  const url = `${gateway.url}/v1/runs/${id}`
  const rest = await (await fetch(url, { headers: { 'last-event-id': position } })).text()
  expect(whole + rest).toBe(await (await fetch(url)).text())
})
