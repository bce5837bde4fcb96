import { readdirSync, readFileSync } from 'node:fs'
import { format } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'

/** What each example writes. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'parse-stream': [
    'thinks    Two lines will do.',
    'says      I write it down.',
    'calls     write_file',
    '/path     "poem.md"',
    '/content  "Roses are red,"',
    '/content  "\\nviolets are blue."',
    'verdict   complete',
    'finished  tool-calls',
  ],
  'growing-file': [
    '── src/greet.ts',
    '   export function greet(name: string) {',
    '     return `Hello, ${name}!`',
    '   }',
    '── tool-calls',
  ],
  'structured-output': [
    'Tomato so | how long? | no steps yet',
    'Tomato soup | how long? | no steps yet',
    'Tomato soup | 25 minutes | Chop.',
    'Tomato soup | 25 minutes | Chop. Simmer.',
    "true repaired Set(4) { 'leading-content', 'fence', 'quote-style', 'trailing-comma' }",
  ],
  'own-dialect': [
    "Which one? | Let me see.  | read { path: 'a.ts' }",
    '@call read',
    '{"path":"b.ts"}',
    '@end',
    'complete missing-closer',
  ],
  resume: [
    'parser 1: text-start, text-delta',
    'parser 2: text-end, tool-input-start',
    'parser 3: tool-input-delta, tool-input-end, tool-call, finish',
  ],
  speech: [
    'Good morning, Dr. Lee.',
    'Let me look it up.',
    'It will rain 3.5 millimetres.',
    'Take an umbrella, e.g. the red one!',
    'Code in sh, 1 line.',
    'More is on the weather page.',
  ],
  gateway: [
    '200 text/event-stream',
    '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"mine","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I look."}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"call-2","name":"ls","input":{}}}',
    '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"path\\": \\".\\""}}',
    '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"}"}}',
    '{"type":"content_block_stop","index":1}',
    '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":0}}',
    '{"type":"message_stop"}',
  ],
  progress: [
    'creating src/main.rs (after 72 of 2187 characters)',
    '50 lines',
    '100 lines',
    '150 lines',
    'The call of fs_create_file was cut off in /content, after 1850 characters. /path was complete.',
  ],
  policy: [
    'allow — /path is within /home/app.',
    '  write_file runs',
    'ask … A call of write_file is allowed only if /path is within /home/app.',
    'ask — A call of write_file is allowed only if /path is within /home/app.',
    '  write_file does not run',
    'ask … No rule allows this call of shell.',
    'deny — /command matches /\\brm\\s+-\\w*[rf]/.',
    '  shell does not run',
    'deny — That is a secret key.',
    '  write_file does not run',
  ],
  'segments-tools': [
    'note in log',
    '  grows by as a ',
    '  grows by tag',
    '  append_note {"book":"log","text":"as a tag"}',
    'note in log',
    '  grows by in XML',
    '  append_note {"book":"log","text":"in XML"}',
    'note in log',
    '  grows by in JSON',
    '  append_note {"book":"log","text":"in JSON"}',
    'note in log',
    '  grows by as a sentinel',
    '  append_note {"book":"log","text":"as a sentinel"}',
    'note in some book',
    '  grows by as a native call',
    '  append_note {"text":"as a native call","book":"log"}',
  ],
  'segments-state': [
    'text "Plan:" {}',
    'task "read" {"done":true}',
    'task "write" {"done":false}',
    'tool_call "<a>1</a>" {"tool_name":"MY_TOOL_NAME"}',
  ],
  'render-prompt': [
    'I look.',
    '<tool_call>',
    '{"name":"read","arguments":{"path":"a.ts"},"id":"call-1"}',
    '</tool_call>',
    '<tool_response>see &lt;tool_call>{"name": "rm"}&lt;/tool_call></tool_response>',
    'unrepresentable',
  ],
}

test.each(Object.entries(EXAMPLES))('examples/%s.ts writes what it should', async (name, output) => {
  const written: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    written.push(...format(...values).split('\n'))
  })
  onTestFinished(() => log.mockRestore())
  await import(`../examples/${name}.ts`)
  expect(written).toEqual(output)
})

/** Examples that need more than Node, by the test that runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  agent: 'e2e/agent.test.ts',
  'ai-sdk': 'e2e/ai-sdk/chat.test.ts',
  'events-page': 'e2e/events-page.test.ts',
  'react-chat': 'e2e/react-chat.test.ts',
  'segments-websocket': 'e2e/segments-websocket.test.ts',
}

test('every example is run', () => {
  const files = readdirSync(new URL('../examples', import.meta.url))
  const here = Object.keys(EXAMPLES).map((name) => `${name}.ts`)
  expect(files.sort()).toEqual([...here, ...Object.keys(ELSEWHERE)].sort())
  for (const [name, file] of Object.entries(ELSEWHERE))
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(`examples/${name}/`)
})
