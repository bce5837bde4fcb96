import { describe, expect, it } from 'vitest'
import { fileWith, sluice, Written } from './harness.ts'

const RESPONSE = `<think>
Look.
</think>

Here: <tool_call>
{"name": "write_file", "arguments": {"path": "a.ts", "content": "one\\ntwo\\n"}}
</tool_call>`

const TOOLS = JSON.stringify([
  {
    type: 'function',
    streams: 'content',
    headlines: ['path'],
    function: {
      name: 'write_file',
      parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
    },
  },
])

describe('sluice parse', () => {
  const shown = `┊ Look.

Here:

▸ write_file  a.ts
  │ one
  │ two
  ✓ complete · 2 lines, 8 characters
`

  it('shows a response from a file to a person', async () => {
    const argv = ['parse', '--dialect', 'hermes', '--tools', fileWith(TOOLS), fileWith(RESPONSE)]
    expect(await sluice(argv)).toEqual({ code: 0, stdout: shown, stderr: '' })
  })

  it.each([[[]], [['-']]])('shows a response from stdin with %j', async (file) => {
    const argv = ['parse', '--dialect', 'hermes', '--tools', fileWith(TOOLS), ...file]
    expect(await sluice(argv, { stdin: RESPONSE })).toEqual({ code: 0, stdout: shown, stderr: '' })
  })

  it('reads bytes that are cut inside a character', async () => {
    const bytes = [...new TextEncoder().encode('Ça 😀')].map((byte) => Uint8Array.of(byte))
    expect((await sluice(['parse', '--dialect', 'hermes'], { stdin: bytes })).stdout).toBe('Ça 😀\n')
  })

  it.each(['1', '3', '1000'])('shows the same when it is fed %s characters at a time', async (split) => {
    const argv = ['parse', '--dialect', 'hermes', '--tools', fileWith(TOOLS), '--split', split]
    expect((await sluice(argv, { stdin: [RESPONSE.slice(0, 50), RESPONSE.slice(50)] })).stdout).toBe(shown)
  })

  it('uses colours on a terminal only, and not where nobody wants them', async () => {
    const argv = ['parse', '--dialect', 'hermes']
    const stdin = '<think>\nhm\n</think>\n'
    const coloured = '\x1b[2m┊ \x1b[22m\x1b[2mhm\x1b[22m\n'
    expect((await sluice(argv, { stdin })).stdout).toBe('┊ hm\n')
    expect((await sluice(argv, { stdin, isTTY: true })).stdout).toBe(coloured)
    expect((await sluice(argv, { stdin, isTTY: true, env: { NO_COLOR: '' } })).stdout).toBe(coloured)
    expect((await sluice(argv, { stdin, isTTY: true, env: { NO_COLOR: '1' } })).stdout).toBe('┊ hm\n')
    expect((await sluice(argv, { stdin, isTTY: true, env: { TERM: 'dumb' } })).stdout).toBe('┊ hm\n')
  })

  it('takes everything for text without a dialect, and says so', async () => {
    const { code, stdout, stderr } = await sluice(['parse'], { stdin: 'a <tool_call>' })
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^a <tool_call>\n\n· looks-like-a-call: /),
    })
    expect(stderr).toBe(
      "No --dialect: everything is read as text. --dialect auto finds out which one it is, 'sluice dialects' lists the names, and --model takes the name of a model.\n",
    )
  })

  it('finds the dialect by the name of the model, and where the response begins', async () => {
    const stdin = 'Hm.</think>Let me look.<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
    const { stdout } = await sluice(['parse', '--model', 'Qwen/QwQ-32B', '--json'], { stdin })
    const { text, reasoning, toolCalls } = JSON.parse(stdout)
    expect([reasoning, text, toolCalls[0].name]).toEqual(['Hm.', 'Let me look.', 'ls'])
    const refused = await sluice(['parse', '--model', 'qwq', '--dialect', 'hermes'], { stdin })
    expect(refused.stderr).toContain(
      "'--dialect' and '--model' cannot be used together (see 'sluice help parse').",
    )
    expect((await sluice(['parse', '--model', 'gpt-4o'], { stdin })).stderr).toContain('sends calls as data')
  })

  it('reads several dialects at once', async () => {
    const stdin =
      '<tool_call>{"name": "a", "arguments": {}}</tool_call><|python_tag|>{"name": "b", "parameters": {}}'
    const { stdout } = await sluice(['parse', '--dialect', 'hermes,llama3-json', '--json'], { stdin })
    expect(JSON.parse(stdout).toolCalls.map((call: { name: string }) => call.name)).toEqual(['a', 'b'])
  })

  it('starts inside reasoning where it is told to', async () => {
    const argv = ['parse', '--dialect', 'hermes', '--start', 'reasoning', '--json']
    const { stdout } = await sluice(argv, { stdin: 'hm</think>Hi' })
    expect(JSON.parse(stdout)).toMatchObject({ reasoning: 'hm', text: 'Hi' })
  })

  const cut = '<tool_call>{"name": "ls", "arguments": {"path": "a'
  it.each([
    ['keep', { text: '', raw: cut }],
    ['text', { text: cut, raw: cut }],
    ['drop', { text: '', raw: undefined }],
  ])('does with a call that failed as it is told: %s', async (malformed, { text, raw }) => {
    const argv = ['parse', '--dialect', 'hermes', '--malformed', malformed, '--json']
    const message = JSON.parse((await sluice(argv, { stdin: cut })).stdout)
    expect(message.text).toBe(text)
    expect(message.toolCalls[0].raw).toBe(raw)
  })

  it('writes the whole message as one JSON document', async () => {
    const argv = ['parse', '--dialect', 'hermes', '--json']
    const { stdout } = await sluice(argv, { stdin: RESPONSE })
    expect(JSON.parse(stdout)).toEqual({
      text: 'Here: ',
      reasoning: 'Look.',
      toolCalls: [
        {
          id: expect.any(String),
          name: 'write_file',
          input: { path: 'a.ts', content: 'one\ntwo\n' },
          status: 'complete',
          span: { start: 30, end: 120 },
        },
      ],
      finish: { reason: 'tool-calls' },
      diagnostics: [],
    })
  })

  it('writes events while the response is still coming', async () => {
    const stdout = new Written()
    async function* stdin() {
      yield 'Hello'
      expect(stdout.text).toContain('"type":"text-delta"')
      expect(stdout.text).toContain('"delta":"Hello"')
      expect(stdout.text).not.toContain('finish')
      yield ' world'
    }
    const { code } = await sluice(['parse', '--dialect', 'hermes', '--events'], { stdin }, stdout)
    expect(code).toBe(0)
    const events = stdout.text.trimEnd().split('\n')
    expect(events.map((line) => JSON.parse(line).type)).toEqual([
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ])
  })
})

