import { describe, expect, it } from 'vitest'
import { fileWith, sluice } from './harness.ts'

const RECORDING = `{"sluice-recording":1,"kind":"text","dialect":"hermes","note":"n"}
[100,"<think>Hm.</think>"]
[300,"Let me look.<tool"]
[450,"_call>{\\"name\\": \\"write_file\\", \\"arg"]
[600,"uments\\": {\\"path\\": \\"a.ts\\", \\"content\\": \\"one"]
[900,"\\\\ntwo\\",}}</tool_call>"]
[1000,{"end":"finished"}]
`

describe('sluice inspect', () => {
  it('says when what came, what was held back, verdicts, repairs and diagnostics', async () => {
    const file = fileWith(RECORDING)
    const { code, stdout, stderr } = await sluice(['inspect', file])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`Recording   ${file}: text, read as text
Stream      5 chunks, ${Buffer.byteLength('<think>Hm.</think>Let me look.<tool_call>{"name": "write_file", "arguments": {"path": "a.ts", "content": "one\\ntwo",}}</tool_call>')} bytes, 1.00 s, finished
First       chunk 100 ms · reasoning 100 ms · text 300 ms · name 450 ms · argument 600 ms

        at        for  what
    100 ms       0 ms  reasoning, 3 characters
    300 ms       0 ms  text, 12 characters
    450 ms     450 ms  call write_file: repaired
    600 ms       0 ms    path, 4 characters
    600 ms     300 ms    content, 7 characters

Held back   1 time, at most 5 characters, 150 ms at a time, 150 ms in all
Repairs     trailing-comma (lossless) in write_file
Diagnostics
    900 ms  json-repaired: The arguments were not quite JSON (trailing-comma).
Finish      tool-calls
`)
  })

  it('gives all figures as JSON', async () => {
    const { stdout } = await sluice(['inspect', '--json', fileWith(RECORDING)])
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'text',
      duration: 1000,
      first: { chunk: 100, reasoning: 100, text: 300, name: 450, argument: 600 },
      calls: [
        {
          toolName: 'write_file',
          from: 450,
          to: 900,
          arguments: [
            { key: 'path', from: 600, to: 600, characters: 4 },
            { key: 'content', from: 600, to: 900, characters: 7 },
          ],
        },
      ],
      heldBack: { mostCharacters: 5, longestMs: 150, totalMs: 150, times: 1 },
    })
  })

  it('draws a picture that is XML, with a lane for each', async () => {
    const hostile = RECORDING.replaceAll('write_file', 'write<&file')
    const { stdout } = await sluice(['inspect', '--svg', fileWith(hostile)])
    expect(stdout).toMatch(/^<svg xmlns/)
    for (const label of ['reasoning', 'text', 'write&lt;&amp;file', 'path', 'content', '5 chunks'])
      expect(stdout).toContain(`>${label}</text>`)
    const names = [...stdout.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)]
    const open: string[] = []
    for (const [, closes, name, isEmpty] of names)
      if (closes) expect(open.pop()).toBe(name)
      else if (!isEmpty) open.push(name!)
    expect(open).toEqual([])
    expect(stdout).not.toMatch(/NaN|Infinity/)
  })

  it('lists the arguments of a call below it, also where another grew at the same time', async () => {
    const event = (at: number, fields: object) => `${JSON.stringify([at, fields])}\n`
    const argument = (id: string, key: string, from: number, to: number) =>
      event(from, { type: 'argument-start', id, path: [key], kind: 'string' }) +
      event(to, { type: 'argument-end', id, path: [key], value: 'x' })
    const stdin =
      '{"sluice-recording":1,"kind":"events"}\n' +
      event(0, { type: 'tool-input-start', id: '1', toolName: 'one' }) +
      event(5, { type: 'tool-input-start', id: '2', toolName: 'two' }) +
      argument('2', 'b', 10, 20) +
      argument('1', 'a', 30, 40)
    const { stdout } = await sluice(['inspect', fileWith(stdin)])
    expect(stdout.match(/^.*(call| {2}[ab],).*$/gm)?.map((row) => row.slice(23))).toEqual([
      'call one: no verdict',
      '  a, 1 character',
      'call two: no verdict',
      '  b, 1 character',
    ])
  })

  it('reads a provider, and a recording of nothing', async () => {
    const chat = JSON.stringify('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n')
    const { stdout } = await sluice([
      'inspect',
      fileWith(`{"sluice-recording":1,"kind":"bytes"}\n[5,${chat}]\n`),
    ])
    expect(stdout).toContain('bytes, read as provider openai-chat')
    expect(stdout).toContain('First       chunk 5 ms · text 5 ms')
    const unknown = fileWith(
      `{"sluice-recording":1,"kind":"bytes"}\n[5,${JSON.stringify('data: {"x":1}\n\n')}]\n`,
    )
    expect((await sluice(['inspect', unknown])).stdout).toContain('read as the stream of an unknown provider')
    const nothing = fileWith('{"sluice-recording":1,"kind":"text"}\n')
    expect((await sluice(['inspect', nothing])).stdout).toContain('First       nothing came')
    expect((await sluice(['inspect', '--svg', nothing])).stdout).not.toContain('NaN')
  })
})
