import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileWith, sluice } from './harness.ts'

const fixture = (name: string): string =>
  readFileSync(new URL(`../../providers/fixtures/${name}`, import.meta.url), 'utf8')

const SHOWN = `┊ Two cities, two calls.

I'll look at both 🌦.

▸ get_weather  city: Paris  days: 2
  ✓ complete

▸ get_weather  city: Oslo  days: 1
  ✓ complete
`

describe('sluice parse --provider', () => {
  it.each([
    ['anthropic', 'anthropic.sse'],
    ['auto', 'anthropic.sse'],
    ['auto', 'openai-chat.sse'],
    ['auto', 'gemini.json'],
    ['ollama', 'ollama.ndjson'],
  ])('%s shows the message of %s', async (provider, file) => {
    const answer = await sluice(['parse', '--provider', provider], { stdin: fixture(file) })
    expect(answer).toEqual({ code: 0, stdout: SHOWN, stderr: '' })
  })

  it.each(['1', '7', '10000'])('shows the same when it is fed %s bytes at a time', async (split) => {
    const argv = ['parse', '--provider', 'auto', '--split', split]
    expect((await sluice(argv, { stdin: fixture('anthropic.sse') })).stdout).toBe(SHOWN)
  })

  it('reads text in a dialect', async () => {
    const chunk = {
      choices: [{ delta: { content: '<tool_call>{"name":"ls"}</tool_call>' }, finish_reason: 'stop' }],
    }
    const argv = ['parse', '--provider', 'openai-chat', '--dialect', 'hermes', '--json']
    const { stdout } = await sluice(argv, { stdin: `data: ${JSON.stringify(chunk)}\n\n` })
    expect(JSON.parse(stdout)).toMatchObject({ toolCalls: [{ name: 'ls', status: 'complete' }] })
  })

  it('finds out whose stream a recording holds that does not say so', async () => {
    const text = fixture('anthropic.sse')
    const recording = `{"sluice-recording":1,"kind":"bytes"}\n${JSON.stringify([0, text.slice(0, 9)])}\n${JSON.stringify([5, text.slice(9)])}\n`
    expect(await sluice(['parse', '--recording', fileWith(recording)])).toEqual({
      code: 0,
      stdout: SHOWN,
      stderr: '',
    })
  })

  it('says how to read a stream that is read as text', async () => {
    const stdin = [...fixture('anthropic.sse')]
    const { code, stdout, stderr } = await sluice(['parse', '--dialect', 'hermes'], { stdin })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "This is a provider's stream, and not the text of a model: --provider auto finds out whose it is.\n",
    })
    expect(stdout.startsWith('event: message_start\n')).toBe(true)
  })

  it('takes the provider from a recording', async () => {
    const header = '{"sluice-recording":1,"kind":"bytes","provider":"anthropic"}'
    const text = fixture('anthropic.sse')
    const recording = `${header}\n${JSON.stringify([0, text.slice(0, 999)])}\n${JSON.stringify([5, text.slice(999)])}\n`
    expect((await sluice(['parse', '--recording', fileWith(recording)])).stdout).toBe(SHOWN)
  })

  it('shows how a recorded stream failed', async () => {
    const line = '{\\"message\\":{\\"content\\":\\"Hi\\"},\\"done\\":false}\\n'
    const recording = `{"sluice-recording":1,"kind":"text","provider":"ollama"}\n[0,"${line}"]\n[1,{"end":"failed","error":"socket hang up"}]\n`
    const { code, stdout } = await sluice(['parse', '--recording', '--json'], { stdin: recording })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      text: 'Hi',
      error: 'socket hang up',
      finish: { reason: 'error' },
    })
  })

  it('says what it ignores with --debug, each thing once', async () => {
    const stdin =
      'data: {"type":"message_mood"}\n\ndata: {"type":"message_mood"}\n\ndata: {"type":"message_stop"}\n\n'
    const { stderr } = await sluice(['parse', '--provider', 'anthropic', '--debug'], { stdin })
    expect(stderr).toBe('Ignored unknown part of the stream: message_mood\n')
  })

  it('does not know every name', async () => {
    const { code, stderr } = await sluice(['parse', '--provider', 'claude'], { stdin: '' })
    expect(code).toBe(2)
    expect(stderr).toContain("There is no provider 'claude'; use one of ag-ui, ai-sdk, ai-sdk-ui, anthropic,")
  })
})

