/**
 * The table of all providers that are under the laws: for each, how a message becomes its stream. Those that
 * Sluice can write are written by its own writers, the others by a few lines each.
 */

import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'

export interface ProviderEntry {
  readonly name: string
  /** The stream of a message, one chunk of bytes per payload. */
  write(parts: readonly Part[]): Uint8Array[]
  /** What is written for each event, in order; nothing for one that has to wait for others. */
  writeEvents(events: readonly SluiceEvent[]): Uint8Array[][]
  /** The stream of a message, decoded. */
  payloads(parts: readonly Part[]): object[]
  /** Payloads of one call whose only argument is a string, which comes one character at a time. */
  growing?(length: number): object[]
  /** The `}` that makes the arguments of a call whole is not written before its verdict. */
  readonly closesLate?: boolean
  /** An agent sends it that runs the calls itself: they are never for the client. */
  readonly runsCalls?: boolean
  /** Text comes when all of it is there. */
  readonly comesWhole?: boolean
}

// ── a message as events ──────────────────────────────────────────────────────────────────────────

/** In pieces of at most this many characters, because a stream comes in pieces. */
const PIECE = 4

function pieces(text: string): string[] {
  const characters = [...text]
  const count = Math.ceil(characters.length / PIECE)
  return Array.from({ length: count }, (_, at) => characters.slice(at * PIECE, (at + 1) * PIECE).join(''))
}

/** The events that a message is. What is empty is not said. */
export function eventsOfMessage(parts: readonly Part[]): SluiceEvent[] {
  const events: SluiceEvent[] = []
  for (const [index, part] of parts.entries()) {
    const id = `part-${index}`
    if (part.type === 'call') {
      const { toolName, input } = part
      events.push({ type: 'tool-input-start', id, toolName })
      for (const delta of pieces(JSON.stringify(input))) events.push({ type: 'tool-input-delta', id, delta })
      events.push({ type: 'tool-input-end', id })
      events.push({ type: 'tool-call', id, toolName, input, status: 'complete', repairs: [] })
    } else if ((part.type === 'text' || part.type === 'reasoning') && part.text !== '') {
      events.push({ type: `${part.type}-start`, id })
      for (const delta of pieces(part.text)) events.push({ type: `${part.type}-delta`, id, delta })
      events.push({ type: `${part.type}-end`, id })
    }
  }
  const hasCalls = parts.some((part) => part.type === 'call')
  events.push({ type: 'finish', reason: hasCalls ? 'tool-calls' : 'stop' })
  return events
}

/** The same, where an agent has run the calls. */
export const asRun = (events: readonly SluiceEvent[]): SluiceEvent[] =>
  events.map((event) => {
    if (event.type === 'tool-input-start' || event.type === 'tool-call')
      return { ...event, providerExecuted: true }
    return event.type === 'finish' && event.reason === 'tool-calls' ? { ...event, reason: 'stop' } : event
  })

// ── those that are written by Sluice ─────────────────────────────────────────────────────────────

const encoder = new TextEncoder()
const ABOUT = { id: 'r1', model: 'm', created: 1_700_000_000 }

export function writtenBy(name: string, events: readonly SluiceEvent[]): string[] {
  const writer = createWriter(findWriter(name), ABOUT)
  return events.map((event) => writer.add(event)).filter((text) => text !== '')
}

function written(name: string, growing?: ProviderEntry['growing']): ProviderEntry {
  const framesIn = (text: string): string[] => text.match(/.+?(\n\n|\n$)/gs) ?? []
  const texts = (parts: readonly Part[]): string[] =>
    writtenBy(name, eventsOfMessage(parts)).flatMap(framesIn)
  return {
    name,
    writeEvents(events) {
      const writer = createWriter(findWriter(name), ABOUT)
      return events.map((event) => framesIn(writer.add(event)).map((text) => encoder.encode(text)))
    },
    write: (parts) => texts(parts).map((text) => encoder.encode(text)),
    payloads: (parts) =>
      texts(parts).flatMap((text) => {
        const json = text.slice(Math.max(0, text.indexOf('{')))
        return json.startsWith('{') ? [JSON.parse(json) as object] : []
      }),
    ...(growing && { growing }),
  }
}

// ── those that are only read ─────────────────────────────────────────────────────────────────────

