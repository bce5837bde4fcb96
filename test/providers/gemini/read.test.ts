import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../../../src/base/event.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { eventsOf, sse, told } from '../told.ts'

const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: 'gemini' }))
const parts = (...list: object[]): object => ({ candidates: [{ content: { role: 'model', parts: list } }] })
const end = (finishReason = 'STOP', usageMetadata?: object): object => ({
  candidates: [{ content: { parts: [{ text: '' }] }, finishReason }],
  ...(usageMetadata && { usageMetadata }),
})

/** The argument of a call in pieces. */
const PATH = { jsonPath: '$.path', stringValue: '.' }

describe('Gemini', () => {
  const payloads = [
    parts({ text: 'Hm', thought: true }),
    parts({ text: '.', thought: true, thoughtSignature: 'sig1' }),
    parts({ text: 'Hi' }),
    parts({ functionCall: { name: 'ls', args: { path: '.' } }, thoughtSignature: 'sig2' }),
    parts(
      { functionCall: { name: 'ls', args: { path: '.' } } },
      { functionCall: { id: 'x', name: 'ping', args: {} } },
    ),
    end('STOP', {
      promptTokenCount: 5,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 2,
      totalTokenCount: 13,
      cachedContentTokenCount: 1,
    }),
  ]
  const lines = [
    'reasoning Hm|. {"gemini":{"thoughtSignature":"sig1"}}',
    'text Hi',
    'call ls#call-3 complete {"path":"."} {"gemini":{"thoughtSignature":"sig2"}}',
    'call ls#call-4 complete {"path":"."}',
    'call ping#x complete {}',
    'finish tool-calls (STOP) {"inputTokens":5,"outputTokens":8,"totalTokens":13,"reasoningTokens":2,"cachedInputTokens":1}',
  ]

  const thought = { thought: true }
  test.each<[what: string, isTentative: boolean, pieces: readonly object[]]>([
    ['whole', true, [{ functionCall: { name: 'ls', args: { path: '.' } }, ...thought }]],
    [
      'in pieces',
      true,
      [
        { functionCall: { name: 'ls', willContinue: true }, ...thought },
        { functionCall: { willContinue: true, partialArgs: [PATH] }, ...thought },
        { functionCall: {}, ...thought },
      ],
    ],
    [
      'in pieces of which the last one says so',
      false,
      [
        { functionCall: { name: 'ls', willContinue: true } },
        { functionCall: { willContinue: true, partialArgs: [PATH] } },
        { functionCall: {}, ...thought },
      ],
    ],
  ])('a call that is a thought does not run, %s', (_, isTentative, pieces) => {
    const events = eventsOf([...pieces.map((piece) => parts(piece)), parts({ text: 'Hi' }), end()], {
      provider: 'gemini',
    })
    const start = events.find(({ type }) => type === 'tool-input-start')
    expect(start).toMatchObject(isTentative ? { toolName: 'ls', tentative: true } : { toolName: 'ls' })
    expect('tentative' in start!).toBe(isTentative)
    const verdict = events.find(({ type }) => type === 'tool-call')
    expect(verdict).toMatchObject({
      status: 'repaired',
      input: { path: '.' },
      repairs: [{ code: 'inside-reasoning', class: 'guess' }],
    })
    expect(isExecutable(verdict as ToolCall)).toBe(false)
  })

  test.each([
    ['decoded', payloads],
    ['as server-sent events', [sse(...payloads)]],
    ['in an array', [JSON.stringify(payloads, null, 2)]],
    ['wrapped', payloads.map((response) => ({ response }))],
  ])('thoughts, text and calls, %s', (_, chunks) => {
    expect(told(eventsOf(chunks))).toEqual(lines)
  })

  test('a call that a person has to confirm does not run', () => {
    const args = {
      x: 60,
      safety_decision: { decision: 'require_confirmation', explanation: 'It accepts a cookie banner.' },
    }
    const [call] = eventsOf([parts({ functionCall: { name: 'click_at', args } }), end()], {
      provider: 'gemini',
    }).filter((event) => event.type === 'tool-call')
    expect(call).toMatchObject({ status: 'invalid', input: args, error: { code: 'refused' } })
    expect(call?.error?.message).toContain('It accepts a cookie banner.')
  })

  test('a signature without text is kept', () => {
    expect(read(parts({ text: 'Hi' }), parts({ text: '', thoughtSignature: 's' }), end())).toEqual([
      'text Hi {"gemini":{"thoughtSignature":"s"}}',
      'finish stop (STOP)',
    ])
  })

  test('a program that the provider runs', () => {
    expect(
      read(
        parts({ executableCode: { language: 'PYTHON', code: 'print(1)' } }),
        parts({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }),
        end(),
      ),
    ).toEqual([
      'call code_execution#code_execution-0 complete {"language":"PYTHON","code":"print(1)"} theirs',
      'tool-result code_execution-0 1',
      'finish stop (STOP)',
    ])
  })

  test('images and grounding are passed on as they are', () => {
    expect(
      read(parts({ inlineData: { mimeType: 'image/png', data: 'AA==' } }), {
        candidates: [{ finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['x'] } }],
      }),
    ).toEqual([
      'custom inlineData {"inlineData":{"mimeType":"image/png","data":"AA=="}}',
      'custom groundingMetadata {"webSearchQueries":["x"]}',
      'finish stop (STOP)',
    ])
  })

  test.each([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['TOO_MANY_TOOL_CALLS', 'other'],
  ])('stops with %s, which is %s', (raw, reason) => {
    expect(read(end(raw))).toEqual([`finish ${reason} (${raw})`])
  })

  test('a prompt that was blocked', () => {
    expect(read({ promptFeedback: { blockReason: 'SAFETY' } })).toEqual([
      'custom promptFeedback {"blockReason":"SAFETY"}',
      'finish content-filter (SAFETY)',
    ])
  })

  test('an error', () => {
    expect(read({ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } })).toEqual([
      'error Quota',
      'finish error',
    ])
  })
})

