import { describe, expect, it } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { resolveLimits } from '../../../src/base/limits.ts'
import { pointer } from '../../../src/base/path.ts'
import { CallAssembler, type CallDelta } from '../../../src/engine/calls/assembler.ts'
import type { CallSettings } from '../../../src/engine/calls/call.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { Host } from './host.ts'

/** A delta, or the end of the call with that key. */
type Step = CallDelta | { end: number | string | undefined }

function play(assembler: CallAssembler, steps: readonly Step[]): void {
  for (const step of steps) {
    if ('end' in step) assembler.endCall(step.end)
    else assembler.delta(step)
  }
}

function assemble(steps: readonly Step[], settings?: Partial<CallSettings>): SluiceEvent[] {
  const host = new Host(settings)
  const assembler = new CallAssembler(host)
  play(assembler, steps)
  assembler.endAll()
  return host.events
}

function verdicts(steps: readonly Step[], settings?: Partial<CallSettings>): ToolCall[] {
  return assemble(steps, settings).filter((event) => event.type === 'tool-call')
}

/** Each call in a line: `call_9 ls complete {"path":"."}`. */
function calls(steps: readonly Step[], settings?: Partial<CallSettings>): string[] {
  return verdicts(steps, settings).map(
    ({ id, toolName, status, input }) => `${id} ${toolName} ${status} ${JSON.stringify(input)}`,
  )
}

