import { describe, expect, test } from 'vitest'
import { hermes } from '../../../src/dialects/index.ts'
import { eventsOf, sse, told } from '../told.ts'

const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'openai-responses' }))
const event = (type: string, fields: object = {}): object => ({ type: `response.${type}`, ...fields })
const added = (output_index: number, item: object): object =>
  event('output_item.added', { output_index, item })
const done = (output_index: number, item: object): object => event('output_item.done', { output_index, item })
const end = (response: object = {}): object =>
  event('completed', { response: { status: 'completed', ...response } })
const SHELL = {
  type: 'shell_call',
  id: 'sh',
  call_id: 'c',
  action: { commands: ['ls'] },
  environment: { type: 'container_reference', container_id: 'cntr' },
}
const STOP = 'finish stop (completed)'
const CALLS = 'finish tool-calls (completed)'

describe('events with numbers', () => {
  const message = { type: 'message', content: [] }
  const call = { type: 'custom_tool_call', call_id: 'c', name: 'say', input: '' }
  const text = (delta: string): object => event('output_text.delta', { output_index: 0, delta })
  const input = (delta: string): object => event('custom_tool_call_input.delta', { output_index: 1, delta })
  const PAYLOADS = [
    event('created', { response: { id: 'r', status: 'in_progress' } }),
    added(0, message),
    text('ha'),
    text('ha'),
    done(0, message),
    added(1, call),
    input('ho'),
    input('ho'),
    done(1, { ...call, input: 'hoho' }),
    end(),
  ]
  const numbered = (numberOf: (at: number) => unknown): object[] =>
    PAYLOADS.map((payload, at) => ({ ...payload, sequence_number: numberOf(at) }))
  const LINES = ['text ha|ha', 'call say#c complete "hoho"', CALLS]

  const withAt = (payloads: object[], at: number, again: object): object[] => [
    ...payloads.slice(0, at),
    again,
    ...payloads.slice(at),
  ]

  test('are read once, wherever they come again', () => {
    const payloads = numbered((at) => at)
    for (const [from, payload] of payloads.entries())
      for (let to = from + 1; to < payloads.length; to++)
        expect(read(...withAt(payloads, to, payload)), `${from} before ${to}`).toEqual(LINES)
  })

  test('begin anew with another response', () => {
    const next = [
      event('created', { response: { id: 'other', status: 'in_progress' } }),
      added(0, message),
      text('hi'),
      done(0, message),
      end({ id: 'other' }),
    ].map((payload, at) => ({ ...payload, sequence_number: at }))
    const first = numbered((at) => at)
    expect(read(...first, ...next)).toEqual(['text ha|ha', 'call say#c complete "hoho"', 'text hi', CALLS])
    expect(read(...first, ...next, ...next)).toEqual([
      'text ha|ha',
      'call say#c complete "hoho"',
      'text hi',
      CALLS,
    ])
    // The first was not finished.
    expect(read(...first.slice(0, 4), ...next)).toEqual(['text ha|ha|hi', STOP])
  })

  test('may begin with any number', () => {
    const payloads = numbered((at) => at + 40)
    expect(read(...withAt(payloads, 4, payloads[3]!))).toEqual(LINES)
  })

  test.each<[what: string, numberOf: (at: number) => unknown]>([
    ['none', () => undefined],
    ['always the same', () => 0],
    ['those of each item from the start', (at) => (at < 5 ? at : at - 5)],
    ['from the start for each item, behind that of the response', (at) => (at === 0 ? 0 : (at - 1) % 4)],
    ['backwards', (at) => 100 - at],
    ['with gaps', (at) => at * 2],
    ['text', (at) => `${at}`],
    ['some', (at) => (at % 3 === 1 ? undefined : at)],
  ])('that do not count are all read: %s', (_, numberOf) => {
    expect(read(...numbered(numberOf))).toEqual(LINES)
  })
})

