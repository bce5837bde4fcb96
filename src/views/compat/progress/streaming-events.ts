/** Events as the stream of a provider that a `TurnCoordinator` takes: one index for each text, thought and call. */

import type { FinishReason, SluiceEvent } from '../../../base/event.ts'
import { isExecutable } from '../../../engine/calls/verdict.ts'
import type { FinishedReason, StreamingEvent } from './progress-event.ts'

/**
 * Passes events on in the published form. Several responses may follow each other; their indices go on counting.
 *
 *     const view = createStreamingView((event) => coordinator.handleStreamingEvent(event))
 *     for await (const event of events) view.add(event)
 *
 * A call that must not run is never flushed, so that it is never a request.
 */
export function createStreamingView(emit: (event: StreamingEvent) => void): {
  add(event: SluiceEvent): void
} {
  let next = 0
  const indices = new Map<string, number>()
  const open = (key: string): number => {
    const index = indices.get(key) ?? next++
    indices.set(key, index)
    return index
  }
  const flush = (key: string): void => {
    const index = indices.get(key)
    indices.delete(key)
    if (index !== undefined) emit({ type: 'Flush', index })
  }
  const call = (id: string, name: string): number => {
    const isNew = !indices.has(`call ${id}`)
    const index = open(`call ${id}`)
    if (isNew) emit({ type: 'Part', index, part: { type: 'ToolCallRequest', id, name, arguments: {} } })
    return index
  }
  const grown = new Set<string>()
  return {
    add(event) {
      switch (event.type) {
        case 'text-delta':
        case 'reasoning-delta': {
          const type = event.type === 'text-delta' ? 'Message' : 'Reasoning'
          emit({ type: 'Part', index: open(`${type} ${event.id}`), part: { type, text: event.delta } })
          break
        }
        case 'text-end':
          flush(`Message ${event.id}`)
          break
        case 'reasoning-end':
          flush(`Reasoning ${event.id}`)
          break
        case 'tool-input-start':
          if (!event.providerExecuted) call(event.id, event.toolName)
          break
        case 'tool-input-delta': {
          const index = indices.get(`call ${event.id}`)
          if (index === undefined) break
          grown.add(event.id)
          emit({ type: 'ToolCallArgumentChunk', index, chunk: event.delta })
          break
        }
        case 'tool-call': {
          if (event.providerExecuted) break
          const { id, toolName: name, input } = event
          const index = call(id, name)
          if (!isExecutable(event)) break
          // Without JSON text among the events, the arguments come as a value.
          if (!grown.delete(id))
            emit({ type: 'Part', index, part: { type: 'ToolCallRequest', id, name, arguments: input } })
          flush(`call ${id}`)
          break
        }
        case 'finish':
          indices.clear()
          grown.clear()
          emit({ type: 'Finished', reason: FINISHED[event.reason] })
          break
      }
    },
  }
}

const FINISHED: Readonly<Record<FinishReason, FinishedReason>> = {
  stop: 'completed',
  'tool-calls': 'completed',
  length: 'max-tokens',
  'content-filter': 'refused',
  error: 'other',
  aborted: 'other',
  other: 'other',
}
