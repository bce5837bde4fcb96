/** Distinct ids: those that the wire gives where they are free, and otherwise generated ones. */

import { MOST_IDS } from './limits.ts'
import { isCount, isString, nullable, type Shape, setOf } from './plain-state.ts'

/** What an id is for. */
export type IdKind = 'text' | 'reasoning' | 'result' | 'call'

export interface IdsState {
  /** How many were counted. */
  count: number
  /** Null: none yet. */
  taken: Set<string> | null
}

export const idsShape = (): Shape<IdsState> => ({ count: isCount, taken: nullable(setOf(isString)) })

/** A new id. It stays free until it is claimed. */
export function nextId(ids: IdsState, kind: IdKind, generate?: (kind: IdKind) => string): string {
  const made = generate?.(kind) ?? `${kind}-${++ids.count}`
  let id = made
  while (ids.taken?.has(id)) id = `${generate === undefined ? kind : made}-${++ids.count}`
  return id
}

/** Takes an id; false if it is taken. Beyond a limit nothing is remembered, and no id is known to be free. */
export function claimId(ids: IdsState, id: string): boolean {
  if (id === '' || ids.taken?.has(id)) return false
  ids.taken ??= new Set()
  if (ids.taken.size >= MOST_IDS) return false
  ids.taken.add(id)
  return true
}

export class Ids {
  readonly state: IdsState
  private readonly generate: ((kind: IdKind) => string) | undefined
  /** The id that was generated last. */
  private made = ''

  constructor(generate?: (kind: IdKind) => string, state: IdsState = { count: 0, taken: null }) {
    this.generate = generate
    this.state = state
  }

  /** A new id. It stays free until it is claimed. */
  next(kind: IdKind): string {
    this.made = nextId(this.state, kind, this.generate)
    return this.made
  }

  /** The given id if it is free, and otherwise a new one. It is taken. */
  use(id: string, kind: IdKind): string {
    if (this.claim(id)) return id
    const next = this.next(kind)
    this.claim(next)
    return next
  }

  /** Takes an id; false if it is taken. Beyond the limit only generated ids are known to be free. */
  claim(id: string): boolean {
    return claimId(this.state, id) || (id === this.made && id !== '' && !this.state.taken?.has(id))
  }
}
