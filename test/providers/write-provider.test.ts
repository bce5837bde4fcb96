import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { findWriter } from '../../src/providers/any.ts'
import { ollamaWriter } from '../../src/providers/index.ts'
import type { WireFormat } from '../../src/providers/wire-format.ts'
import { createWriter, writeProvider } from '../../src/providers/write-provider.ts'
import { eventsOf, told } from './told.ts'

const ABOUT = { id: 'r1', model: 'm', created: 1_700_000_000 }

function write(format: string, events: readonly SluiceEvent[]): string {
  const writer = createWriter(findWriter(format), ABOUT)
  return events.map((event) => writer.add(event)).join('')
}
/** Written, and what a reader of that format understands of it. */
const readBack = (format: string, events: readonly SluiceEvent[]): string[] =>
  told(eventsOf([write(format, events)], { provider: format }))

const text = (id: string, delta: string, metadata?: object): SluiceEvent[] => [
  { type: 'text-start', id, ...(metadata && { metadata: metadata as Record<string, unknown> }) },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
const call = (id: string, input: ToolCall['input'], more: Partial<ToolCall> = {}): SluiceEvent[] => {
  const theirs = more.providerExecuted ? { providerExecuted: true } : {}
  return [
    { type: 'tool-input-start', id, toolName: 'ls', ...theirs },
    ...(more.raw === undefined
      ? [{ type: 'tool-input-delta' as const, id, delta: JSON.stringify(input) }]
      : []),
    ...(more.raw ? [{ type: 'tool-input-delta' as const, id, delta: more.raw }] : []),
    { type: 'tool-input-end', id },
    { type: 'tool-call', id, toolName: 'ls', input, status: 'complete', repairs: [], ...more },
  ]
}
const finish = (
  reason: Extract<SluiceEvent, { type: 'finish' }>['reason'],
  more: object = {},
): SluiceEvent => ({
  type: 'finish',
  reason,
  ...more,
})
const FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'ollama', 'gemini', 'ai-sdk-ui', 'ag-ui']

