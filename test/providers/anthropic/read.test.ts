import { describe, expect, test } from 'vitest'
import { eventsOf, sse, told } from '../told.ts'

const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'anthropic' }))
const start = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 10, output_tokens: 1 } },
}
const open = (index: number, content_block: object): object => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, fields: object): object => ({
  type: 'content_block_delta',
  index,
  delta: fields,
})
const json = (index: number, partial_json: string): object =>
  delta(index, { type: 'input_json_delta', partial_json })
const close = (index: number): object => ({ type: 'content_block_stop', index })
const end = (stop_reason: string, usage: object = {}): object[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]

describe('Anthropic Messages', () => {
  test('thinking that is signed, text and a call', () => {
    const payloads = [
      start,
      { type: 'ping' },
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'thinking_delta', thinking: '.' }),
      delta(0, { type: 'signature_delta', signature: 'EqQB' }),
      close(0),
      open(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hi' }),
      close(1),
      open(2, { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }),
      json(2, ''),
      json(2, '{"path"'),
      json(2, ': "."}'),
      close(2),
      ...end('tool_use', { output_tokens: 30 }),
    ]
    const lines = [
      'reasoning Hm|. {"anthropic":{"signature":"EqQB"}}',
      'text Hi',
      'call ls#toolu_1 complete {"path":"."}',
      'finish tool-calls (tool_use) {"inputTokens":10,"outputTokens":30,"totalTokens":40}',
    ]
    expect(read(...payloads)).toEqual(lines)
    expect(told(eventsOf([sse(...payloads)]))).toEqual(lines)
  })

  test('figures that are repeated are not added up, and cached input is input', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5 }
    expect(
      read(
        { ...start, message: { usage: { ...usage, output_tokens: 1 } } },
        ...end('end_turn', { ...usage, output_tokens: 7 }),
      ),
    ).toEqual([
      'finish stop (end_turn) {"inputTokens":115,"outputTokens":7,"cachedInputTokens":100,"cacheWriteInputTokens":5,"totalTokens":122}',
    ])
  })

  test('redacted thinking is reasoning without words', () => {
    expect(
      read(start, open(0, { type: 'redacted_thinking', data: 'xyz' }), close(0), ...end('end_turn')),
    ).toEqual([
      'reasoning  {"anthropic":{"redactedData":"xyz"}}',
      'finish stop (end_turn) {"inputTokens":10,"outputTokens":1,"totalTokens":11}',
    ])
  })

  test('a tool that the provider runs, with its result', () => {
    const result = [{ type: 'web_search_result', url: 'https://a.example' }]
    expect(
      read(
        open(0, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
        json(0, '{"query":"x"}'),
        close(0),
        open(1, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: result }),
        close(1),
        ...end('end_turn'),
      ),
    ).toEqual([
      'call web_search#srv_1 complete {"query":"x"} theirs {"anthropic":{"type":"server_tool_use"}}',
      `tool-result srv_1 ${JSON.stringify(result)} {"anthropic":{"type":"web_search_tool_result"}}`,
      'finish stop (end_turn)',
    ])
  })

  test('what has no name of its own is passed on as it is', () => {
    expect(
      read(
        open(0, { type: 'container_upload', file_id: 'f' }),
        close(0),
        open(1, { type: 'text', text: '' }),
        delta(1, { type: 'text_delta', text: 'a' }),
        delta(1, { type: 'citations_delta', citation: { cited_text: 'b' } }),
        close(1),
        ...end('end_turn'),
      ),
    ).toEqual([
      'custom container_upload {"type":"container_upload","file_id":"f"}',
      'text a',
      'custom citation {"cited_text":"b"}',
      'finish stop (end_turn)',
    ])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
  ])('stops with %s, which is %s', (raw, reason) => {
    expect(read(...end(raw))).toEqual([`finish ${reason} (${raw})`])
  })

  test('JSON that the model got wrong is not made less of', () => {
    const payloads = (text: string): object[] => [
      open(0, { type: 'tool_use', id: 'a', name: 'w', input: {} }),
      json(0, text),
    ]
    expect(read(...payloads('{"path":"a","content":"he'), close(0), ...end('tool_use'))).toEqual([
      'diagnostic truncated-call',
      'call w#a truncated {"path":"a","content":"he"}',
      'finish tool-calls (tool_use)',
    ])
  })

  test('an error, and then nothing', () => {
    expect(
      read(start, open(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hi' }), {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
      }),
    ).toEqual([
      'text Hi',
      'error Overloaded',
      'finish error {"inputTokens":10,"outputTokens":1,"totalTokens":11}',
    ])
  })

  test('a message that was not streamed', () => {
    expect(
      read({
        type: 'message',
        id: 'msg_1',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
          { type: 'text', text: 'Hi' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' } },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
    ).toEqual([
      'reasoning Hm. {"anthropic":{"signature":"EqQB"}}',
      'text Hi',
      'call ls#toolu_1 complete {"path":"."}',
      'finish tool-calls (tool_use) {"inputTokens":1,"outputTokens":2,"totalTokens":3}',
    ])
  })

  test('the call that a limit cut off is not whole, though a message that was not streamed has it as an object', () => {
    const call = (id: string): object => ({ type: 'tool_use', id, name: 'write', input: { path: 'a' } })
    const message = (...content: object[]): object => ({
      type: 'message',
      content,
      stop_reason: 'max_tokens',
    })
    expect(read(message(call('toolu_1'), call('toolu_2')))).toEqual([
      'call write#toolu_1 complete {"path":"a"}',
      'diagnostic truncated-call',
      'call write#toolu_2 truncated {"path":"a"}',
      'finish length (max_tokens)',
    ])
    expect(read(message(call('toolu_1'), { type: 'text', text: 'And' }))).toEqual([
      'call write#toolu_1 complete {"path":"a"}',
      'text And',
      'finish length (max_tokens)',
    ])
  })

  test('a first event that was filled with what came later says nothing twice', () => {
    // Anthropic's client puts its message together in the object that this event brought.
    const filled = {
      type: 'message_start',
      message: {
        id: 'msg_1',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' } },
        ],
        stop_reason: 'tool_use',
      },
    }
    const events = [
      filled,
      open(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'Hi' }),
      close(0),
      open(1, { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }),
      json(1, '{"path":"src"'),
    ]
    expect(read(...events)).toEqual([
      'text Hi',
      'diagnostic truncated-call',
      'call ls#toolu_1 truncated {"path":"src"}',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })

  test('input that comes with the start counts only where none comes in pieces', () => {
    const begun = open(0, { type: 'tool_use', id: 'a', name: 'ls', input: { p: 1 } })
    const lines = ['call ls#a complete {"p":1}', 'finish tool-calls (tool_use)']
    expect(read(begun, close(0), ...end('tool_use'))).toEqual(lines)
    expect(read(begun, ...end('tool_use'))).toEqual(lines)
    expect(read(begun, json(0, '{"p"'), json(0, ':1}'), close(0), ...end('tool_use'))).toEqual(lines)
  })

  test('types that are new are ignored', () => {
    expect(read({ type: 'message_mood', mood: 'good' }, ...end('end_turn'))).toEqual([
      'finish stop (end_turn)',
    ])
  })

  test('a message that begins with the call of a program has that call once', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
    const block = { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' }, caller }
    const start = { type: 'message_start', message: { content: [block] } }
    const lines = [
      'call ls#toolu_1 complete {"path":"."} {"anthropic":{"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_1"}}}',
      'finish tool-calls (tool_use)',
    ]
    expect(read(start, { type: 'ping' }, ...end('tool_use'))).toEqual(lines)
    // The same block comes by itself, too: Anthropic's client fills it into the object that began the message.
    const stream = [
      { type: 'content_block_start', index: 0, content_block: { ...block, input: {} } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"path":"."}' },
      },
      { type: 'content_block_stop', index: 0 },
    ]
    expect(read(start, ...stream, ...end('tool_use'))).toEqual(lines)
    const text = [
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'Hi' } },
      { type: 'content_block_stop', index: 1 },
    ]
    expect(read(start, ...text, ...end('tool_use'))).toEqual([lines[0], 'text Hi', lines[1]])
  })

  test('a stream that ends with the whole message says nothing twice', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'a', name: 'rm', input: { p: 1 } },
    ]
    const whole = { type: 'message', role: 'assistant', content, stop_reason: 'tool_use' }
    const blocks = content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ])
    const lines = [
      'reasoning Hm {"anthropic":{"signature":"s"}}',
      'text Hello',
      'call rm#a complete {"p":1}',
      'finish tool-calls (tool_use)',
    ]
    expect(read(whole)).toEqual(lines)
    expect(read(...blocks, ...end('tool_use'), whole)).toEqual(lines)
    expect(read(...blocks.slice(0, 4), whole)).toEqual(lines)
  })

  test('what is used over several iterations is added up, with what was thought and what was cached', () => {
    const usage = {
      input_tokens: 20,
      output_tokens: 9,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 3,
      output_tokens_details: { thinking_tokens: 4 },
      iterations: [
        { type: 'compaction', input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 0 },
        {
          type: 'message',
          input_tokens: 20,
          output_tokens: 9,
          cache_read_input_tokens: 2,
          cache_creation_input_tokens: 3,
        },
      ],
    }
    expect(read(...end('end_turn', usage))).toEqual([
      'finish stop (end_turn) {"inputTokens":125,"outputTokens":19,"reasoningTokens":4,"cachedInputTokens":2,"cacheWriteInputTokens":3,"totalTokens":144}',
    ])
  })

  test('a block that is not known is passed on whole, as in a response that was not streamed', () => {
    const line = 'custom compaction {"type":"compaction","content":"Summary"}'
    expect(
      read(
        { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
        { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'Sum' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'mary' } },
        { type: 'content_block_stop', index: 0 },
        ...end('end_turn'),
      )[0],
    ).toBe(line)
    const content = [{ type: 'compaction', content: 'Summary' }]
    expect(read({ type: 'message', content, stop_reason: 'end_turn' })[0]).toBe(line)
  })

  test('the container and the details of the end are kept', () => {
    const container = { id: 'container_1', expires_at: 'later' }
    const events = eventsOf(
      [
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', container },
          context_management: { applied_edits: [] },
        },
        { type: 'message_stop' },
      ],
      { provider: 'anthropic' },
    )
    expect(events.at(-1)).toMatchObject({
      metadata: { anthropic: { container, contextManagement: { applied_edits: [] } } },
    })
  })
})
