import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { checkedState, copyState } from '../../../src/base/plain-state.ts'
import { cohereAction, gemma4, glm, harmony, hermes, jsonToolsGemini } from '../../../src/dialects/index.ts'
import type { Call } from '../../../src/engine/calls/call.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { MessageFold } from '../../../src/engine/message.ts'
import { createParser, createSinkParser } from '../../../src/engine/parser.ts'
import { codeSpan } from '../../../src/engine/wire/code-span.ts'
import type { Dialect } from '../../../src/engine/wire/dialect.ts'

/** A span of code has no call to write to. */
const NO_CALL = null as unknown as Call

/** Where the code stands: at the start of the response, or further on. */
const settings = (offset: number) => ({ weak: false, limits: DEFAULT_LIMITS, offset })
const START = { ...settings(0), isAtLineStart: true }
const LATER = settings(10)

/** How much of a text that begins with an opener is code; `open` when the end of it did not come. */
function span(text: string, where = LATER): number | 'open' {
  const reader = codeSpan.create(where)
  const at = reader.read(text, 0, text.length, NO_CALL)
  return reader.status === 'done' ? at : 'open'
}

/** The same, restored from plain data before every character. */
function spanInPieces(text: string, where = LATER): number | 'open' {
  let reader = codeSpan.create(where)
  for (let at = 0; at < text.length; at++) {
    reader = codeSpan.create(where, checkedState(codeSpan.shape, copyState(reader.state)))
    const next = reader.read(text, at, at + 1, NO_CALL)
    if (reader.status === 'done') return next
  }
  return 'open'
}

describe('inline code ends', () => {
  test.each<[string, string, number | 'open']>([
    ['at the same backtick', '`a` b', 3],
    ['at the end of the line, when nothing closes it', '`a b\nc`', 4],
    ['not at a longer run', '`a``b` c', 6],
    ['at two backticks that two opened', '``a`b`` c', 7],
    ['at three backticks that three opened', '```a``` b', 7],
    ['at three backticks on a later line', '```a\nb``` c', 9],
    ['not at four backticks, if three opened it', '```a```` b', 'open'],
    ['not before its closing run is over', '`a`', 'open'],
    ['not while its opening run is counted', '``', 'open'],
    ['at the start of a line, if a backtick stands in its line', '\n``` a ``` b', 10],
    ['at once, if tildes stand inside a line', '~~~ a', 3],
    ['at once, if there are only two tildes', '\n~~ a', 3],
  ])('%s: %j', (_, text, expected) => {
    expect(span(text)).toBe(expected)
    expect(spanInPieces(text)).toBe(expected)
  })
})

describe('a fence ends', () => {
  test.each<[string, string, number | 'open']>([
    ['before the line break behind its closing fence', '\n```\na\n```\nb', 10],
    ['with tildes', '\n~~~\na\n~~~\nb', 10],
    ['not at a line break', '\n```\na\n', 'open'],
    ['not at a shorter fence', '\n````\n```\n', 'open'],
    ['at a longer fence', '\n```\n`````\n', 10],
    ['not at backticks, if tildes opened it', '\n~~~\n```\n', 'open'],
    ['not at tildes, if backticks opened it', '\n```\n~~~\n', 'open'],
    ['not at backticks inside a line', '\n```\na ``` b\n', 'open'],
    ['not at a fence with something behind it', '\n```\n``` b\n', 'open'],
    ['at a fence with white space behind it', '\n```\n``` \t\nb', 10],
    ['at a fence with a carriage return behind it', '\n```\r\n```\r\nb', 9],
    ['at a fence that is indented by three spaces', '\n   ```\na\n   ```\nb', 16],
    ['not at a fence that is indented by four', '\n```\n    ```\n', 'open'],
    ['behind an info string', '\n```ts title="a"\n```\nb', 20],
    ['behind an info string of tildes with backticks in it', '\n~~~ `a` ``` b\n~~~\nb', 18],
  ])('%s: %j', (_, text, expected) => {
    expect(span(text)).toBe(expected)
    expect(spanInPieces(text)).toBe(expected)
  })

  test.each<[string, string]>([
    ['backticks', '```\na ``` b\n```\n'],
    ['tildes', '~~~\na ~~~ b\n~~~\n'],
  ])('at the start of a response as anywhere: %s', (_, text) => {
    expect(span(text, START)).toBe(15)
    expect(spanInPieces(text, START)).toBe(15)
  })
})