describe('the deltas of one call', () => {
  it('become the events of a call', () => {
    const events = assemble([
      { index: 0, id: 'call_9', name: 'ls', arguments: '' },
      { index: 0, arguments: '{"pa' },
      { index: 0, arguments: 'th": ".' },
      { index: 0, arguments: '"}' },
    ])
    expect(events).toEqual([
      { type: 'tool-input-start', id: 'call_9', toolName: 'ls' },
      { type: 'tool-input-delta', id: 'call_9', delta: '{' },
      { type: 'tool-input-delta', id: 'call_9', delta: '"path": ".' },
      { type: 'tool-input-delta', id: 'call_9', delta: '"}' },
      { type: 'tool-input-end', id: 'call_9' },
      {
        type: 'tool-call',
        id: 'call_9',
        toolName: 'ls',
        input: { path: '.' },
        status: 'complete',
        repairs: [],
      },
    ])
  })

  it('say each argument by its path where that is wanted', () => {
    const events = assemble(
      [
        { index: 0, id: 'a', name: 'ls' },
        { index: 0, arguments: '{"path":"sr' },
        { index: 0, arguments: 'c"}' },
      ],
      { json: false, arguments: true },
    )
    expect(
      events.map((event) => ('path' in event ? `${event.type} ${pointer(event.path ?? [])}` : event.type)),
    ).toEqual([
      'tool-input-start',
      'argument-start /path',
      'argument-delta /path',
      'argument-delta /path',
      'argument-end /path',
      'tool-input-end',
      'tool-call',
    ])
  })

  it.each<[what: string, deltas: Step[], expected: string[]]>([
    [
      'in the usual order',
      [
        { index: 0, id: 'a', name: 'ls' },
        { index: 0, arguments: '{"p":1}' },
      ],
      ['a ls complete {"p":1}'],
    ],
    ['all at once', [{ index: 0, id: 'a', name: 'ls', arguments: '{"p":1}' }], ['a ls complete {"p":1}']],
    [
      'with the arguments as a value',
      [{ id: 'a', name: 'ls', arguments: { p: [1] } }],
      ['a ls complete {"p":[1]}'],
    ],
    [
      'with neither index nor id',
      [{ name: 'ls' }, { arguments: '{"p"' }, { arguments: ':1}' }],
      ['call-1 ls complete {"p":1}'],
    ],
    [
      'without an index',
      [
        { id: 'a', name: 'ls' },
        { id: 'a', arguments: '{}' },
      ],
      ['a ls complete {}'],
    ],
    [
      'with an index that comes late',
      [
        { id: 'a', name: 'ls' },
        { index: 3, id: 'a', arguments: '{"p"' },
        { index: 3, arguments: ':1}' },
      ],
      ['a ls complete {"p":1}'],
    ],
    [
      'with an index that comes late, and no id',
      [{ name: 'ls' }, { index: 3, arguments: '{"p"' }, { index: 3, arguments: ':1}' }],
      ['call-1 ls complete {"p":1}'],
    ],
    [
      'with a name that comes last',
      [
        { index: 0, id: 'a' },
        { index: 0, arguments: '{"p"' },
        { index: 0, arguments: ':1}' },
        { index: 0, name: 'ls' },
      ],
      ['a ls complete {"p":1}'],
    ],
    [
      'with a name in every delta',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '{' },
        { index: 0, id: 'a', name: 'ls', arguments: '"p":1}' },
      ],
      ['a ls complete {"p":1}'],
    ],
    [
      'with a name in every delta, and no id',
      [
        { index: 0, name: 'ls', arguments: '{' },
        { index: 0, name: 'ls', arguments: '"p":1}' },
        { index: 0, name: 'ls', arguments: '\n' },
      ],
      ['call-1 ls complete {"p":1}'],
    ],
    [
      'with empty names and ids afterwards',
      [
        { index: 0, id: 'a', name: 'ls' },
        { index: 0, id: '', name: '', arguments: '{}' },
      ],
      ['a ls complete {}'],
    ],
    [
      'with nulls',
      [
        { index: 0, id: 'a', name: 'ls', arguments: null },
        { index: 0, id: null, name: null, arguments: '{}' },
      ],
      ['a ls complete {}'],
    ],
    [
      'with another id in every delta',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '{' },
        { index: 0, id: 'b', arguments: '"p"' },
        { index: 0, id: 'c', arguments: ':1}' },
      ],
      ['a ls complete {"p":1}'],
    ],
    [
      'with another id in every delta, and no index',
      [
        { id: 'a', name: 'ls' },
        { id: 'b', arguments: '{"p"' },
        { id: 'c', arguments: ':1}' },
      ],
      ['a ls complete {"p":1}'],
    ],
    ['with no arguments', [{ index: 0, id: 'a', name: 'ls' }], ['a ls complete {}']],
    [
      'with empty arguments',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '' },
        { index: 0, arguments: ' \n' },
      ],
      ['a ls complete {}'],
    ],
    ['with null as arguments', [{ index: 0, id: 'a', name: 'ls', arguments: 'null' }], ['a ls complete {}']],
    [
      'with an empty object first, as a value',
      [
        { index: 0, id: 'a', name: 'ls', arguments: {} },
        { index: 0, arguments: '{"p":1}' },
      ],
      ['a ls complete {"p":1}'],
    ],
    [
      'with the arguments in a string',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '"{\\"p\\"' },
        { index: 0, arguments: ':1}"' },
      ],
      ['a ls repaired {"p":1}'],
    ],
    [
      'with a list for arguments',
      [{ index: 0, id: 'a', name: 'ls', arguments: '["a"]' }],
      ['a ls invalid ["a"]'],
    ],
    [
      'followed by nothing',
      [{ index: 0, id: 'a', name: 'ls', arguments: '{}' }, { index: 1 }, { arguments: '' }],
      ['a ls complete {}'],
    ],
    [
      'with __proto__ as data',
      [{ id: 'a', name: 'ls', arguments: '{"__proto__":{"admin":true}}' }],
      ['a ls complete {"__proto__":{"admin":true}}'],
    ],
  ])('are put together %s', (_, deltas, expected) => {
    expect(calls(deltas)).toEqual(expected)
  })

  it('say nothing of arguments before the name is known, and then everything', () => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    assembler.delta({ index: 0, arguments: '{"p' })
    assembler.delta({ index: 0, arguments: '":[1,' })
    expect(host.events).toEqual([])
    assembler.delta({ index: 0, name: 'ls' })
    expect(host.events).toEqual([
      { type: 'tool-input-start', id: 'call-1', toolName: 'ls' },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"p":[1' },
    ])
  })

  it('keep what the provider attached, and that it runs the tool', () => {
    const [call] = verdicts([
      { index: 0, id: 'a', name: 'search', providerExecuted: true, metadata: { first: 1 } },
      { index: 0, metadata: { second: 2 } },
    ])
    expect(call).toMatchObject({ providerExecuted: true, metadata: { first: 1, second: 2 } })
  })

  it('say the source where that is wanted, never half a character', () => {
    const events = assemble(
      [
        { index: 0, arguments: '{"p":' },
        { index: 0, name: 'ls' },
        { index: 0, arguments: '"\ud83d' },
        { index: 0, arguments: '\ude00"}' },
      ],
      { source: true, json: false, raw: true },
    )
    const source = events.flatMap((event) => (event.type === 'tool-source-delta' ? [event.delta] : []))
    expect(source).toEqual(['{"p":', '"', '😀"}'])
    expect(events.at(-1)).toMatchObject({ input: { p: '😀' }, raw: '{"p":"😀"}' })
  })

  it('report a tool that does not exist', () => {
    const events = assemble([{ index: 0, id: 'a', name: 'rm' }], { tools: createToolTable([{ name: 'ls' }]) })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'diagnostic', code: 'unknown-tool', id: 'a' }),
    )
  })
})

