import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { claudeCode } from '../../../src/providers/named-providers.ts'
import { eventsOf, told } from '../told.ts'

const ABOUT = { session_id: 's', parent_tool_use_id: null }
const streamed = (event: object): object => ({ type: 'stream_event', event, ...ABOUT })
const assistant = (id: string, block: object, more: object = {}): object => ({
  type: 'assistant',
  message: { id, type: 'message', role: 'assistant', content: [block] },
  ...ABOUT,
  ...more,
})
const user = (content: unknown, more: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content },
  ...ABOUT,
  ...more,
})
const result = (more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  stop_reason: 'end_turn',
  ...ABOUT,
  ...more,
})
const text = (words: string): object => ({ type: 'text', text: words })
const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }
const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: claudeCode }))

describe('calls', () => {
  test('are run by Claude Code, and answered in the messages of the user', () => {
    expect(
      read(
        assistant('m', call),
        user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.ts' }]),
        assistant('n', text('Done.')),
        result(),
      ),
    ).toEqual([
      'call Bash#toolu_1 complete {"command":"ls"} theirs',
      'tool-result toolu_1 a.ts',
      'text Done.',
      'finish stop (end_turn)',
    ])
  })

  test('never may run, wherever the stream breaks off', () => {
    const payloads = [
      streamed({ type: 'message_start', message: { id: 'm' } }),
      streamed({ type: 'content_block_start', index: 0, content_block: { ...call, input: {} } }),
      streamed({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{}' },
      }),
      streamed({ type: 'content_block_stop', index: 0 }),
      streamed({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }),
      streamed({ type: 'message_stop' }),
      assistant('n', { ...call, id: 'toolu_2' }),
      result({ stop_reason: 'tool_use' }),
    ]
    for (let length = 0; length <= payloads.length; length++) {
      const events = eventsOf(payloads.slice(0, length), { provider: claudeCode })
      expect(events.filter((event) => event.type === 'tool-call' && isExecutable(event))).toEqual([])
      expect(events.at(-1)).not.toMatchObject({ reason: 'tool-calls' })
    }
  })

  test('have results that are text, a failure, or something else', () => {
    const image = { type: 'image', source: {} }
    expect(
      read(
        user([{ type: 'tool_result', tool_use_id: 'a', content: [text('one '), text('two')] }]),
        user([{ type: 'tool_result', tool_use_id: 'b', content: 'No.', is_error: true }]),
        user([{ type: 'tool_result', tool_use_id: 'c', content: [image] }]),
        result(),
      ).slice(0, 3),
    ).toEqual([
      'tool-result a one two',
      'tool-result b failed No.',
      `tool-result c ${JSON.stringify([image])}`,
    ])
  })
})

describe('text', () => {
  test('that came in events is not read again in its message, nor in the result', () => {
    expect(
      read(
        streamed({ type: 'message_start', message: { id: 'm' } }),
        streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Do' } }),
        streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ne.' } }),
        assistant('m', text('Done.')),
        streamed({ type: 'content_block_stop', index: 0 }),
        assistant('other', text('More.')),
        result(),
      ),
    ).toEqual(['text Do|ne.', 'text More.', 'finish stop (end_turn)'])
  })

  test('is not read again where the events began without their message', () => {
    const delta = (words: string): object =>
      streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } })
    const stop = streamed({ type: 'message_stop' })
    const said = (...payloads: object[]): string[] =>
      read(...payloads, result()).filter((line) => line.startsWith('text'))
    expect(said(delta('Hi.'), assistant('m', text('Hi.')), stop)).toEqual(['text Hi.'])
    expect(said(delta('Hi.'), stop, assistant('m', text('Hi.')))).toEqual(['text Hi.'])
    // Each message is one of its own, and so is one that was not streamed.
    const first = streamed({ type: 'message_start', message: { id: 'm' } })
    expect(
      said(
        first,
        delta('Hi.'),
        stop,
        delta('You.'),
        assistant('n', text('You.')),
        assistant('o', text('Bye.')),
      ),
    ).toEqual(['text Hi.|You.|Bye.'])
  })

  test('stands in the result alone where nothing else is written', () => {
    expect(read(result())).toEqual(['text Done.', 'finish stop (end_turn)'])
    expect(read(result()).slice(0, 1)).toEqual(told(eventsOf([JSON.stringify(result())])).slice(0, 1))
  })

  test('of the user, of subagents and of Claude Code itself is not that of the model', () => {
    const quoted = user('Look at src.')
    const inner = { ...assistant('x', text('I am a subagent.')), parent_tool_use_id: 'toolu_1' }
    const failed = assistant('y', text('API Error: 529'), { error: 'overloaded' })
    expect(read(quoted, inner, failed, assistant('z', text('Done.')), result())).toEqual([
      `custom user ${JSON.stringify(quoted)}`,
      `custom subagent ${JSON.stringify(inner)}`,
      `custom assistant ${JSON.stringify(failed)}`,
      'text Done.',
      'finish stop (end_turn)',
    ])
  })
})

describe('the result', () => {
  test('has the figures of the turn, and not those of its last message', () => {
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: 6,
      cache_creation_input_tokens: 10,
      output_tokens: 3,
    }
    const last = { id: 'm', type: 'message', content: [text('Done.')], usage: { input_tokens: 1 } }
    expect(read({ type: 'assistant', message: last, ...ABOUT }, result({ usage })).at(-1)).toBe(
      'finish stop (end_turn) {"inputTokens":20,"outputTokens":3,"cachedInputTokens":6,"cacheWriteInputTokens":10,"totalTokens":23}',
    )
  })

  test.each<[what: object, lines: readonly string[]]>([
    [
      { is_error: true, result: 'Credit balance is too low' },
      ['error Credit balance is too low', 'finish error (end_turn)'],
    ],
    [
      {
        subtype: 'error_during_execution',
        is_error: true,
        result: undefined,
        errors: ['It broke.'],
        stop_reason: null,
      },
      ['error It broke.', 'finish error'],
    ],
    [
      { subtype: 'error_max_turns', is_error: true, result: undefined, errors: [] },
      ['finish other (error_max_turns)'],
    ],
    [{ stop_reason: 'max_tokens', result: '' }, ['finish length (max_tokens)']],
  ])('may say why the turn failed or stopped: %j', (more, lines) => {
    expect(read(result(more))).toEqual(lines)
  })

  test('is missing where the stream broke off', () => {
    expect(read(assistant('m', text('Hel')))).toEqual([
      'text Hel',
      'diagnostic truncated-stream',
      'finish error',
    ])
  })
})

test('what else Claude Code tells is passed on', () => {
  const told = { type: 'system', subtype: 'compact_boundary', ...ABOUT }
  const init = { type: 'system', subtype: 'init', model: 'm', claude_code_version: '2', ...ABOUT }
  const events = eventsOf([init, told, result()])
  expect(events[0]).toEqual({ type: 'custom', kind: 'system', value: told })
  expect(events.at(-1)).toMatchObject({
    metadata: { 'claude-code': { sessionId: 's', model: 'm', version: '2' } },
  })
})