describe('what is written', () => {
  test('as Chat Completions', () => {
    const head = '{"id":"r1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":'
    expect(write('openai-chat', [...text('t', 'Hi'), ...call('c', { p: 1 }), finish('tool-calls')])).toBe(
      [
        `data: ${head}[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}`,
        `data: ${head}[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"ls","arguments":"{\\"p\\":1"}}]},"finish_reason":null}]}`,
        `data: ${head}[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]},"finish_reason":null}]}`,
        `data: ${head}[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
        'data: [DONE]',
        '',
      ].join('\n\n'),
    )
  })

  test('as Anthropic Messages', () => {
    const written = write('anthropic', [
      ...text('t', 'Hi'),
      ...call('c', { p: 1 }),
      finish('tool-calls', { usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 3 } }),
    ])
    expect(written.split('\n').filter((line) => line.startsWith('data: '))).toEqual([
      'data: {"type":"message_start","message":{"id":"r1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}}',
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
      'data: {"type":"content_block_stop","index":0}',
      'data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"ls","input":{}}}',
      'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"p\\":1"}}',
      'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"}"}}',
      'data: {"type":"content_block_stop","index":1}',
      'data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":2,"cache_read_input_tokens":3,"output_tokens":2}}',
      'data: {"type":"message_stop"}',
    ])
    expect(written.startsWith('event: message_start\ndata: ')).toBe(true)
  })

  test('as Ollama', () => {
    const head =
      '{"model":"m","created_at":"2023-11-14T22:13:20.000Z","message":{"role":"assistant","content":'
    expect(
      write('ollama', [
        ...text('t', 'Hi'),
        ...call('c', { p: 1 }),
        finish('tool-calls', { usage: { inputTokens: 5, outputTokens: 2 } }),
      ]),
    ).toBe(
      [
        `${head}"Hi"},"done":false}`,
        `${head}"","tool_calls":[{"id":"c","function":{"name":"ls","arguments":{"p":1}}}]},"done":false}`,
        `${head}""},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":2}`,
        '',
      ].join('\n'),
    )
  })

  test('as a UI message stream', () => {
    expect(write('ai-sdk-ui', [...text('t', 'Hi'), ...call('c', { p: 1 }), finish('tool-calls')])).toBe(
      [
        'data: {"type":"start","messageId":"r1"}',
        'data: {"type":"start-step"}',
        'data: {"type":"text-start","id":"t"}',
        'data: {"type":"text-delta","id":"t","delta":"Hi"}',
        'data: {"type":"text-end","id":"t"}',
        'data: {"type":"tool-input-start","toolCallId":"c","toolName":"ls"}',
        'data: {"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"{\\"p\\":1}"}',
        'data: {"type":"tool-input-available","toolCallId":"c","toolName":"ls","input":{"p":1}}',
        'data: {"type":"finish-step"}',
        'data: {"type":"finish","finishReason":"tool-calls"}',
        'data: [DONE]',
        '',
      ].join('\n\n'),
    )
  })

  test('as Gemini', () => {
    const tail = '"modelVersion":"m","responseId":"r1"}'
    expect(
      write('gemini', [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
        { type: 'reasoning-end', id: 'r', metadata: { gemini: { thoughtSignature: 'sig' } } },
        ...text('t', 'Hi'),
        ...call('c', { p: 1 }),
        finish('tool-calls', { usage: { inputTokens: 5, outputTokens: 4, reasoningTokens: 1 } }),
      ]),
    ).toBe(
      [
        `data: {"candidates":[{"content":{"parts":[{"text":"Hm","thought":true}],"role":"model"},"index":0}],${tail}`,
        `data: {"candidates":[{"content":{"parts":[{"text":"","thought":true,"thoughtSignature":"sig"}],"role":"model"},"index":0}],${tail}`,
        `data: {"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"},"index":0}],${tail}`,
        `data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"ls","args":{"p":1}}}],"role":"model"},"index":0}],${tail}`,
        `data: {"candidates":[{"content":{"parts":[],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":3,"thoughtsTokenCount":1},${tail}`,
        '',
      ].join('\n\n'),
    )
  })

  test('as Gemini, a call that may not run is none, and the response says so if it stopped for it', () => {
    const bad = call('c', {}, { status: 'invalid' })
    const reasons = [
      [...bad, finish('tool-calls')],
      [...bad, finish('length')],
      [...bad, ...call('d', {}), finish('tool-calls')],
    ].map((events) => /"finishReason":"(\w+)"/.exec(write('gemini', events))?.[1])
    expect(reasons).toEqual(['MALFORMED_FUNCTION_CALL', 'MAX_TOKENS', 'STOP'])
    expect(write('gemini', [...bad, finish('tool-calls')])).not.toContain('functionCall')
  })

  test('as Gemini, a program that the provider ran, and what it printed', () => {
    const code = { language: 'PYTHON', code: 'print(1)' }
    const events = call('c', code, { providerExecuted: true, toolName: 'code_execution' }).map((event) =>
      event.type === 'tool-input-start' ? { ...event, toolName: 'code_execution' } : event,
    )
    const result: SluiceEvent[] = [
      { type: 'tool-result-start', id: 'c' },
      { type: 'tool-result-delta', id: 'c', delta: '1' },
      { type: 'tool-result-end', id: 'c' },
    ]
    expect(readBack('gemini', [...events, ...result, finish('stop')])).toEqual([
      'call code_execution#code_execution-0 complete {"language":"PYTHON","code":"print(1)"} theirs',
      'tool-result code_execution-0 1',
      'finish stop (STOP)',
    ])
  })

  test('as AG-UI', () => {
    expect(
      write('ag-ui', [
        ...text('t', 'Hi'),
        ...call('c', { p: 1 }),
        finish('tool-calls', { usage: { inputTokens: 5 } }),
      ]),
    ).toBe(
      [
        'data: {"type":"RUN_STARTED","threadId":"r1","runId":"r1"}',
        'data: {"type":"TEXT_MESSAGE_START","messageId":"r1-t","role":"assistant"}',
        'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"r1-t","delta":"Hi"}',
        'data: {"type":"TEXT_MESSAGE_END","messageId":"r1-t"}',
        'data: {"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"ls","parentMessageId":"r1-t","metadata":{"providerExecuted":false}}',
        'data: {"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\\"p\\":1"}',
        'data: {"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"}"}',
        'data: {"type":"TOOL_CALL_END","toolCallId":"c"}',
        'data: {"type":"RUN_FINISHED","threadId":"r1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c"]},"usage":[{"model":"m","inputTokens":5}],"metadata":{"finishReason":"tool-calls"}}',
        '',
      ].join('\n\n'),
    )
  })

  test('as AG-UI, where a call may not run: it stays open, and the run fails at its end', () => {
    const cut = call('c', { p: 'x' }, { status: 'truncated', raw: '{"p":"x' })
    const written = write('ag-ui', [...cut, ...text('t', 'Hm'), finish('length')])
    expect(written).not.toContain('TOOL_CALL_END')
    expect(written.split('\n\n').at(-2)).toMatch(
      /^data: \{"type":"RUN_ERROR","message":"The call of `ls` was cut off[:.] .*","code":"truncated-call"\}$/,
    )
  })

  test('as AG-UI, where the provider ran a tool without telling the result: no client takes it for its own', () => {
    const written = write('ag-ui', [...call('c', {}, { providerExecuted: true }), finish('stop')])
    expect(written).toContain(
      '{"type":"TOOL_CALL_RESULT","messageId":"r1-result-c","toolCallId":"c","content":""',
    )
  })

  test('as Responses', () => {
    const types = write('openai-responses', [
      ...text('t', 'Hi'),
      ...call('c', { p: 1 }),
      finish('tool-calls'),
    ])
      .split('\n')
      .flatMap((line) => (line.startsWith('event: ') ? [line.slice(16)] : []))
    expect(types).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
  })

  test('comes as soon as the event does', () => {
    const writer = createWriter(findWriter('anthropic'), ABOUT)
    writer.add({ type: 'tool-input-start', id: 'c', toolName: 'ls' })
    expect(writer.add({ type: 'tool-input-delta', id: 'c', delta: '{"pa' })).toContain(
      '"partial_json":"{\\"pa"',
    )
  })
})

