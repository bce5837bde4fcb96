/**
 * Readers of a provider's own tool calls, whose arguments come as pieces of JSON text.
 *
 * `read(pieces, ending)` reads one call of `read_file`. `ending` is how the server says that the response ends: `calls`
 * (the model wants its calls run) or `length` (it ran out of tokens). It gives `seen`, the inputs that were shown while
 * they grew, and `offered`, the input of the call if it would be run: undefined if not.
 */

import Anthropic from '@anthropic-ai/sdk'
import { AIMessageChunk } from '@langchain/core/messages'
import { readUIMessageStream } from 'ai'
import OpenAI from 'openai'
import { zodFunction } from 'openai/helpers/zod'
import { z } from 'zod'
import { MessageFold, prepareCall } from '../../dist/index.js'
import { aiSdkUi, anthropic, langchain, openaiChat, readProvider } from '../../dist/providers/index.js'
import { copyOf } from './judge.mjs'

const NAME = 'read_file'
const FIELDS = {
  path: z.string(),
  content: z.string(),
  from: z.number(),
  to: z.number(),
  force: z.boolean(),
  mode: z.null(),
}
/** `zodFunction` asks for a schema in which every field is required, so each input has one of its own. */
const schemaOf = (input) => z.object(Object.fromEntries(Object.keys(input).map((key) => [key, FIELDS[key]])))
const TOOLS = { [NAME]: { inputSchema: z.object(FIELDS).partial() } }

const response = (text) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
const data = (payload) => `data: ${JSON.stringify(payload)}\n\n`

// ── what servers send ────────────────────────────────────────────────────────────────────────────

function chatCompletions(pieces, ending) {
  const chunk = (delta, finish_reason = null) =>
    data({
      id: 'r',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
  const call = (rest) => chunk({ tool_calls: [{ index: 0, ...rest }] })
  return [
    chunk({ role: 'assistant', content: null }),
    call({ id: 'c1', type: 'function', function: { name: NAME, arguments: '' } }),
    ...pieces.map((piece) => call({ function: { arguments: piece } })),
    chunk({}, ending === 'calls' ? 'tool_calls' : 'length'),
    'data: [DONE]\n\n',
  ].join('')
}

function messages(pieces, ending) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const payloads = [
    {
      type: 'message_start',
      message: {
        ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage },
        ...{ stop_reason: null, stop_sequence: null },
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'c1', name: NAME, input: {} },
    },
    ...pieces.map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: piece },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: ending === 'calls' ? 'tool_use' : 'max_tokens', stop_sequence: null },
      usage,
    },
    { type: 'message_stop' },
  ]
  return payloads.map((payload) => `event: ${payload.type}\n${data(payload)}`).join('')
}

/** A server says that the input is there only when it is whole; one that was cut off ends without a word. */
const uiChunks = (pieces, input) => [
  { type: 'start', messageId: 'm' },
  { type: 'start-step' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: NAME },
  ...pieces.map((piece) => ({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: piece })),
  ...(input === undefined ? [] : [{ type: 'tool-input-available', toolCallId: 'c1', toolName: NAME, input }]),
  { type: 'finish-step' },
  { type: 'finish' },
]

const langchainChunks = (pieces) =>
  pieces.map(
    (args, at) =>
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [
          { type: 'tool_call_chunk', index: 0, args, ...(at === 0 ? { id: 'c1', name: NAME } : {}) },
        ],
      }),
  )

const wholeInput = (pieces) => {
  try {
    return JSON.parse(pieces.join(''))
  } catch {
    return undefined
  }
}

const streamOf = (list) =>
  new ReadableStream({
    start(controller) {
      for (const one of list) controller.enqueue(one)
      controller.close()
    },
  })

// ── who reads it ─────────────────────────────────────────────────────────────────────────────────

/** Sluice: the call of the message so far, and `prepareCall` for what may run. */
const sluice = (provider, send) => async (pieces, ending) => {
  const seen = []
  const fold = new MessageFold()
  for await (const event of readProvider(send(pieces, ending), { provider, tools: TOOLS })) {
    fold.add(event)
    const call = fold.message().parts.find(({ type }) => type === 'call')
    // Its input is null as long as nothing is known of it.
    if (call !== undefined && call.input !== null) seen.push(call.input)
  }
  const [call] = fold.message().toolCalls
  const prepared = call === undefined ? { ok: false } : await prepareCall(call, TOOLS)
  return { seen, offered: prepared.ok ? prepared.input : undefined }
}

