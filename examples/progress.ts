/** Shows which file a model creates while it is still writing it: a path in the first second, not after eight. */

import { sluice } from 'sluice'
import { hermes } from 'sluice/dialects'
import { createTruncationView, followCalls, watch } from 'sluice/progress'

const tools = [
  {
    name: 'fs_create_file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
] as const

/** What a model sends: a long file, in pieces of a few characters, until its limit is reached. */
const file = 'fn main() {\\n    println!(\\"Hello\\");\\n}\\n'.repeat(50)
const response = `<tool_call>{"name": "fs_create_file", "arguments": {"path": "src/main.rs", "content": "${file}`
let sent = 0
async function* pieces(): AsyncGenerator<string> {
  for (; sent < response.length; sent += 8) yield response.slice(sent, sent + 8)
}

const truncation = createTruncationView(({ message }) => console.log(message))

async function* events() {
  const emit = { json: false, arguments: true }
  for await (const event of sluice(pieces(), { dialect: hermes, tools, emit })) {
    truncation.add(event)
    if (event.type === 'error') console.error(event.error.message)
    yield event
  }
}

for await (const call of followCalls(events(), { tools })) {
  let lines = 0
  watch(call, {
    '/path': (path) => console.log(`creating ${path} (after ${sent} of ${response.length} characters)`),
    '/content': {
      delta: (piece) => {
        lines += piece.split('\n').length - 1
        if (lines % 50 === 0 && piece.includes('\n')) console.log(`${lines} lines`)
      },
    },
  })
}
