/** What runs, what does not, and what the model is told about it. */

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { SluiceEvent } from '../../src/base/event.ts'
import { deepseekV3 } from '../../src/dialects/deepseek-v3.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { granite3 } from '../../src/dialects/granite3.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { lfm2 } from '../../src/dialects/lfm2.ts'
import { olmo3 } from '../../src/dialects/olmo3.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { render } from '../../src/engine/render.ts'
import { sluice } from '../../src/engine/stream.ts'
import type { ModelRequest, ToolChoice } from '../../src/requests/conversation/model-request.ts'
import {
  type ApprovalRequest,
  type Model,
  prefilledModel,
  promptedModel,
  type RunTurnOptions,
  runTurn,
  type TurnEvent,
  type TurnResult,
} from '../../src/turn/index.ts'
import { createPolicy, minimum, pattern } from '../../src/turn/policy/index.ts'
import { calling, scripted, scriptedPieces } from './scripted-model.ts'
import { traceOf } from './trace.ts'

interface Story {
  readonly ran: unknown[]
  readonly told: unknown[]
  readonly trace: string[]
  readonly stopReason: string
  readonly requests: number
}

/** Runs a turn with a tool `rm` whose input is checked, and tells what became of it. */
async function story(texts: readonly string[], options: Partial<RunTurnOptions> = {}): Promise<Story> {
  const ran: unknown[] = []
  const events: TurnEvent[] = []
  const model = scripted(...texts)
  const result = await runTurn({
    model,
    conversation: 'Hi',
    tools: {
      rm: {
        inputSchema: z.object({ path: z.string() }),
        execute: (input) => {
          ran.push(input)
          return 'gone'
        },
      },
    },
    onEvent: (event) => void events.push(event),
    ...options,
  })
  return {
    ran,
    told: result.toolResults.map(({ content }) => content),
    trace: traceOf(events),
    stopReason: result.stopReason,
    requests: model.requests.length,
  }
}

const RM = calling('rm', { path: '/' })
const END = 'End.'