describe.each(FORMATS)('%s', (format) => {
  test('never makes a call whole that was cut off', () => {
    const cut = call('c', { p: 'x' }, { status: 'truncated', raw: '{"p":"x' })
    const lines = readBack(format, [...cut, finish('length')])
    expect(
      lines.filter(
        (line) =>
          /^call .* (complete|repaired)/.test(line) &&
          !lines.some((one) => one.startsWith('tool-result c failed')),
      ),
    ).toEqual([])
  })

  test('never gives away a call to be run that the provider runs', () => {
    const events = [...call('c', { q: 1 }, { providerExecuted: true }), finish('stop')]
    const lines = readBack(format, events).filter((line) => line.startsWith('call'))
    expect(lines.every((line) => line.includes(' theirs'))).toBe(true)
  })

  test('nor one of which only the verdict says that the provider runs it', () => {
    const [start, ...rest] = call('c', { q: 1 }, { providerExecuted: true }) as [
      SluiceEvent,
      ...SluiceEvent[],
    ]
    const asOurs = { ...start, providerExecuted: false } as SluiceEvent
    const lines = readBack(format, [asOurs, ...rest, finish('stop')])
    expect(
      lines.filter((line) => /^call .* (complete|repaired)/.test(line) && !line.includes(' theirs')),
    ).toEqual([])
  })

  test('says an error, and that the response broke off', () => {
    const failed = readBack(format, [
      ...text('t', 'Hi'),
      { type: 'error', error: new Error('Boom') },
      finish('error'),
    ])
    expect(failed[0]).toMatch(/^text Hi/)
    expect(failed[1]).toBe('error Boom')
    expect(failed.at(-1)).toMatch(/^finish error/)
    expect(readBack(format, [...text('t', 'Hi'), finish('aborted')]).at(-1)).toMatch(
      /^finish (error|aborted)/,
    )
  })

  test('writes the input where it did not come in pieces', () => {
    expect(readBack(format, [...call('c', { p: 1 }, { raw: '' }), finish('tool-calls')])[0]).toContain(
      'call ls#c complete {"p":1}',
    )
  })

  test.each(['length', 'content-filter'] as const)(
    'keeps that it stopped because of %s, if it can',
    (reason) => {
      const [last = ''] = readBack(format, [...text('t', 'Hi'), finish(reason)]).slice(-1)
      expect(last).toMatch(
        format === 'ollama' && reason === 'content-filter' ? /^finish stop/ : new RegExp(`^finish ${reason}`),
      )
    },
  )
})

