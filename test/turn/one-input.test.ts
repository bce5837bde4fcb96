/** What was approved is what runs: the same tool, the same input, to the last digit. */

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import {
  type ApprovalRequest,
  type EarlyCall,
  type Model,
  type RunTurnOptions,
  runTurn,
  TurnError,
  type TurnTools,
} from '../../src/turn/index.ts'
import { createPolicy, equals, maximum, within } from '../../src/turn/policy/index.ts'
import type { StandardSchemaV1 } from '../../src/values/schema/standard.ts'
import { calling, scripted } from './scripted-model.ts'

/** A schema whose library makes something of the input. */
const making = (make: (input: never) => unknown): StandardSchemaV1<unknown, never> => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value: make(value as never) as never }),
  },
})

/** A model that says these events, and then is done. */
const saying = (...events: readonly SluiceEvent[]): Model => {
  let isFirst = true
  return async function* () {
    const said = isFirst ? events : []
    isFirst = false
    yield* said
    yield { type: 'finish', reason: 'stop' }
  }
}

const start = (toolName: string, id = 'c'): SluiceEvent => ({ type: 'tool-input-start', id, toolName })
const verdict = (toolName: string, fields: Partial<ToolCall> = {}): SluiceEvent => ({
  ...{ type: 'tool-call', id: 'c', toolName, input: {}, status: 'complete', repairs: [] },
  ...fields,
})

/** Runs a turn, and gives what its tools got. */
async function inputsOf(
  options: Partial<RunTurnOptions> & { model: Model; tools: TurnTools },
): Promise<unknown[]> {
  const ran: unknown[] = []
  const tools = Object.fromEntries(
    Object.entries(options.tools).map(([name, tool]) => [
      name,
      { ...tool, execute: (input: unknown) => void ran.push([name, input]) },
    ]),
  )
  await runTurn({ conversation: 'Hi', ...options, tools: tools as TurnTools })
  return ran
}

const call = (input: string, toolName = 'run'): string =>
  `<tool_call>{"name":"${toolName}","arguments":${input}}</tool_call>`

describe('nobody changes what runs:', () => {
  const shared = { command: 'ls', run() {} }

  test.each<[what: string, make: (input: { command: string }) => unknown]>([
    ['an object', ({ command }) => ({ command })],
    ['an object that its schema keeps', (input) => input],
    ['an object with a function', ({ command }) => ({ command, run() {} })],
    ['an object that the schema gives again and again', () => shared],
    ['an instance of a class', ({ command }) => Object.assign(new (class Command {})(), { command })],
  ])('%s', async (_, make) => {
    const edit = (value: unknown): void => {
      try {
        ;(value as { command: string }).command = 'rm -rf /'
      } catch {
        // It is frozen.
      }
    }
    const [ran] = await inputsOf({
      model: scripted(call('{"command":"ls"}'), 'End.'),
      tools: { run: { inputSchema: making(make) } },
      approve: ({ input, call }) => {
        edit(input)
        edit(call.input)
        return true
      },
      onEvent: (event) => {
        if ('input' in event) edit(event.input)
      },
    })
    expect(ran).toMatchObject(['run', { command: 'ls' }])
  })

  test('what a handler got, where a listener edits the event of it', async () => {
    let handled: unknown
    await runTurn({
      model: scripted(call('{"command":"ls"}'), 'End.'),
      conversation: 'Hi',
      tools: { run: {} },
      onToolCalls: async (calls) => {
        await new Promise(setImmediate)
        handled = calls.map(({ name, input }) => ({ name, input }))
        return calls.map(({ id }) => ({ toolUseId: id, content: 'done' }))
      },
      onEvent: (event) => {
        if (event.type !== 'calls-waiting') return
        const [waiting] = event.calls as unknown as [{ name: string; input: { command: string } }]
        waiting.name = 'other'
        waiting.input.command = 'rm -rf /'
      },
    })
    expect(handled).toEqual([{ name: 'run', input: { command: 'ls' } }])
  })

  test('a getter and a proxy are asked once, before the decision', async () => {
    let asked = 0
    const changing = {
      get command(): string {
        return asked++ === 0 ? 'ls' : 'rm'
      },
    }
    const proxy = new Proxy({ command: '' }, { get: () => (asked++ === 0 ? 'ls' : 'rm') })
    for (const value of [changing, proxy]) {
      asked = 0
      const seen: unknown[] = []
      const ran = await inputsOf({
        model: scripted(call('{}'), 'End.'),
        tools: { run: { inputSchema: making(() => value) } },
        approve: ({ input }) => seen.push(input) > 0,
      })
      expect([seen, ran]).toEqual([[{ command: 'ls' }], [['run', { command: 'ls' }]]])
    }
  })

  test('what is no call passes as it is, whatever it holds', async () => {
    const custom = { type: 'custom', kind: 'file', value: { made: new Date(0) } as never } as const
    const events: unknown[] = []
    const onEvent = (event: unknown): void => void events.push(event)
    await runTurn({ model: saying(custom), conversation: 'Hi', onEvent })
    expect(events).toContain(custom)
  })

  test('a tool that changes its input changes nothing else', async () => {
    const { toolCalls, toolResults } = await runTurn({
      model: scripted(call('{"list":[1]}'), 'End.'),
      conversation: 'Hi',
      tools: {
        run: {
          execute: (input: { list: number[] }) => {
            input.list.push(2)
            return input.list
          },
        },
      },
    })
    expect(toolCalls).toMatchObject([{ input: { list: [1] } }])
    expect(toolResults).toMatchObject([{ content: '[1,2]' }])
  })
})

