/** A snapshot that is damaged is refused, or what is restored from it reads on. It never throws, and never hangs. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { hermes } from '../../src/dialects/index.ts'
import { CallAssembler } from '../../src/engine/calls/assembler.ts'
import { createParser, type Parser, restoreParser } from '../../src/engine/parser.ts'
import { allProviders, anyProvider, findProvider } from '../../src/providers/any.ts'
import {
  createProviderParser,
  type ProviderOptions,
  type ProviderSnapshot,
  restoreProviderParser,
} from '../../src/providers/provider-parser.ts'
import { runs, SEED, sampleOf } from '../effort.ts'
import { Host } from '../engine/calls/host.ts'
import { DAMAGES, damaged, placesIn, restored } from './damage.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { inPieces } from './observe.ts'
import { PROVIDER_ENTRIES } from './providers.ts'
import { written } from './suite.ts'

const CALLS: readonly Part[] = [
  { type: 'call', id: 'c1', toolName: 'get_weather', input: { city: 'P&amp;r\\n is', days: 2 } },
  {
    type: 'call',
    id: 'c2',
    toolName: 'search',
    input: { query: 'q "1"', tags: ['a', 'b'], exact: true, limits: { most: 1.5 } },
  },
]

/** From the one with the most in it to one that any dialect can write. */
const MESSAGES: readonly (readonly Part[])[] = [
  [{ type: 'reasoning', text: 'Where? `x`' }, { type: 'text', text: 'Let me < look.' }, ...CALLS],
  [{ type: 'text', text: 'Let me < look.' }, ...CALLS],
  [{ type: 'text', text: 'Let me look.' }, CALLS[0]!],
  CALLS,
  [{ type: 'call', id: 'c1', toolName: 'get_weather', input: { city: 'Paris', days: 2 } }],
]

function textOf(entry: LawEntry): string {
  for (const parts of MESSAGES) {
    const text = written(entry, parts)
    if (text !== undefined) return text
  }
  return entry.witnesses[0]!
}

const EMITS = [{}, { arguments: true, source: true, raw: true }, { input: false, json: false }] as const

/** More than a text of this length can mean. */
const MOST_EVENTS = 10_000

function readOn(parser: Parser, text: string): void {
  let events = 0
  for (const piece of [...inPieces(text, 5), '{"a":[1,"b"]}', '\n</a></b> "x", \'y\') ] } ']) {
    events += parser.push(piece).length
    if (events >= MOST_EVENTS) break
  }
  expect(events + parser.end().length).toBeLessThan(MOST_EVENTS)
}

describe('a damaged snapshot is refused, or reads on without an error', () => {
  test.each(sampleOf(ENTRIES, 5, 9))('of $name', (entry) => {
    const text = textOf(entry)
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.constantFrom(...EMITS),
        fc.array(fc.tuple(fc.nat(), fc.nat(DAMAGES - 1)), { minLength: 20, maxLength: 20 }),
        (cut, emit, damages) => {
          const options = { ...entry.options, emit }
          const before = createParser(options)
          before.push(text.slice(0, cut))
          const { machine, ...snapshot } = before.snapshot()
          const places = placesIn(machine)
          for (const [place, damage] of damages) {
            const path = places[place % places.length]!
            const copy = damaged(machine, path, damage)
            if (copy === undefined) continue
            try {
              const after = restored(() => restoreParser({ ...snapshot, machine: copy }, options))
              if (after !== null) readOn(after, text.slice(cut))
            } catch (error) {
              throw new Error(`${path.join('.')} became ${JSON.stringify(copy)}`, { cause: error })
            }
          }
        },
      ),
      { seed: SEED, numRuns: runs(100), endOnFailure: true },
    )
  })
})

test('so is one of native calls', () => {
  const host = new Host({ arguments: true, source: true })
  const before = new CallAssembler(host)
  before.delta({ index: 0, id: 'a', name: 'ls', arguments: '{"p":["x\\n' })
  before.delta({ index: 1, id: 'b', name: 'ls', arguments: '"{\\"p\\": {' })
  before.delta({ index: 2, arguments: '{"p":1' })
  before.delta({ index: 3, id: 'd', name: 'ls', arguments: '{"p":1}' })
  const saved = before.save()
  const places = placesIn(saved)
  fc.assert(
    fc.property(fc.nat(places.length - 1), fc.nat(DAMAGES - 1), (place, damage) => {
      const copy = damaged(saved, places[place]!, damage)
      if (copy === undefined) return
      const other = restored(() => CallAssembler.restore(copy, new Host({ arguments: true, source: true })))
      if (other === null) return
      for (const index of [0, 1, 2, 3]) other.delta({ index, arguments: 'y"]}}"' })
      other.delta({ index: 2, id: 'c', name: 'ls', arguments: '}' })
      other.delta({ id: 'e', name: 'ls', arguments: { p: 1 } })
      other.endAll()
    }),
    { seed: SEED, numRuns: runs(20_000), endOnFailure: true },
  )
})