describe('the ids of calls', () => {
  it('are the provider’s where they come in time, and otherwise stand beside the generated one', () => {
    const [call] = verdicts([
      { index: 0, name: 'ls' },
      { index: 0, id: 'late', arguments: '{}' },
      { index: 0, id: 'later' },
    ])
    expect([call?.id, call?.wireId]).toEqual(['call-1', 'late'])
  })

  it('are distinct even where the provider’s are not', () => {
    const found = verdicts([
      { index: 0, id: 'x', name: 'ls', arguments: '{"p":1}' },
      { index: 1, id: 'x', name: 'ls', arguments: '{"p":2}' },
      { index: 2, id: '', name: 'ls', arguments: '{"p":3}' },
      { index: 3, id: '', name: 'ls', arguments: '{"p":4}' },
    ])
    expect(found.map(({ id, wireId, input }) => [id, wireId, input])).toEqual([
      ['x', undefined, { p: 1 }],
      ['call-1', 'x', { p: 2 }],
      ['call-2', undefined, { p: 3 }],
      ['call-3', undefined, { p: 4 }],
    ])
  })

  it('are distinct from those that were generated', () => {
    const found = verdicts([
      { index: 0, id: 'call-1', name: 'ls', arguments: '{}' },
      { index: 1, name: 'ls', arguments: '{}' },
    ])
    expect(found.map(({ id }) => id)).toEqual(['call-1', 'call-1-1'])
  })
})

describe('several calls', () => {
  it.each<[what: string, deltas: Step[], expected: string[]]>([
    [
      'one after the other',
      [
        { index: 0, id: 'a', name: 'ls' },
        { index: 0, arguments: '{"p":1}' },
        { index: 1, id: 'b', name: 'cat' },
        { index: 1, arguments: '{"p":2}' },
      ],
      ['a ls complete {"p":1}', 'b cat complete {"p":2}'],
    ],
    [
      'interleaved by index',
      [
        { index: 0, id: 'a', name: 'ls' },
        { index: 1, id: 'b', name: 'cat' },
        { index: 0, arguments: '{"p"' },
        { index: 1, arguments: '{"q"' },
        { index: 0, arguments: ':1}' },
        { index: 1, arguments: ':2}' },
      ],
      ['a ls complete {"p":1}', 'b cat complete {"q":2}'],
    ],
    [
      'interleaved by id alone',
      [
        { id: 'a', name: 'ls' },
        { id: 'b', name: 'cat' },
        { id: 'a', arguments: '{"p"' },
        { id: 'b', arguments: '{"q":2}' },
        { id: 'a', arguments: ':1}' },
      ],
      ['a ls complete {"p":1}', 'b cat complete {"q":2}'],
    ],
    [
      'at the same index with other ids',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '{"p":1}' },
        { index: 0, id: 'b', name: 'ls', arguments: '{"p":2}' },
      ],
      ['a ls complete {"p":1}', 'b ls complete {"p":2}'],
    ],
    [
      'at the same index with other ids and late names',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '{"p":1}' },
        { index: 0, id: 'b', arguments: '{"p":2}' },
        { index: 0, name: 'cat' },
      ],
      ['a ls complete {"p":1}', 'b cat complete {"p":2}'],
    ],
    [
      'at the same index with other names and no ids',
      [
        { index: 0, name: 'ls', arguments: '{"p":1}' },
        { index: 0, name: 'cat', arguments: '{"p":2}' },
      ],
      ['call-1 ls complete {"p":1}', 'call-2 cat complete {"p":2}'],
    ],
    [
      'at the same index with one name and no ids',
      [
        { index: 0, name: 'ls', arguments: '{"p":1}' },
        { index: 0, name: 'ls', arguments: '{"p":2}' },
      ],
      ['call-1 ls complete {"p":1}', 'call-2 ls complete {"p":2}'],
    ],
    [
      'at the same index with one id',
      [
        { index: 0, id: 'x', name: 'ls', arguments: '{}' },
        { index: 0, id: 'x', name: 'cat', arguments: '{}' },
      ],
      ['x ls complete {}', 'call-1 cat complete {}'],
    ],
    [
      'without index and id, each at once',
      [
        { name: 'ls', arguments: { p: 1 } },
        { end: undefined },
        { name: 'ls', arguments: { p: 1 } },
        { end: undefined },
      ],
      ['call-1 ls complete {"p":1}', 'call-2 ls complete {"p":1}'],
    ],
    [
      'without index and id, whose end nobody says',
      [
        { name: 'ls', arguments: '{"p":1}' },
        { name: 'ls', arguments: '{"p":2}' },
        { name: 'cat' },
        { name: 'rm' },
      ],
      [
        'call-1 ls complete {"p":1}',
        'call-2 ls complete {"p":2}',
        'call-3 cat complete {}',
        'call-4 rm complete {}',
      ],
    ],
    [
      'or one whose name came in pieces at one index: it may not run',
      [
        { index: 0, id: 'a', name: 'get_' },
        { index: 0, name: 'weather' },
        { index: 0, arguments: '{"p":1}' },
      ],
      ['a get_ invalid {"p":1}'],
    ],
    [
      'or one whose name came in pieces under one id: it may not run',
      [
        { id: 'a', name: 'delete', arguments: '' },
        { id: 'a', name: '_draft', arguments: '{"p":1}' },
      ],
      ['a delete invalid {"p":1}'],
    ],
    [
      'or one whose name grew: it may not run',
      [
        { index: 0, name: 'delete' },
        { index: 0, name: 'delete_draft', arguments: '{}' },
      ],
      ['call-1 delete invalid {}'],
    ],
    [
      'the first of which was cut off by the second',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '{"p":1,"q":"x' },
        { index: 0, id: 'b', name: 'cat', arguments: '{}' },
      ],
      ['a ls truncated {"p":1,"q":"x"}', 'b cat complete {}'],
    ],
    [
      'the first of which has ended',
      [
        { index: 0, id: 'a', name: 'ls', arguments: '{}' },
        { end: 0 },
        { index: 0, id: 'b', name: 'cat', arguments: '{}' },
        { end: 'b' },
      ],
      ['a ls complete {}', 'b cat complete {}'],
    ],
  ])('%s', (_, deltas, expected) => {
    expect(calls(deltas)).toEqual(expected)
  })

  it('end when the next begins, if they are whole', () => {
    const types = assemble([
      { index: 0, id: 'a', name: 'ls', arguments: '{}' },
      { index: 1, id: 'b', name: 'ls', arguments: '{}' },
    ]).map((event) => ('id' in event ? `${event.type} ${event.id}` : event.type))
    expect(types).toEqual([
      'tool-input-start a',
      'tool-input-delta a',
      'tool-input-end a',
      'tool-call a',
      'tool-input-start b',
      'tool-input-delta b',
      'tool-input-end b',
      'tool-call b',
    ])
  })

  it.each<[what: string, deltas: Step[]]>([
    ['its end twice', [{ end: 0 }, { end: 0 }, { end: 'a' }]],
    ['an end of a call there is not', [{ end: 7 }, { end: 'b' }]],
    ['the whole call again', [{ index: 0, id: 'a', name: 'ls', arguments: '{"p":1}' }]],
    [
      'the whole call again after its end',
      [{ end: 0 }, { index: 0, id: 'a', name: 'ls', arguments: '{"p":1}' }],
    ],
    ['its arguments again', [{ index: 0, arguments: '{"p":1}' }]],
    ['its arguments again as a value', [{ index: 0, arguments: { p: 1 } }]],
    ['space', [{ index: 0, arguments: ' \n' }]],
    ['more text after its end', [{ end: 0 }, { index: 0, arguments: '!' }]],
  ])('are not made of %s', (_, more) => {
    expect(calls([{ index: 0, id: 'a', name: 'ls', arguments: '{"p":1}' }, ...more])).toEqual([
      'a ls complete {"p":1}',
    ])
  })
})

