/** What is sent a second time does not run a second time, and what is really meant twice does. */

import { expect, test } from 'vitest'
import { eventsOf, told } from './told.ts'

const calls = (provider: string, payloads: readonly object[]): string[] =>
  told(eventsOf(payloads, { provider })).filter((line) => line.startsWith('call'))

const ollama = (created_at: string | undefined, count = 1, done = false) => ({
  ...(created_at !== undefined && { created_at }),
  message: {
    tool_calls: Array.from({ length: count }, () => ({ function: { name: 'roll', arguments: { dice: 2 } } })),
  },
  done,
})
const ollamaEnd = { message: {}, done: true, done_reason: 'stop' }

const gemini = (count = 1, finishReason?: string) => ({
  candidates: [
    {
      content: {
        parts: Array.from({ length: count }, () => ({ functionCall: { name: 'roll', args: { dice: 2 } } })),
      },
      ...(finishReason && { finishReason }),
    },
  ],
})

const chat = (id: string | undefined, index: number, finish_reason: string | null = null) => ({
  choices: [
    {
      delta: { tool_calls: [{ index, id, function: { name: 'roll', arguments: '{"dice":2}' } }] },
      finish_reason,
    },
  ],
})
const text = (finish_reason: string) => ({ choices: [{ delta: { content: 'x' }, finish_reason }] })
const custom = (id: string, finish_reason: string | null = null) => ({
  choices: [
    {
      delta: { tool_calls: [{ index: 0, id, type: 'custom', custom: { name: 'roll', input: '2' } }] },
      finish_reason,
    },
  ],
})

test.each<[what: string, provider: string, payloads: readonly object[], count: number]>([
  ['a line of Ollama, sent at the same time', 'ollama', [ollama('t1'), ollama('t1'), ollamaEnd], 1],
  ['two lines of Ollama, sent one after the other', 'ollama', [ollama('t1'), ollama('t2'), ollamaEnd], 2],
  [
    'two lines of a server that gives no time',
    'ollama',
    [ollama(undefined), ollama(undefined), ollamaEnd],
    2,
  ],
  ['one line of Ollama with two calls', 'ollama', [ollama('t1', 2), ollamaEnd], 2],
  ['the same line twice', 'ollama', [ollama('t1', 2), ollama('t1', 2), ollamaEnd], 2],
  [
    'a response of a server that gives no time',
    'ollama',
    [ollama(undefined), ollamaEnd, ollama(undefined), ollamaEnd],
    1,
  ],
  ['two parts of Gemini', 'gemini', [gemini(2, 'STOP')], 2],
  ['two chunks of Gemini', 'gemini', [gemini(), gemini(1, 'STOP')], 2],
  ['a response of Gemini', 'gemini', [gemini(2, 'STOP'), gemini(2, 'STOP')], 2],
  ['two responses in one stream', 'openai-chat', [chat('a', 0, 'tool_calls'), chat('b', 0, 'tool_calls')], 2],
])('%s: passed over, or read', (_, provider, payloads, count) => {
  expect(calls(provider, payloads)).toHaveLength(count)
  expect(calls(provider, payloads).every((line) => line.includes(' complete '))).toBe(true)
})

test.each<[what: string, provider: string, payloads: readonly object[], statuses: readonly string[]]>([
  [
    'a response without ids',
    'openai-chat',
    [chat(undefined, 0), text('tool_calls'), chat(undefined, 0), text('tool_calls')],
    ['complete', 'invalid'],
  ],
  [
    'two responses with ids, twice',
    'openai-chat',
    [chat('a', 0, 'stop'), chat('b', 0, 'stop'), chat('a', 0, 'stop'), chat('b', 0, 'stop')],
    ['complete', 'complete', 'invalid', 'invalid'],
  ],
  [
    'a tool that takes free text',
    'openai-chat',
    [custom('a', 'tool_calls'), custom('a', 'tool_calls')],
    ['complete', 'invalid'],
  ],
])('%s: what was announced cannot be passed over, and is refused', (_, provider, payloads, statuses) => {
  expect(calls(provider, payloads).map((line) => line.split(' ')[2])).toEqual(statuses)
})

