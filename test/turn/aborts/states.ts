/**
 * Every state that a turn can be in when it is told to end: what the server says, and how one knows that the turn has got
 * there. Nothing here needs a test around it, so that a process of its own can go through all of them, too.
 */

import type { Part } from '../../../src/base/part.ts'
import type { TurnEvent, TurnOptions } from '../../../src/turn/index.ts'
import { type Reply, refusal, type ScriptedServer } from '../scripted-server.ts'
import { PATH, type Wire } from '../wires.ts'
import type { ObservedClock } from './observed-clock.ts'

export const never = (): Promise<never> => new Promise(() => {})

/** What a state can get hold of. */
export interface Stage {
  /** The turn is there. */
  readonly reach: () => void
  readonly server: ScriptedServer
  readonly clock: ObservedClock
  /** The signals that must have fired in the end. */
  readonly signals: AbortSignal[]
}

export interface State {
  readonly name: string
  replies(wire: Wire): readonly Reply[]
  options?(stage: Stage): Partial<TurnOptions>
  /** The event that comes in this state. */
  readonly at?: (event: TurnEvent) => boolean
  /** For what no option and no event tells. */
  watch?(stage: Stage): Promise<void>
  /** How many tools have started then. */
  readonly started?: number
  /** How many calls the result has: in a prompted response that is cut off there may be none yet. */
  readonly calls?: number
}

export const TEXT: Part = { type: 'text', text: 'One moment, please.' }
export const call = (toolName: string): Part => ({ type: 'call', toolName, input: { path: 'a/b/c' } })

/** A round with two calls, and one that ends the turn. */
export const rounds = (wire: Wire, tool = 'ls'): readonly Reply[] => [
  wire.reply([TEXT, call(tool), call(tool)]),
  wire.reply([{ type: 'text', text: 'Done.' }]),
]

export const silent = (reply: Reply, share: number): Reply => {
  const bytes = new TextEncoder().encode(
    reply.chunks
      .map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)))
      .join(''),
  )
  return { ...reply, chunks: share === 0 ? [] : [bytes.slice(0, bytes.length * share)], end: 'silent' }
}

export const UNANSWERED: Reply = { chunks: [], end: 'unanswered' }

/** A tool of this name runs until its signal fires. */
const HANGING = 'wait'

/** `onRun` is called with each tool that starts. */
export const toolsOf = (
  onRun: (signal: AbortSignal, isHanging: boolean) => void,
): NonNullable<TurnOptions['tools']> => [
  {
    name: 'ls',
    inputSchema: PATH,
    execute: (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      onRun(signal, false)
      return 'a.txt'
    },
  },
  {
    name: HANGING,
    inputSchema: PATH,
    execute: (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      onRun(signal, true)
      return never()
    },
  },
  // Left to the consumer.
  { name: 'rm', inputSchema: PATH },
]

export const STATES: readonly State[] = [
  { name: 'before it begins', replies: rounds, watch: async ({ reach }) => reach() },
  {
    name: 'in beforeRequest',
    replies: rounds,
    options: ({ reach }) => ({
      beforeRequest: () => {
        reach()
        return never()
      },
    }),
  },
  {
    name: 'in onRequest',
    replies: rounds,
    options: ({ reach }) => ({
      onRequest: () => {
        reach()
        return never()
      },
    }),
  },
  {
    name: 'without an answer',
    replies: () => [UNANSWERED],
    watch: async ({ server, reach }) => {
      await server.untilSaid(1)
      reach()
    },
  },
  {
    name: 'in onResponse',
    replies: rounds,
    options: ({ reach }) => ({
      onResponse: () => {
        reach()
        return never()
      },
    }),
  },
  {
    name: 'before the first event',
    replies: (wire) => [silent(wire.reply([TEXT]), 0)],
    options: ({ reach }) => ({ onResponse: reach }),
  },
  {
    name: 'in the middle of the bytes',
    replies: (wire) => [silent(wire.reply([TEXT, call('ls')]), 0.5)],
    watch: async ({ server, reach }) => {
      await server.untilSaid(1)
      reach()
    },
  },
  { name: 'in a text', replies: rounds, at: ({ type }) => type === 'text-delta' },
  { name: 'in the arguments of a call', replies: rounds, at: ({ type }) => type === 'tool-input-delta' },
  { name: 'at the verdict on a call', replies: rounds, at: ({ type }) => type === 'tool-call' },
  {
    name: 'in the back-off of a retry',
    replies: (wire) => [refusal(429, { 'retry-after': '30' }), ...rounds(wire)],
    watch: async ({ clock, reach }) => {
      await clock.untilWaiting(30_000)
      reach()
    },
  },
  {
    name: 'while a schema validates',
    replies: rounds,
    options: ({ reach }) => ({
      tools: [
        {
          name: 'ls',
          inputSchema: {
            '~standard': {
              version: 1 as const,
              vendor: 'own',
              validate: () => {
                reach()
                return never()
              },
            },
          },
        },
      ],
    }),
  },
  {
    name: 'while someone is asked',
    replies: rounds,
    calls: 2,
    options: ({ reach, signals }) => ({
      approve: ({ signal }) => {
        signals.push(signal)
        if (signals.length === 2) reach()
        return never()
      },
    }),
  },
  { name: 'while tools run', replies: (wire) => rounds(wire, HANGING), started: 2, calls: 2 },
  {
    name: 'while one tool runs and another waits for it',
    replies: (wire) => rounds(wire, HANGING),
    started: 1,
    calls: 2,
    options: () => ({ maxParallelTools: 1 }),
  },
  {
    name: 'while others answer the calls',
    replies: (wire) => rounds(wire, 'rm'),
    calls: 2,
    at: ({ type }) => type === 'calls-waiting',
  },
  {
    name: 'at a result',
    replies: rounds,
    started: 2,
    calls: 2,
    at: ({ type }) => type === 'tool-result-start',
  },
  {
    name: 'between two rounds',
    replies: rounds,
    started: 2,
    calls: 2,
    at: (event) => event.type === 'round-start' && event.round === 2,
  },
  {
    name: 'in the second round, without an answer',
    replies: (wire) => [rounds(wire)[0]!, UNANSWERED],
    started: 2,
    calls: 2,
    watch: async ({ server, reach }) => {
      await server.untilSaid(2)
      reach()
    },
  },
]
