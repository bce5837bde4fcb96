/** The ids of one response. Calls come from several sources, and two of them may bring the same id. */

import type { Event } from '../event.ts'
import type { ParserOptions } from '../parser.ts'

export type IdKind = Parameters<NonNullable<ParserOptions['generateId']>>[0]

export class Ids {
  private readonly generate: ParserOptions['generateId']
  /** The sources of the calls, by their ids. */
  private readonly owners = new Map<string, object>()
  private count = 0

  constructor(generate: ParserOptions['generateId']) {
    this.generate = generate
  }

  next(kind: IdKind): string {
    const made = this.generate?.(kind) ?? `${kind}-${++this.count}`
    let id = made
    while (this.owners.has(id))
      id = this.generate === undefined ? `${kind}-${++this.count}` : `${made}-${++this.count}`
    return id
  }

  /** Takes the id of a call; false if a call of another source has it. */
  claim(id: string, source: object): boolean {
    const owner = this.owners.get(id)
    if (owner === undefined) this.owners.set(id, source)
    return owner === undefined || owner === source
  }
}

/** The events of one source of calls, under ids that no other source uses. */
export class CallSource {
  private readonly ids: Ids
  private readonly renamed = new Map<string, string>()

  constructor(ids: Ids) {
    this.ids = ids
  }

  /** The id that a call of this source goes by. */
  idOf(id: string): string {
    return this.renamed.get(id) ?? id
  }

  distinct(event: Event): Event {
    if (event.type === 'tool-input-start' && !this.ids.claim(event.id, this))
      this.renamed.set(event.id, this.ids.next('call'))
    if (this.renamed.size === 0 || !('id' in event) || event.id === undefined) return event
    const id = this.renamed.get(event.id)
    if (id === undefined) return event
    return event.type === 'tool-call' ? { ...event, id, wireId: event.id } : { ...event, id }
  }
}