describe('nothing runs', () => {
  test.each<[what: string, texts: readonly string[], told: readonly string[]]>([
    [
      'that was cut off',
      ['<tool_call>{"name":"rm","arguments":{"path":"/tmp/a', END],
      [
        'The call of `rm` was cut off: the argument `path` ends at "/tmp/a". It was not run. Send the whole call again with all of its markers.',
      ],
    ],
    [
      'that does not fit its schema',
      [calling('rm', { file: '/' }), END],
      [
        'The argument `path` is not valid: Invalid input: expected string, received undefined. It was not run. Send the whole call again with this put right.',
      ],
    ],
    [
      'of a tool that is not there',
      [calling('mv', { path: '/' }), END],
      ['There is no tool `mv`. The only tool is `rm`. It was not run. Call a tool that exists.'],
    ],
    [
      'with a key twice',
      ['<tool_call>{"name":"rm","arguments":{"path":"a","path":"/"}}</tool_call>', END],
      [expect.stringContaining('It was not run.') as unknown as string],
    ],
  ])('%s', async (_, texts, told) => {
    const { ran, ...rest } = await story(texts)
    expect(ran).toEqual([])
    expect(rest.told).toEqual(told)
    expect(rest.stopReason).toBe('stop')
  })

  test('that was cut off because the response was too long, and the model is told so', async () => {
    const inner = scripted('<tool_call>{"name":"rm","arguments":{"path":"/tmp/a', END)
    const model: Model = async function* (request, context) {
      for await (const event of await inner(request, context))
        yield event.type === 'finish' && inner.requests.length === 1 ? { ...event, reason: 'length' } : event
    }
    const { ran, told } = await story([], { model })
    expect(ran).toEqual([])
    expect(told).toEqual([expect.stringContaining('because the response reached its maximum length')])
  })

  test('of reasoning that goes on behind it, and an answer behind that ends the turn', async () => {
    const { ran, told, requests, stopReason } = await story([`<think>I could ${RM} but no.</think>No.`, END])
    expect([ran, requests, stopReason]).toEqual([[], 1, 'stop'])
    expect(told).toEqual([expect.stringContaining('it may only be mentioned')])
  })

  test('of reasoning that only its end shows to be reasoning', async () => {
    const thought = `I could ${RM} but no.</think>No.`
    const { ran, told, requests, stopReason } = await story([thought, END])
    expect([ran, requests, stopReason]).toEqual([[], 1, 'stop'])
    expect(told).toEqual([expect.stringContaining('it may only be mentioned')])
    // Nor because someone approved of it before that end came.
    const early = await story([thought, END], { onCallStart: (call) => call.approve() })
    expect(early.ran).toEqual([])
    const guesses: boolean[] = []
    const asked = await story([thought, END], {
      approve: ({ isGuess }) => {
        guesses.push(isGuess)
        return !isGuess
      },
    })
    expect([asked.ran, guesses]).toEqual([[], [true]])
    // Another closer behind it asks nobody again.
    const thoughts: string[] = []
    await story([`<think>I could ${RM} but no.</think>No.</think>No.`, END], {
      approve: ({ id }) => thoughts.push(id) > 0,
    })
    expect(thoughts).toHaveLength(1)
    // A call behind that end is one.
    const behind = await story([`I could ${RM} but no.</think>${calling('rm', { path: '/tmp/b' })}`, END])
    expect(behind.ran).toEqual([{ path: '/tmp/b' }])
  })

  test.each([deepseekV3, functionCalls, granite3, lfm2, olmo3, qwen3Coder])(
    'of such reasoning where the closer stays in the text, either: $name',
    async (dialect) => {
      const tools = [
        { name: 'rm', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
      ]
      const call = render([{ type: 'call', toolName: 'rm', input: { path: '/' } }], { dialect, tools })
      const [, closer] = render([{ type: 'reasoning', text: 'Hm' }], { dialect }).split('Hm')
      const texts = [`I could ${call} but no.${closer}No.`, `I could not.${closer}${call}`, END]
      const model = promptedModel((_, { reading }) => sluice(texts.shift() ?? '', reading), { dialect })
      const ran: unknown[] = []
      const options = { model, tools: [{ ...tools[0]!, execute: (input: unknown) => ran.push(input) }] }
      const { toolResults } = await runTurn({ ...options, conversation: 'Hi' })
      expect(ran).toEqual([])
      expect(toolResults).toMatchObject([{ content: expect.stringContaining('it may only be mentioned') }])
      await runTurn({ ...options, conversation: 'Hi' })
      expect(ran).toEqual([{ path: '/' }])
    },
  )

  test.each([
    ['promptedModel', promptedModel],
    ['prefilledModel', prefilledModel],
  ])('of code, if %s protects it', async (_, give) => {
    const quoted = `Write \`${RM}\`, or\n\`\`\`\n${RM}\n\`\`\`\n`
    const texts = [`${quoted}${calling('echo')}`, END]
    const requests: ModelRequest[] = []
    const ran: string[] = []
    const model = give(
      (request, { reading }) => {
        requests.push(request)
        return sluice(texts.shift() ?? '', reading)
      },
      { dialect: hermes, protectCode: true },
    )
    const { text, conversation } = await runTurn({
      model,
      conversation: 'Hi',
      tools: { rm: { execute: () => ran.push('rm') }, echo: { execute: () => ran.push('echo') } },
    })
    expect(ran).toEqual(['echo'])
    expect(text).toBe(`${quoted}${END}`)
    expect(requests[1]?.messages.at(-2)?.parts).toEqual([
      { type: 'text', text: `${quoted}${calling('echo')}` },
    ])
    expect(conversation.messages).toHaveLength(4)
  })

  test('of history, of the user, of the system, or of a result', async () => {
    const ran: unknown[] = []
    const model = scripted(calling('echo'), 'End.')
    const message = (role: 'user' | 'system') => ({ role, parts: [{ type: 'text' as const, text: RM }] })
    await runTurn({
      model,
      conversation: [
        message('system'),
        message('user'),
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: RM },
            { type: 'call', id: 'call-1', toolName: 'rm', input: { path: '/' } },
          ],
        },
        message('user'),
      ],
      tools: { rm: { execute: (input) => ran.push(input) }, echo: { execute: () => RM } },
    })
    expect(ran).toEqual([])
  })

  test('of a response that ended in an error, although the call came whole', async () => {
    const ran: unknown[] = []
    const model: Model = async function* (_, { reading }) {
      for await (const event of sluice(RM, { ...reading, dialect: hermes }))
        if (event.type !== 'finish') yield event
      yield {
        type: 'error',
        error: { name: 'ProviderError', message: 'Overloaded', code: 'overloaded_error' },
      }
      yield { type: 'finish', reason: 'error' }
    }
    const turn = runTurn({
      model,
      conversation: 'Hi',
      tools: { rm: { execute: (input) => ran.push(input) } },
    })
    const error = await turn.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      kind: 'overloaded',
      result: {
        stopReason: 'error',
        toolCalls: [{ toolName: 'rm', status: 'complete' }],
        toolResults: [{ isError: true, content: 'It was not run: the response that it was part of failed.' }],
        conversation: { messages: [{ role: 'user' }] },
      },
    })
    expect(ran).toEqual([])
  })

  test.each<[what: string, ending: SluiceEvent[], stopReason: string]>([
    ['that says that it failed', [{ type: 'finish', reason: 'error' }], 'error'],
    ['that says that it was aborted', [{ type: 'finish', reason: 'aborted' }], 'aborted'],
    [
      'that had an error, and went on as if nothing had happened',
      [
        { type: 'error', error: { name: 'E', message: 'Lost.' } },
        { type: 'finish', reason: 'tool-calls' },
      ],
      'error',
    ],
    ['that has no end', [], 'error'],
  ])('of a response %s', async (_, ending, stopReason) => {
    const ran: unknown[] = []
    const model: Model = async function* () {
      yield { type: 'tool-call', id: 'x', toolName: 'rm', input: {}, status: 'complete', repairs: [] }
      yield* ending
    }
    const turn = runTurn({ model, conversation: 'Hi', tools: { rm: { execute: () => ran.push('rm') } } })
    const result = await turn.catch((error: { result: TurnResult }) => error.result)
    expect([ran, result.stopReason, result.toolResults.length]).toEqual([[], stopReason, 1])
  })

  test('that the provider has run, and nobody is asked about it', async () => {
    const asked: unknown[] = []
    const events: TurnEvent[] = []
    const model: Model = async function* () {
      yield {
        ...{
          type: 'tool-call',
          id: 'x',
          toolName: 'rm',
          input: { path: '/' },
          status: 'complete',
          repairs: [],
        },
        providerExecuted: true,
      }
      yield { type: 'finish', reason: 'stop' }
    }
    const { ran, told } = await story([], {
      model,
      approve: (request) => asked.push(request) > 0,
      onEvent: (event) => void events.push(event),
    })
    expect([ran, told, asked]).toEqual([[], [], []])
    expect(events.filter(({ type }) => type.startsWith('call-'))).toEqual([])
  })

  test('that the provider has run, whatever a second verdict says', async () => {
    const call = { type: 'tool-call', id: 'x', toolName: 'rm', input: { path: '/' } } as const
    const model: Model = async function* () {
      yield { ...call, status: 'complete', repairs: [], providerExecuted: true }
      yield { ...call, status: 'complete', repairs: [] }
      yield { type: 'finish', reason: 'stop' }
    }
    const { ran, told } = await story([], { model })
    expect([ran, told]).toEqual([[], []])
  })

  test('twice, although a response says it twice, and of two verdicts the first counts', async () => {
    const ran: unknown[] = []
    const asked: unknown[] = []
    const call: SluiceEvent = {
      ...{
        type: 'tool-call',
        id: 'x',
        toolName: 'rm',
        input: { path: 'a' },
        status: 'complete',
        repairs: [],
      },
    }
    const other: SluiceEvent = { ...call, input: { path: '/' } }
    const responses: SluiceEvent[][] = [
      [call, other, { type: 'finish', reason: 'tool-calls' }, other],
      [{ type: 'finish', reason: 'stop' }],
    ]
    const model: Model = async function* () {
      yield* responses.shift()!
    }
    const { toolResults } = await runTurn({
      model,
      conversation: 'Hi',
      tools: { rm: { execute: (input) => ran.push(input) } },
      approve: ({ input }) => {
        asked.push(input)
        return true
      },
    })
    expect([ran, asked]).toEqual([[{ path: 'a' }], [{ path: 'a' }]])
    expect(toolResults).toHaveLength(1)
  })

  test.each<[what: string, toolChoice: ToolChoice]>([
    ['of a model that was to call none', 'none'],
    ['of a tool that was not among those that it was to choose from', { toolNames: ['other'], mode: 'auto' }],
    ['of a tool other than the one that it was to call', { toolName: 'other' }],
  ])('%s', async (_, toolChoice) => {
    const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
    for (const tools of [
      { rm: { execute: () => ran.push('rm') }, other: {} },
      [{ name: 'rm', execute: () => ran.push('rm') }, { name: 'other' }],
    ]) {
      const { toolResults } = await runTurn({
        model: scripted(RM, END),
        conversation: { messages, toolChoice },
        tools,
      })
      expect(toolResults).toMatchObject([{ isError: true }])
    }
    expect(ran).toEqual([])
  })
  const ran: string[] = []

  test.each<[what: string, change: (request: ModelRequest) => ModelRequest]>([
    ['another choice', (request) => ({ ...request, toolChoice: 'none' })],
    ['other tools', (request) => ({ ...request, tools: [{ name: 'other' }] })],
    ['no tools', ({ tools: _, ...request }) => request],
  ])('that a hook left out of the request: %s', async (_, beforeRequest) => {
    const { ran, told } = await story([RM, END], { beforeRequest })
    expect(ran).toEqual([])
    expect(told).toEqual([expect.stringContaining('There is no tool `rm`.')])
  })

  test('of a response that was filtered', async () => {
    const ran: unknown[] = []
    const inner = scripted(RM)
    const model: Model = async function* (request, context) {
      for await (const event of await inner(request, context))
        yield event.type === 'finish' ? { ...event, reason: 'content-filter' } : event
    }
    const result = await runTurn({
      model,
      conversation: 'Hi',
      tools: { rm: { execute: (input) => ran.push(input) } },
    })
    expect(ran).toEqual([])
    expect(result.stopReason).toBe('content-filter')
    expect(result.toolResults).toHaveLength(1)
  })
})

