import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { SluiceEvent, Usage } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { sluice } from '../../src/engine/stream.ts'
import type { ConversationPart, ModelRequest } from '../../src/requests/conversation/model-request.ts'
import { type Model, promptedModel, runTurn, type TurnEvent, tool } from '../../src/turn/index.ts'
import { ManualClock } from './manual-clock.ts'
import { calling, scripted } from './scripted-model.ts'
import { traceOf } from './trace.ts'

const echo = { execute: (input: unknown) => JSON.stringify(input) }

/** The results in the last request that the model got. */
const lastResults = (parts: readonly ConversationPart[]): unknown[] =>
  parts.flatMap((part) => (part.type === 'result' ? [part.content] : []))

describe('a turn', () => {
  test('ends with everything that there was', async () => {
    const model = scripted(`I look.${calling('echo', { a: 1 })}`, 'Done.')
    const result = await runTurn({ model, conversation: 'Hi', tools: { echo } })
    expect(result).toMatchObject({
      text: 'I look.Done.',
      stopReason: 'stop',
      rounds: 2,
      toolCalls: [{ toolName: 'echo', input: { a: 1 }, status: 'complete' }],
      toolResults: [{ toolName: 'echo', content: '{"a":1}', isError: false }],
      pendingCalls: [],
    })
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'call', 'result', 'text'])
    expect(result.conversation.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
    expect(result.rawText).toBe('I look.<tool_call>{"name":"echo","arguments":{"a":1}}Done.')
    expect(result).not.toHaveProperty('error')
  })

  test('goes on with the conversation that another one gave, and no id comes twice', async () => {
    const tools = { echo }
    const first = await runTurn({ model: scripted(calling('echo'), 'One.'), conversation: 'Hi', tools })
    const model = scripted(calling('echo'), 'Two.')
    const second = await runTurn({ model, conversation: first.conversation, tools })
    expect(model.requests[0]?.messages).toHaveLength(4)
    expect(second.toolCalls[0]?.id).not.toBe(first.toolCalls[0]?.id)
  })

  test('makes ids of its own where a model counts from one in each response', async () => {
    const call = (id: string): SluiceEvent[] => [
      { type: 'tool-input-start', id, toolName: 'echo' },
      { type: 'tool-input-end', id },
      { type: 'tool-call', id, toolName: 'echo', input: {}, status: 'complete', repairs: [] },
      { type: 'finish', reason: 'tool-calls' },
    ]
    const responses = [call('0'), call('0'), [{ type: 'finish', reason: 'stop' } as const]]
    let round = 0
    const model: Model = async function* () {
      yield* responses[round++]!
    }
    const { toolCalls, toolResults } = await runTurn({ model, conversation: 'Hi', tools: { echo } })
    expect(toolCalls.map(({ id }) => id)).toEqual(['0', 'call-1'])
    expect(toolResults.map(({ id }) => id)).toEqual(['0', 'call-1'])
  })

  test('hands calls that nobody runs here to the caller', async () => {
    const model = scripted(calling('echo') + calling('browse', { url: 'x' }))
    const result = await runTurn({ model, conversation: 'Hi', tools: { echo, browse: {} } })
    expect(result.stopReason).toBe('tool-calls')
    expect(result.pendingCalls).toMatchObject([{ toolName: 'browse', input: { url: 'x' } }])
    expect(result.toolResults).toMatchObject([{ toolName: 'echo' }])
    expect(model.requests).toHaveLength(1)
  })

  test('runs tools with the types of their schemas', async () => {
    const add = tool({
      inputSchema: z.object({ a: z.number(), b: z.number().default(5) }),
      execute: ({ a, b }) => a + b,
    })
    const model = scripted(calling('add', { a: '2' }), 'Seven.')
    const { toolResults } = await runTurn({ model, conversation: 'Hi', tools: { add } })
    expect(toolResults).toMatchObject([{ content: '7', isError: false }])
  })

  test('keeps an image of a result in all later requests', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    const look = { execute: () => ({ content: [{ type: 'text', text: 'Here.' }, image] }) }
    const model = scripted(calling('look'), calling('look'), 'Nice.')
    await runTurn({ model, conversation: 'Hi', tools: { look } })
    const files = model.requests.map(
      ({ messages }) =>
        messages.flatMap(({ parts }) =>
          parts.flatMap((part) =>
            part.type === 'result' && typeof part.content !== 'string'
              ? part.content.filter(({ type }) => type === 'file')
              : [],
          ),
        ).length,
    )
    expect(files).toEqual([0, 1, 2])
  })

  test('adds up what all responses used, and gives a fresh snapshot each time', async () => {
    const usages: Usage[] = [
      { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 },
      { inputTokens: 20, outputTokens: 3, cacheWriteInputTokens: 6 },
    ]
    let round = 0
    const inner = scripted(calling('echo'), 'Done.')
    const model: Model = async function* (request, context) {
      const usage = usages[round++]!
      for await (const event of await inner(request, context))
        yield event.type === 'finish' ? { ...event, usage } : event
    }
    const seen: Usage[] = []
    const { usage } = await runTurn({
      model,
      conversation: 'Hi',
      tools: { echo },
      onUsage: (one) => seen.push(one),
    })
    expect(seen).toEqual([usages[0], usage])
    expect(usage).toEqual({
      inputTokens: 30,
      outputTokens: 5,
      cachedInputTokens: 4,
      cacheWriteInputTokens: 6,
    })
  })

  test('lets a hook change a request, and leaves the conversation as it is', async () => {
    const model = scripted('Yes.')
    const { conversation } = await runTurn({
      model,
      conversation: 'Hi',
      beforeRequest: async (request, { round, attempt }) => ({ ...request, model: `m${round}${attempt}` }),
    })
    expect(model.requests[0]?.model).toBe('m11')
    expect(conversation.model).toBeUndefined()
  })

  test.each<[given: ModelRequest['toolChoice'], then: ModelRequest['toolChoice']]>([
    ['required', 'auto'],
    [{ toolName: 'echo' }, 'auto'],
    [
      { toolNames: ['echo'], mode: 'required' },
      { toolNames: ['echo'], mode: 'auto' },
    ],
    ['auto', 'auto'],
  ])('forces a tool once, so that the model can answer: %j', async (toolChoice, then) => {
    const model = scripted(calling('echo'), calling('echo'), 'Done.')
    const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
    const { conversation } = await runTurn({
      model,
      conversation: { messages, ...(toolChoice && { toolChoice }) },
      tools: { echo },
    })
    expect(model.requests.map((request) => request.toolChoice)).toEqual([toolChoice, then, then])
    expect(conversation.toolChoice).toEqual(toolChoice)
  })

  test('refuses wrong options before anything is sent', async () => {
    const model = scripted('')
    const given: readonly [object, RegExp][] = [
      [{ modell: model }, /no option 'modell'; did you mean 'model'/],
      [{ conversation: 7 }, /'conversation' takes/],
      [{ maxToolDepth: -1 }, /'maxToolDepth' takes a number of at least 0/],
      [{ maxParallelTools: 0 }, /at least 1/],
      [{ policy: {} }, /createPolicy/],
      [{ tools: { x: { execute: 'no' } } }, /'execute' of the tool 'x'/],
      [
        { tools: { x: { execut: () => 1 } } },
        /The tool 'x' has no option 'execut'; did you mean 'execute'\?/,
      ],
    ]
    for (const [wrong, message] of given)
      await expect(runTurn({ model, conversation: 'Hi', ...wrong } as never)).rejects.toThrow(message)
    expect(model.requests).toHaveLength(0)
  })
})