describe('arguments that repeat everything so far', () => {
  it.each<[what: string, pieces: string[], expected: string]>([
    ['growing', ['{"p', '{"p":"a', '{"p":"a"', '{"p":"a"}', '{"p":"a"}'], 'a ls complete {"p":"a"}'],
    ['with an older piece among them', ['{"p":"a', '{"p"', '{"p":"ab"}'], 'a ls complete {"p":"ab"}'],
    ['where going on would be JSON too', ['{"p":', '{"p":{"p":1}}'], 'a ls complete {"p":{"p":1}}'],
    ['that change', ['{"p":"a', '{"p":"b"}', '{"p":"b"}'], 'a ls invalid {"p":"a"}'],
    ['that change after they were whole', ['{"p":1}', '{ "p": 1 }'], 'a ls complete {"p":1}'],
  ])('are read once where that is known: %s', (_, pieces, expected) => {
    const deltas = pieces.map((piece): CallDelta => ({ index: 0, arguments: piece, cumulative: true }))
    expect(calls([{ index: 0, id: 'a', name: 'ls' }, ...deltas])).toEqual([expected])
  })

  it('are recognised where going on would break the JSON, but that is a guess', () => {
    const deltas = ['{"p"', '{"p":"a', '{"p":"abc', '{"p":"abc"}'].map(
      (piece): CallDelta => ({ index: 0, arguments: piece }),
    )
    const [call] = verdicts([{ index: 0, id: 'a', name: 'ls' }, ...deltas])
    expect(call).toMatchObject({
      input: { p: 'abc' },
      status: 'repaired',
      repairs: [{ code: 'repeated-arguments', class: 'guess', offset: 4 }],
    })
    expect(isExecutable(call!)).toBe(false)
  })

  it.each<[what: string, value: object, status: string]>([
    ['the same', { b: { c: 1 }, a: 'x' }, 'complete'],
    ['another', { a: 'y', b: { c: 1 } }, 'repaired'],
    ['one with more', { a: 'x', b: { c: 1 }, d: false }, 'repaired'],
    ['one with less', { a: 'x' }, 'repaired'],
    ['one without a name', { a: 'x', b: { '': 1 } }, 'repaired'],
    ['none, which every piece may hold', {}, 'complete'],
  ])('are a guess if their value says otherwise: %s', (_, value, status) => {
    const text = ['{"a": "x", ', '"b": {"c": 1}}'].map((piece): CallDelta => ({ index: 0, arguments: piece }))
    const [call] = verdicts([{ index: 0, id: 'a', name: 'ls' }, ...text, { index: 0, arguments: value }])
    expect(call).toMatchObject({ input: { a: 'x', b: { c: 1 } }, status })
    expect(isExecutable(call!)).toBe(status === 'complete')
  })

  it.each<[what: string, pieces: string[], expected: string]>([
    ['a value that looks like its beginning', ['{"a":', '{"a":', '1}}'], 'a ls complete {"a":{"a":1}}'],
    [
      'a text that looks like its beginning',
      ['{"a":"', '{\\"a\\":\\"', '"}'],
      'a ls complete {"a":"{\\"a\\":\\""}',
    ],
    ['a list in a list', ['[', '[[', ']]]'], 'a ls invalid [[[]]]'],
    ['numbers', ['{"a":11', '11', '1}'], 'a ls complete {"a":11111}'],
  ])('are never seen in valid JSON: %s', (_, pieces, expected) => {
    const deltas = pieces.map((piece): CallDelta => ({ index: 0, arguments: piece }))
    expect(calls([{ index: 0, id: 'a', name: 'ls' }, ...deltas])).toEqual([expected])
  })

  it('are taken over from a value where the text was only begun', () => {
    const deltas: Step[] = [
      { index: 0, id: 'a', name: 'ls' },
      { index: 0, arguments: '{"p":' },
      { index: 0, arguments: { p: 1 } },
    ]
    expect(calls(deltas)).toEqual(['a ls complete {"p":1}'])
  })
})

