import { describe, expect, test } from 'vitest'
import { ModelServer, type Reply, refusal } from '../turn/model-server.ts'
import { CHAT, chunk, serve, TOOL } from './harness.ts'

const call = (args: string): object => ({
  tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'ls', arguments: args } }],
})
const usage = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}\n\n`
const reply = (delta: object, finish: string): Reply => ({
  chunks: [chunk(delta), chunk({}, finish), usage, 'data: [DONE]\n\n'],
})

const GOOD = reply(call('{"path":"."}'), 'tool_calls')
const BAD = reply(call('{"p":1}'), 'tool_calls')
const TEXT = reply({ content: 'No call.' }, 'stop')

const upstreamOf = (model: ModelServer): Record<string, unknown> => ({
  upstreams: { one: { url: model.url, protocol: 'openai-chat' } },
  retries: 0,
})

interface Choice {
  readonly index: number
  readonly message: { readonly content: string | null; readonly tool_calls?: readonly object[] }
  readonly finish_reason: string
}

describe('a request for several answers', () => {
  test('gets as many choices, each of which is judged by itself', async () => {
    const model = await ModelServer.start([GOOD, BAD, TEXT])
    const { post, gateway } = await serve(upstreamOf(model))
    const body = await (await post('/v1/chat/completions', { ...CHAT, n: 3, seed: 7 })).json()
    const choices = body.choices as Choice[]
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2])
    const told = choices.map(({ message, finish_reason }) => [
      message.content ?? (message.tool_calls === undefined ? 'nothing' : 'a call'),
      finish_reason,
    ])
    // Which of the three requests is answered first is up to the network.
    expect(told).toHaveLength(3)
    expect(told).toEqual(
      expect.arrayContaining([
        ['a call', 'tool_calls'],
        ['nothing', 'stop'],
        ['No call.', 'stop'],
      ]),
    )
    expect(body.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 })
    expect(model.requests.map((request) => request.body.seed).sort()).toEqual([7, 8, 9])
    expect(model.requests.map((request) => request.body.n)).toEqual([undefined, undefined, undefined])
    expect(gateway.limits.running).toBe(0)
  })

  test('gets them in one stream, with one end', async () => {
    const model = await ModelServer.start([GOOD, BAD, TEXT])
    const { post } = await serve(upstreamOf(model))
    const asked = { ...CHAT, n: 3, stream: true, stream_options: { include_usage: true } }
    const text = await (await post('/v1/chat/completions', asked)).text()
    expect(text.match(/\[DONE\]/g)).toHaveLength(1)
    const payloads = text.match(/\{.*\}/g)!.map((json) => JSON.parse(json))
    expect(new Set(payloads.map(({ id }) => id)).size).toBe(1)
    const args = ['', '', '']
    const ends: string[] = []
    for (const { choices } of payloads)
      for (const { index, delta, finish_reason } of choices) {
        for (const piece of delta.tool_calls ?? []) args[index] += piece.function.arguments
        if (finish_reason !== null) ends.push(finish_reason)
      }
    expect(ends.sort()).toEqual(['stop', 'stop', 'tool_calls'])
    const parsed = args.filter((json) => {
      try {
        JSON.parse(json)
        return true
      } catch {
        return false
      }
    })
    expect(parsed).toEqual(['{"path":"."}'])
    expect(payloads.at(-1).usage.total_tokens).toBe(15)
  })

  test('is answered whole, or with an error', async () => {
    const model = await ModelServer.start([GOOD, refusal(429, { 'retry-after': '9' }), GOOD])
    const { post, gateway } = await serve(upstreamOf(model))
    const response = await post('/v1/chat/completions', { ...CHAT, n: 3, stream: true })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '9'])
    await expect.poll(() => gateway.limits.running).toBe(0)
  })

  test('is refused where that cannot be', async () => {
    const { post, gateway } = await serve({ maxRuns: 2 }, { hasLog: true })
    const ask = async (more: object, headers = {}): Promise<number> =>
      (await post('/v1/chat/completions', { ...CHAT, ...more }, headers)).status
    expect(await ask({ n: 0 })).toBe(400)
    expect(await ask({ n: 1.5 })).toBe(400)
    expect(await ask({ n: 1000 })).toBe(400)
    expect(await ask({ n: 2 }, { 'sluice-resumable': '1' })).toBe(400)
    expect(await ask({ n: 3 })).toBe(503)
    expect(await ask({ n: 2, tools: [TOOL] })).toBe(200)
    expect(gateway.limits.running).toBe(0)
  })
})