describe('what is asked about', () => {
  test('is the input as it was written and as the tool gets it, both frozen', async () => {
    const requests: ApprovalRequest[] = []
    await inputsOf({
      model: scripted(call('{"n": "5", "x": 1.0}'), 'End.'),
      tools: { run: { inputSchema: { properties: { n: { type: 'integer' } } } } },
      approve: (request) => requests.push(request) > 0,
    })
    expect(requests).toMatchObject([
      { input: { n: 5, x: 1 }, call: { input: { n: '5', x: 1 }, inputText: '{"n": "5", "x": 1.0}' } },
    ])
    const [{ input, call: written }] = requests as [ApprovalRequest]
    expect([input, written, written.input].map(Object.isFrozen)).toEqual([true, true, true])
  })

  test('has a digest of the tool, of what was written and of what the tool gets', async () => {
    const digestOf = async (input: string, tools: TurnTools, toolName = 'run'): Promise<string[]> => {
      const digests: string[] = []
      await inputsOf({
        model: scripted(call(input, toolName), 'End.'),
        tools,
        approve: ({ digest }) => digests.push(digest) > 0,
        onEvent: (event) => {
          if (event.type === 'call-approval-needed') digests.push(event.digest)
        },
      })
      return digests
    }
    const plain: TurnTools = { run: {} }
    const [digest, same] = await digestOf('{"a":1,"b":2}', plain)
    expect(same).toBe(digest)
    expect(await digestOf('{"b":2, "a":1}', plain)).toEqual([digest, digest])
    const others = [
      await digestOf('{"a":1,"b":2}', { walk: {} }, 'walk'),
      await digestOf('{"a":1.0,"b":2}', plain),
      await digestOf('{"a":1,"b":3}', plain),
      await digestOf('{"a":1,"b":2}', { run: { inputSchema: making(() => ({ a: 2 })) } }),
    ]
    expect(new Set([digest, ...others.flat()]).size).toBe(5)
  })

  test.each<[what: string, make: (input: never) => unknown, shown: unknown]>([
    ['a map', () => new Map([['command', 'ls']]), new Map([['command', 'ls']])],
    ['an object with a function', () => ({ command: 'ls', run() {} }), { command: 'ls' }],
    ['nothing', () => undefined, undefined],
    ['a function', () => () => 'ls', undefined],
  ])('is a copy of what cannot be frozen, or what JSON has of it: %s', async (_, make, shown) => {
    const inputs: unknown[] = []
    await inputsOf({
      model: scripted(call('{}'), 'End.'),
      tools: { run: { inputSchema: making(make) } },
      approve: ({ input }) => inputs.push(input) > 0,
    })
    expect(inputs).toStrictEqual([shown])
  })

  test('is what an answer is for that names its digest', async () => {
    const ran = await inputsOf({
      model: scripted(call('{}'), 'End.'),
      tools: { run: {} },
      approve: ({ digest }) => ({ approved: true, digest }),
    })
    expect(ran).toHaveLength(1)
  })

  test.each<[answer: object, runs: number]>([
    [{ approved: true, digest: 'that of another call' }, 0],
    [{ approved: true }, 1],
  ])('is not what an answer is for that names another digest: %j', async (answer, runs) => {
    const ran = await inputsOf({
      model: scripted(call('{}'), 'End.'),
      tools: { run: {} },
      approve: () => answer as never,
    })
    expect(ran).toHaveLength(runs)
  })
})

