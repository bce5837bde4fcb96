import {
  extractSegments,
  ParserConfig,
  parseCompleteResponse,
  SegmentEvent,
  type SegmentEventDict,
  type SegmentMetadata,
  ToolInvocationAdapter,
  type ToolInvocationAdapterOptions,
} from 'sluice/segments'
import { describe, expect, it } from 'vitest'

/** A segment as it comes from elsewhere: nothing but what is on the wire. */
function invoke(
  type: string,
  start: SegmentMetadata,
  content: string,
  end: SegmentMetadata = {},
  options?: ToolInvocationAdapterOptions,
) {
  const adapter = new ToolInvocationAdapter(options)
  const pieces = content === '' ? [] : [SegmentEvent.content('s', content)]
  const [run] = adapter.processEvents([
    SegmentEvent.start('s', type, start),
    ...pieces,
    SegmentEvent.end('s', end),
  ])
  return run === undefined ? null : [run.name, run.arguments]
}

describe('a segment from elsewhere becomes an invocation', () => {
  it.each<[string, ReturnType<typeof invoke>, unknown]>([
    ['a file', invoke('write_file', { path: '/p' }, 'c'), ['write_file', { path: '/p', content: 'c' }]],
    [
      'a file whose path is on the end',
      invoke('write_file', {}, 'c', { path: '/p' }),
      ['write_file', { path: '/p', content: 'c' }],
    ],
    [
      'a file that is empty',
      invoke('write_file', { path: '/p' }, ''),
      ['write_file', { path: '/p', content: '' }],
    ],
    ['a file without a path', invoke('write_file', {}, 'c'), null],
    ['an edit', invoke('edit_file', { path: '/p' }, '@@'), ['edit_file', { path: '/p', patch: '@@' }]],
    ['a patch', invoke('patch_file', { path: '/p' }, '@@'), ['patch_file', { path: '/p', patch: '@@' }]],
    [
      'a command',
      invoke('run_bash', { timeout_seconds: 3 }, 'ls'),
      ['run_bash', { timeout_seconds: 3, command: 'ls' }],
    ],
    ['a command in the metadata', invoke('run_bash', { command: 'ls' }, ''), ['run_bash', { command: 'ls' }]],
    [
      'a command under its other name',
      invoke('run_bash', { cmd: 'ls' }, ''),
      ['run_bash', { command: 'ls' }],
    ],
    [
      'a command with an argument under its other name',
      invoke('run_bash', { timeoutSeconds: 3 }, 'ls'),
      ['run_bash', { timeout_seconds: 3, command: 'ls' }],
    ],
    ['a command that is empty', invoke('run_bash', {}, ''), null],
    [
      'a call whose arguments are in the metadata',
      invoke('tool_call', { tool_name: 'f', arguments: { a: 1 } }, '<a>2</a>'),
      ['f', { a: 1 }],
    ],
    [
      'a call whose arguments are in the metadata as a text',
      invoke('tool_call', { tool_name: 'f', arguments: '{"a": 1}' }, ''),
      ['f', { a: 1 }],
    ],
    ['a call whose arguments are a list', invoke('tool_call', { tool_name: 'f', arguments: [1] }, ''), null],
    [
      'a call in XML',
      invoke('tool_call', { tool_name: 'f' }, '<arguments><a>2</a></arguments>'),
      ['f', { a: '2' }],
    ],
    [
      'a call in XML with an attribute that is no argument',
      invoke('tool_call', { tool_name: 'f' }, '<a x="1">2</a>'),
      null,
    ],
    [
      'a call with an argument that is called like the part of a list',
      invoke('tool_call', { tool_name: 'f' }, '<item>2</item>'),
      ['f', { item: '2' }],
    ],
    ['a call in JSON', invoke('tool_call', { tool_name: 'f' }, '{"a": 2}'), ['f', { a: 2 }]],
    ['a call without arguments', invoke('tool_call', { tool_name: 'f' }, ''), ['f', {}]],
    [
      'a call that names itself',
      invoke('tool_call', {}, '{"tool": {"function": "f", "parameters": {"a": 2}}}'),
      ['f', { a: 2 }],
    ],
    [
      'a call that begins a list',
      invoke('tool_call', {}, '{"tool_calls": [{"name": "f", "arguments": {"a": 2}}'),
      ['f', { a: 2 }],
    ],
    [
      'a call whose arguments are metadata themselves',
      invoke('tool_call', { tool_name: 'f', a: 2 }, ''),
      ['f', { a: 2 }],
    ],
    [
      'a call that would have to be guessed',
      invoke('tool_call', {}, '{"name": "f", "arguments": {"a": NaN}}'),
      null,
    ],
    ['a call without a name', invoke('tool_call', {}, '<a>2</a>'), null],
    ['a call that cannot be read', invoke('tool_call', { tool_name: 'f' }, '{"a": '), null],
    ['a call with an argument twice', invoke('tool_call', { tool_name: 'f' }, '{"a": 1, "a": 2}'), null],
    ['text', invoke('text', {}, 'c'), null],
    ['reasoning', invoke('reasoning', {}, 'c'), null],
    ['one that is not complete', invoke('run_bash', {}, 'rm', { status: 'incomplete' }), null],
    [
      'one that has a status among its arguments',
      invoke('run_bash', { status: 'new', error: 'no' }, 'ls'),
      ['run_bash', { status: 'new', error: 'no', command: 'ls' }],
    ],
    [
      'one that is not complete, if that is wanted',
      invoke('run_bash', {}, 'rm', { status: 'incomplete' }, { invokeIncomplete: true }),
      ['run_bash', { command: 'rm' }],
    ],
  ])('%s', (_, given, expected) => {
    expect(given).toEqual(expected)
  })
})

