/** What is said of each call while it runs, and calls that one function answers together. */

import { expect, test } from 'vitest'
import {
  type RunTurnOptions,
  runTurn,
  type TurnError,
  type TurnEvent,
  type TurnResult,
} from '../../src/turn/index.ts'
import { ManualClock } from './manual-clock.ts'
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
  [['a', 'b'], [['a', 'b']]],
  [['a'], [['a']]],
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

interface Context {
  readonly signal: AbortSignal
  progress(value: unknown): void
}

test('a call reports no progress once it is over', async () => {
  let late: (value: unknown) => void = () => {}
  let over: () => void = () => {}
  const isOver = new Promise<void>((resolve) => {
    over = resolve
  })
  const types: string[] = []
  await runTurn({
    model: scripted(calling('quick') + calling('slow'), 'End.'),
    conversation: 'Hi',
    tools: {
      quick: {
        execute: (_: unknown, { progress }: Context) => {
          late = progress
          return 'done'
        },
      },
      slow: {
        execute: async () => {
          await isOver
          late('more')
          return 'done'
        },
      },
    },
    onEvent: ({ type }) => {
      types.push(type)
      if (type === 'call-succeeded') over()
    },
  })
  expect(types).not.toContain('call-progress')
})

test('a tool that may take forever has no timer', async () => {
  const clock = new ManualClock()
  const { result } = await told(['go'], {
    tools: { go: { execute: () => clock.open } },
    clock,
    toolTimeoutMs: Number.POSITIVE_INFINITY,
  })
  expect(result.toolResults).toMatchObject([{ content: '0' }])
})

test('the signal of a call that is over does not fire when the turn ends', async () => {
  const signals: AbortSignal[] = []
  await told(['go'], {
    tools: { go: { execute: (_: unknown, { signal }: Context) => signals.push(signal) } },
  })
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('the signal of a call that runs fires when a callback ends the turn', async () => {
  const signals: AbortSignal[] = []
  const turn = runTurn({
    model: scripted(calling('go')),
    conversation: 'Hi',
    tools: {
      go: {
        execute: (_: unknown, { signal }: Context) => {
          signals.push(signal)
          return new Promise(() => {})
        },
      },
    },
    onEvent: ({ type }) => {
      if (type === 'call-started') throw new Error('My own.')
    },
  })
  await expect(turn).rejects.toThrow('My own.')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a call that is approved when no other runs any more runs, too', async () => {
  let approve: (answer: boolean) => void = () => {}
  const { lines } = await told(['a', 'b'], {
    tools: {
      a: { execute: () => void setImmediate(() => approve(true)) },
      b: { execute: () => 1 },
    },
    maxParallelTools: 1,
    approve: ({ toolName }) =>
      toolName === 'a' ||
      new Promise<boolean>((resolve) => {
        approve = resolve
      }),
  })
  expect(lines).toEqual([
    ...['call-started call-1', 'call-succeeded call-1', 'call-started call-2', 'call-succeeded call-2'],
  ])
})

test('results that are wrong are not used, and one that fails is no error that nobody handled', async () => {
  const lost = new Error('Lost.')
  const unhandled: unknown[] = []
  const onRejection = (reason: unknown): void => {
    if (reason === lost) unhandled.push(reason)
  }
  process.on('unhandledRejection', onRejection)
  try {
    const turn = told(['a'], {
      tools: [{ name: 'a' }],
      onToolCalls: ([call]) => [
        { toolUseId: call!.id, content: 'Fine.' },
        { toolUseId: 'other', content: Promise.reject(lost) },
      ],
    })
    const { result } = await turn.catch((error: TurnError) => error)
    await new Promise(setImmediate)
    expect(result).toMatchObject({ stopReason: 'error', toolResults: [{ isError: true }] })
    expect(result?.toolResults[0]?.content).not.toBe('Fine.')
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', onRejection)
  }
})

test('a function that answers too late is told which tools ran out of time', async () => {
  const reasons: string[] = []
  await told(['a', 'b'], {
    tools: [{ name: 'a' }, { name: 'b' }],
    toolTimeoutMs: 1,
    onToolCalls: (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message))
      }),
  })
  expect(reasons).toEqual(['The tool `a`, `b` ran out of time.'])
})