describe('a model that does not learn', () => {
  test('is told that it repeats itself, and the turn ends', async () => {
    const cut = '<tool_call>{"name":"rm","arguments":{"path":"/tmp/a'
    const { told, stopReason, requests } = await story([cut, `${cut}b`, `${cut}c`, `${cut}d`])
    expect(requests).toBe(3)
    expect(stopReason).toBe('repeated-refusal')
    expect(told[1]).toContain('This has now happened 2 times: try something else.')
  })

  test('gets no further by alternating between two calls', async () => {
    const [one, other] = [calling('rm', {}), calling('mv', {})]
    const { requests, stopReason, told } = await story([one, other, one, other, one, other, END])
    expect([requests, stopReason]).toEqual([5, 'repeated-refusal'])
    expect(told[4]).toContain('This has now happened 3 times')
  })

  test('starts again when a call has run', async () => {
    const wrong = calling('rm', {})
    const { requests, stopReason } = await story([wrong, wrong, RM, wrong, wrong, END])
    expect([requests, stopReason]).toEqual([6, 'stop'])
  })

  test('may go on as long as some call runs', async () => {
    const wrong = calling('rm', {})
    const { requests, stopReason } = await story([...Array<string>(5).fill(wrong + RM), END])
    expect(requests).toBe(6)
    expect(stopReason).toBe('stop')
  })

  test('may be denied different calls as often as it likes', async () => {
    const texts = Array.from({ length: 6 }, (_, at) => calling('rm', { path: `/${at}` }))
    const { requests } = await story([...texts, END], { approve: () => false })
    expect(requests).toBe(7)
  })
})

