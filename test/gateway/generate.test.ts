import { expect, test } from 'vitest'
import { ModelServer } from '../turn/model-server.ts'
import { serve, textReply } from './harness.ts'

test("Ollama's generate gets text for a prompt, streamed and not", async () => {
  const reply = textReply('<think>Hm.</think>Hello you')
  const model = await ModelServer.start([reply, reply])
  const upstreams = { one: { url: model.url, protocol: 'openai-chat', mode: 'template', dialect: 'hermes' } }
  const { post } = await serve({ upstreams })
  const asked = { model: 'm', prompt: 'Hi', system: 'Be short.', options: { temperature: 0.5 } }
  const whole = await (await post('/api/generate', { ...asked, stream: false })).json()
  expect(whole).toMatchObject({
    model: 'm',
    response: 'Hello you',
    thinking: 'Hm.',
    done: true,
    done_reason: 'stop',
  })
  const [sent] = model.requests
  expect(sent!.body).toMatchObject({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
    ],
    temperature: 0.5,
  })
  const lines = (await (await post('/api/generate', asked)).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ response }) => response).join('')).toBe('Hello you')
  expect(lines.map(({ done }) => done).lastIndexOf(false)).toBe(lines.length - 2)
})

test.each([
  ['raw', { raw: true }],
  ['suffix', { suffix: 'x' }],
  ['context', { context: [1, 2] }],
  ['template', { template: '{{ .Prompt }}' }],
])("what a chat cannot do is refused: '%s'", async (name, more) => {
  const { post } = await serve()
  const response = await post('/api/generate', { model: 'm', prompt: 'Hi', ...more })
  expect([response.status, (await response.json()).error]).toEqual([
    400,
    expect.stringContaining(`'${name}'`),
  ])
})
