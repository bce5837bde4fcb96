/** Calls reach a client in the order in which the model began them, whenever their arguments come. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { isExecutable } from '../../src/index.ts'
import { findProvider, findWriter } from '../../src/providers/any.ts'
import { readProvider } from '../../src/providers/index.ts'
import { createWriter } from '../../src/providers/write-provider.ts'

const start = (id: string, toolName: string): SluiceEvent => ({ type: 'tool-input-start', id, toolName })
const delta = (id: string, text: string): SluiceEvent => ({ type: 'tool-input-delta', id, delta: text })
const verdict = (
  id: string,
  toolName: string,
  input: ToolCall['input'],
  status: ToolCall['status'] = 'complete',
): SluiceEvent[] => [
  { type: 'tool-input-end', id },
  { type: 'tool-call', id, toolName, input, status, repairs: [], ...(status !== 'complete' && { raw: '' }) },
]
const FINISH: SluiceEvent = { type: 'finish', reason: 'tool-calls' }

interface Row {
  readonly name: string
  readonly events: readonly SluiceEvent[]
  /** The calls that a client runs. */
  readonly runs: readonly string[]
  readonly formats?: readonly string[]
}

const LS = [delta('b', '{"path"'), delta('b', ': "."}')]

const ROWS: readonly Row[] = [
  {
    name: 'no arguments until the end',
    events: [
      ...[start('a', 'now'), start('b', 'ls'), ...LS, delta('a', '{}')],
      ...[...verdict('a', 'now', {}), ...verdict('b', 'ls', { path: '.' }), FINISH],
    ],
    runs: ['now {}', 'ls {"path":"."}'],
  },
  {
    name: 'arguments in the verdict alone',
    events: [
      ...[start('a', 'now'), start('b', 'ls'), ...LS],
      ...[...verdict('a', 'now', { zone: 'utc' }), ...verdict('b', 'ls', { path: '.' }), FINISH],
    ],
    runs: ['now {"zone":"utc"}', 'ls {"path":"."}'],
  },
  {
    name: 'arguments that come later, behind white space',
    events: [
      ...[
        start('a', 'now'),
        start('b', 'ls'),
        ...LS,
        delta('a', ' '),
        delta('a', '\n{'),
        delta('a', '"zone":1}'),
      ],
      ...[...verdict('a', 'now', { zone: 1 }), ...verdict('b', 'ls', { path: '.' }), FINISH],
    ],
    runs: ['now {"zone":1}', 'ls {"path":"."}'],
  },
  {
    name: 'the second is judged first',
    events: [
      ...[start('a', 'now'), start('b', 'ls'), ...LS, ...verdict('b', 'ls', { path: '.' })],
      ...[delta('a', '{}'), ...verdict('a', 'now', {}), FINISH],
    ],
    runs: ['now {}', 'ls {"path":"."}'],
  },
  {
    name: 'neither has deltas, and the second is judged first',
    events: [
      ...[start('a', 'now'), start('b', 'ls'), ...verdict('b', 'ls', { path: '.' })],
      ...[...verdict('a', 'now', {}), FINISH],
    ],
    runs: ['now {}', 'ls {"path":"."}'],
  },
  {
    name: 'free text, which waits for its verdict',
    events: [
      ...[start('a', 'patch'), delta('a', '"one'), start('b', 'ls'), ...LS, delta('a', ' two"')],
      ...[...verdict('b', 'ls', { path: '.' }), ...verdict('a', 'patch', 'one two'), FINISH],
    ],
    runs: ['patch "one two"', 'ls {"path":"."}'],
    formats: ['openai-chat', 'openai-responses'],
  },
  {
    name: 'three, of which the middle one has no arguments',
    events: [
      ...[start('a', 'ls'), delta('a', '{"path":"a"}'), start('b', 'now'), start('c', 'ls')],
      ...[delta('c', '{"path":"c"}'), ...verdict('a', 'ls', { path: 'a' })],
      ...[...verdict('b', 'now', {}), ...verdict('c', 'ls', { path: 'c' }), FINISH],
    ],
    runs: ['ls {"path":"a"}', 'now {}', 'ls {"path":"c"}'],
  },
]

async function reread(name: string, events: readonly SluiceEvent[]): Promise<SluiceEvent[]> {
  const writer = createWriter(findWriter(name), { id: 'x', model: 'm', created: 1 })
  const text = events.map((event) => writer.add(event)).join('')
  const read: SluiceEvent[] = []
  for await (const event of readProvider(new Response(text), { provider: findProvider(name) }))
    read.push(event)
  return read
}

const FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'ag-ui', 'ai-sdk-ui']

describe.each(FORMATS)('%s', (format) => {
  test.each(ROWS.filter(({ formats }) => formats?.includes(format) ?? true))(
    'keeps the order of calls: $name',
    async ({ events, runs }) => {
      const calls = new Map<string, string>()
      // A client lists them as they begin.
      for (const event of await reread(format, events)) {
        if (event.type === 'tool-input-start') calls.set(event.id, '')
        if (event.type === 'tool-call' && isExecutable(event))
          calls.set(event.id, `${event.toolName} ${JSON.stringify(event.input)}`)
      }
      expect([...calls.values()]).toEqual(runs)
    },
  )

  test('a call that was announced early and may not run never parses', async () => {
    const read = await reread(format, [
      ...[start('a', 'now'), start('b', 'ls'), ...LS],
      ...[...verdict('a', 'now', null, 'truncated'), ...verdict('b', 'ls', { path: '.' }), FINISH],
    ])
    const runs = read.filter((event) => event.type === 'tool-call' && isExecutable(event))
    expect(runs.map((event) => (event as ToolCall).toolName)).not.toContain('now')
  })
})
