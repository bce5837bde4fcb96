/** Guards an agent: what it must not do ends the moment that is certain, and what it may do is run as approved. */

import { prepareCall, type SluiceEvent, sluice, type ToolCall } from 'sluice'
import { hermes } from 'sluice/dialects'
import { createGuard, createPolicy, digestOf, pattern, within } from 'sluice/policy'

const policy = createPolicy({
  rules: [
    {
      tool: ['read_file', 'write_file'],
      at: '/path',
      is: within('/home/app', { base: '/home/app' }),
      decision: 'allow',
    },
    { at: '/**', is: pattern(/\bAKIA[0-9A-Z]{16}\b/), decision: 'deny', reason: 'That is a secret key.' },
    { tool: 'shell', at: '/command', is: pattern(/\brm\s+-\w*[rf]/), decision: 'deny' },
  ],
})

const text = { type: 'string' }
const tools = [
  {
    name: 'write_file',
    inputSchema: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
  { name: 'shell', inputSchema: { type: 'object', properties: { command: text }, required: ['command'] } },
]

const call = (name: string, args: object): string =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`

const responses = [
  call('write_file', { path: 'src/a.ts', content: 'export {}' }),
  call('write_file', { path: 'src/../../etc/cron.d/x', content: '* * * * * root true' }),
  call('shell', { command: 'npm test; rm -rf ~', explanation: 'This cleans up after the tests.' }),
  call('write_file', { path: 'src/b.ts', content: 'const key = "AKIAIOSFODNN7EXAMPLE", more = "…"' }),
]

for (const response of responses) {
  const controller = new AbortController()
  const calls: ToolCall[] = []
  const guard = createGuard({
    policy,
    emit: (event: SluiceEvent) => event.type === 'tool-call' && calls.push(event),
    onDecision: ({ decision, isFinal, reason }) => console.log(decision, isFinal ? '—' : '…', reason),
    stop: () => controller.abort(),
  })
  const pieces = response.match(/.{1,12}/gs) ?? []
  const options = {
    dialect: hermes,
    tools,
    emit: { json: false, arguments: true },
    signal: controller.signal,
  }
  for await (const event of sluice(pieces, options)) {
    guard.add(event)
    if (event.type === 'error') console.error(event.error.message)
  }

  for (const one of calls) {
    const prepared = await prepareCall(one, tools)
    // What is approved is what runs: the input after its schema was applied.
    const { decision, digest } = guard.approve(prepared.ok ? { ...one, input: prepared.input } : one)
    const mayRun = prepared.ok && decision === 'allow' && digest === digestOf(prepared)
    console.log(`  ${one.toolName} ${mayRun ? 'runs' : 'does not run'}`)
  }
}