test('a second message that breaks off leaves its call cut off, although the first one ended', () => {
  const start = (id: string) => ({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id, name: 'wipe', input: {} },
  })
  const stop = { type: 'content_block_stop', index: 0 }
  const end = { type: 'message_delta', delta: { stop_reason: 'tool_use' } }
  const over = { type: 'message_stop' }
  expect(calls('anthropic', [start('a'), stop, end, over, start('b'), stop, end, over])).toEqual([
    'call wipe#a complete {}',
    'call wipe#b complete {}',
  ])
  expect(calls('anthropic', [start('a'), stop, end, over, start('b')])).toEqual([
    'call wipe#a complete {}',
    'call wipe#b truncated {}',
  ])
})

const chatPiece = (args: string) => ({
  choices: [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'rm', arguments: args } }] } }],
})
const chatMessage = (args: string, id = 'a', name = 'rm') => ({
  choices: [
    {
      message: { tool_calls: [{ id, function: { name, arguments: args } }] },
      finish_reason: 'tool_calls',
    },
  ],
})
const anthropicPieces = (...pieces: readonly string[]) => [
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'a', name: 'rm', input: {} },
  },
  ...pieces.map((partial_json) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  })),
]
const anthropicMessage = (input: object, stop_reason = 'tool_use', name = 'rm') => ({
  type: 'message',
  content: [{ type: 'tool_use', id: 'a', name, input }],
  stop_reason,
})
const blockStop = { type: 'content_block_stop', index: 0 }

test.each<[what: string, provider: string, payloads: readonly object[], line: string]>([
  [
    'other arguments',
    'openai-chat',
    [chatPiece('{"path":"/a'), chatPiece('"}'), chatMessage('{"path":"/a/b"}')],
    'call rm#a invalid {"path":"/a"}',
  ],
  [
    'other arguments, and no id',
    'openai-chat',
    [chatPiece('{"path":"/a"}'), chatMessage('{"path":"/b"}', '')],
    'call rm#a invalid {"path":"/a"}',
  ],
  [
    'the arguments that did not come',
    'openai-chat',
    [chatPiece(''), chatMessage('{"path":"/a"}')],
    'call rm#a complete {"path":"/a"}',
  ],
  [
    'the same arguments, written in another way',
    'openai-chat',
    [chatPiece('{"path":"/a"}'), chatMessage('{ "path": "/a" }')],
    'call rm#a complete {"path":"/a"}',
  ],
  [
    'a call under another id, which may be any',
    'openai-chat',
    [chatPiece('{"path":"/a"}'), chatMessage('{"path":"/b"}', 'z')],
    'call rm#a complete {"path":"/a"}',
  ],
  [
    'another name',
    'openai-chat',
    [chatPiece('{"path":"/a"}'), chatMessage('{"path":"/a"}', 'a', 'ls')],
    'call rm#a invalid {"path":"/a"}',
  ],
  [
    'another name of a block',
    'anthropic',
    [...anthropicPieces('{"path":"/a"}'), anthropicMessage({ path: '/a' }, 'tool_use', 'ls')],
    'call rm#a invalid {"path":"/a"}',
  ],
  [
    'the input that did not come',
    'anthropic',
    [...anthropicPieces(), blockStop, anthropicMessage({ path: '/a' })],
    'call rm#a complete {"path":"/a"}',
  ],
  [
    'half of the input that did not come',
    'anthropic',
    [...anthropicPieces(), blockStop, anthropicMessage({ path: '/a' }, 'max_tokens')],
    'call rm#a truncated {}',
  ],
  [
    'another input',
    'anthropic',
    [...anthropicPieces('{"path":"/a"}'), anthropicMessage({ path: '/b' })],
    'call rm#a repaired {"path":"/a"}',
  ],
])('a whole message at the end of the stream with %s', (_, provider, payloads, line) => {
  expect(calls(provider, payloads)).toEqual([line])
})

test('an item that is done under another name is no second call, and does not run', () => {
  const item = (name: string, args: string) => ({
    output_index: 0,
    item: { type: 'function_call', id: 'f', call_id: 'a', name, arguments: args },
  })
  expect(
    calls('openai-responses', [
      { type: 'response.output_item.added', ...item('rm', '') },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"path":"/a"}' },
      { type: 'response.output_item.done', ...item('ls', '{"path":"/a"}') },
      { type: 'response.completed', response: { status: 'completed' } },
    ]),
  ).toEqual(['call rm#a invalid {"path":"/a"} {"openai-responses":{"itemId":"f"}}'])
})
