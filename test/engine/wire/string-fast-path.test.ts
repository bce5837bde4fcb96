/** Strings in other notations, of which most takes the fast path. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { gemma4 } from '../../../src/dialects/gemma4.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { createParser, type EmitOptions, type ParserOptions } from '../../../src/engine/parser.ts'
import { inPieces, merged } from '../../laws/observe.ts'

const EMITS: EmitOptions[] = [
  { json: true },
  { json: true, input: false },
  { json: false, arguments: true, input: false },
]
const PYTHON: ParserOptions = { dialect: pythonic }
const GEMMA: ParserOptions = { dialect: gemma4 }

function read(text: string, size: number, options: ParserOptions): SluiceEvent[] {
  const parser = createParser(options)
  return merged([...inPieces(text, size).flatMap((piece) => parser.push(piece)), ...parser.end()])
}

function callIn(events: readonly SluiceEvent[]): ToolCall | undefined {
  return events.find((event) => event.type === 'tool-call')
}

type Row = [what: string, options: ParserOptions, text: string, value: string]

describe('a string in another notation', () => {
  test.each<Row>([
    ['shared escapes', PYTHON, String.raw`[f(a="one\ntwo\t\"three\" \\ four")]`, 'one\ntwo\t"three" \\ four'],
    ['an escape that JSON has not', PYTHON, String.raw`[f(a="it\'s \x41 \v.")]`, "it's A \v."],
    ['an escape that only JSON has', PYTHON, String.raw`[f(a="one\/two, three")]`, 'one\\/two, three'],
    [
      'single quotes',
      PYTHON,
      String.raw`[f(a='say "yes"\nor \"no\", and go on')]`,
      'say "yes"\nor "no", and go on',
    ],
    ['no escapes', PYTHON, String.raw`[f(a=r"C:\new\tab and so on")]`, 'C:\\new\\tab and so on'],
    ['three quotes', PYTHON, `[f(a="""one "two" ''three''\nfour""")]`, "one \"two\" ''three''\nfour"],
    [
      'a token as its quote',
      GEMMA,
      '<|tool_call>call:f{a:<|"|>if (a < b)\n\t"yes" \\n <|no <|"|>}<tool_call|>',
      'if (a < b)\n\t"yes" \\n <|no ',
    ],
    [
      'half of its quote at the end',
      GEMMA,
      '<|tool_call>call:f{a:<|"|>one << two <|"<|"|>}<tool_call|>',
      'one << two <|"',
    ],
    [
      'what JSON cannot hold',
      GEMMA,
      '<|tool_call>call:f{a:<|"|>bell \u0007 and \u{1f600}, so there<|"|>}<tool_call|>',
      'bell \u0007 and \u{1f600}, so there',
    ],
  ])('with %s, however it is cut', (_, options, text, value) => {
    for (const emit of EMITS) {
      const whole = read(text, text.length, { ...options, emit })
      if (emit.input !== false) expect(callIn(whole)?.input).toEqual({ a: value })
      for (let size = 1; size < 20; size++) expect(read(text, size, { ...options, emit })).toEqual(whole)
    }
  })

  test.each<[string, ParserOptions, string]>([
    ['gemma', GEMMA, '<|tool_call>call:f{a:<|"|>one\ntwo\nthree\nfour\n<|"|>,b:[[[1]]]}<tool_call|>'],
    ['python', PYTHON, String.raw`[f(a="one\ntwo\nthree\nfour\n", b=[[[1]]])]`],
  ])('leaves what comes after it in its place: %s', (_, options, text) => {
    const limited = { ...options, limits: { depth: 2 } }
    const whole = read(text, text.length, limited)
    expect(callIn(whole)?.status).toBe('invalid')
    for (let size = 1; size < 20; size++) expect(read(text, size, limited)).toEqual(whole)
  })
})
