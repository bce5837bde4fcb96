/** Distinct ids: those that the wire gives where they are free, and otherwise generated ones. */

import { MOST_IDS } from './limits.ts'

/** What an id is for. */
export type IdKind = 'text' | 'reasoning' | 'result' | 'call'

export interface IdsState {
  count: number
  readonly taken: Set<string>
}

export class Ids {
  readonly state: IdsState
  private readonly generate: ((kind: IdKind) => string) | undefined
  /** The id that was generated last. */
  private made = ''

  constructor(generate?: (kind: IdKind) => string, state: IdsState = { count: 0, taken: new Set() }) {
    this.generate = generate
    this.state = state
  }

  /** A new id. It stays free until it is claimed. */
  next(kind: IdKind): string {
    const { state, generate } = this
    const made = generate?.(kind) ?? `${kind}-${++state.count}`
    let id = made
    while (state.taken.has(id)) id = `${generate === undefined ? kind : made}-${++state.count}`
    this.made = id
    return id
  }

  /** The given id if it is free, and otherwise a new one. It is taken. */
  use(id: string, kind: IdKind): string {
    if (this.claim(id)) return id
    const next = this.next(kind)
    this.claim(next)
    return next
  }

  /** Takes an id; false if it is taken. Beyond a limit nothing is remembered, and only generated ids are known to be free. */
  claim(id: string): boolean {
    const { taken } = this.state
    if (id === '' || taken.has(id)) return false
    if (taken.size >= MOST_IDS) return id === this.made
    taken.add(id)
    return true
  }
}
