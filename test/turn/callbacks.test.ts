/** Functions of the caller that throw: a turn ends with one kind of error, which has everything up to then. */

import { describe, expect, test } from 'vitest'
import type { FinishReason } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { sluice } from '../../src/engine/stream.ts'
import {
  type Model,
  type RunTurnOptions,
  runTurn,
  startTurn,
  TurnError,
  type TurnStop,
} from '../../src/turn/index.ts'
import { calling, scripted } from './scripted-model.ts'

type Callback = keyof RunTurnOptions

/** Every one of these is called in a turn with one call. */
const CALLBACKS: readonly Callback[] = [
  'onEvent',
  'onChunk',
  'onBlock',
  'onContentBlockUpdate',
  'onPreToolContent',
  'onUsage',
  'beforeRequest',
  'onRequest',
  'onResponse',
]

/** A model that reports its request and its response, as one behind a server does. */
function reporting(...texts: string[]): Model {
  return async function* (_, { reading, onRequest, onResponse }) {
    await onRequest({ url: 'http://x', body: {}, diagnostics: [] })
    await onResponse({ status: 200, headers: new Headers() })
    yield* sluice(texts.shift() ?? 'End.', { ...reading, dialect: hermes })
  }
}

/** Looks like an error that may pass, so that a request that failed with it would be sent again. */
const own = (): Error => Object.assign(new Error('My own.'), { status: 503, code: 'ECONNRESET' })

/** The error of a turn in which each tool has run once. */
async function failureOf(options: Partial<RunTurnOptions>): Promise<unknown> {
  return runTurn({
    model: reporting(`Go.${calling('a')}`, 'End.'),
    conversation: 'Hi',
    tools: { a: { execute: () => 'done' } },
    ...options,
  }).catch((thrown: unknown) => thrown)
}

describe.each(CALLBACKS)('%s', (name) => {
  test.each<[what: string, fail: (error: Error) => unknown]>([
    [
      'throws',
      (error) => {
        throw error
      },
    ],
    ['rejects', (error) => Promise.reject(error)],
  ])('that %s ends the turn, and nothing is sent again', async (_, fail) => {
    const cause = own()
    let count = 0
    const callback = (): unknown => {
      count++
      return fail(cause)
    }
    const error = await failureOf({ [name]: callback })
    expect(error).toBeInstanceOf(TurnError)
    expect(error).toMatchObject({
      kind: 'callback',
      message: 'My own.',
      cause,
      retryable: false,
      result: { stopReason: 'error', error },
    })
    expect(count).toBe(1)
  })
})

test('onCallStart that throws ends the turn', async () => {
  const cause = own()
  const error = await failureOf({
    onCallStart: () => {
      throw cause
    },
  })
  expect(error).toMatchObject({ kind: 'callback', cause, result: { stopReason: 'error', toolResults: [{}] } })
})

test.each<[name: 'approve' | 'onToolCalls' | 'execute', told: string]>([
  ['approve', 'The call was not approved, because the approval failed. Do without it.'],
  ['onToolCalls', 'My own.'],
  ['execute', 'My own.'],
])('%s that throws fails only its call, and the model is told', async (name, told) => {
  const fail = (): never => {
    throw own()
  }
  const execute = name === 'execute' ? { execute: fail } : {}
  const result = await runTurn({
    model: reporting(`Go.${calling('a')}`, 'End.'),
    conversation: 'Hi',
    tools: { a: execute },
    ...(name !== 'execute' && { [name]: fail }),
  })
  expect(result).toMatchObject({ stopReason: 'stop', toolResults: [{ content: told, isError: true }] })
})

test('startTurn ends with the error of a hook that throws', async () => {
  const cause = own()
  const turn = startTurn({
    model: scripted('Hi.'),
    conversation: 'Hi',
    beforeRequest: () => {
      throw cause
    },
  })
  const ends: [TurnStop | FinishReason, string | undefined][] = []
  for await (const event of turn)
    if (event.type === 'turn-finish') ends.push([event.reason, event.error?.kind])
  expect(ends).toEqual([['error', 'callback']])
  expect((await turn.result).error).toMatchObject({ kind: 'callback', cause })
})

describe('the result of a turn that a callback ends has', () => {
  test('what was done beside a tool that still runs, and a conversation to continue with', async () => {
    const error = (await failureOf({
      model: scripted(`Go.${calling('a')}${calling('b')}`, 'End.'),
      tools: { a: { execute: () => 'done' }, b: { execute: () => new Promise(() => {}) } },
      onEvent: ({ type }) => {
        if (type === 'call-succeeded') throw own()
      },
    })) as TurnError
    const { result } = error
    expect(result?.toolResults.map(({ toolName, content, isError }) => [toolName, content, isError])).toEqual(
      [
        ['a', 'done', false],
        ['b', 'It was not run to its end: the turn was stopped.', true],
      ],
    )
    expect(result?.conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('the part of the response that had come', async () => {
    const error = (await failureOf({
      model: scripted('One. Two.'),
      onChunk: () => {
        throw own()
      },
    })) as TurnError
    expect(error.result).toMatchObject({ text: 'One. Two.', rounds: 1, stopReason: 'error' })
  })
})
