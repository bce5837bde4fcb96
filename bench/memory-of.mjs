/** Measures the memory of one thing, in a process of its own. */

import { hermes, qwen3Coder } from '../dist/dialects/index.js'
import { createSinkParser } from '../dist/index.js'
import { TOOLS } from './parsers.mjs'

const COUNT = 10_000
const OPEN = '<tool_call>{"name": "write_file", "arguments": {"path": "a.ts", "content": "'
const OPEN_XML =
  '<tool_call>\n<function=write_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=content>\n'
const sink = () => {}
const DELTAS = { dialect: hermes, tools: TOOLS, emit: { json: true, input: false } }
const VALUE = { dialect: hermes, tools: TOOLS }
const XML_DELTAS = { ...DELTAS, dialect: qwen3Coder }
const XML_VALUE = { ...VALUE, dialect: qwen3Coder }

function used() {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

/** A fresh string each time, as it comes from a decoder. */
const fresh = (text) => Buffer.from(text, 'latin1').toString('latin1')

function feed(parser, text, size = 4) {
  for (let at = 0; at < text.length; at += size) parser.push(fresh(text.slice(at, at + size)))
  return parser
}

function perParser(make) {
  const kept = new Array(COUNT).fill(null)
  for (let warm = 0; warm < 100; warm++) make()
  const before = used()
  for (let index = 0; index < COUNT; index++) kept[index] = make()
  return (used() - before) / kept.length
}

/** What a long call adds. */
function endless(options, open = OPEN) {
  feed(createSinkParser(sink, options), open + 'x'.repeat(50_000))
  const before = used()
  const parser = createSinkParser(sink, { ...options, limits: { call: 2 ** 24 } })
  parser.push(open)
  const piece = 'lorem ipsum dolor sit amet. '
  for (let length = 0; length < 5 * 2 ** 20; length += piece.length) feed(parser, piece)
  const bytes = used() - before
  parser.end()
  return bytes
}

const MEASUREMENTS = {
  idle: () => perParser(() => createSinkParser(sink, VALUE)),
  holding: () => perParser(() => feed(createSinkParser(sink, DELTAS), OPEN + 'x'.repeat(1024))),
  'holding-value': () => perParser(() => feed(createSinkParser(sink, VALUE), OPEN + 'x'.repeat(1024))),
  'holding-xml': () => perParser(() => feed(createSinkParser(sink, XML_DELTAS), OPEN_XML + 'x'.repeat(1024))),
  'holding-xml-value': () =>
    perParser(() => feed(createSinkParser(sink, XML_VALUE), OPEN_XML + 'x'.repeat(1024))),
  endless: () => endless(DELTAS),
  'endless-value': () => endless(VALUE),
  'endless-xml-value': () => endless(XML_VALUE, OPEN_XML),
}

process.send(MEASUREMENTS[process.argv[2]]())