describe('an adapter', () => {
  it('takes what came over a socket', () => {
    const socket = parseCompleteResponse('<write_file path="/a">x</write_file>').map(
      (event) => JSON.parse(JSON.stringify(event)) as SegmentEventDict,
    )
    expect(new ToolInvocationAdapter().processEvents(socket)).toEqual([
      { id: 'seg_1', name: 'write_file', arguments: { path: '/a', content: 'x' } },
    ])
    expect(extractSegments(socket)).toEqual([
      { id: 'seg_1', type: 'write_file', content: 'x', metadata: { path: '/a' } },
    ])
  })

  it('believes no verdict that came over a socket', () => {
    const end = { type: 'SEGMENT_END', segment_id: 's', payload: {}, call: { toolName: 'f', input: {} } }
    const adapter = new ToolInvocationAdapter()
    adapter.processEvent({ type: 'SEGMENT_START', segment_id: 's', segment_type: 'run_bash', payload: {} })
    adapter.processEvent({ type: 'SEGMENT_CONTENT', segment_id: 's', payload: { delta: 'ls' } })
    expect(adapter.processEvent(end as SegmentEventDict)).toEqual({
      id: 's',
      name: 'run_bash',
      arguments: { command: 'ls' },
    })
  })

  it('passes over segments that never began', () => {
    const adapter = new ToolInvocationAdapter()
    expect(adapter.processEvent(SegmentEvent.content('x', 'c'))).toBeNull()
    expect(adapter.processEvent(SegmentEvent.end('x'))).toBeNull()
  })

  it('knows which segments are open, and forgets them on reset', () => {
    const adapter = new ToolInvocationAdapter()
    adapter.processEvents([SegmentEvent.start('a', 'tool_call'), SegmentEvent.start('b', 'run_bash')])
    expect(adapter.getActiveSegmentIds()).toEqual(['a', 'b'])
    adapter.reset()
    expect(adapter.getActiveSegmentIds()).toEqual([])
  })

  it('keeps ids as they are', () => {
    const adapter = new ToolInvocationAdapter()
    const ids = ['run_bash:0', 'run_bash:1'].map(
      (id) =>
        adapter.processEvents([
          SegmentEvent.start(id, 'run_bash'),
          SegmentEvent.content(id, 'ls'),
          SegmentEvent.end(id),
        ])[0]?.id,
    )
    expect(ids).toEqual(['run_bash:0', 'run_bash:1'])
  })

  it('brings arguments to the types of their schema', () => {
    const tools = [
      {
        name: 'f',
        inputSchema: {
          type: 'object',
          properties: {
            n: { type: 'integer' },
            on: { type: 'boolean' },
            html: { type: 'string' },
            all: { type: 'array', items: { type: 'number' } },
          },
        },
      },
    ]
    const text = '<tool name="f"><n>3</n><on>true</on><html><b>x</b></html><all><item>1</item></all></tool>'
    const config = new ParserConfig({ tools })
    const runs = new ToolInvocationAdapter({ tools }).processEvents(parseCompleteResponse(text, config))
    expect(runs[0]?.arguments).toEqual({ n: 3, on: true, html: '<b>x</b>', all: [1] })
    const json = '{"tool": {"function": "f", "parameters": {"n": "3"}}}'
    const events = parseCompleteResponse(json, new ParserConfig({ tools, strategyOrder: ['json_tool'] }))
    expect(new ToolInvocationAdapter({ tools }).processEvents(events)[0]?.arguments).toEqual({ n: 3 })
  })
})

