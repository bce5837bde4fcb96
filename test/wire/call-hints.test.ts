import { describe, expect, test } from 'vitest'
import { allDialects, detect, hermes, kimiK2 } from '../../src/dialects/index.ts'
import type { Diagnostic } from '../../src/event.ts'
import { parse } from '../../src/message.ts'
import { createParser, type ParserOptions } from '../../src/parser.ts'
import { CALL_HINTS } from '../../src/wire/call-hints.ts'
import { compile } from '../../src/wire/compile.ts'

const hintsIn = (text: string, options: ParserOptions = {}): readonly Diagnostic[] =>
  parse(text, options).diagnostics.filter(({ code }) => code === 'looks-like-a-call')

describe('text that holds the marker of a call in another dialect', () => {
  test('is reported at the end, with the dialects that have the marker', () => {
    const text =
      'Let me look. <|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}<|tool_call_end|>'
    expect(hintsIn(text)).toEqual([
      {
        type: 'diagnostic',
        code: 'looks-like-a-call',
        message:
          '"<|tool_call_begin|>" in the text begins a call in kimi-k2; if it is one, pass that dialect.',
        span: { start: 13, end: 32 },
        opener: '<|tool_call_begin|>',
        dialects: ['kimi-k2'],
      },
    ])
    expect(hintsIn(text, { dialect: hermes })).toHaveLength(1)
    expect(hintsIn(text, { dialect: kimiK2 })).toEqual([])
  })

  test('is found behind the marker of the dialect that is read', () => {
    const text = '<tool_call>\n<function=ls>\n</function>\n</tool_call>'
    expect(hintsIn(text, { dialect: hermes })).toMatchObject([
      {
        opener: '<function=',
        span: { start: 12, end: 22 },
        dialects: ['qwen3-coder', 'seed-oss', 'functionary-v31'],
      },
    ])
  })

  test('is reported where no dialect was certain', () => {
    expect(hintsIn('Write <tool_call> first.', { dialect: detect() })).toMatchObject([
      { opener: '<tool_call>', span: { start: 6, end: 17 } },
    ])
  })

  test('is the first one, however the text is cut', () => {
    const text = 'a [TOOL_CALLS]ls{} <tool_call> <|python_tag|>'
    for (let at = 1; at < text.length; at++) {
      const parser = createParser()
      const events = [...parser.push(text.slice(0, at)), ...parser.push(text.slice(at)), ...parser.end()]
      expect(events.filter(({ type }) => type === 'diagnostic')).toMatchObject([
        {
          opener: '[TOOL_CALLS]',
          span: { start: 2, end: 14 },
          dialects: ['mistral-v11', 'mistral-array', 'xlam'],
        },
      ])
    }
  })

  test('is not reported where calls were found, are left as text, or the marker is not visible', () => {
    const call = '<tool_call>{"name":"ls"}</tool_call>'
    expect(hintsIn(`${call} <|python_tag|>`, { dialect: hermes })).toEqual([])
    expect(hintsIn('<|python_tag|>', { calls: false })).toEqual([])
    expect(hintsIn('<think><|python_tag|></think>Yes.', { dialect: hermes })).toEqual([])
  })
})

test('every dialect whose calls are marked has a marker in the table, and no other is named there', () => {
  const shape = { tools: [], stop: [], calls: true, reasoning: true, code: undefined }
  const unknown = allDialects.filter((dialect) => {
    const { text } = compile([dialect], shape)
    const openers = text.edges.filter(({ opens }) => opens?.kind === 'call' && !opens.weak)
    return openers.length > 0 && !openers.some(({ literal }) => isKnown(literal.trimEnd(), dialect.name))
  })
  // Words that prose may hold.
  expect(unknown.map(({ name }) => name)).toEqual(['command-r-plus', 'functools'])
  const names = new Set<string>(allDialects.map(({ name }) => name))
  const listed = Object.values(CALL_HINTS).flatMap((list) => list.split(', '))
  expect(listed.filter((name) => !names.has(name))).toEqual([])
})

function isKnown(literal: string, name: string): boolean {
  return Object.entries(CALL_HINTS).some(
    ([marker, dialects]) =>
      (literal.includes(marker) || marker.startsWith(literal)) && dialects.split(', ').includes(name),
  )
}
