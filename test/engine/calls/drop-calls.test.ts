import { createParser, foldEvents, type ParserOptions } from 'sluice'
import { hermes } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { dropCalls } from '../../../src/engine/calls/drop-calls.ts'
import { ENTRIES } from '../../laws/entries.ts'
import { wellFormedEvents } from '../../laws/laws.ts'

const CALL = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'

function read(text: string, options: ParserOptions = {}) {
  const parser = createParser({ dialect: hermes, calls: 'drop', ...options })
  return [...[...text].flatMap((character) => parser.push(character)), ...parser.end()]
}

describe('calls that are dropped', () => {
  test('leave the text around them, and a diagnostic in their place', () => {
    const { text, toolCalls, finish, diagnostics } = foldEvents(read(`One ${CALL} two.`))
    expect({ text, toolCalls, reason: finish.reason }).toEqual({
      text: 'One  two.',
      toolCalls: [],
      reason: 'stop',
    })
    expect(diagnostics).toEqual([
      {
        type: 'diagnostic',
        code: 'call-dropped',
        message: 'The call of ls was dropped: no calls are allowed.',
        span: { start: 4, end: 57 },
      },
    ])
  })

  test('may have failed', () => {
    const { text, toolCalls } = foldEvents(read('One <tool_call>{"name": "ls", "arguments": {"path": '))
    expect({ text, toolCalls }).toEqual({ text: 'One ', toolCalls: [] })
  })

  test('are said by no event, whatever was asked for', () => {
    const emit = { json: true, arguments: true, source: true, raw: true }
    expect(read(`One ${CALL} two.`, { emit }).filter(({ type }) => /^(tool|argument)-/.test(type))).toEqual(
      [],
    )
  })

  test.each(ENTRIES)('of $name leave well formed events', ({ options, witnesses }) => {
    for (const witness of witnesses) {
      const events = read(witness, { ...options, calls: 'drop' })
      expect(wellFormedEvents(events)).toBeUndefined()
      expect(events.some(({ type }) => type === 'tool-call')).toBe(false)
    }
  })

  test('cannot be shown as text when they fail', () => {
    expect(() => createParser({ calls: 'drop', malformed: 'text' })).toThrow(
      "'malformed' cannot be 'text' where 'calls' is 'drop': calls that fail are dropped, too.",
    )
    expect(() => createParser({ calls: 'maybe' as never })).toThrow(
      "'calls' is true, false or 'drop', not \"maybe\".",
    )
  })
})

test('the end says what it was, but for calls that are not there any more', () => {
  const seen: SluiceEvent[] = []
  const sink = dropCalls((event) => seen.push(event))
  sink({ type: 'tool-call', id: 'c', toolName: 't', input: {}, status: 'complete', repairs: [] })
  sink({ type: 'finish', reason: 'length' })
  sink({ type: 'finish', reason: 'tool-calls' })
  expect(seen).toStrictEqual([
    {
      type: 'diagnostic',
      code: 'call-dropped',
      message: 'The call of t was dropped: no calls are allowed.',
    },
    { type: 'finish', reason: 'length' },
    { type: 'finish', reason: 'stop' },
  ])
})
