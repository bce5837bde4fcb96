/** Official clients, against the gateway, against a model server: the same message for each client in each mode. */

import Anthropic from '@anthropic-ai/sdk'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mode } from '../../../src/gateway/gateway-config.ts'
import { CLIENTS, LS_SCHEMA } from './asked.ts'
import { CASES, type Case } from './cases.ts'
import { answering, SERVERS, type ServerKind } from './model-servers.ts'
import { ServedGateway } from './serve.ts'
import { asCalls, asText, ScriptedUpstream } from './upstream.ts'
import { canSay, type Said, WIRES } from './wires.ts'

/** What the model says in a mode; nothing where such a server cannot be the one that was reported. */
function saidIn(one: Case, mode: Mode, { protocol }: ServerKind): Said | undefined {
  const { native, natively, written, dialect, writing = ['openai-chat'] } = one
  if (mode === 'template') return written
  // How a dialect is read does not depend on who sends the text.
  if (mode === 'prompt') return dialect === undefined || writing.includes(protocol) ? written : undefined
  if (natively !== undefined && !natively.includes(protocol)) return undefined
  return native !== undefined && canSay(protocol, native) ? native : undefined
}

interface Row {
  readonly server: ServerKind
  readonly mode: Mode
  /** The name of the upstream. */
  readonly upstream: string
  readonly cases: readonly (readonly [model: string, one: Case, said: Said])[]
}

const ROWS: readonly Row[] = SERVERS.flatMap((server, number) =>
  server.modes.map((mode) => {
    const upstream = `${mode}-${number}`
    const cases = CASES.flatMap((one, at) => {
      const said = saidIn(one, mode, server)
      return said === undefined ? [] : [[`${upstream}-${at}`, one, said] as const]
    })
    return { server, mode, upstream, cases }
  }),
)

let upstream: ScriptedUpstream
let gateway: ServedGateway
beforeAll(async () => {
  upstream = await ScriptedUpstream.start()
  for (const { server, mode, cases } of ROWS)
    for (const [model, , said] of cases) upstream.answers.set(model, answering(server, mode, said))
  const upstreams = ROWS.map(({ server, mode, upstream: name, cases }) => {
    const models = cases.map(([model, { dialect = 'hermes', readsNative }]) => [
      model,
      mode !== 'native' ? { dialect } : readsNative === undefined ? {} : { dialect: readsNative },
    ])
    const { protocol, settings } = server
    return [name, { url: upstream.url, protocol, mode, ...settings, models: Object.fromEntries(models) }]
  })
  gateway = await ServedGateway.start([], { upstreams: Object.fromEntries(upstreams), retries: 0 })
})
afterAll(async () => {
  await gateway.kill()
  await upstream.stop()
})

describe.each(ROWS)('$server.name, in the mode $mode', ({ cases }) => {
  test.each(cases)('%s: every client gets the same message', async (model, { name, heard, unlike = {} }) => {
    const asked = Object.entries(CLIENTS).map(async ([client, ask]) => {
      const { text, reasoning, calls } = await ask(gateway.url, model).catch((error: unknown) => {
        throw new Error(`${client}: ${String(error)}`, { cause: error })
      })
      return [client, { text: text.trim(), reasoning: reasoning.trim(), calls }]
    })
    const expected = Object.keys(CLIENTS).map((client) => [client, unlike[client] ?? heard])
    expect(Object.fromEntries(await Promise.all(asked)), name).toEqual(Object.fromEntries(expected))
  })
})

describe.each(ROWS.filter(({ mode }) => mode === 'native'))('$server.name', ({ server, upstream: name }) => {
  const model = `${name}/again`
  const bodies: unknown[] = []
  beforeAll(() => {
    bodies.length = 0
    upstream.answers.set('again', (asked) => {
      bodies.push(asked.body)
      return answering(server, 'native', { text: 'One file.' })(asked)
    })
  })

  // The empty arguments have to become an empty object.
  test.each(['', '{}'])('takes back a call without arguments that a client keeps as "%s"', async (json) => {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const ls = { name: 'ls', arguments: json }
    const { choices } = await client.chat.completions.create({
      model,
      messages: [
        { role: 'user', content: 'What is here?' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: ls }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'a.ts' },
      ],
      tools: [{ type: 'function', function: { name: 'ls', parameters: LS_SCHEMA } }],
    })
    expect(choices[0]!.message.content).toBe('One file.')
    // In each protocol it is an object without a field, as a value or as text.
    const written = JSON.stringify(bodies.at(-1))
    expect(written).toMatch(/"(?:arguments|input|args)":(?:\{\}|"\{\}")/)
  })

  test('takes back the thoughts that a client of Anthropic has kept', async () => {
    const client = new Anthropic({ apiKey: 'none', baseURL: gateway.url, maxRetries: 0 })
    const tools = [{ name: 'ls', input_schema: LS_SCHEMA }]
    const ask = (model: string, messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> =>
      client.messages.create({ model, max_tokens: 1000, messages, tools })
    upstream.answers.set('thought', () =>
      WIRES[server.protocol]({ reasoning: 'Where?', text: 'I look.', calls: [['ls', '{"path": "."}']] }),
    )
    const question: Anthropic.MessageParam = { role: 'user', content: 'What is here?' }
    const { content } = await ask(`${name}/thought`, [question])
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    const call = content[2] as Anthropic.ToolUseBlock
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'a.ts' }
    bodies.length = 0
    upstream.answers.set('thought', ({ body }) => {
      bodies.push(body)
      return WIRES[server.protocol]({ text: 'One file.' })
    })
    const again = await ask(`${name}/thought`, [
      question,
      { role: 'assistant', content },
      { role: 'user', content: [result] },
    ])
    expect(again.content).toMatchObject([{ type: 'text', text: 'One file.' }])
    // The provider that has signed them gets them as they were.
    if (server.protocol === 'anthropic')
      expect((bodies as { messages: { content: unknown[] }[] }[])[0]!.messages[1]!.content[0]).toEqual({
        ...{ type: 'thinking', thinking: 'Where?', signature: 'c2lnbmVk' },
      })
  })
})

