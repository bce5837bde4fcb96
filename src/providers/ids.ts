/** The ids of one response. Calls come from several sources, and two of them may bring the same id. */

import type { Event } from '../event.ts'
import { MOST_IDS } from '../limits.ts'
import type { ParserOptions } from '../parser.ts'

export type IdKind = Parameters<NonNullable<ParserOptions['generateId']>>[0]

/** Where calls come from: the provider's own with JSON, its own with free text, and those in a dialect. */
export type CallOrigin = 'json' | 'free' | 'text'

export interface IdsState {
  count: number
  /** Where the calls come from, by their ids. */
  readonly owners: Map<string, CallOrigin>
  /** Other ids for those that were taken. */
  readonly renamed: Readonly<Record<CallOrigin, Map<string, string>>>
}

export class Ids {
  readonly state: IdsState
  private readonly generate: ParserOptions['generateId']
  /** The id that was generated last, which is free however many there were. */
  private made = ''

  constructor(
    generate: ParserOptions['generateId'],
    state: IdsState = {
      count: 0,
      owners: new Map(),
      renamed: { json: new Map(), free: new Map(), text: new Map() },
    },
  ) {
    this.generate = generate
    this.state = state
  }

  next(kind: IdKind): string {
    const { state } = this
    const made = this.generate?.(kind) ?? `${kind}-${++state.count}`
    let id = made
    while (state.owners.has(id))
      id = this.generate === undefined ? `${kind}-${++state.count}` : `${made}-${++state.count}`
    this.made = id
    return id
  }

  /** Takes the id of a call; false if a call from elsewhere has it. */
  claim(id: string, origin: CallOrigin): boolean {
    const { owners } = this.state
    const owner = owners.get(id)
    if (owner !== undefined) return owner === origin
    if (owners.size >= MOST_IDS) return id === this.made
    owners.set(id, origin)
    return true
  }
}

/** The events of one source of calls, under ids that no other source uses. */
export class CallSource {
  private readonly ids: Ids
  private readonly origin: CallOrigin
  private readonly renamed: Map<string, string>

  constructor(ids: Ids, origin: CallOrigin) {
    this.ids = ids
    this.origin = origin
    this.renamed = ids.state.renamed[origin]
  }

  /** The id that a call of this source goes by. */
  idOf(id: string): string {
    return this.renamed.get(id) ?? id
  }

  /** The last ones are remembered: a result may come for them. */
  private rename(id: string): void {
    const { renamed } = this
    renamed.delete(id)
    renamed.set(id, this.ids.next('call'))
    if (renamed.size > MOST_IDS) renamed.delete(renamed.keys().next().value!)
  }

  distinct(event: Event): Event {
    if (event.type === 'tool-input-start' && !this.ids.claim(event.id, this.origin)) this.rename(event.id)
    if (this.renamed.size === 0 || !('id' in event) || event.id === undefined) return event
    const id = this.renamed.get(event.id)
    if (id === undefined) return event
    return event.type === 'tool-call' ? { ...event, id, wireId: event.id } : { ...event, id }
  }
}