describe('a call that is not right', () => {
  it('is truncated where its JSON is, whatever ended it', () => {
    const [call] = verdicts(
      [{ index: 0, id: 'a', name: 'write', arguments: '{"path":"a","content":"he' }, { end: 0 }],
      { arguments: true },
    )
    expect(call).toEqual({
      type: 'tool-call',
      id: 'a',
      toolName: 'write',
      input: { path: 'a', content: 'he' },
      status: 'truncated',
      repairs: [],
      raw: '{"path":"a","content":"he',
      error: {
        code: 'truncated',
        message: 'The call was cut off in the argument /content.',
        offset: 25,
        path: '/content',
      },
    })
  })

  it('is truncated where the response broke off before any of its arguments came', () => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    assembler.delta({ index: 0, id: 'a', name: 'ls' })
    assembler.endCall(0)
    assembler.delta({ index: 1, id: 'b', name: 'rm' })
    assembler.endAll(true)
    const statuses = host.events.flatMap((event) => (event.type === 'tool-call' ? [event.status] : []))
    expect(statuses).toEqual(['complete', 'truncated'])
  })

  it('is left open by what is no call, and only then, if its arguments are not whole', () => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    assembler.delta({ index: 0, id: 'a', name: 'ls', arguments: '{}' })
    assembler.delta({ index: 1, id: 'b', name: 'rm', arguments: '{"p":' })
    assembler.endWhole()
    const ended = (): string[] =>
      host.events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
    expect(ended()).toEqual(['a'])
    assembler.delta({ index: 1, arguments: '1}' })
    assembler.endWhole()
    expect(ended()).toEqual(['a', 'b'])
  })

  it.each<[what: string, piece: string, expected: string]>([
    ['arguments that are not JSON', '{"p":1,]', 'a ls invalid {"p":1}'],
    ['a number that may go on', '{"p":1', 'a ls truncated {}'],
    ['a literal that is not complete', '{"p":tru', 'a ls truncated {}'],
    ['a key that is there twice', '{"p":1,"p":2}', 'a ls invalid {"p":2}'],
    ['a closer too many', '{"p":1}}', 'a ls repaired {"p":1}'],
    ['text behind it', '{"p":1} ok', 'a ls repaired {"p":1}'],
    ['another call behind it', '{"p":1}{"p":2}', 'a ls repaired {"p":1}'],
  ])('with %s is never complete', (_, piece, expected) => {
    const whole = [{ index: 0, id: 'a', name: 'ls', arguments: piece }]
    const oneByOne = [...piece].map((character): CallDelta => ({ index: 0, arguments: character }))
    const early = [
      { index: 0, arguments: piece },
      { index: 0, id: 'a', name: 'ls' },
    ]
    expect(calls(whole)).toEqual([expected])
    expect(calls([{ index: 0, id: 'a', name: 'ls' }, ...oneByOne])).toEqual([expected])
    expect(calls(early)).toEqual([expected])
  })

  it('may run with a closer too many, but not with text behind it', () => {
    const runs = (piece: string): boolean[] =>
      verdicts([{ id: 'a', name: 'ls', arguments: piece }]).map((call) => isExecutable(call))
    expect(runs('{"p":1}}')).toEqual([true])
    expect(runs('{"p":1}<|call|>')).toEqual([false])
  })

  it('for want of a name says so and keeps its arguments', () => {
    const [call] = verdicts([{ index: 0, id: 'a', arguments: '{"p":1}' }])
    expect(call).toMatchObject({
      id: 'a',
      toolName: '',
      status: 'invalid',
      input: { p: 1 },
      raw: '{"p":1}',
      error: { code: 'no-name', message: 'The call has no name.' },
    })
  })

  it('because it is too long keeps what fits, at any chunking', () => {
    const limits = resolveLimits({ call: 10, undecided: 8 })
    const text = '{"p":"abcdefgh"}'
    const name = { index: 0, id: 'a', name: 'ls' }
    const oneByOne = [...text].map((character): CallDelta => ({ index: 0, arguments: character }))
    const failed = (deltas: Step[]) =>
      verdicts(deltas, { limits }).map(({ raw, status, error }) => [raw, status, error?.code])
    expect(failed([name, { index: 0, arguments: text }])).toEqual([
      ['{"p":"abcd', 'invalid', 'limit-reached'],
    ])
    expect(failed([name, ...oneByOne])).toEqual([['{"p":"abcd', 'invalid', 'limit-reached']])
    expect(failed([...oneByOne, name])).toEqual([['{"p":"ab', 'invalid', 'limit-reached']])
  })

  it('because its value is no JSON is invalid', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(calls([{ id: 'a', name: 'ls', arguments: cycle }])).toEqual(['a ls invalid {}'])
  })

  it('because it is too deep is invalid, and nothing overflows', () => {
    let deep: object = {}
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    const [call] = verdicts([{ id: 'a', name: 'ls', arguments: deep }], { raw: false, malformed: 'drop' })
    expect([call?.status, call?.error?.code]).toEqual(['invalid', 'depth'])
  })
})

