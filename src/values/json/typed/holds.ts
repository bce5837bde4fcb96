/** What appears only when it is complete: values at some places, and values of some types. */

import type { ArgumentKind } from '../../../base/event.ts'
import { keysOf } from '../../../base/path.ts'
import type { Hold } from '../reading-options.ts'

/** What is held at one place, and below it. */
export class Holds {
  private readonly pointers: readonly (readonly string[])[]
  private readonly types: ReadonlySet<string>

  private constructor(pointers: readonly (readonly string[])[], types: ReadonlySet<string>) {
    this.pointers = pointers
    this.types = types
  }

  static of(holds: readonly Hold[]): Holds {
    const pointers = holds.filter((hold) => hold.startsWith('/')).map(keysOf)
    return new Holds(pointers, new Set(holds))
  }

  /** For the value under a key of this one. */
  below(key: string | number): Holds {
    if (this.pointers.length === 0) return this
    const name = String(key)
    const inner = this.pointers.filter(([first]) => first === name || first === '*')
    return new Holds(
      inner.map(([, ...rest]) => rest),
      this.types,
    )
  }

  has(kind: ArgumentKind): boolean {
    return this.types.has(kind) || this.pointers.some((rest) => rest.length === 0)
  }
}
