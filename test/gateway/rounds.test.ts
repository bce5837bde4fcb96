/** What goes back to the model in the next round, and what a client sees while the model still talks. */

import { describe, expect, test } from 'vitest'
import { ModelServer } from '../turn/model-server.ts'
import { CHAT, chunk, serve, textReply } from './harness.ts'

const event = (payload: { readonly type: string } & Record<string, unknown>): string =>
  `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`

const block = (index: number, content_block: object, ...deltas: object[]): string[] => [
  event({ type: 'content_block_start', index, content_block }),
  ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
  event({ type: 'content_block_stop', index }),
]

const THOUGHT = {
  chunks: [
    event({ type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: {} } }),
    ...block(
      0,
      { type: 'thinking', thinking: '' },
      { type: 'thinking_delta', thinking: 'Which folder?' },
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ),
    ...block(
      1,
      { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
      { type: 'input_json_delta', partial_json: '{"path": "."}' },
    ),
    event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }),
    event({ type: 'message_stop' }),
  ],
}

describe('a thought that its provider signed', () => {
  const upstreamOf = (model: ModelServer): Record<string, unknown> => ({
    upstreams: { one: { url: model.url, protocol: 'anthropic', key: 'none' } },
  })

  test('goes back as it came', async () => {
    const model = await ModelServer.start([THOUGHT, THOUGHT])
    const { post } = await serve(upstreamOf(model))
    const { messages } = CHAT
    const tools = [{ name: 'ls', input_schema: { type: 'object' } }]
    const request = { model: 'm', max_tokens: 100, tools }
    const { content } = await (await post('/v1/messages', { ...request, messages })).json()
    expect(content).toEqual([
      { type: 'thinking', thinking: 'Which folder?', signature: 'c2lnbmVk' },
      { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' } },
    ])
    const answered = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.ts' }],
    }
    await post('/v1/messages', {
      ...request,
      messages: [...messages, { role: 'assistant', content }, answered],
    })
    expect(model.requests[1]!.body.messages[1].content).toMatchObject(content)
  })

  test('goes back signed from a client of another protocol, too', async () => {
    const model = await ModelServer.start([THOUGHT, THOUGHT])
    const { post } = await serve(upstreamOf(model))
    const { message } = (await (await post('/v1/chat/completions', CHAT)).json()).choices[0]
    const answered = { role: 'tool', tool_call_id: 'toolu_1', content: 'a.ts' }
    await post('/v1/chat/completions', { ...CHAT, messages: [...CHAT.messages, message, answered] })
    const { content } = model.requests[1]!.body.messages[1]
    expect(content).toEqual([
      { type: 'thinking', thinking: 'Which folder?', signature: 'c2lnbmVk' },
      { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' } },
    ])
  })
})

describe('text', () => {
  const schema = { type: 'object' }
  test.each<[path: string, body: object]>([
    ['/v1/chat/completions', CHAT],
    [
      '/v1/responses',
      { model: 'm', input: 'Hi', tools: [{ type: 'function', name: 'ls', parameters: schema }] },
    ],
    ['/v1/messages', { ...CHAT, max_tokens: 9, tools: [{ name: 'ls', input_schema: schema }] }],
    ['/api/chat', CHAT],
    [
      '/v1/ui',
      {
        id: 'c',
        messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        tools: [{ name: 'ls', inputSchema: schema }],
      },
    ],
  ])('comes while the model talks, also where there are tools: %s', async (path, body) => {
    const model = await ModelServer.start([{ chunks: [chunk({ content: 'I look' })], end: 'silent' }])
    const one = { url: model.url, protocol: 'openai-chat', mode: 'template', dialect: 'hermes' }
    const { post } = await serve({ upstreams: { one } })
    const reader = (await post(path, { ...body, stream: true })).body!.getReader()
    let seen = ''
    while (!seen.includes('I look')) {
      const { value, done } = await reader.read()
      expect(done).toBe(false)
      seen += new TextDecoder().decode(value)
    }
    await reader.cancel()
    await model.untilLeft()
  })

  test('before a call is not lost where the answer is not streamed', async () => {
    const written = 'I look.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
    const model = await ModelServer.start([textReply(written)])
    const one = { url: model.url, protocol: 'openai-chat', mode: 'template', dialect: 'hermes' }
    const { post } = await serve({ upstreams: { one } })
    const { content, tool_calls } = (await (await post('/v1/chat/completions', CHAT)).json()).choices[0]
      .message
    expect([content, tool_calls.length]).toEqual(['I look.', 1])
  })
})
