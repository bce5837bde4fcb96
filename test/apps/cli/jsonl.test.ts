import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../src/apps/cli/files.ts'
import { sluice, Written } from './harness.ts'

/** The answers to these lines. */
async function answers(...lines: (string | object)[]) {
  const stdin = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  const { code, stdout, stderr } = await sluice(['parse', '--jsonl'], { stdin })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Whole lines out of these pieces, of at most four characters. */
async function lines(...pieces: string[]): Promise<(string | null)[]> {
  async function* source(): AsyncGenerator<string> {
    yield* pieces
  }
  const found: (string | null)[] = []
  for await (const line of linesOf(source(), 4)) found.push(line)
  return found
}

describe('lines', () => {
  it.each<[pieces: string[], lines: (string | null)[]]>([
    [['ab\ncd\n'], ['ab', 'cd']],
    [
      ['a', 'b\n', '\nc', 'd'],
      ['ab', '', 'cd'],
    ],
    [['abcd\nabcde\nab'], ['abcd', null, 'ab']],
    [
      ['abc', 'de', 'fgh', 'i\nab\nabc', 'de'],
      [null, 'ab', null],
    ],
    [['', ''], []],
  ])('%j are lines, and what is too long is not kept', async (pieces, found) => {
    expect(await lines(...pieces)).toEqual(found)
  })
})

const CALL = '<tool_call>{"name": "f", "arguments": {"a": "1"}}</tool_call>'

describe('sluice parse --jsonl', () => {
  it('answers a request with the whole message', async () => {
    const chunks = [
      '<think>\nhm\n</think>\n\nHi <tool',
      '_call>{"name": "f", "argu',
      'ments": {"a": [1, 2.50]}}</tool_call>',
    ]
    expect(await answers({ id: 'x', dialect: 'hermes', chunks })).toEqual([
      {
        id: 'x',
        text: 'Hi ',
        reasoning: 'hm',
        toolCalls: [
          {
            id: expect.any(String),
            name: 'f',
            input: { a: [1, 2.5] },
            inputText: '{"a": [1, 2.50]}',
            status: 'complete',
            span: { start: 24, end: 79 },
          },
        ],
        finish: { reason: 'tool-calls' },
        diagnostics: [],
      },
    ])
  })

  it('takes the input in one piece, too', async () => {
    const [pieces, whole] = await answers(
      { id: 1, dialect: 'hermes', chunks: [...CALL] },
      { id: 1, dialect: 'hermes', input: CALL },
    )
    expect(whole).toEqual(pieces)
    expect(whole.toolCalls[0].input).toEqual({ a: '1' })
  })

  it('reads plain text without a dialect', async () => {
    const [answer] = await answers({ id: null, input: 'a <tool> b' })
    expect(answer).toEqual({
      id: null,
      text: 'a <tool> b',
      reasoning: '',
      toolCalls: [],
      finish: { reason: 'stop' },
      diagnostics: [],
    })
  })

  const qwen = '<tool_call><function=f><parameter=n>3</parameter></function></tool_call>'
  const properties = { n: { type: 'integer' } }
  it.each([
    [
      "OpenAI's form",
      [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } }],
      3,
    ],
    ['our own form', [{ name: 'f', description: 'x', inputSchema: { type: 'object', properties } }], 3],
    [
      'a tool without a schema',
      [{ type: 'function', function: { name: 'f', description: null, parameters: null } }],
      '3',
    ],
    ['no tools', [], '3'],
    ['null', null, '3'],
  ])('types arguments by the tools, in %s', async (_form, tools, n) => {
    const [answer] = await answers({ id: 'x', dialect: 'qwen3-coder', tools, input: qwen })
    expect(answer.toolCalls[0].input).toEqual({ n })
  })

  it('leaves calls as text where nobody wants them', async () => {
    const [answer] = await answers({
      id: 'x',
      dialect: 'hermes',
      calls: false,
      input: `<think>hm</think>${CALL}`,
    })
    expect(answer).toMatchObject({ text: CALL, reasoning: 'hm', toolCalls: [] })
  })

  it('leaves reasoning as text where nobody wants it', async () => {
    const [answer] = await answers({
      id: 'x',
      dialect: 'hermes',
      reasoning: false,
      input: `<think>hm</think>${CALL}`,
    })
    expect(answer).toMatchObject({ text: '<think>hm</think>', reasoning: '', toolCalls: [{ name: 'f' }] })
  })

  it('starts inside reasoning where it is told to', async () => {
    const [answer] = await answers({ id: 'x', dialect: 'hermes', start: 'reasoning', input: 'hm</think>Hi' })
    expect(answer).toMatchObject({ text: 'Hi', reasoning: 'hm' })
  })

  it('takes the name of a model in place of a dialect', async () => {
    const input = 'Hm.</think>Hi.<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
    const [read, both, unknown] = await answers(
      { model: 'qwq:32b', input },
      { model: 'qwq:32b', dialect: 'hermes', input },
      { model: 'my-fine-tune', input },
    )
    expect([read.reasoning, read.text, read.toolCalls[0].name]).toEqual(['Hm.', 'Hi.', 'ls'])
    expect(both.error).toEqual({
      code: 'invalid-request',
      message: "A request has either 'dialect' or 'model'.",
    })
    expect(unknown.error.code).toBe('unknown-model')
  })

  it('drops calls where it is told to', async () => {
    const input = 'Hi.<tool_call>{"name": "ls", "arguments": {}}</tool_call>'
    const [answer] = await answers({ dialect: 'hermes', calls: 'drop', input })
    expect([answer.text, answer.toolCalls]).toEqual(['Hi.', []])
  })

  it('tells of a call that failed, with its source', async () => {
    const input = 'Hi <tool_call>{"name": "f", "arguments": {"a": "b'
    const [kept, asText, dropped] = await answers(
      { id: 'x', dialect: 'hermes', input },
      { id: 'x', dialect: 'hermes', malformed: 'text', input },
      { id: 'x', dialect: 'hermes', malformed: 'drop', input },
    )
    expect(kept.text).toBe('Hi ')
    expect(kept.toolCalls).toMatchObject([
      {
        name: 'f',
        input: { a: 'b' },
        status: 'truncated',
        raw: '<tool_call>{"name": "f", "arguments": {"a": "b',
        error: { code: 'truncated', offset: 49 },
      },
    ])
    expect(kept.diagnostics).toMatchObject([{ code: 'truncated-call' }])
    expect(asText.text).toBe(input)
    expect(dropped.text).toBe('Hi ')
    expect(dropped.toolCalls[0]).not.toHaveProperty('raw')
  })

  it('says what was repaired', async () => {
    const input = '<tool_call>{"name": "f", "arguments": {"a": 1,}}</tool_call>'
    const [answer] = await answers({ id: 'x', dialect: 'hermes', input })
    expect(answer.toolCalls[0]).toMatchObject({
      status: 'repaired',
      input: { a: 1 },
      repairs: [{ code: 'trailing-comma', class: 'lossless' }],
    })
  })

  it('gives back values as they were', async () => {
    const input = { text: '\u2028"\\ 😀 \u0000', list: [1e21, -0.5, null, true], deep: { a: [{}] } }
    const [answer] = await answers({
      id: 'x',
      dialect: 'hermes',
      input: `<tool_call>{"name": "f", "arguments": ${JSON.stringify(input)}}</tool_call>`,
    })
    expect(answer.toolCalls[0].input).toEqual(input)
  })

  it('takes __proto__ for a key like any other', async () => {
    const stdin = `${JSON.stringify({
      id: 'x',
      dialect: 'hermes',
      input: '<tool_call>{"name": "f", "arguments": {"__proto__": {"a": 1}}}</tool_call>',
    })}\n`
    const { stdout } = await sluice(['parse', '--jsonl'], { stdin })
    expect(stdout).toContain('"input":{"__proto__":{"a":1}}')
  })

  const refused: [sentence: string, line: string | object, code: string, id: unknown][] = [
    ['a line that is not JSON', '{"id":"x",', 'invalid-json', null],
    ['an unknown dialect', { id: 'x', dialect: 'klingon', input: '' }, 'unknown-dialect', 'x'],
    ['a request that is a list', '[1]', 'invalid-request', null],
    ['a request that is null', 'null', 'invalid-request', null],
    ['a dialect that is a number', { id: 7, dialect: 7, input: '' }, 'invalid-request', 7],
    ['tools that are a word', { id: 'x', tools: 'f', input: '' }, 'invalid-request', 'x'],
    ['a tool without a name', { id: 'x', tools: [{}], input: '' }, 'invalid-request', 'x'],
    ['chunks that are a string', { id: 'x', chunks: 'a' }, 'invalid-request', 'x'],
    ['chunks that are numbers', { id: 'x', chunks: [1] }, 'invalid-request', 'x'],
    ['an input that is a list', { id: 'x', input: ['a'] }, 'invalid-request', 'x'],
    ['both chunks and input', { id: 'x', input: 'a', chunks: ['a'] }, 'invalid-request', 'x'],
    ['neither chunks nor input', { id: 'x' }, 'invalid-request', 'x'],
    ['an unknown start', { id: 'x', start: 'end', input: '' }, 'invalid-request', 'x'],
    ['calls that are a word', { id: 'x', calls: 'no', input: '' }, 'invalid-request', 'x'],
    ['an unknown wish for failed calls', { id: 'x', malformed: 'fix', input: '' }, 'invalid-request', 'x'],
  ]
  it.each(refused)('refuses %s, and goes on', async (_sentence, line, code, id) => {
    const [refusal, next] = await answers(line, { id: 'next', input: 'Hi' })
    expect(refusal).toEqual({ id, error: { code, message: expect.stringMatching(/\.$/) } })
    expect(next).toMatchObject({ id: 'next', text: 'Hi' })
  })

  it('skips blank lines, and takes a last line without an end', async () => {
    const stdin = '\n{"id":1,"input":"a"}\r\n  \n{"id":2,"input":"b"}'
    const { code, stdout } = await sluice(['parse', '--jsonl'], { stdin })
    expect(code).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2])
  })

  it('has nothing to say when nobody asks', async () => {
    expect(await sluice(['parse', '--jsonl'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('answers each line before the next one comes, however the lines are cut', async () => {
    const stdout = new Written()
    async function* stdin() {
      yield '{"id":1,"in'
      expect(stdout.pieces).toHaveLength(0)
      yield 'put":"a"}\n{"id":2,"input":"b"}\n{"id"'
      expect(stdout.pieces.map((line) => JSON.parse(line).text)).toEqual(['a', 'b'])
      yield ':3,"input":"c"}\n'
      expect(stdout.pieces.map((line) => JSON.parse(line).text)).toEqual(['a', 'b', 'c'])
    }
    expect((await sluice(['parse', '--jsonl'], { stdin }, stdout)).code).toBe(0)
  })
})
