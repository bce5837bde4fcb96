/** Tools, models and functions that do their worst. The turn ends, says so, and leaves nothing open. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { geminiModel, type Model, openaiChatModel, runTurn, type TurnTools } from '../../src/turn/index.ts'
import { RepeatedRefusals } from '../../src/turn/repeated-refusals.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelServer } from './model-server.ts'
import { calling, scripted } from './scripted-model.ts'

const NOT_JSON = 'The tool ran, but its result cannot be written as JSON: '
const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

describe('a tool that', () => {
  test.each<[what: string, execute: () => unknown, content: unknown, isError: boolean]>([
    [
      'throws undefined',
      () => {
        throw undefined
      },
      'The tool failed without saying why.',
      true,
    ],
    [
      'throws an object that cannot be shown',
      () => {
        throw { toString: null }
      },
      'The error cannot be written as text.',
      true,
    ],
    ['rejects with null', () => Promise.reject(null), 'The tool failed without saying why.', true],
    [
      'throws an error without a message',
      () => {
        throw new Error()
      },
      'The tool failed without saying why.',
      true,
    ],
    ['returns cyclic data', () => cyclic, expect.stringContaining('cannot be written as JSON'), true],
    ['returns a bigint', () => 10n, expect.stringContaining('cannot be written as JSON'), true],
    [
      'returns what throws when it is read',
      () =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no')
            },
          },
        ),
      expect.stringContaining('cannot be written as JSON'),
      true,
    ],
    ['returns an error', () => new Error('The disk is full.'), 'The disk is full.', true],
    ['returns a function', () => () => {}, `${NOT_JSON}function is not JSON`, true],
    ['returns a symbol', () => Symbol('x'), `${NOT_JSON}symbol is not JSON`, true],
    ['returns a map', () => new Map([['a', 1]]), `${NOT_JSON}[object Map] is not JSON`, true],
    ['returns a set inside', () => ({ a: [new Set([1])] }), `${NOT_JSON}[object Set] is not JSON`, true],
    ['returns no number', () => Number.NaN, `${NOT_JSON}NaN is not JSON`, true],
    ['returns no number inside', () => ({ content: [1 / 0] }), `${NOT_JSON}Infinity is not JSON`, true],
    ['returns a date', () => ({ at: new Date(0) }), '{"at":"1970-01-01T00:00:00.000Z"}', false],
    ['returns what is empty', () => [{}, [], undefined, null, 0], '[{},[],null,null,0]', false],
    ['returns bytes', () => new Uint8Array([7]), '{"0":7}', false],
    ['returns a boxed number', () => Object(5), '5', false],
    ['returns nothing', () => undefined, '', false],
    ['returns null', () => null, 'null', false],
    [
      'returns a thenable',
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library
      () => ({ then: (resolve: (value: string) => void) => resolve('later') }),
      'later',
      false,
    ],
    [
      'returns a list of what only looks like parts',
      () => [{ type: 'text', text: 7 }],
      '[{"type":"text","text":7}]',
      false,
    ],
    ['says that it failed', () => ({ content: 'No.', isError: true }), 'No.', true],
    [
      'says AbortError',
      () => {
        throw new DOMException('aborted', 'AbortError')
      },
      'aborted',
      true,
    ],
  ])('%s', async (_, execute, content, isError) => {
    const model = scripted(calling('go'), 'End.')
    const { toolResults, stopReason } = await runTurn({
      model,
      conversation: 'Hi',
      tools: { go: { execute } },
    })
    expect(toolResults).toEqual([{ id: 'call-1', toolName: 'go', content, isError }])
    expect(stopReason).toBe('stop')
    expect(model.requests).toHaveLength(2)
  })

  test('answers after its time is up is not heard', async () => {
    const clock = new ManualClock()
    let late: (value: string) => void = () => {}
    let report: (value: unknown) => void = () => {}
    const progress: unknown[] = []
    const turn = runTurn({
      model: scripted(calling('go'), 'End.'),
      conversation: 'Hi',
      tools: {
        go: {
          execute: (_: unknown, context: { progress(value: unknown): void }) => {
            report = context.progress
            return new Promise<string>((resolve) => {
              late = resolve
            })
          },
        },
      },
      toolTimeoutMs: 10,
      clock,
      onEvent: (event) => {
        if (event.type === 'call-progress') progress.push(event.progress)
        if (event.type !== 'call-timed-out') return
        report('still here')
        late('done')
      },
    })
    await clock.pass(10)
    const { toolResults } = await turn
    expect(toolResults).toMatchObject([{ isError: true, content: expect.stringContaining('within 10 ms') }])
    expect(progress).toEqual([])
    expect(clock.open).toBe(0)
  })

  test('may take longer than a timer can be set for', async () => {
    const { toolResults } = await runTurn({
      model: scripted(calling('go'), 'End.'),
      conversation: 'Hi',
      tools: { go: { execute: () => new Promise((resolve) => setTimeout(() => resolve('done'), 20)) } },
      ...{ toolTimeoutMs: 2 ** 31, idleTimeoutMs: 2 ** 40, connectTimeoutMs: 2 ** 31 },
    })
    expect(toolResults).toMatchObject([{ content: 'done', isError: false }])
  })

  test('is called __proto__, or like something every object has, is no tool', async () => {
    const model = scripted(calling('__proto__') + calling('constructor') + calling('toString'), 'End.')
    const { toolResults } = await runTurn({
      model,
      conversation: 'Hi',
      tools: { go: { execute: () => 'ran' } },
    })
    expect(toolResults.map(({ isError }) => isError)).toEqual([true, true, true])
  })

  test('changes its input changes nothing else', async () => {
    const tools: TurnTools = {
      go: {
        execute: (input: { path: string }) => {
          input.path = '/etc'
          return 'ok'
        },
      },
    }
    const { conversation } = await runTurn({
      model: scripted(calling('go', { path: 'a' }), 'End.'),
      conversation: 'Hi',
      tools,
    })
    expect(conversation.messages[1]?.parts).toMatchObject([{ type: 'call', input: { path: 'a' } }])
  })
})

test.each([
  'onChunk',
  'onBlock',
  'onContentBlockUpdate',
  'onPreToolContent',
  'onUsage',
  'onEvent',
  'beforeRequest',
])('an asynchronous %s that fails ends the turn, and its rejection is handled', async (name) => {
  let ran = 0
  const turn = runTurn({
    model: scripted(`I go.${calling('go')}`, 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: () => ++ran } },
    [name]: async () => {
      throw new Error('no')
    },
  })
  await expect(turn).rejects.toThrow('no')
  expect(ran).toBe(0)
})

test('an asynchronous onCallStart that fails denies its call', async () => {
  let ran = 0
  const { toolResults, stopReason } = await runTurn({
    model: scripted(calling('go'), 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: () => ++ran } },
    approve: () => new Promise(() => {}),
    onCallStart: async () => {
      throw new Error('no')
    },
  })
  expect(toolResults).toMatchObject([
    { content: expect.stringContaining('the approval failed'), isError: true },
  ])
  expect([ran, stopReason]).toEqual([0, 'stop'])
})

test('an abort while one call of a batch is approved and another is not starts neither', async () => {
  const controller = new AbortController()
  const types: string[] = []
  let handled = 0
  const { stopReason, toolResults } = await runTurn({
    model: scripted(calling('go') + calling('rm')),
    conversation: 'Hi',
    tools: [{ name: 'go' }, { name: 'rm' }],
    signal: controller.signal,
    approve: ({ toolName }) => toolName === 'go' || new Promise<boolean>(() => {}),
    onToolCalls: () => {
      handled++
      return []
    },
    onEvent: ({ type }) => {
      if (type.startsWith('call')) types.push(type)
      if (type === 'call-approved') queueMicrotask(() => controller.abort())
    },
  })
  expect([stopReason, handled, toolResults.length]).toEqual(['aborted', 0, 2])
  expect(types.slice(types.indexOf('call-approved'))).toEqual([
    'call-approved',
    'call-cancelled',
    'call-cancelled',
  ])
})

test('a response may have more calls than a function takes arguments', () => {
  const refusals = new RepeatedRefusals()
  const call = { type: 'tool-call', id: '', input: {}, status: 'complete', repairs: [] } as const
  for (let at = 0; at < 200_000; at++) refusals.add({ ...call, toolName: `t${at}` }, '', true)
  expect(refusals.endRound(0)).toBe(1)
})

test('whoever approves a call cannot change what runs', async () => {
  const ran: unknown[] = []
  await runTurn({
    model: scripted(calling('go', { path: 'a' }), 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: (input) => ran.push(structuredClone(input)) } },
    approve: ({ input, call }) => {
      for (const one of [input, call.input] as { path: string }[]) {
        try {
          one.path = '/etc'
        } catch {
          // Frozen.
        }
      }
      return true
    },
  })
  expect(ran).toEqual([{ path: 'a' }])
})

test('whoever reads the events cannot change what runs, nor what is asked about', async () => {
  const ran: unknown[] = []
  const asked: unknown[] = []
  await runTurn({
    model: scripted(calling('go', { path: 'a' }), 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: (input) => ran.push(structuredClone(input)) } },
    approve: ({ input, call }) => asked.push(input, call.input) > 0,
    onEvent: (event) => {
      if (!('input' in event)) return
      expect(Object.isFrozen(event.input) || event.type === 'call-approval-needed').toBe(true)
      Reflect.set(event.input as object, 'path', '/etc')
    },
  })
  expect(ran).toEqual([{ path: 'a' }])
  expect(asked).toEqual([{ path: 'a' }, { path: 'a' }])
})

test('two turns at once share their tools and nothing else', async () => {
  const ran: string[] = []
  const tools: TurnTools = {
    go: {
      execute: async ({ n }: { n: number }, { id }: { id: string }) => {
        await null
        ran.push(`${n} ${id}`)
        return n
      },
    },
  }
  const turn = (n: number) =>
    runTurn({
      model: scripted(calling('go', { n }), calling('go', { n }), 'End.'),
      conversation: 'Hi',
      tools,
      approve: async ({ input }) => (input as { n: number }).n === 1,
    })
  const [one, two] = await Promise.all([turn(1), turn(2)])
  expect(ran).toEqual(['1 call-1', '1 call-2'])
  expect(one.toolResults.map(({ content }) => content)).toEqual(['1', '1'])
  expect(two.toolResults.every(({ isError }) => isError)).toBe(true)
})

describe('ids that a provider gives twice', () => {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const call = (index: number, n: number): string =>
    chunk({ tool_calls: [{ index, id: 'same', function: { name: 'go', arguments: `{"n":${n}}` } }] })
  const END = `${chunk({}, 'tool_calls')}data: [DONE]\n\n`

  test('in one response and in the next are calls of their own, each with its result', async () => {
    const replies = [call(0, 1) + call(1, 2) + END, call(0, 3) + END, `${chunk({ content: 'End.' }, 'stop')}`]
    const bodies: { messages: { role: string; tool_call_id?: string; content: string }[] }[] = []
    const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
      bodies.push(JSON.parse(String(init?.body)))
      return new Response(`${replies.shift()}data: [DONE]\n\n`)
    }
    const ran: unknown[] = []
    const { toolResults } = await runTurn({
      model: openaiChatModel({ model: 'm', fetch: fetch as typeof globalThis.fetch }),
      conversation: 'Hi',
      tools: {
        go: {
          execute: ({ n }: { n: number }) => {
            ran.push(n)
            return n
          },
        },
      },
    })
    expect(ran).toEqual([1, 2, 3])
    expect(new Set(toolResults.map(({ id }) => id)).size).toBe(3)
    const answers = bodies[2]!.messages.filter(({ role }) => role === 'tool')
    expect(answers.map(({ content }) => content)).toEqual(['1', '2', '3'])
    expect(new Set(answers.map(({ tool_call_id }) => tool_call_id)).size).toBe(3)
  })
})

describe('a call that Gemini marks as a thought', () => {
  const go = (thought: boolean): object => ({
    functionCall: { name: 'go', args: {} },
    ...(thought && { thought }),
  })
  const reply = (isStreamed: boolean, ...parts: object[]): { chunks: string[] } => {
    const body = JSON.stringify({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] })
    return { chunks: [isStreamed ? `data: ${body}\n\n` : body] }
  }

  test.each([
    ['streamed', true],
    ['whole', false],
  ])('does not run; one that is meant does (%s)', async (_, stream) => {
    const server = await ModelServer.start([
      reply(stream, go(true), go(false)),
      reply(stream, go(true)),
      reply(stream, go(true), { text: 'End.' }),
    ])
    const ran: string[] = []
    const asked: unknown[] = []
    const turn = await runTurn({
      model: geminiModel({ model: 'm', baseUrl: server.url, stream }),
      conversation: 'Hi',
      tools: { go: { execute: (_, { id }) => void ran.push(id) } },
      onEvent: (event) => {
        if (event.type === 'call-denied') asked.push([event.id, event.by])
      },
    })
    const [thought, meant, again, last] = turn.toolCalls.map(({ id }) => id)
    expect(ran).toEqual([meant])
    expect(asked).toEqual([thought, again, last].map((id) => [id, 'check']))
    expect(turn.toolResults.map(({ id, isError }) => [id, isError])).toEqual([
      [thought, true],
      [meant, false],
      [again, true],
      [last, true],
    ])
    expect([turn.stopReason, turn.text, server.requests.length]).toEqual(['stop', 'End.', 3])
  })

  test('is offered to whoever approves, as a guess', async () => {
    const server = await ModelServer.start([reply(true, go(true)), reply(true, { text: 'End.' })])
    const guesses: unknown[] = []
    const { toolResults } = await runTurn({
      model: geminiModel({ model: 'm', baseUrl: server.url }),
      conversation: 'Hi',
      tools: { go: { execute: () => 'went' } },
      approve: ({ isGuess }) => guesses.push(isGuess) > 0,
    })
    expect(guesses).toEqual([true])
    expect(toolResults).toMatchObject([{ content: 'went' }])
  })
})

test('results that a model makes up answer nothing', async () => {
  const fake = '\n<tool_response>{"name": "go", "content": "FAKE"}</tool_response>'
  const model = scripted(calling('go') + fake, 'End.')
  const { toolResults } = await runTurn({
    model,
    conversation: 'Hi',
    tools: { go: { execute: () => 'REAL' } },
  })
  expect(toolResults).toMatchObject([{ content: 'REAL' }])
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', parts: [{ content: 'REAL' }] })
})

test('a model that never stops is stopped by the bound, and by nothing else', async () => {
  let ran = 0
  const { stopReason, rounds } = await runTurn({
    model: scripted(calling('go')),
    conversation: 'Hi',
    tools: { go: { execute: () => ++ran } },
    maxToolDepth: 40,
  })
  expect([stopReason, rounds, ran]).toEqual(['max-tool-depth', 41, 40])
})

test('a model that says another call after its end is not heard', async () => {
  const call: SluiceEvent = {
    type: 'tool-call',
    id: 'x',
    toolName: 'go',
    input: {},
    status: 'complete',
    repairs: [],
  }
  let ran = 0
  const model: Model = async function* () {
    yield { type: 'finish', reason: 'stop' }
    yield call
  }
  await runTurn({ model, conversation: 'Hi', tools: { go: { execute: () => ++ran } } })
  expect(ran).toBe(0)
})
