/** Readers of tool calls that models write as text. Each counts the calls and the visible text. */

import { hermesToolMiddleware, morphXmlToolMiddleware, qwen3CoderToolMiddleware } from '@ai-sdk-tool/parser'
import { hermes, morphXml, qwen3Coder } from '../../dist/dialects/index.js'
import { createSinkParser } from '../../dist/index.js'
import { hermesMiddleware, morphXmlMiddleware, qwen3CoderMiddleware } from '../../dist/views/ai-sdk/index.js'
import { TOOLS } from '../parsers.mjs'

const PARAMS = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Write it.' }] }],
  tools: TOOLS.map(({ name, inputSchema }) => ({ type: 'function', name, description: '', inputSchema })),
}
const FINISH = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: {}, outputTokens: {} },
}

/** A model that says these chunks when it is asked for more, and gives up when the clock is over. */
function modelStream(chunks, clock) {
  let at = -1
  return new ReadableStream({
    pull(controller) {
      at++
      if (at === 0) controller.enqueue({ type: 'text-start', id: '1' })
      else if (at <= chunks.length && !clock.isOver(at / chunks.length))
        controller.enqueue({ type: 'text-delta', id: '1', delta: chunks[at - 1] })
      else {
        controller.enqueue({ type: 'text-end', id: '1' })
        controller.enqueue(FINISH)
        controller.close()
      }
    },
  })
}

/** Middleware of the AI SDK, as `wrapLanguageModel` calls it. */
const middlewareContestant = (name, gives, middleware) => ({
  name,
  gives,
  async run(chunks, clock) {
    const params = await middleware.transformParams({ type: 'stream', params: PARAMS, model: {} })
    const doStream = async () => ({ stream: modelStream(chunks, clock) })
    const { stream } = await middleware.wrapStream({ doStream, doGenerate: doStream, params, model: {} })
    const reader = stream.getReader()
    const counted = { calls: 0, text: 0 }
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (step.value.type === 'tool-call') counted.calls++
      else if (step.value.type === 'text-delta') counted.text += step.value.delta.length
    }
    return counted
  },
})

const parserContestant = (dialect) => ({
  name: 'Sluice parser',
  gives: 'live deltas',
  run(chunks) {
    const counted = { calls: 0, text: 0 }
    const parser = createSinkParser(
      (event) => {
        if (event.type === 'tool-call') counted.calls++
        else if (event.type === 'text-delta') counted.text += event.delta.length
      },
      { dialect, tools: TOOLS },
    )
    for (const chunk of chunks) parser.push(chunk)
    parser.end()
    return counted
  },
})

const PEER = '@ai-sdk-tool/parser middleware'
const protocol = (dialect, ours, theirs, gives) => ({
  dialect,
  contestants: [
    parserContestant(dialect),
    middlewareContestant('Sluice middleware', 'live deltas', ours),
    middlewareContestant(PEER, gives, theirs),
  ],
})

export const PROTOCOLS = {
  hermes: protocol(hermes, hermesMiddleware, hermesToolMiddleware, 'deltas, most at the end'),
  'qwen3-coder': protocol(qwen3Coder, qwen3CoderMiddleware, qwen3CoderToolMiddleware, 'live deltas'),
  'morph-xml': protocol(morphXml, morphXmlMiddleware, morphXmlToolMiddleware, 'live deltas'),
}
