/** One response as it is read: which of its calls are decided, what is shown of it, and what makes it fail. */

import { describe, expect, test } from 'vitest'
import type { DiagnosticCode, SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { toolXml } from '../../src/dialects/tool-xml.ts'
import {
  type EarlyCall,
  type Model,
  promptedModel,
  type RunTurnOptions,
  runTurn,
  type TurnError,
  type TurnEvent,
  type TurnResult,
} from '../../src/turn/index.ts'
import { ManualClock } from './manual-clock.ts'
import { calling, scripted, scriptedPieces } from './scripted-model.ts'

const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  ...{ type: 'tool-call', id: 'x', toolName: 'rm', input: {}, status: 'complete', repairs: [] },
  ...fields,
})
const diagnostic = (code: DiagnosticCode, start?: number): SluiceEvent => ({
  ...{ type: 'diagnostic', code, message: 'Odd.' },
  ...(start !== undefined && { span: { start, end: start + 8 } }),
})
const text = (delta: string): SluiceEvent[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
]
const STOP: SluiceEvent = { type: 'finish', reason: 'stop' }

interface Story {
  readonly ran: string[]
  readonly asked: boolean[]
  readonly events: TurnEvent[]
  readonly result: TurnResult
  readonly error: TurnError | undefined
}

/** A turn whose first response is these events, and whose second is empty. */
async function story(
  model: Model | readonly SluiceEvent[],
  options: Partial<RunTurnOptions> = {},
): Promise<Story> {
  const ran: string[] = []
  const asked: boolean[] = []
  const events: TurnEvent[] = []
  const responses = [model, [STOP]]
  const native: Model = async function* (request, context) {
    const next = responses.length > 1 ? responses.shift()! : responses[0]!
    yield* typeof next === 'function' ? await next(request, context) : next
  }
  const turn = runTurn({
    model: native,
    conversation: 'Hi',
    tools: { rm: { execute: (_: unknown, { id }: { id: string }) => ran.push(id) } },
    maxRetries: 0,
    onEvent: (event) => void events.push(event),
    ...options,
    ...(options.approve && {
      approve: (request) => {
        asked.push(request.isGuess)
        return options.approve!(request)
      },
    }),
  })
  const error = await turn.then(
    () => undefined,
    (thrown: TurnError) => thrown,
  )
  return { ran, asked, events, result: error?.result ?? (await turn), error }
}

describe('the end of a thought that stays in the text', () => {
  const CALL = '<function_calls>\n<invoke name="rm">\n</invoke>\n</function_calls>'
  const prompted = (...events: readonly SluiceEvent[]): Model =>
    promptedModel(
      async function* () {
        yield* events
      },
      { dialect: functionCalls },
    )

  test('makes a guess of the call that the response begins with', async () => {
    const { ran, asked, events } = await story(prompted(...text(`${CALL} No.</thinking>Hi.`), STOP), {
      approve: ({ isGuess }) => !isGuess,
    })
    expect([ran, asked]).toEqual([[], [true]])
    const order = events.flatMap(({ type }) => (/^(call-app|tools-start)/.test(type) ? type : []))
    expect(order).toEqual(['call-approval-needed', 'tools-start'])
  })

  test('makes a guess of it once, also in a response that failed', async () => {
    const failed: SluiceEvent = { type: 'finish', reason: 'error' }
    const { ran, asked } = await story(prompted(...text(`${CALL} No.</thinking>Hi.`), failed), {
      approve: () => true,
    })
    expect([ran, asked]).toEqual([[], [true]])
  })

  test('says nothing of a call that the provider sent by itself', async () => {
    const { ran } = await story(prompted(call(), ...text('No.</thinking>Hi.'), STOP))
    expect(ran).toEqual(['x'])
  })

  test('is nothing that a dialect without thoughts could have', async () => {
    const model = promptedModel(
      async function* () {
        yield* [...text('<tool name="rm">\n<arguments>\n</arguments>\n</tool>It is undefined.'), STOP]
      },
      { dialect: toolXml },
    )
    expect((await story(model)).ran).toHaveLength(1)
  })
})

describe('what is odd before anything is shown', () => {
  test('comes first, once something is', async () => {
    const { events } = await story([
      diagnostic('stripped-tokens'),
      diagnostic('json-repaired'),
      ...text('Hi'),
      STOP,
    ])
    expect(events.map((event) => ('code' in event ? event.code : event.type)).slice(0, 4)).toEqual([
      'round-start',
      'stripped-tokens',
      'json-repaired',
      'text-start',
    ])
  })
})

