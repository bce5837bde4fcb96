/** A turn that is read event by event. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { sluice } from '../../src/engine/stream.ts'
import type { ModelRequest } from '../../src/requests/conversation/model-request.ts'
import {
  type Model,
  openaiChatModel,
  promptedModel,
  runTurn,
  startTurn,
  type Turn,
  type TurnEvent,
} from '../../src/turn/index.ts'
import { isSluiceEvent } from '../../src/turn/turn-event.ts'
import {
  createStreamingView,
  type StreamingEvent,
  TurnCoordinator,
} from '../../src/views/compat/progress/index.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelServer, streamed } from './model-server.ts'
import { calling, scripted } from './scripted-model.ts'
import { traceOf } from './trace.ts'

const TWO = `Go.${calling('a', { n: 1 })}${calling('b')}`
const tools = { a: {}, b: {} }

describe('the consumer', () => {
  test('answers calls, and sees what the turn waits for', async () => {
    const model = scripted(TWO, 'End.')
    const turn = startTurn({ model, conversation: 'Hi', tools })
    const events: TurnEvent[] = []
    const seen: unknown[] = []
    for await (const event of turn) {
      events.push(event)
      if (event.type !== 'calls-waiting') continue
      seen.push([turn.isWaitingForTools, turn.pendingToolCallIds, turn.toolDepth])
      turn.provideToolResults(event.calls.map(({ id, name }) => ({ toolUseId: id, content: name })))
      seen.push([turn.isWaitingForTools, turn.pendingToolCallIds])
    }
    expect(seen).toEqual([
      [true, ['call-2', 'call-3'], 1],
      [false, []],
    ])
    const result = await turn.result
    expect(result).toMatchObject({
      text: 'Go.End.',
      stopReason: 'stop',
      toolResults: [{ content: 'a' }, { content: 'b' }],
    })
    // The push form tells the same.
    const pushed: TurnEvent[] = []
    await runTurn({
      model: scripted(TWO, 'End.'),
      conversation: 'Hi',
      tools,
      onToolCalls: (calls) => calls.map(({ id, name }) => ({ toolUseId: id, content: name })),
      onEvent: (event) => void pushed.push(event),
    })
    expect(traceOf(events)).toEqual(traceOf(pushed))
  })

  test('is told what is wrong with its results, and the calls go on waiting', async () => {
    const turn = startTurn({ model: scripted(TWO, 'End.'), conversation: 'Hi', tools })
    expect(() => turn.provideToolResults([])).toThrow('not waiting')
    for await (const event of turn) {
      if (event.type !== 'calls-waiting') continue
      const [a, b] = event.calls.map(({ id }) => ({ toolUseId: id, content: 'x' }))
      expect(() => turn.provideToolResults([a!])).toThrow("there is no result for 'call-3'")
      expect(() => turn.provideToolResults([a!, b!, a!])).toThrow("two results for the call 'call-2'")
      expect(() => turn.provideToolResults([a!, { toolUseId: 'x', content: '' }])).toThrow("for the call 'x'")
      expect(turn.pendingToolCallIds).toHaveLength(2)
      turn.provideToolResults([b!, a!])
      expect(() => turn.provideToolResults([a!, b!])).toThrow('not waiting')
    }
    expect((await turn.result).toolResults.map(({ id }) => id)).toEqual(['call-2', 'call-3'])
  })

  test('may say something between rounds, behind the results, and nothing that a turn says itself', async () => {
    const model = scripted(calling('a'), 'End.')
    const turn = startTurn({ model, conversation: 'Hi', tools })
    for await (const event of turn)
      if (event.type === 'calls-waiting')
        turn.provideToolResults([{ toolUseId: event.calls[0]!.id, content: 'A' }], {
          injectedMessages: [
            'Be quick.',
            {
              parts: [
                { type: 'call', toolName: 'b', input: {} },
                { type: 'text', text: 'And kind.' },
              ],
            },
            { parts: [{ type: 'result', content: 'B' }] },
            '',
          ],
        })
    expect(model.requests[1]?.messages.slice(2)).toMatchObject([
      { role: 'tool', parts: [{ content: 'A' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Be quick.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'And kind.' }] },
    ])
    expect(model.requests[1]?.messages).toHaveLength(5)
  })

  test('may say several things, which a prompted model gets in one message', async () => {
    const requests: ModelRequest[] = []
    const texts = [calling('go'), 'End.']
    const turn = startTurn({
      model: promptedModel(
        (request, { reading }) => {
          requests.push(request)
          return sluice(texts.shift()!, reading)
        },
        { dialect: hermes },
      ),
      conversation: 'Hi',
      tools: { go: { execute: () => 'went' } },
    })
    for await (const event of turn)
      if (event.type === 'call-started')
        for (const message of ['Be quick.', 'And kind.']) turn.inject(message)
    expect(requests[1]?.messages.slice(2)).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      {
        role: 'user',
        parts: [{ type: 'text', text: '<tool_response>went</tool_response>\n\nBe quick.\n\nAnd kind.' }],
      },
    ])
  })

  test('that takes too long is not waited for', async () => {
    const clock = new ManualClock()
    const turn = startTurn({
      model: scripted(calling('a'), 'End.'),
      conversation: 'Hi',
      tools,
      toolTimeoutMs: 9,
      clock,
    })
    for await (const event of turn) {
      if (event.type === 'calls-waiting') void clock.pass(9)
      if (event.type === 'call-timed-out') expect(turn.isWaitingForTools).toBe(false)
    }
    expect((await turn.result).toolResults).toMatchObject([{ isError: true }])
  })
})

describe('the end', () => {
  test('of a turn that is cancelled is one event, with what there was', async () => {
    const turn = startTurn({ model: scripted(TWO, 'End.'), conversation: 'Hi', tools })
    const ends: TurnEvent[] = []
    for await (const event of turn) {
      if (event.type === 'calls-waiting') turn.cancel()
      if (event.type === 'turn-finish') ends.push(event)
    }
    expect(ends).toMatchObject([{ reason: 'aborted' }])
    expect(await turn.result).toMatchObject({
      stopReason: 'aborted',
      text: 'Go.',
      toolResults: [{ isError: true }, { isError: true }],
    })
    expect(await turn.next()).toEqual({ done: true, value: undefined })
  })

  test('of one whose signal had fired before is the only event', async () => {
    const model = scripted('x')
    const turn = startTurn({ model, conversation: 'Hi', signal: AbortSignal.abort() })
    const types: string[] = []
    for await (const { type } of turn) types.push(type)
    expect([types, model.requests]).toEqual([['turn-finish'], []])
  })

  test('of one that fails is an event, and no rejection', async () => {
    const turn = startTurn({
      model: () => {
        throw new Error('No.')
      },
      conversation: 'Hi',
    })
    const types: string[] = []
    for await (const { type } of turn) types.push(type)
    expect(types).toEqual(['round-start', 'error', 'finish', 'usage', 'turn-finish'])
    expect(await turn.result).toMatchObject({ stopReason: 'error', error: { kind: 'unknown' } })
  })

  test('of the loop cancels the request', async () => {
    const text = streamed('openai-chat', [{ type: 'text', text: 'One two three' }])
    const server = await ModelServer.start([{ chunks: text.chunks.slice(0, 2), end: 'silent' }])
    const turn = startTurn({
      model: openaiChatModel({ baseUrl: server.url, model: 'm' }),
      conversation: 'Hi',
    })
    for await (const event of turn) if (event.type === 'text-delta') break
    await server.untilLeft()
    expect(await turn.result).toMatchObject({ stopReason: 'aborted' })
  })

  test('of the loop stops tools that run', async () => {
    let signal: AbortSignal | undefined
    const turn = startTurn({
      model: scripted(calling('a'), 'End.'),
      conversation: 'Hi',
      tools: {
        a: {
          execute: (_: unknown, context: { signal: AbortSignal }) => {
            signal = context.signal
            return new Promise(() => {})
          },
        },
      },
    })
    for await (const event of turn) if (event.type === 'call-started') break
    expect(signal?.aborted).toBe(true)
  })
})

test('leaving the loop at any event ends everything, and every call has a result', async () => {
  const start = (ran: string[]) =>
    startTurn({
      model: scripted(`One.${calling('a')}${calling('go')}`, `Two.${calling('b')}`, 'Three.'),
      conversation: 'Hi',
      tools: {
        ...tools,
        go: {
          execute: (_: unknown, { id }: { id: string }) => {
            ran.push(id)
            return 'went'
          },
        },
      },
      approve: async () => true,
    })
  const answer = (turn: Turn, event: TurnEvent): void => {
    if (event.type === 'calls-waiting')
      turn.provideToolResults(event.calls.map(({ id }) => ({ toolUseId: id, content: 'ok' })))
  }
  let total = 0
  const whole = start([])
  for await (const event of whole) {
    total++
    answer(whole, event)
  }
  expect(total).toBeGreaterThan(40)
  for (let at = 1; at < total; at++) {
    const ran: string[] = []
    const turn = start(ran)
    let seen = 0
    let hasRun = 0
    for await (const event of turn) {
      hasRun = ran.length
      if (++seen === at) break
      answer(turn, event)
    }
    const result = await turn.result
    // The last response may have come whole already.
    const reasons = result.text.endsWith('Three.') ? ['aborted', 'stop'] : ['aborted']
    expect(reasons, `left at event ${at}`).toContain(result.stopReason)
    expect(result.toolResults.map(({ id }) => id)).toEqual(result.toolCalls.map(({ id }) => id))
    expect([turn.isWaitingForTools, await turn.next()]).toEqual([false, { done: true, value: undefined }])
    expect(ran.length, 'nothing begins once the loop is left').toBe(hasRun)
    expect(() => turn.provideToolResults([])).toThrow('not waiting')
  }
})

describe('back-pressure', () => {
  test('nothing is read that was not asked for', async () => {
    let taken = 0
    const model: Model = async function* () {
      for (;;) {
        taken++
        yield { type: 'custom', kind: 'x', value: taken }
      }
    }
    const turn = startTurn({ model, conversation: 'Hi' })
    expect(taken).toBe(0)
    for (let at = 0; at < 5; at++) await turn.next()
    expect(taken).toBeLessThanOrEqual(5)
    await turn.return()
  })

  test('reaches the socket', async () => {
    const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(64 * 1024) } }] })}\n\n`
    const CHUNKS = 2000
    let written = 0
    const server = createServer(async (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (; written < CHUNKS && !response.destroyed; written++)
        if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve))
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const turn = startTurn({
      model: openaiChatModel({ baseUrl: `http://127.0.0.1:${port}`, model: 'm' }),
      conversation: 'Hi',
    })
    let deltas = 0
    for await (const event of turn) if (event.type === 'text-delta' && ++deltas === 20) break
    expect(written).toBeLessThan(CHUNKS / 2)
  })
})

test('a coordinator takes the same stream', async () => {
  const text = `<think>Hm.</think>Go.${calling('a', { n: 1, path: 'x' })}<tool_call>{"name":"b","arguments":{"n":"ab`
  const shown: unknown[] = []
  const kept: unknown[] = []
  const coordinator = new TurnCoordinator({
    renderer: {
      register: ({ name }) => shown.push(`register ${name}`),
      progress: (progress) => shown.push(progress.type === 'ArgumentParsed' ? progress.key : progress.type),
      complete: ({ name, arguments: input }) => shown.push([name, input]),
      fail: ({ name, raw }) => shown.push(`fail ${name} ${raw}`),
    },
    persist: (event) => kept.push(event.type),
  })
  const streaming: StreamingEvent[] = []
  const view = createStreamingView((event) => {
    streaming.push(event)
    coordinator.handleStreamingEvent(event)
  })
  for await (const event of startTurn({
    model: scripted(text, 'End.'),
    conversation: 'Hi',
    tools: { a: { execute: () => 'ok' }, b: {} },
  }))
    if (isSluiceEvent(event)) view.add(event)
  expect(shown).toEqual([
    'register a',
    'n',
    'path',
    ['a', { n: 1, path: 'x' }],
    'register b',
    'fail b {"n":"ab',
  ])
  expect(kept).toEqual(['Reasoning', 'Message', 'ToolCallRequest', 'Message'])
  expect(streaming.filter(({ type }) => type === 'Finished')).toHaveLength(2)
})

test('a coordinator gets no request of a call that must not run', () => {
  const seen: StreamingEvent[] = []
  const view = createStreamingView((event) => seen.push(event))
  const call = { type: 'tool-call', toolName: 'rm', input: {}, repairs: [] } as const
  const events: SluiceEvent[] = [
    { ...call, id: '1', status: 'invalid' },
    { ...call, id: '2', status: 'complete', providerExecuted: true },
    { ...call, id: '3', status: 'repaired', repairs: [{ code: 'x', class: 'guess', offset: 0 }] },
    { ...call, id: '4', status: 'complete' },
    { type: 'finish', reason: 'stop' },
  ]
  for (const event of events) view.add(event)
  expect(seen.filter(({ type }) => type === 'Flush')).toEqual([{ type: 'Flush', index: 2 }])
})
