/** Shows a file while the model writes it: its path first, then each line as soon as it is complete. */

import { createParser } from 'sluice'
import { qwen3Coder } from 'sluice/dialects'

// This format carries untyped text. The schema says that `content` is a string, so it need not wait.
const tools = [
  {
    name: 'write_file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
]

const response = `<tool_call>
<function=write_file>
<parameter=path>
src/greet.ts
</parameter>
<parameter=content>
export function greet(name: string) {
  return \`Hello, \${name}!\`
}
</parameter>
</function>
</tool_call>`

const parser = createParser({ dialect: qwen3Coder, tools, emit: { json: false, arguments: true } })
let line = ''

for (let at = 0; at < response.length; at += 7) {
  for (const event of parser.push(response.slice(at, at + 7))) {
    if (event.type === 'argument-end' && event.path[0] === 'path') console.log(`── ${event.value}`)
    if (event.type === 'argument-delta' && event.path[0] === 'content') {
      const lines = (line + event.delta).split('\n')
      line = lines.pop() ?? ''
      for (const complete of lines) console.log(`   ${complete}`)
    }
    if (event.type === 'argument-end' && event.path[0] === 'content') console.log(`   ${line}`)
  }
}
for (const event of parser.end()) if (event.type === 'finish') console.log(`── ${event.reason}`)
