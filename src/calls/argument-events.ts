/** Says each argument of a call by its path, while it grows. The input as a whole is said by the call. */

import type { ArgumentKind, JsonValue, Sink } from '../event.ts'
import type { BuilderListener } from '../json/builder.ts'
import type { Path } from '../path.ts'

export class ArgumentEvents implements BuilderListener {
  private readonly id: string
  private readonly host: { readonly emit: Sink }

  constructor(id: string, host: { readonly emit: Sink }) {
    this.id = id
    this.host = host
  }

  start(path: Path, kind: ArgumentKind): void {
    if (path.depth > 0) this.host.emit({ type: 'argument-start', id: this.id, path, kind })
  }

  delta(path: Path, delta: string): void {
    if (path.depth > 0) this.host.emit({ type: 'argument-delta', id: this.id, path, delta })
  }

  end(path: Path, value: JsonValue): void {
    if (path.depth > 0) this.host.emit({ type: 'argument-end', id: this.id, path, value })
  }
}
