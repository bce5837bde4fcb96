/** Providers end calls, too, that were cut off: before their arguments began, or in the middle of a value. Nobody may run those. */

import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { openaiChatWriter } from '../../src/providers/openai-chat/write.ts'
import { eventsOf, told } from './told.ts'

/** How a provider begins and ends a call of which nothing else comes, goes on with text, and stops. */
interface Row {
  readonly provider: string
  readonly call: readonly object[]
  readonly text: readonly object[]
  readonly stop: (isCut: boolean) => readonly object[]
  /** A stop sequence of the request came up, where the provider says so. */
  readonly stopSequence?: readonly object[]
}

const ROWS: readonly Row[] = [
  {
    provider: 'anthropic',
    call: [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'c1', name: 'wipe', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_stop', index: 0 },
    ],
    text: [{ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Done.' } }],
    stop: (isCut) => [
      { type: 'message_delta', delta: { stop_reason: isCut ? 'max_tokens' : 'tool_use' } },
      { type: 'message_stop' },
    ],
    stopSequence: [
      { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } },
      { type: 'message_stop' },
    ],
  },
  {
    provider: 'bedrock',
    call: [
      {
        contentBlockStart: {
          contentBlockIndex: 0,
          start: { toolUse: { toolUseId: 'c1', name: 'wipe' } },
        },
      },
      { contentBlockStop: { contentBlockIndex: 0 } },
    ],
    text: [{ contentBlockDelta: { contentBlockIndex: 1, delta: { text: 'Done.' } } }],
    stop: (isCut) => [{ messageStop: { stopReason: isCut ? 'max_tokens' : 'tool_use' } }],
    stopSequence: [{ messageStop: { stopReason: 'stop_sequence' } }],
  },
  {
    provider: 'cohere',
    call: [
      {
        type: 'tool-call-start',
        index: 0,
        delta: { message: { tool_calls: { id: 'c1', function: { name: 'wipe', arguments: '' } } } },
      },
      { type: 'tool-call-end', index: 0 },
    ],
    text: [{ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Done.' } } } }],
    stop: (isCut) => [{ type: 'message-end', delta: { finish_reason: isCut ? 'MAX_TOKENS' : 'TOOL_CALL' } }],
    stopSequence: [{ type: 'message-end', delta: { finish_reason: 'STOP_SEQUENCE' } }],
  },
  {
    provider: 'ai-sdk',
    call: [
      { type: 'tool-input-start', id: 'c1', toolName: 'wipe' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'wipe', input: '' },
    ],
    text: [{ type: 'text-delta', id: 't1', delta: 'Done.' }],
    stop: (isCut) => [{ type: 'finish', finishReason: isCut ? 'length' : 'tool-calls', usage: {} }],
  },
  {
    provider: 'gemini',
    call: [
      { event_type: 'step.start', index: 0, step: { type: 'function_call', id: 'c1', name: 'wipe' } },
      { event_type: 'step.stop', index: 0 },
    ],
    text: [{ event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'Done.' } }],
    stop: (isCut) => [
      {
        event_type: 'interaction.completed',
        interaction: { status: isCut ? 'incomplete' : 'requires_action' },
      },
    ],
  },
]

describe.each(ROWS)('a call without arguments from $provider', ({ provider, call, text, stop }) => {
  const calls = (...payloads: readonly object[]): string[] =>
    told(eventsOf(payloads, { provider })).filter((line) => line.startsWith('call'))

  test('needs none if the response stops by itself', () => {
    expect(calls(...call, ...stop(false))).toEqual(['call wipe#c1 complete {}'])
  })

  test('needs none if the response goes on', () => {
    const whole = told(eventsOf([...call, ...text, ...stop(true)], { provider }))
    expect(whole.slice(0, 2)).toEqual(['call wipe#c1 complete {}', 'text Done.'])
  })

  test('was cut off if there was no room for more', () => {
    expect(calls(...call, ...stop(true))).toEqual(['call wipe#c1 truncated {}'])
  })

  test('was cut off if nothing follows', () => {
    expect(calls(...call)).toEqual(['call wipe#c1 truncated {}'])
  })
})

describe.each(ROWS.filter(({ stopSequence }) => stopSequence))(
  'a stop sequence of the request, with $provider',
  ({ provider, call, text, stop, stopSequence = [] }) => {
    const calls = (...payloads: readonly object[]): string[] =>
      told(eventsOf(payloads, { provider })).filter((line) => line.startsWith('call'))

    test('cuts off a call whose arguments had not begun', () => {
      expect(calls(...call, ...stopSequence)).toEqual(['call wipe#c1 truncated {}'])
    })

    test('does not make a call meant that stands in a thought', () => {
      const thought = '<think>Perhaps <tool_call>{"name": "wipe", "arguments": {}}</tool_call>'
      const written: object[] = JSON.parse(JSON.stringify(text).replace('"Done."', JSON.stringify(thought)))
      const verdictOf = (ending: readonly object[]): object | undefined =>
        eventsOf([...written, ...ending], { provider, dialect: hermes }).find(
          ({ type }) => type === 'tool-call',
        )
      expect(verdictOf(stopSequence)).toMatchObject({
        repairs: [{ code: 'inside-reasoning', class: 'guess' }],
      })
      expect(verdictOf(stop(false))).toMatchObject({ status: 'complete' })
    })

    test('leaves a call alone that the response went on behind', () => {
      expect(calls(...call, ...text, ...stopSequence)).toEqual(['call wipe#c1 complete {}'])
    })
  },
)

/** Two calls whose arguments are values, in a response that stops by itself or at a limit. */
interface ValueRow {
  readonly provider: string
  readonly how: string
  readonly response: (isCut: boolean) => readonly object[]
}

const IDS = ['a', 'b']

const VALUE_ROWS: readonly ValueRow[] = [
  {
    provider: 'anthropic',
    how: 'streamed',
    response: (isCut) => [
      ...IDS.flatMap((id, index) => [
        {
          type: 'content_block_start',
          index,
          content_block: { type: 'tool_use', id, name: 'rm', input: { path: '/' } },
        },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: isCut ? 'max_tokens' : 'tool_use' } },
      { type: 'message_stop' },
    ],
  },
  {
    provider: 'anthropic',
    how: 'whole',
    response: (isCut) => [
      {
        type: 'message',
        content: IDS.map((id) => ({ type: 'tool_use', id, name: 'rm', input: { path: '/' } })),
        stop_reason: isCut ? 'max_tokens' : 'tool_use',
      },
    ],
  },
  {
    provider: 'bedrock',
    how: 'streamed',
    response: (isCut) => [
      ...IDS.flatMap((toolUseId, contentBlockIndex) => [
        {
          contentBlockStart: {
            contentBlockIndex,
            start: { toolUse: { toolUseId, name: 'rm', input: { path: '/' } } },
          },
        },
        { contentBlockStop: { contentBlockIndex } },
      ]),
      { messageStop: { stopReason: isCut ? 'max_tokens' : 'tool_use' } },
    ],
  },
  {
    provider: 'bedrock',
    how: 'whole',
    response: (isCut) => [
      {
        output: {
          message: {
            content: IDS.map((toolUseId) => ({ toolUse: { toolUseId, name: 'rm', input: { path: '/' } } })),
          },
        },
        stopReason: isCut ? 'max_tokens' : 'tool_use',
      },
    ],
  },
  {
    provider: 'cohere',
    how: 'streamed',
    response: (isCut) => [
      ...IDS.flatMap((id, index) => [
        {
          type: 'tool-call-start',
          index,
          delta: { message: { tool_calls: { id, function: { name: 'rm', arguments: { path: '/' } } } } },
        },
        { type: 'tool-call-end', index },
      ]),
      { type: 'message-end', delta: { finish_reason: isCut ? 'MAX_TOKENS' : 'TOOL_CALL' } },
    ],
  },
  {
    provider: 'cohere',
    how: 'whole',
    response: (isCut) => [
      {
        id: 'r1',
        message: {
          role: 'assistant',
          tool_calls: IDS.map((id) => ({ id, function: { name: 'rm', arguments: { path: '/' } } })),
        },
        finish_reason: isCut ? 'MAX_TOKENS' : 'TOOL_CALL',
      },
    ],
  },
  {
    provider: 'openai-chat',
    how: 'streamed',
    response: (isCut) => [
      ...IDS.map((id, index) => ({
        choices: [
          { delta: { tool_calls: [{ index, id, function: { name: 'rm', arguments: { path: '/' } } }] } },
        ],
      })),
      { choices: [{ delta: {}, finish_reason: isCut ? 'length' : 'tool_calls' }] },
    ],
  },
  {
    provider: 'openai-chat',
    how: 'whole',
    response: (isCut) => [
      {
        choices: [
          {
            message: {
              tool_calls: IDS.map((id) => ({ id, function: { name: 'rm', arguments: { path: '/' } } })),
            },
            finish_reason: isCut ? 'length' : 'tool_calls',
          },
        ],
      },
    ],
  },
  {
    provider: 'gemini',
    how: 'as parts',
    response: (isCut) => [
      {
        candidates: [
          {
            content: { parts: IDS.map((id) => ({ functionCall: { id, name: 'rm', args: { path: '/' } } })) },
            finishReason: isCut ? 'MAX_TOKENS' : 'STOP',
          },
        ],
      },
    ],
  },
  {
    provider: 'gemini',
    how: 'as steps in a stream',
    response: (isCut) => [
      ...IDS.flatMap((id, index) => [
        {
          event_type: 'step.start',
          index,
          step: { type: 'function_call', id, name: 'rm', arguments: { path: '/' } },
        },
        { event_type: 'step.stop', index },
      ]),
      {
        event_type: 'interaction.completed',
        interaction: { status: isCut ? 'incomplete' : 'requires_action' },
      },
    ],
  },
  {
    provider: 'gemini',
    how: 'as steps of a whole interaction',
    response: (isCut) => [
      {
        object: 'interaction',
        status: isCut ? 'incomplete' : 'requires_action',
        steps: IDS.map((id) => ({ type: 'function_call', id, name: 'rm', arguments: { path: '/' } })),
      },
    ],
  },
  {
    provider: 'langchain',
    how: 'with a stop reason',
    response: (isCut) => [
      {
        type: 'ai',
        content: '',
        tool_calls: IDS.map((id) => ({ id, name: 'rm', args: { path: '/' } })),
        response_metadata: { stop_reason: isCut ? 'max_tokens' : 'tool_use' },
      },
    ],
  },
  {
    provider: 'langchain',
    how: 'with a finish reason',
    response: (isCut) => [
      {
        type: 'ai',
        content: '',
        tool_calls: IDS.map((id) => ({ id, name: 'rm', args: { path: '/' } })),
        response_metadata: { finish_reason: isCut ? 'length' : 'tool_calls' },
      },
    ],
  },
  {
    provider: 'ollama',
    how: 'streamed',
    response: (isCut) => [
      ...IDS.map((id) => ({
        message: { tool_calls: [{ id, function: { name: 'rm', arguments: { path: '/' } } }] },
        done: false,
      })),
      { message: {}, done: true, done_reason: isCut ? 'length' : 'stop' },
    ],
  },
]

describe.each(VALUE_ROWS)(
  'arguments that came as a value from $provider, $how,',
  ({ provider, response }) => {
    const calls = (payloads: readonly object[]): string[] =>
      told(eventsOf(payloads, { provider })).filter((line) => line.startsWith('call'))

    test('are whole if the response stops by itself', () => {
      expect(calls(response(false))).toEqual([
        'call rm#a complete {"path":"/"}',
        'call rm#b complete {"path":"/"}',
      ])
    })

    test('may be half of them if they are the last before a limit', () => {
      expect(calls(response(true))).toEqual([
        'call rm#a complete {"path":"/"}',
        'call rm#b truncated {"path":"/"}',
      ])
    })
  },
)

describe('arguments that came as a value', () => {
  const call = {
    message: { tool_calls: [{ function: { name: 'rm', arguments: { path: '/' } } }] },
    done: false,
  }
  const calls = (...chunks: readonly (object | string)[]): string[] =>
    told(eventsOf(chunks, { provider: 'ollama' })).filter((line) => line.startsWith('call'))

  test('are whole if the response goes on', () => {
    const text = { message: { content: 'Done.' }, done: false }
    expect(calls(call, text, { message: {}, done: true, done_reason: 'length' })).toEqual([
      'call rm#call-1 complete {"path":"/"}',
    ])
  })

  test('may be half of them if nothing follows', () => {
    expect(calls(call)).toEqual(['call rm#call-1 truncated {"path":"/"}'])
  })

  test('lack nothing if a payload is lost behind them', () => {
    const lines = [call, '{"message"', { message: {}, done: true }].map((line) =>
      typeof line === 'string' ? `${line}\n` : `${JSON.stringify(line)}\n`,
    )
    expect(calls(lines.join(''))).toEqual(['call rm#call-1 complete {"path":"/"}'])
  })

  test('that were to go on may be half of them', () => {
    const functionCall = { name: 'rm', args: { path: '/' }, willContinue: true }
    const payload = { candidates: [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }] }
    expect(told(eventsOf([payload], { provider: 'gemini' })).slice(1, 2)).toEqual([
      'call rm#call-1 truncated {"path":"/"}',
    ])
  })
})

describe('a stop sequence that a server of Chat Completions reports', () => {
  const chunk = (delta: object, end: object = { finish_reason: null }): object => ({
    choices: [{ index: 0, delta, ...end }],
  })
  const verdict = (content: string, end: object) =>
    eventsOf([chunk({ content }), chunk({}, { finish_reason: 'stop', ...end })], {
      provider: 'openai-chat',
      dialect: hermes,
    }).find(({ type }) => type === 'tool-call')

  const thought = '<think>Perhaps <tool_call>{"name": "wipe", "arguments": {}}</tool_call>'

  test.each([
    ['vLLM', { stop_reason: 'END' }],
    ['SGLang', { matched_stop: 'END' }],
  ])('does not make a call meant that stands in a thought: %s', (_, end) => {
    expect(verdict(thought, end)).toMatchObject({ repairs: [{ code: 'inside-reasoning', class: 'guess' }] })
  })

  test.each([
    ['nothing', {}],
    ['the end of the text', { stop_reason: null, matched_stop: null }],
    ['a token of the model', { stop_reason: 151645, matched_stop: 151645 }],
    ['the end of a turn in the dialect', { stop_reason: '<|im_end|>' }],
  ])('is none if the server reports %s', (_, end) => {
    expect(verdict(thought, end)).toMatchObject({ status: 'complete' })
  })

  test('cuts off a call whose arguments had not begun', () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'wipe', arguments: '' } }
    const calls = (end: object) =>
      told(
        eventsOf([chunk({ tool_calls: [call] }), chunk({}, { finish_reason: 'stop', ...end })], {
          provider: 'openai-chat',
        }),
      ).filter((line) => line.startsWith('call'))
    expect(calls({ stop_reason: 'END' })).toEqual(['call wipe#c1 truncated {}'])
    expect(calls({ stop_reason: null })).toEqual(['call wipe#c1 complete {}'])
  })

  test('is written again', () => {
    const events = eventsOf(
      [chunk({ content: 'Hi' }), chunk({}, { finish_reason: 'stop', stop_reason: 'END' })],
      {
        provider: 'openai-chat',
      },
    )
    expect(events.at(-1)).toMatchObject({ metadata: { 'openai-chat': { stopSequence: 'END' } } })
    const writer = openaiChatWriter.open({ id: 'r1', model: 'm', created: 1, allow: [] })
    expect(events.flatMap((event) => writer.write(event)).at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop', stop_reason: 'END' }],
    })
  })
})