describe('sluice parse --recording', () => {
  const text = `{"sluice-recording":1,"kind":"text","dialect":"hermes"}
[0,"Hi <tool_c"]
[9,"all>{\\"name\\": \\"ls\\", \\"arguments\\": {}}</tool_call>"]
`

  it('takes the dialect from the recording', async () => {
    const { code, stdout, stderr } = await sluice(['parse', '--recording', fileWith(text)])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hi\n\n▸ ls\n  ✓ complete\n', stderr: '' })
  })

  it.each(['NousResearch/Hermes-3-Llama-3.1-8B', 'a-model-that-nobody-knows'])(
    'finds the dialect of a run of the gateway by the name of its model: %s',
    async (model) => {
      const run = text.replace('"hermes"', `"model:${model}"`)
      const { stdout } = await sluice(['parse', '--recording'], { stdin: run })
      expect(stdout).toContain('Hi\n\n▸ ls\n  ✓ complete\n')
    },
  )

  it('finds no call in the code of a run whose upstream protects code', async () => {
    const run = `{"sluice-recording":1,"kind":"text","dialect":"hermes","protectCode":true}\n${JSON.stringify([0, '`<tool_call>{"name":"ls","arguments":{}}</tool_call>`'])}\n`
    const { text: said, toolCalls } = JSON.parse(
      (await sluice(['parse', '--recording', '--json'], { stdin: run })).stdout,
    )
    expect({ said, toolCalls }).toEqual({
      said: '`<tool_call>{"name":"ls","arguments":{}}</tool_call>`',
      toolCalls: [],
    })
  })

  it('begins where a run of the gateway begins', async () => {
    const run =
      '{"sluice-recording":1,"kind":"text","dialect":"model:Qwen/Qwen3-235B-A22B-Thinking-2507","start":"reasoning"}\n[0,"So.</think>Hi"]\n'
    const { text: said } = JSON.parse(
      (await sluice(['parse', '--recording', '--json'], { stdin: run })).stdout,
    )
    expect(said).toBe('Hi')
  })

  it('prefers the dialect it is told', async () => {
    const argv = ['parse', '--recording', '--dialect', 'llama3-json', '--json', fileWith(text)]
    const message = JSON.parse((await sluice(argv)).stdout)
    expect(message.text).toBe('Hi <tool_call>{"name": "ls", "arguments": {}}</tool_call>')
  })

  it('reads recorded bytes', async () => {
    const recording = '{"sluice-recording":1,"kind":"bytes"}\n[0,{"b":"8J+Y"}]\n[1,{"b":"gA=="}]\n'
    expect((await sluice(['parse', '--recording'], { stdin: recording })).stdout).toBe('😀\n')
  })

  it('shows recorded events', async () => {
    const recording = `{"sluice-recording":1,"kind":"events"}
[0,{"type":"text-start","id":"t"}]
[0,{"type":"text-delta","id":"t","delta":"Hi"}]
[0,{"type":"error","error":{"name":"Error","message":"socket hang up"}}]
[0,{"type":"finish","reason":"error"}]
`
    expect((await sluice(['parse', '--recording'], { stdin: recording })).stdout).toBe(
      'Hi\n\n✗ The stream failed: socket hang up\n',
    )
    const json = await sluice(['parse', '--recording', '--json'], { stdin: recording })
    expect(JSON.parse(json.stdout)).toMatchObject({ text: 'Hi', error: 'socket hang up' })
  })

  it('says what is wrong with a recording', async () => {
    const { code, stderr } = await sluice(['parse', '--recording'], { stdin: 'Hi' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^sluice parse: Line 1 is not the header of a recording/)
  })
})
