import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { configOf } from '../../src/apps/cli/serve-config.ts'
import { glm } from '../../src/dialects/glm.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { startGateway } from '../../src/gateway/server.ts'
import { readingOf, routeOf } from '../../src/gateway/upstream.ts'
import { chatTemplate } from '../requests/templates/corpus.ts'
import { UNKNOWN_FORMATS } from '../requests/templates/unknown-formats.ts'
import { ModelServer } from '../turn/model-server.ts'
import { CHAT, textReply } from './harness.ts'

describe("an upstream's 'template'", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-template-'))
    writeFileSync(join(folder, 'qwen.jinja'), chatTemplate('qwen3.5'))
    writeFileSync(join(folder, 'unknown.jinja'), UNKNOWN_FORMATS[0]!.template)
    writeFileSync(join(folder, 'text.jinja'), '{{ messages[0].content }}')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const configWith = (upstream: object) => {
    const upstreams = {
      one: { url: 'http://127.0.0.1:1', protocol: 'openai-chat', mode: 'template', ...upstream },
    }
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify({ upstreams }))
    return configOf({ config }, {})
  }

  test('says the dialect and where a response begins, for all models or for one', async () => {
    const config = await configWith({
      template: './qwen.jinja',
      models: {
        prompted: { mode: 'prompt' },
        named: { dialect: 'qwen3-coder', template: './qwen.jinja' },
        other: { dialect: 'glm' },
        odd: { template: 'unknown.jinja' },
      },
    })
    const reading = (model: string) => readingOf(routeOf(config, model))
    expect(reading('any')).toEqual({ dialect: qwen3Coder, start: 'reasoning' })
    expect(reading('named')).toEqual({ dialect: qwen3Coder, start: 'reasoning' })
    // The gateway's own prompt opens no reasoning.
    expect(reading('prompted')).toEqual({ dialect: qwen3Coder })
    expect(reading('other')).toEqual({ dialect: glm })
    expect(reading('odd')).toMatchObject({ dialect: { name: 'derived' }, start: 'text' })
  })

  test('lets clients get the calls of a model whose format is not known', async () => {
    const model = await ModelServer.start([textReply('<|fn|>{"op": "ls", "with": {"path": "."}}<|/fn|>')])
    const config = await configWith({ url: model.url, template: 'unknown.jinja' })
    const server = await startGateway({
      config: { ...config, port: 0, log: 'none' },
      log: undefined,
      report: () => {},
    })
    onTestFinished(() => server.stop())
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...CHAT, model: 'mine' }),
    })
    const [call] = (await response.json()).choices[0].message.tool_calls
    expect(call.function).toEqual({ name: 'ls', arguments: expect.stringMatching(/^\{"path": ?"\."\}$/) })
  })

  test.each([
    [
      { dialect: 'glm', template: 'qwen.jinja' },
      "'upstreams.one.dialect' is 'glm', and the chat template qwen.jinja writes calls as 'qwen3-coder' does; leave out 'dialect'",
    ],
    [{ template: 'text.jinja' }, "'upstreams.one.template': The chat template writes no calls"],
    [{ template: 'missing.jinja' }, "'upstreams.one.template': ENOENT"],
  ])('is refused where it cannot be used: %j', async (settings, message) => {
    await expect(configWith(settings)).rejects.toThrow(message)
  })
})