describe('approval', () => {
  /** The path is not quoted. */
  const GUESS = '<tool_call>{"name":"rm","arguments":{"path": /tmp}}</tool_call>'

  test('may be slow, and reading goes on meanwhile', async () => {
    const order: string[] = []
    let allow: (answer: boolean) => void = () => {}
    const { ran } = await story([], {
      model: scriptedPieces([[RM, 'And ', 'more.'], ['End.']], 'text'),
      approve: () => {
        order.push('asked')
        return new Promise<boolean>((resolve) => {
          allow = resolve
        })
      },
      onEvent: (event) => {
        if (event.type === 'text-delta' || event.type === 'tools-start') order.push(event.type)
        if (event.type === 'tools-start') allow(true)
      },
    })
    expect(order.slice(0, 4)).toEqual(['asked', 'text-delta', 'text-delta', 'tools-start'])
    expect(ran).toHaveLength(1)
  })

  test.each<[how: string, release: string, order: string[]]>([
    ['goes on to the end', 'tools-start', ['text', 'text', 'tools-start', 'asked', 'needed']],
    ['is not over', 'text-delta', ['text', 'asked', 'needed', 'text', 'tools-start']],
  ])('waits for a slow schema, and reading does not: the response %s', async (_, release, order) => {
    const seen: string[] = []
    let check: () => void = () => {}
    const isChecked = new Promise<void>((resolve) => {
      check = resolve
    })
    const ran: unknown[] = []
    const model: Model = async function* (request, context) {
      for await (const event of await scriptedPieces([[RM, 'And ', 'more.'], ['End.']], 'text')(
        request,
        context,
      )) {
        yield event
        // Lets the schema answer, once it may.
        for (let steps = 0; steps < 20; steps++) await null
      }
    }
    await runTurn({
      model,
      conversation: 'Hi',
      maxToolDepth: 1,
      tools: {
        rm: {
          inputSchema: z.object({ path: z.string() }).refine(async () => {
            await isChecked
            return true
          }),
          execute: (input) => ran.push(input),
        },
      },
      approve: () => {
        seen.push('asked')
        return true
      },
      onEvent: ({ type }) => {
        if (type === 'text-delta') seen.push('text')
        if (type === 'tools-start') seen.push(type)
        if (type === 'call-approval-needed') seen.push('needed')
        if (type === release) check()
      },
    })
    expect(seen.slice(0, 5)).toEqual(order)
    expect(ran).toEqual([{ path: '/' }])
  })

  test('is asked about a guess, and nobody else runs one', async () => {
    const alone = await story([GUESS, END])
    expect(alone.ran).toEqual([])
    expect(alone.told).toEqual([expect.stringContaining('what it means had to be guessed (bare-string)')])
    const guesses: boolean[] = []
    const asked = await story([GUESS, END], {
      approve: ({ isGuess }) => {
        guesses.push(isGuess)
        return true
      },
    })
    expect(guesses).toEqual([true])
    expect(asked.ran).toEqual([{ path: '/tmp' }])
    // An answer that was given before the call was complete did not know that it would be a guess.
    const early = await story([GUESS, END], { onCallStart: (call) => call.approve() })
    expect(early.ran).toEqual([])
    const denied = await story([GUESS, END], { onCallStart: (call) => call.approve(), approve: () => false })
    expect(denied.ran).toEqual([])
  })

  test('is never asked about a call that may be a part of other text', async () => {
    let asked = 0
    const broken = '<tool_call>{"name":"rm","arguments":{"path":"a" "b"}}</tool_call>'
    const { ran } = await story([broken + RM, END], { approve: () => ++asked > 0 })
    expect([asked, ran]).toEqual([0, []])
  })

  test.each<[what: string, answer: () => unknown, told: string]>([
    [
      'that throws',
      () => {
        throw new Error('secret')
      },
      'The call was not approved, because the approval failed. Do without it.',
    ],
    [
      'that rejects',
      () => Promise.reject(undefined),
      'The call was not approved, because the approval failed. Do without it.',
    ],
    [
      'that says nothing',
      () => undefined,
      'The user did not allow this call. Do not send it again; ask, or do without it.',
    ],
    [
      'that says something else',
      () => 'yes',
      'The user did not allow this call. Do not send it again; ask, or do without it.',
    ],
    ['with a reason', () => ({ approved: false, reason: 'Use the bin.' }), 'Use the bin.'],
    [
      'with half an answer',
      () => ({}),
      'The user did not allow this call. Do not send it again; ask, or do without it.',
    ],
  ])('%s is a denial', async (_, answer, told) => {
    const { ran, ...rest } = await story([RM, END], { approve: answer as never })
    expect(ran).toEqual([])
    expect(rest.told).toEqual([told])
  })

  test('that was given once is worth nothing once the call is denied, before or after', async () => {
    for (const [first, second] of [
      ['deny', 'approve'],
      ['approve', 'deny'],
    ] as const) {
      const { ran } = await story([RM, END], {
        onCallStart: (call) => {
          call[first]()
          call[second]()
          void Promise.resolve().then(() => call[second]())
        },
        approve: () => true,
      })
      expect(ran).toEqual([])
    }
  })

  test('that comes when the turn is over runs nothing', async () => {
    const controller = new AbortController()
    const late: (() => void)[] = []
    const { ran, stopReason } = await story([RM, END], {
      signal: controller.signal,
      onCallStart: (call) => late.push(() => call.approve()),
      approve: () =>
        new Promise<boolean>((resolve) => {
          late.push(() => resolve(true))
        }),
      onEvent: ({ type }) => {
        if (type === 'tools-start') controller.abort()
      },
    })
    for (const answer of late) answer()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([late.length, ran, stopReason]).toEqual([2, [], 'aborted'])
  })

  test('of two calls at once does not mix them up, though the later is answered first', async () => {
    const answers = new Map<string, (answer: boolean) => void>()
    const { ran } = await story([calling('rm', { path: 'a' }) + calling('rm', { path: 'b' }), END], {
      approve: ({ input }) =>
        new Promise<boolean>((resolve) => {
          answers.set((input as { path: string }).path, resolve)
        }),
      onEvent: ({ type }) => {
        if (type !== 'tools-start') return
        answers.get('b')!(true)
        answers.get('a')!(false)
      },
    })
    expect(ran).toEqual([{ path: 'b' }])
  })

  test('sees what the tool would run with', async () => {
    const seen: ApprovalRequest[] = []
    const { ran } = await story([calling('rm', { path: 'a', extra: 1 }), END], {
      approve: (request) => {
        seen.push(request)
        return { approved: true }
      },
    })
    expect(seen).toMatchObject([
      { toolName: 'rm', input: { path: 'a' }, isGuess: false, call: { input: { path: 'a', extra: 1 } } },
    ])
    expect(ran).toEqual([{ path: 'a' }])
  })

  test('may come while the arguments still grow', async () => {
    const inputs: unknown[] = []
    const asked: string[] = []
    const events: TurnEvent[] = []
    const ran: string[] = []
    const run = { execute: (input: { path: string }) => ran.push(input.path) }
    await runTurn({
      model: scriptedPieces([
        [
          '<tool_call>{"name":"rm","arguments":{"path":"/se',
          'cret"}}</tool_call>',
          calling('rm', { path: 'b' }),
          calling('rm', { path: 'c' }),
        ],
        ['End.'],
      ]),
      conversation: 'Hi',
      tools: { rm: run },
      onCallStart: (call) => {
        inputs.push(call.input)
        if (inputs.length === 1) call.deny('Not that one.')
        if (inputs.length === 2) call.approve()
      },
      approve: ({ input }) => {
        asked.push((input as { path: string }).path)
        return true
      },
      onEvent: (event) => void events.push(event),
    })
    expect(asked).toEqual(['c'])
    expect(ran).toEqual(['b', 'c'])
    expect(events.filter(({ type }) => type === 'call-denied')).toMatchObject([{ reason: 'Not that one.' }])
  })
})

