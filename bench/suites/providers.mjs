/** One long tool argument in small deltas, as providers stream it: Sluice beside the providers' own helpers. */

import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream.mjs'
import { readUIMessageStream } from 'ai6'
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import { findProvider, findWriter } from '../../dist/providers/any.js'
import { createProviderParser, createWriter, readProvider } from '../../dist/providers/index.js'
import { measure, measureAsync } from '../measure.mjs'
import { newSink } from '../parsers.mjs'
import { ratioRow } from '../report.mjs'
import { code, cut } from '../workloads.mjs'

/** The events of a call whose argument comes in this many deltas of 15 characters. */
function events(deltas) {
  const input = { path: 'a.ts', content: code(15 * deltas) }
  return [
    { type: 'tool-input-start', id: 'c', toolName: 'write_file' },
    ...cut(JSON.stringify(input), 15).map((delta) => ({ type: 'tool-input-delta', id: 'c', delta })),
    { type: 'tool-input-end', id: 'c' },
    { type: 'tool-call', id: 'c', toolName: 'write_file', input, status: 'complete', repairs: [] },
    { type: 'finish', reason: 'tool-calls' },
  ]
}

/** What a server sends, in its own format. */
function sent(format, deltas) {
  const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 1 })
  const texts = events(deltas).map((event) => writer.add(event))
  return texts.filter((text) => text !== '').map((text) => new TextEncoder().encode(text))
}

/** The same as payloads. */
function payloads(format, deltas) {
  const text = sent(format, deltas)
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('')
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
}

function stream(chunks) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

/** One JSON object per line, which is what the clients' own `fromReadableStream` takes. */
const lines = (list) => list.map((payload) => new TextEncoder().encode(`${JSON.stringify(payload)}\n`))

const row = (work, deltas, jobs) => ({
  work: `${work}, ${deltas} deltas`,
  async run() {
    const { Sluice, ...peers } = await measureAsync(jobs(deltas))
    const [[name, time]] = Object.entries(peers)
    return { shown: `${(Sluice / time).toFixed(2)}× ${name}` }
  },
})

const chat = (deltas) => {
  const [bytes, own] = [sent('openai-chat', deltas), lines(payloads('openai-chat', deltas))]
  return {
    'openai ChatCompletionStream': () =>
      ChatCompletionStream.fromReadableStream(stream(own)).finalChatCompletion(),
    Sluice: () => readProvider(stream(bytes), { provider: findProvider('openai-chat') }).message(),
  }
}

const anthropic = (deltas) => {
  const [bytes, own] = [sent('anthropic', deltas), lines(payloads('anthropic', deltas))]
  return {
    'Anthropic MessageStream with inputJson': () => {
      const reader = MessageStream.fromReadableStream(stream(own))
      reader.on('inputJson', () => {})
      return reader.finalMessage()
    },
    Sluice: () =>
      readProvider(stream(bytes), {
        provider: findProvider('anthropic'),
        emit: { json: false, arguments: true },
      }).message(),
  }
}

const ui = (deltas) => {
  const list = payloads('ai-sdk-ui', deltas)
  return {
    'AI SDK readUIMessageStream': async () => {
      for await (const _ of readUIMessageStream({ stream: stream(list) }));
    },
    Sluice: () =>
      readProvider(stream(list), {
        provider: findProvider('ai-sdk-ui'),
        emit: { json: false, arguments: true },
      }).message(),
  }
}

const bytesOf = (name) =>
  ratioRow(`${name}, bytes to events`, {
    of: 'Sluice',
    to: 'JSON.parse of each payload',
    measure,
    jobs() {
      const chunks = sent(name, 4000)
      const texts = payloads(name, 4000).map((payload) => JSON.stringify(payload))
      const sink = newSink()
      return {
        'JSON.parse of each payload': () => texts.forEach((text) => void JSON.parse(text)),
        Sluice() {
          const parser = createProviderParser(sink, { provider: findProvider(name) })
          for (const chunk of chunks) parser.push(chunk)
          parser.end()
        },
      }
    },
  })

export const suite = {
  title: 'Providers',
  about:
    'One tool argument in deltas of 15 characters. The peers are the helpers that the providers and the AI SDK ship; each reads its own format. Sluice is given bytes where a peer is given lines.',
  rows: [
    bytesOf('openai-chat'),
    bytesOf('anthropic'),
    row('Chat Completions', 1000, chat),
    row('Chat Completions', 4000, chat),
    row('Anthropic Messages', 1000, anthropic),
    row('Anthropic Messages', 4000, anthropic),
    row('UI message stream', 1000, ui),
    row('UI message stream', 4000, ui),
  ],
}
