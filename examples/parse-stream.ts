/** Reads a response in a loop: reasoning, text, and an argument that grows. */

import { pointer, sluice } from 'sluice'
import { hermes } from 'sluice/dialects'

/** As a server sends it: cut anywhere, also in the middle of a tag. */
async function* response() {
  yield '<think>Two lines will do.</thi'
  yield 'nk>I write it down.<tool_c'
  yield 'all>{"name": "write_file", "arguments": {"path": "poem.md", "con'
  yield 'tent": "Roses are red,'
  yield '\\nviolets are blue."}}</tool_call>'
}

// `arguments` asks for each argument by its path, in place of the input as JSON text.
const events = sluice(response(), { dialect: hermes, emit: { json: false, arguments: true } })

for await (const event of events) {
  if (event.type === 'reasoning-delta') console.log('thinks   ', event.delta)
  if (event.type === 'text-delta') console.log('says     ', event.delta)
  if (event.type === 'tool-input-start') console.log('calls    ', event.toolName)
  if (event.type === 'argument-delta') console.log(pointer(event.path).padEnd(9), JSON.stringify(event.delta))
  if (event.type === 'tool-call') console.log('verdict  ', event.status)
  if (event.type === 'error') console.error('failed   ', event.error.message)
  if (event.type === 'finish') console.log('finished ', event.reason)
}
