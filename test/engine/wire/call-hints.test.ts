import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/base/event.ts'
import { allDialects, detect, hermes, kimiK2 } from '../../../src/dialects/index.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions, restoreParser } from '../../../src/engine/parser.ts'
import { render } from '../../../src/engine/render.ts'
import { CALL_HINTS, HINT_STARTS } from '../../../src/engine/wire/call-hints.ts'
import { compile } from '../../../src/engine/wire/compile.ts'
import type { Dialect } from '../../../src/engine/wire/dialect.ts'
import { sampleOf } from '../../effort.ts'

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

  test('is found whatever the dialect that is read looks for', () => {
    const found = { opener: '[TOOL_CALLS]', span: { start: 6, end: 18 } }
    expect(hintsIn('Well. [TOOL_CALLS]ls{}', { dialect: hermes })).toMatchObject([found])
    expect(hintsIn('Well. [TOOL_CALLS]ls{}', { dialect: kimiK2 })).toMatchObject([found])
  })

  test('is the same where chunks are held back, taken back and restored from a snapshot', () => {
    // `<tool_cal` is held back by hermes, and `<]minimax[>[` was shown before its last character is held back.
    for (const text of [
      'Well <tool_cal [TOOL_CALLS]',
      'Well <]minimax[>[<tool_',
      'Well [[TOOL_CALLS]',
      'a <<TOOLCALL>',
    ])
      for (let size = 1; size < 8; size++) {
        let parser = createParser({ dialect: hermes })
        const events = []
        for (let at = 0; at < text.length; at += size) {
          events.push(...parser.push(text.slice(at, at + size)))
          parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), { dialect: hermes })
        }
        events.push(...parser.end())
        expect(events.filter(({ type }) => type === 'diagnostic')).toEqual(hintsIn(text, { dialect: hermes }))
        expect(hintsIn(text, { dialect: hermes })).toHaveLength(1)
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

test('every marker begins with a character at which text is looked at', () => {
  expect([...new Set(Object.keys(CALL_HINTS).map((marker) => marker.charCodeAt(0)))]).toEqual(HINT_STARTS)
})

/** Who reads something of the call of another dialect: it is a call then, or one that failed. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  'mistral-array': ['mistral-v11', 'xlam'],
  'mistral-v11': ['mistral-array'],
  dots: ['minimax-m2'],
  'function-calls': ['minimax-m2'],
  'functionary-v31': ['k-exaone-2', 'qwen3-coder', 'seed-oss', 'ui-tars'],
  hermes: ['k-exaone-2'],
  'k-exaone-2': ['functionary-v31', 'qwen3-coder', 'seed-oss', 'ui-tars'],
  'minimax-m3': ['minimax-m2'],
  'qwen3-coder': ['functionary-v31', 'k-exaone-2', 'seed-oss', 'ui-tars'],
  'seed-oss': ['functionary-v31', 'k-exaone-2', 'qwen3-coder', 'ui-tars'],
  step3: ['deepseek-v31'],
  'ui-tars': ['functionary-v31', 'k-exaone-2', 'qwen3-coder', 'seed-oss'],
  xlam: ['granite3', 'hermes'],
}
/** These read JSON wherever it stands. */
const READ_ANY_JSON = ['json-tools', 'json-tools-gemini', 'json-tools-openai']

test('a call in another dialect is reported by every dialect that reads nothing of it, and shares no marker with it', () => {
  const tools = [{ name: 'ls', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }]
  const call = { type: 'call' as const, id: 'functions.ls:0', toolName: 'ls', input: { path: 'a' } }
  const none: [] = []
  const silent: string[] = []
  let pairs = 0
  for (const writer of sampleOf(allDialects)) {
    const text = `Well. ${render([call], { dialect: writer, tools })}`
    const markers = Object.keys(CALL_HINTS).filter((marker) => text.includes(marker) && isOf(marker, writer))
    if (markers.length === 0) continue
    for (const reader of allDialects) {
      if (markers.every((marker) => isOf(marker, reader))) continue
      const { toolCalls, diagnostics } = parse(text, { dialect: reader, tools: none })
      const hint = diagnostics.find(({ code }) => code === 'looks-like-a-call')
      pairs++
      const isRead = toolCalls.length > 0 && isReadBy(writer, reader)
      if (!isRead && !hint?.dialects?.includes(writer.name)) silent.push(`${writer.name} in ${reader.name}`)
    }
  }
  expect(silent).toEqual([])
  expect(pairs).toBeGreaterThan(500)
})

function isReadBy(writer: Dialect, reader: Dialect): boolean {
  return (READ_BY[writer.name] ?? []).includes(reader.name) || READ_ANY_JSON.includes(reader.name)
}

function isOf(marker: string, { name }: Dialect): boolean {
  return CALL_HINTS[marker]!.split(', ').includes(name)
}

function isKnown(literal: string, name: string): boolean {
  return Object.entries(CALL_HINTS).some(
    ([marker, dialects]) =>
      (literal.includes(marker) || marker.startsWith(literal)) && dialects.split(', ').includes(name),
  )
}
