/** What of a response is still open, and the events that end it where no more of it comes. */

import type { SluiceEvent, ToolCall } from './event.ts'

/** A call without its verdict. */
interface OpenCall {
  readonly toolName: string
  readonly isProviderExecuted: boolean
  isWhole: boolean
  /** The input so far, as JSON text. */
  input: string
}

export class OpenEvents {
  /** What ends a text, a thought or a result. They may have the same id. */
  private readonly ends = new Map<string, SluiceEvent>()
  private readonly calls = new Map<string, OpenCall>()
  /** Calls that have their verdict. Of two, the first counts. */
  private readonly judged = new Set<string>()

  add(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'tool-result-start': {
        const type = event.type.replace('start', 'end') as 'text-end' | 'reasoning-end' | 'tool-result-end'
        this.ends.set(`${type} ${event.id}`, { type, id: event.id })
        break
      }
      case 'text-end':
      case 'reasoning-end':
      case 'tool-result-end':
        this.ends.delete(`${event.type} ${event.id}`)
        break
      case 'tool-input-start': {
        const { id, toolName, providerExecuted: isProviderExecuted = false } = event
        if (!this.judged.has(id))
          this.calls.set(id, { toolName, isProviderExecuted, isWhole: false, input: '' })
        break
      }
      case 'tool-input-delta': {
        const call = this.calls.get(event.id)
        if (call !== undefined) call.input += event.delta
        break
      }
      case 'tool-input-end': {
        const call = this.calls.get(event.id)
        if (call !== undefined) call.isWhole = true
        break
      }
      case 'tool-call':
        this.calls.delete(event.id)
        this.judged.add(event.id)
        break
    }
  }

  /** The events that end what is open. A call whose verdict did not arrive is truncated, whatever there is of it. */
  *end(): Generator<SluiceEvent, void, undefined> {
    yield* this.ends.values()
    for (const [id, call] of this.calls) {
      if (!call.isWhole) yield { type: 'tool-input-end', id }
      yield truncated(id, call)
    }
  }
}

function truncated(id: string, { toolName, isProviderExecuted, input }: OpenCall): ToolCall {
  return {
    type: 'tool-call',
    id,
    toolName,
    input: null,
    status: 'truncated',
    repairs: [],
    raw: input,
    error: {
      code: 'truncated',
      message: 'The response ended before the call was complete.',
      offset: input.length,
    },
    ...(isProviderExecuted && { providerExecuted: true }),
  }
}
