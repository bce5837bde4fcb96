/**
 * Readers of a provider's stream of one tool call whose argument comes in deltas of 15 characters: bytes in, a message
 * out, with the growing input looked at after every delta where the reader offers one.
 */

import Anthropic from '@anthropic-ai/sdk'
import { AIMessageChunk } from '@langchain/core/messages'
import { readUIMessageStream } from 'ai'
import OpenAI from 'openai'
import { findProvider, findWriter } from '../../dist/providers/any.js'
import { createWriter, readProvider } from '../../dist/providers/index.js'
import { code, cut } from '../workloads.mjs'

const NAME = 'write_file'

/** The input that each of them should give. */
export const inputOf = (deltas) => ({ path: 'a.ts', content: code(15 * deltas) })

function eventsOf(deltas) {
  const input = inputOf(deltas)
  return [
    { type: 'tool-input-start', id: 'c', toolName: NAME },
    ...cut(JSON.stringify(input), 15).map((delta) => ({ type: 'tool-input-delta', id: 'c', delta })),
    { type: 'tool-input-end', id: 'c' },
    { type: 'tool-call', id: 'c', toolName: NAME, input, status: 'complete', repairs: [] },
    { type: 'finish', reason: 'tool-calls' },
  ]
}

/** What a server sends, in its own format. */
function bytesOf(format, deltas) {
  const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 1 })
  const texts = eventsOf(deltas).map((event) => writer.add(event))
  return texts.filter((text) => text !== '').map((text) => new TextEncoder().encode(text))
}

/** The same as payloads. */
function payloadsOf(format, deltas) {
  const text = bytesOf(format, deltas)
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('')
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
}

/** Gives up when the clock is over. */
function streamOf(list, clock) {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < list.length && !clock.isOver((at + 1) / list.length)) controller.enqueue(list[at++])
      else controller.close()
    },
  })
}

const responseOf = (bytes, clock) =>
  new Response(streamOf(bytes, clock), { headers: { 'content-type': 'text/event-stream' } })

const sluice = (format, gives, wrap, emit) => ({
  name: `Sluice \`${format}\``,
  gives,
  async run(input, clock) {
    const message = await readProvider(wrap(input, clock), {
      provider: findProvider(format),
      ...emit,
    }).message()
    return message.toolCalls[0]?.input
  },
})
const DECODED = { emit: { json: false, arguments: true } }

const messages = [{ role: 'user', content: 'Go.' }]

/** A client's run that was stopped half-way fails, which is no fault of it. */
async function unlessStopped(clock, run) {
  try {
    return await run()
  } catch (error) {
    if (clock.hasStopped) return undefined
    throw error
  }
}

/** What a reader of bytes has to do at least: decode them, and parse each payload. */
const PAYLOADS = {
  name: 'JSON.parse of each payload',
  gives: 'nothing',
  run(chunks) {
    const decoder = new TextDecoder()
    let count = 0
    for (const bytes of chunks)
      for (const line of decoder.decode(bytes, { stream: true }).split('\n'))
        if (line.startsWith('data: {') && JSON.parse(line.slice(6)) !== null) count++
    return count
  },
}

/** What a reader of objects has to do at least: keep the text of the input. */
const concatenationOf = (textOf) => ({
  name: 'concatenation',
  gives: 'nothing',
  run(list) {
    let text = ''
    for (const one of list) text += textOf(one)
    return text.charCodeAt(0)
  },
})

export const FORMATS = [
  {
    format: 'Chat Completions',
    make: (deltas) => bytesOf('openai-chat', deltas),
    reference: PAYLOADS,
    contestants: [
      sluice('openai-chat', 'live deltas', responseOf),
      {
        name: 'openai `chat.completions.stream`',
        gives: 'live deltas of JSON text',
        run: (bytes, clock) =>
          unlessStopped(clock, async () => {
            const client = new OpenAI({ apiKey: 'none', fetch: async () => responseOf(bytes, clock) })
            const stream = client.chat.completions.stream({ model: 'm', messages })
            const { choices } = await stream.finalChatCompletion()
            return JSON.parse(choices[0].message.tool_calls[0].function.arguments)
          }),
      },
    ],
  },
  {
    format: 'Anthropic Messages',
    make: (deltas) => bytesOf('anthropic', deltas),
    reference: PAYLOADS,
    contestants: [
      sluice('anthropic', 'live deltas, decoded', responseOf, DECODED),
      {
        name: '@anthropic-ai/sdk `messages.stream` with `inputJson`',
        gives: 'snapshots without open strings',
        run: (bytes, clock) =>
          unlessStopped(clock, async () => {
            const client = new Anthropic({ apiKey: 'none', fetch: async () => responseOf(bytes, clock) })
            const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages })
            stream.on('inputJson', () => {})
            const { content } = await stream.finalMessage()
            return content[0].input
          }),
      },
    ],
  },
  {
    format: 'UI message stream',
    make: (deltas) => payloadsOf('ai-sdk-ui', deltas),
    reference: concatenationOf((payload) => payload.inputTextDelta ?? ''),
    contestants: [
      sluice('ai-sdk-ui', 'live deltas, decoded', streamOf, DECODED),
      {
        name: 'ai `readUIMessageStream`',
        gives: 'snapshots',
        async run(chunks, clock) {
          let last
          for await (const message of readUIMessageStream({ stream: streamOf(chunks, clock) })) last = message
          return last.parts.find(({ type }) => type === `tool-${NAME}`)?.input
        },
      },
    ],
  },
  {
    format: 'LangChain messages',
    make: (deltas) =>
      cut(JSON.stringify(inputOf(deltas)), 15).map(
        (args, at) =>
          new AIMessageChunk({
            content: '',
            tool_call_chunks: [
              { type: 'tool_call_chunk', index: 0, args, ...(at === 0 ? { id: 'c', name: NAME } : {}) },
            ],
          }),
      ),
    reference: concatenationOf(({ tool_call_chunks: [chunk] }) => chunk.args),
    contestants: [
      sluice('langchain', 'live deltas, decoded', streamOf, DECODED),
      {
        name: '@langchain/core `AIMessageChunk.concat`',
        gives: 'snapshots',
        run(chunks, clock) {
          let message
          for (const [at, chunk] of chunks.entries()) {
            message = message === undefined ? chunk : message.concat(chunk)
            if (clock.isOver((at + 1) / chunks.length)) return undefined
          }
          return message.tool_calls[0]?.args
        },
      },
    ],
  },
]
