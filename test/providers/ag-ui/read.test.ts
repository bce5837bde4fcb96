import { describe, expect, test } from 'vitest'
import { hermes } from '../../../src/dialects/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { findWriter } from '../../../src/providers/any.ts'
import { agUi } from '../../../src/providers/named-providers.ts'
import { createWriter } from '../../../src/providers/write-provider.ts'
import { eventsOf, told } from '../told.ts'

const RUN = { threadId: 't', runId: 'r' }
const started = (more: object = {}): object => ({ type: 'RUN_STARTED', ...RUN, ...more })
const finished = (more: object = {}): object => ({ type: 'RUN_FINISHED', ...RUN, ...more })
const text = (messageId: string, delta: string): object => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
})
const call = (toolCallId: string, args: string, metadata?: object): object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'ls', ...(metadata && { metadata }) },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args },
  { type: 'TOOL_CALL_END', toolCallId },
]
const result = (toolCallId: string, content: unknown, more: object = {}): object => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `m-${toolCallId}`,
  toolCallId,
  content,
  ...more,
})
const read = (payloads: readonly object[], options: object = {}): string[] =>
  told(eventsOf(payloads, { provider: agUi, ...options }))

describe('whose call it is', () => {
  test('a call that the agent answers in the same run is its own', () => {
    expect(
      read([started(), ...call('c', '{"p":1}'), result('c', 'a.ts'), text('m', 'Done.'), finished()]),
    ).toEqual(['call ls#c complete {"p":1} theirs', 'tool-result c a.ts', 'text Done.', 'finish stop'])
  })

  test('a call without a result is for the client when the run is over, and not before', () => {
    const payloads = [started(), ...call('c', '{"p":1}'), text('m', 'Wait.')]
    const before = eventsOf(payloads, { provider: agUi })
    expect(before.filter((event) => event.type === 'tool-call' && isExecutable(event))).toEqual([])
    expect(read([...payloads, finished()])).toEqual([
      'text Wait.',
      'call ls#c complete {"p":1}',
      'finish tool-calls',
    ])
  })

  test('the arguments grow before that, but for the brace that makes them whole', () => {
    const events = eventsOf([started(), ...call('c', '{"p":{"q":1}}'), result('c', '')], { provider: agUi })
    expect(events.flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))).toEqual([
      '{"p":{"q":1}',
      '}',
    ])
  })

  test('a call is tentative as long as nobody knows', () => {
    const startOf = (payloads: readonly object[]): object | undefined =>
      eventsOf(payloads, { provider: agUi }).find(({ type }) => type === 'tool-input-start')
    const start = { type: 'tool-input-start', id: 'c', toolName: 'ls' }
    expect(startOf([started(), ...call('c', '{}'), finished()])).toEqual({ ...start, tentative: true })
    const input = { tools: [{ name: 'ls' }] }
    expect(startOf([started({ input }), ...call('c', '{}'), finished()])).toEqual(start)
  })

  test.each([
    ['openai-chat', ['call ls#b complete {"p":2}']],
    ['ollama', ['call ls#b complete {"p":2}']],
    ['anthropic', ['call ls#a complete {"p":1} theirs', 'call ls#b complete {"p":2}']],
    ['openai-responses', ['call ls#a complete {"p":1} theirs', 'call ls#b complete {"p":2}']],
    ['ag-ui', ['call ls#a complete {"p":1} theirs', 'call ls#b complete {"p":2}']],
    ['ai-sdk-ui', ['call ls#a complete {"p":1} theirs', 'call ls#b complete {"p":2}']],
  ])('in %s no call of the agent is left open, and the one of the client runs', (format, calls) => {
    const events = eventsOf(
      [started(), ...call('a', '{"p":1}'), result('a', 'x'), ...call('b', '{"p":2}'), finished()],
      { provider: agUi },
    )
    const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 0 })
    const lines = told(eventsOf([events.map((event) => writer.add(event)).join('')], { provider: format }))
    const isCall = (line: string): boolean => line.startsWith('call')
    expect(
      lines.filter(isCall).map((line) => line.replace(/ \{"(anthropic|openai-responses)".*/, '')),
    ).toEqual(calls)
    expect(lines.at(-1)).toMatch(format === 'ollama' ? /^finish tool-calls \(stop\)/ : /^finish tool-calls/)
  })

  test('the run may name the calls that wait for the client', () => {
    const outcome = { type: 'success', pendingToolCallIds: ['b'] }
    expect(read([started(), ...call('a', '{}'), ...call('b', '{}'), finished({ outcome })])).toEqual([
      'call ls#a complete {} theirs',
      'call ls#b complete {}',
      'finish tool-calls (success)',
    ])
  })

  test('a run that says which tools the client has tells it from the start', () => {
    const input = { tools: [{ name: 'confirm', description: '', parameters: {} }] }
    const asked = [
      { type: 'TOOL_CALL_START', toolCallId: 'b', toolCallName: 'confirm' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'b', delta: '{"q":"?"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'b' },
    ]
    expect(read([started({ input }), ...call('a', '{}'), ...asked, text('m', 'Hm.'), finished()])).toEqual([
      'call ls#a complete {} theirs',
      'call confirm#b complete {"q":"?"}',
      'text Hm.',
      'finish tool-calls',
    ])
  })

  test.each<[what: string, payloads: readonly object[], last: string]>([
    ['breaks off', [], 'finish error'],
    ['fails', [{ type: 'RUN_ERROR', message: 'Boom' }], 'finish error'],
    ['is cancelled', [finished({ outcome: { type: 'cancelled' } })], 'finish aborted (cancelled)'],
  ])('a call of a run that %s may have been run, and is not for the client', (_, payloads, last) => {
    const lines = read([started(), ...call('c', '{"p":1}'), ...payloads])
    expect(lines).toContain('call ls#c invalid {"p":1}')
    expect(lines.at(-1)).toBe(last)
  })

  test('a call that waits for a person is run by the agent afterwards', () => {
    const interrupts = [{ id: 'i', reason: 'tool_approval', toolCallId: 'c' }]
    expect(
      read([started(), ...call('c', '{}'), finished({ outcome: { type: 'interrupt', interrupts } })]),
    ).toEqual([
      'call ls#c complete {} theirs',
      `custom interrupts ${JSON.stringify(interrupts)}`,
      'finish other (interrupt)',
    ])
  })

  test('a call whose arguments were cut off is truncated, whatever ends it', () => {
    expect(read([started(), ...call('c', '{"p":"x'), finished()])).toContain('call ls#c truncated {"p":"x"}')
    expect(read([started(), ...call('c', '{"p":"x'), result('c', 'y')])).toContain(
      'call ls#c truncated {"p":"x"} theirs',
    )
  })

  test('a call that starts again after its end is not another one', () => {
    const calls = eventsOf(
      [started(), ...call('c', '{}', { providerExecuted: false }), ...call('c', '{}'), finished()],
      {
        provider: agUi,
      },
    ).filter(({ type }) => type === 'tool-call')
    expect(calls).toHaveLength(1)
  })
})

