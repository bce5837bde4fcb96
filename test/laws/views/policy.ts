import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import {
  createGuard,
  createPolicy,
  type GuardDecision,
  type Policy,
  pattern,
  prefix,
} from '../../../src/turn/policy/index.ts'
import { wellFormedEvents } from '../laws.ts'
import { merged } from '../observe.ts'
import type { OpenView, ViewUnderLaw } from '../view.ts'

const options = { emit: { json: false, arguments: true } } as const

/** What is left of a stream that is guarded. `lacksCalls`: some calls are denied, so it tells of fewer. */
function guarded(policy: Policy, { lacksCalls }: { lacksCalls: boolean }): OpenView {
  const events: SluiceEvent[] = []
  const calls: ToolCall[] = []
  const decisions: GuardDecision[] = []
  const told = { text: '', reasoning: '' }
  const guard = createGuard({
    policy,
    emit: (event) => {
      events.push(event)
      if (event.type === 'text-delta') told.text += event.delta
      else if (event.type === 'reasoning-delta') told.reasoning += event.delta
      else if (event.type === 'tool-call' && isExecutable(event)) calls.push(event)
    },
    onDecision: (decision) => decisions.push(decision),
  })
  return {
    add: (event) => guard.add(event),
    said: () => [...merged(events), ...decisions, guard.saved],
    lists: () => [merged(events), decisions],
    told: () => (lacksCalls ? told : { ...told, calls }),
    check: () => {
      const denied = new Set(decisions.flatMap(({ id, decision }) => (decision === 'deny' ? id : [])))
      const escaped = calls.find((call) => denied.has(call.id))
      return escaped === undefined ? wellFormedEvents(events) : `${escaped.id} was denied and may run`
    },
  }
}

const milder = createPolicy({ rules: [], otherwise: 'allow' })
const stricter = createPolicy({
  rules: [
    { tool: 'write_file', at: '/content', is: pattern(/[aeiou]\s|<\/?\w/), decision: 'deny' },
    { tool: 'write_file', at: '/path', is: pattern(/\w/), decision: 'allow' },
    { tool: 'search', at: '/tags/*', is: prefix('a'), decision: 'deny' },
    { at: '/*', is: pattern(/[^ -~]/), decision: 'ask' },
  ],
})

/** A guard that lets everything pass changes nothing. */
export const openPolicy: ViewUnderLaw = {
  name: 'policy that allows',
  options,
  open: () => guarded(milder, { lacksCalls: false }),
}

/** One that denies some calls leaves the rest of the response as it is, and what is denied cannot run. */
export const strictPolicy: ViewUnderLaw = {
  name: 'policy that denies',
  options,
  open: () => guarded(stricter, { lacksCalls: true }),
}
