/** What is said of each call while it runs, and calls that one function answers together. */

import { expect, test } from 'vitest'
import { type RunTurnOptions, runTurn, type TurnEvent, type TurnResult } from '../../src/turn/index.ts'
import { calling, scripted } from './scripted-model.ts'

async function told(
  names: readonly string[],
  options: Partial<RunTurnOptions>,
): Promise<{ lines: string[]; result: TurnResult }> {
  const events: TurnEvent[] = []
  const result = await runTurn({
    model: scripted(names.map((name) => calling(name)).join(''), 'End.'),
    conversation: 'Hi',
    ...options,
    onEvent: (event) => void events.push(event),
  })
  const lines = events.flatMap((event) =>
    /^call-(started|progress|succeeded|failed|timed)/.test(event.type) && 'id' in event
      ? `${event.type} ${event.id} ${'reason' in event ? event.reason : ''}${'progress' in event ? event.progress : ''}`.trim()
      : [],
  )
  return { lines, result }
}

test('a call reports its progress, and that it succeeded', async () => {
  const { lines } = await told(['go'], {
    tools: {
      go: {
        execute: (_: unknown, { progress }: { progress(value: unknown): void }) => {
          progress('half')
          return 'done'
        },
      },
    },
  })
  expect(lines).toEqual(['call-started call-1', 'call-progress call-1 half', 'call-succeeded call-1'])
})

test('a call that fails says why, whatever its answer is made of', async () => {
  const parts = { content: [{ type: 'text', text: 'No.' }], isError: true }
  const { lines } = await told(['go', 'parts'], {
    tools: { go: { execute: () => Promise.reject(new Error('Why.')) }, parts: { execute: () => parts } },
    maxParallelTools: 1,
  })
  expect(lines.filter((line) => line.startsWith('call-failed'))).toEqual([
    'call-failed call-1 Why.',
    'call-failed call-2 The tool failed.',
  ])
})

test('a call that takes too long says so', async () => {
  const { lines } = await told(['go'], {
    tools: { go: { execute: () => new Promise(() => {}) } },
    toolTimeoutMs: 1,
  })
  expect(lines).toEqual([
    'call-started call-1',
    expect.stringMatching(/^call-timed-out call-1 The tool `go` did not finish within 1 ms/),
  ])
})

test.each<[allowed: readonly string[], handled: readonly (readonly string[])[]]>([
  [['a', 'b', 'c'], [['a', 'b', 'c']]],
  [['a', 'c'], [['a', 'c']]],
  [['c'], [['c']]],
  [[], []],
])(
  'where %j are approved, the function for the others gets them together, once',
  async (allowed, handled) => {
    const batches: string[][] = []
    const { lines, result } = await told(['a', 'b', 'c'], {
      tools: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      approve: async ({ toolName }) => allowed.includes(toolName),
      onToolCalls: (calls) => {
        batches.push(calls.map(({ name }) => name))
        return calls.map(({ id }) => ({ toolUseId: id, content: 'ok' }))
      },
    })
    expect(batches).toEqual(handled)
    expect(lines.filter((line) => line.startsWith('call-started'))).toHaveLength(allowed.length)
    expect(result.toolResults.map(({ toolName, isError }) => [toolName, isError])).toEqual(
      ['a', 'b', 'c'].map((name) => [name, !allowed.includes(name)]),
    )
  },
)