describe('blocks', () => {
  test('are counted over all rounds, with the results among them', async () => {
    const seen: string[] = []
    const model = scripted(`<think>Hm.</think>Let me check.${calling('search', { q: 'cats' })}`, 'Found it!')
    await runTurn({
      model,
      conversation: 'Hi',
      tools: { search: { execute: () => 'R<1>' } },
      onBlock: ({ event, index, block }) => seen.push(`${event} ${index} ${block.type}`),
      onChunk: (chunk, { blockIndex, visible, toolCallPart = '' }) =>
        seen.push(`${blockIndex} ${visible ? 'visible' : 'hidden'} ${toolCallPart} ${chunk}`),
    })
    expect(seen).toEqual([
      'block_start 0 thinking',
      '0 hidden  Hm.',
      'block_complete 0 thinking',
      'block_start 1 text',
      '1 visible  Let me check.',
      'block_complete 1 text',
      'block_start 2 tool_call',
      '2 hidden name search',
      '2 hidden id call-3',
      '2 hidden input {"q":"cats"}',
      'block_complete 2 tool_call',
      'block_start 3 tool_result',
      '3 hidden  R<1>',
      'block_complete 3 tool_result',
      'block_start 4 text',
      '4 visible  Found it!',
      'block_complete 4 text',
    ])
  })

  test('onPreToolContent gets the text of its own round only, and tools wait for it', async () => {
    const order: string[] = []
    const model = scripted(`One.${calling('echo')}`, calling('echo'), `Two.${calling('echo')}`, 'End.')
    await runTurn({
      model,
      conversation: 'Hi',
      tools: { echo: { execute: () => void order.push('ran') } },
      onPreToolContent: async (text) => {
        await null
        order.push(text)
      },
    })
    expect(order).toEqual(['One.', 'ran', 'ran', 'Two.', 'ran'])
  })
})