describe('arguments in pieces', () => {
  const call = (functionCall: object): object => parts({ functionCall })
  const patch = (jsonPath: string, value: object, willContinue = true): object =>
    call({ partialArgs: [{ jsonPath, ...value }], willContinue })
  const begin = call({ name: 'edit', willContinue: true })
  const A = { jsonPath: '$.a', stringValue: 'x' }

  test('become JSON text that only grows', () => {
    const events = eventsOf([
      begin,
      patch('$.path', { stringValue: 'a.', willContinue: true }),
      patch('$.path', { stringValue: 'ts' }),
      patch('$.edits[0].from', { numberValue: 3 }),
      patch('$.edits[0].text', { stringValue: '"x\n', willContinue: true }),
      patch('$.edits[0].text', { stringValue: 'y' }),
      patch('$.edits[1].all', { boolValue: true }),
      patch("$['a key']", { nullValue: 'NULL_VALUE' }),
      call({}),
      end(),
    ])
    expect(events.flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))).toEqual([
      '{"path":"a.',
      'ts"',
      ',"edits":[{',
      '"from":3,"text":"\\"x\\n',
      'y"',
      '},{',
      '"all":true}]',
      ',"a key":null}',
    ])
    expect(told(events)).toEqual([
      'call edit#call-1 complete {"path":"a.ts","edits":[{"from":3,"text":"\\"x\\ny"},{"all":true}],"a key":null}',
      'finish tool-calls (STOP)',
    ])
  })

  test.each<[what: string, payloads: object[], expected: string]>([
    ['the last piece is the end', [patch('$.a', { numberValue: 1 }, false)], 'complete {"a":1}'],
    ['the end is missing', [patch('$.a', { numberValue: 1 })], 'truncated {}'],
    ['there are none', [call({})], 'complete {}'],
    ['they were announced, and none came', [], 'truncated {}'],
    ['they were announced, and another call begins', [call({ name: 'ls' })], 'truncated {}'],
    ['the first path is none', [patch('what', { numberValue: 2 }), call({})], 'truncated {}'],
    [
      'text comes in between',
      [patch('$.a', { numberValue: 1 }), parts({ text: 'wait' }), patch('$.b', { numberValue: 2 }), call({})],
      'complete {"a":1,"b":2}',
    ],
    ['another call begins', [patch('$.a', { numberValue: 1 }), call({ name: 'ls' })], 'truncated {}'],
    ['one comes behind the end', [call({}), patch('$.a', { numberValue: 1 })], 'invalid {}'],
    [
      'a string was to go on',
      [patch('$.a', { stringValue: 'x', willContinue: true })],
      'truncated {"a":"x"}',
    ],
    [
      'a value comes for a place that is past',
      [
        patch('$.a.b', { numberValue: 1 }),
        patch('$.c', { numberValue: 2 }),
        patch('$.a.d', { numberValue: 3 }),
        call({}),
      ],
      'invalid',
    ],
    [
      'an index is left out',
      [patch('$.a[0]', { numberValue: 1 }), patch('$.a[2]', { numberValue: 2 }), call({})],
      'truncated {"a":[]}',
    ],
    [
      'a path is none',
      [patch('$.a', { numberValue: 1 }), patch('what', { numberValue: 2 }), call({})],
      'truncated',
    ],
  ])('where %s', (_, payloads, expected) => {
    const lines = read(begin, ...payloads, end()).filter((line) => line.startsWith('call edit'))
    expect(lines).toEqual([expect.stringContaining(`call edit#call-1 ${expected}`)])
  })

  test.each<[what: string, pieces: object[], expected: string]>([
    ['in the last piece', [{ args: { a: 'x', b: true } }], 'complete {"a":"x","b":true}'],
    ['in a piece before it', [{ args: { a: 'x' }, willContinue: true }, {}], 'complete {"a":"x"}'],
    ['behind empty ones', [{ args: {}, willContinue: true }, { args: { a: 'x' } }], 'complete {"a":"x"}'],
    ['twice', [{ args: { a: 'x' }, willContinue: true }, { args: { a: 'x' } }], 'complete {"a":"x"}'],
    [
      'twice and different',
      [{ args: { a: 'x' }, willContinue: true }, { args: { b: 2 } }],
      'repaired {"a":"x"} arguments-changed',
    ],
    [
      'behind the same in pieces',
      [{ partialArgs: [A], willContinue: true }, { args: { a: 'x' } }],
      'complete {"a":"x"}',
    ],
    ['beside the same in pieces', [{ partialArgs: [A], args: { a: 'x' } }], 'complete {"a":"x"}'],
    [
      'behind others in pieces',
      [{ partialArgs: [A], willContinue: true }, { args: { a: 'x', b: 2 } }],
      'repaired {"a":"x"} arguments-changed',
    ],
    [
      'before others in pieces',
      [{ args: { a: 'x' }, willContinue: true }, { partialArgs: [{ jsonPath: '$.b', numberValue: 2 }] }],
      'repaired {"a":"x"} trailing-content',
    ],
    [
      'while a string in pieces is open',
      [{ partialArgs: [{ ...A, willContinue: true }], willContinue: true }, { args: { b: 2 } }],
      'truncated {"a":"x"}',
    ],
    ['as null, beside an unknown field', [{ args: null, values: { a: 'x' } }], 'truncated {}'],
    ['as pieces that are no list', [{ partialArgs: A }], 'truncated {}'],
    ['as a list', [{ args: [1] }], 'invalid [1]'],
  ])('arguments that come as a whole, %s', (_, pieces, expected) => {
    const verdicts = eventsOf([begin, ...pieces.map(call), end()], { provider: 'gemini' })
      .filter((event) => event.type === 'tool-call')
      .map(({ status, input, repairs }) =>
        [status, JSON.stringify(input), ...repairs.map(({ code }) => code)].join(' '),
      )
    expect(verdicts).toEqual([expected])
  })

  test('arguments that come as a whole when the call is over make it run no more', () => {
    expect(read(begin, call({}), call({ args: { a: 'x' } }), end())).toEqual([
      'diagnostic provider-payload',
      'diagnostic malformed-call',
      'call edit#call-1 invalid {}',
      'finish tool-calls (STOP)',
    ])
  })

  test.each<[what: string, piece: unknown]>([
    ['a number as text', { jsonPath: '$.limit', numberValue: '5' }],
    ['a number that is none', { jsonPath: '$.limit', numberValue: 'NaN' }],
    ['a number that JSON has as null', { jsonPath: '$.limit', numberValue: null }],
    ['a flag as text', { jsonPath: '$.limit', boolValue: 'true' }],
    ['a list', { jsonPath: '$.limit', stringValue: ['a'] }],
    ['no value', { jsonPath: '$.limit' }],
    ['an end that is no flag', { jsonPath: '$.limit', stringValue: 'a', willContinue: 'true' }],
    ['text alone', 'a'],
  ])('where a piece has %s, the call does not run', (_, piece) => {
    expect(
      read(
        begin,
        patch('$.a', { numberValue: 1 }),
        call({ partialArgs: [piece], willContinue: true }),
        call({}),
        end(),
      ),
    ).toEqual(['diagnostic truncated-call', 'call edit#call-1 truncated {}', 'finish tool-calls (STOP)'])
  })

  test('where a string goes on as a number, the call does not run', () => {
    const open = patch('$.a', { stringValue: 'x', willContinue: true })
    expect(read(begin, open, patch('$.a', { numberValue: 1 }), call({}), end())).toEqual([
      'diagnostic truncated-call',
      'call edit#call-1 truncated {"a":"x"}',
      'finish tool-calls (STOP)',
    ])
  })

  test.each<[what: string, payloads: object[]]>([
    ['came before any call', [patch('$.a', { numberValue: 1 })]],
    ['came when a call was over', [begin, patch('$.a', { numberValue: 1 }, false), patch('$.b', {}, false)]],
    ['did not come, and the next call began', [begin, patch('$.a', { numberValue: 1 })]],
    [
      'did not come, and its string stayed open',
      [begin, patch('$.a', { stringValue: 'x', willContinue: true }), call({})],
    ],
    ['is at a path that is none', [begin, patch('$.a[3]', { numberValue: 1 }), call({})]],
  ])('make no later call run in pieces if one %s', (_, payloads) => {
    const later = [call({ name: 'rm', willContinue: true }), patch('$.path', { stringValue: 'x' }), call({})]
    const whole = call({ name: 'ls', args: { path: 'y' } })
    const lines = read(...payloads, ...later, whole, end()).filter((line) => /^call (rm|ls)/.test(line))
    expect(lines).toEqual([
      expect.stringMatching(/^call rm#\S+ truncated/),
      expect.stringMatching(/^call ls#\S+ complete \{"path":"y"\}/),
    ])
  })

  test('that break off are cut off', () => {
    expect(read(begin, patch('$.a', { stringValue: 'x' })).filter((line) => line.startsWith('call'))).toEqual(
      ['call edit#call-1 truncated {"a":"x"}'],
    )
  })

  test('a session of Gemini Live is refused', () => {
    const session = [
      { setupComplete: {} },
      { serverContent: { modelTurn: { parts: [{ text: 'Hi' }] } } },
      { toolCall: { functionCalls: [{ name: 'rm', args: {} }] } },
      { serverContent: { turnComplete: true }, usageMetadata: { promptTokenCount: 1 } },
    ]
    const refused = [
      'error This is Gemini Live, a session of many responses, which is not read here. Read one response of streamGenerateContent or of Interactions.',
      'finish error',
    ]
    expect(read(...session)).toEqual(refused)
    expect(told(eventsOf(session))).toEqual(refused)
  })
})