describe('opaque data', () => {
  const thought = (metadata: object): SluiceEvent[] => [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', metadata: metadata as Record<string, unknown> },
  ]
  const signed = { anthropic: { signature: 'EqQB' } }
  const encrypted = { 'openai-responses': { itemId: 'rs_1', encryptedContent: 'gAAA' } }
  const details = { 'openai-chat': { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] } }

  test.each<[format: string, metadata: object, kept: object]>([
    ['anthropic', signed, signed],
    ['openai-responses', encrypted, encrypted],
    ['openai-chat', details, { 'openai-chat': { ...details['openai-chat'], field: 'reasoning_content' } }],
    ['ai-sdk-ui', signed, signed],
    ['ag-ui', signed, signed],
    ['gemini', { gemini: { thoughtSignature: 'sig' } }, { gemini: { thoughtSignature: 'sig' } }],
    [
      'openai-chat',
      signed,
      {
        'openai-chat': {
          reasoning_details: [
            { index: 0, type: 'reasoning.text', signature: 'EqQB', format: 'anthropic-claude-v1' },
          ],
          field: 'reasoning_content',
        },
      },
    ],
    [
      'openai-chat',
      encrypted,
      {
        'openai-chat': {
          reasoning_details: [
            {
              index: 0,
              type: 'reasoning.encrypted',
              data: 'gAAA',
              id: 'rs_1',
              format: 'openai-responses-v1',
            },
          ],
          field: 'reasoning_content',
        },
      },
    ],
  ])('survives in %s', (format, metadata, kept) => {
    expect(readBack(format, [...thought(metadata), finish('stop')])[0]).toBe(
      `reasoning Hm. ${JSON.stringify(kept)}`,
    )
  })

  test('survives without words', () => {
    const redacted: SluiceEvent[] = [
      { type: 'reasoning-start', id: 'r', metadata: { anthropic: { redactedData: 'xyz' } } },
      { type: 'reasoning-end', id: 'r' },
      finish('stop'),
    ]
    expect(readBack('anthropic', redacted)[0]).toBe('reasoning  {"anthropic":{"redactedData":"xyz"}}')
  })

  test('survives on a call', () => {
    const metadata = { gemini: { thoughtSignature: 'sig' } }
    expect(readBack('openai-chat', [...call('c', {}, { metadata }), finish('tool-calls')])[0]).toBe(
      'call ls#c complete {} {"openai-chat":{"extra_content":{"google":{"thought_signature":"sig"}}}}',
    )
    for (const format of ['ai-sdk-ui', 'gemini'])
      expect(readBack(format, [...call('c', {}, { metadata }), finish('tool-calls')])[0]).toBe(
        'call ls#c complete {} {"gemini":{"thoughtSignature":"sig"}}',
      )
  })
})

