import { describe, expect, it } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import type { CallPart } from '../../src/base/part.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { foldEvents, MessageFold, parse } from '../../src/engine/message.ts'

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
        { ...call, type: 'call' },
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
      { type: 'result', id: 'a', toolName: 'ls', content: 'main.rs\nlib.rs' },
      { type: 'result', id: 'b', content: '', isError: true },
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

  it('with all that one provider attached at the start and at the end', () => {
    const { parts } = foldEvents([
      { type: 'reasoning-start', id: 'r', metadata: { openai: { itemId: 'rs_1' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r', metadata: { openai: { reasoningEncryptedContent: 'e' } } },
      { type: 'tool-input-start', id: 'c', toolName: 'ls', metadata: { google: { thoughtSignature: 's' } } },
      { type: 'tool-call', id: 'c', toolName: 'ls', input: {}, status: 'complete', repairs: [] },
    ])
    expect(parts.map((part) => 'metadata' in part && part.metadata)).toEqual([
      { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } },
      { google: { thoughtSignature: 's' } },
    ])
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

  it('at any moment, with what still grows', () => {
    const fold = new MessageFold()
    fold.add({ type: 'text-start', id: 't' })
    fold.add({ type: 'text-delta', id: 't', delta: 'Half' })
    fold.add({ type: 'tool-input-start', id: 'a', toolName: 'ls', tentative: true })
    fold.add({ type: 'tool-result-start', id: 'b' })
    fold.add({ type: 'tool-result-delta', id: 'b', delta: 'ma' })
    expect(fold.message()).toEqual({
      text: 'Half',
      reasoning: '',
      toolCalls: [],
      results: [{ type: 'result', id: 'b', content: 'ma', state: 'streaming' }],
      finish: { type: 'finish', reason: 'other' },
      diagnostics: [],
      parts: [
        { type: 'text', text: 'Half', state: 'streaming' },
        { type: 'call', id: 'a', toolName: 'ls', input: null, state: 'streaming', tentative: true },
        { type: 'result', id: 'b', content: 'ma', state: 'streaming' },
      ],
      state: 'streaming',
    })
  })

  it('in which nothing grows any more once the response has ended', () => {
    const message = foldEvents([
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'finish', reason: 'stop' },
    ])
    expect(message.parts).toEqual([{ type: 'text', text: 'a' }])
    expect(message.state).toBeUndefined()
  })
})

describe('the input of a call, while it grows', () => {
  /** The input after each event. */
  function inputs(events: readonly SluiceEvent[]): unknown[] {
    const fold = new MessageFold()
    fold.add({ type: 'tool-input-start', id: 'a', toolName: 'edit' })
    return events.map((event) => {
      fold.add(event)
      const [part] = fold.message().parts
      return part?.type === 'call' ? part.input : undefined
    })
  }
  const text = (...deltas: string[]): SluiceEvent[] =>
    deltas.map((delta) => ({ type: 'tool-input-delta', id: 'a', delta }))

  it('is what is certain of its JSON text: no half key, no half number', () => {
    expect(
      inputs(text('{"pa', 'th": ', '"a.', 'ts", "line', '": 1', '2, "deep": {"list": [tr', 'ue, "x"', ']}}')),
    ).toEqual([
      {},
      {},
      { path: 'a.' },
      { path: 'a.ts' },
      { path: 'a.ts' },
      { path: 'a.ts', line: 12, deep: { list: [] } },
      { path: 'a.ts', line: 12, deep: { list: [true, 'x'] } },
      { path: 'a.ts', line: 12, deep: { list: [true, 'x'] } },
    ])
  })

  it('is what its arguments say', () => {
    expect(
      inputs([
        { type: 'argument-start', id: 'a', path: ['path'], kind: 'string' },
        { type: 'argument-delta', id: 'a', path: ['path'], delta: 'a.' },
        { type: 'argument-end', id: 'a', path: ['path'], value: 'a.' },
        { type: 'argument-start', id: 'a', path: ['edits'], kind: 'array' },
        { type: 'argument-start', id: 'a', path: ['edits', 0], kind: 'object' },
        { type: 'argument-start', id: 'a', path: ['edits', 0, '__proto__'], kind: 'scalar' },
        { type: 'argument-end', id: 'a', path: ['edits', 0, '__proto__'], value: 3 },
        { type: 'argument-end', id: 'a', path: ['edits', 0], value: JSON.parse('{"__proto__": 3}') },
        { type: 'argument-end', id: 'a', path: ['edits'], value: [JSON.parse('{"__proto__": 3}')] },
      ]),
    ).toEqual([
      { path: '' },
      { path: 'a.' },
      { path: 'a.' },
      { path: 'a.', edits: [] },
      { path: 'a.', edits: [{}] },
      { path: 'a.', edits: [{}] },
      { path: 'a.', edits: [JSON.parse('{"__proto__": 3}')] },
      { path: 'a.', edits: [JSON.parse('{"__proto__": 3}')] },
      { path: 'a.', edits: [JSON.parse('{"__proto__": 3}')] },
    ])
  })

  it('may be a list, or a string', () => {
    expect(inputs(text('[1, ', '"a'))).toEqual([[1], [1, 'a']])
    expect(
      inputs([
        { type: 'argument-start', id: 'a', path: [0], kind: 'string' },
        { type: 'argument-delta', id: 'a', path: [0], delta: 'x' },
      ]),
    ).toEqual([[''], ['x']])
    expect(
      inputs([
        { type: 'argument-start', id: 'a', path: [], kind: 'string' },
        { type: 'argument-delta', id: 'a', path: [], delta: 'x' },
        { type: 'argument-end', id: 'a', path: [], value: 'x' },
      ]),
    ).toEqual(['', 'x', 'x'])
  })

  it('is read once where both kinds of events come', () => {
    expect(
      inputs([
        ...text('{"a":"x'),
        { type: 'argument-start', id: 'a', path: ['a'], kind: 'string' },
        { type: 'argument-delta', id: 'a', path: ['a'], delta: 'x' },
        ...text('y'),
      ]),
    ).toEqual([{ a: 'x' }, { a: 'x' }, { a: 'x' }, { a: 'xy' }])
  })

  it('stays what it was when the text is no JSON, or has a key twice', () => {
    expect(inputs(text('{"a": 1, ', '"a": 2', '}'))).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }])
    expect(inputs(text('{"a": 1, ', '!', '"b": 2}'))).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }])
  })

  it('passes over arguments that do not fit', () => {
    expect(
      inputs([
        { type: 'argument-delta', id: 'a', path: ['b'], delta: 'x' },
        { type: 'argument-end', id: 'a', path: ['b'], value: 1 },
        { type: 'argument-start', id: 'a', path: ['b', 'c'], kind: 'string' },
        { type: 'argument-start', id: 'a', path: [0], kind: 'string' },
        { type: 'argument-start', id: 'a', path: ['b'], kind: 'array' },
        { type: 'argument-start', id: 'a', path: ['b', 1], kind: 'scalar' },
        { type: 'argument-start', id: 'a', path: ['b', 0], kind: 'scalar' },
        { type: 'argument-end', id: 'a', path: ['b', 0], value: { no: 'scalar' } },
        { type: 'argument-delta', id: 'z', path: ['b'], delta: 'x' },
      ]),
    ).toEqual([null, null, {}, {}, { b: [] }, { b: [] }, { b: [] }, { b: [] }, { b: [] }])
  })
})

