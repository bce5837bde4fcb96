/** What a model is sent that goes on with its own message. */

import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { llama3Json } from '../../src/dialects/llama3-json.ts'
import type { ConversationMessage, ModelRequest } from '../../src/requests/conversation/model-request.ts'
import { type Model, type PrefilledOptions, prefilledModel, runTurn } from '../../src/turn/index.ts'

const user: ConversationMessage = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const own = (...parts: ConversationMessage['parts']): ConversationMessage => ({ role: 'assistant', parts })

/** The first request that the model gets, and what was read of its answer. */
async function sent(
  messages: readonly ConversationMessage[],
  options: Partial<PrefilledOptions> = {},
  says = 'Yes.',
): Promise<{ request: ModelRequest; calls: readonly unknown[]; text: string }> {
  const requests: ModelRequest[] = []
  const model: Model = async function* (request) {
    requests.push(request)
    yield { type: 'text-start', id: 't' }
    yield { type: 'text-delta', id: 't', delta: says }
    yield { type: 'text-end', id: 't' }
    yield { type: 'finish', reason: 'stop' }
  }
  const { toolCalls, text } = await runTurn({
    model: prefilledModel(model, { dialect: hermes, ...options }),
    conversation: { messages },
    ...(says.includes('<tool_call>') && { tools: [{ name: 'go' }] }),
    maxToolDepth: 0,
  })
  return { request: requests[0]!, calls: toolCalls.map(({ status, repairs }) => [status, ...repairs]), text }
}

describe('the request', () => {
  test('ends with the user where the model has said nothing, and has no stops that nobody wants', async () => {
    const { request } = await sent([user])
    expect(request.messages.at(-1)).toEqual(user)
    expect('stopSequences' in (request.settings ?? {})).toBe(false)
  })

  test('has the stops that were given, as many as the provider takes', async () => {
    const { request } = await sent([user], { stop: ['b', 'c'], closers: ['a'], maxStopSequences: 2 })
    expect(request.settings?.stopSequences).toEqual(['a', 'b'])
    expect((await sent([user], { stop: ['b'] })).request.settings?.stopSequences).toEqual(['b'])
  })

  test('ends with what the model was saying, once', async () => {
    const { request, text } = await sent([user, own({ type: 'text', text: 'Well,' })])
    expect(request.messages.slice(-2)).toEqual([user, own({ type: 'text', text: 'Well,' })])
    expect(text).toBe('Yes.')
  })

  test('ends with a thought that is not finished', async () => {
    const thought = { type: 'reasoning', text: 'Hm', state: 'streaming' } as const
    const { request } = await sent([user, own(thought)])
    expect(request.messages.at(-1)?.parts).toMatchObject([
      { type: 'text', text: expect.stringMatching(/^<think>\n?Hm$/) },
    ])
  })

  test.each([
    ['a thought that is finished', own({ type: 'reasoning', text: 'Hm' })],
    ['text that is not', own({ type: 'text', text: 'Well', state: 'streaming' } as never)],
  ])('opens no thought for %s', async (_, message) => {
    const { request } = await sent([user, message])
    expect(JSON.stringify(request.messages)).not.toContain('<think>')
  })

  test('opens no thought in a dialect that has none', async () => {
    const thought = { type: 'reasoning', text: 'Hm', state: 'streaming' } as const
    const { request, text } = await sent([user, own(thought)], { dialect: llama3Json })
    expect(JSON.stringify(request.messages)).not.toContain('Hm')
    expect(text).toBe('Yes.')
  })

  test('of a transcript of nothing begins with the name of the model', async () => {
    const { request } = await sent([], { transcript: {} })
    expect(request.messages.at(-1)).toEqual(own({ type: 'text', text: 'Assistant:' }))
  })

  test('of a transcript opens no thought either, where the user spoke last', async () => {
    const { request } = await sent([user], { transcript: {} })
    expect(request.messages.at(-1)).toEqual(own({ type: 'text', text: 'User: Hi\nAssistant:' }))
  })
})

describe('a call', () => {
  const CALL = '<tool_call>{"name": "go", "arguments": {}}</tool_call>'

  test('inside the thought that the model goes on with is a guess', async () => {
    const thought = { type: 'reasoning', text: 'Hm', state: 'streaming' } as const
    expect((await sent([user, own(thought)], {}, `${CALL} or not</think>Yes.`)).calls).toEqual([
      ['repaired', { code: 'inside-reasoning', class: 'guess', offset: 0 }],
    ])
  })

  test('inside a thought that has just been opened is a guess', async () => {
    const { calls } = await sent(
      [user, own({ type: 'text', text: '<think>' })],
      {},
      `${CALL} or not</think>Yes.`,
    )
    expect(calls).toEqual([['repaired', { code: 'inside-reasoning', class: 'guess', offset: 0 }]])
  })

  test('behind visible text that the model goes on with is one', async () => {
    expect((await sent([user, own({ type: 'text', text: 'Well,' })], {}, CALL)).calls).toEqual([['complete']])
  })
})

test('wrong options are refused before the first turn', () => {
  const model: Model = async function* () {}
  for (const options of [
    { dialect: hermes, stops: [] },
    { dialect: 'hermes' },
    { dialect: hermes, stop: '\nUser:' },
    { dialect: hermes, placement: 'x' },
  ])
    expect(() => prefilledModel(model, options as never)).toThrow(
      expect.objectContaining({ name: 'SluiceError' }),
    )
})
