/** Emits each argument of a call by its path while it grows. The call emits the input as a whole. */

import type { ArgumentKind, ArgumentPath, JsonValue, Sink } from '../../base/event.ts'
import type { Path } from '../../base/path.ts'
import type { BuilderListener } from '../../values/json/builder.ts'

export class ArgumentEvents implements BuilderListener {
  private readonly id: string
  private readonly host: { readonly emit: Sink }
  /** The value of the last event, so that all events of a string share one list. */
  private path: Path | null = null
  private keys: ArgumentPath = []

  constructor(id: string, host: { readonly emit: Sink }) {
    this.id = id
    this.host = host
  }

  start(path: Path, kind: ArgumentKind): void {
    if (path.depth > 0) this.host.emit({ type: 'argument-start', id: this.id, path: this.keysOf(path), kind })
  }

  delta(path: Path, delta: string): void {
    if (path.depth > 0)
      this.host.emit({ type: 'argument-delta', id: this.id, path: this.keysOf(path), delta })
  }

  end(path: Path, value: JsonValue): void {
    if (path.depth > 0) this.host.emit({ type: 'argument-end', id: this.id, path: this.keysOf(path), value })
  }

  private keysOf(path: Path): ArgumentPath {
    if (path !== this.path) {
      this.path = path
      this.keys = path.keys
    }
    return this.keys
  }
}
