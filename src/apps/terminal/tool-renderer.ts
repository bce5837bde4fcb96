/** Shows the calls of a `TurnCoordinator` as cards. */

import type { JsonValue } from '../../base/event.ts'
import type {
  ToolCallArgumentProgress,
  ToolCallFailed,
  ToolCallRequest,
} from '../../views/compat/progress/progress-event.ts'
import type { ToolRenderer } from '../../views/compat/progress/turn-coordinator.ts'
import type { TerminalView } from './view.ts'

/**
 * A renderer that draws on a terminal, or on any view.
 *
 *     const coordinator = new TurnCoordinator({ renderer: createToolRenderer(terminal) })
 */
export function createToolRenderer(view: Pick<TerminalView, 'add'>): Required<ToolRenderer> {
  const names = new Map<string, string>()
  return {
    register({ id, name }) {
      names.set(id, name)
      view.add({ type: 'tool-input-start', id, toolName: name })
    },
    progress(progress: ToolCallArgumentProgress) {
      if (progress.type !== 'ArgumentParsed') return
      const { toolCallId: id, key, value } = progress
      view.add({ type: 'argument-start', id, path: [key], kind: kindOf(value) })
      view.add({ type: 'argument-end', id, path: [key], value })
    },
    complete({ id, name, arguments: input }: ToolCallRequest) {
      names.delete(id)
      view.add({ type: 'tool-call', id, toolName: name, input, status: 'complete', repairs: [] })
    },
    fail({ id, name, status, message, raw }: ToolCallFailed) {
      names.delete(id)
      const error = { code: status, message, offset: 0 }
      view.add({ type: 'tool-call', id, toolName: name, input: null, status, repairs: [], raw, error })
    },
    cancel(id: string) {
      const toolName = names.get(id) ?? ''
      names.delete(id)
      view.add({ type: 'call-cancelled', id, toolName, reason: 'The response was taken back.' })
    },
  }
}

function kindOf(value: JsonValue): 'object' | 'array' | 'string' | 'scalar' {
  if (typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'object' && value !== null ? 'object' : 'scalar'
}