describe('onToolCalls', () => {
  const two = `Go.${calling('a', { n: 1 })}${calling('b')}`
  const tools = { a: {}, b: {} }

  test('gets the calls with what is known of the turn', async () => {
    const contexts: unknown[] = []
    const model = scripted(two, `More.${calling('a')}`, 'End.')
    await runTurn({
      model,
      conversation: 'Hi',
      tools,
      onToolCalls: (calls, { signal, roundContent, ...context }) => {
        expect(roundContent.map((part) => (part.type === 'call' ? part.toolName : part.type))).toEqual([
          'text',
          ...calls.map(({ name }) => name),
        ])
        contexts.push({ names: calls.map(({ name, input }) => [name, input]), ...context })
        expect(signal.aborted).toBe(false)
        return calls.map(({ id }) => ({ toolUseId: id, content: 'ok' }))
      },
    })
    const first = 'Go.<tool_call>{"name":"a","arguments":{"n":1}}<tool_call>{"name":"b","arguments":{}}'
    expect(contexts).toEqual([
      {
        names: [
          ['a', { n: 1 }],
          ['b', {}],
        ],
        rawText: first,
        preamble: 'Go.',
        depth: 0,
        previousResults: [],
        accumulated: first,
      },
      {
        names: [['a', {}]],
        rawText: 'More.<tool_call>{"name":"a","arguments":{}}',
        preamble: 'More.',
        depth: 1,
        previousResults: [
          { toolUseId: 'call-2', content: 'ok', isError: false },
          { toolUseId: 'call-3', content: 'ok', isError: false },
        ],
        accumulated: `${first}More.<tool_call>{"name":"a","arguments":{}}`,
      },
    ])
  })

  test.each<[what: string, results: (ids: readonly string[]) => unknown, told: unknown[]]>([
    [
      'in another order',
      ([a, b]) => [
        { toolUseId: b, content: 'B' },
        { toolUseId: a, content: 'A' },
      ],
      ['A', 'B'],
    ],
    ['only one', ([a]) => [{ toolUseId: a, content: 'A' }], ['A', 'The tool gave no result for this call.']],
    ['none', () => [], ['The tool gave no result for this call.', 'The tool gave no result for this call.']],
    [
      'empty text',
      ([a, b]) => [
        { toolUseId: a, content: '' },
        { toolUseId: b, content: null },
      ],
      ['', 'null'],
    ],
  ])('may give results %s', async (_, results, told) => {
    const model = scripted(two, 'End.')
    await runTurn({
      model,
      conversation: 'Hi',
      tools,
      onToolCalls: async (calls) => results(calls.map(({ id }) => id)) as never,
    })
    expect(lastResults(model.requests[1]!.messages.at(-1)!.parts)).toEqual(told)
  })

  test.each<[what: string, results: (ids: readonly string[]) => unknown, message: RegExp]>([
    ['nothing', () => undefined, /onToolCalls: the results must be an array/],
    [
      'an unknown id',
      () => [{ toolUseId: 'x', content: '' }],
      /for the call 'x', which is not one of 'call-2', 'call-3'/,
    ],
    [
      'an id twice',
      ([a]) => [
        { toolUseId: a, content: 1 },
        { toolUseId: a, content: 2 },
      ],
      /two results for the call 'call-2'/,
    ],
  ])('is told about %s', async (_, results, message) => {
    const model = scripted(two, 'End.')
    const turn = runTurn({
      model,
      conversation: 'Hi',
      tools,
      onToolCalls: (calls) => results(calls.map(({ id }) => id)) as never,
    })
    const error = await turn.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'TurnError',
      kind: 'invalid-results',
      message: expect.stringMatching(message),
    })
    expect(error).toMatchObject({ result: { stopReason: 'error', toolResults: [{}, {}] } })
    expect(model.requests).toHaveLength(1)
  })

  test('sees earlier results as the model reads them, where calls are text', async () => {
    const texts = [`Go.${calling('a')}`, `More.${calling('b')}`, 'End.']
    const accumulated: string[] = []
    await runTurn({
      model: promptedModel((_, { reading }) => sluice(texts.shift()!, reading), { dialect: hermes }),
      conversation: 'Hi',
      tools,
      onToolCalls: (calls, context) => {
        accumulated.push(context.accumulated)
        return calls.map(({ id }) => ({ toolUseId: id, content: 'a </tool_response> b' }))
      },
    })
    const first = `Go.${calling('a')}`
    expect(accumulated).toEqual([
      first,
      `${first}<tool_response>a &lt;/tool_response> b</tool_response>More.${calling('b')}`,
    ])
  })

  test('may answer call by call: whatever takes too long is one call’s own affair', async () => {
    const clock = new ManualClock()
    const fired: unknown[] = []
    const three = calling('a') + calling('b') + calling('a', { n: 2 })
    const turn = runTurn({
      model: scripted(three, 'End.'),
      conversation: 'Hi',
      tools,
      clock,
      toolTimeoutMs: 50,
      // The last call is the first to be approved.
      approve: async ({ input }) => {
        if ((input as { n?: number }).n === undefined) for (let steps = 0; steps < 9; steps++) await null
        return true
      },
      onToolCalls: ([a, b, c], { signal }) => {
        signal.addEventListener('abort', () => fired.push((signal.reason as Error).name))
        return [
          { toolUseId: a!.id, content: Promise.resolve('done') },
          { toolUseId: b!.id, content: new Promise(() => {}) },
          { toolUseId: c!.id, content: Promise.reject(new Error('no disk')) },
        ]
      },
    })
    await clock.untilWaiting(50)
    // What is settled already comes before the timer.
    await new Promise(setImmediate)
    clock.advance(50)
    const { toolResults, stopReason } = await turn
    expect(toolResults.map(({ content }) => content)).toEqual([
      'done',
      expect.stringMatching(/^The tool `b` did not finish within 50 ms/),
      'no disk',
    ])
    expect([stopReason, fired, clock.open]).toEqual(['stop', ['TimeoutError'], 0])
  })

  test('may throw, and the model learns why', async () => {
    const model = scripted(two, 'End.')
    const { stopReason } = await runTurn({
      model,
      conversation: 'Hi',
      tools,
      onToolCalls: () => {
        throw new Error('DB transaction aborted')
      },
    })
    expect(stopReason).toBe('stop')
    expect(lastResults(model.requests[1]!.messages.at(-1)!.parts)).toEqual([
      'DB transaction aborted',
      'DB transaction aborted',
    ])
  })

  test('gets only what no tool runs by itself, and only what was approved', async () => {
    const asked: string[][] = []
    const model = scripted(calling('a') + calling('b') + calling('echo'), 'End.')
    const { toolResults } = await runTurn({
      model,
      conversation: 'Hi',
      tools: { ...tools, echo },
      approve: ({ toolName }) => toolName !== 'a',
      onToolCalls: (calls) => {
        asked.push(calls.map(({ name }) => name))
        return calls.map(({ id, name }) => ({ toolUseId: id, content: name, isError: true }))
      },
    })
    expect(asked).toEqual([['b']])
    expect(toolResults.map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['a', true],
      ['b', true],
      ['echo', false],
    ])
  })
})