describe('a denial counts until the tool starts:', () => {
  const decided = async (
    options: Partial<RunTurnOptions>,
    text = call('{}'),
  ): Promise<[number, string[]]> => {
    const types: string[] = []
    const ran = await inputsOf({
      model: scripted(text, 'End.'),
      tools: { run: {} },
      onEvent: ({ type }) => {
        if (type.startsWith('call-')) types.push(type)
      },
      ...options,
    })
    return [ran.length, types]
  }

  test('of a guess, while somebody else still thinks', async () => {
    const guess = `<think>${call('{}')} or not</think>`
    const [ran] = await decided(
      {
        onCallStart: (early) => void setImmediate(() => early.deny('No.')),
        approve: () => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(true)))),
      },
      guess,
    )
    expect(ran).toBe(0)
  })

  test('behind an approval by the same, by another, and by a policy', async () => {
    let early: EarlyCall | undefined
    const onCallStart = (given: EarlyCall): void => {
      early = given
    }
    const denyAt = (at: string) => ({
      onEvent: ({ type }: { type: string }) => {
        if (type === at) early!.deny('Stop.')
      },
    })
    const policy = createPolicy({ rules: [], otherwise: 'allow' })
    const approving = (given: EarlyCall): void => {
      onCallStart(given)
      given.approve()
    }
    for (const options of [{}, { onCallStart: approving }, { approve: () => true }, { policy }])
      for (const at of ['call-requested', 'finish', 'tools-start']) {
        const [ran] = await decided({ onCallStart, ...options, ...denyAt(at) })
        expect([at, ran]).toEqual([at, 0])
      }
  })

  test('by the person who was asked, behind an approval by another', async () => {
    let early: EarlyCall | undefined
    let answer: (isApproved: boolean) => void = () => {}
    const [ran] = await decided({
      onCallStart: (given) => {
        early = given
      },
      approve: () => new Promise<boolean>((resolve) => (answer = resolve)),
      onEvent: ({ type }) => {
        if (type !== 'finish') return
        early!.approve()
        answer(false)
      },
    })
    expect(ran).toBe(0)
  })

  test('also of a call that waits for its turn', async () => {
    const open: EarlyCall[] = []
    const started: string[] = []
    const { toolResults } = await runTurn({
      model: scripted(call('{"n":1}') + call('{"n":2}'), 'End.'),
      conversation: 'Hi',
      maxParallelTools: 1,
      onCallStart: (early) => void open.push(early),
      tools: {
        run: {
          execute: (_, { id }) => {
            started.push(id)
            for (const early of open) early.deny('No more.')
          },
        },
      },
    })
    expect(started).toHaveLength(1)
    expect(toolResults[1]).toMatchObject({ content: 'No more.', isError: true })
  })

  test('and of one that a handler would answer', async () => {
    let early: EarlyCall | undefined
    const handled: unknown[] = []
    const { toolResults } = await runTurn({
      model: scripted(call('{}'), 'End.'),
      conversation: 'Hi',
      tools: { run: {} },
      onCallStart: (given) => {
        early = given
      },
      onToolCalls: (calls) => {
        handled.push(calls)
        return []
      },
      onEvent: ({ type }) => {
        if (type === 'tools-start') early!.deny('Not this time.')
      },
    })
    expect([handled, toolResults.map(({ content }) => content)]).toEqual([[], ['Not this time.']])
  })
})