describe('what only some formats have', () => {
  test.each([
    ['openai-chat', 'call ls#c complete "a\\"b"'],
    ['openai-responses', 'call ls#c complete "a\\"b" {"openai-responses":{"itemId":"ctc_r1_0"}}'],
    ['anthropic', 'call ls#c complete {"input":"a\\"b"}'],
    ['ollama', 'call ls#c complete {"input":"a\\"b"}'],
    ['ag-ui', 'call ls#c complete {"input":"a\\"b"}'],
    ['gemini', 'call ls#c complete {"input":"a\\"b"}'],
  ])('free text as the input of a tool: %s', (format, line) => {
    expect(readBack(format, [...call('c', 'a"b'), finish('tool-calls')])[0]).toBe(line)
  })

  test.each([
    ['openai-chat', 'text No. {"openai-chat":{"refusal":true}}'],
    ['openai-responses', 'text No. {"openai-responses":{"itemId":"msg_r1_0","refusal":true}}'],
  ])('a refusal: %s', (format, line) => {
    const refusal = text('t', 'No.', { 'openai-chat': { refusal: true } })
    expect(readBack(format, [...refusal, finish('stop')])[0]).toBe(line)
  })

  test.each([
    [
      'anthropic',
      'call ls#c complete {"q":1} theirs {"anthropic":{"type":"mcp_tool_use","serverName":"provider"}}',
      'tool-result c "found" {"anthropic":{"type":"mcp_tool_result"}}',
    ],
    [
      'openai-responses',
      'call ls#c complete {"q":1} theirs {"openai-responses":{"type":"mcp_call","serverLabel":"provider"}}',
      'tool-result c "found"',
    ],
    ['ai-sdk-ui', 'call ls#c complete {"q":1} theirs', 'tool-result c "found"'],
    ['ag-ui', 'call ls#c complete {"q":1} theirs', 'tool-result c "found"'],
  ])('a tool that the provider ran, with its result: %s', (format, ...lines) => {
    const events: SluiceEvent[] = [
      ...call('c', { q: 1 }, { providerExecuted: true }),
      { type: 'tool-result-start', id: 'c' },
      { type: 'tool-result-delta', id: 'c', delta: '"found"' },
      { type: 'tool-result-end', id: 'c' },
      finish('stop'),
    ]
    expect(readBack(format, events).slice(0, 2)).toEqual(lines)
  })

  test('Anthropic has the input of a tool that another provider ran in the start of its block', () => {
    const written = (...events: SluiceEvent[]): string => write('anthropic', [...events, finish('stop')])
    const block = '"name":"ls","input":{"q":1},"server_name":"provider"'
    expect(written(...call('c', { q: 1 }, { providerExecuted: true }))).toContain(block)
    // The input may be in the deltas alone, or free text.
    expect(written(...call('c', null, { providerExecuted: true, raw: '{"q":1}' }))).toContain(block)
    expect(written(...call('c', 'x', { providerExecuted: true }))).toContain('"input":{"input":"x"}')
    expect(written(...call('c', { q: 1 }, { providerExecuted: true }))).not.toContain('input_json_delta')
    const cut = call('c', { q: 1 }, { providerExecuted: true, status: 'truncated', raw: '{"q":1' })
    expect(written(...cut)).toContain('"name":"ls","input":{}')
  })

  test('what signs reasoning stands behind it in Chat Completions, wherever it came', () => {
    const [start, delta, end] = text('r', 'Hm.').map((event) => ({
      ...event,
      type: event.type.replace('text', 'reasoning'),
    })) as [SluiceEvent, SluiceEvent, SluiceEvent]
    const metadata = { anthropic: { signature: 'EqQB' } }
    const written = write('openai-chat', [{ ...start, metadata } as SluiceEvent, delta, end, finish('stop')])
    expect(written.indexOf('EqQB')).toBeGreaterThan(written.lastIndexOf('Hm.'))
    expect(written.match(/EqQB/g)).toHaveLength(1)
  })

  test('pages that are cited behind the end of a text are annotations of it in Responses', () => {
    const source = { type: 'custom', kind: 'source', value: { url: 'https://a.example' } } as const
    expect(readBack('openai-responses', [...text('t', 'Hi'), source, finish('stop')])).toContain(
      'custom annotation {"type":"url_citation","url":"https://a.example","title":"https://a.example","start_index":2,"end_index":2}',
    )
  })

  test('an annotation that lacks what clients ask for is filled up in Responses', () => {
    const [start, delta, end] = text('t', 'Hi') as [SluiceEvent, SluiceEvent, SluiceEvent]
    const cited = { type: 'custom', kind: 'annotation', value: { type: 'url_citation', url: 'u' } } as const
    expect(write('openai-responses', [start, delta, cited, end, finish('stop')])).toContain(
      '"annotation":{"type":"url_citation","url":"u","title":"u","start_index":2,"end_index":2}',
    )
  })

  test.each(FORMATS)('a call without a name, which nobody can run: %s', (format) => {
    const [start, delta, end, verdict] = call('n', { q: 2 }) as [
      SluiceEvent,
      SluiceEvent,
      SluiceEvent,
      ToolCall,
    ]
    const [first, ...rest] = call('c', { q: 1 }) as [SluiceEvent, ...SluiceEvent[]]
    const nameless = [
      { ...start, toolName: '' } as SluiceEvent,
      delta,
      end,
      { ...verdict, toolName: '', status: 'invalid' as const, raw: '{"q":2}' },
    ]
    const lines = readBack(format, [first, ...nameless, ...rest, finish('tool-calls')])
    expect(lines.filter((line) => line.startsWith('call ls'))).toEqual([
      expect.stringMatching(/^call ls#c complete \{"q":1\}/),
    ])
  })

  test('an id that text and reasoning share makes them no one item in Responses', () => {
    const metadata = { 'openai-responses': { itemId: 'rs_1' } }
    const thought = text('r', 'Hm.', metadata).map((event) => ({
      ...event,
      type: event.type.replace('text', 'reasoning'),
    })) as SluiceEvent[]
    expect(readBack('openai-responses', [...thought, ...text('t', 'Hi', metadata), finish('stop')])).toEqual([
      'reasoning Hm. {"openai-responses":{"itemId":"rs_1"}}',
      'text Hi {"openai-responses":{"itemId":"msg_r1_1"}}',
      expect.stringMatching(/^finish stop/),
    ])
  })

  test('citations, annotations and parts of a UI', () => {
    const around = (kind: string, value: unknown): SluiceEvent[] => {
      const [start, delta, end] = text('t', 'Hi') as [SluiceEvent, SluiceEvent, SluiceEvent]
      return [start, delta, { type: 'custom', kind, value }, end, finish('stop')]
    }
    expect(readBack('anthropic', around('citation', { type: 'char_location', cited_text: 'x' }))).toContain(
      'custom citation {"type":"char_location","cited_text":"x"}',
    )
    expect(readBack('openai-responses', around('annotation', { type: 'file_path', file_id: 'f' }))).toContain(
      'custom annotation {"type":"file_path","file_id":"f"}',
    )
    const chunk = { type: 'source-url', url: 'u' }
    expect(readBack('ai-sdk-ui', around('source-url', chunk))).toContain(
      `custom source-url ${JSON.stringify(chunk)}`,
    )
    const state = { type: 'STATE_SNAPSHOT', snapshot: {} }
    expect(readBack('ag-ui', around('STATE_SNAPSHOT', state))).toContain(
      `custom STATE_SNAPSHOT ${JSON.stringify(state)}`,
    )
    expect(readBack('ag-ui', around('weather', 7))).toContain('custom weather 7')
    expect(readBack('ai-sdk-ui', around('weather', 7))).toContain(
      'custom data-weather {"type":"data-weather","data":7}',
    )
  })
})

test('a stream of events is written as it comes', async () => {
  const written: string[] = []
  for await (const piece of writeProvider([...text('t', 'Hi'), finish('stop')], ollamaWriter, ABOUT))
    written.push(piece)
  expect(written).toHaveLength(2)
})

test.each(FORMATS)(
  'a call whose input nobody kept is refused, and not written as one without arguments: %s',
  (format) => {
    expect(() => write(format, call('c', null, { raw: '' }))).toThrow(
      expect.objectContaining({ code: 'unrepresentable' }),
    )
  },
)

test('a format that cannot be written is refused', () => {
  const typed: string = 'cohere'
  expect(() => findWriter(typed)).toThrow(expect.objectContaining({ code: 'unknown-provider' }))
})

test.each([undefined, null, 5, { name: 'mine' }])('what is no format is refused: %j', (format) => {
  expect(() => createWriter(format as unknown as WireFormat)).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  )
})

test.each<[inputText: string, read: object]>([
  ['{"a": 1.0}', { status: 'complete', input: { a: 1 }, inputText: '{"a":1.0}' }],
  ['{"a": 2}', { status: 'complete', input: { a: 1 } }],
  ['{"a": 1', { status: 'complete', input: { a: 1 } }],
])('a call is written with its text, unless that is of another input: %s', (inputText, read) => {
  const [start, , , end] = call('c', { a: 1 }, { inputText })
  const events = eventsOf([write('openai-chat', [start!, end!, finish('tool-calls')])], {
    provider: 'openai-chat',
  })
  expect(events.find(({ type }) => type === 'tool-call')).toMatchObject(read)
})
