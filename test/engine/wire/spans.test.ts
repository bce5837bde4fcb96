import { describe, expect, it, test } from 'vitest'
import { harmony, hermes, kimiK2, kimiK3, llama3Json, qwen3Coder } from '../../../src/dialects/index.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions, restoreParser } from '../../../src/engine/parser.ts'
import { dialect, each, name, wire } from '../../../src/engine/wire/index.ts'

/** The spans of calls and of diagnostics, each with the text in it. */
function spansIn(text: string, options: ParserOptions): string[] {
  const { toolCalls, diagnostics } = parse(text, options)
  return [
    ...toolCalls.map(({ span }) => `call ${text.slice(span!.start, span!.end)}`),
    ...diagnostics.map(({ code, span }) => `${code} ${text.slice(span!.start, span!.end)}`),
  ]
}

const LS = '<tool_call>{"name": "ls"}'

describe('the span of a call', () => {
  test.each<[string, ParserOptions, string, string[]]>([
    ['ends with its last part', { dialect: hermes }, `Hi. ${LS}</tool_call> ok`, [`call ${LS}`]],
    [
      'ends with the text that cuts it off',
      { dialect: hermes },
      `${LS.slice(0, -1)}, "arguments": {"a`,
      [
        'call <tool_call>{"name": "ls", "arguments": {"a',
        'truncated-call <tool_call>{"name": "ls", "arguments": {"a',
      ],
    ],
    [
      'does not begin with the space before it',
      { dialect: llama3Json },
      ' {"name": "ls", "parameters": {}}',
      ['call {"name": "ls", "parameters": {}}'],
    ],
    [
      'is its own in a section',
      { dialect: dialect('mine', { call: wire`<s>${each`<c ${name}></c>`}</s>` }) },
      '<s><c a></c><c b></c></s>',
      ['call <s><c a></c>', 'call <c b></c>'],
    ],
    [
      'ends before the next marker, which was only looked at',
      { dialect: kimiK3 },
      '<|open|>tools<|sep|><|open|>call tool="ls"<|sep|><|close|>call<|close|> so',
      [
        'call <|open|>tools<|sep|><|open|>call tool="ls"<|sep|><|close|>call',
        'missing-token <|close|>call',
        'unexpected-text <|close|> s',
      ],
    ],
  ])('%s', (_, options, text, expected) => {
    expect(spansIn(text, options)).toEqual(expected)
  })

  it('counts a prefill', () => {
    const [call] = parse('"name": "ls"}', {
      dialect: hermes,
      start: { prefill: 'Hi <tool_call>{' },
    }).toolCalls
    expect(call?.span).toEqual({ start: 3, end: 28 })
  })

  it('is there when nothing of the call is kept', () => {
    const [call] = parse(`Hi ${LS}`, { dialect: hermes, emit: { input: false } }).toolCalls
    expect(call).toMatchObject({ input: null, span: { start: 3, end: 28 } })
  })
})

describe('the span of a diagnostic', () => {
  test.each<[string, ParserOptions, string, string[]]>([
    [
      'on a call begins where it was noticed',
      { dialect: hermes },
      '<tool_call>{"name": "ls", "arguments": {"a": None}}</tool_call>',
      ['call <tool_call>{"name": "ls", "arguments": {"a": None}}', 'json-repaired None}}'],
    ],
    [
      'is all of a call that lacks its closer',
      { dialect: hermes },
      `A ${LS} b`,
      [`call ${LS}`, `missing-closer ${LS}`],
    ],
    ['is the marker that closes nothing', { dialect: hermes }, 'A</think>b', ['stray-closer </think>']],
    [
      'is the marker that is there twice',
      { dialect: hermes, start: 'reasoning' },
      '<think>a</think>',
      ['repeated-opener <think>'],
    ],
    [
      'is the reasoning that is not closed',
      { dialect: hermes },
      'A<think>b',
      ['reasoning-not-closed <think>b'],
    ],
    ['is the first character behind the end', { stop: ['END'] }, 'a END 🦉b', ['text-after-stop 🦉']],
    [
      'is the first character between two calls of a section',
      { dialect: kimiK2 },
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{}<|tool_call_end|>🦉',
      [
        'call <|tool_calls_section_begin|><|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{}',
        'unexpected-text 🦉',
      ],
    ],
  ])('%s', (_, options, text, expected) => {
    expect(spansIn(text, options)).toEqual(expected)
  })

  it('is not there where no text came', () => {
    expect(parse('', { dialect: hermes, start: 'reasoning' }).diagnostics).toEqual([
      {
        type: 'diagnostic',
        code: 'reasoning-not-closed',
        message: 'The response ends inside reasoning.',
      },
    ])
  })
})

describe('what is no call', () => {
  test.each<[string, ParserOptions, string, string[]]>([
    [
      'is told where prose mentions a marker',
      { dialect: hermes },
      'Use <tool_call> here.',
      ['not-a-call <tool_call> '],
    ],
    [
      'is told each time',
      { dialect: hermes },
      '<tool_call>a <tool_call>b',
      ['not-a-call <tool_call>', 'not-a-call <tool_call>'],
    ],
    ['is told at the end', { dialect: hermes }, 'A <tool_call>{"na', ['not-a-call <tool_call>{"na']],
    [
      'is told inside reasoning',
      { dialect: hermes },
      '<think>a <tool_call>b</think>',
      ['not-a-call <tool_call>'],
    ],
    [
      'is told once for all dialects',
      { dialect: [hermes, qwen3Coder] },
      '<tool_call> no',
      ['not-a-call <tool_call> '],
    ],
    [
      'is told where other markup begins alike',
      { dialect: harmony },
      '<|channel|>commentary to= x',
      ['not-a-call <|channel|>commentary to= '],
    ],
    ['is not told where no marker opens it', { dialect: llama3Json }, '{"nam": "ls"}', []],
    ['is not told where calls are text', { dialect: hermes, calls: false }, 'A <tool_call>', []],
  ])('%s', (_, options, text, expected) => {
    expect(spansIn(text, options)).toEqual(expected)
  })

  it('is told before its text, with its opener', () => {
    const parser = createParser({ dialect: hermes })
    parser.push('A <tool_call>')
    const events = restoreParser(parser.snapshot(), { dialect: hermes }).push('b')
    expect(events).toEqual([
      {
        type: 'diagnostic',
        code: 'not-a-call',
        message: '"<tool_call>" opens no call here.',
        span: { start: 2, end: 13 },
        opener: '<tool_call>',
      },
      { type: 'text-delta', id: 'text-1', delta: '<tool_call>' },
      { type: 'text-delta', id: 'text-1', delta: 'b' },
    ])
  })
})

test('the opener of what is no call does not hold a marker that was only looked at', () => {
  const { diagnostics } = parse('<|open|>tools<|open|>', { dialect: kimiK3 })
  const { opener, span } = diagnostics.find(({ code }) => code === 'not-a-call')!
  expect(opener).toBe('<|open|>tools')
  expect(span).toEqual({ start: 0, end: 13 })
})