test('other paths of the official clients', async () => {
  upstream.answers.set('said', asText('<think>Hm.</think>Hello'))
  upstream.answers.set('twice', asCalls('', [['ls', '']]))
  upstream.answers.set('counted', ({ path }) => ({
    contentType: 'application/json',
    chunks: [JSON.stringify({ input_tokens: path === '/v1/messages/count_tokens' ? 42 : 0 })],
  }))
  const upstreams = {
    chat: { url: upstream.url, protocol: 'openai-chat', dialect: 'hermes' },
    claude: { url: upstream.url, protocol: 'anthropic' },
  }
  const other = await ServedGateway.start([], { upstreams, retries: 0 })
  try {
    const ollama = new Ollama({ host: other.url })
    const whole = await ollama.generate({ model: 'said', prompt: 'Hi' })
    expect([whole.response, whole.thinking, whole.done_reason]).toEqual(['Hello', 'Hm.', 'stop'])
    let text = ''
    for await (const { response } of await ollama.generate({ model: 'said', prompt: 'Hi', stream: true }))
      text += response
    expect(text).toBe('Hello')
    const claude = new Anthropic({ apiKey: 'none', baseURL: other.url, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    expect(await claude.messages.countTokens({ model: 'claude/counted', messages })).toEqual({
      input_tokens: 42,
    })
    const openai = new OpenAI({ apiKey: 'none', baseURL: `${other.url}/v1`, maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: 'ls', parameters: LS_SCHEMA } }]
    const stream = openai.chat.completions.stream({ model: 'twice', n: 2, messages, tools })
    const { choices } = await stream.finalChatCompletion()
    expect(
      choices.map(({ message, finish_reason }) => [message.tool_calls?.[0], finish_reason]),
    ).toMatchObject([
      [{ function: { name: 'ls', arguments: '{}' } }, 'tool_calls'],
      [{ function: { name: 'ls', arguments: '{}' } }, 'tool_calls'],
    ])
  } finally {
    await other.kill()
  }
})

test('the command says at once that a model writes in another dialect', async () => {
  upstream.answers.set('kimi', {
    ...asText('<|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{"path": "."}<|tool_call_end|>'),
  })
  const url = ['--upstream', upstream.url, '--mode', 'template', '--dialect', 'hermes']
  const other = await ServedGateway.start(url)
  let errors = ''
  other.child.stderr.on('data', (data) => (errors += data))
  try {
    const { calls } = await CLIENTS['openai, chat, streamed']!(other.url, 'kimi')
    expect(calls).toEqual([])
    await expect.poll(() => errors).toContain('the dialect does not fit')
    const metrics = await (await fetch(`${other.url}/metrics`)).text()
    expect(metrics).toContain('sluice_diagnostics_total{code="looks-like-a-call"} 1')
  } finally {
    await other.kill()
  }
})

test('the command stops on SIGTERM, with what it was doing done', async () => {
  const gateway = await ServedGateway.start([])
  const answer = CLIENTS['openai, chat, streamed']!(gateway.url, 'm')
  await new Promise((resolve) => setTimeout(resolve, 30))
  const over = gateway.kill('SIGTERM')
  expect((await answer).text).toContain('What is here?')
  expect(await over).toBe(0)
})

test('the command says what is wrong with its options', async () => {
  await expect(ServedGateway.start(['--log', 'sqlite:x'])).rejects.toThrow("'log' must be file:FOLDER")
  await expect(ServedGateway.start(['--dialect', 'hermes'])).rejects.toThrow("add '--upstream URL'")
})
