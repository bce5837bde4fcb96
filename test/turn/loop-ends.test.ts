/** How a turn ends, what its calls are told then, and what the next request may do. */

import { expect, test } from 'vitest'
import type { ToolChoice } from '../../src/conversation/model-request.ts'
import type { FinishReason, SluiceEvent, ToolCall } from '../../src/event.ts'
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
