/**
 * Blocks of text and of reasoning in chunks for a user interface. Each is begun and ended once, with an id that no
 * other has, whatever the chunks do.
 */

import type { Sink } from '../../event.ts'

export interface BlockChunk {
  readonly type: string
  readonly id?: string
  readonly delta?: string
}

type Kind = 'text' | 'reasoning'

export class UiBlocks {
  private readonly sink: Sink
  /** What is open, by its kind and its id in the chunks. */
  private readonly open = new Map<string, { readonly kind: Kind; readonly id: string }>()
  private readonly used = new Set<string>()
  /** How often an id was asked for: a provider counts anew in each step. */
  private readonly times = new Map<string, number>()

  constructor(sink: Sink) {
    this.sink = sink
  }

  add(kind: Kind, { type, id = '', delta }: BlockChunk): void {
    const key = `${kind} ${id}`
    if (type.endsWith('-start')) this.begin(kind, id, key)
    else if (type.endsWith('-end')) this.close(key)
    else if (typeof delta === 'string' && delta !== '') {
      const block = this.open.get(key) ?? this.begin(kind, id, key)
      this.sink({ type: `${kind}-delta`, id: block.id, delta })
    }
  }

  /** Nothing more comes. */
  end(): void {
    for (const key of [...this.open.keys()]) this.close(key)
  }

  private begin(kind: Kind, id: string, key: string): { readonly id: string } {
    this.close(key)
    const block = { kind, id: this.distinct(kind, id, key) }
    this.open.set(key, block)
    this.sink({ type: `${kind}-start`, id: block.id })
    return block
  }

  private close(key: string): void {
    const block = this.open.get(key)
    this.open.delete(key)
    if (block !== undefined) this.sink({ type: `${block.kind}-end`, id: block.id })
  }

  private distinct(kind: Kind, id: string, key: string): string {
    let times = this.times.get(key) ?? 0
    let unique: string
    do unique = ++times === 1 ? id : `${id}-${times}`
    while (this.used.has(`${kind} ${unique}`))
    this.times.set(key, times)
    this.used.add(`${kind} ${unique}`)
    return unique
  }
}
