/** Ends a turn in some state, in some way, and says everything that must not be so afterwards. */

import { getEventListeners } from 'node:events'
import {
  runTurn,
  type StartTurnOptions,
  startTurn,
  type TurnEvent,
  type TurnResult,
} from '../../../src/turn/index.ts'
import { ScriptedServer } from '../scripted-server.ts'
import type { Wire } from '../wires.ts'
import { ObservedClock } from './observed-clock.ts'
import { never, type Stage, type State, toolsOf } from './states.ts'

/** How a turn is told to end: the push form by its signal, the pull form by its signal, by `cancel`, or by leaving the loop. */
export const MEANS = ['signal of runTurn', 'signal', 'cancel', 'leave'] as const
export type Means = (typeof MEANS)[number]

const SHAPE = 'content,conversation,pendingCalls,rawText,rounds,stopReason,text,toolCalls,toolResults,usage'

/** Complaints; none if all is well. */
export async function abortIn(wire: Wire, state: State, means: Means): Promise<string[]> {
  const server = await ScriptedServer.listen(state.replies(wire))
  try {
    return await complaintsOf(server, wire, state, means)
  } finally {
    await server.stop()
  }
}

async function complaintsOf(
  server: ScriptedServer,
  wire: Wire,
  state: State,
  means: Means,
): Promise<string[]> {
  const complaints: string[] = []
  const controller = new AbortController()
  const clock = new ObservedClock()
  const events: TurnEvent[] = []
  const signals: AbortSignal[] = []
  let started = 0
  let hanging = 0
  let isReached = false
  let stop = (): void => controller.abort()
  const reach = (): void => {
    if (isReached) return
    isReached = true
    if (started !== (state.started ?? 0)) complaints.push(`${started} tools had started`)
    stop()
  }
  const stage: Stage = { reach, server, clock, signals }
  const options: StartTurnOptions = {
    model: wire.model({ baseUrl: server.url, model: 'm' }),
    conversation: 'Hi',
    tools: toolsOf((signal, isHanging) => {
      if (isReached) complaints.push('a tool started afterwards')
      started++
      if (!isHanging) return
      signals.push(signal)
      if (++hanging === state.started) reach()
    }),
    signal: controller.signal,
    clock,
    ...state.options?.(stage),
  }
  const note = (event: TurnEvent): void => {
    events.push(event)
    if (state.at?.(event)) reach()
  }

  const run = async (): Promise<TurnResult> => {
    if (means === 'signal of runTurn') {
      void state.watch?.(stage)
      return runTurn({ ...options, onEvent: note, onToolCalls: never })
    }
    const turn = startTurn(options)
    if (means === 'cancel') stop = () => turn.cancel()
    if (means === 'leave') stop = () => void turn.return()
    void state.watch?.(stage)
    for (;;) {
      const step = await turn.next()
      if (step.done) break
      note(step.value)
      if (isReached && means === 'leave') break
    }
    return turn.result
  }
  const result = await run()
  await server.untilIdle()

  const check = (isSo: boolean, complaint: string): void => {
    if (!isSo) complaints.push(complaint)
  }
  const ends = events.filter(({ type }) => type === 'turn-finish').length
  check(isReached, 'the turn never got there')
  check(means === 'leave' ? ends <= 1 : ends === 1, `${ends} ends`)
  check(means === 'leave' || events.at(-1)?.type === 'turn-finish', 'something came behind the end')
  check(means === 'leave' || openIn(events) === '', `left open: ${openIn(events)}`)
  check(Object.keys(result).sort().join() === SHAPE, `the result has ${Object.keys(result).join()}`)
  check(result.stopReason === 'aborted', `it ended with ${result.stopReason}`)
  const calls = result.toolCalls.map(({ id }) => id)
  check(new Set(calls).size === calls.length, 'a call came twice')
  check(calls.join() === result.toolResults.map(({ id }) => id).join(), 'calls and results do not match')
  check(state.calls === undefined || calls.length === state.calls, `${calls.length} calls`)
  check(result.pendingCalls.length === 0, 'calls are pending')
  const answered = result.conversation.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? [part.id] : [])),
  )
  check(answered.length === 2 * new Set(answered).size, 'the conversation has a call without its result')
  check(
    signals.every(({ aborted }) => aborted),
    'a signal did not fire',
  )
  check(clock.open === 0, `${clock.open} timers run`)
  check(getEventListeners(controller.signal, 'abort').length === 0, 'a listener is left')
  return complaints
}

/** What began and did not end. */
function openIn(events: readonly TurnEvent[]): string {
  const open = new Set<string>()
  for (const event of events) {
    const [, kind, step] = /^(text|reasoning|tool-input|tool-result)-(start|end)$/.exec(event.type) ?? []
    if (kind === undefined || !('id' in event)) continue
    if (step === 'start') open.add(`${kind} ${event.id}`)
    else open.delete(`${kind} ${event.id}`)
  }
  return [...open].join()
}