describe('a response fails', () => {
  const error = (message: string): SluiceEvent => ({ type: 'error', error: { name: 'E', message } })

  test('with the first of its errors', async () => {
    const told = await story([
      ...text('Hi'),
      error('First.'),
      error('Second.'),
      { type: 'finish', reason: 'error' },
    ])
    expect(told.error).toMatchObject({ message: expect.stringContaining('First.') })
  })

  test('and is not aborted, where it was aborted because of an error', async () => {
    const { ran, result } = await story([call(), error('Lost.'), { type: 'finish', reason: 'aborted' }])
    expect([ran, result.stopReason]).toEqual([[], 'error'])
  })

  test('where its reader reports an error, although it ends as if nothing had happened', async () => {
    const { ran, result, error } = await story(async function* (_, { reading }) {
      yield call()
      reading.onError?.(new Error('Garbled.'))
      yield STOP
    })
    expect([ran, result.stopReason, error?.message]).toEqual([[], 'error', 'Garbled.'])
  })

  test.each<[what: string, report: boolean, message: string]>([
    ['with what a callback throws', false, 'Mine.'],
    ['with what was reported before a callback throws', true, 'Garbled.'],
  ])('%s', async (_, report, message) => {
    const { ran, error } = await story(
      async function* (_, { reading }) {
        if (report) reading.onError?.(new Error('Garbled.'))
        yield { type: 'tool-input-start', id: 'x', toolName: 'rm' }
        yield call()
        yield STOP
      },
      {
        onCallStart: () => {
          throw new Error('Mine.')
        },
      },
    )
    expect([ran, error?.message]).toEqual([[], message])
  })
})

describe('a hook', () => {
  test('may leave a request as it is', async () => {
    const { ran } = await story([call(), STOP], { beforeRequest: () => undefined })
    expect(ran).toEqual(['x'])
  })

  test('may leave tools out, and the others run', async () => {
    const ran: string[] = []
    await runTurn({
      model: scripted(calling('a') + calling('b'), 'End.'),
      conversation: 'Hi',
      tools: { a: { execute: () => ran.push('a') }, b: { execute: () => ran.push('b') } },
      beforeRequest: (request) => ({ ...request, tools: [{ name: 'b' }] }),
    })
    expect(ran).toEqual(['b'])
  })
})

test('a call that grows has the input that is known of it, and not that of another', async () => {
  const calls: EarlyCall[] = []
  const inputs: unknown[][] = []
  await runTurn({
    model: scriptedPieces([
      [calling('go', { path: 'a' }), '<tool_call>{"name":"go","arguments":{"path":"b', '/c"}}</tool_call>'],
      ['End.'],
    ]),
    conversation: 'Hi',
    tools: { go: { execute: () => 1 } },
    onCallStart: (one) => void calls.push(one),
    onEvent: ({ type }) => {
      if (type === 'tool-input-delta' || type === 'tool-call') inputs.push(calls.map(({ input }) => input))
    },
  })
  expect(inputs.at(-1)).toEqual([{ path: 'a' }, { path: 'b/c' }])
  expect(inputs).toContainEqual([{ path: 'a' }, { path: 'b' }])
})

describe('a response that is tried again', () => {
  /** The responses of a model one after the other, with time that passes at once. */
  async function tried(
    responses: readonly (readonly SluiceEvent[])[],
    options: Partial<RunTurnOptions> = {},
  ): Promise<{ requests: number; result: TurnResult }> {
    let requests = 0
    const model: Model = async function* () {
      yield* responses[Math.min(++requests, responses.length) - 1]!
    }
    const turn = runTurn({
      model,
      conversation: 'Hi',
      clock: {
        now: () => 0,
        wait: (ms, signal) => (ms > 60_000 ? new ManualClock().wait(ms, signal) : Promise.resolve()),
      },
      ...options,
    })
    const result = await turn.catch((error: TurnError) => error.result!)
    return { requests, result }
  }
  const REFUSED: SluiceEvent[] = [...text('No.'), { type: 'finish', reason: 'content-filter' }]

  test('because it was refused is not tried more often than that', async () => {
    const { requests, result } = await tried([REFUSED], { refusalRetries: 1 })
    expect([requests, result.stopReason, result.text]).toEqual([2, 'content-filter', 'No.'])
  })

  test('is not one that is complete', async () => {
    const { requests, result } = await tried([[...text('Yes.'), STOP]], { refusalRetries: 1 })
    expect([requests, result.stopReason, result.text]).toEqual([1, 'stop', 'Yes.'])
  })

  test('is not one that failed for good, whatever it says about its end', async () => {
    const error = { name: 'ProviderError', message: 'Who?', status: 401 }
    const failed: SluiceEvent[] = [
      { type: 'error', error },
      { type: 'finish', reason: 'content-filter' },
    ]
    const { requests, result } = await tried([failed], { refusalRetries: 1 })
    expect([requests, result.stopReason]).toEqual([1, 'error'])
  })

  test('is over when the turn is aborted before that', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const { requests, result } = await tried([REFUSED], {
      refusalRetries: 1,
      signal: controller.signal,
      clock: new ManualClock(),
      onEvent: ({ type }) => {
        seen.push(type)
        if (type === 'retry') controller.abort()
      },
    })
    expect([requests, result.stopReason, result.content]).toEqual([1, 'aborted', []])
    expect(seen).toEqual(['round-start', 'retry', 'usage', 'turn-finish'])
  })
})