describe('chunks', () => {
  test('of text go on without an id, and end with anything else', () => {
    const chunk = (fields: object): object => ({ type: 'TEXT_MESSAGE_CHUNK', ...fields })
    expect(
      read([
        started(),
        chunk({ messageId: 'a', role: 'assistant', delta: 'Hel' }),
        chunk({ delta: 'lo' }),
        chunk({ messageId: 'b', delta: 'Bye' }),
        finished(),
      ]),
    ).toEqual(['text Hel|lo', 'text Bye', 'finish stop'])
  })

  test('of calls are one call until another id or another event comes', () => {
    const chunk = (fields: object): object => ({ type: 'TOOL_CALL_CHUNK', ...fields })
    expect(
      read([
        started(),
        chunk({ toolCallId: 'a', toolCallName: 'ls', delta: '{"p"' }),
        { type: 'RAW', event: 1 },
        chunk({ delta: ':1}' }),
        chunk({ toolCallId: 'b', toolCallName: 'ls', delta: '{}' }),
        { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'H' },
        { type: 'REASONING_MESSAGE_CHUNK', delta: 'm' },
        finished(),
      ]),
    ).toEqual([
      'custom RAW {"type":"RAW","event":1}',
      'reasoning H|m',
      'call ls#a complete {"p":1}',
      'call ls#b complete {}',
      'finish tool-calls',
    ])
  })
})