describe('a number for arguments', () => {
  it.each([
    [false, 'invalid'],
    [true, 'truncated'],
  ])('cannot be run, and is cut off if the response broke off (%s)', (isCut, status) => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    assembler.delta({ index: 0, id: 'a', name: 'wait', arguments: '1' })
    assembler.endAll(isCut)
    expect(host.events.at(-1)).toMatchObject({ type: 'tool-call', status })
  })
})

describe('a call that may lack arguments', () => {
  it('is known as long as it is open', () => {
    const assembler = new CallAssembler(new Host())
    expect(assembler.mayLackArguments(0)).toBe(false)
    assembler.delta({ index: 0, id: 'a', name: 'ls', arguments: {} })
    for (const key of [0, 'a', undefined]) expect(assembler.mayLackArguments(key)).toBe(true)
    assembler.delta({ index: 0, arguments: '{' })
    expect(assembler.mayLackArguments(0)).toBe(false)
    assembler.delta({ index: 1, name: 'ls' })
    assembler.endCall(1)
    expect(assembler.mayLackArguments(1)).toBe(false)
  })

  it.each<[what: string, pieces: unknown[], mayLack: boolean]>([
    ['a value', [{ p: 1 }], true],
    ['text', ['{"p":1}'], false],
    ['text, and the same value', ['{"p":1}', { p: 1 }], false],
    ['half of its text, and a value', ['{"p"', { p: 1 }], true],
  ])('has %s', (_, pieces, mayLack) => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    assembler.delta({ index: 0, id: 'a', name: 'ls' })
    for (const piece of pieces) assembler.delta({ index: 0, arguments: piece })
    expect(assembler.mayLackArguments(0)).toBe(mayLack)
    assembler.endAll(true)
    expect(host.events.at(-1)).toMatchObject({
      type: 'tool-call',
      status: mayLack ? 'truncated' : 'complete',
      input: { p: 1 },
    })
  })
})