/** Says the payloads of a message: how it begins, each event of it, how it ends. */
function readOnly(
  name: string,
  payloads: (events: readonly SluiceEvent[]) => object[],
  frame: (payload: object) => Uint8Array,
  growing: ProviderEntry['growing'],
): ProviderEntry {
  const made = (parts: readonly Part[]): object[] => payloads(eventsOfMessage(parts))
  return {
    name,
    payloads: made,
    write: (parts) => made(parts).map(frame),
    writeEvents(events) {
      const frames = payloads(events).map(frame)
      // What is said of the first events does not depend on those that follow.
      const ends = events.map((_, at) => payloads(events.slice(0, at + 1)).length)
      return ends.map((end, at) => frames.slice(ends[at - 1] ?? 0, end))
    },
    ...(growing && { growing }),
  }
}

const sse = (payload: object): Uint8Array => encoder.encode(`data: ${JSON.stringify(payload)}\n\n`)

const line = (payload: object): Uint8Array => encoder.encode(`${JSON.stringify(payload)}\n`)

function geminiPayloads(events: readonly SluiceEvent[]): object[] {
  const content = (part: object): object => ({ candidates: [{ content: { parts: [part], role: 'model' } }] })
  return events.flatMap((event): object[] => {
    if (event.type === 'text-delta') return [content({ text: event.delta })]
    if (event.type === 'reasoning-delta') return [content({ text: event.delta, thought: true })]
    if (event.type === 'tool-call')
      return [content({ functionCall: { name: event.toolName, args: event.input } })]
    if (event.type === 'finish') return [{ candidates: [{ finishReason: 'STOP' }], usageMetadata: {} }]
    return []
  })
}

/** The same with the arguments as values by their paths. */
function geminiPatches(events: readonly SluiceEvent[]): object[] {
  return events.flatMap((event): object[] => {
    if (event.type !== 'tool-call') return geminiPayloads([event])
    const call = (functionCall: object): object => ({
      candidates: [{ content: { parts: [{ functionCall }] } }],
    })
    const leaves = leavesOf(event.input, '$')
    // An empty object or array inside has no value that could have a path.
    if (leaves === undefined) return geminiPayloads([event])
    return [
      call({ name: event.toolName, willContinue: true }),
      ...leaves.map((patch) => call({ partialArgs: [patch], willContinue: true })),
      call({}),
    ]
  })
}

function leavesOf(value: JsonValue, path: string): object[] | undefined {
  if (typeof value === 'string') {
    const [first = '', ...rest] = pieces(value)
    const all = [first, ...rest]
    return all.map((stringValue, at) => ({ jsonPath: path, stringValue, willContinue: at < all.length - 1 }))
  }
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }]
  if (typeof value === 'boolean') return [{ jsonPath: path, boolValue: value }]
  if (value === null) return [{ jsonPath: path, nullValue: 'NULL_VALUE' }]
  const inner = Object.entries(value).map(([key, one]) =>
    leavesOf(one, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  )
  if (inner.length === 0) return path === '$' ? [] : undefined
  return inner.some((one) => one === undefined) ? undefined : inner.flatMap((one) => one!)
}

function interactionPayloads(events: readonly SluiceEvent[]): object[] {
  let index = -1
  const start = (step: object): object => ({ event_type: 'step.start', index: ++index, step })
  const delta = (fields: object): object => ({ event_type: 'step.delta', index, delta: fields })
  return events.flatMap((event): object[] => {
    if (event.type === 'text-start') return [start({ type: 'model_output' })]
    if (event.type === 'text-delta') return [delta({ type: 'text', text: event.delta })]
    if (event.type === 'reasoning-start') return [start({ type: 'thought' })]
    if (event.type === 'reasoning-delta')
      return [delta({ type: 'thought_summary', content: { type: 'text', text: event.delta } })]
    if (event.type === 'tool-input-start')
      return [start({ type: 'function_call', id: event.id, name: event.toolName, arguments: {} })]
    if (event.type === 'tool-input-delta') return [delta({ type: 'arguments_delta', arguments: event.delta })]
    if (event.type === 'finish')
      return [{ event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } }]
    return event.type === 'tool-call' || /^(text|reasoning)-end$/.test(event.type)
      ? [{ event_type: 'step.stop', index }]
      : []
  })
}

