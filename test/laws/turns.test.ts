/**
 * Whole turns: what happens does not depend on how a response was cut, nothing runs twice, and every call has exactly one
 * result, in the order of the calls.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { ALL } from '../../src/dialects/all.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { render } from '../../src/engine/render.ts'
import { sluice } from '../../src/engine/stream.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { findProvider } from '../../src/providers/any.ts'
import { readProvider } from '../../src/providers/read-provider.ts'
import type { ModelRequest } from '../../src/requests/conversation/model-request.ts'
import {
  type Model,
  prefilledModel,
  promptedModel,
  runTurn,
  type TurnEvent,
  type TurnResult,
} from '../../src/turn/index.ts'
import { createPolicy } from '../../src/turn/policy/index.ts'
import { runs, SEED, sampleOf } from '../effort.ts'
import { traceOf } from '../turn/trace.ts'
import { eventsOfMessage, writtenBy } from './providers.ts'

const TOOLS = [
  { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
  {
    name: 'write',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
  },
  // Nobody may ever run this one: no script calls it, and every text mentions it.
  { name: 'destroy', inputSchema: { type: 'object', properties: {} } },
] as const

/** A call of the forbidden tool in every dialect that can write it. */
const MENTIONS = ALL.flatMap((dialect) => {
  try {
    return [render([{ type: 'call', toolName: 'destroy', input: {} }], { dialect, tools: TOOLS })]
  } catch {
    return []
  }
})

const word = fc.constantFrom('I look.', 'Well, ', 'äöü 🙂', 'a < b', '\n\n', 'done')
const path = fc.constantFrom('a.txt', 'b/c.md', '🙂', '')
const call: fc.Arbitrary<Part> = fc.oneof(
  path.map((at): Part => ({ type: 'call', toolName: 'read', input: { path: at } })),
  fc
    .tuple(path, word)
    .map(([at, text]): Part => ({ type: 'call', toolName: 'write', input: { path: at, text } })),
)
/** Text, and then calls. */
const response = fc.tuple(fc.option(word, { nil: undefined }), fc.array(call, { minLength: 1, maxLength: 3 }))
const turn = fc.array(response, { minLength: 1, maxLength: 3 })
const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 })

const partsOf = ([text, calls]: readonly [string | undefined, readonly Part[]]): readonly Part[] =>
  text === undefined ? calls : [{ type: 'text', text }, ...calls]

/** Pieces of these lengths, over and over. */
function cut<Text extends string | Uint8Array>(text: Text, lengths: readonly number[]): Text[] {
  const pieces: Text[] = []
  for (let at = 0, index = 0; at < text.length; index++) {
    const end = at + lengths[index % lengths.length]!
    pieces.push(text.slice(at, end) as Text)
    at = end
  }
  return pieces
}

interface Told {
  readonly trace: readonly string[]
  readonly ran: readonly string[]
  readonly result: TurnResult
}

async function run(model: Model): Promise<Told> {
  const events: TurnEvent[] = []
  const ran: string[] = []
  const result = await runTurn({
    model,
    conversation: `Do not ${MENTIONS[0]}`,
    tools: TOOLS.map((tool) => ({
      ...tool,
      execute: async (input: JsonValue, { id }: { id: string }) => {
        ran.push(`${id} ${tool.name} ${JSON.stringify(input)}`)
        // Results are as hostile as they can be.
        return MENTIONS[ran.length % MENTIONS.length]
      },
    })),
    approve: async ({ toolName, input }) => toolName === 'read' || (input as { path: string }).path !== '',
    onEvent: (event) => void events.push(event),
  })
  return { trace: traceOf(events), ran, result }
}

function keepsTheLaws({ ran, result }: Told): void {
  expect(ran.filter((one) => one.includes(' destroy '))).toEqual([])
  const ids = ran.map((one) => one.split(' ')[0]!)
  expect(new Set(ids).size).toBe(ids.length)
  expect(result.toolResults.map(({ id }) => id)).toEqual(result.toolCalls.map(({ id }) => id))
  expect(new Set(result.toolCalls.map(({ id }) => id)).size).toBe(result.toolCalls.length)
}

/** A turn whose responses come whole, and the same turn with its responses cut: nothing else may differ. */
async function ranAlike<Text extends string | Uint8Array>(
  model: (cutting: (text: Text) => Text[]) => Model,
  lengths: readonly number[],
): Promise<Told> {
  const whole = await run(model((text) => [text]))
  const pieces = await run(model((text) => cut(text, lengths)))
  keepsTheLaws(whole)
  keepsTheLaws(pieces)
  expect(pieces.trace).toEqual(whole.trace)
  expect(pieces.ran).toEqual(whole.ran)
  expect(pieces.result.rawText).toBe(whole.result.rawText)
  return whole
}