async function openaiStream(pieces, ending, input) {
  const client = new OpenAI({ apiKey: 'none', fetch: async () => response(chatCompletions(pieces, ending)) })
  const seen = []
  try {
    const runner = client.chat.completions
      .stream({
        model: 'm',
        messages: [{ role: 'user', content: 'Go.' }],
        tools: [zodFunction({ name: NAME, parameters: schemaOf(input) })],
      })
      .on('tool_calls.function.arguments.delta', ({ parsed_arguments }) => {
        if (parsed_arguments !== undefined && parsed_arguments !== null) seen.push(copyOf(parsed_arguments))
      })
    const { choices } = await runner.finalChatCompletion()
    return { seen, offered: choices[0].message.tool_calls?.[0]?.function.parsed_arguments ?? undefined }
  } catch {
    return { seen, offered: undefined }
  }
}

async function anthropicStream(pieces, ending) {
  const client = new Anthropic({ apiKey: 'none', fetch: async () => response(messages(pieces, ending)) })
  const seen = []
  const stream = client.messages
    .stream({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Go.' }] })
    .on('inputJson', (_, snapshot) => seen.push(copyOf(snapshot)))
  try {
    const message = await stream.finalMessage()
    const block = message.content.find(({ type }) => type === 'tool_use')
    // Its documentation runs the calls of a message whose stop reason is `tool_use`.
    return { seen, offered: message.stop_reason === 'tool_use' ? block?.input : undefined }
  } catch {
    return { seen, offered: undefined }
  }
}

async function uiMessages(pieces) {
  const seen = []
  let part
  for await (const message of readUIMessageStream({
    stream: streamOf(uiChunks(pieces, wholeInput(pieces))),
  })) {
    part = message.parts.find(({ type }) => type === `tool-${NAME}`)
    if (part?.input !== undefined) seen.push(copyOf(part.input))
  }
  return { seen, offered: part?.state === 'input-available' ? part.input : undefined }
}

async function langchainMerge(pieces) {
  const seen = []
  let message
  for (const chunk of langchainChunks(pieces)) {
    message = message === undefined ? chunk : message.concat(chunk)
    const [call] = message.tool_calls
    if (call !== undefined) seen.push(copyOf(call.args))
  }
  return { seen, offered: message.tool_calls[0]?.args }
}

export const PROVIDER_PEERS = [
  {
    format: 'Chat Completions',
    peers: [
      {
        name: 'Sluice `openaiChat`',
        claims: 'a growing input; a verdict on each call',
        read: sluice(openaiChat, (...sent) => response(chatCompletions(...sent))),
      },
      {
        name: 'openai `chat.completions.stream` with `zodFunction`',
        claims: 'partially parsed arguments; throws if the arguments do not parse',
        read: openaiStream,
      },
    ],
  },
  {
    format: 'Anthropic Messages',
    peers: [
      {
        name: 'Sluice `anthropic`',
        claims: 'a growing input; a verdict on each call',
        read: sluice(anthropic, (...sent) => response(messages(...sent))),
      },
      {
        name: '@anthropic-ai/sdk `messages.stream`',
        claims: 'partially parsed input; the stop reason says whether to run it',
        read: anthropicStream,
      },
    ],
  },
  {
    format: 'UI message stream',
    peers: [
      {
        name: 'Sluice `aiSdkUi`',
        claims: 'a growing input; a verdict on each call',
        read: sluice(aiSdkUi, (pieces) => streamOf(uiChunks(pieces, wholeInput(pieces)))),
      },
      {
        name: 'ai `readUIMessageStream`',
        claims: 'a message with partially parsed input; the server says when a call is whole',
        read: uiMessages,
      },
    ],
  },
  {
    format: 'LangChain messages',
    peers: [
      {
        name: 'Sluice `langchain`',
        claims: 'a growing input; a verdict on each call',
        read: sluice(langchain, (pieces) => streamOf(langchainChunks(pieces).map((chunk) => chunk.toJSON()))),
      },
      {
        name: '@langchain/core `AIMessageChunk.concat`',
        claims: 'merged chunks whose `tool_calls` are partially parsed',
        read: langchainMerge,
      },
    ],
  },
]
