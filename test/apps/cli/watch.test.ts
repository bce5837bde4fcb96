import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Emulator } from '../terminal/emulator.ts'
import { fileWith, serve, sluice } from './harness.ts'

const fixture = (name: string): string =>
  readFileSync(new URL(`../../providers/fixtures/${name}`, import.meta.url), 'utf8')

const TEXT = "I'll look at both 🌦.\n"
const REST = `┊ Two cities, two calls.

▸ get_weather  city: Paris  days: 2
  ✓ complete

▸ get_weather  city: Oslo  days: 1
  ✓ complete
`

describe('sluice watch', () => {
  it.each(['anthropic.sse', 'openai-chat.sse', 'gemini.json', 'ollama.ndjson'])(
    'finds out whose stream %s is; text goes to stdout, everything else to stderr',
    async (name) => {
      expect(await sluice(['watch'], { stdin: fixture(name) })).toEqual({
        code: 0,
        stdout: TEXT,
        stderr: REST,
      })
      expect(await sluice(['watch', fileWith(fixture(name))])).toEqual({
        code: 0,
        stdout: TEXT,
        stderr: REST,
      })
    },
  )

  it('finds out which dialect a model wrote', async () => {
    const stdin = 'Hi.<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'
    const { code, stdout, stderr } = await sluice(['watch'], { stdin: [...stdin] })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hi.\n' })
    expect(stderr).toMatch(/^▸ ls {2}path: \.\n {2}✓ complete\n/)
    expect((await sluice(['watch', '--dialect', 'hermes'], { stdin })).stderr).toBe(
      '▸ ls  path: .\n  ✓ complete\n',
    )
  })

  it('says how calls in the text of a provider are read', async () => {
    const content = 'Hi.<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
    const stdin = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
    const { stdout, stderr } = await sluice(['watch'], { stdin })
    expect(stdout).toBe(`${content}\n`)
    expect(stderr).toContain('"<tool_call>" in the text begins a call in hermes')
    expect(stderr).toContain('; to read it, add --dialect auto.')
    expect((await sluice(['watch', '--dialect', 'auto'], { stdin })).stdout).toBe('Hi.\n')
  })

  it.each([
    ['no-such-file', 'it does not exist'],
    ['.', 'it is a folder'],
  ])('fails if %s cannot be read', async (file, reason) => {
    expect(await sluice(['watch', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: `sluice watch: ${file} cannot be read: ${reason}.\n`,
    })
  })

  it('asks a URL, with headers and a body', async () => {
    let asked = ''
    const url = await serve(async (request, response) => {
      asked = `${request.method} ${request.headers['x-api-key']} `
      for await (const chunk of request) asked += chunk
      response.end(fixture('anthropic.sse'))
    })
    const argv = [
      'watch',
      `${url}/v1/messages`,
      '--header',
      'x-api-key: k',
      '--header',
      'a: b',
      '--body',
      '{"stream":true}',
    ]
    expect(await sluice(argv)).toEqual({ code: 0, stdout: TEXT, stderr: REST })
    expect(asked).toBe('POST k {"stream":true}')
  })

  it('says that nothing came', async () => {
    expect(await sluice(['watch'], { stdin: '' })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The stream was empty.\n',
    })
  })

  it('says what a server says that refuses, without the key', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(401).end('No such keys: secret-secret, my-own-secret, sk-of-somebody-else.')
    })
    const header = 'authorization: Bearer my-own-secret'
    const { code, stderr } = await sluice(['watch', '--header', header, `${url}/?key=secret-secret`])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `sluice watch: ${url}/?key=[redacted] answered 401: No such keys: [redacted], [redacted], [redacted]\n`,
    })
  })

  it('shows as many lines of an argument as it is told to', async () => {
    const content = Array.from({ length: 30 }, (_, line) => `${line}\\n`).join('')
    const stdin = `<tool_call>{"name": "write", "arguments": {"content": "${content}"}}</tool_call>`
    const shown = async (...lines: string[]): Promise<number> =>
      (await sluice(['watch', '--dialect', 'hermes', ...lines], { stdin })).stderr.match(/│/g)?.length ?? 0
    expect([await shown(), await shown('--lines', '3'), await shown('--lines', 'all')]).toEqual([20, 3, 30])
    expect((await sluice(['watch', '--lines', 'x'], { stdin })).code).toBe(2)
  })

  it('folds reasoning where it is told to', async () => {
    const { stderr } = await sluice(['watch', '--fold'], { stdin: fixture('anthropic.sse') })
    expect(stderr).toMatch(/^┊ Reasoning: 1 line\n\n▸/)
  })

  it('draws on a terminal, and stops at Ctrl-C with what there is', async () => {
    const emulator = new Emulator(80, 24)
    let interrupt = (): void => {}
    async function* endless(): AsyncGenerator<string> {
      expect(await emulator.screen()).toBe('waiting for the stream')
      yield 'Working.<tool_call>{"name": "write", "arguments": {"path": "a.ts", "content": "one\\ntw'
      await new Promise((resolve) => setTimeout(resolve, 60))
      interrupt()
      await new Promise(() => {})
    }
    const { code } = await sluice(['watch', '--dialect', 'hermes'], {
      stdin: endless,
      screen: emulator.output(),
      on: (_signal, listener) => {
        interrupt = listener
      },
    })
    expect(code).toBe(130)
    expect(await emulator.screen()).toBe(`Working.

▸ write  path: a.ts
  content:
  │ one
  │ tw
  ✗ truncated · The call was cut off in the argument /content.

· ended: aborted`)
  })

  it('stops at Ctrl-C before anything came', async () => {
    let interrupt = (): void => {}
    const on = (_signal: string, listener: () => void): void => {
      interrupt = listener
    }
    async function* silent(): AsyncGenerator<string> {
      interrupt()
      await new Promise(() => {})
    }
    expect(await sluice(['watch'], { stdin: silent, on })).toEqual({
      code: 130,
      stdout: '',
      stderr: '· ended: aborted\n',
    })
    // A server that does not answer is no server that cannot be reached.
    const url = await serve(() => interrupt())
    const stopped = { code: 130, stdout: '', stderr: '' }
    expect(await sluice(['watch', url], { on })).toEqual(stopped)
    expect(await sluice(['record', '--url', url], { on })).toEqual(stopped)
  })
})