describe('an early approval', () => {
  const approving = { onCallStart: (early: EarlyCall) => early.approve(), approve: () => false }
  const tools: TurnTools = { ls: {}, rm: {} }

  test('is for the tool that the call named when it began', async () => {
    expect(await inputsOf({ ...approving, tools, model: saying(start('ls'), verdict('rm')) })).toEqual([])
    expect(await inputsOf({ ...approving, tools, model: saying(start('ls'), verdict('ls')) })).toHaveLength(1)
  })

  test('does not keep a turn waiting that is for another tool and that nobody else can give', async () => {
    const policy = createPolicy({ rules: [], otherwise: 'ask' })
    const model = saying(start('ls'), verdict('rm'))
    const { onCallStart } = approving
    expect(await inputsOf({ policy, onCallStart, tools, model })).toEqual([])
  })

  test('is for one call, whatever else comes under its id', async () => {
    const again = [start('rm'), verdict('rm'), verdict('ls', { input: { more: 1 } })]
    const model = saying(start('ls'), verdict('ls'), ...again)
    expect(await inputsOf({ ...approving, tools, model })).toEqual([['ls', {}]])
  })

  test('is for what the call says it runs with', async () => {
    const model = saying(start('ls'), verdict('ls', { input: { a: 1 }, inputText: '{"a":2}' }))
    expect(await inputsOf({ ...approving, tools, model })).toEqual([['ls', { a: 1 }]])
  })
})

describe('a policy sees', () => {
  const denied = createPolicy({
    rules: [{ tool: 'run', at: '/**', is: equals('rm'), decision: 'deny' }],
    otherwise: 'allow',
  })
  const nobody = { policy: denied }

  test.each<[what: string, make: () => unknown]>([
    ['a map', () => new Map([['command', 'rm']])],
    ['a set', () => new Set(['rm'])],
    ['an instance of a class', () => new (class Command {})()],
    ['a function', () => () => 'rm'],
    ['an object with a function', () => ({ run: () => 'rm' })],
    ['a date', () => ({ at: new Date(0) })],
    ['what says another thing in JSON', () => ({ command: 'rm', toJSON: () => ({}) })],
    ['what is there, and not to be seen', () => Object.defineProperty({}, 'command', { value: 'rm' })],
    ['what a symbol names', () => ({ [Symbol('command')]: 'rm' })],
    ['a list with more than items', () => Object.assign(['a'], { command: 'rm' })],
    ['what holds itself', () => holdingItself()],
    ['a number that JSON has none for', () => ({ n: Number.NaN })],
  ])('that %s is more than it can see, and allows it by no default', async (_, make) => {
    const tools: TurnTools = { run: { inputSchema: making(make) } }
    const model = () => scripted(call('{"command":"ls"}'), 'End.')
    expect(await inputsOf({ ...nobody, tools, model: model() })).toEqual([])
    const bigint: TurnTools = { run: { ...tools.run, bigint: true } }
    expect(await inputsOf({ ...nobody, tools: bigint, model: model() })).toEqual([])
    expect(await inputsOf({ ...nobody, tools, model: model(), approve: () => true })).toHaveLength(1)
    const allowed = createPolicy({ rules: [{ tool: 'run', decision: 'allow' }], otherwise: 'deny' })
    expect(await inputsOf({ policy: allowed, tools, model: model() })).toHaveLength(1)
    const anything = createPolicy({ rules: [{ decision: 'allow' }], otherwise: 'deny' })
    expect(await inputsOf({ policy: anything, tools, model: model() })).toEqual([])
  })

  test('what JSON has of an output that it cannot see all of, and denies it for that', async () => {
    const policy = createPolicy({
      rules: [{ at: '/command', is: equals('rm'), decision: 'deny' }],
      otherwise: 'allow',
    })
    const tools: TurnTools = { run: { inputSchema: making(() => ({ command: 'rm', run() {} })) } }
    const model = scripted(call('{"command":"ls"}'), 'End.')
    expect(await inputsOf({ policy, tools, model, approve: () => true })).toEqual([])
  })

  test('nothing, where a schema makes nothing of the input', async () => {
    const tools: TurnTools = { run: { inputSchema: making(() => undefined) } }
    expect(await inputsOf({ ...nobody, tools, model: scripted(call('{}'), 'End.') })).toEqual([
      ['run', undefined],
    ])
  })

  test('what the tool gets, where a schema makes another value of it', async () => {
    const tools: TurnTools = { run: { inputSchema: making(() => ({ command: 'rm' })) } }
    const model = scripted(call('{"command":"ls"}'), 'End.')
    expect(await inputsOf({ ...nobody, tools, model, approve: () => true })).toEqual([])
  })

  test('all digits of a number', () => {
    const { approve } = createPolicy({
      rules: [{ at: '/n', is: maximum(100), decision: 'allow' }],
      otherwise: 'deny',
    })
    const decision = (text: string): string =>
      approve({ toolName: 'run', input: JSON.parse(text), inputText: text }).decision
    expect(decision('{"n":100.0}')).toBe('allow')
    expect(decision('{"n":100.00000000000000000001}')).toBe('ask')
    expect(decision('{"n":9007199254740993}')).toBe('deny')
  })

  test('paths as before', async () => {
    const policy = createPolicy({
      rules: [{ tool: 'run', at: '/path', is: within('src', { base: '/app' }), decision: 'allow' }],
      otherwise: 'deny',
    })
    const tools: TurnTools = { run: { inputSchema: z.object({ path: z.string() }) } }
    const model = scripted(call('{"path":"src/a"}') + call('{"path":"../etc"}'), 'End.')
    expect(await inputsOf({ policy, tools, model })).toEqual([['run', { path: 'src/a' }]])
  })
})

