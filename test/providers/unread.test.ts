/** Arguments that came where a reader does not look for them: the call that lacks them does not run without. */

import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { eventsOf, told } from './told.ts'

const calls = (provider: string, payloads: readonly object[]): string[] =>
  told(eventsOf(payloads, { provider })).filter((line) => line.startsWith('call'))

const runs = (provider: string, payloads: readonly object[]): string[] =>
  eventsOf(payloads, { provider }).flatMap((event) =>
    event.type === 'tool-call' && isExecutable(event) ? [`${event.id} ${JSON.stringify(event.input)}`] : [],
  )

describe('AG-UI: arguments before their call, while another one waits', () => {
  const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
  const ours = { ...run, input: { tools: [{ name: 'ls' }, { name: 'rm' }] } }
  const start = (id: string, name: string) => ({
    type: 'TOOL_CALL_START',
    toolCallId: id,
    toolCallName: name,
  })
  const args = (id: string, delta: string) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })
  const end = (id: string) => ({ type: 'TOOL_CALL_END', toolCallId: id })
  const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

  test.each([
    ['nothing says who runs them', run],
    ['the client runs them', ours],
  ])('are not those of the other: %s', (_, begin) => {
    const early = [begin, start('a', 'ls'), args('b', '{"path":"/"}'), start('b', 'rm')]
    expect(runs('ag-ui', [...early, end('b'), args('a', '{"path":"x"}'), end('a'), finished]).sort()).toEqual(
      ['a {"path":"x"}', 'b {"path":"/"}'],
    )
  })

  test('may be those of the other, if their call never comes: it does not run without any', () => {
    expect(calls('ag-ui', [ours, start('a', 'ls'), args('b', '{"path":"/"}'), end('a'), finished])).toEqual([
      'call ls#a truncated {}',
      'call #call-1 invalid {"path":"/"}',
    ])
  })

  test('an event that is not known may be a piece, as long as pieces come', () => {
    const odd = { type: 'TOOL_CALL_PATCH', toolCallId: 'a', delta: '/tmp' }
    const [first, second, last] = [args('a', '{"path":"'), args('a', 'x"}'), end('a')]
    const status = (...events: object[]): string[] =>
      calls('ag-ui', [ours, start('a', 'ls'), ...events, finished])
    expect(status(first, odd, second, last)).toEqual(['call ls#a invalid {"path":"x"}'])
    expect(status(first, second, last, odd)).toEqual(['call ls#a complete {"path":"x"}'])
    expect(status(odd, last)).toEqual(['call ls#a truncated {}'])
  })
})

describe('AI SDK: a call that came in pieces runs when the call itself comes', () => {
  const pieces = [
    { type: 'tool-input-start', id: 'a', toolName: 'rm' },
    { type: 'tool-input-delta', id: 'a', delta: '{"path":"x"}' },
    { type: 'tool-input-end', id: 'a' },
  ]
  const call = { type: 'tool-call', toolName: 'rm', input: '{"path":"x"}' }
  const finish = { type: 'finish', finishReason: 'tool-calls' }

  test.each([
    ['without an id', call],
    ['under another id', { ...call, toolCallId: 'b' }],
  ])('and once: %s', (_, whole) => {
    expect(runs('ai-sdk', [...pieces, whole, finish])).toHaveLength(1)
    expect(calls('ai-sdk', [...pieces, whole, finish])).toContain('call rm#a invalid {"path":"x"}')
    expect(runs('ai-sdk', [...pieces.map(({ id: _, ...piece }) => piece), whole, finish])).toHaveLength(1)
  })

  test('and not if it never comes', () => {
    expect(calls('ai-sdk', [...pieces, finish])).toEqual(['call rm#a invalid {"path":"x"}'])
    const ui = pieces.map(({ id, delta, ...piece }) => ({ ...piece, toolCallId: id, inputTextDelta: delta }))
    expect(calls('ai-sdk-ui', [...ui, finish])).toEqual(['call rm#a invalid {"path":"x"}'])
  })

  test('a second call with the same tool and no arguments is one of its own', () => {
    const ping = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'ping', input: {} })
    expect(runs('ai-sdk', [ping('a'), ping('b'), finish])).toEqual(['a {}', 'b {}'])
  })
})