function bedrockPayloads(events: readonly SluiceEvent[]): object[] {
  let contentBlockIndex = -1
  const delta = (fields: object): object => ({ contentBlockDelta: { contentBlockIndex, delta: fields } })
  const stop = (): object => ({ contentBlockStop: { contentBlockIndex } })
  return [
    { messageStart: { role: 'assistant' } },
    ...events.flatMap((event): object[] => {
      if (event.type.endsWith('-start')) contentBlockIndex++
      if (event.type === 'text-delta') return [delta({ text: event.delta })]
      if (event.type === 'reasoning-delta') return [delta({ reasoningContent: { text: event.delta } })]
      if (event.type === 'tool-input-start')
        return [
          {
            contentBlockStart: {
              contentBlockIndex,
              start: { toolUse: { toolUseId: event.id, name: event.toolName } },
            },
          },
        ]
      if (event.type === 'tool-input-delta') return [delta({ toolUse: { input: event.delta } })]
      if (event.type === 'finish') return [{ messageStop: { stopReason: 'end_turn' } }]
      return event.type === 'tool-call' || /^(text|reasoning)-end$/.test(event.type) ? [stop()] : []
    }),
  ]
}

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)),
  (text) => encoder.encode(text),
)

function awsFrame(payload: object): Uint8Array {
  const [[type, body] = ['', {}]] = Object.entries(payload)
  return codec.encode({
    headers: {
      ':event-type': { type: 'string', value: type },
      ':message-type': { type: 'string', value: 'event' },
    },
    body: encoder.encode(JSON.stringify(body)),
  })
}

function coherePayloads(events: readonly SluiceEvent[]): object[] {
  let index = -1
  const say = (type: string, message: object): object => ({ type, index, delta: { message } })
  return [
    { type: 'message-start', id: 'm', delta: { message: { role: 'assistant' } } },
    ...events.flatMap((event): object[] => {
      if (event.type.endsWith('-start')) index++
      if (event.type === 'text-start') return [say('content-start', { content: { type: 'text', text: '' } })]
      if (event.type === 'text-delta') return [say('content-delta', { content: { text: event.delta } })]
      if (event.type === 'reasoning-delta')
        return [say('content-delta', { content: { thinking: event.delta } })]
      if (event.type === 'tool-input-start')
        return [
          say('tool-call-start', {
            tool_calls: { id: event.id, function: { name: event.toolName, arguments: '' } },
          }),
        ]
      if (event.type === 'tool-input-delta')
        return [say('tool-call-delta', { tool_calls: { function: { arguments: event.delta } } })]
      if (event.type === 'tool-call') return [{ type: 'tool-call-end', index }]
      if (event.type === 'finish') return [{ type: 'message-end', delta: { finish_reason: 'COMPLETE' } }]
      return /^(text|reasoning)-end$/.test(event.type) ? [{ type: 'content-end', index }] : []
    }),
  ]
}

/** Its parts have our events' names, because ours are named after them. */
function aiSdkPayloads(events: readonly SluiceEvent[]): object[] {
  return [
    { type: 'stream-start', warnings: [] },
    ...events.map((event): object => {
      if (event.type === 'tool-call')
        return {
          type: 'tool-call',
          toolCallId: event.id,
          toolName: event.toolName,
          input: JSON.stringify(event.input),
        }
      return event.type === 'finish' ? { type: 'finish', finishReason: event.reason, usage: {} } : event
    }),
  ]
}

/** Messages as Anthropic's events, and each block again when it is whole. */
function claudeCodePayloads(events: readonly SluiceEvent[]): object[] {
  const about = { session_id: 's', parent_tool_use_id: null }
  const writer = createWriter(findWriter('anthropic'), ABOUT)
  const payloads = events.flatMap((event, at): object[] => {
    const written = writer.add(event).match(/^data: .*$/gm) ?? []
    return [
      ...written.map((line) => ({ type: 'stream_event', event: JSON.parse(line.slice(6)), ...about })),
      ...claudeCodeBlocks(events, at, 'r1'),
    ]
  })
  return behind([{ type: 'system', subtype: 'init', ...about, model: 'm', tools: ['ping'] }], payloads)
}

/** What comes before the first payload, as soon as there is one. */
const behind = (before: readonly object[], payloads: readonly object[]): object[] =>
  payloads.length === 0 ? [] : [...before, ...payloads]