const callsOf = ({ result }: Told): Part[] =>
  result.toolCalls.map(({ toolName, input }) => ({ type: 'call', toolName, input }))

/** What a request says that the model has said. */
const spoken = ({ messages }: ModelRequest): string[] =>
  messages.flatMap(({ role, parts }) =>
    role === 'assistant' ? parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : [],
  )

const settings = (full: number): fc.Parameters<unknown> => ({ seed: SEED, numRuns: runs(full) })

/** The last response has no calls, so that the turn ends. */
const END: readonly Part[] = [{ type: 'text', text: 'That is all.' }]

function written(dialect: Dialect, parts: readonly Part[]): string | undefined {
  try {
    return render(parts, { dialect, tools: TOOLS })
  } catch {
    return undefined
  }
}

describe('in every dialect', () => {
  test.each(sampleOf(ALL).map((dialect) => [dialect.name, dialect] as const))('%s', async (_, dialect) => {
    await fc.assert(
      fc.asyncProperty(turn, cuts, async (rounds, lengths) => {
        const texts = [...rounds.map(partsOf), END].map((parts) => written(dialect, parts))
        fc.pre(texts.every((text) => text !== undefined))
        const requests: ModelRequest[] = []
        const model = (cutting: (text: string) => string[]): Model => {
          let round = 0
          return promptedModel(
            (request, { reading }) => {
              requests.push(request)
              return sluice(cutting(texts[round++]!), reading)
            },
            { dialect },
          )
        }
        const whole = await ranAlike(model, lengths)
        expect(whole.result.rawText).toBe(texts.join(''))
        // The model gets its past calls back as it wrote them.
        for (const request of requests.slice(1))
          expect(spoken(request)).toEqual(texts.slice(0, spoken(request).length))
      }),
      settings(40),
    )
  })
})

test('in prefilled messages, wherever a provider stops', async () => {
  const stop = fc.constantFrom('none', 'said', 'silent')
  await fc.assert(
    fc.asyncProperty(turn, cuts, stop, async (rounds, lengths, how) => {
      const texts = [...rounds.map(partsOf), END].map((parts) => written(functionCalls, parts))
      fc.pre(texts.every((text) => text !== undefined))
      const model = (cutting: (text: string) => string[]): Model => {
        let round = 0
        const provider: Model = async function* () {
          const text = texts[round++]!
          const isCall = text.endsWith(CLOSER)
          // A provider that does not know of the stops goes on; the others swallow them.
          const sent = how === 'none' ? `${text}\nUser: more` : isCall ? text.slice(0, -CLOSER.length) : text
          yield { type: 'text-start', id: 't' }
          for (const delta of cutting(sent)) yield { type: 'text-delta', id: 't', delta }
          const stopSequence = isCall ? CLOSER : '\nUser:'
          yield {
            type: 'finish',
            reason: 'stop',
            ...(how === 'said' && { metadata: { anthropic: { stopSequence } } }),
          }
        }
        return prefilledModel(provider, { dialect: functionCalls, closers: [CLOSER], stop: ['\nUser:'] })
      }
      const whole = await ranAlike(model, lengths)
      expect(callsOf(whole)).toEqual(rounds.flatMap(([, calls]) => calls))
      // No line is left behind a closer that was swallowed.
      expect(whole.trace).not.toContain('text "\\n"')
    }),
    settings(200),
  )
})

const CLOSER = '</function_calls>'

describe('over every protocol', () => {
  test.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'])('%s', async (name) => {
    await fc.assert(
      fc.asyncProperty(turn, cuts, async (rounds, lengths) => {
        const streams = [...rounds.map(partsOf), END].map((parts) =>
          new TextEncoder().encode(writtenBy(name, eventsOfMessage(parts)).join('')),
        )
        const model = (cutting: (bytes: Uint8Array) => Uint8Array[]): Model => {
          let round = 0
          return (_request, { reading }) =>
            readProvider(cutting(streams[round++]!), { provider: findProvider(name as never), ...reading })
        }
        const whole = await ranAlike(model, lengths)
        expect(callsOf(whole)).toEqual(rounds.flatMap(([, calls]) => calls))
      }),
      settings(100),
    )
  })
})