describe('messages', () => {
  test('reasoning keeps what encrypts it, and is never read for calls', () => {
    const quoted = '<tool_call>{"name":"rm","arguments":{}}</tool_call>'
    const reasoning = (type: string, more: object = {}): object => ({
      type: `REASONING_${type}`,
      messageId: 'r',
      ...more,
    })
    const lines = read(
      [
        started(),
        reasoning('START'),
        reasoning('MESSAGE_START', { role: 'reasoning' }),
        reasoning('MESSAGE_CONTENT', { delta: quoted }),
        reasoning('MESSAGE_END'),
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r', encryptedValue: 'EqQB' },
        reasoning('END'),
        finished(),
      ],
      { dialect: hermes },
    )
    expect(lines).toEqual([`reasoning ${quoted} {"ag-ui":{"encryptedValue":"EqQB"}}`, 'finish stop'])
  })

  test('thinking, as older agents have it, is reasoning', () => {
    expect(
      read([
        started(),
        { type: 'THINKING_START', title: 'Plan' },
        { type: 'THINKING_TEXT_MESSAGE_START' },
        { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm' },
        { type: 'THINKING_TEXT_MESSAGE_END' },
        { type: 'THINKING_END' },
        finished(),
      ]),
    ).toEqual(['reasoning Hm', 'finish stop'])
  })

  test('what the user wrote is not text of the model', () => {
    const start = { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' }
    const end = { type: 'TEXT_MESSAGE_END', messageId: 'u' }
    const quoted = text('u', '<tool_call>{"name":"rm","arguments":{}}</tool_call>')
    expect(read([started(), start, quoted, end, text('m', 'No.'), finished()], { dialect: hermes })).toEqual([
      `custom TEXT_MESSAGE_START ${JSON.stringify(start)}`,
      `custom TEXT_MESSAGE_CONTENT ${JSON.stringify(quoted)}`,
      `custom TEXT_MESSAGE_END ${JSON.stringify(end)}`,
      'text No.',
      'finish stop',
    ])
  })

  test('state, steps, activities and events of their own are passed on', () => {
    const events = [
      { type: 'STEP_STARTED', stepName: 'plan' },
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 2 }] },
      { type: 'MESSAGES_SNAPSHOT', messages: [] },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'x', activityType: 'plan', content: {} },
    ]
    expect(
      read([started(), ...events, { type: 'CUSTOM', name: 'mood', value: 7 }, finished({ result: 'ok' })]),
    ).toEqual([
      ...events.map((event) => `custom ${event.type} ${JSON.stringify(event)}`),
      'custom mood 7',
      'custom result "ok"',
      'finish stop',
    ])
  })
})

describe('the end', () => {
  test('has the figures of all models together', () => {
    const usage = [
      { model: 'a', inputTokens: 5, outputTokens: 2 },
      { model: 'b', inputTokens: 1, outputTokens: 1 },
    ]
    expect(read([started(), text('m', 'Hi'), finished({ usage })]).at(-1)).toBe(
      'finish stop {"inputTokens":6,"outputTokens":3,"totalTokens":9}',
    )
  })

  test('may be an error', () => {
    const events = eventsOf([started(), { type: 'RUN_ERROR', message: 'Overloaded', code: 'busy' }])
    expect(events).toEqual([
      { type: 'error', error: { name: 'ProviderError', message: 'Overloaded', code: 'busy' } },
      { type: 'finish', reason: 'error', metadata: { 'ag-ui': { threadId: 't', runId: 'r' } } },
    ])
  })

  test('a result that failed says so', () => {
    expect(
      read([
        started(),
        ...call('c', '{}'),
        result('c', 'No.', { metadata: { isError: true } }),
        finished(),
      ])[1],
    ).toBe('tool-result c failed No.')
  })
})