/** The block that an event ends, as a message, and the result. */
function claudeCodeBlocks(events: readonly SluiceEvent[], at: number, id: string): object[] {
  const about = { session_id: 's', parent_tool_use_id: null }
  const last = events[at]!
  const block = (content: object): object[] => [
    { type: 'assistant', message: { id, type: 'message', role: 'assistant', content: [content] }, ...about },
  ]
  const said = (type: string, id?: string): string =>
    events
      .slice(0, at)
      .map((event) =>
        'delta' in event && event.type === type && (id ?? event.id) === event.id ? event.delta : '',
      )
      .join('')
  switch (last.type) {
    case 'text-end':
      return block({ type: 'text', text: said('text-delta', last.id) })
    case 'reasoning-end':
      return block({ type: 'thinking', thinking: said('reasoning-delta', last.id), signature: 's' })
    case 'tool-call':
      return block({ type: 'tool_use', id: last.id, name: last.toolName, input: last.input })
    case 'finish': {
      const result = said('text-delta')
      return [
        { type: 'result', subtype: 'success', is_error: false, result, stop_reason: 'end_turn', ...about },
      ]
    }
    default:
      return []
  }
}

function codexPayloads(events: readonly SluiceEvent[]): object[] {
  let text = ''
  const payloads = events.flatMap((event): object[] => {
    const [, channel, phase] = /^(text|reasoning)-(start|delta|end)$/.exec(event.type) ?? []
    if (channel !== undefined && 'id' in event) {
      text = phase === 'start' ? '' : 'delta' in event ? text + event.delta : text
      const type = channel === 'text' ? 'agent_message' : 'reasoning'
      const word = phase === 'start' ? 'started' : phase === 'delta' ? 'updated' : 'completed'
      return [{ type: `item.${word}`, item: { id: event.id, type, text } }]
    }
    if (event.type === 'tool-call')
      return [
        {
          type: 'item.started',
          item: {
            id: event.id,
            type: 'mcp_tool_call',
            server: 's',
            tool: event.toolName,
            arguments: event.input,
            status: 'in_progress',
          },
        },
      ]
    return event.type === 'finish' ? [{ type: 'turn.completed', usage: {} }] : []
  })
  return behind([{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }], payloads)
}

/** The chunks of a model, as they are serialized. */
function langchainPayloads(events: readonly SluiceEvent[]): object[] {
  const chunk = (kwargs: object, response_metadata: object = {}): object => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', 'AIMessageChunk'],
    kwargs: {
      id: 'run-1',
      content: '',
      tool_call_chunks: [],
      additional_kwargs: {},
      response_metadata,
      ...kwargs,
    },
  })
  let index = -1
  return [
    chunk({}),
    ...events.flatMap((event): object[] => {
      if (event.type === 'text-delta') return [chunk({ content: event.delta })]
      if (event.type === 'reasoning-delta')
        return [chunk({ additional_kwargs: { reasoning_content: event.delta } })]
      if (event.type === 'tool-input-start') {
        const call = { index: ++index, id: event.id, name: event.toolName, args: '' }
        // What LangChain makes of the arguments so far is not read.
        const made = { name: event.toolName, args: { made: 'up' }, id: event.id }
        return [chunk({ tool_call_chunks: [call], tool_calls: [made] })]
      }
      if (event.type === 'tool-input-delta')
        return [chunk({ tool_call_chunks: [{ index, args: event.delta }] })]
      return event.type === 'finish' ? [chunk({}, { finish_reason: 'stop' })] : []
    }),
  ]
}

/** The same from a graph: each with where it comes from, and with the fields side by side. */
const langgraphPayloads = (events: readonly SluiceEvent[]): object[] =>
  langchainPayloads(events).map((payload) => [
    { ...(payload as { kwargs: object }).kwargs, type: 'AIMessageChunk' },
    { langgraph_node: 'model', langgraph_step: 1 },
  ])

// ── one call that grows ──────────────────────────────────────────────────────────────────────────

/** `{"text":"xxx…"}` in pieces of one character. */
const letters = (length: number): string[] => ['{"text":"', ...Array.from({ length }, () => 'x'), '"}']

