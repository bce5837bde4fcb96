/** Ids that mean one thing in the whole conversation: a model, or a parser, may count from one in each response. */

import type { SluiceEvent } from '../base/event.ts'
import type { IdKind } from '../base/ids.ts'
import type { ConversationMessage } from '../requests/conversation/model-request.ts'

export class UniqueIds {
  private readonly used = new Set<string>()
  private count = 0

  constructor(messages: readonly ConversationMessage[]) {
    for (const { parts } of messages)
      for (const part of parts) if (part.type === 'call' && part.id !== undefined) this.used.add(part.id)
  }

  /** For parsers. The id is taken when its event comes. */
  readonly generate = (kind: IdKind): string => {
    let id: string
    do id = `${kind}-${++this.count}`
    while (this.used.has(id))
    return id
  }

  /** For the events of one response. */
  response(): (event: SluiceEvent) => SluiceEvent {
    const given = new Map<string, string>()
    return (event) => {
      if (!('id' in event) || event.id === undefined) return event
      const kind = kindOf(event)
      const key = `${kind} ${event.id}`
      let id = given.get(key)
      if (id === undefined) {
        // What a model writes down as a result, or a diagnostic, is about a call that is known, or about nothing.
        if (kind === 'other') return event
        id = this.free(event.id, kind)
        given.set(key, id)
        if (kind === 'call') given.set(`other ${event.id}`, id)
      }
      return id === event.id ? event : { ...event, id }
    }
  }

  private free(id: string, kind: IdKind): string {
    const free = id === '' || this.used.has(id) ? this.generate(kind) : id
    this.used.add(free)
    return free
  }
}

function kindOf({ type }: SluiceEvent): 'text' | 'reasoning' | 'call' | 'other' {
  if (type.startsWith('text-')) return 'text'
  if (type.startsWith('reasoning-')) return 'reasoning'
  return type.startsWith('tool-result-') || type === 'diagnostic' ? 'other' : 'call'
}
