/** Jobs: what is measured, each a function that does the whole of it once. */

import { functionCalls, hermes, pythonic, qwen3Coder, toolXml } from '../dist/dialects/index.js'
import { createSinkParser, render } from '../dist/index.js'
import { inBatches } from './references.mjs'
import { code, cut, prose } from './workloads.mjs'

/** So many events are kept, as long as it takes to use them. */
const KEPT = 8192

/** Every job hands its events to a sink of its own, which keeps them for a while. */
export function newSink() {
  const kept = new Array(KEPT).fill(null)
  let count = 0
  return (event) => {
    kept[count++ % KEPT] = event
  }
}

export const TOOLS = [
  {
    name: 'write_file',
    streams: 'content',
    headlines: ['path'],
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
]

/** Reads chunks through the callback form. */
export function parseJob(chunks, options) {
  const sink = newSink()
  return () => {
    const parser = createSinkParser(sink, options)
    inBatches(chunks, (from, to) => pushSome(parser, chunks, from, to))
    parser.end()
  }
}

function pushSome(parser, chunks, from, to) {
  for (let index = from; index < to; index++) parser.push(chunks[index])
}

/** What is said of a call, and what is kept of it. */
export const DELTAS = { json: true, input: false }
export const VALUE = { json: true }
export const DECODED = { json: false, arguments: true, input: false }

const call = (content) => ({
  type: 'call',
  id: 'functions.write_file:0',
  toolName: 'write_file',
  input: { path: 'src/main.ts', content },
})

/** One call with a long argument, as a dialect writes it. */
export const oneCall = (dialect, length) => render([call(code(length))], { dialect, tools: TOOLS })

/** Many calls with short arguments, one after the other. */
export const smallCalls = (dialect, length) =>
  render(
    Array.from({ length: length / 60 }, () => call(code(20))),
    { dialect, tools: TOOLS },
  )

/** A text with fifty calls in it. */
export function fiftyCalls(dialect, length) {
  const parts = []
  for (let count = 0; count < 50; count++)
    parts.push({ type: 'text', text: prose(Math.floor(length / 500)) }, call(code(Math.floor(length / 56))))
  return render(parts, { dialect, tools: TOOLS })
}

/**
 * Reads other calls, and the loop that everything is compared with sees other events. Nothing is measured in a
 * process that knows only one kind of call: its code would be compiled for that kind alone.
 */
export function warmUp() {
  for (const dialect of [hermes, qwen3Coder, functionCalls, pythonic, toolXml])
    for (const emit of [DELTAS, VALUE, DECODED]) {
      const text = render([{ type: 'text', text: 'Let me see. ' }, call(code(600))], {
        dialect,
        tools: TOOLS,
      })
      const job = parseJob(cut(text, 7), { dialect, tools: TOOLS, emit })
      for (let times = 0; times < 60; times++) job()
    }
}
