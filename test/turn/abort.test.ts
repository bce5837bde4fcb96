/** An abort in every state: the same shape of a result, nothing that goes on, nothing that is left open. */

import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  type Model,
  openaiChatModel,
  type RunTurnOptions,
  runTurn,
  startTurn,
  type TurnEvent,
} from '../../src/turn/index.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelServer, refusal, streamed } from './model-server.ts'
import { calling, scripted } from './scripted-model.ts'
import { traceOf } from './trace.ts'

const SHAPE = [
  ...[
    'content',
    'conversation',
    'pendingCalls',
    'rawText',
    'rounds',
    'stopReason',
    'text',
    'toolCalls',
    'toolResults',
  ],
  'usage',
]

const never = (): Promise<never> => new Promise(() => {})

/** Whatever comes of the options, the turn ends when it is aborted. */
async function aborted(
  options: Partial<RunTurnOptions>,
  when: (abort: () => void) => Partial<RunTurnOptions>,
): Promise<{ result: Awaited<ReturnType<typeof runTurn>>; trace: string[] }> {
  const controller = new AbortController()
  const events: TurnEvent[] = []
  const result = await runTurn({
    model: scripted(`One.${calling('go')}`, 'Two.'),
    conversation: 'Hi',
    tools: { go: { execute: () => 'went' } },
    signal: controller.signal,
    onEvent: (event) => void events.push(event),
    ...options,
    ...when(() => controller.abort()),
  })
  expect(Object.keys(result).sort()).toEqual(SHAPE)
  expect(result.stopReason).toBe('aborted')
  expect(result.toolResults.map(({ id }) => id)).toEqual(result.toolCalls.map(({ id }) => id))
  return { result, trace: traceOf(events) }
}