test.each([1, 2, 3, 1000])('a fence begins behind JSON that is no call, in pieces of %i', (size) => {
  const text = '{\n  ~~~\n{"name": "rm", "args": {}}\n~~~\n'
  const parser = createParser({ dialect: jsonToolsGemini, tools: [{ name: 'rm' }], protectCode: true })
  const events: SluiceEvent[] = []
  for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)))
  events.push(...parser.end())
  expect(events.filter(({ type }) => type === 'tool-call')).toEqual([])
})

describe('a fence begins the text', () => {
  const call = '<tool_call>{"name": "rm"}</tool_call>'
  const inCode = (quoted: string) => `~~~\n${quoted}\n~~~\n`
  const action = '<|START_ACTION|>[{"tool_name": "rm", "parameters": {}}]<|END_ACTION|>'
  const recipient = '<|start|>assistant<|channel|>commentary to=functions.rm<|message|>{}<|call|>'
  const analysis = '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant'
  test.each<[string, Dialect, string]>([
    ['behind a thought', hermes, `<think>Let me see.</think>${inCode(call)}`],
    ['behind text and a thought', hermes, `Hello <think>Let me see.</think>${inCode(call)}`],
    [
      'behind a thought that quotes a call',
      glm,
      `<think>Hm, <tool_call>rm</tool_call> then.</think>${inCode('<tool_call>rm</tool_call>')}`,
    ],
    ['behind a result', hermes, `<tool_response>ok</tool_response>${inCode(call)}`],
    ['behind markup that is dropped', cohereAction, `<|START_RESPONSE|>${inCode(action)}`],
    ['behind the header of a channel', harmony, `${analysis}<|channel|>final<|message|>${inCode(recipient)}`],
    ['behind a token that means nothing', gemma4, `<bos>${inCode('<|tool_call>call:rm{}<tool_call|>')}`],
  ])('%s', (_, dialect, text) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const parser = createParser({ dialect, tools: [{ name: 'rm' }], protectCode: true })
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
      expect(events.filter((event) => event.type === 'tool-call' && isExecutable(event))).toEqual([])
    }
  })
})

test('a span of code may be cut off by the end', () => {
  const reader = codeSpan.create(START)
  reader.read('```\na', 0, 5, NO_CALL)
  reader.end(NO_CALL)
  expect(reader.status).toBe('done')
})

test('a fence begins a line behind a marker that is dropped, however the text is cut', () => {
  const text = 'a\n </think>~~~\n</think>'
  for (let size = 1; size <= text.length; size++) {
    const fold = new MessageFold()
    const parser = createSinkParser((event) => fold.add(event), { dialect: hermes, protectCode: true })
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size))
    parser.end()
    expect(fold.message().text).toBe('a\n ~~~\n</think>')
  }
})

test('code is the same however the text is cut', () => {
  const call = '<tool_call>{"name": "ls"}</tool_call>'
  const piece = fc.constantFrom(
    '`',
    '``',
    '```',
    '~',
    '~~~',
    '\n',
    ' ',
    '   ',
    '\r\n',
    'a',
    call,
    '<think>',
    '</think>',
  )
  const read = (chunks: Iterable<string>) => {
    const fold = new MessageFold()
    const options = { dialect: hermes, protectCode: true, stop: ['\nEND'] }
    const parser = createSinkParser((event) => fold.add(event), options)
    for (const chunk of chunks) parser.push(chunk)
    parser.end()
    const { text, reasoning, toolCalls } = fold.message()
    return { text, reasoning, calls: toolCalls.length }
  }
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), fc.nat(), (pieces, cut) => {
      const text = pieces.join('')
      const whole = read([text])
      const at = cut % (text.length + 1)
      expect(read(text)).toEqual(whole)
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole)
      // The markers of thoughts are neither text nor call, and white space between two calls is markup.
      if (text.includes('think>')) return
      const shown = (said: string): string => said.replace(/\s/g, '')
      expect(shown(whole.text).length + whole.calls * shown(call).length).toBe(shown(text).length)
    }),
    { seed: 31, numRuns: 500 },
  )
})
