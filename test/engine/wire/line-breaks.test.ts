/** Line breaks around a value: markup where both stand, the value's own otherwise. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { clineXml } from '../../../src/dialects/cline-xml.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { seedOss } from '../../../src/dialects/seed-oss.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/index.ts'

const TOOLS = [
  {
    name: 'edit',
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, line: { type: 'integer' } } },
  },
]

type Write = (key: string, value: string) => string

const DIALECTS: [Dialect, Write][] = [
  [
    seedOss,
    (key, value) =>
      `<seed:tool_call>\n<function=edit>\n<parameter=${key}>${value}</parameter>\n</function>\n</seed:tool_call>`,
  ],
  [
    qwen3Coder,
    (key, value) =>
      `<tool_call>\n<function=edit>\n<parameter=${key}>${value}</parameter>\n</function>\n</tool_call>`,
  ],
  [clineXml, (key, value) => `<edit>\n<${key}>${value}</${key}>\n</edit>`],
]

interface Emit {
  readonly json?: boolean
  readonly arguments?: boolean
  readonly input?: boolean
}

function eventsIn(text: string, dialect: Dialect, size: number, emit?: Emit): SluiceEvent[] {
  const options = { dialect, tools: TOOLS, ...(emit && { emit }) }
  let parser = createParser(options)
  const events: SluiceEvent[] = []
  for (let at = 0; at < text.length; at += size) {
    events.push(...parser.push(text.slice(at, at + size)))
    if (size === 2) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
  }
  return [...events, ...parser.end()]
}

const SIZES = [1, 2, 3, 5, 1000]

describe.each(DIALECTS)('$name', (dialect, write) => {
  test.each([
    ['a', 'a'],
    ['\na\n', 'a'],
    ['a\n', 'a\n'],
    ['a\n\n', 'a\n\n'],
    ['\na\n\n', 'a\n'],
    ['\n\na\n', '\na'],
    ['\n\n', ''],
    ['', ''],
    ['\n', '\n'],
    ['\n\n\n', '\n'],
    ['a\nb', 'a\nb'],
    ['\na\n<\n', 'a\n<'],
  ])('reads %j as %j, however it is cut', (written, value) => {
    for (const size of SIZES) {
      const [call] = foldEvents(eventsIn(write('text', written), dialect, size)).toolCalls
      expect(call).toMatchObject({ input: { text: value }, status: 'complete' })
    }
  })

  test('guesses where a line break stands before the value alone', () => {
    for (const size of SIZES) {
      const [call] = foldEvents(eventsIn(write('text', '\na'), dialect, size)).toolCalls
      expect(call?.input).toEqual({ text: 'a' })
      expect(call?.repairs).toMatchObject([{ code: 'unpaired-newline', class: 'guess' }])
      expect(call && isExecutable(call)).toBe(false)
      expect(call?.repairs[0]?.offset).toBe(write('text', '\na').indexOf('a</') + 1)
    }
  })

  test('does not mind line breaks around what is no string', () => {
    for (const written of ['2', '\n2\n', '2\n', '\n2']) {
      const [call] = foldEvents(eventsIn(write('line', written), dialect, 1)).toolCalls
      expect(call).toMatchObject({ input: { line: 2 }, status: 'complete' })
    }
  })

  test.each<[string, Emit]>([
    ['JSON text', { json: true, input: false }],
    ['arguments', { json: false, arguments: true, input: false }],
  ])('says the same as %s without keeping the input', (_, emit) => {
    for (const written of ['\n', '\na', '\nab\n', 'ab\n'])
      for (const size of SIZES) {
        const deltas = eventsIn(write('text', written), dialect, size, emit).flatMap((event) =>
          event.type === 'tool-input-delta' || event.type === 'argument-delta' ? [event.delta] : [],
        )
        const value = { '\n': '\n', '\na': 'a', '\nab\n': 'ab', 'ab\n': 'ab\n' }[written]
        const said = deltas.join('')
        expect(emit.json ? JSON.parse(said) : { text: said }).toEqual({ text: value })
      }
  })
})
