/** What of a response is still open, and how it is closed when nothing more of it comes. */

import type { FinishReason, SluiceEvent } from '../event.ts'
import { Rope } from '../rope.ts'

interface OpenCall {
  readonly toolName: string
  readonly providerExecuted: boolean
  readonly input: Rope
  hasEnded: boolean
}

export class OpenSpans {
  private readonly texts = new Map<string, SluiceEvent>()
  private readonly calls = new Map<string, OpenCall>()
  /** Calls that have their verdict. Of two, the first counts. */
  private readonly judged = new Set<string>()

  add(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'tool-result-start': {
        const end = event.type.replace('start', 'end') as 'text-end' | 'reasoning-end' | 'tool-result-end'
        this.texts.set(`${end} ${event.id}`, { type: end, id: event.id })
        break
      }
      case 'text-end':
      case 'reasoning-end':
      case 'tool-result-end':
        this.texts.delete(`${event.type} ${event.id}`)
        break
      case 'tool-input-start': {
        const { id, toolName, providerExecuted = false } = event
        if (!this.judged.has(id))
          this.calls.set(id, { toolName, providerExecuted, input: new Rope(), hasEnded: false })
        break
      }
      case 'tool-input-delta':
        this.calls.get(event.id)?.input.add(event.delta)
        break
      case 'tool-input-end': {
        const call = this.calls.get(event.id)
        if (call !== undefined) call.hasEnded = true
        break
      }
      case 'tool-call':
        this.calls.delete(event.id)
        this.judged.add(event.id)
        break
    }
  }

  /** The events that are missing. A call that is open was cut off. */
  close(reason: FinishReason): SluiceEvent[] {
    const events = [...this.texts.values()]
    for (const [id, { toolName, providerExecuted, input, hasEnded }] of this.calls) {
      if (!hasEnded) events.push({ type: 'tool-input-end', id })
      events.push({
        type: 'tool-call',
        id,
        toolName,
        input: null,
        status: 'truncated',
        repairs: [],
        raw: input.toString(),
        ...(providerExecuted && { providerExecuted }),
        error: { code: 'truncated-call', message: 'The response ended inside the call.', offset: 0 },
      })
    }
    events.push({ type: 'finish', reason })
    return events
  }
}
