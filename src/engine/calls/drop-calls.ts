/** For models that call tools although none were offered: the calls are read, and not passed on. */

import type { Sink } from '../../base/event.ts'

/** Passes everything on but calls. Each leaves a diagnostic in its place, and none makes the model stop for it. */
export function dropCalls(sink: Sink): Sink {
  return (event) => {
    switch (event.type) {
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end':
      case 'tool-source-delta':
        return
      case 'tool-call': {
        const message = `The call of ${event.toolName} was dropped: no calls are allowed.`
        sink({ type: 'diagnostic', code: 'call-dropped', message, ...(event.span && { span: event.span }) })
        return
      }
      case 'finish':
        sink(event.reason === 'tool-calls' ? { ...event, reason: 'stop' } : event)
        return
      default:
        sink(event)
    }
  }
}
