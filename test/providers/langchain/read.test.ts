import { describe, expect, test } from 'vitest'
import { hermes } from '../../../src/dialects/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { langchain } from '../../../src/providers/named-providers.ts'
import { eventsOf, told } from '../told.ts'

const chunk = (fields: object = {}): object => ({
  type: 'AIMessageChunk',
  id: 'run-1',
  content: '',
  additional_kwargs: {},
  response_metadata: {},
  tool_call_chunks: [],
  ...fields,
})
const piece = (index: number | undefined, args: string, id?: string, name?: string): object =>
  chunk({ tool_call_chunks: [{ index, args, id, name, type: 'tool_call_chunk' }] })
const end = (finish_reason = 'stop'): object => chunk({ response_metadata: { finish_reason } })
const whole = (fields: object): object => ({
  type: 'ai',
  id: 'm',
  content: '',
  additional_kwargs: {},
  response_metadata: {},
  ...fields,
})
const origin = { langgraph_node: 'agent', langgraph_step: 1 }
const tool = (tool_call_id: string, content: unknown, more: object = {}): object => ({
  type: 'tool',
  content,
  tool_call_id,
  additional_kwargs: {},
  ...more,
})
const read = (payloads: readonly object[], options: object = {}): string[] =>
  told(eventsOf(payloads, { provider: langchain, ...options }))

describe('one message in all its forms', () => {
  const fields = {
    id: 'run-1',
    content: 'Hi',
    additional_kwargs: {},
    response_metadata: { finish_reason: 'stop' },
  }
  class AIMessageChunk {
    lc_serializable = true
    type = 'ai'
    id = 'run-1'
    content = 'Hi'
    additional_kwargs = {}
    response_metadata = { finish_reason: 'stop' }
    tool_call_chunks = []
    tool_calls = []
  }

  test.each<[what: string, payload: object]>([
    ['an instance', new AIMessageChunk()],
    [
      'serialized',
      { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'AIMessageChunk'], kwargs: fields },
    ],
    ['a dictionary', { type: 'ai', data: fields }],
    ['flat', { ...fields, type: 'AIMessageChunk' }],
    [
      'an event of streamEvents',
      { event: 'on_chat_model_stream', data: { chunk: { ...fields, type: 'AIMessageChunk' } } },
    ],
    ['a pair of a graph', [{ ...fields, type: 'AIMessageChunk' }, origin]],
  ])('%s', (_, payload) => {
    expect(told(eventsOf([payload]))).toEqual(['text Hi', 'finish stop (stop)'])
  })
})

describe('calls', () => {
  test('grow by their index, and what LangChain made of unfinished JSON is not read', () => {
    const made = { tool_calls: [{ name: 'rm', args: {}, id: 'a' }] }
    expect(
      read([
        chunk(),
        { ...piece(0, '{"p":', 'a', 'rm'), ...made },
        piece(1, '{', 'b', 'ls'),
        piece(0, '1}'),
        piece(1, '}'),
        end('tool_calls'),
      ]),
    ).toEqual(['call rm#a complete {"p":1}', 'call ls#b complete {}', 'finish tool-calls (tool_calls)'])
    const cut = eventsOf([chunk(), { ...piece(0, '{"p":"/', 'a', 'rm'), ...made }, end('tool_calls')], {
      provider: langchain,
    })
    expect(cut.filter((event) => event.type === 'tool-call').map(({ status }) => status)).toEqual([
      'truncated',
    ])
  })

  test('of two messages that come at the same time are not mixed up', () => {
    const other = { ...piece(0, '{"q":', 'b', 'ls'), id: 'run-2' }
    const rest = { ...piece(0, '2}'), id: 'run-2' }
    expect(read([chunk(), piece(0, '{"p":', 'a', 'ls'), other, piece(0, '1}'), rest, end()])).toEqual([
      'call ls#a complete {"p":1}',
      'call ls#b complete {"q":2}',
      'finish tool-calls (stop)',
    ])
  })

  test('of a whole message count when it says why it stopped', () => {
    const calls = { tool_calls: [{ name: 'ls', args: { p: 1 }, id: 'a' }] }
    const stopped = { response_metadata: { stop_reason: 'tool_use' } }
    expect(read([whole({ ...calls, ...stopped })])).toEqual([
      'call ls#a complete {"p":1}',
      'finish tool-calls (tool_use)',
    ])
    const open = eventsOf([whole(calls)], { provider: langchain })
    expect(open.filter((event) => event.type === 'tool-call' && isExecutable(event))).toEqual([])
  })

  test('of a message that comes again and again are those of its last form', () => {
    const growing = (content: string, args: object): object =>
      whole({ content, tool_calls: [{ name: 'ls', args, id: 'a' }] })
    expect(
      read([
        growing('He', {}),
        growing('Hello', { p: 'x' }),
        growing('Hello', { p: 'xy' }),
        tool('a', 'ok'),
      ]).slice(0, 3),
    ).toEqual(['text He|llo', 'call ls#a complete {"p":"xy"}', 'tool-result a ok'])
  })

  test('that LangChain could not use are invalid', () => {
    const invalid_tool_calls = [{ name: 'ls', args: '{"p":1}', id: 'a', error: 'No tool.' }]
    expect(
      read([whole({ invalid_tool_calls, response_metadata: { finish_reason: 'stop' } })]).filter((line) =>
        line.startsWith('call'),
      ),
    ).toEqual(['call ls#a invalid {"p":1}'])
  })

  test('of a graph are its own, from the first message on', () => {
    for (const first of [[], [[chunk(), origin]]])
      expect(
        read([
          ...first,
          [piece(0, '{}', 'a', 'ls'), origin],
          [end('tool_calls'), origin],
          [tool('a', 'ok'), origin],
        ]),
      ).toEqual(['call ls#a complete {} theirs', 'tool-result a ok', 'finish stop (tool_calls)'])
  })

  test('of a graph are its own in the events of streamEvents, too', () => {
    const event = (data: object): object => ({
      event: 'on_chat_model_stream',
      data: { chunk: data },
      metadata: origin,
    })
    expect(
      read([event(piece(0, '{}', 'a', 'ls')), { event: 'on_chat_model_end', data: {}, run_id: 'r' }]),
    ).toEqual(['call ls#a complete {} theirs', 'finish stop'])
  })

  test('have results that failed, and tools that the provider ran', () => {
    const parts = [
      { type: 'server_tool_call', id: 's', name: 'web_search', args: { q: 'x' } },
      { type: 'server_tool_call_result', tool_call_id: 's', output: 'found', status: 'success' },
    ]
    expect(
      read([
        chunk({ content: parts }),
        tool('a', [{ type: 'text', text: 'No.' }], { status: 'error' }),
        end(),
      ]),
    ).toEqual([
      'call web_search#s complete {"q":"x"} theirs',
      'tool-result s found',
      'tool-result a failed No.',
      'finish stop (stop)',
    ])
  })
})

