import { describe, expect, test } from 'vitest'
import { hermes } from '../../../src/dialects/index.ts'
import { eventsOf, sse, told } from '../told.ts'

const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'openai-chat' }))
const delta = (fields: object, finish_reason: string | null = null): object => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields, finish_reason }],
})
const calls = (...tool_calls: object[]): object => delta({ tool_calls })
const done = (reason: string): object => delta({}, reason)

describe('Chat Completions', () => {
  test('text, and figures that come in a chunk of their own', () => {
    expect(
      read(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'Hel' }),
        delta({ content: 'lo' }),
        done('stop'),
        {
          choices: [],
          usage: {
            prompt_tokens: 12,
            completion_tokens: 5,
            total_tokens: 17,
            prompt_tokens_details: { cached_tokens: 3 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        },
      ),
    ).toEqual([
      'text Hel|lo',
      'finish stop (stop) {"inputTokens":12,"outputTokens":5,"totalTokens":17,"reasoningTokens":2,"cachedInputTokens":3}',
    ])
  })

  test.each([
    ['reasoning_content', { reasoning_content: 'Hm.' }, ' {"openai-chat":{"field":"reasoning_content"}}'],
    ['reasoning', { reasoning: 'Hm.' }, ' {"openai-chat":{"field":"reasoning"}}'],
    [
      'both, which say the same',
      { reasoning: 'Hm.', reasoning_content: 'Hm.' },
      ' {"openai-chat":{"field":"reasoning_content"}}',
    ],
    ['reasoning_text', { reasoning_text: 'Hm.' }, ' {"openai-chat":{"field":"reasoning_text"}}'],
    ['thinking', { thinking: 'Hm.' }, ' {"openai-chat":{"field":"thinking"}}'],
    ['parts of content', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }, ''],
  ])('reasoning as %s, which says where it goes back', (_, fields, field) => {
    expect(read(delta(fields), delta({ content: 'Yes' }), done('stop'))).toEqual([
      `reasoning Hm.${field}`,
      'text Yes',
      'finish stop (stop)',
    ])
  })

  test('reasoning that goes on in another field goes back in two', () => {
    expect(
      read(
        delta({ reasoning: 'One.' }),
        delta({ reasoning: ' Two.' }),
        delta({ reasoning_content: 'Three.' }),
        done('stop'),
      ),
    ).toEqual([
      'reasoning One.| Two. {"openai-chat":{"field":"reasoning"}}',
      'reasoning Three. {"openai-chat":{"field":"reasoning_content"}}',
      'finish stop (stop)',
    ])
  })

  test('signed reasoning keeps what must be sent back', () => {
    const detail = { type: 'reasoning.encrypted', data: 'abc', id: 'r1' }
    expect(read(delta({ reasoning: 'Hm.' }), delta({ reasoning_details: [detail] }), done('stop'))).toEqual([
      `reasoning Hm. {"openai-chat":{"reasoning_details":[${JSON.stringify(detail)}],"field":"reasoning"}}`,
      'finish stop (stop)',
    ])
  })

  test('the input of a custom tool whose name came in pieces may not run', () => {
    const call = (custom: object): object =>
      delta({ tool_calls: [{ index: 0, id: 'c', type: 'custom', custom }] })
    expect(
      read(call({ name: 'sh' }), call({ name: 'ow', input: 'x' }), done('tool_calls')).filter((line) =>
        line.startsWith('call'),
      ),
    ).toEqual(['call sh#c invalid "x"'])
  })

  test('a refusal is text, and says that it is one', () => {
    expect(read(delta({ refusal: 'I ' }), delta({ refusal: 'cannot.' }), done('stop'))).toEqual([
      'text I |cannot. {"openai-chat":{"refusal":true}}',
      'finish stop (stop)',
    ])
  })

  test('what follows a refusal is none', () => {
    expect(read(delta({ refusal: 'No.' }), delta({ content: 'But' }), done('stop'))).toEqual([
      'text No. {"openai-chat":{"refusal":true}}',
      'text But',
      'finish stop (stop)',
    ])
  })

  test('arguments that repeat everything before them', () => {
    const [call, ...lines] = read(
      calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '{"p"' } }),
      calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '{"p":"x"}' } }),
      done('tool_calls'),
    ).filter((line) => !line.startsWith('diagnostic'))
    expect(call).toBe('call ls#a repaired {"p":"x"}')
    expect(lines).toEqual(['finish tool-calls (tool_calls)'])
  })

  test('ids that are made up anew for every piece', () => {
    expect(
      read(
        calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '{"p"' } }),
        calls({ index: 0, id: 'b', function: { arguments: ':1' } }),
        calls({ index: 0, id: 'c', function: { arguments: '}' } }),
        done('tool_calls'),
      ),
    ).toEqual(['call ls#a complete {"p":1}', 'finish tool-calls (tool_calls)'])
  })

  test('a name that comes after the arguments', () => {
    expect(
      read(
        calls({ index: 0, id: 'a', function: { arguments: '{"p":1}' } }),
        calls({ index: 0, function: { name: 'ls' } }),
        done('tool_calls'),
      ),
    ).toEqual(['call ls#a complete {"p":1}', 'finish tool-calls (tool_calls)'])
  })

  test('calls that come in pieces, in parallel', () => {
    expect(
      read(
        delta({ content: 'Let me see.' }),
        calls({ index: 0, id: 'a', type: 'function', function: { name: 'ls', arguments: '' } }),
        calls({ index: 1, id: 'b', type: 'function', function: { name: 'cat', arguments: '{"pa' } }),
        calls({ index: 0, function: { arguments: '{"path":' } }),
        calls(
          { index: 1, function: { arguments: 'th":"x"}' } },
          { index: 0, function: { arguments: '"."}' } },
        ),
        done('tool_calls'),
      ),
    ).toEqual([
      'text Let me see.',
      'call ls#a complete {"path":"."}',
      'call cat#b complete {"path":"x"}',
      'finish tool-calls (tool_calls)',
    ])
  })

  test.each<[what: string, payloads: object[], expected: string[]]>([
    [
      'no index',
      [
        calls(
          { id: 'a', function: { name: 'ls', arguments: '{"p":1}' } },
          { id: 'b', function: { name: 'ls', arguments: '{"p":2}' } },
        ),
      ],
      ['call ls#a complete {"p":1}', 'call ls#b complete {"p":2}'],
    ],
    [
      'the same index for two calls',
      [
        calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '{"p":1}' } }),
        calls({ index: 0, id: 'b', function: { name: 'ls', arguments: '{"p":2}' } }),
      ],
      ['call ls#a complete {"p":1}', 'call ls#b complete {"p":2}'],
    ],
    [
      'empty ids and names in what follows',
      [
        calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '{"p"' } }),
        calls({ index: 0, id: '', function: { name: '', arguments: ':1}' } }),
      ],
      ['call ls#a complete {"p":1}'],
    ],
    [
      'arguments as an object',
      [calls({ index: 0, id: 'a', function: { name: 'ls', arguments: { p: 1 } } })],
      ['call ls#a complete {"p":1}'],
    ],
    [
      'arguments that are encoded twice',
      [calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '"{\\"p\\":1}"' } })],
      ['diagnostic arguments-as-string', 'call ls#a repaired {"p":1}'],
    ],
    ['no arguments', [calls({ index: 0, id: 'a', function: { name: 'ls' } })], ['call ls#a complete {}']],
    [
      'the form before tool_calls',
      [
        delta({ function_call: { name: 'ls', arguments: '{"p"' } }),
        delta({ function_call: { arguments: ':1}' } }),
      ],
      ['call ls#call-1 complete {"p":1}'],
    ],
  ])('calls with %s', (_, payloads, expected) => {
    expect(read(...payloads, done('tool_calls'))).toEqual([...expected, 'finish tool-calls (tool_calls)'])
  })

  test('a call that is cut off stays cut off, whatever the finish reason says', () => {
    expect(
      read(
        calls({ index: 0, id: 'a', function: { name: 'write', arguments: '{"text":"he' } }),
        done('tool_calls'),
      ),
    ).toEqual([
      'diagnostic truncated-call',
      'call write#a truncated {"text":"he"}',
      'finish tool-calls (tool_calls)',
    ])
  })

  test('a call without arguments is cut off where the response ran out of tokens, or broke off', () => {
    const call = calls({ index: 0, id: 'a', function: { name: 'rm', arguments: '' } })
    expect(read(call, done('length'))).toEqual([
      'diagnostic truncated-call',
      'call rm#a truncated {}',
      'finish length (length)',
    ])
    expect(read(call)).toEqual([
      'diagnostic truncated-call',
      'call rm#a truncated {}',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })

  test('custom tools take free text', () => {
    expect(
      read(
        calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '' } }),
        calls({ index: 0, custom: { input: '*** Begin "' } }),
        calls({ index: 0, custom: { input: 'x"' } }),
        done('tool_calls'),
      ),
    ).toEqual(['call patch#a complete "*** Begin \\"x\\""', 'finish tool-calls (tool_calls)'])
  })

  test('a response that was not streamed', () => {
    const body = {
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hi',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } },
              { id: 'b', type: 'function', function: { name: 'ls', arguments: '{}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }
    const lines = [
      'text Hi',
      'call ls#a complete {}',
      'call ls#b complete {}',
      'finish tool-calls (tool_calls)',
    ]
    expect(read(body)).toEqual(lines)
    expect(told(eventsOf([JSON.stringify(body, null, 2)]))).toEqual(lines)
  })

  test('an error in the middle keeps everything before it', () => {
    const events = eventsOf([
      sse(delta({ content: 'Hel' })),
      'data: {"error":{"message":"Overloaded","type":"server_error","code":503}}\n\ndata: [DONE]\n\n',
    ])
    expect(told(events)).toEqual(['text Hel', 'error Overloaded', 'finish error'])
  })

  test.each<[what: string, payload: object, message: string]>([
    ['as compatible servers say it', { object: 'error', message: 'Too long', code: 400 }, 'Too long'],
    ['that is only a flag', { error: true, message: 'No model' }, 'No model'],
    ['that is a list', { error: ['first', 'second'] }, '["first","second"]'],
  ])('an error %s', (_, payload, message) => {
    expect(read(payload)).toEqual([`error ${message}`, 'finish error'])
  })

  test('fields that are new are ignored, and counted', () => {
    const ignored: string[] = []
    eventsOf([{ ...delta({ content: 'Hi', mood: 'good' }), weather: 'fine' }], {
      onIgnored: (what, value) => ignored.push(`${what}: ${String(value)}`),
    })
    expect(ignored).toEqual(['delta.mood: good', 'weather: fine'])
  })
})

describe('text of an open model behind a compatible server', () => {
  const text = (...pieces: string[]): object[] => pieces.map((content) => delta({ content }))

  test('goes through the dialect', () => {
    const payloads = [...text('Hi <tool_', 'call>{"name":"ls"}</tool', '_call>'), done('stop')]
    expect(told(eventsOf(payloads, { dialect: hermes }))).toEqual([
      'text Hi ',
      'call ls#call-2 complete {}',
      'finish tool-calls (stop)',
    ])
  })

  test('gives the same events for <think> and for reasoning_content', () => {
    const inText = [...text('<think>Hm.', '</think>Yes'), done('stop')]
    const apart = [delta({ reasoning_content: 'Hm.' }), ...text('Yes'), done('stop')]
    // All but the field, which text has not.
    const withoutField = eventsOf(apart, { dialect: hermes }).map((event) =>
      event.type === 'reasoning-start' ? { type: event.type, id: event.id } : event,
    )
    expect(withoutField).toEqual(eventsOf(inText, { dialect: hermes }))
  })

  test('is left alone where the server sends native calls', () => {
    const call = calls({ index: 0, id: 'a', function: { name: 'ls', arguments: '{}' } })
    expect(
      told(eventsOf([...text('a <tool_', 'b'), call, ...text('c'), done('tool_calls')], { dialect: hermes })),
    ).toEqual(['text a |<tool_b', 'call ls#a complete {}', 'text c', 'finish tool-calls (tool_calls)'])
  })

  test('without a dialect, what looks like a call is said to look like one, once', () => {
    expect(read(...text('Hi <tool', '_call>{"name":"ls"}</tool_call><tool_call>'), done('stop'))).toEqual([
      'text Hi <tool|_call>{"name":"ls"}</tool_call><tool_call>',
      'diagnostic looks-like-a-call',
      'finish stop (stop)',
    ])
  })

  test('ids of calls in the text and of native ones are never the same', () => {
    const native = calls({ index: 0, id: 'x', function: { name: 'ls', arguments: '{}' } })
    const inText = text('<tool_call>{"id":"x","name":"cat"}</tool_call>')
    expect(told(eventsOf([native, ...inText, done('stop')], { dialect: hermes }))).toEqual([
      'call ls#x complete {}',
      'call cat#call-1 complete {} wire x',
      'finish tool-calls (stop)',
    ])
  })
})

describe('what compatible servers add', () => {
  test('blocks of reasoning_details are spans of their own, each with what signs it', () => {
    const detail = (
      ...reasoning_details: { readonly text?: string; readonly [field: string]: unknown }[]
    ): object => delta({ reasoning: reasoning_details[0]?.text ?? null, reasoning_details })
    const format = 'anthropic-claude-v1'
    expect(
      read(
        detail({ type: 'reasoning.text', text: 'Hm', format, index: 0 }),
        detail({ type: 'reasoning.text', text: '.', format, index: 0 }),
        detail({ type: 'reasoning.text', signature: 'one', index: 0 }),
        detail({ type: 'reasoning.encrypted', data: 'two', index: 1 }),
        detail(
          { type: 'reasoning.summary', summary: 'So', index: 2 },
          { type: 'reasoning.encrypted', data: 'three', index: 2 },
        ),
        delta({ content: 'Yes' }),
        done('stop'),
      ),
    ).toEqual([
      'reasoning Hm|. {"openai-chat":{"reasoning_details":[{"type":"reasoning.text","format":"anthropic-claude-v1","index":0,"signature":"one"}]}}',
      'reasoning  {"openai-chat":{"reasoning_details":[{"type":"reasoning.encrypted","data":"two","index":1}]}}',
      'reasoning So {"openai-chat":{"reasoning_details":[{"type":"reasoning.summary","index":2}]}}',
      'reasoning  {"openai-chat":{"reasoning_details":[{"type":"reasoning.encrypted","data":"three","index":2}]}}',
      'text Yes',
      'finish stop (stop)',
    ])
  })

  test('text of reasoning without details is signed by the detail that follows it', () => {
    const signed = (signature: string): object =>
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'again', signature }] })
    expect(
      read(
        delta({ reasoning_content: 'Hm' }),
        signed('one'),
        delta({ reasoning_content: 'So' }),
        signed('two'),
        done('stop'),
      ),
    ).toEqual([
      'reasoning Hm {"openai-chat":{"reasoning_details":[{"type":"reasoning.text","signature":"one"}],"field":"reasoning_content"}}',
      'reasoning So {"openai-chat":{"reasoning_details":[{"type":"reasoning.text","signature":"two"}],"field":"reasoning_content"}}',
      'finish stop (stop)',
    ])
  })

  test("Copilot's reasoning has text, and what must be sent back", () => {
    expect(read(delta({ reasoning_text: 'Hm' }), delta({ reasoning_opaque: 'x' }), done('stop'))).toEqual([
      'reasoning Hm {"openai-chat":{"reasoning_opaque":"x","field":"reasoning_text"}}',
      'finish stop (stop)',
    ])
  })

  test('a stream that ends with the whole message says nothing twice, and nothing less', () => {
    const message = {
      role: 'assistant',
      content: 'Hello',
      reasoning_content: 'Hm',
      tool_calls: [{ id: 'a', function: { name: 'rm', arguments: '{"p":1}' } }],
    }
    const whole = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    const lines = [
      'reasoning Hm {"openai-chat":{"field":"reasoning_content"}}',
      'text Hello',
      'call rm#a complete {"p":1}',
      'finish tool-calls (tool_calls)',
    ]
    const called = delta({
      tool_calls: [{ index: 3, id: 'b', function: { name: 'rm', arguments: '{"p":1}' } }],
    })
    expect(read(whole)).toEqual(lines)
    expect(read(delta({ reasoning_content: 'Hm' }), delta({ content: 'Hello' }), whole)).toEqual(lines)
    expect(read(delta({ reasoning_content: 'Hm' }), delta({ content: 'Hello' }), called, whole)).toEqual([
      ...lines.slice(0, 2),
      'call rm#b complete {"p":1}',
      lines[3],
    ])
  })

  test('citations and results of a search that every chunk repeats are told once', () => {
    const beside = { citations: ['https://a.example'], search_results: [{ url: 'https://a.example' }] }
    expect(
      read(
        { choices: [{ index: 0, delta: { content: 'Hi' } }], ...beside },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...beside },
      ),
    ).toEqual([
      'text Hi',
      'custom citations ["https://a.example"]',
      'custom search_results [{"url":"https://a.example"}]',
      'finish stop (stop)',
    ])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['STOP', 'stop'],
    ['eos_token', 'stop'],
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['refusal', 'content-filter'],
    ['abort', 'aborted'],
    ['bored', 'other'],
  ])('the word %s of a provider behind a compatible server', (word, reason) => {
    expect(read(delta({ content: 'Hi' }), done(word)).at(-1)).toBe(`finish ${reason} (${word})`)
  })

  test.each([
    [
      'on the choice (Moonshot)',
      { choices: [{ index: 0, usage: { prompt_tokens: 3, completion_tokens: 4, cached_tokens: 1 } }] },
      '{"inputTokens":3,"outputTokens":4,"cachedInputTokens":1,"totalTokens":7}',
    ],
    [
      'with what was charged (OpenRouter)',
      {
        choices: [],
        usage: {
          prompt_tokens: 3,
          completion_tokens: 4,
          cost: 0.5,
          prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: 2 },
        },
      },
      '{"inputTokens":3,"outputTokens":4,"cachedInputTokens":1,"cacheWriteInputTokens":2,"cost":0.5,"totalTokens":7}',
    ],
    [
      'with a sum of what was charged (Perplexity)',
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, cost: { total_cost: 0.5 } } },
      '{"inputTokens":3,"outputTokens":4,"cost":0.5,"totalTokens":7}',
    ],
    [
      'of a cache that was hit (DeepSeek)',
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, prompt_cache_hit_tokens: 1 } },
      '{"inputTokens":3,"outputTokens":4,"cachedInputTokens":1,"totalTokens":7}',
    ],
  ])('figures %s', (_, payload, usage) => {
    expect(read(done('stop'), payload).at(-1)).toBe(`finish stop (stop) ${usage}`)
  })

  test("chunks and whole responses of Mistral's client, which are in camel case", () => {
    const call = { id: 'a', function: { name: 'ls', arguments: { filePath: '.' } } }
    const usage = {
      promptTokens: 1,
      completionTokens: 2,
      totalTokens: 3,
      promptTokensDetails: { cachedTokens: 1 },
    }
    const lines = [
      'text Hi',
      'call ls#a complete {"filePath":"."}',
      'finish tool-calls (tool_calls) {"inputTokens":1,"outputTokens":2,"totalTokens":3,"cachedInputTokens":1}',
    ]
    const chunks = [
      { data: { id: 'x', choices: [{ index: 0, delta: { content: 'Hi' }, finishReason: null }] } },
      {
        data: {
          id: 'x',
          choices: [{ index: 0, delta: { toolCalls: [call] }, finishReason: 'tool_calls' }],
          usage,
        },
      },
    ]
    expect(told(eventsOf(chunks))).toEqual(lines)
    const message = { role: 'assistant', content: 'Hi', toolCalls: [call] }
    const whole = { id: 'x', choices: [{ index: 0, message, finishReason: 'tool_calls' }], usage }
    expect(told(eventsOf([whole]))).toEqual(lines)
  })
})
