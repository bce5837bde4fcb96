/**
 * Readers of tool calls that models write as text.
 *
 * `read(chunks)` gives the visible `text`, the `calls` that would be executed, and `unlike`: how many of them were
 * streamed as another input than they have in the end.
 */

import { hermesToolMiddleware, morphXmlToolMiddleware, qwen3CoderToolMiddleware } from '@ai-sdk-tool/parser'
import { jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { hermes, morphXml, qwen3Coder } from '../../dist/dialects/index.js'
import { createParser, prepareCall } from '../../dist/index.js'
import { hermesMiddleware, morphXmlMiddleware, qwen3CoderMiddleware } from '../../dist/views/ai-sdk/index.js'
import { canonical } from './judge.mjs'
import { HERMES, MORPH_XML, QWEN3_CODER } from './texts.mjs'

const text = { type: 'string' }
const SCHEMAS = {
  read_file: { type: 'object', properties: { path: text }, required: ['path'] },
  write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
}
const TOOLS = Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, inputSchema }))

const streamOf = (parts) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

/** A model that says these chunks, and stops. */
const modelThatSays = (chunks) => ({
  specificationVersion: 'v3',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('This model only streams.')),
  doStream: async () => ({
    stream: streamOf([
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      ...chunks.map((delta) => ({ type: 'text-delta', id: '1', delta })),
      { type: 'text-end', id: '1' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: {}, outputTokens: {} },
      },
    ]),
  }),
})

/** As both READMEs show it: `streamText` with a wrapped model, and tools that are executed. */
const throughMiddleware = (middleware) => async (chunks) => {
  const calls = []
  const tools = Object.fromEntries(
    TOOLS.map(({ name, inputSchema }) => [
      name,
      tool({
        inputSchema: jsonSchema(inputSchema),
        execute(input, { toolCallId }) {
          calls.push({ id: toolCallId, toolName: name, input })
          return 'done'
        },
      }),
    ]),
  )
  const result = streamText({
    model: wrapLanguageModel({ model: modelThatSays(chunks), middleware }),
    prompt: 'Go on.',
    tools,
    stopWhen: stepCountIs(1),
    onError() {},
  })
  let shown = ''
  const streamed = new Map()
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') shown += part.text
    if (part.type === 'tool-input-delta') streamed.set(part.id, (streamed.get(part.id) ?? '') + part.delta)
  }
  return {
    text: shown,
    calls,
    unlike: calls.filter((call) => isUnlike(streamed.get(call.id), call.input)).length,
  }
}

/** Whether a streamed input is another value than the input in the end. Nothing streamed is no contradiction. */
function isUnlike(streamed, input) {
  if (streamed === undefined) return false
  try {
    return canonical(JSON.parse(streamed)) !== canonical(input)
  } catch {
    return true
  }
}

const throughParser = (dialect) => async (chunks) => {
  const parser = createParser({ dialect, tools: TOOLS })
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end('finished')]
  let shown = ''
  const streamed = new Map()
  const calls = []
  for (const event of events) {
    if (event.type === 'text-delta') shown += event.delta
    if (event.type === 'tool-input-delta')
      streamed.set(event.id, (streamed.get(event.id) ?? '') + event.delta)
    if (event.type !== 'tool-call') continue
    const prepared = await prepareCall(event, TOOLS)
    if (prepared.ok) calls.push({ id: event.id, toolName: event.toolName, input: prepared.input })
  }
  return {
    text: shown,
    calls,
    unlike: calls.filter((call) => isUnlike(streamed.get(call.id), call.input)).length,
  }
}

const PEER = '@ai-sdk-tool/parser'
const theirs = (name, middleware) => ({
  name: `${PEER} \`${name}\``,
  claims: 'AI SDK middleware that streams tool inputs; malformed markup is suppressed',
  read: throughMiddleware(middleware),
})
const ours = (dialect, middleware) => [
  {
    name: `Sluice \`createParser\`, ${dialect.name}`,
    claims: 'typed events; a cut-off call never runs',
    read: throughParser(dialect),
  },
  {
    name: `Sluice middleware, ${dialect.name}`,
    claims: 'the same as AI SDK middleware',
    read: throughMiddleware(middleware),
  },
]

export const PROTOCOLS = [
  {
    name: 'hermes: JSON in `<tool_call>`',
    messages: HERMES,
    peers: [...ours(hermes, hermesMiddleware), theirs('hermesToolMiddleware', hermesToolMiddleware)],
  },
  {
    name: 'qwen3-coder: parameters in tags',
    messages: QWEN3_CODER,
    peers: [
      ...ours(qwen3Coder, qwen3CoderMiddleware),
      theirs('qwen3CoderToolMiddleware', qwen3CoderToolMiddleware),
    ],
  },
  {
    name: 'morph-xml: elements named like the arguments',
    messages: MORPH_XML,
    peers: [...ours(morphXml, morphXmlMiddleware), theirs('morphXmlToolMiddleware', morphXmlToolMiddleware)],
  },
]