describe('a piece that could not be read', () => {
  const start = { index: 0, id: 'a', name: 'rm' }
  const unread = { index: 0, isUnread: true }
  const args = (text: unknown): CallDelta => ({ index: 0, arguments: text })

  it.each<[where: string, steps: Step[], status: string, error?: string]>([
    ['in place of the arguments', [start, unread], 'truncated'],
    ['before arguments that are whole', [start, unread, args('{"path":"x"}')], 'complete'],
    ['behind arguments that are whole', [start, args('{"path":"x"}'), unread], 'complete'],
    ['between two pieces', [start, args('{"path":"'), unread, args('x"}')], 'invalid', 'payload-lost'],
    ['before what is JSON with a repair', [start, unread, args('{"path":"x"}}')], 'invalid', 'payload-lost'],
    [
      'between two pieces, and all came again',
      [start, args('{"path":"'), unread, { index: 0, arguments: '{"path":"x"}', cumulative: true }],
      'complete',
    ],
    [
      'in place of the arguments, which then came as a value',
      [start, unread, args({ path: 'x' })],
      'complete',
    ],
    ['of a call that really has none, as its value says', [start, unread, args({})], 'complete'],
    [
      'between two pieces, and the value is another',
      [start, args('{"path":"'), unread, args('x"}'), args({ path: 'y/x' })],
      'invalid',
      'payload-lost',
    ],
    [
      'between two pieces, and the value is the same',
      [start, args('{"path":"'), unread, args('x"}'), args({ path: 'x' })],
      'complete',
    ],
  ])('%s', (_, steps, status, error) => {
    const [call] = verdicts(steps)
    expect([call?.status, call?.error?.code]).toEqual([status, status === 'truncated' ? 'truncated' : error])
  })

  it('of no known call leaves those in doubt that have no arguments and did not end', () => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    play(assembler, [
      { index: 0, id: 'a', name: 'ls' },
      { index: 1, id: 'b', name: 'rm' },
      { index: 2, id: 'c', name: 'cat', arguments: '{"path":"' },
    ])
    assembler.missOpen(new Set([0]))
    assembler.delta({ index: 2, arguments: 'x"}' })
    assembler.endAll()
    const found = host.events.flatMap((event) =>
      event.type === 'tool-call' ? [[event.id, event.status]] : [],
    )
    expect(found).toEqual([
      ['a', 'complete'],
      ['b', 'truncated'],
      ['c', 'complete'],
    ])
  })

  it('is one that came for a call that never began, or is over', () => {
    const open = { index: 0, id: 'a', name: 'rm', arguments: '{"path":"/tmp' }
    const end = { index: 0, arguments: '"}' }
    const statuses = (...steps: Step[]): string[] =>
      verdicts(steps).map(({ id, status }) => `${id} ${status}`)
    expect(statuses(open, { index: 7, arguments: '/x' }, end)).toEqual(['a invalid', 'call-1 invalid'])
    const over = { index: 1, id: 'b', name: 'ls', arguments: '{}' }
    expect(statuses(over, open, { end: 1 }, { index: 1, arguments: '/x' }, end)).toEqual([
      'b complete',
      'a invalid',
    ])
    const whole = { index: 0, id: 'a', name: 'rm', arguments: '{"path":"x"}' }
    const without = { index: 1, id: 'b', name: 'ls' }
    expect(statuses(whole, without, { index: 0, arguments: '{"path":"y"}' })).toEqual([
      'a complete',
      'b truncated',
    ])
  })
})

describe('a call that the provider ends by itself', () => {
  const start: Step = { index: 0, id: 'a', name: 'ls', hasOwnEnd: true }

  it('is not over before, although its arguments are whole and another call began', () => {
    const host = new Host()
    const assembler = new CallAssembler(host)
    play(assembler, [
      start,
      { index: 0, arguments: '{}' },
      { index: 1, id: 'b', name: 'ls', arguments: '{}' },
    ])
    assembler.endWhole()
    assembler.endCall(0, false, 'It never came.')
    const found = host.events.flatMap((event) =>
      event.type === 'tool-call' ? [[event.id, event.status]] : [],
    )
    expect(found).toEqual([
      ['b', 'complete'],
      ['a', 'invalid'],
    ])
  })

  it('is the same one if its name and an empty value come at the end', () => {
    const steps: Step[] = [
      { index: 0, name: 'ls', hasOwnEnd: true },
      { index: 0, arguments: '{}' },
      { index: 0, name: 'ls', arguments: {} },
      { end: 0 },
    ]
    expect(calls(steps)).toEqual(['call-1 ls complete {}'])
  })
})

describe('a snapshot', () => {
  const steps: Step[] = [
    { index: 0, arguments: '{"early":' },
    { index: 1, id: 'b', name: 'cat' },
    { index: 1, arguments: '"{\\"q\\":' },
    { index: 0, name: 'ls', arguments: '{"n":[1,' },
    { id: 'c', name: 'rm', arguments: '{"force":tr' },
    { index: 1, arguments: '\\"x\\ud83d' },
    { index: 0, id: 'late', arguments: "2]}, 'k': 1}" },
    { index: 1, id: 'b', arguments: '\\ude00\\"}"' },
    { id: 'c', arguments: 'ue}' },
    { index: 0, id: 'd', name: 'ls', arguments: '{}' },
    { index: 0, id: 'd', name: 'ls', arguments: '{}' },
    { end: 1 },
    { index: 2, id: 'e', name: 'rm', arguments: '{"path":"', hasOwnEnd: true },
    { index: 2, isUnread: true },
    { index: 2, arguments: 'x"}' },
    { index: 3, id: 'f', name: 'rm' },
    { index: 3, isUnread: true },
  ]

  it.each([
    ['of JSON text', {}],
    ['of arguments and source', { arguments: true, source: true, raw: true }],
  ])('taken anywhere goes on %s with the events that were missing', (_, settings) => {
    const whole = assemble(steps, settings)
    for (let cut = 0; cut <= steps.length; cut++) {
      const host = new Host(settings)
      const first = new CallAssembler(host)
      play(first, steps.slice(0, cut))
      const state = JSON.parse(JSON.stringify(first.save()))
      const second = CallAssembler.restore(state, host)
      play(second, steps.slice(cut))
      second.endAll()
      expect(host.events, `cut after ${cut} deltas`).toEqual(whole)
    }
  })

  it('keeps the order in which calls became whole, which is the order in which they end', () => {
    const host = new Host()
    const first = new CallAssembler(host)
    play(first, [
      { index: 0, id: 'a', name: 'ls', arguments: '{' },
      { index: 1, id: 'b', name: 'ls', arguments: '{}' },
      { index: 0, arguments: '}' },
    ])
    CallAssembler.restore(JSON.parse(JSON.stringify(first.save())), host).endWhole()
    const ended = host.events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
    expect(ended).toEqual(['b', 'a'])
  })
})

