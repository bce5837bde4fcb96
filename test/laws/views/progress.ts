import type { ToolCall } from '../../../src/base/event.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import {
  type ConversationEvent,
  createTruncationView,
  TurnCoordinator,
} from '../../../src/views/compat/progress/index.ts'
import type { ViewUnderLaw } from '../view.ts'

/** Progress, what is kept of the turn, and where calls were cut off. */
export const progress: ViewUnderLaw = {
  name: 'progress',
  options: { emit: { json: false, arguments: true } },
  takesJson: true,
  open() {
    const said: unknown[] = []
    const kept: ConversationEvent[] = []
    const registered = new Set<string>()
    const verdicts = new Map<string, ToolCall>()
    const problems: string[] = []
    const pairs = new Map<string, string[]>()
    const coordinator = new TurnCoordinator({
      renderer: {
        register: ({ id, name }) => {
          if (registered.has(id)) problems.push(`${id} was registered twice`)
          registered.add(id)
          said.push(['register', id, name])
        },
        progress: (one) => {
          if (!registered.has(one.toolCallId))
            problems.push(`progress of ${one.toolCallId}, which nobody registered`)
          if (verdicts.has(one.toolCallId)) problems.push(`progress of ${one.toolCallId} after its end`)
          said.push(structuredClone(one))
          if (one.type === 'ArgumentParsed')
            pairs.set(one.toolCallId, [
              ...(pairs.get(one.toolCallId) ?? []),
              JSON.stringify([one.key, one.value]),
            ])
        },
        complete: (request) => said.push(request),
        fail: (failure) => said.push(failure),
      },
      persist: (event) => kept.push(event),
    })
    const truncations = createTruncationView((report) => said.push(report))
    return {
      add(event) {
        coordinator.add(event)
        truncations.add(event)
        if (event.type !== 'tool-call') return
        verdicts.set(event.id, event)
        if (!isExecutable(event)) return
        const input = Object.entries(event.input!).map((pair) => JSON.stringify(pair))
        if (input.sort().join() !== (pairs.get(event.id) ?? []).sort().join())
          problems.push(`the arguments of ${event.id} are not those that were told`)
      },
      said: () => [said, kept],
      lists: () => [said, kept],
      told: () => ({
        calls: kept.flatMap((event) =>
          event.type === 'ToolCallRequest' ? [{ toolName: event.name, input: event.arguments }] : [],
        ),
      }),
      check: () => problems[0],
    }
  },
}
