import { describe, expect, it } from 'vitest'
import { fileWith, sluice } from './harness.ts'

const QWEN = `<tool_call>
<function=ls>
<parameter=path>
src
</parameter>
</function>
</tool_call>`

describe('sluice render', () => {
  it('writes the parts of a message in order', async () => {
    const parts = [
      { type: 'text', text: 'Let me look.\n' },
      { type: 'call', toolName: 'ls', input: { path: 'src' } },
    ]
    const argv = ['render', '--dialect', 'qwen3-coder', fileWith(JSON.stringify(parts))]
    expect(await sluice(argv)).toEqual({ code: 0, stdout: `Let me look.\n${QWEN}`, stderr: '' })
  })

  it.each([['name'], ['toolName']])('writes a message whose calls have a %s', async (key) => {
    const message = { text: 'Let me look.\n', toolCalls: [{ [key]: 'ls', input: { path: 'src' } }] }
    const { stdout } = await sluice(['render', '--dialect', 'qwen3-coder'], {
      stdin: JSON.stringify(message),
    })
    expect(stdout).toBe(`Let me look.\n${QWEN}`)
  })

  it('writes again what was parsed', async () => {
    const text = `<think>\nhm\n</think>\n\nLet me look.\n${QWEN}`
    const parsed = await sluice(['parse', '--dialect', 'qwen3-coder', '--json'], { stdin: text })
    const { stdout } = await sluice(['render', '--dialect', 'qwen3-coder'], { stdin: parsed.stdout })
    expect(stdout).toBe(text)
  })

  it('ends the line for a person', async () => {
    const stdin = '[{"type": "text", "text": "Hi"}]'
    expect((await sluice(['render', '--dialect', 'hermes'], { stdin })).stdout).toBe('Hi')
    expect((await sluice(['render', '--dialect', 'hermes'], { stdin, isTTY: true })).stdout).toBe('Hi\n')
  })

  const refused: [stdin: string, stderr: string][] = [
    ['"Hi"', "A message is a list of parts, or an object with 'text' and 'toolCalls'."],
    ['[{"text": "Hi"}]', 'Part 1 has no type; a part is of the type text, reasoning, call or result.'],
    [
      '[{"type": "txt"}]',
      'Part 1 is of the type "txt"; a part is of the type text, reasoning, call or result.',
    ],
    ['[{"type": "text"}]', "Part 1 has no 'text'."],
    ['[{"type": "call", "input": {}}]', "Part 1 has no 'name' or 'toolName'."],
    ['[{"type": "result"}]', "Part 1 has no 'content'."],
    ['{"text": 1}', "'text' is a string, not 1."],
    ['{"toolCalls": {}}', "'toolCalls' is a list of calls."],
    [
      '{"toolCalls": [{"name": "ls", "status": "truncated"}]}',
      "The dialect 'hermes' cannot write this message: the call of 'ls' (part 1) was cut off and would look complete if it were written; leave it out, or write its source with malformed: 'raw'.",
    ],
  ]
  it.each(refused)('says what is wrong with %s', async (stdin, message) => {
    const { code, stderr } = await sluice(['render', '--dialect', 'hermes'], { stdin })
    expect({ code, stderr }).toEqual({ code: 1, stderr: `sluice render: ${message}\n` })
  })

  it.each([[[]], [['-']]])('says in one line that the message is not JSON: %j', async (file) => {
    const { code, stderr } = await sluice(['render', '--dialect', 'hermes', ...file], { stdin: 'Hi\nyou' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^sluice render: stdin is not JSON: [^\n]+\.\n$/)
  })

  it('writes the source of a call that failed, if it is told to', async () => {
    const text = '<tool_call>{"name": "ls", "arguments": {"path": "sr'
    const parsed = await sluice(['parse', '--dialect', 'hermes', '--json'], { stdin: text })
    const argv = ['render', '--dialect', 'hermes', '--malformed', 'raw']
    expect(await sluice(argv, { stdin: parsed.stdout })).toEqual({ code: 0, stdout: text, stderr: '' })
  })

  it('refuses what the dialect cannot write', async () => {
    const stdin = '[{"type": "call", "toolName": "f", "input": {"a": "</parameter>"}}]'
    const { code, stdout, stderr } = await sluice(['render', '--dialect', 'qwen3-coder'], { stdin })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^sluice render: The dialect 'qwen3-coder' cannot write this message: /)
  })
})