describe('an integer beyond 2^53', () => {
  const inputSchema = { properties: { id: { type: 'integer' } } }
  const ran = (tools: TurnTools): Promise<unknown[]> =>
    inputsOf({ tools, model: scripted(call('{"id":9007199254740993}'), 'End.'), approve: () => true })

  test('reaches a tool that takes bigints, exactly', async () => {
    expect(await ran({ run: { inputSchema, bigint: true } })).toEqual([['run', { id: 9007199254740993n }]])
  })

  test('is nothing that a policy cannot see', async () => {
    const policy = createPolicy({ rules: [], otherwise: 'allow' })
    const model = scripted(call('{"id":9007199254740993}'), 'End.')
    const tools: TurnTools = { run: { inputSchema, bigint: true } }
    expect(await inputsOf({ policy, tools, model })).toEqual([['run', { id: 9007199254740993n }]])
  })

  test('is refused for any other tool', async () => {
    expect(await ran({ run: { inputSchema } })).toEqual([])
  })

  test('is text in the event that asks for an approval, which is plain data', async () => {
    const events: unknown[] = []
    await inputsOf({
      tools: { run: { inputSchema, bigint: true } },
      model: scripted(call('{"id":9007199254740993}'), 'End.'),
      approve: () => true,
      onEvent: (event) => {
        if (event.type === 'call-requested' || event.type === 'call-approval-needed') events.push(event)
      },
    })
    expect(JSON.parse(JSON.stringify(events))).toMatchObject([
      { inputText: '{"id":9007199254740993}' },
      { input: { id: '9007199254740993' } },
    ])
  })
})

test('a callback that throws ends the turn with an error that has what was done', async () => {
  const cause = new Error('no')
  const error = await runTurn({
    model: scripted(calling('run'), 'End.'),
    conversation: 'Hi',
    tools: { run: { execute: () => 'done' } },
    onEvent: ({ type }) => {
      if (type === 'tool-result-end') throw cause
    },
  }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TurnError)
  expect(error).toMatchObject({
    kind: 'callback',
    message: 'no',
    cause,
    result: { stopReason: 'error', toolResults: [{ content: 'done' }], rounds: 1 },
  })
})

function holdingItself(): unknown {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}