describe('Anthropic: events and deltas that are not known', () => {
  const start = (index: number, id: string) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id, name: 'rm', input: {} },
  })
  const piece = (index: number, partial_json: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  })
  const odd = (index: number) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_patch_delta', patch: '/tmp' },
  })
  const stop = (index: number) => ({ type: 'content_block_stop', index })
  const end = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }]
  const said = (...events: object[]): string[] => calls('anthropic', [...events, ...end])

  test('a delta of another type in place of the arguments', () => {
    expect(said(start(0, 'a'), odd(0), stop(0))).toEqual(['call rm#a truncated {}'])
    expect(said(start(0, 'a'), stop(0))).toEqual(['call rm#a complete {}'])
  })

  test('one between two pieces, and one that belongs to another block', () => {
    const [first, second] = [piece(0, '{"path":"'), piece(0, 'x"}')]
    expect(said(start(0, 'a'), first, odd(0), second, stop(0))).toEqual(['call rm#a invalid {"path":"x"}'])
    expect(said(start(0, 'a'), first, odd(1), second, stop(0))).toEqual(['call rm#a complete {"path":"x"}'])
    expect(said(start(0, 'a'), first, second, odd(0), stop(0))).toEqual(['call rm#a complete {"path":"x"}'])
  })

  test('an event that has no index says nothing about arguments that came, or about a call that ended', () => {
    const event = { type: 'message_note', note: { text: 'x' } }
    expect(said(start(0, 'a'), piece(0, '{"path":'), event, piece(0, '"x"}'), stop(0))).toEqual([
      'call rm#a complete {"path":"x"}',
    ])
    expect(said(start(0, 'a'), stop(0), event)).toEqual(['call rm#a complete {}'])
    expect(said(start(0, 'a'), event, stop(0))).toEqual(['call rm#a truncated {}'])
  })

  test('arguments that come behind the end of their block, or of the message, are still theirs', () => {
    const late = piece(0, '{"path":"x"}')
    for (const events of [
      [start(0, 'a'), stop(0), late, ...end],
      [start(0, 'a'), stop(0), end[0]!, late, end[1]!],
    ])
      expect(calls('anthropic', events)).toEqual(['call rm#a complete {"path":"x"}'])
  })
})

test('a tool that takes free text does not run with a part of it', () => {
  const item = { type: 'custom_tool_call', id: 'i', call_id: 'c', name: 'sh', input: '' }
  const added = { type: 'response.output_item.added', output_index: 0, item }
  const delta = (type: string, delta: string) => ({ type, output_index: 0, delta })
  const known = 'response.custom_tool_call_input.delta'
  const status = (...events: object[]): string[] =>
    calls('openai-responses', [
      added,
      delta(known, 'rm -rf /tmp'),
      ...events,
      { type: 'response.completed', response: { status: 'completed' } },
    ]).map((line) => line.split(' ')[2]!)
  const odd = delta('response.custom_tool_call_input.patch', '/a')
  const whole = (input: unknown) => ({
    type: 'response.output_item.done',
    output_index: 0,
    item: { ...item, input },
  })
  expect(status(odd, whole('rm -rf /tmp'))).toEqual(['complete'])
  expect(status(odd, whole('rm -rf /tmp/a'))).toEqual(['complete'])
  expect(status(odd, whole(undefined))).toEqual(['invalid'])
})

test.each([
  ['an unknown field of a choice', { choices: [{ index: 0, delta_2: { tool_calls: [{}] } }] }],
  ['an unknown list in a delta', { choices: [{ index: 0, delta: { calls: [{ arguments: '/tmp' }] } }] }],
  ['an unknown list of a chunk', { choices_2: [{ index: 0 }] }],
])('Chat Completions: %s between two pieces', (_, odd) => {
  const chunk = (call: object, finish_reason: string | null = null): object => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason }],
  })
  const first = chunk({ id: 'a', function: { name: 'rm', arguments: '{"path":"' } })
  const last = chunk({ function: { arguments: 'x"}' } }, 'tool_calls')
  expect(calls('openai-chat', [first, odd, last])).toEqual(['call rm#a invalid {"path":"x"}'])
  expect(calls('openai-chat', [first, last, odd])).toEqual(['call rm#a complete {"path":"x"}'])
})

test('Gemini: a string that was to go on and did not, or a value of another kind, leaves the arguments open', () => {
  const part = (functionCall: object): object => ({
    candidates: [{ content: { parts: [{ functionCall }] } }],
  })
  const begin = part({ name: 'rm', willContinue: true })
  const patches = (...partialArgs: object[]): object => part({ partialArgs, willContinue: true })
  const end = { candidates: [{ finishReason: 'STOP' }] }
  const status = (...parts: object[]): string[] =>
    calls('gemini', [begin, ...parts, part({}), end]).map((line) => line.split(' ')[2]!)
  const open = { jsonPath: '$.path', stringValue: '/t', willContinue: true }
  const more = { jsonPath: '$.path', stringValue: 'mp' }
  const count = { jsonPath: '$.count', numberValue: 1 }
  expect(status(patches(open, more, count))).toEqual(['complete'])
  expect(status(patches(open, count))).toEqual(['truncated'])
  expect(status(patches(open, more, { jsonPath: '$.count', bigValue: '1' }))).toEqual(['truncated'])
  expect(status(patches(open, more), { candidates: [{ content: { parts: [{ call: { a: 1 } }] } }] })).toEqual(
    ['truncated'],
  )
})

test('OpenAI defines no tool that runs without its action', () => {
  const done = (item: object): object[] => [
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { status: 'completed' } },
  ]
  for (const type of [
    'local_shell_call',
    'shell_call',
    'apply_patch_call',
    'computer_call',
    'tool_search_call',
  ])
    expect(runs('openai-responses', done({ type, call_id: 'c', id: 'i' })), type).toEqual([])
})
