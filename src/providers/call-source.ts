/**
 * One of the sources that calls come from: the provider's own calls with JSON, its own with free text, and those in a
 * dialect. Two sources may bring the same id; the events of each come out under ids that no other source has.
 */

import { map, resumed, type StateOf, set } from '../base/declared-state.ts'
import type { SluiceEvent } from '../base/event.ts'
import type { Ids } from '../base/ids.ts'
import { MOST_IDS } from '../base/limits.ts'
import { isString } from '../base/plain-state.ts'

const STATE = {
  /** The ids that this source took first. */
  own: set(isString),
  /** Other ids for those that another source has. */
  renamed: map(isString, isString),
}

export class CallSource {
  readonly state: StateOf<typeof STATE>
  private readonly ids: Ids

  constructor(ids: Ids, saved?: unknown) {
    this.ids = ids
    this.state = resumed(STATE, saved)
  }

  /** The id that a call of this source has among the events. */
  idOf(id: string): string {
    return this.state.renamed.get(id) ?? id
  }

  /** The event, under an id that no other source has. */
  distinct(event: SluiceEvent): SluiceEvent {
    if (event.type === 'tool-input-start' && !this.claim(event.id)) this.rename(event.id)
    const { renamed } = this.state
    if (renamed.size === 0 || !('id' in event) || event.id === undefined) return event
    const id = renamed.get(event.id)
    if (id === undefined) return event
    return event.type === 'tool-call' ? { ...event, id, wireId: event.id } : { ...event, id }
  }

  private claim(id: string): boolean {
    const { own } = this.state
    if (own.has(id)) return true
    if (!this.ids.claim(id)) return false
    if (own.size < MOST_IDS) own.add(id)
    return true
  }

  /** Only the last ones are remembered: a result may come for them. */
  private rename(id: string): void {
    const { renamed } = this.state
    renamed.delete(id)
    renamed.set(id, this.ids.next('call'))
    if (renamed.size > MOST_IDS) renamed.delete(renamed.keys().next().value!)
  }
}
