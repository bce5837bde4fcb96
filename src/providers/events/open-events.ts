/** What is open among events that were read: it is ended where the connection breaks off. */

import type { SluiceEvent, ToolCall } from '../../event.ts'

/** A call without its verdict. */
interface OpenCall {
  readonly toolName: string
  readonly isProviderExecuted: boolean
  isWhole: boolean
  /** The input so far, as JSON text. */
  input: string
}

export class OpenEvents {
  private readonly spans = new Map<string, 'text-end' | 'reasoning-end' | 'tool-result-end'>()
  private readonly calls = new Map<string, OpenCall>()

  add(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-start':
        this.spans.set(event.id, 'text-end')
        break
      case 'reasoning-start':
        this.spans.set(event.id, 'reasoning-end')
        break
      case 'tool-result-start':
        this.spans.set(event.id, 'tool-result-end')
        break
      case 'text-end':
      case 'reasoning-end':
      case 'tool-result-end':
        this.spans.delete(event.id)
        break
      case 'tool-input-start': {
        const { id, toolName, providerExecuted = false } = event
        this.calls.set(id, { toolName, isProviderExecuted: providerExecuted, isWhole: false, input: '' })
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
        break
    }
  }

  /** The events that end what is open. A call whose verdict did not arrive is truncated, whatever there is of it. */
  *end(): Generator<SluiceEvent, void, undefined> {
    for (const [id, type] of this.spans) yield { type, id }
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
      message: 'The connection ended before the call was complete.',
      offset: input.length,
    },
    ...(isProviderExecuted && { providerExecuted: true }),
  }
}
