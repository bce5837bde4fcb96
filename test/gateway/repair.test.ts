import { expect, test } from 'vitest'
import { ModelServer, refusal } from '../turn/model-server.ts'
import { CHAT, serve, textReply } from './harness.ts'

const BAD = 'I look.<tool_call>{"name": "ls", "arguments": {"p": 1}}</tool_call>'
const GOOD = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
const EXTENSIONS = { 'sluice-extensions': '1' }

const configOf = (model: ModelServer, mode: string): Record<string, unknown> => ({
  upstreams: { one: { url: model.url, protocol: 'openai-chat', mode, dialect: 'hermes' } },
  repair: 'once',
  retries: 0,
})

test.each(['template', 'prompt'])('a model whose call may not run is asked once more: %s', async (mode) => {
  const model = await ModelServer.start([textReply(BAD), textReply(GOOD)])
  const { post } = await serve(configOf(model, mode))
  const body = await (await post('/v1/chat/completions', CHAT)).json()
  const [{ message, finish_reason }] = body.choices
  expect(message.content.trim()).toBe('I look.')
  expect(message.tool_calls.map((call: { function: object }) => call.function)).toEqual([
    { name: 'ls', arguments: '{"path": "."}' },
  ])
  expect(finish_reason).toBe('tool_calls')
  expect(body.sluice.notes).toContainEqual({
    repair: {
      calls: [expect.objectContaining({ toolName: 'ls', content: expect.stringContaining('path') })],
    },
  })
  const [first, second] = model.requests
  expect(second!.body.messages.length).toBe(first!.body.messages.length + 2)
  expect(JSON.stringify(second!.body.messages.at(-1))).toContain('not run')
})

test('the stream says so where it happens, and the bad call is not in it', async () => {
  const model = await ModelServer.start([textReply(BAD), textReply(GOOD)])
  const { post } = await serve({ ...configOf(model, 'template'), resumable: 'always' }, { hasLog: true })
  const text = await (await post('/v1/chat/completions', { ...CHAT, stream: true }, EXTENSIONS)).text()
  const note = text.indexOf('"repair"')
  expect(note).toBeGreaterThan(text.indexOf('I lo'))
  expect(text.indexOf('"tool_calls"')).toBeGreaterThan(note)
  expect(text.match(/"name":"ls"/g)).toHaveLength(1)
  expect(text.match(/"finish_reason":"/g)).toHaveLength(1)
})

test('a second bad call is presented as what it is', async () => {
  const model = await ModelServer.start([textReply(BAD), textReply(BAD)])
  const { post } = await serve(configOf(model, 'template'))
  const body = await (await post('/v1/chat/completions', CHAT)).json()
  expect(body.choices[0].message.tool_calls).toBeUndefined()
  expect(body.choices[0].finish_reason).toBe('stop')
  expect(model.requests.length).toBe(2)
})

test('a response with a call that may run is left as it is', async () => {
  const model = await ModelServer.start([textReply(BAD + GOOD)])
  const { post } = await serve(configOf(model, 'template'))
  const body = await (await post('/v1/chat/completions', CHAT)).json()
  expect(body.choices[0].message.tool_calls).toHaveLength(1)
  expect(model.requests.length).toBe(1)
})

test('a model that answers and only thought of a call is not asked again', async () => {
  const model = await ModelServer.start([
    textReply(`<think>I could write ${GOOD}, but I should ask.</think>Which folder?`),
    textReply(GOOD),
  ])
  const { post } = await serve(configOf(model, 'template'))
  const body = await (await post('/v1/chat/completions', CHAT)).json()
  expect(body.choices[0].message.content).toBe('Which folder?')
  expect(body.choices[0].message.tool_calls).toBeUndefined()
  expect(model.requests.length).toBe(1)
})

test('where the second answer fails, the first one is all there is', async () => {
  const model = await ModelServer.start([textReply(BAD), refusal(500)])
  const { post } = await serve(configOf(model, 'template'))
  const body = await (await post('/v1/chat/completions', CHAT)).json()
  expect(body.choices[0].message).toEqual({ role: 'assistant', content: 'I look.' })
  expect(body.choices[0].finish_reason).toBe('stop')
  expect(body.sluice.notes).toContainEqual({ repair: { failed: true } })
})