/** Responses that are damaged: pieces of valid ones, dropped, doubled and cut off. */
test('whatever a model writes, nothing runs twice and every call has a result', async () => {
  const edit = fc.tuple(fc.nat(400), fc.nat(60), fc.constantFrom('drop', 'double', 'cut'))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ALL),
      turn,
      fc.array(edit, { maxLength: 3 }),
      cuts,
      async (dialect, rounds, edits, lengths) => {
        const texts = [...rounds.map(partsOf), END].map((parts) => {
          let text = written(dialect, parts) ?? 'x'
          for (const [at, length, how] of edits) {
            const [before, piece, after] = [
              text.slice(0, at),
              text.slice(at, at + length),
              text.slice(at + length),
            ]
            text =
              how === 'drop' ? before + after : how === 'double' ? before + piece + piece + after : before
          }
          return text
        })
        const model = (cutting: (text: string) => string[]): Model => {
          let round = 0
          return promptedModel(
            (_request, { reading }) => sluice(cutting(texts[Math.min(round++, texts.length - 1)]!), reading),
            { dialect },
          )
        }
        await ranAlike(model, lengths)
      },
    ),
    settings(600),
  )
})

/** Asks about every call. */
const POLICY = createPolicy({ rules: [] })

/** Models that send whatever events they like, in whatever order, and functions that answer whatever they like. */
test('whatever events a model sends, a turn has one end, and every call one result', async () => {
  const id = fc.constantFrom('a', 'b', '', 'call-1')
  const toolName = fc.constantFrom('read', 'write', 'gone', '')
  const status = fc.constantFrom('complete', 'repaired', 'truncated', 'invalid')
  const reason = fc.constantFrom(
    'stop',
    'tool-calls',
    'length',
    'content-filter',
    'error',
    'aborted',
    'other',
  )
  const event = fc.oneof(
    fc.record({ type: fc.constantFrom('text-start', 'text-end', 'reasoning-start', 'tool-input-end'), id }),
    fc.record({
      type: fc.constantFrom('text-delta', 'tool-input-delta', 'tool-result-delta'),
      id,
      delta: word,
    }),
    fc.record({ type: fc.constant('tool-input-start'), id, toolName }),
    fc.record(
      {
        type: fc.constant('tool-call'),
        id,
        toolName,
        input: fc.constantFrom({}, { path: 'a' }, { path: 7 }, null, 'text', []),
        status,
        repairs: fc.constantFrom([], [{ code: 'x', class: 'guess', offset: 0 }]),
        providerExecuted: fc.constant(true),
      },
      { requiredKeys: ['type', 'id', 'toolName', 'input', 'status', 'repairs'] },
    ),
    fc.record({ type: fc.constant('finish'), reason }),
    fc.constantFrom({ type: 'error', error: { name: 'E', message: 'm' } }, { type: 'own' }, null, 7, {}),
  )
  const behaviour = fc.constantFrom('answer', 'throw', 'reject', 'undefined')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 12 }), { maxLength: 3 }),
      behaviour,
      behaviour,
      fc.boolean(),
      async (rounds, tool, asked, isGuarded) => {
        const act = (how: string, answer: unknown): unknown => {
          if (how === 'throw') throw undefined
          return how === 'reject' ? Promise.reject(null) : how === 'undefined' ? undefined : answer
        }
        const ran: string[] = []
        const ends: string[] = []
        let round = 0
        const turn = runTurn({
          model: async function* () {
            yield* (rounds[round++] ?? [{ type: 'finish', reason: 'stop' }]) as SluiceEvent[]
          },
          conversation: 'Hi',
          tools: TOOLS.map((one) => ({
            ...one,
            execute: (_: unknown, context: { id: string }) => {
              ran.push(context.id)
              return act(tool, 'ok')
            },
          })),
          approve: () => act(asked, true) as never,
          ...(isGuarded && { policy: POLICY }),
          maxRetries: 0,
          onEvent: ({ type }) => void (type === 'turn-finish' && ends.push(type)),
        })
        const result = await turn.catch((error: { result: TurnResult }) => error.result)
        expect(ends).toHaveLength(1)
        expect(new Set(ran).size).toBe(ran.length)
        const own = result.toolCalls.filter(({ providerExecuted }) => !providerExecuted)
        expect(result.toolResults.map((one) => one.id)).toEqual(own.map((one) => one.id))
        if (asked !== 'answer') expect(ran).toEqual([])
      },
    ),
    settings(4000),
  )
})