describe('many deltas', () => {
  it('cost no more each than few', () => {
    const text = JSON.stringify({ content: 'x'.repeat(100_000) })
    const events = assemble([
      { index: 0, id: 'a', name: 'write' },
      ...[...text].map((character) => ({ index: 0, arguments: character })),
    ])
    expect(events.at(-1)).toMatchObject({ status: 'complete', input: { content: 'x'.repeat(100_000) } })
  })

  it('of many calls at once cost no more each', () => {
    const count = 20_000
    const begin = Array.from(
      { length: count },
      (_, index): CallDelta => ({ index, id: `c${index}`, name: 'ls', arguments: '{"p":' }),
    )
    const finish = Array.from({ length: count }, (_, index): CallDelta => ({ index, arguments: '1}' }))
    expect(calls([...begin, ...finish])).toHaveLength(count)
  })

  it('with an id of its own each cost no more', () => {
    const deltas = Array.from(
      { length: 50_000 },
      (_, number): CallDelta => ({ index: 0, id: `i${number}`, arguments: 'x' }),
    )
    expect(
      calls([
        { index: 0, id: 'a', name: 'ls', arguments: '{"p":"' },
        ...deltas,
        { index: 0, arguments: '"}' },
      ]),
    ).toHaveLength(1)
  })
})

describe('calls that are over as soon as their arguments are whole', () => {
  function played(steps: readonly CallDelta[], end = false): string[] {
    const host = new Host({ source: true, json: false })
    const assembler = new CallAssembler(host, { endsWhole: true })
    play(assembler, steps)
    if (end) assembler.endAll()
    const said: string[] = []
    for (const event of host.events) {
      if (event.type === 'tool-source-delta') said.push(event.delta)
      if (event.type === 'tool-call') said.push(`${event.id} ${event.status} ${JSON.stringify(event.input)}`)
    }
    return said
  }

  it('need no end', () => {
    expect(
      played([
        { index: 0, id: 'a', name: 'ls', arguments: '{"p":' },
        { index: 1, id: 'b', name: 'pwd', arguments: '{}' },
        { index: 0, arguments: '1}' },
      ]),
    ).toEqual(['{"p":', '{}', 'b complete {}', '1}', 'a complete {"p":1}'])
  })

  it('wait for their name', () => {
    expect(played([{ index: 0, id: 'a', arguments: '{}' }])).toEqual([])
    expect(
      played([
        { index: 0, id: 'a', arguments: '{}' },
        { index: 0, name: 'ls' },
      ]),
    ).toEqual(['{}', 'a complete {}'])
  })

  it.each([[['{"p":1}}} more']], [['{"p":1}', '}} more']], [['{"p":1', '}', '}', '} more']]])(
    'take nothing that comes behind them, however it is cut: %j',
    (pieces) => {
      const steps = pieces.map((piece): CallDelta => ({ index: 0, arguments: piece }))
      const said = played([{ index: 0, id: 'a', name: 'ls' }, ...steps], true)
      expect(said.slice(0, -1).join('')).toBe('{"p":1}')
      expect(said.at(-1)).toBe('a complete {"p":1}')
    },
  )

  it.each([[['"path": 1}']], [['"pa', 'th"', ': 1}']]])(
    'are not over as long as they are not what arguments should be: %j',
    (pieces) => {
      const steps = pieces.map((piece): CallDelta => ({ index: 0, arguments: piece }))
      const said = played([{ index: 0, id: 'a', name: 'ls' }, ...steps], true)
      expect(said.slice(0, -1).join('')).toBe('"path": 1}')
      expect(said.at(-1)).toBe('a invalid {}')
    },
  )

  it('are cut off at the end if they never were whole', () => {
    expect(played([{ index: 0, id: 'a', name: 'ls', arguments: '{"p":' }], true)).toEqual([
      '{"p":',
      'a truncated {}',
    ])
  })
})
