/** Providers end calls, too, that were cut off before their arguments began. Nobody may run those. */

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
