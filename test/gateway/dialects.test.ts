import { describe, expect, test } from 'vitest'
import { glm, hermes, qwen3Coder } from '../../src/dialects/index.ts'
import { render } from '../../src/render.ts'
import { ModelServer } from '../turn/model-server.ts'
import { CHAT, serve, textReply } from './harness.ts'

const CALL = { type: 'call', toolName: 'ls', input: { path: '.' } } as const

const ask = async (mode: string, model: string, text: string): Promise<Response> => {
  const server = await ModelServer.start([textReply(text)])
  const upstreams = { one: { url: server.url, protocol: 'openai-chat', mode, dialect: 'auto' } }
  const { post } = await serve({ upstreams })
  return post('/v1/chat/completions', { ...CHAT, model })
}

describe("the dialect 'auto'", () => {
  test.each([
    ['template', 'Qwen/Qwen3-Coder-30B-A3B-Instruct', qwen3Coder],
    ['prompt', 'Qwen/Qwen3-Coder-30B-A3B-Instruct', qwen3Coder],
    ['template', 'zai-org/GLM-4.5-Air', glm],
    ['prompt', 'NousResearch/Hermes-3-Llama-3.1-8B', hermes],
  ])('goes by the name of the model, in the mode %s: %s', async (mode, model, dialect) => {
    const body = await (await ask(mode, model, render([CALL], { dialect }))).json()
    expect(body.choices[0].message.tool_calls[0].function).toEqual({
      name: 'ls',
      arguments: expect.stringMatching(/^\{"path": ?"\."\}$/),
    })
  })

  test('finds out what an unknown model writes', async () => {
    const body = await (await ask('template', 'mine', render([CALL], { dialect: hermes }))).json()
    expect(body.choices[0].message.tool_calls[0].function.name).toBe('ls')
  })

  test('cannot tell an unknown model how to write', async () => {
    const response = await ask('prompt', 'mine', '')
    const { error } = await response.json()
    expect([response.status, error.message]).toEqual([400, expect.stringContaining('set "dialect" for it')])
  })
})