describe('with tools', () => {
  const tools = [
    {
      name: 'f',
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    },
  ]

  const run = (text: string) => {
    const config = new ParserConfig({ tools, strategyOrder: ['xml_tag', 'json_tool'] })
    const events = parseCompleteResponse(text, config)
    const ends = events.flatMap(({ type, payload }) =>
      type === 'SEGMENT_END' ? [payload.metadata?.error] : [],
    )
    const invocations = new ToolInvocationAdapter({ tools }).processEvents(events)
    const dicts = events.map((event) => event.toDict())
    // The same segments as they come over a socket, even if they claim that nothing is wrong.
    const claimed = dicts.map((dict) => (dict.type === 'SEGMENT_END' ? { ...dict, payload: {} } : dict))
    return {
      ends,
      ran: [invocations, new ToolInvocationAdapter({ tools }).processEvents(claimed)].flat().length,
    }
  }

  it.each<[what: string, text: string, error: string]>([
    [
      'that breaks its schema',
      '<tool name="f"><n>three</n></tool>',
      'The argument `n` is not valid: must be an integer, not a string. It was not run. Send the whole call again with this put right.',
    ],
    [
      'that lacks what its schema requires',
      '<tool name="f"></tool>',
      "The input is not valid: must have the property 'n'. It was not run. Send the whole call again with this put right.",
    ],
    ['of a tool that was not given', '<tool name="g"><n>3</n></tool>', "There is no tool 'g'."],
    ['of a built-in tool that was not given', '<run_bash>ls</run_bash>', "There is no tool 'run_bash'."],
  ])('a call %s fails and is no invocation', (_, text, error) => {
    expect(run(text)).toEqual({ ends: [error], ran: 0 })
  })

  it('a call that fits its schema is one', () => {
    expect(run('<tool name="f"><n>3</n></tool>')).toEqual({ ends: [undefined], ran: 2 })
  })
})

it.each([
  ['{"n": 19.99999999999999999999}'],
  ["{'n': 19.99999999999999999999}"],
  ['<n>19.99999999999999999999</n>'],
])('a segment from elsewhere is no invocation with another number than it has: %s', (content) => {
  const tools = [
    { name: 'pay', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
  ] as const
  expect(invoke('tool_call', { tool_name: 'pay' }, content, {}, { tools })).toBeNull()
  const call = '{"name": "pay", "arguments": {"n": 19.99999999999999999999}}'
  expect(invoke('tool_call', {}, call, {}, { tools })).toBeNull()
  expect(invoke('tool_call', { tool_name: 'pay' }, '{"n": 20.0}', {}, { tools })).toEqual(['pay', { n: 20 }])
})