describe('content', () => {
  test('comes in parts: text, thoughts with their signature, and the rest as it is', () => {
    const image = { type: 'image', url: 'u' }
    expect(
      read([
        chunk({ content: [{ type: 'thinking', thinking: 'Hm', index: 0 }] }),
        chunk({ content: [{ type: 'thinking', signature: 'EqQB', index: 0 }] }),
        chunk({ content: [{ type: 'reasoning', reasoning: '.' }, { type: 'text', text: 'Hi' }, image] }),
        chunk({ content: [{ type: 'tool_use', id: 'x', name: 'ls', input: '' }] }),
        end(),
      ]),
    ).toEqual([
      'reasoning Hm|. {"anthropic":{"signature":"EqQB"}}',
      'text Hi',
      'custom image {"type":"image","url":"u"}',
      'finish stop (stop)',
    ])
  })

  test('cites its sources once, in the form of LangChain or of the provider', () => {
    const [one, two] = [
      { type: 'citation', url: 'https://a.example' },
      { type: 'char_location', cited_text: 'x' },
    ]
    const cited = { type: 'text', text: 'Hi', annotations: [one], citations: [two] }
    const lines = [
      'text Hi',
      `custom annotation ${JSON.stringify(one)}`,
      `custom citation ${JSON.stringify(two)}`,
    ]
    expect(read([chunk({ content: [cited] }), end()])).toEqual([...lines, 'finish stop (stop)'])
    const again = { content: [cited], response_metadata: { finish_reason: 'stop' } }
    expect(read([whole({ content: [cited] }), whole(again)])).toEqual([...lines, 'finish stop (stop)'])
  })

  test('that is reasoning is never read for calls, and what others wrote is not text', () => {
    const quoted = '<tool_call>{"name":"rm","arguments":{}}</tool_call>'
    const human = { type: 'human', content: quoted, additional_kwargs: {} }
    expect(
      read([human, chunk({ additional_kwargs: { reasoning_content: quoted } }), end()], { dialect: hermes }),
    ).toEqual([`custom human ${JSON.stringify(human)}`, `reasoning ${quoted}`, 'finish stop (stop)'])
  })

  test('that came in chunks is not read again in the whole message', () => {
    expect(read([chunk({ content: 'Hi' }), end(), whole({ id: 'run-1', content: 'Hi' })])).toEqual([
      'text Hi',
      'finish stop (stop)',
    ])
  })
})

describe('a whole message behind its chunks', () => {
  const message = (args: object, finish_reason = 'tool_calls', name = 'rm'): object =>
    whole({
      id: 'run-1',
      tool_calls: [{ id: 'a', name, args }],
      response_metadata: { finish_reason },
    })

  test.each([
    ['has the arguments that did not come', '', message({ path: '/a' }), 'stop', 'complete {"path":"/a"}'],
    ['may have other arguments', '{"path":"/a"}', message({ path: '/b' }), 'stop', 'repaired {"path":"/a"}'],
    [
      'may have the same arguments',
      '{"path":"/a"}',
      message({ path: '/a' }),
      'stop',
      'complete {"path":"/a"}',
    ],
    [
      'may have another name',
      '{"path":"/a"}',
      message({ path: '/a' }, 'tool_calls', 'ls'),
      'stop',
      'invalid {"path":"/a"}',
    ],
    ['may have half the arguments', '', message({ path: '/' }, 'length'), 'length', 'truncated {}'],
  ])('%s', (_, args, last, reason, verdict) => {
    const lines = read([piece(0, args, 'a', 'rm'), last, end(reason)])
    expect(lines).toContain(`call rm#a ${verdict}`)
  })
})

describe('the end', () => {
  test('has the figures of all chunks and messages together', () => {
    const usage = (input_tokens: number, output_tokens: number, id = 'run-1'): object =>
      chunk({
        id,
        usage_metadata: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
      })
    expect(read([usage(5, 1), usage(0, 2), usage(7, 1, 'run-2'), end()]).at(-1)).toBe(
      'finish stop (stop) {"inputTokens":12,"outputTokens":4,"totalTokens":16}',
    )
  })

  test('that no chunk tells is a stream that broke off', () => {
    expect(read([chunk({ content: 'Hi' })]).at(-1)).toBe('finish error')
    expect(read([chunk({ content: 'Hi', chunk_position: 'last' })]).at(-1)).toBe('finish stop')
  })
})
