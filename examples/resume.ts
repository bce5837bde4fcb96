/** Begins a response in one parser and goes on in another, as after a restart or on another machine. */

import { createParser, type ParserSnapshot, restoreParser } from 'sluice'
import { hermes } from 'sluice/dialects'

const options = { dialect: hermes }
const chunks = ['I look.<tool_ca', 'll>{"name": "read", "argum', 'ents": {"path": "a.ts"}}</tool_call>']

// A snapshot is plain data.
let stored = JSON.stringify(createParser(options).snapshot())

for (const [index, chunk] of chunks.entries()) {
  const parser = restoreParser(JSON.parse(stored) as ParserSnapshot, options)
  const events = parser.push(chunk)
  if (index === chunks.length - 1) events.push(...parser.end())
  else stored = JSON.stringify(parser.snapshot())
  console.log(`parser ${index + 1}:`, events.map((event) => event.type).join(', '))
}
