import { describe, expect, test } from 'vitest'
import { codex } from '../../../src/providers/named-providers.ts'
import { eventsOf, told } from '../told.ts'

const started = (item: object): object => ({ type: 'item.started', item })
const updated = (item: object): object => ({ type: 'item.updated', item })
const completed = (item: object): object => ({ type: 'item.completed', item })
const DONE = { type: 'turn.completed', usage: { input_tokens: 9, cached_input_tokens: 4, output_tokens: 3 } }
const END = 'finish stop {"inputTokens":9,"outputTokens":3,"cachedInputTokens":4,"totalTokens":12}'
const read = (...payloads: object[]): string[] => told(eventsOf(payloads, { provider: codex }))

describe('what Codex ran', () => {
  const command = (more: object = {}): object => ({
    id: 'a',
    type: 'command_execution',
    command: 'ls',
    ...more,
  })

  test('is a call of its own, told when it begins, with the result when it is over', () => {
    const events = eventsOf([started(command({ status: 'in_progress' }))], { provider: codex })
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({
      toolName: 'command_execution',
      input: { command: 'ls' },
      providerExecuted: true,
    })
    expect(
      read(
        started(command()),
        updated(command()),
        completed(command({ aggregated_output: 'a.ts', exit_code: 0 })),
        DONE,
      ),
    ).toEqual(['call command_execution#a complete {"command":"ls"} theirs', 'tool-result a a.ts', END])
  })

  test.each<[item: object, lines: readonly string[]]>([
    [
      {
        type: 'command_execution',
        command: 'x',
        aggregated_output: 'No x.',
        exit_code: 127,
        status: 'failed',
      },
      ['call command_execution#i complete {"command":"x"} theirs', 'tool-result i failed No x.'],
    ],
    [
      { type: 'file_change', changes: [{ path: 'a', kind: 'add' }], status: 'completed' },
      [
        'call file_change#i complete {"changes":[{"path":"a","kind":"add"}]} theirs',
        'tool-result i completed',
      ],
    ],
    [
      {
        type: 'mcp_tool_call',
        server: 'maps',
        tool: 'find',
        arguments: { q: 'x' },
        result: { content: [{ type: 'text', text: 'Here.' }], structured_content: null },
        status: 'completed',
      },
      ['call find#i complete {"q":"x"} theirs {"codex":{"server":"maps"}}', 'tool-result i Here.'],
    ],
    [
      {
        type: 'mcp_tool_call',
        server: 'maps',
        tool: 'find',
        arguments: {},
        error: { message: 'No.' },
        status: 'failed',
      },
      ['call find#i complete {} theirs {"codex":{"server":"maps"}}', 'tool-result i failed No.'],
    ],
    [{ type: 'web_search', query: 'rain' }, ['call web_search#i complete {"query":"rain"} theirs']],
  ])('may come only when it is over: %j', (item, lines) => {
    expect(read(completed({ id: 'i', ...item }), DONE)).toEqual([...lines, END])
  })

  test('may be asked for before the query is known', () => {
    expect(
      read(
        started({ id: 'i', type: 'web_search', query: '' }),
        completed({ id: 'i', type: 'web_search', query: 'rain' }),
        DONE,
      ),
    ).toEqual(['call web_search#i complete {"query":"rain"} theirs', END])
  })

  test('may run at the same time', () => {
    const other = { id: 'b', type: 'command_execution', command: 'pwd' }
    expect(
      read(
        started(command()),
        started(other),
        completed({ ...other, aggregated_output: '/', exit_code: 0 }),
        completed(command({ aggregated_output: 'a.ts', exit_code: 0 })),
        DONE,
      ),
    ).toEqual([
      'call command_execution#a complete {"command":"ls"} theirs',
      'call command_execution#b complete {"command":"pwd"} theirs',
      'tool-result b /',
      'tool-result a a.ts',
      END,
    ])
  })
})

test('text and reasoning grow where they are updated, and come whole where not', () => {
  const message = (text: string): object => ({ id: 'm', type: 'agent_message', text })
  expect(
    read(
      completed({ id: 'r', type: 'reasoning', text: '**Looking**' }),
      started(message('')),
      updated(message('Hel')),
      completed(message('Hello')),
      completed({ id: 'n', type: 'agent_message', text: 'Bye' }),
      DONE,
    ),
  ).toEqual(['reasoning **Looking**', 'text Hel|lo', 'text Bye', END])
})

test('a list of things to do, and errors that end nothing, are passed on', () => {
  const list = { id: 't', type: 'todo_list', items: [{ text: 'Look', completed: false }] }
  const error = { id: 'e', type: 'error', message: 'Slow.' }
  expect(read(started(list), completed(error), DONE)).toEqual([
    `custom todo_list ${JSON.stringify(list)}`,
    `custom error ${JSON.stringify(error)}`,
    END,
  ])
})

describe('an error', () => {
  const lost = { type: 'error', message: 'Reconnecting... 1/5' }

  test('is none if the turn goes on to its end', () => {
    expect(read(lost, DONE)).toEqual([`custom error ${JSON.stringify(lost)}`, END])
  })

  test('is one if nothing follows', () => {
    expect(read({ type: 'turn.started' }, lost)).toEqual([
      `custom error ${JSON.stringify(lost)}`,
      'error Reconnecting... 1/5',
      'finish error',
    ])
  })

  test('may be that of the turn', () => {
    expect(read({ type: 'turn.started' }, { type: 'turn.failed', error: { message: 'Overloaded' } })).toEqual(
      ['error Overloaded', 'finish error'],
    )
  })
})