const chatGrowing = (length: number): object[] => [
  ...letters(length).map((args, at) => ({
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            {
              index: 0,
              ...(at === 0 && { id: 'c' }),
              function: { ...(at === 0 && { name: 'w' }), arguments: args },
            },
          ],
        },
      },
    ],
  })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
]

/** The events of such a call, for those whose payloads are made of events. */
export const growingEvents = (length: number): SluiceEvent[] => [
  { type: 'tool-input-start', id: 'c', toolName: 'w' },
  ...letters(length).map((delta): SluiceEvent => ({ type: 'tool-input-delta', id: 'c', delta })),
  { type: 'tool-input-end', id: 'c' },
  {
    type: 'tool-call',
    id: 'c',
    toolName: 'w',
    input: { text: 'x'.repeat(length) },
    status: 'complete',
    repairs: [],
  },
  { type: 'finish', reason: 'tool-calls' },
]

const responsesGrowing = (length: number): object[] => [
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'function_call', call_id: 'c', name: 'w', arguments: '' },
  },
  ...letters(length).map((delta) => ({
    type: 'response.function_call_arguments.delta',
    output_index: 0,
    delta,
  })),
  { type: 'response.completed', response: { status: 'completed' } },
]

const anthropicGrowing = (length: number): object[] => [
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'c', name: 'w', input: {} },
  },
  ...letters(length).map((partial_json) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  })),
  { type: 'content_block_stop', index: 0 },
]

const uiGrowing = (length: number): object[] => [
  { type: 'tool-input-start', toolCallId: 'c', toolName: 'w' },
  ...letters(length).map((inputTextDelta) => ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta })),
  { type: 'tool-input-available', toolCallId: 'c', toolName: 'w', input: { text: 'x'.repeat(length) } },
]

const agUiGrowing = (length: number): object[] => [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'w' },
  ...letters(length).map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta })),
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
]

const geminiGrowing = (length: number): object[] => {
  const call = (functionCall: object): object => ({
    candidates: [{ content: { parts: [{ functionCall }] } }],
  })
  const patch = { jsonPath: '$.text', stringValue: 'x', willContinue: true }
  return [
    call({ name: 'w', willContinue: true }),
    ...Array.from({ length }, () => call({ partialArgs: [patch], willContinue: true })),
    call({ partialArgs: [{ jsonPath: '$.text', stringValue: '' }], willContinue: true }),
    call({}),
    { candidates: [{ finishReason: 'STOP' }] },
  ]
}

export const PROVIDER_ENTRIES: readonly ProviderEntry[] = [
  { ...written('openai-chat', chatGrowing), closesLate: true },
  { ...written('openai-responses', responsesGrowing), closesLate: true },
  { ...written('anthropic', anthropicGrowing), closesLate: true },
  written('ollama'),
  written('ai-sdk-ui', uiGrowing),
  { ...written('ag-ui', agUiGrowing), closesLate: true },
  written('gemini'),
  readOnly('gemini with patches', geminiPatches, sse, geminiGrowing),
  readOnly('gemini interactions', interactionPayloads, sse, (length) =>
    interactionPayloads(growingEvents(length)),
  ),
  readOnly('bedrock', bedrockPayloads, awsFrame, (length) => bedrockPayloads(growingEvents(length))),
  readOnly('cohere', coherePayloads, sse, (length) => coherePayloads(growingEvents(length))),
  {
    ...readOnly('claude-code', claudeCodePayloads, line, (length) =>
      claudeCodePayloads(growingEvents(length)),
    ),
    closesLate: true,
    runsCalls: true,
  },
  {
    ...readOnly(
      'claude-code without partial messages',
      (events) => events.flatMap((_, at) => claudeCodeBlocks(events, at, `r${at}`)),
      line,
      undefined,
    ),
    runsCalls: true,
    comesWhole: true,
  },
  { ...readOnly('codex', codexPayloads, line, undefined), runsCalls: true },
  readOnly('langchain', langchainPayloads, line, (length) => langchainPayloads(growingEvents(length))),
  {
    ...readOnly('langchain from a graph', langgraphPayloads, sse, (length) =>
      langgraphPayloads(growingEvents(length)),
    ),
    runsCalls: true,
  },
  readOnly('ai-sdk', aiSdkPayloads, sse, (length) => aiSdkPayloads(growingEvents(length))),
]
