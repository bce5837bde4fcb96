import { describe, expect, it } from 'vitest'
import { hermes } from '../src/dialects/hermes.ts'
import type { SluiceEvent, ToolCall } from '../src/event.ts'
import { foldEvents, MessageFold, parse } from '../src/message.ts'

const verdict = (id: string, fields: Partial<ToolCall> = {}): ToolCall => ({
  type: 'tool-call',
  id,
  toolName: 'ls',
  input: {},
  status: 'complete',
  repairs: [],
  ...fields,
})

describe('a whole response', () => {
  it('is read at once', () => {
    const response =
      '<think>A file.</think>Let me look.\n<tool_call>\n{"name": "ls", "arguments": {"path": "."}}\n</tool_call>'
    const call = verdict('call-3', { input: { path: '.' }, span: { start: 35, end: 89 } })
    expect(parse(response, { dialect: hermes })).toEqual({
      text: 'Let me look.\n',
      reasoning: 'A file.',
      toolCalls: [call],
      results: [],
      finish: { type: 'finish', reason: 'tool-calls' },
      diagnostics: [],
      parts: [
        { type: 'reasoning', text: 'A file.' },
        { type: 'text', text: 'Let me look.\n' },
        { type: 'call', call },
      ],
    })
  })

  it('without options is plain text', () => {
    const message = parse('Hello, <world>!')
    expect(message.text).toBe('Hello, <world>!')
    expect(message.finish).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('that is empty has no parts', () => {
    expect(parse('').parts).toEqual([])
  })
})

describe('events add up to a message', () => {
  it('whose spans are joined as they stood, in the order they began', () => {
    const message = foldEvents([
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'One' },
      { type: 'text-delta', id: 't1', delta: ', two' },
      { type: 'text-end', id: 't1' },
      { type: 'reasoning-start', id: 'r1' },
      { type: 'reasoning-delta', id: 'r1', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r1' },
      { type: 'custom', kind: 'citation', value: { url: 'https://example.org' } },
      { type: 'text-start', id: 't2' },
      { type: 'text-delta', id: 't2', delta: ', three' },
      { type: 'text-end', id: 't2' },
      { type: 'finish', reason: 'stop', usage: { outputTokens: 3 } },
    ])
    expect(message.text).toBe('One, two, three')
    expect(message.reasoning).toBe('Hm.')
    expect(message.finish).toEqual({ type: 'finish', reason: 'stop', usage: { outputTokens: 3 } })
    expect(message.parts).toEqual([
      { type: 'text', text: 'One, two' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'custom', kind: 'citation', value: { url: 'https://example.org' } },
      { type: 'text', text: ', three' },
    ])
  })

  it('whose calls stand where they began, whichever was finished first', () => {
    const message = foldEvents([
      { type: 'tool-input-start', id: 'a', toolName: 'ls' },
      { type: 'tool-input-start', id: 'b', toolName: 'ls' },
      verdict('b'),
      verdict('a'),
    ])
    expect(message.toolCalls.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('with the results of tools', () => {
    const { results } = foldEvents([
      { type: 'tool-result-start', id: 'a', toolName: 'ls' },
      { type: 'tool-result-delta', id: 'a', delta: 'main.rs' },
      { type: 'tool-result-delta', id: 'a', delta: '\nlib.rs' },
      { type: 'tool-result-end', id: 'a' },
      { type: 'tool-result-start', id: 'b', isError: false },
      { type: 'tool-result-end', id: 'b', isError: true },
    ])
    expect(results).toEqual([
      { id: 'a', toolName: 'ls', content: 'main.rs\nlib.rs' },
      { id: 'b', content: '', isError: true },
    ])
  })

  it('with what the provider signed, even where it said nothing', () => {
    const { parts } = foldEvents([
      { type: 'reasoning-start', id: 'r', metadata: { model: 'm' } },
      { type: 'reasoning-end', id: 'r', metadata: { signature: 's' } },
      { type: 'text-start', id: 't' },
      { type: 'text-end', id: 't' },
    ])
    expect(parts).toEqual([{ type: 'reasoning', text: '', metadata: { model: 'm', signature: 's' } }])
  })

  it('with the error of a stream that failed, and what was odd', () => {
    const error = new Error('socket hang up')
    const odd: SluiceEvent = {
      type: 'diagnostic',
      code: 'stray-closer',
      message: 'Odd.',
      span: { start: 0, end: 1 },
    }
    const message = foldEvents([odd, { type: 'error', error }, { type: 'finish', reason: 'error' }])
    expect(message.error).toBe(error)
    expect(message.diagnostics).toEqual([odd])
    expect(message.finish.reason).toBe('error')
  })

  it('at any moment', () => {
    const fold = new MessageFold()
    fold.add({ type: 'text-start', id: 't' })
    fold.add({ type: 'text-delta', id: 't', delta: 'Half' })
    fold.add({ type: 'tool-input-start', id: 'a', toolName: 'ls' })
    expect(fold.message()).toEqual({
      text: 'Half',
      reasoning: '',
      toolCalls: [],
      results: [],
      finish: { type: 'finish', reason: 'other' },
      diagnostics: [],
      parts: [{ type: 'text', text: 'Half' }],
    })
  })
})

describe('events in an odd order', () => {
  it.each<[what: string, events: SluiceEvent[], text: string]>([
    ['a delta without a start', [{ type: 'text-delta', id: 't', delta: 'a' }], 'a'],
    ['an end without a start', [{ type: 'text-end', id: 't' }], ''],
    [
      'a delta after the end',
      [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'a' },
        { type: 'text-end', id: 't' },
        { type: 'text-delta', id: 't', delta: 'b' },
      ],
      'ab',
    ],
    [
      'a start that comes twice',
      [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'a' },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'b' },
      ],
      'ab',
    ],
    [
      'the same id in two channels',
      [
        { type: 'reasoning-delta', id: 't', delta: 'r' },
        { type: 'text-delta', id: 't', delta: 'a' },
      ],
      'a',
    ],
  ])('%s', (_, events, text) => {
    expect(foldEvents(events).text).toBe(text)
  })

  it('a verdict without a start counts, and a second verdict on the same call does not', () => {
    const { toolCalls, parts } = foldEvents([
      verdict('a'),
      { type: 'tool-input-start', id: 'a', toolName: 'ls' },
      verdict('a', { input: { path: '/' } }),
    ])
    expect(toolCalls).toEqual([verdict('a')])
    expect(parts).toHaveLength(1)
  })
})
