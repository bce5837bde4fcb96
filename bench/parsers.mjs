/** Jobs: what is measured, each a function that does the whole of it once. */

import { createSinkParser, render } from '../dist/index.js'
import { inBatches } from './references.mjs'
import { code, prose } from './workloads.mjs'

/** Every job hands its events to a sink of its own, which keeps the last one so that it must really be made. */
export function newSink() {
  const seen = { last: null, length: 0 }
  return (event) => {
    seen.last = event
    if (event.delta !== undefined) seen.length += event.delta.length
  }
}

// A sink hears events of every kind, and its code is compiled for that. It has to be so from the beginning: otherwise
// the first row of a table would be compared with a loop whose sink knows one kind only, and all others would not.
for (let times = 0; times < 2000; times++) {
  const hear = newSink()
  hear({ type: 'text-start', id: 'text-1' })
  hear({ type: 'text-delta', id: 'text-1', delta: 'So' })
  hear({ type: 'tool-input-start', id: 'call-1', toolName: 'write_file' })
  hear({ type: 'argument-start', id: 'call-1', path: [], kind: 'string' })
  hear({ type: 'argument-delta', id: 'call-1', path: [], delta: 'So' })
  hear({
    type: 'tool-call',
    id: 'call-1',
    toolName: 'write_file',
    input: {},
    status: 'complete',
    repairs: [],
  })
  hear({ type: 'finish', reason: 'stop' })
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

/** A text with fifty calls in it. */
export function fiftyCalls(dialect, length) {
  const parts = []
  for (let count = 0; count < 50; count++)
    parts.push({ type: 'text', text: prose(Math.floor(length / 500)) }, call(code(Math.floor(length / 56))))
  return render(parts, { dialect, tools: TOOLS })
}
