import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatTemplate } from '../../requests/templates/corpus.ts'
import { UNKNOWN_FORMATS } from '../../requests/templates/unknown-formats.ts'
import { sluice } from './harness.ts'

describe('sluice dialect', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-dialect-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const fileOf = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  it('shows a dialect by its name', async () => {
    expect(await sluice(['dialect', 'hermes'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `hermes: a dialect of the library

A call
    <tool_call>
    {"name":"get_weather","arguments":{"city":"Paris"}}
    </tool_call>

Reasoning      <think>…</think>
A response     begins in text, or inside reasoning if the prompt opens it
End of turn    <|im_end|>, <|endoftext|>
`,
    })
  })

  it('shows the dialect of a model, and where its responses begin', async () => {
    const { stdout } = await sluice(['dialect', 'Qwen/QwQ-32B', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ name: 'hermes', origin: 'model', start: 'reasoning' })
  })

  it('says nothing about the beginning where the name of the model does not tell', async () => {
    const { stdout } = await sluice(['dialect', 'moonshotai/Kimi-K2.5', '--json'])
    const found = JSON.parse(stdout) as object
    expect(found).toMatchObject({ name: 'kimi-k2', origin: 'model' })
    expect(found).not.toHaveProperty('start')
  })

  it('finds the dialect of a template in a tokenizer_config.json', async () => {
    const config = { chat_template: chatTemplate('qwen3.5'), eos_token: '<|im_end|>' }
    const file = fileOf('tokenizer_config.json', JSON.stringify(config))
    const { stdout } = await sluice(['dialect', file, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ name: 'qwen3-coder', origin: 'detected', start: 'reasoning' })
    const off = await sluice(['dialect', file, '--json', '--thinking', 'off'])
    expect(JSON.parse(off.stdout)).toMatchObject({ start: 'text' })
  })

  it('makes a dialect from a template that none of the library reads', async () => {
    const { template } = UNKNOWN_FORMATS[0]!
    const { code, stdout } = await sluice(['dialect', '-'], { stdin: template })
    expect(code).toBe(0)
    expect(stdout).toBe(`derived: a dialect made from stdin, because none of the library reads what it writes

A call
    <|fn|>{"op":"get_weather","with":{"city":"Paris"}}<|/fn|>

In the template language
    <|fn|>\${space}\${object({ op, with })}\${space}\${closer\`<|/fn|>\`}

Reasoning      no markers
A response     begins in text
End of turn    <|over|>
Proved by      text, one call, a call with a hard text, a call without arguments, two calls, three calls, text and a call
Not tried      reasoning and text (the template leaves out 'Vertumnus thinks.'), reasoning and a call (the template leaves out 'Vertumnus thinks.'), reasoning, text and a call (the template leaves out 'Vertumnus thinks.')
`)
  })

  it('shows a call with an id where the format cannot do without', async () => {
    const template = chatTemplate('solar-open').replaceAll('<|tool_call:', '<|act:')
    const { stdout } = await sluice(['dialect', '-', '--json'], { stdin: template })
    expect(JSON.parse(stdout).example).toBe(
      '<|tool_calls|><|act:begin|>call_1<|act:name|>get_weather<|act:args|>{"city":"Paris"}<|act:end|><|calls|>',
    )
  })

  it.each([
    [['dialect'], 2, 'Name a dialect, a model, or a file with a chat template'],
    [['dialect', 'no-such-thing'], 2, "'no-such-thing' is not a dialect, a file or a known model"],
    [['dialect', 'hermes', '--thinking', 'maybe'], 2, "'--thinking' is on or off, not 'maybe'"],
    [['dialect', '-'], 1, 'stdin: The chat template writes no calls'],
  ])('says what is wrong with %j', async (argv, code, message) => {
    const refused = await sluice(argv, { stdin: '{{ messages[0].content }}' })
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })
})
