/** Guards an agent: what it must not do ends the moment that is certain, and what it may do is run as approved. */

import { type Event, isExecutable, sluice, type ToolCall } from 'sluice'
import { hermes } from 'sluice/dialects'
import { createGuard, createPolicy, digestOf, pattern, within } from 'sluice/policy'

const policy = createPolicy({
  rules: [
    { tool: ['read_file', 'write_file'], at: '/path', is: within('/home/app'), decision: 'allow' },
    { at: '/**', is: pattern(/\bAKIA[0-9A-Z]{16}\b/), decision: 'deny', reason: 'That is a secret key.' },
    { tool: 'shell', at: '/command', is: pattern(/\brm\s+-\w*[rf]/), decision: 'deny' },
  ],
})

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
    emit: (event: Event) => event.type === 'tool-call' && calls.push(event),
    onDecision: ({ decision, isFinal, reason }) => console.log(decision, isFinal ? '—' : '…', reason),
    stop: () => controller.abort(),
  })
  const pieces = response.match(/.{1,12}/gs) ?? []
  const options = { dialect: hermes, emit: { json: false, arguments: true }, signal: controller.signal }
  for await (const event of sluice(pieces, options)) guard.add(event)

  for (const one of calls) {
    const { decision, digest } = guard.approve(one)
    const mayRun = isExecutable(one) && decision === 'allow' && digest === digestOf(one)
    console.log(`  ${one.toolName} ${mayRun ? 'runs' : 'does not run'}`)
  }
}