describe('a message', () => {
  const { parts, ...rest } = parse('Hi.<tool_call>{"name": "ls", "arguments": {"a": [1]}}</tool_call>', {
    dialect: hermes,
  })

  it('is the same object as long as nothing changed', () => {
    const fold = new MessageFold()
    fold.add({ type: 'text-delta', id: 't', delta: 'a' })
    const message = fold.message()
    expect(fold.message()).toBe(message)
    fold.add({ type: 'tool-source-delta', id: 'a', delta: 'x' })
    expect(fold.message()).toBe(message)
    fold.add({ type: 'text-delta', id: 't', delta: 'b' })
    expect(fold.message()).not.toBe(message)
  })

  it('changes only the part that an event is about', () => {
    const fold = new MessageFold()
    fold.add({ type: 'text-delta', id: 't', delta: 'a' })
    fold.add({ type: 'text-end', id: 't' })
    fold.add(verdict('a'))
    fold.add({ type: 'tool-input-start', id: 'b', toolName: 'edit' })
    fold.add({ type: 'tool-input-delta', id: 'b', delta: '{"done":{"x":[1]},"list":[{"y":1},{"z":"a' })
    const before = fold.message()
    fold.add({ type: 'tool-input-delta', id: 'b', delta: 'b' })
    const after = fold.message()
    expect(after.parts[0]).toBe(before.parts[0])
    expect(after.parts[1]).toBe(before.parts[1])
    expect(after.toolCalls).toBe(before.toolCalls)
    expect(after.diagnostics).toBe(before.diagnostics)
    const [old, grown] = [before, after].map(({ parts }) => (parts[2] as CallPart).input) as {
      done: object
      list: object[]
    }[]
    expect(old).toEqual({ done: { x: [1] }, list: [{ y: 1 }, { z: 'a' }] })
    expect(grown).toEqual({ done: { x: [1] }, list: [{ y: 1 }, { z: 'ab' }] })
    expect(grown!.done).toBe(old!.done)
    expect(grown!.list[0]).toBe(old!.list[0])
  })

  it('keeps the part of a call when only half a key came', () => {
    const fold = new MessageFold()
    fold.add({ type: 'tool-input-start', id: 'b', toolName: 'edit' })
    fold.add({ type: 'tool-input-delta', id: 'b', delta: '{' })
    const before = fold.message()
    fold.add({ type: 'tool-input-delta', id: 'b', delta: '"pa' })
    expect(fold.message()).toBe(before)
  })

  it('is plain data', () => {
    expect(JSON.parse(JSON.stringify({ parts, ...rest }))).toEqual({ parts, ...rest })
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

  it('a call that starts twice is one call', () => {
    const { parts } = foldEvents([
      { type: 'tool-input-start', id: 'a', toolName: 'ls' },
      { type: 'tool-input-start', id: 'a', toolName: 'ls' },
      verdict('a'),
    ])
    expect(parts).toEqual([{ ...verdict('a'), type: 'call' }])
  })
})