describe('a policy', () => {
  const policy = createPolicy({
    rules: [
      { tool: 'rm', at: '/path', is: pattern(/^\/etc/), decision: 'deny', reason: 'Not in /etc.' },
      { tool: 'rm', at: '/path', is: pattern(/^\/home/), decision: 'ask' },
    ],
    otherwise: 'allow',
  })

  test('allows, asks and denies', async () => {
    const asked: unknown[] = []
    const texts = ['/tmp', '/home/a', '/etc/b'].map((path) => calling('rm', { path }))
    const { ran, told } = await story([texts.join(''), END], {
      policy,
      approve: ({ input }) => {
        asked.push(input)
        return true
      },
    })
    expect(ran).toEqual([{ path: '/tmp' }, { path: '/home/a' }])
    expect(asked).toEqual([{ path: '/home/a' }])
    expect(told[2]).toContain('Not in /etc.')
  })

  test('that allows everything does not allow a guess', async () => {
    const anything = createPolicy({ rules: [], otherwise: 'allow' })
    const guess = '<tool_call>{"name":"rm","arguments":{"path": /tmp}}</tool_call>'
    const asked: boolean[] = []
    const { ran } = await story([guess, END], {
      policy: anything,
      approve: ({ isGuess }) => {
        asked.push(isGuess)
        return false
      },
    })
    expect([asked, ran]).toEqual([[true], []])
  })

  test('that wants to ask, and nobody there, is a denial', async () => {
    const { ran, told } = await story([calling('rm', { path: '/home/a' }), END], { policy })
    expect(ran).toEqual([])
    expect(told).toEqual(['It needs an approval, and no one can give it here. Do without it.'])
  })

  test('stops the generation the moment it is certain, and the turn goes on', async () => {
    let taken = 0
    let round = 0
    const model: Model = (_, { reading }) => {
      if (round++ > 0) return sluice('End.', { ...reading, dialect: hermes })
      async function* pieces(): AsyncGenerator<string> {
        for (const piece of [
          '<tool_call>{"name":"rm","arguments":{"path":"/etc',
          '/passwd',
          '"}}',
          '</tool_call>',
        ]) {
          taken++
          yield piece
        }
      }
      return sluice(pieces(), { ...reading, dialect: hermes })
    }
    const { ran, told, trace } = await story([], { model, policy })
    expect(ran).toEqual([])
    expect(taken).toBeLessThan(4)
    expect(told).toEqual([expect.stringContaining('Not in /etc.')])
    expect(trace).toContain('  a: denied by policy')
    expect(trace.at(-1)).toBe('end stop')
  })

  describe('that denies a call reads on if an earlier call could run', () => {
    const allowed = calling('rm', { path: '/tmp' })
    const refused = calling('rm', { path: '/etc' })

    test('and runs it where nothing speaks against it', async () => {
      const { ran, requests } = await story([allowed + refused, END], { policy })
      expect([ran, requests]).toEqual([[{ path: '/tmp' }], 2])
    })

    test('and stops at once if the earlier one cannot run', async () => {
      const thought = `<think>I may ${allowed} or not.</think>Hm.`
      let taken = 0
      const model: Model = (_, { reading }) => {
        async function* pieces(): AsyncGenerator<string> {
          for (const piece of [thought, refused, ' And', ' so on.']) {
            taken++
            yield piece
          }
        }
        return sluice(taken > 0 ? 'End.' : pieces(), { ...reading, dialect: hermes })
      }
      const { ran } = await story([], { model, policy })
      expect([ran, taken]).toEqual([[], 2])
    })

    test('but not if both turn out to be thoughts', async () => {
      const text = `I could ${allowed} or ${refused}, but both are dangerous.</think>I will not.`
      expect((await story([text], { policy })).ran).toEqual([])
    })

    const guess = allowed.replace('"/tmp"', '/tmp')
    test.each([
      ['content-filter', allowed],
      ['error', allowed],
      ['content-filter', guess],
    ] as const)('but not if the response ends with %s: %s', async (reason, first) => {
      const model: Model = async function* (_, { reading }) {
        for await (const event of sluice(first + refused, { ...reading, dialect: hermes }))
          yield event.type === 'finish' ? { ...event, reason } : event
      }
      const ran: unknown[] = []
      const rm = { execute: (input: unknown) => ran.push(input) }
      const approve = (): boolean => true
      await runTurn({ model, conversation: 'Hi', policy, approve, tools: { rm } }).catch(() => {})
      expect(ran).toEqual([])
    })
  })

  test('also looks at what a library made of the input, and asks where it cannot', async () => {
    const made = (transform: (path: string) => unknown) => ({
      inputSchema: z.object({ path: z.string().transform(transform) }),
      execute: (input: unknown) => ran.push(input),
    })
    const ran: unknown[] = []
    const { toolResults } = await runTurn({
      model: scripted(
        calling('moved', { path: 'tmp' }) +
          calling('odd', { path: 'tmp' }) +
          calling('same', { path: 'tmp' }),
        'End.',
      ),
      conversation: 'Hi',
      policy: createPolicy({
        rules: [{ at: '/path', is: pattern(/^\/etc/), decision: 'deny', reason: 'Not in /etc.' }],
        otherwise: 'allow',
      }),
      tools: { moved: made((path) => `/etc/${path}`), odd: made(() => 10n), same: made((path) => path) },
    })
    expect(ran).toEqual([{ path: 'tmp' }])
    expect(toolResults.map(({ content }) => content)).toEqual([
      'The call was denied: Not in /etc. It was not run. Do without it.',
      'It needs an approval, and no one can give it here. Do without it.',
      '1',
    ])
  })

  test('also looks at what the schema made of the input', async () => {
    const ran: unknown[] = []
    await runTurn({
      model: scripted(calling('limit', { n: '5000' }), 'End.'),
      conversation: 'Hi',
      policy: createPolicy({
        rules: [{ tool: 'limit', at: '/n', is: minimum(1000), decision: 'deny' }],
        otherwise: 'allow',
      }),
      tools: {
        limit: {
          inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
          execute: (input) => ran.push(input),
        },
      },
    })
    expect(ran).toEqual([])
  })
})
