/** How a turn ends, what its calls are told then, and what the next request may do. */

import { expect, test } from 'vitest'
import type { FinishReason, SluiceEvent, ToolCall } from '../../src/base/event.ts'
import type { ToolChoice } from '../../src/requests/conversation/model-request.ts'
import { type Model, runTurn, startTurn, type TurnEvent } from '../../src/turn/index.ts'
import { calling, scripted } from './scripted-model.ts'

const CALL: ToolCall = {
  type: 'tool-call',
  id: 'c',
  toolName: 'go',
  input: {},
  status: 'complete',
  repairs: [],
}

/** A model that says these events, and then stops for this reason. */
const saying = (
  reason: FinishReason,
  rawReason: string | undefined,
  ...events: readonly SluiceEvent[]
): Model =>
  async function* () {
    yield* events
    yield { type: 'finish', reason, ...(rawReason !== undefined && { rawReason }) }
  }

test.each<[finish: FinishReason, stopReason: string]>([
  ['stop', 'stop'],
  ['tool-calls', 'stop'],
  ['length', 'length'],
  ['other', 'other'],
])('a response without calls that ends with %s ends the turn with %s', async (finish, stopReason) => {
  expect((await runTurn({ model: saying(finish, undefined), conversation: 'Hi' })).stopReason).toBe(
    stopReason,
  )
})

test.each<[reason: FinishReason, raw: string | undefined, stopReason: string, event: object]>([
  ['aborted', undefined, 'aborted', { type: 'call-cancelled' }],
  ['content-filter', undefined, 'content-filter', { type: 'call-cancelled' }],
  ['other', 'no-progress', 'no-progress', { type: 'call-cancelled' }],
  ['other', 'round-limit', 'round-limit', { type: 'call-cancelled' }],
])(
  'calls of a response that ended with %s (%s) do not run, and have results',
  async (reason, raw, stopReason, event) => {
    const events: TurnEvent[] = []
    let ran = 0
    const turn = await runTurn({
      model: saying(reason, raw, CALL),
      conversation: 'Hi',
      tools: { go: { execute: () => ++ran } },
      onEvent: (one) => void events.push(one),
    })
    expect([ran, turn.stopReason]).toEqual([0, stopReason])
    expect(events.find(({ type }) => type.startsWith('call-c') || type === 'call-denied')).toStrictEqual({
      ...{ id: 'c', toolName: 'go', reason: expect.stringContaining('It was not run') },
      ...event,
    })
    expect(turn.conversation.messages.at(-1)).toMatchObject({
      role: 'tool',
      parts: [{ id: 'c', isError: true }],
    })
  },
)

test.each<[reason: FinishReason, raw: string | undefined]>([
  ['other', 'pause'],
  ['stop', 'no-progress'],
  ['length', undefined],
])('a whole call of a response that ended with %s (%s) runs', async (reason, raw) => {
  let ran = 0
  const first = saying(reason, raw, CALL)
  const model: Model = (request, context) =>
    ran === 0 ? first(request, context) : saying('stop', undefined)(request, context)
  await runTurn({ model, conversation: 'Hi', tools: { go: { execute: () => ++ran } } })
  expect(ran).toBe(1)
})

test('calls of a response that failed are told so, and are not part of the conversation', async () => {
  const events: TurnEvent[] = []
  const error = { name: 'Error', message: 'no' }
  const turn = runTurn({
    model: saying('error', undefined, { type: 'text-start', id: 't' }, CALL, { type: 'error', error }),
    conversation: 'Hi',
    tools: { go: { execute: () => 1 } },
    onEvent: (one) => void events.push(one),
  })
  await expect(turn).rejects.toMatchObject({ result: { conversation: { messages: [{ role: 'user' }] } } })
  expect(events).toContainEqual({
    ...{ type: 'call-cancelled', id: 'c', toolName: 'go' },
    reason: 'It was not run: the response that it was part of failed.',
  })
})

test('a call behind the last round is denied by the limit', async () => {
  const events: TurnEvent[] = []
  await runTurn({
    model: scripted(calling('go')),
    conversation: 'Hi',
    tools: { go: { execute: () => 1 } },
    maxToolDepth: 0,
    onEvent: (one) => void events.push(one),
  })
  expect(events).toContainEqual({
    ...{ type: 'call-denied', id: 'call-1', toolName: 'go', by: 'limit' },
    reason: 'It was not run: no more tools may be used in this turn. Answer with what you know.',
  })
})

test.each<[choice: ToolChoice | undefined, next: ToolChoice | undefined]>([
  [undefined, undefined],
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'auto'],
  [{ toolName: 'go' }, 'auto'],
  [
    { mode: 'required', toolNames: ['go'] },
    { mode: 'auto', toolNames: ['go'] },
  ],
])('a tool had to be called (%j): in the next round the model is free (%j)', async (toolChoice, next) => {
  const model = scripted(calling('go'), 'End.')
  await runTurn({
    model,
    conversation: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      ...(toolChoice && { toolChoice }),
    },
    tools: { go: { execute: () => 1 } },
  })
  expect(model.requests.map((request) => request.toolChoice)).toEqual([toolChoice, next])
})

test('the results of tools are events, an empty one without a delta', async () => {
  const events: TurnEvent[] = []
  await runTurn({
    model: scripted(calling('go') + calling('fail'), 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: () => '' }, fail: { execute: () => Promise.reject(new Error('no')) } },
    onEvent: (one) => void events.push(one),
  })
  expect(events.filter(({ type }) => type.startsWith('tool-result'))).toStrictEqual([
    { type: 'tool-result-start', id: 'call-1', toolName: 'go' },
    { type: 'tool-result-end', id: 'call-1' },
    { type: 'tool-result-start', id: 'call-2', toolName: 'fail', isError: true },
    { type: 'tool-result-delta', id: 'call-2', delta: 'no' },
    { type: 'tool-result-end', id: 'call-2' },
  ])
})