describe('sluice parse --jsonl', () => {
  const ask = async (...requests: object[]): Promise<Record<string, unknown>[]> => {
    const stdin = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
    const { stdout } = await sluice(['parse', '--jsonl'], { stdin })
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  it("reads a provider's chunks and payloads", async () => {
    const text = fixture('anthropic.sse')
    const payloads = text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as object] : []))
    const answers = await ask(
      { id: 1, provider: 'anthropic', chunks: [text.slice(0, 500), text.slice(500)] },
      { id: 1, provider: 'auto', chunks: [{ b: Buffer.from(text).toString('base64') }] },
      { id: 1, provider: 'anthropic', payloads },
      { id: 1, provider: 'anthropic', input: text },
    )
    expect(answers[0]).toMatchObject({
      id: 1,
      text: "I'll look at both 🌦.",
      toolCalls: [{ id: 'call_paris' }, { id: 'call_oslo' }],
      finish: { reason: 'tool-calls', rawReason: 'tool_use', usage: { inputTokens: 80 } },
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it.each([
    'ag-ui.sse',
    'ai-sdk-ui.sse',
    'ai-sdk.ndjson',
    'anthropic.sse',
    'bedrock.ndjson',
    'claude-code.ndjson',
    'codex.ndjson',
    'cohere.sse',
    'gemini.json',
    'gemini.sse',
    'langchain.ndjson',
    'ollama.ndjson',
    'openai-chat.sse',
    'openai-responses.sse',
  ])('reads %s however it is cut, and finds out whose it is', async (file) => {
    const [provider] = file.split('.')
    const text = fixture(file)
    const bytes = [...Buffer.from(text)].map((byte) => ({ b: Buffer.from([byte]).toString('base64') }))
    const answers = await ask(
      { provider, input: text },
      // In halves of characters, too.
      { provider, chunks: text.split('') },
      { provider, chunks: bytes },
      { provider: 'auto', input: text },
    )
    expect(answers[0]).toMatchObject({
      text: "I'll look at both 🌦.",
      toolCalls: [{ input: { city: 'Paris', days: 2 } }, { input: { city: 'Oslo', days: 1 } }],
      diagnostics: [],
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('passes on what has no name of its own', async () => {
    const [answer] = await ask({
      provider: 'anthropic',
      payloads: [
        { type: 'content_block_start', index: 0, content_block: { type: 'container_upload', file_id: 'f' } },
        { type: 'message_stop' },
      ],
    })
    expect(answer?.custom).toEqual([
      { kind: 'container_upload', value: { type: 'container_upload', file_id: 'f' } },
    ])
  })

  it.each([
    [{ provider: 'claude', chunks: [] }, 'unknown-provider'],
    [{ provider: 'anthropic' }, 'invalid-request'],
    [{ provider: 'anthropic', chunks: [7] }, 'invalid-request'],
    [{ provider: 'anthropic', payloads: [7] }, 'invalid-request'],
    [{ provider: 'anthropic', payloads: [], input: '' }, 'invalid-request'],
  ])('refuses %j', async (request, code) => {
    expect(await ask(request)).toEqual([{ id: null, error: { code, message: expect.any(String) } }])
  })
})

describe('sluice convert', () => {
  it.each(['openai-chat', 'openai-responses', 'anthropic', 'ollama', 'gemini', 'ai-sdk-ui', 'ag-ui'])(
    'writes %s, which gives the same message',
    async (to) => {
      const { code, stdout } = await sluice(['convert', '--to', to], { stdin: fixture('anthropic.sse') })
      expect(code).toBe(0)
      expect((await sluice(['parse', '--provider', to], { stdin: stdout })).stdout).toBe(SHOWN)
    },
  )

  it('names the model and the response', async () => {
    const argv = ['convert', '--from', 'ollama', '--to', 'anthropic', '--model', 'mine', '--id', 'msg_7']
    const { stdout } = await sluice(argv, { stdin: fixture('ollama.ndjson') })
    expect(stdout).toContain('"message":{"id":"msg_7","type":"message","role":"assistant","model":"mine"')
  })

  it.each([
    [
      [],
      "'--to NAME' is missing; use one of ag-ui, ai-sdk-ui, anthropic, gemini, ollama, openai-chat, openai-responses (see 'sluice help convert').",
    ],
    [
      ['--to', 'cohere'],
      "Nothing can be written as 'cohere'; use one of ag-ui, ai-sdk-ui, anthropic, gemini, ollama, openai-chat, openai-responses",
    ],
    [['--to', 'ollama', '--from', 'x'], "There is no provider 'x'"],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await sluice(['convert', ...args], { stdin: '' })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
