/** What the views add to the engine's own time, and the middleware beside a peer. */

import { hermesToolMiddleware, morphXmlToolMiddleware } from '@ai-sdk-tool/parser'
import { functionCalls, hermes, morphXml, toolXml } from '../../dist/dialects/index.js'
import { createSinkParser } from '../../dist/index.js'
import { hermesMiddleware, morphXmlMiddleware } from '../../dist/views/ai-sdk/index.js'
import { createBlocksView } from '../../dist/views/compat/blocks/index.js'
import { createCallFollower, createProgressView, watch } from '../../dist/views/compat/progress/index.js'
import { createSegmentsView, SEGMENT_EVENTS } from '../../dist/views/compat/segments/index.js'
import { measure } from '../measure.mjs'
import { DECODED, fiftyCalls, newSink, oneCall, parseJob, TOOLS } from '../parsers.mjs'
import { ratioRow } from '../report.mjs'
import { cut } from '../workloads.mjs'

const LENGTH = 2 ** 19
const MB = 2 ** 20

/** A view on the engine, against the engine alone that says the same events. */
const viewRow = (work, dialect, emit, open, make = fiftyCalls, length = LENGTH) =>
  ratioRow(work, {
    of: 'with the view',
    to: 'the engine',
    target: 1.5,
    measure,
    jobs() {
      const chunks = cut(make(dialect, length), 4)
      const options = { dialect, tools: TOOLS, emit }
      return {
        'the engine': parseJob(chunks, options),
        'with the view'() {
          const add = open()
          const parser = createSinkParser(add, options)
          for (const chunk of chunks) parser.push(chunk)
          parser.end()
        },
      }
    },
  })

function openSegments() {
  const sink = newSink()
  const view = createSegmentsView((event) => sink(event), { tools: TOOLS })
  return (event) => view.add(event)
}

function openBlocks() {
  const seen = { length: 0, last: null }
  const view = createBlocksView({
    onChunk(chunk, meta) {
      seen.length += chunk.length
      seen.last = meta
    },
    onBlock(event) {
      seen.last = event
    },
  })
  return (event) => view.add(event)
}

function openProgress() {
  const seen = { last: null }
  const view = createProgressView((progress) => {
    seen.last = progress
  })
  return (event) => view.add(event)
}

function openWatch() {
  const seen = { length: 0, last: null }
  const handlers = {
    '/path'(path) {
      seen.last = path
    },
    '/content': {
      delta(piece) {
        seen.length += piece.length
      },
    },
  }
  const follower = createCallFollower({}, (call) => watch(call, handlers))
  return (event) => follower.add(event)
}

// ── the middleware ───────────────────────────────────────────────────────────────────────────────

const PARAMS = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Write it.' }] }],
  tools: TOOLS.map(({ name, inputSchema }) => ({ type: 'function', name, description: '', inputSchema })),
}

/** A model that says these chunks when it is asked for more, and gives up where that takes too long. */
class Model {
  isCut = false

  constructor(chunks, milliseconds) {
    this.parts = [
      { type: 'text-start', id: '1' },
      ...chunks.map((delta) => ({ type: 'text-delta', id: '1', delta })),
      { type: 'text-end', id: '1' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: {}, outputTokens: {} },
      },
    ]
    this.milliseconds = milliseconds
  }

  stream() {
    const end = Date.now() + this.milliseconds
    let at = 0
    return new ReadableStream({
      pull: (controller) => {
        if (at < this.parts.length && Date.now() < end) controller.enqueue(this.parts[at++])
        else {
          this.isCut = at < this.parts.length
          controller.close()
        }
      },
    })
  }
}

/** Milliseconds until the last part has come. */
async function timeOf(middleware, chunks) {
  const params = await middleware.transformParams({ type: 'stream', params: PARAMS, model: {} })
  const model = new Model(chunks, 4000)
  const start = process.cpuUsage()
  const doStream = async () => ({ stream: model.stream() })
  const { stream } = await middleware.wrapStream({ doStream, doGenerate: doStream, params, model: {} })
  const reader = stream.getReader()
  while (!(await reader.read()).done);
  const { user, system } = process.cpuUsage(start)
  return { time: (user + system) / 1000, isOver: !model.isCut }
}

const middlewareRow = (work, ours, theirs, make) => ({
  work,
  async run() {
    const chunks = make()
    await timeOf(ours, chunks.slice(0, 2000))
    await timeOf(theirs, chunks.slice(0, 500))
    const ourTime = await timeOf(ours, chunks)
    const theirTime = await timeOf(theirs, chunks)
    const factor = theirTime.time / ourTime.time
    const more = theirTime.isOver ? '' : 'more than '
    return {
      shown: `${Math.round(ourTime.time)} ms; @ai-sdk-tool/parser takes ${more}${factor.toFixed(factor < 10 ? 1 : 0)} times as long`,
    }
  },
})

const inChunks = (dialect, length) => () => cut(oneCall(dialect, length), 4)

export const suite = {
  title: 'Views',
  rows: [
    viewRow('segments, 50 calls, tool-xml', toolXml, SEGMENT_EVENTS, openSegments),
    viewRow('segments, 50 calls, hermes', hermes, SEGMENT_EVENTS, openSegments),
    viewRow('blocks, 50 calls, function-calls', functionCalls, { json: true }, openBlocks),
    viewRow('blocks, 50 calls, hermes', hermes, { json: true }, openBlocks),
    viewRow('progress, 1 MB argument, hermes', hermes, DECODED, openProgress, oneCall, MB),
    viewRow('progress by pointer, 1 MB argument, hermes', hermes, DECODED, openWatch, oneCall, MB),
    middlewareRow(
      'AI SDK middleware, hermes, 10 KB argument',
      hermesMiddleware,
      hermesToolMiddleware,
      inChunks(hermes, 10_000),
    ),
    middlewareRow(
      'AI SDK middleware, hermes, 100 KB argument',
      hermesMiddleware,
      hermesToolMiddleware,
      inChunks(hermes, 100_000),
    ),
    middlewareRow(
      'AI SDK middleware, hermes, 1 MB argument',
      hermesMiddleware,
      hermesToolMiddleware,
      inChunks(hermes, 1_000_000),
    ),
    middlewareRow(
      'AI SDK middleware, morph-xml, 10 KB argument',
      morphXmlMiddleware,
      morphXmlToolMiddleware,
      inChunks(morphXml, 10_000),
    ),
    middlewareRow(
      'AI SDK middleware, morph-xml, 100 KB argument',
      morphXmlMiddleware,
      morphXmlToolMiddleware,
      inChunks(morphXml, 100_000),
    ),
    middlewareRow(
      'AI SDK middleware, hermes, `<tool_call>` 4,000 times',
      hermesMiddleware,
      hermesToolMiddleware,
      () => cut('<tool_call>'.repeat(4000), 4),
    ),
    middlewareRow(
      'AI SDK middleware, morph-xml, an opener 8,000 times',
      morphXmlMiddleware,
      morphXmlToolMiddleware,
      () => cut('<write_file>'.repeat(8000), 4),
    ),
  ],
}