describe('OpenAI Responses', () => {
  test('reasoning, text and a call', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
    const message = { type: 'message', id: 'msg_1', content: [] }
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '' }
    const payloads = [
      event('created', { response: { id: 'resp_1', model: 'm', status: 'in_progress' } }),
      added(0, reasoning),
      event('reasoning_summary_part.added', { output_index: 0, summary_index: 0 }),
      event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'Hm' }),
      event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: '.' }),
      event('reasoning_summary_text.done', { output_index: 0, summary_index: 0, text: 'Hm.' }),
      event('reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'So.' }),
      done(0, { ...reasoning, encrypted_content: 'gAAA', summary: [{ text: 'Hm.' }, { text: 'So.' }] }),
      added(1, message),
      event('content_part.added', {
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: '' },
      }),
      event('output_text.delta', { output_index: 1, content_index: 0, delta: 'Hi' }),
      event('output_text.done', { output_index: 1, content_index: 0, text: 'Hi' }),
      done(1, { ...message, content: [{ type: 'output_text', text: 'Hi' }] }),
      added(2, call),
      event('function_call_arguments.delta', { output_index: 2, item_id: 'a', delta: '{"path"' }),
      event('function_call_arguments.delta', { output_index: 2, item_id: 'b', delta: ':"."}' }),
      event('function_call_arguments.done', { output_index: 2, arguments: '{"path":"."}' }),
      done(2, { ...call, arguments: '{"path":"."}' }),
      end({
        output: [reasoning, message, { ...call, arguments: '{"path":"."}' }],
        usage: {
          input_tokens: 3,
          output_tokens: 4,
          total_tokens: 7,
          output_tokens_details: { reasoning_tokens: 2 },
          input_tokens_details: { cached_tokens: 1 },
        },
      }),
    ]
    const lines = [
      'reasoning Hm|. {"openai-responses":{"itemId":"rs_1"}}',
      'reasoning So. {"openai-responses":{"itemId":"rs_1","encryptedContent":"gAAA"}}',
      'text Hi {"openai-responses":{"itemId":"msg_1"}}',
      'call ls#call_1 complete {"path":"."} {"openai-responses":{"itemId":"fc_1"}}',
      'finish tool-calls (completed) {"inputTokens":3,"outputTokens":4,"totalTokens":7,"reasoningTokens":2,"cachedInputTokens":1}',
    ]
    expect(read(...payloads)).toEqual(lines)
    expect(told(eventsOf([sse(...payloads)]))).toEqual(lines)
  })

  test('what came only as a whole is said then', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'ls', arguments: '{"p":1}' }
    const message = {
      type: 'message',
      content: [{ type: 'output_text', text: 'Hi', annotations: [{ url: 'u' }] }],
    }
    const lines = ['text Hi', 'custom annotation {"url":"u"}', 'call ls#c complete {"p":1}', CALLS]
    expect(read(done(0, message), done(1, call), end())).toEqual(lines)
    expect(read(end({ output: [message, call] }))).toEqual(lines)
    expect(read({ object: 'response', status: 'completed', output: [message, call] })).toEqual(lines)
    expect(read(event('output_text.done', { output_index: 0, content_index: 0, text: 'Hi' }), end())).toEqual(
      ['text Hi', STOP],
    )
  })

  test('encrypted reasoning that nobody may read', () => {
    expect(
      read(done(0, { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' }), end()),
    ).toEqual(['reasoning  {"openai-responses":{"itemId":"rs","encryptedContent":"x"}}', STOP])
  })

  test('two calls at once, told apart by their place', () => {
    expect(
      read(
        added(0, { type: 'function_call', call_id: 'a', name: 'ls' }),
        added(1, { type: 'function_call', call_id: 'b', name: 'ls' }),
        event('function_call_arguments.delta', { output_index: 1, delta: '{"p"' }),
        event('function_call_arguments.delta', { output_index: 0, delta: '{}' }),
        event('function_call_arguments.delta', { output_index: 1, delta: ':1}' }),
        end(),
      ),
    ).toEqual(['call ls#a complete {}', 'call ls#b complete {"p":1}', CALLS])
  })

  test('a custom tool takes free text, and is cut off where its item is not done', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '' }
    const delta = (text: string): object =>
      event('custom_tool_call_input.delta', { output_index: 0, delta: text })
    expect(
      read(added(0, item), delta('a\n'), delta('b'), done(0, { ...item, input: 'a\nb' }), end()),
    ).toEqual(['call patch#c complete "a\\nb"', CALLS])
    expect(read(added(0, item), delta('a\n'))).toEqual([
      'diagnostic truncated-call',
      'call patch#c truncated "a\\n"',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })

  test('a call whose item is not complete was cut off, also one that has no arguments yet', () => {
    const cut = (item: object): string[] => {
      const incomplete = {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [item],
      }
      const whole = read(added(0, item), done(0, item), event('incomplete', { response: incomplete }))
      // The same without its own end, and as a response that was not streamed.
      expect(read(added(0, item), event('incomplete', { response: incomplete }))).toEqual(whole)
      expect(read({ object: 'response', ...incomplete })).toEqual(whole)
      return whole.filter((line) => line.startsWith('call'))
    }
    const status = 'incomplete'
    expect(cut({ type: 'function_call', call_id: 'c', name: 'wipe', arguments: '', status })).toEqual([
      'call wipe#c truncated {}',
    ])
    expect(cut({ type: 'custom_tool_call', call_id: 'c', name: 'sh', input: 'rm -rf /tmp', status })).toEqual(
      ['call sh#c truncated "rm -rf /tmp"'],
    )
    const action = { type: 'exec', command: ['rm'] }
    expect(cut({ type: 'local_shell_call', call_id: 'c', action, status })).toEqual([
      'call local_shell#c truncated {} {"openai-responses":{"type":"local_shell_call"}}',
    ])
  })

  test('an output that lacks items makes no call of another one', () => {
    const a = { type: 'function_call', call_id: 'a', name: 'ls', arguments: '' }
    const b = { type: 'function_call', call_id: 'b', name: 'ls', arguments: '{"p":"b"}' }
    const cut = event('function_call_arguments.delta', { output_index: 0, delta: '{"p":' })
    const truncated = ['diagnostic truncated-call', 'call ls#a truncated {}', CALLS]
    const whole = ['call ls#b complete {"p":"b"}', ...truncated]
    expect(read(added(0, a), cut, added(1, b), done(1, b), end({ output: [b] }))).toEqual(whole)
    expect(read(added(0, a), cut, end({ output: [b] }))).toEqual(whole)
  })

  test('an output that lacks items and renames the others says nothing twice', () => {
    const message = (id: string, text: string): object => ({
      type: 'message',
      id,
      content: text === '' ? [] : [{ type: 'output_text', text }],
    })
    expect(
      read(
        added(0, { type: 'reasoning', id: 'r' }),
        added(1, message('one', '')),
        event('output_text.delta', { output_index: 1, delta: 'Hi' }),
        done(1, message('two', 'Hi')),
        end({ output: [message('three', 'Hi')] }),
      ),
    ).toEqual(['text Hi {"openai-responses":{"itemId":"one"}}', STOP])
  })

  test('events that do not say their place have the first one', () => {
    const parts = [{ type: 'output_text', text: 'Hi' }]
    const summary = [{ type: 'summary_text', text: 'Hm' }]
    expect(
      read(
        event('reasoning_summary_text.delta', { delta: 'Hm' }),
        event('output_item.done', { item: { type: 'reasoning', summary } }),
        event('output_item.added', { item: { type: 'message' } }),
        event('output_text.delta', { delta: 'Hi' }),
        event('output_item.done', { item: { type: 'message', content: parts } }),
        end(),
      ),
    ).toEqual(['reasoning Hm', 'text Hi', STOP])
  })

  test.each<[what: string, payloads: object[], expected: string[]]>([
    [
      'a web search',
      [
        added(0, { type: 'web_search_call', id: 'ws', status: 'in_progress' }),
        event('web_search_call.searching', { output_index: 0 }),
        done(0, { type: 'web_search_call', id: 'ws', action: { type: 'search', query: 'x' } }),
      ],
      [
        'call web_search#ws complete {"action":{"type":"search","query":"x"}} theirs {"openai-responses":{"type":"web_search_call"}}',
      ],
    ],
    [
      'a program',
      [
        added(0, { type: 'code_interpreter_call', id: 'ci' }),
        event('code_interpreter_call_code.delta', { output_index: 0, delta: 'print(' }),
        event('code_interpreter_call_code.delta', { output_index: 0, delta: '"a")' }),
        done(0, { type: 'code_interpreter_call', id: 'ci', code: 'print("a")', outputs: [{ logs: 'a' }] }),
      ],
      [
        'call code_interpreter#ci complete {"code":"print(\\"a\\")"} theirs {"openai-responses":{"type":"code_interpreter_call"}}',
        'tool-result ci [{"logs":"a"}]',
      ],
    ],
    [
      'a tool of an MCP server that failed',
      [
        added(0, { type: 'mcp_call', id: 'm', name: 'ask', server_label: 's', arguments: '' }),
        event('mcp_call_arguments.delta', { output_index: 0, delta: '{"q":1}' }),
        done(0, { type: 'mcp_call', id: 'm', name: 'ask', arguments: '{"q":1}', error: 'no' }),
      ],
      [
        'call ask#m complete {"q":1} theirs {"openai-responses":{"type":"mcp_call","serverLabel":"s"}}',
        'tool-result m failed no',
      ],
    ],
    [
      'a shell command in a container',
      [
        added(0, { ...SHELL, action: { commands: [] } }),
        done(0, SHELL),
        added(1, { type: 'shell_call_output', id: 'sho', call_id: 'c', output: [] }),
        done(1, { type: 'shell_call_output', id: 'sho', call_id: 'c', output: [{ stdout: 'a.ts' }] }),
      ],
      [
        'call shell#c complete {"commands":["ls"]} theirs {"openai-responses":{"itemId":"sh","type":"shell_call","environment":{"type":"container_reference","container_id":"cntr"}}}',
        'tool-result c [{"stdout":"a.ts"}] {"openai-responses":{"itemId":"sho","type":"shell_call_output"}}',
      ],
    ],
    [
      'a shell command of which only the end says where it runs',
      [added(0, { ...SHELL, environment: null }), done(0, SHELL)],
      [
        'call shell#c complete {"commands":["ls"]} theirs {"openai-responses":{"itemId":"sh","type":"shell_call","environment":{"type":"container_reference","container_id":"cntr"}}}',
      ],
    ],
    [
      'a program that calls tools',
      [
        added(0, { type: 'program', id: 'cm', call_id: 'p', code: '', fingerprint: 'f' }),
        done(0, { type: 'program', id: 'cm', call_id: 'p', code: 'text(1)', fingerprint: 'f' }),
        done(1, { type: 'program_output', id: 'po', call_id: 'p', result: '1' }),
      ],
      [
        'call program#p complete {"code":"text(1)"} theirs {"openai-responses":{"itemId":"cm","type":"program","fingerprint":"f"}}',
        'tool-result p 1 {"openai-responses":{"itemId":"po","type":"program_output"}}',
      ],
    ],
    [
      'a search for tools on the server',
      [
        done(0, {
          type: 'tool_search_call',
          id: 'ts',
          call_id: 't',
          execution: 'server',
          arguments: { goal: 'x' },
        }),
        done(1, { type: 'tool_search_output', call_id: 't', execution: 'server', tools: [{ name: 'ls' }] }),
      ],
      [
        'call tool_search#t complete {"goal":"x"} theirs {"openai-responses":{"itemId":"ts","type":"tool_search_call","execution":"server"}}',
        'tool-result t [{"name":"ls"}] {"openai-responses":{"type":"tool_search_output","execution":"server"}}',
      ],
    ],
    [
      'searches for tools on the server that name no call',
      [
        done(0, {
          type: 'tool_search_call',
          id: 'ts1',
          call_id: null,
          execution: 'server',
          arguments: { goal: 'x' },
        }),
        done(1, {
          type: 'tool_search_call',
          id: 'ts2',
          call_id: null,
          execution: 'server',
          arguments: { goal: 'y' },
        }),
        done(2, { type: 'tool_search_output', id: 'to1', call_id: null, execution: 'server', tools: [] }),
        done(3, {
          type: 'tool_search_output',
          id: 'to2',
          call_id: null,
          execution: 'server',
          tools: [{ name: 'y' }],
        }),
      ],
      [
        'call tool_search#ts1 complete {"goal":"x"} theirs {"openai-responses":{"type":"tool_search_call","execution":"server"}}',
        'call tool_search#ts2 complete {"goal":"y"} theirs {"openai-responses":{"type":"tool_search_call","execution":"server"}}',
        'tool-result ts1 [] {"openai-responses":{"itemId":"to1","type":"tool_search_output","execution":"server"}}',
        'tool-result ts2 [{"name":"y"}] {"openai-responses":{"itemId":"to2","type":"tool_search_output","execution":"server"}}',
      ],
    ],
    [
      'a web search of xAI',
      [
        done(0, {
          type: 'web_search_call',
          id: 'ws',
          call_id: '',
          name: 'web_search',
          arguments: '{"query":"x"}',
        }),
      ],
      ['call web_search#ws complete {"query":"x"} theirs {"openai-responses":{"type":"web_search_call"}}'],
    ],
    [
      'a search of xAI, which comes as the call of a custom tool,',
      [
        added(0, { type: 'custom_tool_call', id: 'x', call_id: 'c', name: 'x_keyword_search', input: '' }),
        event('custom_tool_call_input.delta', { output_index: 0, delta: '{"query":"x"}' }),
        done(0, {
          type: 'custom_tool_call',
          id: 'x',
          call_id: 'c',
          name: 'x_keyword_search',
          input: '{"query":"x"}',
        }),
      ],
      ['call x_keyword_search#c complete {"query":"x"} theirs {"openai-responses":{"itemId":"x"}}'],
    ],
    [
      'any custom tool of a model of xAI',
      [
        event('created', { response: { model: 'x-ai/grok-4-fast' } }),
        done(0, { type: 'custom_tool_call', id: 'x', call_id: 'c', name: 'view_image', input: '{"n":1}' }),
      ],
      ['call view_image#c complete {"n":1} theirs {"openai-responses":{"itemId":"x"}}'],
    ],
  ])('%s is run by the provider', (_, payloads, expected) => {
    expect(read(...payloads, end())).toEqual([...expected, STOP])
  })

  test.each([
    [undefined, ''],
    [null, ''],
    [{ type: 'local' }, ',"environment":{"type":"local"}'],
  ])('a shell call is ours to run: %j', (environment, kept) => {
    const item = { ...SHELL, environment }
    expect(read(added(0, item), done(0, item), end())).toEqual([
      `call shell#c complete {"commands":["ls"]} {"openai-responses":{"itemId":"sh","type":"shell_call"${kept}}}`,
      CALLS,
    ])
  })

  test('a search for tools is ours to run where the item says so', () => {
    const item = { type: 'tool_search_call', call_id: 't', execution: 'client', arguments: { goal: 'x' } }
    expect(read(done(0, item), end())).toEqual([
      'call tool_search#t complete {"goal":"x"} {"openai-responses":{"type":"tool_search_call","execution":"client"}}',
      CALLS,
    ])
  })

  test('a search for tools has the id that it is done with', () => {
    const item = { type: 'tool_search_call', id: 'tsc', execution: 'client' }
    const whole = { ...item, call_id: 'second', arguments: { goal: 'x' } }
    const lines = [
      'call tool_search#second complete {"goal":"x"} {"openai-responses":{"itemId":"tsc","type":"tool_search_call","execution":"client"}}',
      CALLS,
    ]
    const first = added(0, { ...item, call_id: 'first', arguments: {} })
    expect(read(first, done(0, whole), end({ output: [whole] }))).toEqual(lines)
    expect(read(first, end({ output: [whole] }), done(0, whole))).toEqual(lines)
  })

  test.each([
    [
      'a function',
      { type: 'function_call', call_id: 'c', name: 'wipe', arguments: '' },
      'wipe#c truncated {}',
    ],
    ['a search', { type: 'tool_search_call', call_id: 'c', arguments: {} }, 'tool_search#c truncated {}'],
    ['a shell', { type: 'local_shell_call', call_id: 'c' }, 'local_shell#c truncated {}'],
    ['free text', { type: 'custom_tool_call', call_id: 'c', name: 'sh', input: 'rm' }, 'sh#c truncated "rm"'],
  ])('a call that the provider does not end was cut off: %s', (_, item, line) => {
    expect(read(added(0, item), end())[1]).toContain(`call ${line}`)
  })

  test('a call whose input the provider ended is whole', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'wipe', arguments: '' }
    const input = event('function_call_arguments.done', { output_index: 0, arguments: '{"a":1}' })
    expect(read(added(0, call), input, end())).toEqual(['call wipe#c complete {"a":1}', CALLS])
    const custom = { type: 'custom_tool_call', call_id: 'c', name: 'sh', input: '' }
    const text = event('custom_tool_call_input.done', { output_index: 0, input: 'rm' })
    expect(read(added(0, custom), text, end())).toEqual(['call sh#c complete "rm"', CALLS])
  })

  test.each<[call: object, output: object, lines: string[]]>([
    [
      { type: 'function_call', name: 'ls', arguments: '{}' },
      { type: 'function_call_output', output: 'a.ts' },
      ['call ls#c complete {}', 'tool-result c a.ts'],
    ],
    [
      { type: 'custom_tool_call', name: 'sh', input: 'ls' },
      { type: 'custom_tool_call_output', output: 'a.ts' },
      ['call sh#c complete "ls"', 'tool-result c a.ts'],
    ],
    [
      { type: 'local_shell_call', action: { command: ['ls'] } },
      { type: 'local_shell_call_output', output: 'a.ts' },
      [
        'call local_shell#c complete {"command":["ls"]} {"openai-responses":{"type":"local_shell_call"}}',
        'tool-result c a.ts {"openai-responses":{"type":"local_shell_call_output"}}',
      ],
    ],
    [
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
      { type: 'apply_patch_call_output', status: 'failed', output: 'There is no a.' },
      [
        'call apply_patch#c complete {"type":"delete_file","path":"a"} {"openai-responses":{"type":"apply_patch_call"}}',
        'tool-result c failed There is no a. {"openai-responses":{"type":"apply_patch_call_output"}}',
      ],
    ],
  ])('a call that is answered in the same response waits for nobody: %j', (call, output, lines) => {
    const items = [call, output].map((item) => ({ call_id: 'c', ...item }))
    expect(read(...items.map((item, index) => done(index, item)), end({ output: items }))).toEqual([
      ...lines,
      STOP,
    ])
    expect(read({ object: 'response', status: 'completed', output: items })).toEqual([...lines, STOP])
    expect(read(done(0, items[0]!), end({ output: items }))).toEqual([...lines, STOP])
  })

  test('a refusal is text, and says that it is one', () => {
    expect(read(event('refusal.delta', { output_index: 0, content_index: 0, delta: 'No.' }), end())).toEqual([
      'text No. {"openai-responses":{"refusal":true}}',
      STOP,
    ])
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['something new', 'other'],
  ])('incomplete because of %s is %s', (reason, expected) => {
    const response = { status: 'incomplete', incomplete_details: { reason } }
    expect(read(event('incomplete', { response }))).toEqual([`finish ${expected} (${reason})`])
  })

  test.each([
    ['flat', { type: 'error', code: 'server_error', message: 'Boom' }],
    ['nested', { type: 'error', error: { code: 'server_error', message: 'Boom' } }],
    ['in the response', event('failed', { response: { status: 'failed', error: { message: 'Boom' } } })],
  ])('an error that is %s, said once', (_, error) => {
    const failed = event('failed', { response: { status: 'failed', error: { message: 'Boom' } } })
    expect(read(error, failed)).toEqual(['error Boom', 'finish error (failed)'])
  })

  test('items that are new are passed on as they are', () => {
    expect(read(done(0, { type: 'dance', steps: 3 }), end())).toEqual([
      'custom dance {"type":"dance","steps":3}',
      STOP,
    ])
  })

  test('arguments that a later event changes make the call invalid, and another spelling of them does not', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'rm', arguments: '' }
    const delta = event('function_call_arguments.delta', { output_index: 0, delta: '{"p":"/a","r":1}' })
    const whole = (text: string): object =>
      event('function_call_arguments.done', { output_index: 0, arguments: text })
    const changed = '{"p":"/b","r":1}'
    const invalid = ['diagnostic malformed-call', 'call rm#c invalid {"p":"/a","r":1}', CALLS]
    expect(read(added(0, item), delta, whole(changed), end())).toEqual(invalid)
    expect(read(added(0, item), delta, done(0, { ...item, arguments: changed }), end())).toEqual(invalid)
    expect(read(added(0, item), delta, end({ output: [{ ...item, arguments: changed }] }))).toEqual(invalid)
    // The next call begins between the two.
    const next = added(1, { ...item, call_id: 'd', arguments: '{}' })
    expect(read(added(0, item), delta, whole(changed), next, done(0, item), end())[1]).toBe(invalid[1])
    expect(read(added(0, item), delta, whole('{"r": 1, "p": "/a"}'), end())).toEqual([
      'call rm#c complete {"p":"/a","r":1}',
      CALLS,
    ])
  })

  test('free text that a later event changes makes the call invalid', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'sh', input: '' }
    const delta = event('custom_tool_call_input.delta', { output_index: 0, delta: 'ls /a' })
    const whole = event('custom_tool_call_input.done', { output_index: 0, input: 'ls /b' })
    const invalid = ['diagnostic malformed-call', 'call sh#c invalid "ls /a"', CALLS]
    expect(read(added(0, item), delta, whole, end())).toEqual(invalid)
    expect(read(added(0, item), delta, done(0, { ...item, input: 'ls' }), end())).toEqual(invalid)
    expect(read(added(0, item), delta, done(0, { ...item, input: 'ls /a -l' }), end())).toEqual([
      'call sh#c complete "ls /a -l"',
      CALLS,
    ])
  })

  test('a computer is told to act once or several times, and does not run before a safety check is acknowledged', () => {
    const item = { type: 'computer_call', id: 'cu', call_id: 'c', pending_safety_checks: [] }
    const click = { type: 'click', x: 1, y: 2 }
    const check = { id: 'sc', code: 'malicious_instructions', message: 'Look.' }
    expect(read(done(0, { ...item, action: click }), end())).toEqual([
      'call computer#c complete {"type":"click","x":1,"y":2} {"openai-responses":{"itemId":"cu","type":"computer_call"}}',
      CALLS,
    ])
    expect(
      read(done(0, { ...item, actions: [click, { type: 'wait' }], pending_safety_checks: [check] }), end()),
    ).toEqual([
      'diagnostic malformed-call',
      'call computer#c invalid {"actions":[{"type":"click","x":1,"y":2},{"type":"wait"}]} {"openai-responses":{"itemId":"cu","type":"computer_call","pendingSafetyChecks":[{"id":"sc","code":"malicious_instructions","message":"Look."}]}}',
      CALLS,
    ])
  })

  test.each([
    ['when the item was added', { pending_safety_checks: [{ id: 'sc' }] }, {}, 'invalid'],
    ['when it was done', {}, { pending_safety_checks: [{ id: 'sc' }] }, 'invalid'],
    ['as something that is no list', {}, { pending_safety_checks: 'yes' }, 'invalid'],
    ['as an empty list', { pending_safety_checks: [] }, { pending_safety_checks: null }, 'complete'],
    [
      'for an action that was cut off',
      {},
      { pending_safety_checks: [{ id: 'sc' }], status: 'incomplete' },
      'truncated',
    ],
  ])('a safety check %s', (_, first, last, status) => {
    const item = { type: 'computer_call', id: 'cu', call_id: 'c', action: { type: 'wait' } }
    const events = eventsOf([added(0, { ...item, ...first }), done(0, { ...item, ...last }), end()])
    expect(events.find((event) => event.type === 'tool-call')).toMatchObject({ id: 'c', status })
  })

  test('a safety check is told in the words of OpenAI', () => {
    const checks = [
      { id: 'a', code: 'malicious_instructions', message: 'Look.' },
      { code: 'sensitive_domain' },
    ]
    const item = { type: 'computer_call', call_id: 'c', action: {}, pending_safety_checks: checks }
    const call = eventsOf([done(0, item), end()]).find((event) => event.type === 'tool-call')
    expect(call?.error?.message).toBe(
      'A person has to acknowledge a safety check before this runs: Look. sensitive_domain',
    )
  })

  test('a call that waits for an approval is not ours to run, and the response waits for an answer', () => {
    const item = {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      name: 'roll',
      server_label: 'dice',
      arguments: '{"sides":6}',
    }
    const lines = [
      'call roll#mcpr_1 complete {"sides":6} theirs {"openai-responses":{"type":"mcp_approval_request","serverLabel":"dice"}}',
      `custom mcp_approval_request ${JSON.stringify(item)}`,
      CALLS,
    ]
    expect(read(added(0, item), done(0, item), end())).toEqual(lines)
    expect(read({ object: 'response', status: 'completed', output: [item] })).toEqual(lines)
  })

  test('what goes back with an item is kept: its id, caller, namespace and phase', () => {
    const caller = { type: 'program', caller_id: 'p' }
    expect(
      read(
        done(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
        done(1, {
          type: 'message',
          id: 'msg_1',
          phase: 'commentary',
          content: [{ type: 'output_text', text: 'Hi' }],
        }),
        done(2, {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'c',
          name: 'ls',
          namespace: 'files',
          caller,
          arguments: '{}',
        }),
        end(),
      ),
    ).toEqual([
      'reasoning  {"openai-responses":{"itemId":"rs_1"}}',
      'text Hi {"openai-responses":{"itemId":"msg_1","phase":"commentary"}}',
      'call ls#c complete {} {"openai-responses":{"itemId":"fc_1","caller":{"type":"program","caller_id":"p"},"namespace":"files"}}',
      CALLS,
    ])
  })

  test('annotations that only the end has are told, and those that came before are not told again', () => {
    const annotations = [{ url: 'a' }, { url: 'b' }]
    const message = { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Hi', annotations }] }
    const delta = event('output_text.delta', { output_index: 0, content_index: 0, delta: 'Hi' })
    const first = event('output_text.annotation.added', { output_index: 0, annotation: { url: 'a' } })
    expect(read(delta, first, done(0, message), end())).toEqual([
      'text Hi',
      'custom annotation {"url":"a"}',
      'custom annotation {"url":"b"}',
      STOP,
    ])
  })

  test('pieces of something that is not known are passed on, and other events are counted', () => {
    const ignored: string[] = []
    const events = eventsOf(
      [event('hologram.delta', { delta: 'x' }), event('hologram.done'), event('hologram.opened'), end()],
      { provider: 'openai-responses', onIgnored: (what) => ignored.push(what) },
    )
    expect(told(events)).toEqual([
      'custom hologram.delta {"type":"response.hologram.delta","delta":"x"}',
      STOP,
    ])
    expect(ignored).toEqual(['response.hologram.done', 'response.hologram.opened'])
  })

  test('a session of Realtime is refused', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'rm', arguments: '{}' }
    const response = { object: 'realtime.response', status: 'completed', output: [call] }
    const refused = [
      "error This is OpenAI's Realtime, a session of many responses, which is not read here. Read one response of the Responses API.",
      'finish error',
    ]
    const session = [{ type: 'session.created', session: {} }, event('done', { response })]
    expect(told(eventsOf(session))).toEqual(refused)
    expect(read(...session)).toEqual(refused)
    expect(read(event('created', { response }), added(0, call), event('done', { response }))).toEqual(refused)
  })

  test('the id of a message whose text is a call names no text', () => {
    const called = '<tool_call>{"name":"ls","arguments":{}}</tool_call>'
    const payloads = (text: string): object[] => [
      added(0, { type: 'message', id: 'msg_1' }),
      event('output_text.delta', { output_index: 0, delta: text }),
      end(),
    ]
    const options = { provider: 'openai-responses', dialect: hermes }
    expect(told(eventsOf(payloads(called), options))).toEqual(['call ls#call-1 complete {}', CALLS])
    expect(told(eventsOf(payloads(`Hi${called}`), options))).toEqual([
      'text Hi {"openai-responses":{"itemId":"msg_1"}}',
      'call ls#call-2 complete {}',
      CALLS,
    ])
  })
})