describe('maxToolDepth', () => {
  test.each([0, 1, 3])(
    '%i: exactly so many rounds of tools, and the model sees the last results',
    async (maxToolDepth) => {
      let ran = 0
      const model = scripted(calling('echo'))
      const result = await runTurn({
        model,
        conversation: 'Hi',
        tools: { echo: { execute: () => String(++ran) } },
        maxToolDepth,
      })
      expect(ran).toBe(maxToolDepth)
      expect(model.requests).toHaveLength(maxToolDepth + 1)
      expect(result.stopReason).toBe('max-tool-depth')
      if (maxToolDepth > 0)
        expect(lastResults(model.requests.at(-1)!.messages.at(-1)!.parts)).toEqual([String(maxToolDepth)])
      // The call that did not run has a result all the same, so that the conversation can go on.
      expect(result.toolResults).toHaveLength(maxToolDepth + 1)
      expect(result.conversation.messages.at(-1)).toMatchObject({
        role: 'tool',
        parts: [{ isError: true, content: expect.stringContaining('no more tools') }],
      })
    },
  )

  test('is ten by default', async () => {
    const model = scripted(calling('echo'))
    await runTurn({ model, conversation: 'Hi', tools: { echo } })
    expect(model.requests).toHaveLength(11)
  })
})