describe('an abort', () => {
  test('before the turn', async () => {
    const model = scripted('One.')
    const signal = AbortSignal.abort()
    const { stopReason, rounds } = await runTurn({ model, conversation: 'Hi', signal })
    expect([stopReason, rounds, model.requests]).toEqual(['aborted', 0, []])
  })

  test('while a hook is asked', async () => {
    await aborted({}, (abort) => ({
      beforeRequest: () => {
        abort()
        return never()
      },
    }))
  })

  test('while the model is called', async () => {
    const { trace } = await aborted({}, (abort) => ({
      model: () => {
        abort()
        return never()
      },
    }))
    expect(trace).toEqual(['round 1', 'finish aborted', 'end aborted'])
  })

  test('inside a text, which is closed', async () => {
    const model: Model = async function* () {
      yield { type: 'text-start', id: 'a' }
      yield { type: 'text-delta', id: 'a', delta: 'Hal' }
      await never()
    }
    const { result, trace } = await aborted({ model }, (abort) => ({ onChunk: abort }))
    expect(trace).toEqual(['round 1', 'text "Hal"', 'finish aborted', 'end aborted'])
    expect(result.text).toBe('Hal')
    expect(result.conversation.messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'Hal' }] })
  })

  test('inside a call, which is cut off and has a result', async () => {
    const model: Model = async function* () {
      yield { type: 'tool-input-start', id: 'a', toolName: 'go' }
      yield { type: 'tool-input-delta', id: 'a', delta: '{"x":' }
      await never()
    }
    const { result } = await aborted({ model }, (abort) => ({
      onChunk: (_, { toolCallPart }) => toolCallPart === 'input' && abort(),
    }))
    expect(result.toolCalls).toMatchObject([{ status: 'truncated', raw: '{"x":' }])
    expect(result.toolResults).toMatchObject([
      { isError: true, content: expect.stringContaining('was stopped') },
    ])
  })

  test('while a schema is asked', async () => {
    const inputSchema = {
      '~standard': { version: 1 as const, vendor: 'own', validate: never },
    }
    await aborted({ tools: { go: { inputSchema } } }, (abort) => ({
      onEvent: (event) => {
        if (event.type === 'call-requested') abort()
      },
    }))
  })

  test('while someone is asked', async () => {
    let signal: AbortSignal | undefined
    const { trace } = await aborted({ tools: { go: {} } }, (abort) => ({
      approve: (request) => {
        signal = request.signal
        return never()
      },
      onPreToolContent: abort,
    }))
    expect(signal?.aborted).toBe(true)
    expect(trace).toContain('  a: cancelled')
  })

  test('while a callback takes its time', async () => {
    await aborted({}, (abort) => ({
      onPreToolContent: () => {
        abort()
        return never()
      },
    }))
  })

  test('while a tool runs that never settles', async () => {
    let signal: AbortSignal | undefined
    const { result, trace } = await aborted({}, (abort) => ({
      tools: {
        go: {
          execute: (_: unknown, context: { signal: AbortSignal }) => {
            signal = context.signal
            abort()
            return never()
          },
        },
      },
    }))
    expect(signal?.aborted).toBe(true)
    expect(trace).toContain('  a: approved by check, started, cancelled')
    expect(result.conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('while others answer the calls', async () => {
    await aborted({ tools: { go: {} } }, (abort) => ({
      onToolCalls: () => {
        abort()
        return never()
      },
    }))
  })

  test('while calls wait for their turn', async () => {
    const { trace } = await aborted(
      { model: scripted(calling('go') + calling('go') + calling('go')), maxParallelTools: 1 },
      (abort) => ({
        tools: {
          go: {
            execute: () => {
              abort()
              return never()
            },
          },
        },
      }),
    )
    expect(trace.filter((line) => line.includes('started'))).toHaveLength(1)
  })

  test('while a delay passes', async () => {
    const server = await ModelServer.start([refusal(429)])
    const clock = new ManualClock()
    await aborted({ model: openaiChatModel({ baseUrl: server.url, model: 'm' }), clock }, (abort) => ({
      onEvent: (event) => {
        if (event.type === 'retry') void clock.untilWaiting(event.delayMs).then(abort)
      },
    }))
    expect(clock.open).toBe(0)
  })

  test('while a refused response is to be asked for again: nobody has seen it, and it is not there', async () => {
    const inner = scripted(`Half an answer.${calling('go')}`)
    const model: Model = async function* (request, context) {
      for await (const event of await inner(request, context))
        yield event.type === 'finish' ? { ...event, reason: 'content-filter' } : event
    }
    const { result } = await aborted({ model, refusalRetries: 1, random: () => 1 }, (abort) => ({
      onEvent: (event) => {
        if (event.type === 'retry') abort()
      },
    }))
    expect([result.text, result.toolCalls, result.conversation.messages.length]).toEqual(['', [], 1])
  })

  test('before a delay begins, on the real clock', async () => {
    const server = await ModelServer.start([refusal(429, { 'retry-after': '50' })])
    const begun = Date.now()
    await aborted({ model: openaiChatModel({ baseUrl: server.url, model: 'm' }) }, (abort) => ({
      onEvent: (event) => {
        if (event.type === 'retry') abort()
      },
    }))
    expect(Date.now() - begun).toBeLessThan(40_000)
    expect(server.requests).toHaveLength(1)
  })

  test('closes the connection', async () => {
    const text = streamed('openai-chat', [{ type: 'text', text: 'One two three' }])
    const server = await ModelServer.start([{ chunks: text.chunks.slice(0, 2), end: 'silent' }])
    await aborted({ model: openaiChatModel({ baseUrl: server.url, model: 'm' }) }, (abort) => ({
      onChunk: abort,
    }))
    await server.untilLeft()
  })

  test('at any event leaves a result of the same shape, and every call with a result', async () => {
    const tools = { go: { execute: () => 'went' } }
    const model = () => scripted(`One.${calling('go')}${calling('go')}`, `Two.${calling('go')}`, 'Three.')
    let total = 0
    await runTurn({ model: model(), conversation: 'Hi', tools, onEvent: () => void total++ })
    expect(total).toBeGreaterThan(40)
    for (let at = 1; at < total; at++) {
      const controller = new AbortController()
      let seen = 0
      let ends = 0
      const verdicts: string[] = []
      const result = await runTurn({
        model: model(),
        conversation: 'Hi',
        tools,
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === 'turn-finish') ends++
          if (event.type === 'tool-call') verdicts.push(event.id)
          if (++seen === at) controller.abort()
        },
      })
      expect(Object.keys(result).sort(), `aborted at event ${at}`).toEqual(SHAPE)
      expect(ends).toBe(1)
      expect(new Set(verdicts).size, 'a call has one verdict').toBe(verdicts.length)
      expect(result.toolResults.map(({ id }) => id)).toEqual(result.toolCalls.map(({ id }) => id))
    }
  })

  test('at any moment between two steps of the code does the same', async () => {
    let isSlow = true
    for (let steps = 0; isSlow; steps++) {
      const controller = new AbortController()
      const ran: string[] = []
      let hasAborted = false
      const turn = runTurn({
        model: scripted(`One.${calling('go')}${calling('no')}`, 'Two.'),
        conversation: 'Hi',
        tools: {
          go: {
            execute: async (_: unknown, { id, signal }: { id: string; signal: AbortSignal }) => {
              ran.push(hasAborted ? `${id} behind the abort` : id)
              await null
              return signal.aborted
            },
          },
          no: {},
        },
        approve: async ({ toolName }) => toolName === 'go',
        onToolCalls: async (calls) => calls.map(({ id }) => ({ toolUseId: id, content: '' })),
        signal: controller.signal,
      })
      let isOver = false
      void turn.finally(() => {
        isOver = true
      })
      for (let step = 0; step < steps && !isOver; step++) await null
      isSlow = !isOver
      hasAborted = true
      controller.abort()
      const result = await turn
      expect(Object.keys(result).sort(), `after ${steps} steps`).toEqual(SHAPE)
      // The last response may have come whole already.
      const reasons = result.text === 'One.Two.' ? ['aborted', 'stop'] : ['aborted']
      expect(reasons).toContain(result.stopReason)
      expect(result.toolResults.map(({ id }) => id)).toEqual(result.toolCalls.map(({ id }) => id))
      expect(new Set(ran).size).toBe(ran.length)
      expect(ran.filter((id) => id.includes('behind'))).toEqual([])
    }
  })

  test('is heard by one listener of the signal, however many calls run', async () => {
    const { signal } = new AbortController()
    const counts = new Set<number>()
    const go = {
      async execute(_input: unknown, context: { readonly signal: AbortSignal }) {
        await Promise.resolve()
        counts.add(getEventListeners(signal, 'abort').length)
        counts.add(getEventListeners(context.signal, 'abort').length)
        return 'went'
      },
    }
    const warnings: Error[] = []
    const warn = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warn)
    const model = scripted(calling('go').repeat(20), 'Two.')
    await runTurn({ model, conversation: 'Hi', tools: { go }, maxParallelTools: 20, signal })
    await new Promise(setImmediate)
    process.off('warning', warn)
    expect([...counts]).toEqual([1])
    expect(warnings).toEqual([])
  })

  test('that never comes leaves no listener behind', async () => {
    const { signal } = new AbortController()
    const model = scripted(calling('go') + calling('go'), 'Two.')
    await runTurn({ model, conversation: 'Hi', tools: { go: { execute: () => 'went' } }, signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    const turn = startTurn({ model: scripted('One.'), conversation: 'Hi', signal })
    for await (const event of turn) expect(event).toBeDefined()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