test('the tools of the conversation are left to the caller', async () => {
  const model = scripted(calling('go'))
  const { stopReason, pendingCalls } = await runTurn({
    model,
    conversation: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [{ name: 'go' }],
    },
  })
  expect([stopReason, pendingCalls.map(({ toolName }) => toolName)]).toEqual(['tool-calls', ['go']])
  expect(model.requests[0]?.tools).toEqual([{ name: 'go' }])
})

test('a message that is injected before the first request waits for the second', async () => {
  const model = scripted(calling('go'), 'End.')
  const turn = startTurn({ model, conversation: 'Hi', tools: { go: { execute: () => 1 } } })
  turn.inject('Hurry.')
  for await (const _ of turn);
  expect(model.requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ['user'],
    ['user', 'assistant', 'tool', 'user'],
  ])
})

test('a turn without tools sends none', async () => {
  const model = scripted('Hi.')
  await runTurn({ model, conversation: 'Hi' })
  expect(Object.keys(model.requests[0]!)).toEqual(['messages'])
})

test('a turn without tools answers although a tool had to be called', async () => {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
  const conversation = { messages, toolChoice: { toolName: 'go' } }
  expect((await runTurn({ model: scripted('Hi.'), conversation })).text).toBe('Hi.')
})

test('a call of a turn without tools does not run', async () => {
  const { toolResults, pendingCalls } = await runTurn({
    model: saying('tool-calls', undefined, CALL),
    conversation: 'Hi',
    maxRepeatedRefusals: 1,
  })
  expect([toolResults.length, pendingCalls.length]).toEqual([1, 0])
})

test('nobody has to answer any more when the calls are answered', async () => {
  const signals: AbortSignal[] = []
  const aborted: boolean[][] = []
  await runTurn({
    model: scripted(calling('go'), 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: () => 1 } },
    onCallStart: (call) => void setImmediate(() => call.approve()),
    approve: ({ signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    },
    onEvent: ({ type }) => {
      if (type === 'round-start') aborted.push(signals.map((signal) => signal.aborted))
    },
  })
  expect(aborted).toEqual([[], [true]])
})

test('an abort while a tool runs is the end: no other request, and no other round', async () => {
  const controller = new AbortController()
  const model = scripted(calling('go'), 'End.')
  const { stopReason, rounds } = await runTurn({
    model,
    conversation: 'Hi',
    signal: controller.signal,
    tools: {
      go: {
        execute: () => {
          controller.abort()
          return new Promise(() => {})
        },
      },
    },
  })
  expect([stopReason, rounds, model.requests.length]).toEqual(['aborted', 1, 1])
})

test.each([
  ['that runs', true, 'It was not run to its end: the turn was stopped.'],
  ['that waits for its approval', false, 'It was not run: the turn was stopped.'],
])('an abort says of a tool %s how far it got', async (_, isApproved, content) => {
  const controller = new AbortController()
  const wait = (): Promise<never> => {
    setImmediate(() => controller.abort())
    return new Promise(() => {})
  }
  const { toolResults } = await runTurn({
    model: scripted(calling('go')),
    conversation: 'Hi',
    signal: controller.signal,
    tools: { go: { execute: wait } },
    approve: () => isApproved || wait(),
  })
  expect(toolResults).toMatchObject([{ toolName: 'go', content, isError: true }])
})

const THOUGHT = `<think>I could ${calling('go')} so.</think>`

test.each<[what: string, text: string, approves: boolean, rounds: number]>([
  ['a call that was denied', `I go.${calling('go')}`, false, 2],
  [
    'a call that was denied behind one that was only thought of',
    `${THOUGHT}I go.${calling('go', { n: 1 })}`,
    false,
    2,
  ],
  ['a call that was only thought of, but ran', `${THOUGHT}I go.`, true, 2],
  ['a call that was only thought of', `${THOUGHT}I go.`, false, 1],
  ['a call that was only thought of, without an answer', THOUGHT, false, 2],
])('the model speaks again, or not, behind %s', async (_, text, approves, rounds) => {
  const turn = await runTurn({
    model: scripted(text, 'End.'),
    conversation: 'Hi',
    tools: { go: { execute: () => 1 } },
    approve: () => approves,
  })
  expect([turn.stopReason, turn.rounds]).toEqual(['stop', rounds])
})

test('the text before the first call is what the handler is told of', async () => {
  const preambles: string[] = []
  await runTurn({
    model: scripted(`One.${calling('go')}Two.${calling('go')}`, 'End.'),
    conversation: 'Hi',
    tools: [{ name: 'go' }],
    onToolCalls: (calls, { preamble }) => {
      preambles.push(preamble)
      return calls.map(({ id }) => ({ toolUseId: id, content: 'ok' }))
    },
  })
  expect(preambles).toEqual(['One.'])
})

test('the raw text of a model with calls of its own is its text and the JSON of its calls', async () => {
  const thought: SluiceEvent[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
    { type: 'reasoning-end', id: 'r' },
  ]
  const text: SluiceEvent[] = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'I go.' },
    { type: 'text-end', id: 't' },
  ]
  const { rawText } = await runTurn({
    model: saying('stop', undefined, ...thought, ...text, { ...CALL, raw: '{ }' }, { ...CALL, id: 'd' }),
    conversation: 'Hi',
    tools: [{ name: 'go' }],
  })
  expect(rawText).toBe('I go.{ }')
})