// ── providers ────────────────────────────────────────────────────────────────────────────────────

type Chunk = Uint8Array | object

/** A stream of each provider, in pieces that begin and end anywhere. */
const MESSAGE: readonly Part[] = [
  { type: 'reasoning', text: 'Where? 😀' },
  {
    type: 'text',
    text: 'Let me < <tool_call>{"name": "ls", "arguments": {"path": "src"}}</tool_call> look.',
  },
  ...CALLS,
]

function inBytes(chunks: readonly Uint8Array[], size: number): Uint8Array[] {
  const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))
  const count = Math.ceil(whole.length / size)
  return Array.from({ length: count }, (_, at) => whole.subarray(at * size, (at + 1) * size))
}

const responses = (type: string, fields: object): object => ({ type: `response.${type}`, ...fields })
const chat = (tool_calls: readonly object[]): object => ({ choices: [{ index: 0, delta: { tool_calls } }] })
const bedrock = (kind: string, fields: object): object => ({
  [`contentBlock${kind}`]: { contentBlockIndex: 2, ...fields },
})

/** What no written message holds: calls with free text, tools that the provider runs, ids that are used again. */
const OTHER_STREAMS: readonly (readonly [provider: string, payloads: readonly object[]])[] = [
  [
    'openai-responses',
    [
      responses('created', { response: { id: 'r', model: 'grok-4' } }),
      ...['a', 'b'].flatMap((call_id) => [
        responses('output_item.added', {
          output_index: 0,
          item: { type: 'function_call', call_id, name: 'ls' },
        }),
        responses('function_call_arguments.delta', { output_index: 0, delta: '{}' }),
        responses('output_item.done', { output_index: 0, item: { type: 'function_call', call_id } }),
      ]),
      responses('code_interpreter_call_code.delta', { output_index: 1, delta: 'print(' }),
      responses('reasoning_summary_text.delta', { output_index: 2, delta: 'Hm' }),
      responses('output_item.done', { output_index: 2, item: { type: 'reasoning', encrypted_content: 'x' } }),
      responses('completed', {
        response: {
          status: 'completed',
          output: ['a', 'b', 'c'].map((call_id) => ({ type: 'function_call', call_id, arguments: '{}' })),
        },
      }),
    ],
  ],
  [
    'openai-chat',
    [
      chat([{ id: 'a', type: 'custom', custom: { name: 'patch', input: '\ud83d' } }]),
      chat([{ index: 1, id: 'a', function: { name: 'ls', arguments: '{"path":"' } }]),
      chat([{ id: 'a', type: 'custom', custom: { input: '\ude00' } }]),
      chat([{ index: 1, function: { arguments: 'src"}' } }]),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 3 } },
    ],
  ],
  [
    'anthropic',
    [
      { type: 'message_start', message: { id: 'm', model: 'x', usage: { input_tokens: 5 } } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'a', name: 'ls', input: { path: '.' } },
      },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'b', name: 'ls' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'mood', mood: 'good' },
    ],
  ],
  [
    'ag-ui',
    [
      { type: 'RUN_STARTED', runId: 'r', input: { tools: [{ name: 'ask' }] } },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'a', toolCallName: 'ls', delta: '{"p"' },
      { type: 'TOOL_CALL_CHUNK', delta: ':1}' },
      { type: 'RUN_STARTED', runId: 's' },
      { type: 'TOOL_CALL_START', toolCallId: 'b', toolCallName: 'ls' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'b', delta: '{"p":{}} ' },
      { type: 'TOOL_CALL_END', toolCallId: 'b' },
      { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u', delta: 'Go on.' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Hm' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: '.' },
      { type: 'TOOL_CALL_RESULT', toolCallId: 'b', content: 'x' },
      { type: 'RUN_FINISHED', runId: 's' },
    ],
  ],
  [
    'claude-code',
    [
      { type: 'stream_event', event: { type: 'message_start', message: { id: 'm' } } },
      {
        type: 'stream_event',
        event: {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'a', name: 'ls', input: { p: 1 } },
        },
      },
      {
        type: 'assistant',
        message: { id: 'm', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: { p: 1 } }] },
      },
      { type: 'stream_event', event: { type: 'content_block_stop', index: 0 } },
      { type: 'assistant', message: { id: 'n', content: [{ type: 'text', text: 'Hi' }] } },
      { type: 'result', subtype: 'success', result: 'Hi' },
    ],
  ],
  [
    'codex',
    [
      { type: 'item.started', item: { id: 'a', type: 'web_search', query: '' } },
      { type: 'item.started', item: { id: 'b', type: 'command_execution', command: 'ls' } },
      { type: 'item.updated', item: { id: 'c', type: 'agent_message', text: 'He' } },
      { type: 'error', message: 'Reconnecting... 1/5' },
      { type: 'item.completed', item: { id: 'b', type: 'command_execution', command: 'ls', exit_code: 1 } },
      { type: 'item.completed', item: { id: 'a', type: 'web_search', query: 'x' } },
      { type: 'item.completed', item: { id: 'c', type: 'agent_message', text: 'Hello' } },
    ],
  ],
  [
    'langchain',
    [
      {
        type: 'ai',
        id: 'm',
        content: 'H',
        tool_calls: [{ name: 'ls', args: {}, id: 'a' }],
        response_metadata: {},
      },
      { langgraph_node: 'model' },
      {
        type: 'ai',
        id: 'm',
        content: 'Hi',
        tool_calls: [{ name: 'ls', args: { p: 1 }, id: 'a' }],
        response_metadata: {},
      },
      { type: 'tool', content: 'x', tool_call_id: 'a', additional_kwargs: {} },
      {
        type: 'AIMessageChunk',
        id: 'n',
        content: '',
        tool_call_chunks: [{ index: 0, id: 'b', name: 'ls', args: '{' }],
        additional_kwargs: {},
        usage_metadata: { input_tokens: 3 },
      },
      {
        type: 'AIMessageChunk',
        id: 'n',
        content: '',
        tool_call_chunks: [{ index: 0, args: '}' }],
        additional_kwargs: {},
        usage_metadata: { output_tokens: 3 },
      },
      {
        type: 'ai',
        id: 'o',
        content: 'Bye',
        tool_calls: [{ name: 'ls', args: {}, id: 'c' }],
        response_metadata: {},
      },
    ],
  ],
  [
    'bedrock',
    [
      bedrock('Start', { start: { toolResult: { toolUseId: 't', status: 'error' } } }),
      bedrock('Delta', { delta: { toolResult: [{ text: 'no' }] } }),
      bedrock('Stop', {}),
      bedrock('Start', { start: { toolUse: { toolUseId: 't', name: 'ls', input: { a: 1 } } } }),
      bedrock('Stop', {}),
      { messageStop: { stopReason: 'tool_use' } },
    ],
  ],
  [
    'bedrock',
    [
      { messageStart: { role: 'user' } },
      bedrock('Delta', { delta: { text: 'Go on.' } }),
      { messageStart: { role: 'assistant' } },
      bedrock('Delta', { delta: { text: 'Hm.' } }),
    ],
  ],
  [
    'anthropic',
    [
      { type: 'message_start', message: { role: 'user' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Go on.' } },
      { type: 'message_start', message: { role: 'assistant' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hm.' } },
    ],
  ],
  [
    'cohere',
    [
      { type: 'message-start', delta: { message: { role: 'user' } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Go on.' } } } },
      { type: 'message-start', delta: { message: { role: 'assistant' } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hm.' } } } },
    ],
  ],
  [
    'gemini',
    [
      { event_type: 'interaction.created', interaction: { id: 'i', role: 'user' } },
      { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
      { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Go on.' } },
      { event_type: 'step.stop', index: 0 },
    ],
  ],
  [
    'ai-sdk-ui',
    [
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'ls', inputEncoding: 'text' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: 'x' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'ls', input: 'x' },
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'ls' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{' },
      { type: 'tool-output-available', toolCallId: 'a', output: 1 },
      { type: 'finish' },
    ],
  ],
]

const STREAMS: readonly (readonly [provider: string, name: string, chunks: readonly Chunk[]])[] = [
  ...PROVIDER_ENTRIES.map(
    (entry) =>
      [entry.name.split(' ')[0]!, `bytes of ${entry.name}`, inBytes(entry.write(MESSAGE), 7)] as const,
  ),
  ...PROVIDER_ENTRIES.map(
    (entry) => [entry.name.split(' ')[0]!, `payloads of ${entry.name}`, entry.payloads(MESSAGE)] as const,
  ),
  ...OTHER_STREAMS.map(
    ([provider, payloads]) => [provider, `other payloads of ${provider}`, payloads] as const,
  ),
]

const PROVIDER_OPTIONS: readonly Omit<ProviderOptions, 'provider'>[] = [
  {},
  { dialect: hermes, emit: { arguments: true, source: true, raw: true } },
  { malformed: 'text', limits: { payload: 4000 } },
]

/** Reads a stream from somewhere in the middle to its end, and then payloads of every kind. */
function readRest(
  snapshot: ProviderSnapshot,
  options: ProviderOptions,
  rest: readonly Chunk[],
  others: readonly Chunk[],
): void {
  let events = 0
  const parser = restored(() => restoreProviderParser(snapshot, () => void events++, options))
  if (parser === null) return
  for (const chunk of [...rest, ...others]) parser.push(chunk)
  parser.end()
  expect(parser.ignored).toBeInstanceOf(Map)
  expect(events).toBeLessThan(MOST_EVENTS)
}

test('streams of all providers are damaged', () => {
  expect(new Set(STREAMS.map(([provider]) => provider))).toEqual(
    new Set(allProviders.map(({ name }) => name)),
  )
})

describe("a damaged snapshot of a provider's parser is refused, or reads on without an error", () => {
  test.each(sampleOf(STREAMS))('%s: %s', (provider, _, chunks) => {
    fc.assert(
      fc.property(
        fc.nat(chunks.length),
        fc.constantFrom(...PROVIDER_OPTIONS),
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(), fc.nat(DAMAGES - 1)), { minLength: 40, maxLength: 40 }),
        (cut, others, isAuto, damages) => {
          const options: ProviderOptions = {
            ...others,
            provider: isAuto ? anyProvider : findProvider(provider),
          }
          const before = createProviderParser(() => {}, options)
          for (const chunk of chunks.slice(0, cut)) before.push(chunk)
          const { state, ...snapshot } = before.snapshot()
          const places = placesIn(state)
          for (const [place, damage] of damages) {
            const path = places[place % places.length]!
            const copy = damaged(state, path, damage)
            if (copy === undefined) continue
            try {
              readRest({ ...snapshot, state: copy }, options, chunks.slice(cut), chunks)
            } catch (error) {
              throw new Error(`${path.join('.')} became ${JSON.stringify(copy)}`, { cause: error })
            }
          }
        },
      ),
      { seed: SEED, numRuns: runs(100), endOnFailure: true },
    )
  })
})

test('a snapshot that is refused says so', () => {
  const { machine, ...snapshot } = createParser().snapshot()
  const copy = damaged(machine, ['state'], 4) as JsonValue
  expect(() => restoreParser({ ...snapshot, machine: copy })).toThrow(
    "This snapshot is damaged: the field 'state' has a wrong value. Restore one that was stored unchanged.",
  )
})

describe('a snapshot of calls of the AI SDK lets none run that was not whole', () => {
  test.each<[sentence: string, damage: Record<string, JsonValue>]>([
    ['if it counts more calls than anyone can', { count: Number.MAX_SAFE_INTEGER }],
    ['if it has lost their names', { indices: { $map: [] } }],
  ])('%s', (_, damage) => {
    const options = { provider: findProvider('ai-sdk') }
    const before = createProviderParser(() => {}, options)
    before.push({ type: 'tool-input-start', id: 'a', toolName: 'ls' })
    before.push({ type: 'tool-input-delta', id: 'a', delta: '{}' })
    const { state, ...snapshot } = before.snapshot()
    const path = placesIn(state).find((keys) => keys.at(-1) === 'count' && keys.includes('reader'))!
    const copy = JSON.parse(JSON.stringify(state)) as JsonValue
    const reader = path
      .slice(0, -1)
      .reduce((inside, key) => (inside as Record<string, JsonValue>)[key]!, copy)
    Object.assign(reader as object, damage)
    const events: SluiceEvent[] = []
    const after = restoreProviderParser(
      { ...snapshot, state: copy },
      (event) => void events.push(event),
      options,
    )
    after.push({ type: 'finish', finishReason: 'tool-calls' })
    after.end()
    expect(events.flatMap((event) => (event.type === 'tool-call' ? event.status : []))).toEqual(['invalid'])
  })
})
