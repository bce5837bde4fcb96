/** The memory of one kind of reader, in a process of its own: idle, and holding an open argument of 1 KB. */

import { hermesToolMiddleware } from '@ai-sdk-tool/parser'
import { JSONParser } from '@streamparser/json'
import { parse as river } from 'jsonriver'
import { jsonParser as streamJson } from 'stream-json/parser.js'
import { hermes } from '../../dist/dialects/index.js'
import { createSinkParser } from '../../dist/index.js'
import { createJsonParser } from '../../dist/values/json/index.js'
import { hermesMiddleware } from '../../dist/views/ai-sdk/index.js'
import { TOOLS } from '../parsers.mjs'

const OPEN = `{"path": "a.ts", "content": "${'x'.repeat(1024)}`
const CALL = `<tool_call>{"name": "write_file", "arguments": ${OPEN}`

/** Fresh strings, as they come from a decoder. */
const pieces = (text) =>
  Array.from({ length: Math.ceil(text.length / 4) }, (_, index) =>
    Buffer.from(text.slice(index * 4, index * 4 + 4), 'latin1').toString('latin1'),
  )

function push(reader, text, take) {
  for (const piece of pieces(text)) take(piece)
  return reader
}

/** Middleware holds its state in the stream that it gives. */
const middlewareReader = (middleware) => async (text) => {
  const params = await middleware.transformParams({
    type: 'stream',
    model: {},
    params: {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
      tools: TOOLS.map(({ name, inputSchema }) => ({ type: 'function', name, inputSchema })),
    },
  })
  const waiting = pieces(text).map((delta) => ({ type: 'text-delta', id: '1', delta }))
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'text-start', id: '1' })
      for (const part of waiting) controller.enqueue(part)
    },
  })
  const doStream = async () => ({ stream: source })
  const { stream } = await middleware.wrapStream({ doStream, doGenerate: doStream, params, model: {} })
  const reader = stream.getReader()
  // It reads all that there is, and waits for more.
  void (async () => {
    while (!(await reader.read()).done);
  })()
  await new Promise((resolve) => setImmediate(resolve))
  return reader
}

const READERS = {
  'Sluice parser': {
    count: 10_000,
    text: CALL,
    open(text) {
      const parser = createSinkParser(() => {}, { dialect: hermes, tools: TOOLS })
      return push(parser, text, (piece) => parser.push(piece))
    },
  },
  'Sluice `createJsonParser`': {
    count: 10_000,
    text: OPEN,
    open(text) {
      const parser = createJsonParser({ onEvent() {} })
      return push(parser, text, (piece) => parser.push(piece))
    },
  },
  'stream-json, its parser stage': {
    count: 10_000,
    text: OPEN,
    open(text) {
      const read = streamJson({ packStrings: false, streamStrings: true })
      return push(read, text, (piece) => read(piece))
    },
  },
  '@streamparser/json': {
    count: 10_000,
    text: OPEN,
    open(text) {
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
      parser.onValue = () => {}
      return push(parser, text, (piece) => parser.write(piece))
    },
  },
  jsonriver: {
    count: 10_000,
    text: OPEN,
    async open(text) {
      const left = pieces(text)
      const source = {
        [Symbol.asyncIterator]: () => ({
          next: () =>
            left.length > 0 ? Promise.resolve({ done: false, value: left.shift() }) : new Promise(() => {}),
        }),
      }
      const values = river(source)
      const count = left.length
      // The last value never comes, because the source waits for more.
      for (let step = 0; step < count - 8; step++) await values.next()
      return values
    },
  },
  'Sluice middleware': { count: 1000, text: CALL, open: middlewareReader(hermesMiddleware) },
  '@ai-sdk-tool/parser middleware': { count: 1000, text: CALL, open: middlewareReader(hermesToolMiddleware) },
}

function used() {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

/** Bytes of each of many readers. */
async function bytesOf({ count, open }, text) {
  const kept = new Array(count).fill(null)
  for (let warm = 0; warm < 50; warm++) await open(text)
  const before = used()
  for (let index = 0; index < count; index++) kept[index] = await open(text)
  return Math.round((used() - before) / kept.length)
}

const reader = READERS[process.argv[2]]
if (reader === undefined) process.send(Object.keys(READERS))
else process.send({ idle: await bytesOf(reader, ''), open: await bytesOf(reader, reader.text) })
process.exit(0)
