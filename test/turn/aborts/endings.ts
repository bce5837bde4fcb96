/** The ends of a turn that nobody asked for: how it comes to each, and what it is called. Time passes for real. */

import { type RunTurnOptions, runTurn, TurnError } from '../../../src/turn/index.ts'
import { type Reply, refusal, ScriptedServer } from '../scripted-server.ts'
import type { Wire } from '../wires.ts'
import { call, never, rounds, silent, TEXT, toolsOf, UNANSWERED } from './states.ts'

export interface Ending {
  readonly name: string
  replies(wire: Wire): readonly Reply[]
  readonly options?: Partial<RunTurnOptions>
  readonly end: string
}

const late = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))))

export const ENDINGS: readonly Ending[] = [
  { name: 'success', replies: rounds, end: 'stop' },
  {
    name: 'success after a retry',
    replies: (wire) => [refusal(529, { 'retry-after-ms': '1' }), ...rounds(wire)],
    end: 'stop',
  },
  {
    name: 'a tool that fails, and one that runs out of time and fails then',
    replies: (wire) => [
      wire.reply([call('ls'), call('wait')]),
      wire.reply([{ type: 'text', text: 'Done.' }]),
    ],
    options: {
      toolTimeoutMs: 2,
      tools: {
        ls: {
          execute: async () => {
            throw undefined
          },
        },
        wait: { execute: (_: unknown, { signal }: { readonly signal: AbortSignal }) => late(signal) },
      },
    },
    end: 'stop',
  },
  {
    name: 'results that are rejected later than the turn waits for them',
    replies: (wire) => rounds(wire, 'rm'),
    options: {
      toolTimeoutMs: 2,
      onToolCalls: (calls, { signal }) => calls.map(({ id }) => ({ toolUseId: id, content: late(signal) })),
    },
    end: 'stop',
  },
  { name: 'calls that are left to the caller', replies: (wire) => rounds(wire, 'rm'), end: 'tool-calls' },
  { name: 'a key that is not known', replies: () => [refusal(401)], end: 'auth' },
  {
    name: 'a connection that dies',
    replies: (wire) => [{ ...silent(wire.reply([TEXT, call('ls')]), 0.5), end: 'dropped' }],
    options: { maxRetries: 0 },
    end: 'network',
  },
  {
    name: 'no answer in time',
    replies: () => [UNANSWERED],
    options: { connectTimeoutMs: 2, maxRetries: 0 },
    end: 'timeout',
  },
  {
    name: 'no event in time',
    replies: (wire) => [silent(wire.reply([TEXT]), 0)],
    options: { firstEventTimeoutMs: 2, maxRetries: 0 },
    end: 'timeout',
  },
  {
    name: 'silence in the middle',
    replies: (wire) => [silent(wire.reply([TEXT, call('ls')]), 0.5)],
    options: { firstEventTimeoutMs: 200, idleTimeoutMs: 2, maxRetries: 0 },
    end: 'timeout',
  },
  {
    name: 'a hook that is rejected',
    replies: rounds,
    options: { onRequest: () => Promise.reject(new Error('no')), maxRetries: 0 },
    end: 'callback',
  },
  {
    name: 'a callback that throws',
    replies: rounds,
    options: {
      onEvent: ({ type }) => {
        if (type === 'tool-call') throw new Error('no')
      },
    },
    end: 'callback',
  },
  {
    name: 'an approval that is rejected when the turn is over',
    replies: rounds,
    options: {
      approve: ({ signal }) => late(signal),
      onEvent: ({ type }) => {
        if (type === 'tools-start') throw new Error('no')
      },
      onToolCalls: never,
    },
    end: 'callback',
  },
]

/** Goes through a turn, and says how it ended: its reason, the kind of its error, or the message of another one. */
export async function endOf(wire: Wire, { replies, options }: Ending): Promise<string> {
  const server = await ScriptedServer.listen(replies(wire))
  try {
    const result = await runTurn({
      model: wire.model({ baseUrl: server.url, model: 'm' }),
      conversation: 'Hi',
      tools: toolsOf(() => {}),
      ...options,
    })
    return result.stopReason
  } catch (error) {
    return error instanceof TurnError ? error.kind : (error as Error).message
  } finally {
    await server.untilIdle()
    await server.stop()
  }
}