describe('parallel calls', () => {
  test('run at the same time up to a limit, and their results keep the order of the calls', async () => {
    const finish = new Map<string, () => void>()
    let running = 0
    let most = 0
    const started: string[] = []
    const work = {
      execute: async ({ n }: { n: string }) => {
        started.push(n)
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => finish.set(n, resolve))
        running--
        return n
      },
    }
    const model = scripted(['1', '2', '3', '4'].map((n) => calling('work', { n })).join(''), 'End.')
    const turn = runTurn({
      model,
      conversation: 'Hi',
      tools: { work },
      maxParallelTools: 2,
      onEvent: (event) => {
        // Each time a tool starts, the youngest of two ends first.
        if (event.type === 'call-started' && started.length >= 2) finish.get(started.at(-1)!)?.()
        if (event.type === 'call-succeeded' && started.length === 4) for (const end of finish.values()) end()
      },
    })
    const { toolResults } = await turn
    expect(most).toBe(2)
    expect(toolResults.map(({ content }) => content)).toEqual(['1', '2', '3', '4'])
  })
})

test('a turn is one sequence of events with one end', async () => {
  const events: TurnEvent[] = []
  await runTurn({
    model: scripted(`Hi.${calling('echo')}`, 'End.'),
    conversation: 'Hi',
    tools: { echo },
    onEvent: (event) => void events.push(event),
  })
  expect(traceOf(events)).toEqual([
    'round 1',
    'text "Hi."',
    'call a echo complete {}',
    'call-requested a',
    'finish tool-calls',
    'tools 0 a "Hi."',
    '  a: approved by check, started, succeeded',
    'result a "{}"',
    'round 2',
    'text "End."',
    'finish stop',
    'end stop',
  ])
  expect(events.filter(({ type }) => type === 'turn-finish')).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('turn-finish')
})

describe('a turn is refused', () => {
  const model = scripted('')
  test.each([
    [
      { model: 'gpt-5' as never, conversation: 'Hi' },
      `'model' takes a model, such as openaiChatModel({ model: '…' }) from 'sluice/turn', not "gpt-5".`,
    ],
    [
      { model, conversation: [{ role: 'user', content: 'Hi' }] as never },
      "Message 1 has no 'parts'; write parts: [{ type: 'text', text: '…' }], or read the messages of an API with readRequest of 'sluice/requests'.",
    ],
    [
      { model, conversation: 5 as never },
      "'conversation' takes the user's text, a list of messages, or a request with messages, not 5.",
    ],
  ])('%#', async (options, message) => {
    await expect(async () => runTurn(options)).rejects.toThrow(message)
  })
})
